import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../html/html.ts'
import { whenNow } from '../../reservations/bookings.ts'
import { readDay as readSlot } from '../../reservations/open-day.ts'
import { resolveService } from '../../reservations/rules/resolve-service.ts'
import { type StaffReason, seatingAgainst } from '../../reservations/staff-reasons.ts'
import { bookingRulesAround } from '../../venue/rules-store.ts'
import { estimatedQuote, eveningOf } from '../../waitlist/actions.ts'
import { partiesAhead } from '../../waitlist/reads.ts'
import { tokenField } from '../parts/fields.ts'
import { overrideButton, reasonsList } from '../parts/reasons.ts'
import { guestsInWords } from '../parts/time-words.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

/*
 * A party at the door: a press on its size, then the answer under the pad, which stays where it is: seat them now, or
 * the wait. Nothing is made by the first press.
 */

const sizes = [1, 2, 3, 4, 5, 6, 7, 8]

/** Its buttons and what they lead to are left alone when the lists renew themselves: somebody may be typing a name. */
export const padForm = ({ pad }: { readonly pad?: Html | undefined }): Html =>
  html`<section class="pad" id="walk-in" aria-labelledby="pad-head" hx-morph-skip>
    <form method="get" action="/office/service" hx-get="/office/service/pad" hx-target="#pad-answer" hx-swap="innerHTML">
      <h3 id="pad-head">Walk-in <span class="soft note">how many?</span></h3>
      <div class="pad-sizes" role="group" aria-labelledby="pad-head">
        ${sizes.map(
          (size) =>
            html`<button class="pad-size" name="size" value="${size}" aria-label="Party of ${size}">${size}</button>`,
        )}
        <input
          class="pad-other"
          name="other"
          type="number"
          inputmode="numeric"
          min="9"
          max="${limits.partyGuests}"
          placeholder="9+"
          aria-label="Guests of a larger party"
        />
      </div>
    </form>
    <div id="pad-answer" class="pad-answer" role="status">${pad}</div>
  </section>`

/** What can be done for a party of this size now. */
export const padAnswer = async (work: OfficeWork, partySize: number): Promise<Html> => {
  const { db, venue } = work
  const when = whenNow(work)
  const [rules, now] = [await bookingRulesAround(db, venue, when.date), work.now()]
  const [slot, evening] = await Promise.all([
    readSlot(work, rules, resolveService(rules, when)),
    eveningOf(work, now),
  ])
  const reasons = seatingAgainst(slot, now, { ...when, partySize, door: 'staff' })
  const ahead = await partiesAhead(db, venue.id, evening.serviceDateNow, null)
  return answerPart(partySize, reasons, estimatedQuote(ahead))
}

/** `seat`: seat them now; where a rule objects it says so, and the press confirms just that. `wait`: on the waitlist. */
const answerPart = (size: number, reasons: readonly StaffReason[], quote: number): Html =>
  html`<form
    method="post"
    action="/office/service/walk-ins"
    hx-post="/office/service/walk-ins"
    hx-target="#book"
    hx-swap="outerMorph"
    hx-sync="#book:replace"
  >
    ${tokenField()}<input type="hidden" name="partySize" value="${size}" />
    <p>
      <strong>${guestsInWords(size)}.</strong>
      ${reasons.length === 0 ? 'There is room to seat them now.' : 'Tonight’s limits say to wait:'}
    </p>
    ${reasons.length > 0 && reasonsList(reasons)}
    <div class="pad-go">
      <input name="guestName" maxlength="200" autocomplete="off" placeholder="Name" aria-label="Name of the walk-in" />
      <input name="phone" type="tel" maxlength="40" autocomplete="off" placeholder="Phone" aria-label="Phone of the walk-in" />
    </div>
    <div class="pad-go">
      ${
        reasons.length === 0
          ? html`<button class="primary">Seat ${size} now</button>`
          : html`<button name="wait" value="${quote}" class="primary">Wait, quote ${quote} min</button>`
      }
      ${
        reasons.length === 0
          ? html`<button name="wait" value="${quote}">Wait, quote ${quote} min</button>`
          : overrideButton(reasons, 'Seat anyway')
      }
    </div>
  </form>`
