import type { SubscriberSource, SubscriberStatus } from '@venue-data/contract/records/subscriber.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import { movedWhen, noted } from '../../core/events/note-change.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type PersonRow, personRow, subscriberRecord } from './subscriber.ts'

export type NewSubscriberRow = {
  readonly email: string
  readonly firstName: string | null
  readonly status: SubscriberStatus
  readonly source: SubscriberSource
  /** Null for somebody known only as unsubscribed. */
  readonly consentAt: Temporal.Instant | null
  readonly unsubscribedAt?: Temporal.Instant
  readonly birthday?: { readonly month: number; readonly day: number } | null
}

/** Undefined when another request added the address at this very moment. */
export const insertSubscriber = (
  db: Queries,
  venue: VenueId,
  { email, firstName, status, source, consentAt, unsubscribedAt, birthday }: NewSubscriberRow,
  now: Temporal.Instant,
): Promise<PersonRow | undefined> =>
  noted(
    db,
    venue,
    'subscriber',
    now,
    db.maybe(sql(personRow)`
    insert into subscriber (
      venue_id, email, email_key, first_name, status, source, birth_month, birth_day, consent_at,
      unsubscribed_at, created_at, updated_at)
    values (
      ${venue}, ${email}, ${emailKey(email)}, ${firstName}, ${status}, ${source}, ${birthday?.month ?? null},
      ${birthday?.day ?? null}, ${consentAt}, ${unsubscribedAt ?? null}, ${now}, ${now})
    on conflict (venue_id, email_key) do nothing
    returning ${columnsOf(personRow)}`),
  )

/** Fills a first name that is still empty. */
export const fillFirstName = (
  db: Queries,
  venue: VenueId,
  subscriber: number,
  firstName: string,
  now: Temporal.Instant,
): Promise<PersonRow | undefined> =>
  noted(
    db,
    venue,
    'subscriber',
    now,
    db.maybe(sql(personRow)`
    update subscriber set first_name = ${firstName}, revision = revision + 1, updated_at = ${now}
     where venue_id = ${venue} and id = ${subscriber} and coalesce(btrim(first_name), '') = ''
    returning ${columnsOf(personRow)}`),
  )

export type Consent = {
  readonly source: string
  readonly statement: string | null
  readonly pageUrl: string | null
  readonly agreedAt: Temporal.Instant
}

/** Stores evidence of consent. Rows are only ever added. */
export const insertConsent = (
  db: Queries,
  venue: VenueId,
  subscriber: number,
  { source, statement, pageUrl, agreedAt }: Consent,
  via: SubscriberSource,
  now: Temporal.Instant,
) =>
  db.run(sql()`
    insert into consent (venue_id, subscriber_id, source, statement, page_url, agreed_at, recorded_at, recorded_via)
    values (${venue}, ${subscriber}, ${source}, ${statement}, ${pageUrl}, ${agreedAt}, ${now}, ${via})`)

/** Writes what mail greets and congratulates somebody by; the caller holds the row. */
export const writeDetails = (
  db: Queries,
  venue: VenueId,
  subscriber: number,
  to: Pick<PersonRow, 'first_name' | 'birth_month' | 'birth_day'>,
  now: Temporal.Instant,
): Promise<PersonRow> =>
  noted(
    db,
    venue,
    'subscriber',
    now,
    db.one(sql(personRow)`
    update subscriber set ${subscriberRecord.set(to)}, ${movedWhen(subscriberRecord.differs(to), now)}
     where venue_id = ${venue} and id = ${subscriber}
    returning ${columnsOf(personRow)}`),
  )
