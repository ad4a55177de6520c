import { records } from '@venue-data/contract/endpoints.ts'
import { events } from '@venue-data/contract/events.ts'
import { html } from '../../html/html.ts'
import { exampleOf, nodeOf } from '../openapi-schema.ts'
import type { Chapter } from './conventions.ts'
import { fieldList, fieldsOf } from './fields.ts'
import { json, panel } from './samples.ts'
import { anchorOf, part, prose, spaced } from './words.ts'

/** Every record of the API with its fields. */
export const recordChapters = (): Chapter[] =>
  records.map(nodeOf).map((node) => {
    const name = node.$id as string
    const id = `record-${anchorOf(name)}`
    return {
      id,
      title: spaced(name),
      body: part(
        { id, level: 3 },
        spaced(name),
        [html`<p>${prose(node.description ?? '')}</p>`, fieldList(fieldsOf(node, false))],
        panel(spaced(name), json(exampleOf(node))),
      ),
    }
  })

/** What happens at the venue, and the record that tells of it. */
export const eventTable = (): Chapter => ({
  id: 'events',
  title: 'Events',
  body: part(
    { id: 'events' },
    'Events',
    [
      html`<p>
        Events tell you of changes as they happen. Each arrives as a <code>POST</code> whose
        <code>data</code> is the record as it then was, in the shape it has everywhere else.
      </p>`,
      html`<dl class="fields">
        ${Object.entries(events).map(
          ([name, { when, data }]) =>
            html` <div id="event-${name}">
              <dt><code>${name}</code></dt>
              <dd>
                <p>
                  ${when} Carries a
                  <a href="#record-${anchorOf(nodeOf(data).$id as string)}"
                    >${spaced(nodeOf(data).$id as string)}</a
                  >.
                </p>
              </dd>
            </div>`,
        )}
      </dl>`,
      html`<p>
        An event may arrive twice: skip an <code>id</code> you have seen. Order is not guaranteed; the newest
        is told by <code>occurredAt</code> and <code>data.updatedAt</code>. New events may be added within
        version 1.
      </p>`,
    ],
    panel(
      'A delivery',
      json({
        id: '7d0f8f5e-3c0b-4a57-8f0e-2f1f7a5a9c11',
        event: 'waitlist.added',
        occurredAt: '2026-10-09T23:04:05.120Z',
        venue: { slug: 'blue-door' },
        data: exampleOf(nodeOf(events['waitlist.added'].data)),
      }),
    ),
  ),
})
