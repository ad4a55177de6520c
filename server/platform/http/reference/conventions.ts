import { limits } from '@venue-data/contract/limits.ts'
import { Account } from '@venue-data/contract/records/account.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { reasons } from '@venue-data/contract/reasons.ts'
import { scopes } from '@venue-data/contract/scopes.ts'
import { html } from '../../html/html.ts'
import { exampleOf, nodeOf } from '../openapi/openapi-schema.ts'
import { tooManyRequests } from '../refusals.ts'
import { type Chapter, chapter } from './chapter.ts'
import { requestPanel } from './languages.ts'
import { placeOf } from './places.ts'
import { json, panel } from './samples.ts'
import { anchorOf } from './words.ts'

/*
 * What applies to every endpoint, said once. Numbers come from contract/limits.ts.
 */

/** Each scope with what it allows. */
const scopeRows = Object.entries(scopes).map(
  ([scope, does]) => [scope, `${does.charAt(0).toUpperCase()}${does.slice(1)}.`] as const,
)

export const conventions = (baseUrl: string): Chapter[] => [
  chapter(
    'introduction',
    'Introduction',
    html`
      <p>
        The Venue Data API gives a restaurant’s software access to the restaurant’s own data: reservations,
        guests, the email list, ticket orders, the waitlist, private-event leads and tasks. You read with
        <code>GET</code>, you write with <code>POST</code> and <code>PATCH</code>, and
        everything is JSON over HTTPS.
      </p>
      <p>
        <strong>One key, one venue.</strong> A key belongs to exactly one venue, and nothing in a request can
        point it at another. <strong>There is no sandbox:</strong> every request acts on the venue’s real
        data. To write and test software, start the service on your own machine as a practice instance
        (<code>PRACTICE=on npm start</code>): it comes with a made-up venue, sends webhooks to
        <code>localhost</code>, and triggers any event on demand.
      </p>
      <p>
        Start with <a href="${placeOf('me')}">who this key is</a>: it returns the venue’s name and the time zone of its
        dates and times.
      </p>
      <p>For tools, there is an <a href="/api/v1/openapi.json">OpenAPI 3.1 document</a>.</p>
    `,
    [
      panel('Base address', baseUrl),
      requestPanel(baseUrl, endpoints.me),
      panel('Its reply', json(exampleOf(nodeOf(Account)))),
    ],
  ),
  chapter(
    'authentication',
    'Authentication',
    html`
      <p>
        Send the key in the <code>X-Service-Key</code> header with every request, not as a bearer token and not
        with <code>curl -u</code>. Never put it in a URL
        or in <code>Authorization</code>, and never in a web page or app that a guest could open: keys are
        for servers.
      </p>
      <p>
        A key is <code>service_sk_</code> followed by 40 letters and digits. It is shown once, when the
        venue’s owner creates it; only a fingerprint is kept, so a lost key is replaced, not recovered. A
        revoked key stops at once, and so do the webhook endpoints created with it.
      </p>
      <dl class="fields">
        ${scopeRows.map(
          ([scope, does]) => html`<div>
            <dt>${scope}</dt>
            <dd>${does}</dd>
          </div>`,
        )}
      </dl>
      <p>
        Every endpoint names the scope it needs; without it the answer is 403
        <a href="${placeOf('reason-scope-missing')}"><code>scope-missing</code></a>, and the owner can allow it.
        <code>contacts:hidden</code> takes something away: names, addresses, numbers and notes are
        <code>null</code> wherever a record is shown.
      </p>
      <p>
        A key may have an end: for its last ${limits.keyExpiryToldDays[0]} days every answer carries
        <code>X-Key-Expires</code>. It may be bound to network addresses, and it may be allowed to
        <a href="${placeOf(anchorOf('rotateKey'))}">replace itself</a>.
      </p>
      <p>
        Besides the keys of your own software (<code>api</code>) there are keys of the automation platform
        (<code>automation</code>). They read and write records, but cannot manage webhook endpoints or
        campaigns.
      </p>
    `,
    panel('Header', 'X-Service-Key: service_sk_…'),
  ),
  chapter(
    'requests',
    'Requests and replies',
    html`
      <p>
        Bodies are JSON objects in UTF-8, without compression. Nothing is converted: a number sent as text is
        refused. <code>null</code> or an empty text counts as left out, and fields we do not know are ignored.
        A query parameter may be given once.
      </p>
      <p>
        In what you receive, <strong>every field of a record is always present</strong>, <code>null</code> when
        it has no value. Each kind of record has one shape, the same in lists, searches, replies and events.
      </p>
      <p>Every answer carries <code>X-Request-Id</code>. Quote it when you ask us about a request.</p>
      <h3 class="minor">Dates, times and moments</h3>
      <dl class="fields">
        <div>
          <dt>Date</dt>
          <dd><code>2026-10-09</code>, in the venue’s own calendar.</dd>
        </div>
        <div>
          <dt>Time</dt>
          <dd><code>19:30</code>, on the venue’s own clock.</dd>
        </div>
        <div>
          <dt>Moment</dt>
          <dd>
            <code>2026-10-06T15:04:05.120Z</code>: ISO 8601 in UTC. You may send one with any offset, but not
            without one.
          </dd>
        </div>
      </dl>
    `,
  ),
  chapter(
    'lists',
    'Lists',
    html`
      <p>
        A list is a JSON array, newest first by <code>createdAt</code>. <code>limit</code> says how many
        records you want: ${limits.listDefault} by default and ${limits.listMost} at most;
        <code>since</code> leaves out records created before a moment. When there is more, <code>Link</code>
        is where the next page is, and <code>X-Next-Cursor</code> the same as a cursor for
        <code>after</code>: follow it until it is missing. A page may be short and still have one.
      </p>
      <p>
        Each list names its filters and orders; other words are ignored. A cursor is good for the filters and
        the order it was given for. <code>count=true</code> adds <code>X-Count</code>.
      </p>
      <p>
        A list shows what is new; changes to records you already have reach you as
        <a href="${placeOf('events')}">events</a>. To keep a copy of the records,
        <a href="${placeOf('keeping-a-copy')}">follow the changes</a>.
      </p>
    `,
  ),
  chapter(
    'idempotency',
    'Trying again safely',
    html`
      <p>
        A request can be lost, and so can its reply. Send a unique <code>Idempotency-Key</code> (1 to
        ${limits.idempotencyKeyCharacters} visible characters) with each <code>POST</code> that creates a
        record, and send the same key when you retry.
      </p>
      <ul>
        <li>
          Same key, same body, within ${limits.idempotencyHours} hours: you get the first answer again, with
          <code>Idempotent-Replayed: true</code>. Nothing is done twice. The order of fields does not matter.
        </li>
        <li>
          Same key, different body: 409
          <a href="${placeOf('reason-different-body')}"><code>different-body</code></a>. That is a bug in your software.
        </li>
        <li>
          While the first attempt is still being processed: 409
          <a href="${placeOf('reason-still-processing')}"><code>still-processing</code></a>. Wait <code>Retry-After</code> seconds and send it again.
        </li>
        <li>
          When the first attempt began over ${limits.idempotencyClaimSeconds} seconds ago and never finished:
          <a href="${placeOf('reason-outcome-unknown')}"><code>outcome-unknown</code></a> for reservations, leads and
          tasks. Check the venue’s data before you send changed details. For guests and subscribers the new
          attempt simply goes ahead.
        </li>
        <li>Only successes are kept. After a refusal, a retry with the same key is evaluated again.</li>
        <li>
          A reservation that has since been cancelled or deleted, or a lead that has been deleted, is not
          replayed: the same details are then a new request.
        </li>
      </ul>
      <p>A key belongs to the venue and the endpoint, so it survives a change of API key.</p>
    `,
    [
      panel('Sent again', 'HTTP/1.1 201 Created\nIdempotent-Replayed: true'),
      panel('Different body', json({ error: reasons['different-body'].sentence, reason: 'different-body' })),
    ],
  ),
  chapter(
    'rate-limit',
    'Rate limit',
    html`
      <p>
        A key may make ${limits.requestsPerMinute} requests a minute. The minute starts with its first
        request. Every answer shows what is left. Over the limit the answer is 429, nothing is done, and
        <code>Retry-After</code> says how many seconds to wait. Refused requests count too; webhook deliveries
        do not.
      </p>
    `,
    [
      panel(
        'On every answer',
        'RateLimit-Limit: 120\nRateLimit-Remaining: 83\nRateLimit-Reset: 37\nRateLimit-Policy: "key";q=120;w=60\nRateLimit: "key";r=83;t=37',
      ),
      panel(
        'Over the limit: 429, Retry-After: 37',
        json({ error: tooManyRequests(limits.requestsPerMinute, 37).message }),
      ),
    ],
  ),
  chapter(
    'versioning',
    'Versioning',
    html`
      <p>
        This is version 1, and every path says so. Within it, no field, address or status you rely on goes
        away or changes its meaning. We may add fields, endpoints, events and reason codes without notice:
        ignore what you do not know. A breaking change gets a new address, and version 1 keeps working for at
        least 12 months after venues were notified.
      </p>
      <p>
        What came when is in the <a href="/api/v1/changelog">changelog</a>, for programs and without a key. An
        endpoint that is to go says so on every answer: <code>Deprecation</code> since when,
        <code>Sunset</code> until when, and a <code>Link</code> with <code>rel="successor-version"</code> what to
        use instead. None does now.
      </p>
    `,
  ),
]
