import { type Html, html } from '../../../platform/html/html.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { dateById } from '../../../tickets/date-reads.ts'
import type { SoldOccurrence } from '../../../tickets/event-reads.ts'
import { editOccurrence, removeOccurrence } from '../../../tickets/events.ts'
import { actorOf } from '../frame/actor.ts'
import { go, page } from '../frame/page.ts'
import { type FormSeen, idOf, mistakePart, typedIn, versionField, versionIn } from '../parts/forms/fields.ts'
import { warning } from '../parts/press-message.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { dateFields, dateIn, typedOf } from './date-form.ts'
import { seatsMeter } from './seats-meter.ts'

const home = '/office/tickets/dates'

/** Changing a date, or taking it off sale. For managers. */
export const datePages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: `${home}/:id/edit`,
    role: 'manager',
    answer: async (work, { params }) => {
      const date = await dateOf(work, params.id)
      return page(date.event_name, editPage(date, { typed: typedOf(date, work.venue.timezone) }))
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/edit`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const id = idOf(params.id, 'date')
      await editOccurrence(work, actorOf(work.me), { id, seenVersion: versionIn(form), ...dateIn(form) })
      return go(`${home}/${id}`, 'Date saved. A new price applies to new orders only.')
    },
    again: async (work, { params, form }, { message }) => {
      const date = await dateOf(work, params.id)
      const changed = form.text('version') !== String(date.version)
      return page(
        date.event_name,
        editPage(date, {
          typed: typedIn(form),
          mistake: message,
          ...(changed && { meanwhile: typedOf(date, work.venue.timezone) }),
        }),
      )
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/delete`,
    role: 'manager',
    answer: async (work, { params }) => {
      const date = await dateOf(work, params.id)
      await removeOccurrence(work, actorOf(work.me), date.id)
      return go(`/office/tickets/events/${date.event_id}`, 'The date was taken off sale.')
    },
    again: async (_work, { params }, { message }) =>
      go(`${home}/${idOf(params.id, 'date')}/edit`, warning(message)),
  },
]

const dateOf = async ({ db, venue, now }: OfficeWork, id: string | undefined): Promise<SoldOccurrence> => {
  const date = await dateById(db, venue.id, idOf(id, 'date'), now())
  if (!date) throw notFound('date')
  return date
}

const editPage = (date: SoldOccurrence, seen: FormSeen): Html =>
  html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}/${date.id}">‹ ${date.event_name}</a></p>
        <h1>Edit date</h1>
      </div>
      <form method="post" action="${home}/${date.id}/delete" data-asks="Take this date off sale for good?">
        <button class="danger">Delete</button>
      </form>
    </div>
    <section class="card narrow">
      ${seatsMeter(date)}
      <form class="form" method="post" action="${home}/${date.id}/edit">
        ${versionField(date.version)} ${mistakePart(seen)} ${dateFields(seen)}
        <div class="inline">
          <button class="primary">Save</button><a class="button quiet" href="${home}/${date.id}">Cancel</a>
        </div>
      </form>
    </section>`
