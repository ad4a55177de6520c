import { sql } from '../../platform/db/sql.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { type Tables, idsInBatches, inBatches, momentText } from './bulk.ts'
import type { MailingList } from '../subscribers.ts'

/** Writes the mailing list: people, their evidence, their tags, and the addresses that get no mail. */
export const writeMailing = async (
  tables: Tables,
  { subscribers, suppressions }: MailingList,
): Promise<void> => {
  const { db, venue } = tables
  const ids = await idsInBatches(subscribers, (batch) =>
    db.many(sql({ id: 'int8' })`
      insert into subscriber (
        venue_id, email, email_key, first_name, status, source, birth_month, birth_day, consent_at, confirmed_at,
        unsubscribed_at, created_at, updated_at)
      select
        ${venue}, email, email_key, first_name, status, source, birth_month, birth_day, consent_at, confirmed_at,
        unsubscribed_at, created_at, updated_at
        from unnest(
          ${batch.map((one) => one.email)}::text[], ${batch.map((one) => emailKey(one.email))}::text[],
          ${batch.map((one) => one.firstName)}::text[], ${batch.map((one) => one.status)}::text[],
          ${batch.map((one) => one.source)}::text[], ${batch.map((one) => one.birthMonth)}::integer[],
          ${batch.map((one) => one.birthDay)}::integer[], ${batch.map((one) => momentText(one.consentAt))}::timestamptz[],
          ${batch.map((one) => momentText(one.confirmedAt))}::timestamptz[],
          ${batch.map((one) => momentText(one.unsubscribedAt))}::timestamptz[],
          ${batch.map((one) => momentText(one.createdAt))}::timestamptz[],
          ${batch.map((one) => momentText(one.updatedAt))}::timestamptz[])
        with ordinality as given (
          email, email_key, first_name, status, source, birth_month, birth_day, consent_at, confirmed_at,
          unsubscribed_at, created_at, updated_at, place)
       order by place
      returning id`),
  )
  const idOf = (one: MailingList['subscribers'][number]): number => ids.get(one) as number
  await inBatches(subscribers, (batch) =>
    db.run(sql()`
      insert into consent (
        venue_id, subscriber_id, source, statement, page_url, agreed_at, recorded_at, recorded_via)
      select ${venue}, subscriber_id, source, statement, page_url, agreed_at, recorded_at, recorded_via
        from unnest(
          ${batch.map(idOf)}::bigint[], ${batch.map(({ consent }) => consent.source)}::text[],
          ${batch.map(({ consent }) => consent.statement)}::text[],
          ${batch.map(({ consent }) => consent.pageUrl)}::text[],
          ${batch.map((one) => momentText(one.consentAt))}::timestamptz[],
          ${batch.map((one) => momentText(one.createdAt))}::timestamptz[], ${batch.map((one) => one.source)}::text[])
        with ordinality as given (
          subscriber_id, source, statement, page_url, agreed_at, recorded_at, recorded_via, place)
       order by place`),
  )
  const names = [...new Set(subscribers.flatMap(({ tags }) => tags))]
  const tags = await idsInBatches(names, (batch) =>
    db.many(sql({ id: 'int8' })`
      insert into tag (venue_id, name, name_key)
      select ${venue}, name, name_key
        from unnest(${[...batch]}::text[], ${batch.map((name) => name.toLowerCase())}::text[])
        with ordinality as given (name, name_key, place)
       order by place
      returning id`),
  )
  const filed = subscribers.flatMap((one) =>
    one.tags.map((tag) => [idOf(one), tags.get(tag) as number] as const),
  )
  await inBatches(filed, (batch) =>
    db.run(sql()`
      insert into subscriber_tag (venue_id, subscriber_id, tag_id)
      select ${venue}, subscriber_id, tag_id
        from unnest(${batch.map(([subscriber]) => subscriber)}::bigint[], ${batch.map(([, tag]) => tag)}::bigint[])
          as given (subscriber_id, tag_id)`),
  )
  await inBatches(suppressions, (batch) =>
    db.run(sql()`
      insert into suppression (venue_id, email_key, reason, created_at)
      select ${venue}, email_key, reason, created_at
        from unnest(
          ${batch.map(({ email }) => emailKey(email))}::text[], ${batch.map(({ reason }) => reason)}::text[],
          ${batch.map(({ createdAt }) => momentText(createdAt))}::timestamptz[]) as given (email_key, reason, created_at)`),
  )
}
