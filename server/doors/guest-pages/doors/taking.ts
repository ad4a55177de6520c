import type { Work } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type RulesRead, readRules } from '../../../book/rules/rules-store.ts'
import { callLink, card } from '../frame/parts.ts'
import type { DoorPage } from '../frame/serve-visits.ts'
import type { GuestAnswer, GuestAnswerLater, Visit } from '../frame/visit.ts'
import type { BookingRules } from '../../../book/rules/booking-rules.ts'
import type { VenueRow } from '../../../core/venue/venues.ts'

/**
 * Whether a venue's doors take anything now. Without hours, while online booking is paused, or while the account is, the
 * pages stay up with the phone number and take nothing.
 */
export const isTaking = (
  { paused }: Pick<VenueRow, 'paused'>,
  { onlinePaused, periods, specialDays }: Pick<BookingRules, 'onlinePaused' | 'periods' | 'specialDays'>,
): boolean =>
  !paused && !onlinePaused && (periods.length > 0 || specialDays.some((day) => day.periods.length > 0))

/** A guest at a door that takes something, with the venue's rules: read once for the page. What is booked is judged again. */
export type TakingVisit = Visit & { readonly rules: RulesRead }

/** The page of a door, or that of a venue that takes nothing now: the phone, and no form. */
export const takingOr =
  (answer: (work: Work, visit: TakingVisit) => Promise<GuestAnswer | GuestAnswerLater>): DoorPage['answer'] =>
  async (work, visit) => {
    const today = wallTimeOf(visit.now, visit.venue.timezone).date
    const rules = await readRules(work.db, work.venue)
    if (isTaking(visit.venue, rules.between(today, addDays(today, daysLookedAt))))
      return answer(work, { ...visit, rules })
    const title = visit.words.venue.pausedTitle
    return {
      title,
      look: 'narrow',
      body: card(html`<h1>${visit.venue.name}</h1>${pausedPart(visit)}`),
    }
  }

/** Special days that make hours where no weekday has any. */
const daysLookedAt = 60

/** Nothing is taken here now: the phone, in place of any form. */
export const pausedPart = ({ words, venue }: Visit): Html =>
  html`<div class="note wait">
      <h2>${words.venue.pausedTitle}</h2>
      <p>${venue.phone === null ? words.venue.pausedSilent : words.venue.pausedCall}</p>
    </div>
    <div class="stack">
      ${callLink(venue, 'btn', words.page.call)}
      <p class="hint">${words.venue.alreadyBooked}</p>
    </div>`
