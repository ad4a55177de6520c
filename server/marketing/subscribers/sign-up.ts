import { recordActivity } from '../../core/activity/record.ts'
import type { Actor } from '../../core/activity/actor.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import { noteGone, noted } from '../../core/events/note-change.ts'
import { recordEvent } from '../../core/events/record.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { type GuestLanguage, isGuestLanguage } from '../../platform/kernel/guest-language.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import type { SignUp } from '../../book/reservations/guarantee/give-table.ts'
import { queueGuestMail } from '../../mail/guest-mail-queue.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type PersonRow, type SubscriberRow, personRow, presentSubscriber } from './subscriber.ts'
import { besideRow, isSuppressed, subscriberForUpdate, subscriberForUpdateById } from './reads.ts'
import { writeTags } from './tag-writes.ts'
import { insertConsent, insertSubscriber } from './writes.ts'

/*
 * How somebody gets on the list by themselves (double opt-in). They sign up and are pending; a mail leads to a page with
 * one button; pressing it subscribes them. After two days they are reminded once. Thirty days after the last mail a
 * sign-up that nobody confirmed ends: the person is deleted, or unsubscribed again if they had been.
 */

export const signUpLimits = {
  /** The link in a mail leads on for this long. */
  linkDays: 7,
  /** Signing up again sends no second mail within this time. */
  againMinutes: 10,
  remindHours: 48,
  endDays: 30,
} as const

export type GuestSignUp = {
  readonly email: string
  readonly firstName: string | null
  readonly birthday: { readonly month: number; readonly day: number } | null
  /** Topics of the venue, by id; ids that are not topics are left out. */
  readonly topics: readonly number[]
  /** What they agreed to, as they read it. */
  readonly statement: string
  readonly pageUrl: string
  readonly language: GuestLanguage
}

const guest: Actor = { kind: 'guest' }

/**
 * Takes a sign-up. Neither its answer nor anything it does in between reveals whether the address is known: somebody on the
 * do-not-email list is not written to, somebody subscribed is left as they are, everybody else gets a mail.
 */
export const signUpByGuest = async (
  work: Work,
  signUp: GuestSignUp,
  source: 'signup_form' | 'booking' | 'ticket_order' = 'signup_form',
): Promise<void> => {
  const { db, venue } = work
  const key = emailKey(signUp.email)
  const before = await subscriberForUpdate(db, venue.id, key)
  if (await isSuppressed(db, venue.id, key)) return
  if (before?.status === 'subscribed') return
  const now = work.now()
  if (before?.status === 'pending') {
    const lastMail = await lastMailOf(db, venue.id, before.id)
    if (lastMail && now.since(lastMail).total('minutes') < signUpLimits.againMinutes) return
  }
  const person = before
    ? await writePending(db, venue.id, before.id, signUp.language, now)
    : await insertSubscriber(
        db,
        venue.id,
        {
          email: signUp.email.trim(),
          firstName: signUp.firstName,
          status: 'pending',
          source,
          consentAt: now,
          birthday: signUp.birthday,
        },
        now,
      )
  // Somebody else signed the same address up at this moment: it is treated as already there.
  if (!person) return signUpByGuest(work, signUp, source)
  if (!before) await writeConfirming(db, venue.id, person.id, signUp.language, now)
  const consent = {
    source: 'Sign-up form',
    statement: signUp.statement,
    pageUrl: signUp.pageUrl,
    agreedAt: now,
  }
  await insertConsent(db, venue.id, person.id, consent, source, now)
  const topics = await topicNames(db, venue.id, signUp.topics)
  const was = { ...person, ...besideRow(before ?? { tags: [], suppressed: false }) }
  const tagged = topics.length === 0 ? undefined : await writeTags(db, venue.id, was, { add: topics }, now)
  const after = tagged ?? was
  if (before?.status === 'unsubscribed') {
    await recordEvent(work, 'subscriber.updated', presentSubscriber(after), now, {
      before: presentSubscriber(before),
    })
  }
  await recordActivity(
    work,
    guest,
    // Without the address: nothing may stay in the trail of somebody who never confirms.
    {
      action: 'signUp',
      record: { kind: 'subscriber', id: person.id },
      before: { status: before?.status ?? null },
      after: { status: after.status },
    },
    now,
  )
  await queueGuestMail(db, venue.id, { kind: 'newsConfirm', record: person.id }, now)
}

/** Somebody who asked for the news with what they booked or bought. */
export const signUpBeside: SignUp = async (work, { name, language, ...asked }, source) => {
  if (!isGuestLanguage(language)) return
  const firstName = name.split(' ')[0] || null
  await signUpByGuest(work, { ...asked, firstName, birthday: null, topics: [], language }, source)
}

/** What a link to confirm leads to. `over`: the person is gone, or has said no. */
export type Confirmation =
  | { readonly state: 'waits' | 'old' | 'confirmed'; readonly email: string }
  | { readonly state: 'over' }

export const confirmationOf = async ({ db, venue, now }: Work, subscriber: number): Promise<Confirmation> => {
  const row = await db.maybe(sql({ email: 'text', status: 'text', confirm_mailed_at: 'timestamptz?' })`
    select email, status, confirm_mailed_at from subscriber where venue_id = ${venue.id} and id = ${subscriber}`)
  if (!row || row.status === 'unsubscribed') return { state: 'over' }
  const { email } = row
  if (row.status === 'subscribed') return { state: 'confirmed', email }
  const mailed = row.confirm_mailed_at === null ? undefined : toInstant(row.confirm_mailed_at)
  const isGood = mailed && now().since(mailed).total('hours') < 24 * signUpLimits.linkDays
  return { state: isGood ? 'waits' : 'old', email }
}

/** Pressing the button. A second press changes nothing; a link that is too old confirms nothing. */
export const confirmSignUp = async (work: Work, subscriber: number): Promise<Confirmation> => {
  const { db, venue } = work
  const before = await subscriberForUpdateById(db, venue.id, subscriber)
  const found = await confirmationOf(work, subscriber)
  if (!before || found.state !== 'waits') return found
  const now = work.now()
  const row = await noted(
    db,
    venue.id,
    'subscriber',
    now,
    db.one(sql(personRow)`
    update subscriber set
      status = 'subscribed', confirmed_at = ${now}, unsubscribed_at = null, left_before = null, confirm_mailed_at = null,
      confirm_reminded = false, revision = revision + 1, updated_at = ${now}
     where venue_id = ${venue.id} and id = ${subscriber}
    returning ${columnsOf(personRow)}`),
  )
  const after = { ...row, ...besideRow(before) }
  await recordEvent(work, 'subscriber.added', presentSubscriber(after), now)
  await recordActivity(
    work,
    guest,
    {
      action: 'confirmSignUp',
      record: { kind: 'subscriber', id: subscriber },
      before: { status: before.status },
      after: { status: after.status },
    },
    now,
  )
  return { state: 'confirmed', email: after.email }
}

/** Mails the link once more to somebody who waits, at most every ten minutes. */
export const mailConfirmationAgain = async (work: Work, subscriber: number): Promise<void> => {
  const { db, venue } = work
  const row = await subscriberForUpdateById(db, venue.id, subscriber)
  if (row?.status !== 'pending' || (await isSuppressed(db, venue.id, emailKey(row.email)))) return
  const now = work.now()
  const lastMail = await lastMailOf(db, venue.id, subscriber)
  if (lastMail && now.since(lastMail).total('minutes') < signUpLimits.againMinutes) return
  await writeConfirming(db, venue.id, subscriber, null, now)
  await queueGuestMail(db, venue.id, { kind: 'newsConfirm', record: subscriber }, now)
}

/** Reminds people who have not confirmed after two days, once. */
export const remindSignUp = async (work: Work, subscriber: number): Promise<void> => {
  const { db, venue } = work
  const now = work.now()
  const row = await subscriberForUpdateById(db, venue.id, subscriber)
  if (!row || (await isSuppressed(db, venue.id, emailKey(row.email)))) return
  const isReminded = await db.run(sql()`
    update subscriber set confirm_reminded = true, confirm_mailed_at = ${now}
     where venue_id = ${venue.id} and id = ${subscriber} and status = 'pending' and not confirm_reminded
       and confirm_mailed_at <= ${now.subtract({ hours: signUpLimits.remindHours })}`)
  if (isReminded === 1) await queueGuestMail(db, venue.id, { kind: 'newsReminder', record: subscriber }, now)
}

/** Ends a sign-up that nobody confirmed: they are unsubscribed again if they had been, and deleted otherwise. */
export const endSignUp = async (work: Work, subscriber: number): Promise<void> => {
  const { db, venue } = work
  const now = work.now()
  const before = await subscriberForUpdateById(db, venue.id, subscriber)
  const ends = await db.maybe(sql({ left_before: 'timestamptz?' })`
    select left_before from subscriber
     where venue_id = ${venue.id} and id = ${subscriber} and status = 'pending'
       and confirm_mailed_at <= ${now.subtract({ hours: 24 * signUpLimits.endDays })}`)
  if (!before || !ends) return
  const service: Actor = { kind: 'service' }
  if (ends.left_before === null) {
    await deletePending(db, venue.id, before, now)
    return
  }
  const row = await writeLeftAgain(db, venue.id, subscriber, now)
  const after = { ...row, ...besideRow(before) }
  await recordEvent(work, 'subscriber.updated', presentSubscriber(after), now, {
    before: presentSubscriber(before),
  })
  await recordActivity(
    work,
    service,
    { action: 'endSignUpAgain', record: { kind: 'subscriber', id: subscriber }, before, after },
    now,
  )
}

type ToConfirm = { readonly venue_id: VenueId; readonly id: number }

/** Sign-ups that wait for a confirmation and were last mailed before a moment, over all venues. */
export const signUpsMailedBefore = (
  db: Queries,
  before: Temporal.Instant,
  only: 'not reminded' | 'all',
): Promise<ToConfirm[]> =>
  db.many(sql({ venue_id: 'int8', id: 'int8' })`
    select venue_id, id from subscriber
     where confirm_mailed_at <= ${before} and status = 'pending'
       and (not confirm_reminded or ${only === 'all'}::boolean)
     order by confirm_mailed_at limit 500`) as Promise<ToConfirm[]>

/** The language somebody signed up in. */
export const languageOfSubscriber = async (
  db: Queries,
  venue: VenueId,
  subscriber: number,
): Promise<string | null> =>
  (
    await db.maybe(sql({ language: 'text?' })`
    select language from subscriber where venue_id = ${venue} and id = ${subscriber}`)
  )?.language ?? null

const lastMailOf = async (
  db: Queries,
  venue: VenueId,
  subscriber: number,
): Promise<Temporal.Instant | undefined> => {
  const row = await db.maybe(sql({ confirm_mailed_at: 'timestamptz?' })`
    select confirm_mailed_at from subscriber where venue_id = ${venue} and id = ${subscriber}`)
  return row?.confirm_mailed_at ? toInstant(row.confirm_mailed_at) : undefined
}

/** Somebody known signs up: who had left waits to confirm, and it is kept since when they had. */
const writePending = (
  db: Queries,
  venue: VenueId,
  subscriber: number,
  language: GuestLanguage,
  now: Temporal.Instant,
): Promise<PersonRow> =>
  noted(
    db,
    venue,
    'subscriber',
    now,
    db.one(sql(personRow)`
    update subscriber set
      left_before = case when status = 'unsubscribed' then coalesce(unsubscribed_at, ${now}) else left_before end,
      status = 'pending', unsubscribed_at = null, consent_at = ${now}, language = ${language},
      confirm_mailed_at = ${now}, confirm_reminded = false, revision = revision + 1, updated_at = ${now}
     where venue_id = ${venue} and id = ${subscriber}
    returning ${columnsOf(personRow)}`),
  )

const writeConfirming = (
  db: Queries,
  venue: VenueId,
  subscriber: number,
  language: GuestLanguage | null,
  now: Temporal.Instant,
): Promise<unknown> =>
  db.run(sql()`
    update subscriber set confirm_mailed_at = ${now}, language = coalesce(${language}, language)
     where venue_id = ${venue} and id = ${subscriber}`)

const writeLeftAgain = (
  db: Queries,
  venue: VenueId,
  subscriber: number,
  now: Temporal.Instant,
): Promise<PersonRow> =>
  noted(
    db,
    venue,
    'subscriber',
    now,
    db.one(sql(personRow)`
    update subscriber set
      status = 'unsubscribed', unsubscribed_at = left_before, left_before = null, confirm_mailed_at = null,
      confirm_reminded = false, revision = revision + 1, updated_at = ${now}
     where venue_id = ${venue} and id = ${subscriber}
    returning ${columnsOf(personRow)}`),
  )

const deletePending = async (
  db: Queries,
  venue: VenueId,
  { id, revision }: SubscriberRow,
  now: Temporal.Instant,
): Promise<void> => {
  await db.run(sql()`delete from subscriber where venue_id = ${venue} and id = ${id}`)
  noteGone(db, venue, { kind: 'subscriber', id, revision }, now)
}

const topicNames = async (db: Queries, venue: VenueId, topics: readonly number[]): Promise<string[]> => {
  if (topics.length === 0) return []
  const rows = await db.many(sql({ name: 'text' })`
    select name from tag where venue_id = ${venue} and topic and id = any(${[...topics]}::bigint[]) order by id`)
  return rows.map(({ name }) => name)
}
