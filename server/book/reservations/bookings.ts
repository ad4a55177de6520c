import type {
  Reservation,
  ReservationStatus,
  ReservationSource,
} from '@venue-data/contract/records/reservation.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { recordEvent } from '../../core/events/record.ts'
import {
  type GuestChoice,
  type GuestOrigin,
  type SuppliedGuest,
  lockGuestBookAndFind,
} from '../../crm/guests/actions.ts'
import { applyContribution } from '../../crm/guests/contributions.ts'
import type { Candidate } from '../../crm/guests/reads.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { noteWhoServes } from '../servers/who-serves.ts'
import { fillDay, isWaitedFor } from '../tables/fill.ts'
import { giveTables } from '../tables/give-tables.ts'
import { minutesUntil } from '../day/short-stays.ts'
import { besidesChosen, stayUntil } from './chosen-tables.ts'
import { overrides } from './moves.ts'
import { madeGuest } from './guest/take-back-guest.ts'
import { holdAndOpenDay } from '../day/open-day.ts'
import type { Outcome } from '../day/outcome.ts'
import { type BookRow, type ExperienceChosen, presentReservation } from '../day/book-row.ts'
import type { Day } from '../day/facts.ts'
import { placementOf } from '../rules/placement.ts'
import {
  type StaffReason,
  type ConfirmedReason,
  reasonsAgainst,
  seatingAgainst,
  unconfirmed,
} from './staff-reasons.ts'
import { type When, whenNow } from '../day/when.ts'
import { insertWithGuest } from './guest/insert-with-guest.ts'

/** The party, as staff entered it. */
export type Party = {
  readonly guestName?: string | null | undefined
  readonly partySize: number
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly notes?: string | null | undefined
  /** How long they are to have their table; absent: the turn time. */
  readonly durationMinutes?: number | undefined
  /** Where they would like to sit, in words. */
  readonly seating?: string | null | undefined
  /** What goes with it; absent or null: nothing but the table. */
  readonly experience?: ExperienceChosen | null | undefined
  /** The guest staff chose, if they were asked; otherwise the one that matches. */
  readonly guest?: GuestChoice | undefined
}

type Confirmed = {
  readonly confirmed?: readonly ConfirmedReason[]
  /** The tables staff chose; absent: the best there are; none of them: without a table. */
  readonly tables?: readonly number[] | undefined
  /** The end of a short stay at them, as staff saw it; absent: the whole stay. */
  readonly until?: Temporal.Instant | undefined
}
type Made = Exclude<Outcome<Reservation>, { kind: 'unchanged' | 'refused' }>

/**
 * Books a table requested by phone or in person: Confirmed. Staff who have not confirmed an override see every rule
 * it breaks, and then nothing is written.
 */
export const bookByStaff = (
  work: Work,
  actor: Actor & { kind: 'staff' },
  asked: Party & When & Confirmed,
): Promise<Made> => makeByStaff(work, actor, asked, { source: 'staff', seated: false, judge: reasonsAgainst })

/**
 * Seats a party that came without a booking, now. They are here, so only what keeps them from a table is checked: no
 * service now, a block, the slot's caps. One event: reservation.created.
 */
export const walkIn = (
  work: Work,
  actor: Actor & { kind: 'staff' },
  party: Party & Confirmed,
): Promise<Made> => {
  const asked = { ...party, ...whenNow(work) }
  return makeByStaff(work, actor, asked, { source: 'walkin', seated: true, judge: seatingAgainst })
}

const makeByStaff = async (
  work: Work,
  actor: Actor & { kind: 'staff' },
  { confirmed, tables, until: seen, ...asked }: Party & When & Confirmed,
  { judge, ...made }: Pick<Booking, 'source' | 'seated'> & { readonly judge: typeof reasonsAgainst },
): Promise<Made> => {
  const own = asked.experience ? { experience: { key: asked.experience.key } } : undefined
  const [day, candidates] = await holdAndOpenDay(work, asked, own, () => findBooker(work, asked))
  const whole = { ...asked, door: 'staff' } as const
  const { until, durationMinutes, reasons: shorter } = stayUntil(work, day, whole, { tables, until: seen })
  const wanted = { ...whole, durationMinutes }
  const against = [...judge(day, work.now(), wanted), ...shorter]
  const reasons = await besidesChosen(work, day, wanted, tables, against)
  if (unconfirmed(reasons, confirmed).length > 0) return { kind: 'needs override', reasons }
  const booking = { ...asked, ...made, day, candidates, reasons, tables, until }
  return { kind: 'done', record: await makeBooking(work, actor, booking), version: 1, overridden: reasons }
}

export type Booking = Party &
  When & {
    readonly source: ReservationSource
    /** Who says what is known of the guest; absent: staff. */
    readonly origin?: GuestOrigin
    /** Seated at once, or Confirmed. */
    readonly seated: boolean
    readonly day: Day
    /** Whom the guest book, locked behind the day, has of them. */
    readonly candidates: readonly Candidate[]
    /** Overridden reasons, for the activity log. */
    readonly reasons: readonly StaffReason[]
    /** The tables staff chose; a table that somebody has who stays refuses all of it. */
    readonly tables?: readonly number[] | undefined
    /** The end of a short stay at them. */
    readonly until?: Temporal.Instant | undefined
    /** Puts what was given behind it, before anybody hears of it. */
    readonly secure?: ((reservation: number) => Promise<BookRow>) | undefined
  }

const personOf = ({
  guestName,
  email,
  phone,
}: Pick<Party, 'guestName' | 'email' | 'phone'>): SuppliedGuest => ({
  name: guestName ?? undefined,
  email: email ?? undefined,
  phone: phone ?? undefined,
})

/** Locks the guest book and reads who a party may be. */
export const findBooker = (
  work: Work,
  party: Pick<Party, 'guestName' | 'email' | 'phone' | 'guest'>,
): Promise<readonly Candidate[]> => lockGuestBookAndFind(work, personOf(party), party.guest)

/** Writes a booking made by staff and emits its event. Its day is locked and everything against it is resolved. */
export const makeBooking = async (work: Work, actor: Actor, booking: Booking): Promise<Reservation> => {
  const { guestName, email, phone, notes, partySize, date, time, startsAt, source, seated } = booking
  const { origin = 'staff', guest: choice, candidates, experience } = booking
  const person = personOf(booking)
  const now = work.now()
  const usual = placementOf(booking.day, partySize)
  const { until, durationMinutes = usual.durationMinutes } = booking
  const placement = {
    ...usual,
    durationMinutes: until ? minutesUntil(seated ? now : startsAt, until) : durationMinutes,
  }
  const status: ReservationStatus = seated ? 'Seated' : 'Confirmed'
  const made = {
    ...placement,
    ...{ guestName, email, phone, notes, partySize, date, time, startsAt, source, status, experience },
    ...(seated && { seatedAt: now }),
  }
  const { row, matched } = await insertWithGuest(work, { person, origin, choice, candidates }, made, now)
  const changed = await giveTables(work, booking.day.floor, {
    startsAt,
    partySize,
    durationMinutes: placement.durationMinutes,
    door: 'staff',
    id: row.id,
    status,
    tables: booking.tables,
    seating: booking.seating,
  })
  if (seated) {
    const seating = { id: row.id, service_date: placement.serviceDate, seated_at: toMoment(now) }
    await noteWhoServes(work, booking.day.floor, seating, changed)
  }
  await applyContribution(work, null, {
    guest_id: row.guest_id,
    status,
    cancelled_by: null,
    service_date: placement.serviceDate,
  })
  const reservation = presentReservation((await booking.secure?.(row.id)) ?? row)
  await recordEvent(work, 'reservation.created', reservation, now)
  const action = seated ? (source === 'walkin' ? 'walkIn' : 'seatFromWaitlist') : 'book'
  const record = { kind: 'reservation' as const, id: row.id }
  await recordActivity(
    work,
    actor,
    {
      ...{ action, record, before: null, after: row, tables: changed },
      more: { ...overrides(booking.reasons).more, ...(matched?.created && { [madeGuest]: true }) },
    },
    now,
  )
  const { floor } = booking.day
  if (floor && isWaitedFor(floor))
    await fillDay(work, placement.serviceDate, new Set([placement.serviceDate]))
  return reservation
}
