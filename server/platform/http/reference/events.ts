import { sampleDelivery } from '@venue-data/contract/webhooks/delivery.ts'
import { eventNames, events } from '@venue-data/contract/webhooks/events.ts'
import { html } from '../../html/html.ts'
import { nodeOf } from '../openapi/openapi-schema.ts'
import { type Chapter, chapter } from './chapter.ts'
import { placeOf } from './places.ts'
import { json, panel } from './samples.ts'
import { anchorOf, part, prose, spaced } from './words.ts'

/** The subscribable events in brief. */
export const eventsChapter = (): Chapter =>
  chapter(
    'events',
    'Events',
    html`
      <p>
        Subscribe to any of these. Each event is recorded in the same transaction as its change, so neither
        happens without the other. New events may be added within version 1.
      </p>
      <dl class="fields">
        ${eventNames.map(
          (name) =>
            html` <div>
              <dt>
                <a href="${placeOf(`event-${name}`)}"><code>${name}</code></a>
              </dt>
              <dd><p>${prose(events[name].when)}</p></dd>
            </div>`,
        )}
      </dl>
      <p>
        There is also <code>ping</code>, which only <a href="${placeOf('test-webhook')}">an endpoint’s test</a> sends. You
        cannot subscribe to it.
      </p>
    `,
  )

/** Each event with a delivery exactly as sent. */
export const eventChapters = (): Chapter[] =>
  eventNames.map((name) => {
    const { when, data } = events[name]
    const record = nodeOf(data).$id as string
    const id = `event-${name}`
    return {
      id,
      title: name,
      body: part(
        { id, level: 3 },
        name,
        html`
          <p>${prose(when)}</p>
          <p><code>data</code> is a <a href="${placeOf(`record-${anchorOf(record)}`)}">${spaced(record).toLowerCase()}</a>.</p>
        `,
        panel(name, json(JSON.parse(sampleDelivery(name)))),
      ),
    }
  })
