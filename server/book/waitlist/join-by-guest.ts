import type { Work } from '../../context.ts'
import type { GuestLanguage } from '../../platform/kernel/guest-language.ts'
import { refuse } from '../../platform/kernel/refusal.ts'
import { resolveService } from '../rules/resolve-service.ts'
import type { When } from '../day/when.ts'
import type { GuestSettings } from '../../core/venue/guest-settings-rules.ts'
import { mailStaff } from '../../mail/mail-staff.ts'
import { bookingRulesAround } from '../rules/rules-store.ts'
import { eveningOf, joinWaitlist } from './actions.ts'
import { keepGuestPlace } from './guest-place.ts'
import type { LineHours } from './line-rules.ts'
import { mailParty } from './messages/mail-party.ts'
import { quoteFor } from './quote.ts'
import { waitlistEntry } from './reads.ts'
import { whyNotWait } from './rules.ts'

export type GuestParty = {
  readonly guestName: string
  readonly partySize: number
  readonly email: string | null
  readonly phone: string | null
  readonly language: GuestLanguage
  /** What the form is known by when it is sent again. */
  readonly formToken: string
}

/**
 * Puts a party on the list of a day that is full, for the times from `from` to `to`. Refuses what a request would be
 * refused for, but that it is full.
 */
export const joinListByGuest = async (
  work: Work,
  settings: GuestSettings,
  { language, formToken, from, to, ...party }: GuestParty & { readonly from: When; readonly to: When },
): Promise<number> => {
  const { db, venue } = work
  const now = work.now()
  const rules = await bookingRulesAround(db, venue, from.date)
  const { serviceDate } = resolveService(rules, from)
  const refusal = whyNotWait(rules, now, { serviceDate, time: from, partySize: party.partySize })
  if (refusal) throw refuse(refusal.reason, refusal.sentence)
  const { id } = await joinWaitlist(
    work,
    { kind: 'guest' },
    { ...party, date: from.date, windowStart: from.time, windowEnd: to.time, forLater: true },
  )
  await keepGuestPlace(db, venue.id, id, { language, formToken })
  const entry = await waitlistEntry(db, venue.id, id)
  if (entry) await mailParty(work, entry, 'listJoined', now)
  await mailStaff(work, settings, 'staffList', id)
  return id
}

export type JoinedLine =
  | { readonly kind: 'joined'; readonly id: number }
  /** The wait has grown since the party read it; nothing was done. */
  | { readonly kind: 'longer'; readonly quote: number }

/**
 * Puts a party into today's line at its own request. The wait it was quoted is what is written, or less; if it has
 * become longer, the party is asked again. Refuses a size the venue does not take.
 */
export const joinLineByGuest = async (
  work: Work,
  { serviceDate, time }: Extract<LineHours, { kind: 'open' }>,
  { language, formToken, quoteSeen, ...party }: GuestParty & { readonly quoteSeen: number },
): Promise<JoinedLine> => {
  const { db, venue } = work
  const now = work.now()
  const rules = await bookingRulesAround(db, venue, serviceDate)
  const refusal = whyNotWait(rules, now, { serviceDate, time, partySize: party.partySize })
  if (refusal) throw refuse(refusal.reason, refusal.sentence)
  const { minutes: quote } = await quoteFor(work, { serviceDate, partySize: party.partySize, rules })
  if (quote > quoteSeen) return { kind: 'longer', quote }
  const { serviceDateNow } = await eveningOf(work, now)
  const { id } = await joinWaitlist(
    work,
    { kind: 'guest' },
    {
      ...party,
      quotedMinutes: quote,
      // Before midnight, the line of a service that begins after it.
      ...(serviceDate !== serviceDateNow && { date: serviceDate }),
    },
  )
  await keepGuestPlace(db, venue.id, id, { language, formToken })
  const entry = await waitlistEntry(db, venue.id, id)
  if (entry) await mailParty(work, entry, 'lineJoined', now)
  return { kind: 'joined', id }
}
