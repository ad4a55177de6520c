import { limits } from '@venue-data/contract/limits.ts'
import type { Work } from '../../context.ts'
import { sql } from '../../platform/db/sql.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { wholeMilliseconds } from '../../platform/kernel/time/moment.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { needed, typedEmail, typedLine, typedText } from '../../platform/kernel/typed-fields.ts'
import { type SignUp, addSubscriber } from './actions.ts'
import { isSuppressed, subscriberForUpdate } from './reads.ts'
import { outcomeMessage, outcomeOfAdding } from './rules.ts'
import { tagKey } from './tag-writes.ts'
import type { SubscriberStatus } from '@venue-data/contract/records/subscriber.ts'

/** A subscriber as a row of a file gives it; null = not given. */
export type SubscriberInFile = {
  readonly email: string | null
  readonly firstName: string | null
  readonly tag: string | null
  readonly birthday: { readonly month: number; readonly day: number } | null
  readonly where: string | null
  readonly statement: string | null
  readonly pageUrl: string | null
  readonly agreedAt: Temporal.Instant | null
}

/** A sign-up whose evidence has a moment: only then can the same evidence be recognized. */
export type ImportedSignUp = SignUp & { readonly consent: { readonly agreedAt: Temporal.Instant } }

/** Checks a row. Throws a 400 sentence that names the column, never the value; one without evidence is refused. */
export const signUpOfRow = (row: SubscriberInFile, now: Temporal.Instant): ImportedSignUp => {
  const email = needed('The email', typedEmail('The email', row.email))
  const where = typedLine('Where they agreed', row.where, limits.shortTextCharacters)
  if (where === null || row.agreedAt === null) {
    throw badRequest(
      `There is no proof that they agreed: ${where === null ? 'where' : 'when'} they did is missing.`,
    )
  }
  const agreedAt = wholeMilliseconds(row.agreedAt)
  if (Temporal.Instant.compare(agreedAt, now.add({ seconds: limits.consentAheadSeconds })) > 0) {
    throw badRequest('The consent date is in the future.')
  }
  return {
    email,
    firstName: typedLine('The first name', row.firstName, limits.nameCharacters),
    tag: typedLine('The tag', row.tag, limits.tagCharacters),
    birthday: row.birthday,
    consent: {
      source: where,
      statement: typedText('The statement', row.statement, limits.statementCharacters),
      pageUrl: typedLine('The page', row.pageUrl, limits.urlCharacters),
      agreedAt,
    },
  }
}

/**
 * Adds an address under source `import`, with the outcomes of the API: anyone who unsubscribed, has not confirmed or
 * is on the do-not-email list is left unchanged, and the sentence says so. Evidence already stored is not stored
 * twice.
 */
export const importSubscriber = async (
  work: Work,
  signUp: ImportedSignUp,
): Promise<'made' | 'known' | { readonly refused: string }> => {
  const existing = await subscriberForUpdate(work.db, work.venue.id, emailKey(signUp.email))
  if (existing?.status === 'subscribed' && (await isKept(work, existing.id, signUp))) return 'known'
  const { added, status, message } = await addSubscriber(work, signUp, 'import')
  return added ? 'made' : status === 'subscribed' ? 'known' : { refused: message }
}

/** What would happen to an address, for a preview: nothing is locked or written. */
export const outcomeOfImport = async ({ db, venue }: Pick<Work, 'db' | 'venue'>, email: string) => {
  const key = emailKey(email)
  const existing = await db.maybe(sql({ status: 'text' })`
    select status from subscriber where venue_id = ${venue.id} and email_key = ${key}`)
  const { added, status } = outcomeOfAdding(
    existing?.status as SubscriberStatus | undefined,
    await isSuppressed(db, venue.id, key),
  )
  return { added, known: status === 'subscribed', message: outcomeMessage(added, status) }
}

const isKept = async (
  { db, venue }: Work,
  subscriber: number,
  { consent, tag, firstName }: ImportedSignUp,
): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select c.id from consent c
     where c.venue_id = ${venue.id} and c.subscriber_id = ${subscriber} and c.recorded_via = 'import'
       and c.source = ${consent.source} and c.agreed_at = ${consent.agreedAt}
       and c.statement is not distinct from ${consent.statement}
       and c.page_url is not distinct from ${consent.pageUrl}
       and (${firstName}::text is null or exists (
         select from subscriber s
          where s.venue_id = ${venue.id} and s.id = c.subscriber_id and coalesce(btrim(s.first_name), '') <> ''))
       and (${tag === null ? null : tagKey(tag)}::text is null or exists (
         select from subscriber_tag st join tag t on t.venue_id = st.venue_id and t.id = st.tag_id
          where st.venue_id = ${venue.id} and st.subscriber_id = c.subscriber_id
            and t.name_key = ${tag === null ? null : tagKey(tag)}))
     limit 1`)) !== undefined
