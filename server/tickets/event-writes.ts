import type { Queries } from '../platform/db/pool.ts'
import { columnsOf, sql } from '../platform/db/sql.ts'
import type { ClockTime, LocalDate } from '../platform/kernel/time/written-time.ts'
import type { VenueId } from '../core/venue/venue.ts'
import {
  type EventRow,
  type OccurrenceRow,
  type PromoCodeRow,
  type TicketSettingsRow,
  eventRow,
  occurrenceRow,
  promoCodeRow,
  ticketSettingsRow,
} from './event-reads.ts'
import type { TicketCharges } from '../core/money/price.ts'

export const insertEvent = (
  db: Queries,
  venue: VenueId,
  name: string,
  now: Temporal.Instant,
): Promise<EventRow> =>
  db.one(sql(eventRow)`
    insert into ticketed_event (venue_id, name, created_at) values (${venue}, ${name}, ${now})
    returning ${columnsOf(eventRow)}`)

export type EventColumns = {
  readonly name: string
  readonly text: string | null
  readonly orderMost: number | null
  readonly returnHours: number | null
  readonly returnKeepsFee: boolean
}

export const updateEvent = (
  db: Queries,
  venue: VenueId,
  event: number,
  { name, text, orderMost, returnHours, returnKeepsFee }: EventColumns,
): Promise<EventRow> =>
  db.one(sql(eventRow)`
    update ticketed_event set
      name = ${name}, text = ${text}, order_most = ${orderMost}, return_hours = ${returnHours},
      return_keeps_fee = ${returnKeepsFee}, version = version + 1
     where venue_id = ${venue} and id = ${event}
    returning ${columnsOf(eventRow)}`)

export const deleteEvent = (db: Queries, venue: VenueId, event: number): Promise<number> =>
  db.run(sql()`delete from ticketed_event where venue_id = ${venue} and id = ${event}`)

export type OccurrenceColumns = {
  readonly title: string | null
  readonly date: LocalDate
  readonly startTime: ClockTime | null
  readonly capacity: number
  readonly priceCents: number
  readonly onlineFrom: Temporal.Instant | null
  readonly onlineUntil: Temporal.Instant | null
}

export const insertOccurrence = (
  db: Queries,
  venue: VenueId,
  event: number,
  { title, date, startTime, capacity, priceCents, onlineFrom, onlineUntil }: OccurrenceColumns,
): Promise<OccurrenceRow> =>
  db.one(sql(occurrenceRow)`
    insert into occurrence (
      venue_id, event_id, title, date, start_time, capacity, price_cents, online_from, online_until)
    values (
      ${venue}, ${event}, ${title}, ${date}, ${startTime}, ${capacity}, ${priceCents}, ${onlineFrom}, ${onlineUntil})
    returning ${columnsOf(occurrenceRow)}`)

export const updateOccurrence = (
  db: Queries,
  venue: VenueId,
  occurrence: number,
  { title, date, startTime, capacity, priceCents, onlineFrom, onlineUntil }: OccurrenceColumns,
): Promise<OccurrenceRow> =>
  db.one(sql(occurrenceRow)`
    update occurrence set
      title = ${title}, date = ${date}, start_time = ${startTime}, capacity = ${capacity},
      price_cents = ${priceCents}, online_from = ${onlineFrom}, online_until = ${onlineUntil}, version = version + 1
    where venue_id = ${venue} and id = ${occurrence}
    returning ${columnsOf(occurrenceRow)}`)

export const deleteOccurrence = (db: Queries, venue: VenueId, occurrence: number): Promise<number> =>
  db.run(sql()`delete from occurrence where venue_id = ${venue} and id = ${occurrence}`)

export type PromoCodeColumns = {
  readonly code: string
  readonly percent: number | null
  readonly amountCents: number | null
  readonly eventId: number | null
  readonly usesMost: number | null
  readonly validFrom: LocalDate | null
  readonly validTo: LocalDate | null
  readonly switchedOff: boolean
}

/** Undefined when the venue already has the code. */
export const insertPromoCode = (
  db: Queries,
  venue: VenueId,
  to: PromoCodeColumns,
  now: Temporal.Instant,
): Promise<PromoCodeRow | undefined> =>
  db.maybe(sql(promoCodeRow)`
    insert into promo_code (
      venue_id, code, percent, amount_cents, event_id, uses_most, valid_from, valid_to, switched_off, created_at)
    values (
      ${venue}, ${to.code}, ${to.percent}, ${to.amountCents}, ${to.eventId}, ${to.usesMost}, ${to.validFrom},
      ${to.validTo}, ${to.switchedOff}, ${now})
    on conflict (venue_id, code) do nothing
    returning ${columnsOf(promoCodeRow)}`)

/** The code itself never changes: it may be in print. */
export const updatePromoCode = (
  db: Queries,
  venue: VenueId,
  id: number,
  to: PromoCodeColumns,
): Promise<PromoCodeRow> =>
  db.one(sql(promoCodeRow)`
    update promo_code set
      percent = ${to.percent}, amount_cents = ${to.amountCents}, event_id = ${to.eventId},
      uses_most = ${to.usesMost}, valid_from = ${to.validFrom}, valid_to = ${to.validTo},
      switched_off = ${to.switchedOff}, version = version + 1
    where venue_id = ${venue} and id = ${id}
    returning ${columnsOf(promoCodeRow)}`)

/** Undefined when the settings have another version than the one seen; 0 = none yet. */
export const writeTicketSettings = (
  db: Queries,
  venue: VenueId,
  { feePerSeatCents, feeAtBoxOffice, taxRate }: TicketCharges,
  seenVersion: number,
): Promise<TicketSettingsRow | undefined> =>
  db.maybe(
    seenVersion === 0
      ? sql(ticketSettingsRow)`
        insert into ticket_settings (venue_id, fee_per_seat_cents, fee_at_box_office, tax_rate)
        values (${venue}, ${feePerSeatCents}, ${feeAtBoxOffice}, ${taxRate})
        on conflict (venue_id) do nothing
        returning ${columnsOf(ticketSettingsRow)}`
      : sql(ticketSettingsRow)`
        update ticket_settings set
          fee_per_seat_cents = ${feePerSeatCents}, fee_at_box_office = ${feeAtBoxOffice}, tax_rate = ${taxRate},
          version = version + 1
        where venue_id = ${venue} and version = ${seenVersion}
        returning ${columnsOf(ticketSettingsRow)}`,
  )
