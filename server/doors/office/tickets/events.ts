import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import {
  type EventRow,
  type SoldOccurrence,
  datesOfEvent,
  eventById,
  eventsPage,
} from '../../../tickets/event-reads.ts'
import { addOccurrence, editEvent, makeEvent, removeEvent } from '../../../tickets/events.ts'
import { eventPicture } from '../../../tickets/online/event-picture.ts'
import { actorOf } from '../frame/actor.ts'
import { go, page } from '../frame/page.ts'
import {
  type FormSeen,
  idOf,
  lineField,
  mistakePart,
  tokenField,
  typedIn,
  versionField,
  versionIn,
} from '../parts/forms/fields.ts'
import { money } from '../parts/money.ts'
import { counted, listFoot, pageRows } from '../parts/pager.ts'
import { once } from '../parts/once.ts'
import { warning } from '../parts/press-message.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { dateFields, dateIn } from './date-form.ts'
import { eventFields, eventIn, typedOfEvent } from './event-form.ts'
import { whenOf } from './date-words.ts'
import { seatsMeter } from './seats-meter.ts'
import { ticketsHead } from './head.ts'
import { pictureFields } from './event-picture.ts'

const home = '/office/tickets/events'

/** Events and their dates. For managers. */
export const eventPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work, { query }) =>
      page('Events', await eventList(work, query.get('after'), { typed: {} })),
  },
  {
    method: 'POST',
    path: home,
    role: 'manager',
    answer: async (work, { form }) => {
      const id = await once(
        work,
        'event',
        form,
        async () => (await makeEvent(work, actorOf(work.me), form.text('name'))).id,
      )
      return go(`${home}/${id}`, 'Event added. Now add a date.')
    },
    again: async (work, { form }, { message }) =>
      page('Events', await eventList(work, null, { typed: typedIn(form), mistake: message })),
  },
  {
    method: 'GET',
    path: `${home}/:id`,
    role: 'manager',
    answer: async (work, { params }) => {
      const event = await eventOf(work, params.id)
      return page(event.name, await eventPage(work, event, {}))
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/edit`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const id = idOf(params.id, 'event')
      await editEvent(work, actorOf(work.me), { id, seenVersion: versionIn(form), ...eventIn(form) })
      return go(`${home}/${id}`, 'Event saved.')
    },
    again: async (work, { params, form }, { message }) => {
      const event = await eventOf(work, params.id)
      const changed = form.text('version') !== String(event.version)
      const edit: FormSeen = {
        typed: typedIn(form),
        mistake: message,
        ...(changed && { meanwhile: typedOfEvent(event) }),
      }
      return page(event.name, await eventPage(work, event, { edit }))
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/delete`,
    role: 'manager',
    answer: async (work, { params }) => {
      await removeEvent(work, actorOf(work.me), idOf(params.id, 'event'))
      return go(home, 'Event deleted.')
    },
    again: async (_work, { params }, { message }) =>
      go(`${home}/${idOf(params.id, 'event')}`, warning(message)),
  },
  {
    method: 'POST',
    path: `${home}/:id/dates`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const id = idOf(params.id, 'event')
      await once(
        work,
        'event-date',
        form,
        async () => (await addOccurrence(work, actorOf(work.me), id, dateIn(form))).id,
      )
      return go(`${home}/${id}`, 'The date is on sale.')
    },
    again: async (work, { params, form }, { message }) => {
      const event = await eventOf(work, params.id)
      return page(
        event.name,
        await eventPage(work, event, { date: { typed: typedIn(form), mistake: message } }),
      )
    },
  },
]

const eventOf = async ({ db, venue }: OfficeWork, id: string | undefined): Promise<EventRow> => {
  const event = await eventById(db, venue.id, idOf(id, 'event'))
  if (!event) throw notFound('event')
  return event
}

const eventList = async (work: OfficeWork, after: string | null, seen: FormSeen): Promise<Html> => {
  const { db, venue } = work
  const list = await eventsPage(db, venue.id, { limit: pageRows, after })
  return html`${ticketsHead(work, home)}
    <div class="stack">
      <section class="card">
        <form class="form" method="post" action="${home}">
          ${tokenField(seen.typed.token)} ${mistakePart(seen)}
          <div class="quick">
            ${lineField(seen, { name: 'name', label: 'New event', most: limits.nameCharacters, required: true, placeholder: 'Burgundy Night' })}
            <button class="primary">Add</button>
          </div>
        </form>
      </section>
      <section class="card list-card">
        ${
          list.rows.length === 0
            ? html`<p class="empty">No events yet.</p>`
            : html`<ul class="rows">
                ${list.rows.map(
                  (event) =>
                    html`<li>
                      <div class="grow">
                        <a class="row-link breaks" href="${home}/${event.id}">${event.name}</a>
                        <span class="small soft">added ${momentInWords(event.created_at, venue.timezone)}</span>
                      </div>
                    </li>`,
                )}
              </ul>`
        }
        ${listFoot({ path: home, after, next: list.next })}
      </section>
    </div>`
}

const eventPage = async (
  { db, venue, now }: OfficeWork,
  event: EventRow,
  sent: { readonly edit?: FormSeen; readonly date?: FormSeen },
): Promise<Html> => {
  const { date: today } = wallTimeOf(now(), venue.timezone)
  const dates = await datesOfEvent(db, venue.id, event.id, now())
  const coming = dates.filter(({ date }) => date >= today)
  const over = dates.filter(({ date }) => date < today).toReversed()
  const picture = await eventPicture(db, venue.id, event.id)
  const editing: FormSeen = sent.edit ?? { typed: typedOfEvent(event) }
  const adding: FormSeen = sent.date ?? { typed: {} }
  return html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}">‹ Events</a></p>
        <h1 class="breaks">${event.name}</h1>
      </div>
      ${
        dates.length === 0 &&
        html`<form method="post" action="${home}/${event.id}/delete" data-asks="Delete this event?">
          <button class="danger">Delete</button>
        </form>`
      }
    </div>
    <div class="stack">
      <section class="card">
        <details ${(dates.length === 0 || sent.date) && html`open`}>
          <summary class="strong">Add a date</summary>
          <form class="form" method="post" action="${home}/${event.id}/dates">
            ${tokenField(adding.typed.token)} ${mistakePart(adding)} ${dateFields(adding)}
            <div><button class="primary">Put it on sale</button></div>
          </form>
        </details>
        <details ${sent.edit && html`open`}>
          <summary class="strong">Edit the event</summary>
          <form class="form" method="post" action="${home}/${event.id}/edit">
            ${versionField(event.version)} ${mistakePart(editing)} ${eventFields(editing)}
            <div><button class="primary">Save</button></div>
          </form>
        </details>
        <details>
          <summary class="strong">Picture of its page</summary>
          ${pictureFields(venue, event.id, picture)}
        </details>
      </section>
      <section class="card list-card">
        <h2>Dates</h2>
        ${
          coming.length === 0
            ? html`<p class="empty">
                ${dates.length === 0 ? 'No dates yet. Add one above.' : 'No upcoming dates. Add one above.'}
              </p>`
            : dateRows(coming)
        }
        ${
          over.length > 0 &&
          html`<details>
            <summary>${counted(over.length, 'past date', 'past dates')}</summary>
            ${dateRows(over)}
          </details>`
        }
      </section>
    </div>`
}

const dateRows = (dates: readonly SoldOccurrence[]): Html =>
  html`<ul class="rows dates">
    ${dates.map(
      (date) =>
        html`<li>
          <div class="grow">
            <a class="row-link breaks" href="/office/tickets/dates/${date.id}">${whenOf(date)}</a>
            <span class="small soft">${date.price_cents === 0 ? 'free' : `${money(date.price_cents)} a seat`}</span>
          </div>
          ${seatsMeter(date)} <a class="button" href="/office/tickets/dates/${date.id}/edit">Edit</a>
        </li>`,
    )}
  </ul>`
