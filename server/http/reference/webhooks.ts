import { deliveryUserAgent, publishedVector, sampleDelivery } from '@venue-data/contract/delivery.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../html/html.ts'
import { deliveryHeaders, triesOfDelivery, waitsInWords } from '../delivery-words.ts'
import { type Chapter, chapter } from './chapter.ts'
import { codeOf, recipes } from './recipes.ts'
import { json, panel, program } from './samples.ts'
import { prose } from './words.ts'

/*
 * What a correct receiver needs to know, besides the catalog of events.
 */

export const webhookChapters = (): Chapter[] => [receiving(), verifying(), retrying()]

const { t, v1, body, secret } = publishedVector

const receiving = (): Chapter =>
  chapter(
    'receiving',
    'Receiving webhooks',
    html`
      <p>
        <a href="#create-webhook">Add an endpoint</a> with the address and the events you want. From then on
        each of those events reaches you as a <code>POST</code> with a JSON body. The secret that signs it is
        in the reply that creates the endpoint, and is never shown again.
      </p>
      <p>The body has the same form for every event:</p>
      <dl class="fields">
        ${envelope.map(
          ([name, type, words]) =>
            html` <div>
              <dt><code>${name}</code> <span class="type">${type}</span></dt>
              <dd><p>${prose(words)}</p></dd>
            </div>`,
        )}
      </dl>
      <h3 class="minor">Headers</h3>
      <dl class="fields">
        ${Object.entries(deliveryHeaders).map(
          ([name, words]) =>
            html` <div>
              <dt><code>${name}</code></dt>
              <dd><p>${prose(words)}</p></dd>
            </div>`,
        )}
      </dl>
      <h3 class="minor">A correct receiver</h3>
      <ol>
        <li>Reads the <strong>raw body</strong>, before any JSON parsing.</li>
        <li><a href="#verifying">Verifies the signature</a>, and answers 400 if it is wrong.</li>
        <li>
          <strong>Skips an <code>id</code> it has seen.</strong> A delivery may arrive twice. Keep ids for
          three days.
        </li>
        <li>
          Stores the delivery, answers 2xx, and only then starts work. It has
          ${limits.deliveryAnswerSeconds} seconds from the first attempt to connect to the end of its answer.
        </li>
        <li>
          <strong>Does not rely on the order</strong>, which is not guaranteed: <code>occurredAt</code> and
          <code>data.updatedAt</code> tell which of two is newer.
        </li>
        <li>Answers 2xx to an event it does not know: new ones may be added within version 1.</li>
      </ol>
      <p>
        A venue’s events go out at up to ${limits.eventsPerMinute} a minute; a bulk change is spread over the
        following minutes. You also receive events for what your own software writes. An endpoint receives
        only what happens after it was added.
      </p>
    `,
    [
      panel('A delivery', [
        `POST /bookings HTTP/1.1\nContent-Type: application/json\nUser-Agent: ${deliveryUserAgent}\nX-Service-Event: ping\nX-Service-Signature: t=${t},v1=${v1}\n\n`,
        body,
      ]),
      panel('A ping, formatted', json(JSON.parse(sampleDelivery('ping')))),
    ],
  )

const envelope: readonly (readonly [name: string, type: string, words: string])[] = [
  ['id', 'string', 'Identifies the delivery: the same on every retry, different for each endpoint.'],
  ['event', 'string', 'What happened; `ping` is sent only by an endpoint’s test.'],
  ['occurredAt', 'moment', 'When it happened.'],
  ['venue', 'object', 'Where it happened: `{slug}`.'],
  [
    'data',
    'object',
    'The record as it was right after the event, in the shape it has everywhere else; only its `id` where the endpoint’s `payload` is `thin`.',
  ],
  ['eventId', 'string', 'Identifies what happened: the same for all endpoints. A `ping` has none.'],
  [
    'record',
    'object',
    'The record it happened to: `{kind, id, revision}`; of two the higher `revision` is newer.',
  ],
  ['names', 'list', 'All names that fit what happened, the most telling first.'],
  [
    'previous',
    'object or null',
    'Where the endpoint asked to `include` it: the fields of `data` that changed, as they were before.',
  ],
  ['sample', 'true', 'Only in a sample that was asked for: nothing happened, and ids of records are 0.'],
]

const verifying = (): Chapter =>
  chapter(
    'verifying',
    'Verifying a signature',
    html`
      <p>
        Anybody can send a request to your address. Trust only what is signed with your endpoint’s secret, and
        check it before you parse the body:
      </p>
      <ol>
        <li>
          Split <code>X-Service-Signature</code> at the commas into <code>t</code> and <code>v1</code>, and
          ignore parts you do not know. A missing header counts as a wrong one.
        </li>
        <li>
          Refuse a <code>t</code> that is more than ${limits.signatureSeconds / 60} minutes from your clock,
          in either direction.
        </li>
        <li>
          Compute the HMAC-SHA256 of <code>t</code>, a period and the raw body exactly as it arrived, with
          the secret’s whole text as the key, <code>whsec_</code> included.
        </li>
        <li>
          Compare its lowercase hexadecimal form (64 characters) with <code>v1</code>, in constant time.
        </li>
      </ol>
      <p>
        Each attempt is signed again with the second it is sent, so a retry hours later verifies like the
        first.
      </p>
      <p>
        The programs below take the secret, the header and the raw body, as in
        <code>verify(secret, request.get('X-Service-Signature') ?? '', request.body)</code> in Express. A
        framework that parses JSON for you has to hand you the raw bytes instead:
        <code>express.raw({ type: 'application/json' })</code> in Express, <code>request.get_data()</code> in
        Flask, <code>request.body</code> in Django, <code>php://input</code> in PHP.
      </p>
      <p>
        While a <a href="#rotate-webhook-secret">secret changes over</a>, the header has two
        <code>v1</code>, the newer first: one that fits is enough. With <code>signatures</code>
        <code>service</code> and <code>standard</code> a delivery also carries the three headers that
        libraries of Standard Webhooks verify.
      </p>
      <h3 class="minor">Test yours with this</h3>
      <dl class="fields">
        ${Object.entries({ secret, t: String(t), body, v1 }).map(
          ([name, value]) =>
            html` <div>
              <dt><code>${name}</code></dt>
              <dd><p class="long"><code>${value}</code></p></dd>
            </div>`,
        )}
      </dl>
      <p>Pass ${t} to your function as the current time: the sample is older than five minutes.</p>
    `,
    recipes.map((recipe) => program(recipe.language, codeOf(recipe).trimEnd())),
    { wide: true },
  )

const retrying = (): Chapter =>
  chapter(
    'retrying',
    'Retries and disabling',
    html`
      <p>
        Success is a 2xx within ${limits.deliveryAnswerSeconds} seconds. Everything else is a failure: another
        status, a redirect (redirects are not followed), no answer, a TLS or DNS problem. A failed delivery is
        retried after ${waitsInWords()}: ${triesOfDelivery} attempts in all, with the same <code>id</code>.
      </p>
      <ul>
        <li>
          <strong>${limits.deliveryHours} hours.</strong> No attempt starts later than that after the event.
          Anything still undelivered is dropped without notice: see
          <a href="#keeping-a-copy">keeping a copy in sync</a>.
        </li>
        <li>
          <strong>While the venue cannot use the API</strong>, because its plan does not include it or its account
          is paused, deliveries wait: no attempt is used up, and endpoints stay active. When the venue can use the
          API again, whatever is not yet ${limits.deliveryHours} hours old goes out, oldest first.
        </li>
        <li>
          <strong>410.</strong> Answer 410 to get nothing more: the endpoint is switched off at once, with
          <code>disabledReason</code> <code>gone</code>.
        </li>
        <li>
          <strong>${limits.failuresToDisable} failures in a row</strong>, over all its events, switch the
          endpoint off with <code>too-many-failures</code>. A success resets the count, and a test never
          counts.
        </li>
        <li>
          The venue’s owner sees an endpoint that was switched off and can switch it on again. Events from the
          meantime are kept for ${limits.deliveryHours} hours and sent then.
        </li>
        <li>
          <strong>A pause.</strong> <a href="#update-webhook">Change</a> <code>status</code> to
          <code>paused</code> and nothing is sent; what happens is held as long. <code>active</code> sends it,
          one by one in the order in which it happened, and also switches on an endpoint that failed.
        </li>
        <li>
          When its key is revoked, or the venue’s access is withdrawn, an endpoint stops permanently.
        </li>
      </ul>
      <p>
        The <a href="#record-webhook-endpoint">endpoint</a>’s <code>failureCount</code> and
        <code>lastDeliveryStatus</code> tell you how it is doing.
      </p>
    `,
    scheduleTable(),
  )

/** Each attempt, how long after the previous one failed it starts, and how long after the first at the earliest. */
const scheduleTable = (): Html => {
  let minutes = 0
  const rows = limits.deliveryWaitsMinutes.map((wait, i) => {
    minutes += wait
    return [String(i + 2), lasting(wait), lasting(minutes)]
  })
  return html`<figure class="panel">
    <figcaption><span>The schedule</span></figcaption>
    <table>
      <thead>
        <tr>
          <th scope="col">Attempt</th>
          <th scope="col">After the last one failed</th>
          <th scope="col">After the first</th>
        </tr>
      </thead>
      <tbody>
        ${[['1', 'at once', ''], ...rows].map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${cell}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </figure>`
}

/** `1 h 21 min` */
const lasting = (minutes: number): string =>
  [
    [Math.floor(minutes / 60), 'h'],
    [minutes % 60, 'min'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
