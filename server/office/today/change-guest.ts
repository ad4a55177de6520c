import { html } from '../../html/html.ts'
import { badRequest, notFound } from '../../kernel/refusal.ts'
import { partBooking } from '../../guests/part-booking.ts'
import { actorOf } from '../frame/actor.ts'
import { type PageAnswer, page } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { idIn } from '../parts/time-words.ts'

/** A booking that was tied to the wrong guest goes to another or a new one; the answer has its undo. */
export const changeGuest = async (work: OfficeWork, { params, form }: OfficeRequest): Promise<PageAnswer> => {
  const id = idIn(params.id)
  if (id === undefined) throw notFound('booking')
  const choice = form.text('guest') === 'other' ? form.text('other').trim() : form.text('guest')
  const to = choice === 'new' ? choice : idIn(choice)
  if (to === undefined) throw badRequest('Enter the number of the other guest, or make a new one.')
  const { from, to: now } = await partBooking(work, actorOf(work.me), { id, to })
  return page(
    'Guest changed',
    html`<div class="page-head"><h1>Guest changed</h1></div>
      <section class="card">
        <p role="status">The booking now counts for <a href="/office/guests/${now}">another guest</a>, with everything it counted for the guest before.</p>
        <div class="inline">
          <a class="button primary" href="/office/bookings/${id}">Back to the booking</a>
          ${
            from !== null &&
            from !== now &&
            html`<form method="post" action="/office/bookings/${id}/guest">
              <button name="guest" value="${from}">Undo</button>
            </form>`
          }
        </div>
      </section>`,
  )
}
