import { subscriberRecord } from '../../marketing/subscribers/subscriber.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { type Tables, insertAll, insertAllWithIds } from './bulk.ts'
import type { MailingList } from '../subscribers.ts'

/** Writes the mailing list: people, their evidence, their tags, and the addresses that get no mail. */
export const writeMailing = async (
  tables: Tables,
  { subscribers, suppressions }: MailingList,
): Promise<void> => {
  const ids = await insertAllWithIds(tables, 'subscriber', subscribers, ({ tags: _, ...one }) => ({
    ...subscriberRecord.columns(one),
    email_key: emailKey(one.email),
  }))
  const idOf = (one: MailingList['subscribers'][number]): number => ids.get(one) as number
  await insertAll(tables, 'consent', subscribers, (one) => ({
    subscriber_id: idOf(one),
    source: one.consent.source,
    statement: one.consent.statement,
    page_url: one.consent.pageUrl,
    agreed_at: one.consentAt,
    recorded_at: one.createdAt,
    recorded_via: one.source,
  }))
  const names = [...new Set(subscribers.flatMap(({ tags }) => tags))]
  const tags = await insertAllWithIds(tables, 'tag', names, (name) => ({
    name,
    name_key: name.toLowerCase(),
  }))
  const filed = subscribers.flatMap((one) =>
    one.tags.map((tag) => [idOf(one), tags.get(tag) as number] as const),
  )
  await insertAll(tables, 'subscriber_tag', filed, ([subscriber, tag]) => ({
    subscriber_id: subscriber,
    tag_id: tag,
  }))
  await insertAll(tables, 'suppression', suppressions, ({ email, reason, createdAt }) => ({
    email_key: emailKey(email),
    reason,
    created_at: createdAt,
  }))
}
