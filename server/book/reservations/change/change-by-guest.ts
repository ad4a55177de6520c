import type { Work } from '../../../context.ts'
import { notFound, refuse } from '../../../platform/kernel/refusal.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import type { BookingRules } from '../../rules/booking-rules.ts'
import { isFor } from '../../rules/experiences/experiences.ts'
import { bookingRulesAround, readRules } from '../../rules/rules-store.ts'
import type { GuestSettings } from '../../../core/venue/guest-settings-rules.ts'
import { mailStaff } from '../../../mail/mail-staff.ts'
import { isConfirmedAtOnce } from '../guest/book-by-guest.ts'
import { type BookRow, bookedReservation, experienceOf } from '../../day/book-row.ts'
import { type BookingNetwork, isUnanswered, needsProof, noteNetworks } from '../guest/booking-networks.ts'
import { type ChangedByKey, changeByKey, withdrawChange } from './change-by-key.ts'
import { addToNote, markResent } from '../guest/guest-booking.ts'
import { cancelLimitOf, guestLimitOf } from '../guest/guest-limit.ts'
import { mailGuest } from '../guest/booking-mails.ts'
import { asksForMore } from '../guarantee/asks-more.ts'
import { moveReservation } from '../moves.ts'
import { daysOfBooking, holdDays, readDay } from '../../day/open-day.ts'
import { refusalOfPlace } from '../new-place.ts'
import type { BookingRefusal } from '../../day/facts.ts'
import { resolveService } from '../../rules/resolve-service.ts'
import type { When } from '../../day/when.ts'

/* What a guest does with a booking through their private link. Each is the office's own action, with the guest as its actor. */

const guest = { kind: 'guest' } as const
const asItIs = (): void => undefined

type Hands = (work: Work, row: BookRow) => Promise<boolean>

const inHandsUntil =
  (limitOf: typeof guestLimitOf | typeof cancelLimitOf): Hands =>
  async (work, row) => {
    if (row.status !== 'Requested' && row.status !== 'Confirmed') return false
    if (row.checked_in_at !== null) return false
    const limit = await limitOf(work, row)
    return limit !== null && Temporal.Instant.compare(work.now(), limit) < 0
  }

/** Whether a guest may still change it themselves: until the venue's limit, and not once they have arrived. */
export const isInGuestsHands = inHandsUntil(guestLimitOf)
/** The same for canceling it. */
export const isGuestsToCancel = inHandsUntil(cancelLimitOf)

const inHands = async (work: Work, id: number, isTheirs: Hands = isInGuestsHands): Promise<BookRow> => {
  const row = await bookedReservation(work.db, work.venue.id, id)
  if (!row) throw notFound('booking')
  if (row.status !== 'Cancelled' && !(await isTheirs(work, row)))
    throw refuse('too-late', 'This booking can no longer be changed here; please call the venue.')
  return row
}

/** Cancels it; one that is already cancelled stays as it is. */
export const cancelByGuest = async (work: Work, id: number): Promise<void> => {
  const row = await inHands(work, id, isGuestsToCancel)
  if (row.status === 'Cancelled') return
  const outcome = await moveReservation(work, guest, { id, move: 'cancel' })
  if (outcome.kind === 'refused') throw refuse(outcome.reason ?? 'not-in-state', outcome.sentence)
}

/** Adds to what they wrote, once however often the form is sent; the venue sees it in the booking's notes at once. */
export const addNoteByGuest = async (work: Work, id: number, note: string): Promise<void> => {
  // First, so that two at once wait for each other here and neither is lost.
  if (!(await addToNote(work.db, work.venue.id, id, note))) return
  const row = await bookedReservation(work.db, work.venue.id, id)
  if (!row) throw notFound('booking')
  const notes = [row.notes, note].filter(Boolean).join('\n')
  await changeByKey(work, guest, { id, seenVersion: asItIs, changes: { notes } })
}

/** Whether the venue takes such a change of a confirmed booking without being asked. */
export const isTakenAtOnce = async (
  work: Work,
  settings: GuestSettings,
  row: BookRow,
  { when, partySize, country }: Pick<ChangeAsked, 'when' | 'partySize' | 'country'>,
): Promise<boolean> => {
  const rules = await bookingRulesAround(work.db, work.venue, when.date)
  const service = resolveService(rules, when).period?.name ?? null
  return (
    isConfirmedAtOnce(settings, partySize, service) &&
    !(await asksForMore(work, country, row, { when, partySize }))
  )
}

type ChangeAsked = {
  readonly id: number
  readonly when: When
  readonly partySize: number
  /** The venue's: its currency is what is asked for. */
  readonly country: string
  /** The guest's own. */
  readonly networks: readonly BookingNetwork[]
}

/**
 * Changes the time, date or size: a request's immediately; a confirmed booking's by asking the venue, unless the venue
 * confirms such bookings automatically and its page asks no more of them than is behind this one. Refuses as a request
 * would be refused. Of a booking that nobody has answered for yet it takes no network over what that may book; `call`:
 * nothing was changed for that.
 */
export const changeByGuest = async (
  work: Work,
  settings: GuestSettings,
  { id, when, partySize, country, networks }: ChangeAsked,
): Promise<ChangedByKey | 'call'> => {
  const { db, venue } = work
  const row = await inHands(work, id)
  const isMore = partySize > (row.party_size ?? 0) || when.date !== row.date
  const isCounted = isMore && (await isUnanswered(db, venue.id, row))
  if (isCounted) {
    const arrival = { ...when, partySize }
    await holdDays(work, arrival, daysOfBooking(await readRules(db, venue), row))
    if (await needsProof(work, networks, arrival, id)) return 'call'
  }
  const changed = await changeByKey(work, guest, {
    id,
    seenVersion: asItIs,
    changes: { when, partySize },
    isDirect: (held) => isTakenAtOnce(work, settings, held, { when, partySize, country }),
  })
  if (isCounted) noteNetworks(db, venue.id, changed.row, networks, work.now())
  if (changed.change) await mailStaff(work, settings, 'staffChange', id, toInstant(changed.change.expires_at))
  return changed
}

/** What such a change would be refused with now, before anybody asks for it; undefined where it differs in nothing. */
export const refusalOfChange = async (
  work: Work,
  row: BookRow,
  { when, partySize }: Pick<ChangeAsked, 'when' | 'partySize'>,
): Promise<BookingRefusal | undefined> => {
  const isSameTime = when.date === row.date && when.time === row.time
  const before = row.party_size ?? 0
  if (isSameTime && partySize === before) return undefined
  const rules = await bookingRulesAround(work.db, work.venue, when.date)
  const experience = experienceOf(row)
  const own = { reservation: row.id, ...(experience && { experience: { key: experience.key } }) }
  const day = await readDay(work, rules, resolveService(rules, when), own)
  const request = { ...when, partySize, durationMinutes: row.duration_minutes }
  const to = isSameTime ? (partySize > before ? 'more' : 'fewer') : 'another time'
  return refusalOfPlace(
    { columns: row, arrival: { day, request, to, isLonger: false, isOther: false } },
    work.now(),
  )
}

/** Whether what goes with a booking is offered at a time, too; nothing may go with it. */
export const offeredTo = (
  rules: BookingRules,
  row: BookRow,
  partySize: number,
): ((when: When) => boolean) => {
  const chosen = experienceOf(row)
  if (!chosen) return () => true
  const one = rules.experiences.find(({ key }) => key === chosen.key)
  return (when) => {
    const { serviceDate, period } = resolveService(rules, when)
    return one !== undefined && isFor(one, { serviceDate, service: period?.name ?? null, partySize })
  }
}

export const withdrawByGuest = (work: Work, id: number): Promise<unknown> =>
  withdrawChange(work, guest, { id, seenVersion: asItIs })

/** Mails the current booking once more, at most every ten minutes. */
export const mailAgain = async (work: Work, id: number): Promise<void> => {
  const { db, venue } = work
  const row = await bookedReservation(db, venue.id, id)
  const now = work.now()
  if (!row?.starts_at || Temporal.Instant.compare(toInstant(row.starts_at), now) <= 0) return
  if (!(await markResent(db, venue.id, id, now))) return
  if (row.status === 'Requested') await mailGuest(work, row, 'bookingReceived', now)
  if (row.status === 'Confirmed') await mailGuest(work, row, 'bookingConfirmed', now)
}
