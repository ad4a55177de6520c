import { limits } from '@venue-data/contract/limits.ts'
import type { Actor } from '../core/activity/actor.ts'
import { hasCheckouts } from '../core/money/checkout-store.ts'
import { recordActivity } from '../core/activity/record.ts'
import type { Work } from '../context.ts'
import { Refusal, badRequest, notFound } from '../platform/kernel/refusal.ts'
import { asSeen } from '../platform/kernel/running/seen-version.ts'
import {
  needed,
  typedDate,
  typedLine,
  typedMoment,
  typedText,
  typedTime,
  wholeNumber,
} from '../platform/kernel/typed-fields.ts'
import {
  type EventRow,
  type OccurrenceRow,
  datesOfEvent,
  eventForUpdate,
  eventHasCodes,
  occurrenceForUpdate,
  ordersOfOccurrence,
  seatsTaken,
} from './event-reads.ts'
import {
  type EventColumns,
  type OccurrenceColumns,
  deleteEvent,
  deleteOccurrence,
  insertEvent,
  insertOccurrence,
  updateEvent,
  updateOccurrence,
} from './event-writes.ts'
import { priceMostCents, seatsOfOrderMost } from '../core/money/price.ts'
import { refusePrice } from '../core/money/venue-currency.ts'
import { endOfDay } from './on-sale.ts'
import { noteShownEvent } from './shown-event.ts'

/** Most seats per date. */
const capacityMost = 100_000

/** Makes an event, without dates yet. */
export const makeEvent = async (work: Work, actor: Actor, name: string): Promise<EventRow> => {
  const { db, venue } = work
  const now = work.now()
  const after = await insertEvent(db, venue.id, nameOf(name), now)
  await recordActivity(
    work,
    actor,
    { action: 'make', record: { kind: 'ticketed_event', id: after.id }, before: null, after },
    now,
  )
  return after
}

/** An event, as typed. */
export type TypedEvent = {
  readonly name: string
  /** What its page says of it; null: nothing. */
  readonly text: string | null
  /** Most tickets of one order online; null: as many as any order may have. */
  readonly orderMost: number | null
  /** Until how many hours before it begins buyers give seats back by themselves; null: they do not. */
  readonly returnHours: number | null
  /** Whether the venue keeps its fee of seats that are given back. */
  readonly returnKeepsFee: boolean
}

/** Most characters of what an event says of itself, and most hours before it. */
export const eventLimits = { textCharacters: 2_000, returnHours: 999 } as const

/** Edits an event. Orders show a new name; a lower limit applies to new orders. */
export const editEvent = async (
  work: Work,
  actor: Actor,
  { id, seenVersion, ...typed }: TypedEvent & { id: number; seenVersion: number },
): Promise<EventRow> => {
  const { db, venue } = work
  const before = asSeen('event', await eventForUpdate(db, venue.id, id), seenVersion)
  const after = await updateEvent(db, venue.id, id, eventColumnsOf(typed))
  const now = work.now()
  if (after.name !== before.name) await noteShownEvent(db, venue.id, { event: id }, now)
  await recordActivity(
    work,
    actor,
    { action: 'edit', record: { kind: 'ticketed_event', id }, before, after },
    now,
  )
  return after
}

/** Removes an event without dates. Refuses one that has dates, or promo codes for it alone. */
export const removeEvent = async (work: Work, actor: Actor, id: number): Promise<void> => {
  const { db, venue } = work
  const before = await eventForUpdate(db, venue.id, id)
  if (!before) throw notFound('event')
  if ((await datesOfEvent(db, venue.id, id, work.now())).length > 0) {
    throw new Refusal(409, 'This event has dates; remove those first.')
  }
  if (await eventHasCodes(db, venue.id, id)) {
    throw new Refusal(409, 'There are promo codes for just this event; change them to all events first.')
  }
  await deleteEvent(db, venue.id, id)
  await recordActivity(
    work,
    actor,
    { action: 'delete', record: { kind: 'ticketed_event', id }, before, after: null },
    work.now(),
  )
}

/** A date of an event, as typed. */
export type TypedOccurrence = {
  readonly title: string | null
  readonly date: string
  readonly startTime: string | null
  readonly capacity: number
  /** For one seat. */
  readonly priceCents: number
  /** From when until when it is sold online, by the venue's clock; absent: at once, and until it begins. */
  readonly onlineFrom?: string | null
  readonly onlineUntil?: string | null
}

/** Puts a date of an event on sale. */
export const addOccurrence = async (
  work: Work,
  actor: Actor,
  eventId: number,
  typed: TypedOccurrence,
): Promise<OccurrenceRow> => {
  const { db, venue } = work
  // Locked, so that it is not removed in the meantime.
  if (!(await eventForUpdate(db, venue.id, eventId))) throw notFound('event')
  const to = occurrenceOf(typed, venue.timezone)
  await refusePrice(work, to.priceCents)
  const after = await insertOccurrence(db, venue.id, eventId, to)
  await recordActivity(
    work,
    actor,
    { action: 'make', record: { kind: 'occurrence', id: after.id }, before: null, after },
    work.now(),
  )
  return after
}

/**
 * Edits a date. Orders show its new day and time; a new price applies to new orders. Refuses a capacity below the
 * seats taken: the row is locked, so none are sold in the meantime.
 */
export const editOccurrence = async (
  work: Work,
  actor: Actor,
  { id, seenVersion, ...typed }: TypedOccurrence & { id: number; seenVersion: number },
): Promise<OccurrenceRow> => {
  const { db, venue } = work
  const before = asSeen('date', await occurrenceForUpdate(db, venue.id, id), seenVersion)
  const to = occurrenceOf(typed, venue.timezone)
  if (to.priceCents !== before.price_cents) await refusePrice(work, to.priceCents)
  const taken = await seatsTaken(db, venue.id, id, work.now())
  if (to.capacity < taken) {
    throw new Refusal(409, `${taken} seats are taken; the capacity cannot be lower.`)
  }
  const after = await updateOccurrence(db, venue.id, id, to)
  const now = work.now()
  const isShown = shownOfDate.some((column) => after[column] !== before[column])
  if (isShown) await noteShownEvent(db, venue.id, { occurrence: id }, now)
  await recordActivity(
    work,
    actor,
    { action: 'edit', record: { kind: 'occurrence', id }, before, after },
    now,
  )
  return after
}

/** What an order shows of its date. */
const shownOfDate = ['title', 'date', 'start_time'] as const

/** Deletes a date. Refuses one that ever had an order: orders keep their date. */
export const removeOccurrence = async (work: Work, actor: Actor, id: number): Promise<void> => {
  const { db, venue } = work
  const before = await occurrenceForUpdate(db, venue.id, id)
  if (!before) throw notFound('date')
  if ((await ordersOfOccurrence(db, venue.id, id)) > 0) {
    throw new Refusal(
      409,
      'This date has orders, so it cannot be deleted; set its capacity to the seats taken instead.',
    )
  }
  if (await hasCheckouts(db, venue.id, id)) {
    throw new Refusal(409, 'Somebody went to pay for this date online; set its capacity to 0 instead.')
  }
  await deleteOccurrence(db, venue.id, id)
  await recordActivity(
    work,
    actor,
    { action: 'delete', record: { kind: 'occurrence', id }, before, after: null },
    work.now(),
  )
}

const nameOf = (name: string): string =>
  needed('The name', typedLine('The name', name, limits.nameCharacters))

const eventColumnsOf = ({
  name,
  text,
  orderMost,
  returnHours,
  returnKeepsFee,
}: TypedEvent): EventColumns => ({
  name: nameOf(name),
  text: typedText('The text', text, eventLimits.textCharacters),
  orderMost:
    orderMost === null ? null : wholeNumber('The most tickets of an order', orderMost, 1, seatsOfOrderMost),
  returnHours:
    returnHours === null
      ? null
      : wholeNumber('The hours before it begins', returnHours, 0, eventLimits.returnHours),
  returnKeepsFee,
})

const occurrenceOf = (typed: TypedOccurrence, zone: string): OccurrenceColumns => {
  const date = needed('The date', typedDate('The date', typed.date))
  const [onlineFrom, onlineUntil] = [
    typedMoment('The beginning of the sale', typed.onlineFrom ?? null, zone),
    typedMoment('The end of the sale', typed.onlineUntil ?? null, zone),
  ]
  if (onlineUntil && Temporal.Instant.compare(onlineUntil, endOfDay(date, zone)) > 0)
    throw badRequest('Online sale must end on the day of the event, or before.')
  if (onlineFrom && onlineUntil && Temporal.Instant.compare(onlineFrom, onlineUntil) >= 0)
    throw badRequest('Online sale must begin before it ends.')
  return {
    title: typedLine('The title', typed.title, limits.nameCharacters),
    date,
    startTime: typedTime('The time', typed.startTime),
    capacity: wholeNumber('The capacity', typed.capacity, 0, capacityMost),
    priceCents: wholeNumber('The price in cents', typed.priceCents, 0, priceMostCents),
    ...{ onlineFrom, onlineUntil },
  }
}
