import { deliveryUserAgent, publishedVector, sampleDelivery } from '@venue-data/contract/webhooks/delivery.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../html/html.ts'
import { deliveryHeaders, triesOfDelivery, waitsInWords } from '../openapi/delivery-words.ts'
import { type Chapter, chapter } from './chapter.ts'
import { placeOf } from './places.ts'
import { json, panel } from './samples.ts'
import { prose } from './words.ts'

/*
 * What a delivery is and when it is retried; the event catalog is separate. docs/webhooks.md, which the site shows as a
 * guide, explains how to receive one.
 */

export const deliveryChapters = (): Chapter[] => [receiving(), retrying()]

const { t, v1, body } = publishedVector

const receiving = (): Chapter =>
  chapter(
    'receiving',
    'What a delivery is',
    html`
      <p>
        <a href="${placeOf('create-webhook')}">Add an endpoint</a> with the address and the events you want. From then on
        each of those events reaches you as a <code>POST</code> with a JSON body. The secret that signs it is
        in the reply that creates the endpoint, and is never shown again. What your receiver has to do, and how it
        <a href="${placeOf('verifying')}">verifies the signature</a>, is in the
        <a href="/docs/guides/webhooks">guide</a>.
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
    'answer',
    'string',
    'Only of `reservation.change_answered`: `accepted`, `declined`, `withdrawn` or `lapsed`.',
  ],
  [
    'previous',
    'object or null',
    'Where the endpoint asked to `include` it: the fields of `data` that changed, as they were before.',
  ],
  ['sample', 'true', 'Only in a sample that was asked for: nothing happened, and ids of records are 0.'],
]

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
          <a href="${placeOf('keeping-a-copy')}">keeping a copy in sync</a>.
        </li>
        <li>
          <strong>While the venue cannot use the API</strong>, because its plan does not include it or its account
          is paused, deliveries wait: no attempt is used up, and endpoints stay active. When the venue can use the
          API again, everything not yet ${limits.deliveryHours} hours old goes out, oldest first.
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
          The venue’s owner is mailed about an endpoint that was switched off, as is the contact set on the key’s page, and can switch it on again. Events from the
          meantime are kept for ${limits.deliveryHours} hours and sent then.
        </li>
        <li>
          <strong>A pause.</strong> <a href="${placeOf('update-webhook')}">Change</a> <code>status</code> to
          <code>paused</code> and nothing is sent; what happens is held as long. <code>active</code> sends it,
          one by one in the order in which it happened, and also switches on an endpoint that failed.
        </li>
        <li>
          When its key is revoked, or the venue’s access is withdrawn, an endpoint stops permanently.
        </li>
      </ul>
      <p>
        The <a href="${placeOf('record-webhook-endpoint')}">endpoint</a>’s <code>failureCount</code> and
        <code>lastDeliveryStatus</code> tell you how it is doing.
      </p>
    `,
    scheduleTable(),
  )

/**
 * Each attempt: how long after the previous failure it starts, and how long after the first attempt at the earliest.
 */
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
