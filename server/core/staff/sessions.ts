import { ifThereIsRoom } from '../../platform/db/faults.ts'
import { createHash } from 'node:crypto'
import type { Plan } from '@venue-data/contract/records/account.ts'
import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import type { ClockHours } from '../../platform/kernel/formats.ts'
import type { StaffForm } from '../../platform/kernel/time/in-words.ts'
import type { Venue, VenueId } from '../venue/venue.ts'
import type { AccountRole } from './roles.ts'

/*
 * Who is signed in. A token of 32 random bytes is in the cookie (or in a script's Authorization header), its
 * SHA-256 in the table: a copied table signs nobody in. Signing out deletes the row, on every process at once.
 */

/** A session ends this long after its last use, and at the latest this long after it began, in hours. */
export const sessionHours = { idle: 14, longest: 24 * 14 } as const

/** How long a checked password or code counts as fresh, in minutes. */
const freshMinutes = 10

export type SignedIn = {
  readonly sessionId: Buffer
  readonly openedAt: Temporal.Instant
  readonly staff: {
    readonly id: number
    readonly email: string
    readonly name: string | null
    readonly role: AccountRole
    /** Reads the lists of the evening from further away. */
    readonly largerRows: boolean
    readonly weeklyLetter: boolean
  }
  /** Undefined for the service's own reviewers. */
  readonly venue: (Venue & StaffForm) | undefined
  /** Whether a password or a code was checked in the last ten minutes. */
  readonly fresh: boolean
  /** Sentences left for the opened page; reading this removed them from the session. */
  readonly notices: readonly Notice[]
}

/** A form that takes back what a notice says was done, with what was true then. */
export type LeftForm = { readonly to: string; readonly fields: Readonly<Record<string, string>> }

export type Notice = { readonly sentence: string; readonly undo?: LeftForm | undefined }

/**
 * Begins a session and returns its token. Undefined when the account is closed or its password is no longer the one that
 * was checked: the account is locked for that moment, so anything that ends a person's sessions ends this one too.
 */
export const openSession = async (
  db: Queries,
  staffId: number,
  { random, clock }: Pick<Context, 'random' | 'clock'>,
  passwordHash: string | null = null,
): Promise<string | undefined> => {
  const token = random(32).toString('base64url')
  const now = clock()
  const opened = await db.run(sql()`
    with held as (
      select id from staff
       where id = ${staffId} and disabled_at is null
         and (${passwordHash}::text is null or password_hash = ${passwordHash}::text)
         for share
    )
    insert into session (token_hash, staff_id, created_at, last_seen_at, expires_at, checked_at)
    select ${hashOf(token)}::bytea, id, ${now}::timestamptz, ${now}::timestamptz,
           ${now.add({ hours: sessionHours.longest })}::timestamptz, ${now}::timestamptz
      from held`)
  return opened === 1 ? token : undefined
}

/**
 * The person behind a token, unless it ended. Marks it as used, once a minute. Notices are removed only by the page they
 * were left for: `opens` is its path; a form, or a list that refreshes itself, leaves them where they are. `showsLast`: it has
 * the last press with its undo as well, which stays.
 */
export const sessionOf = async (
  db: Queries,
  token: string,
  now: Temporal.Instant,
  { opens, showsLast = false }: { readonly opens?: string; readonly showsLast?: boolean } = {},
): Promise<SignedIn | undefined> => {
  const hash = hashOf(token)
  const row = await db.maybe(sql({
    staff_id: 'int8',
    email: 'text',
    name: 'text?',
    role: 'text',
    larger_rows: 'bool',
    weekly_letter: 'bool',
    created_at: 'timestamptz',
    checked_at: 'timestamptz',
    last_seen_at: 'timestamptz',
    notice: 'text?',
    venue_id: 'int8?',
    slug: 'text?',
    venue_name: 'text?',
    timezone: 'text?',
    plan: 'text?',
    phone: 'text?',
    country: 'text?',
    currency: 'text?',
    clock_hours: 'int4?',
  })`
    select s.staff_id, p.email, p.name, p.role, p.larger_rows, p.weekly_letter, s.created_at, s.checked_at, s.last_seen_at, s.notice,
           v.id as venue_id, v.slug, v.name as venue_name, v.timezone, v.plan, v.phone,
           v.country, v.currency, v.clock_hours
      from session s
      join staff p on p.id = s.staff_id
      left join venue v on v.id = p.venue_id
     where s.token_hash = ${hash} and s.expires_at > ${now} and p.disabled_at is null
       and s.last_seen_at > ${now.subtract({ hours: sessionHours.idle })}`)
  if (!row) return undefined
  const seen = toInstant(row.last_seen_at)
  const { taken, left } = noticesFor(opens, showsLast, row.notice, now)
  if (left !== row.notice || now.since(seen).total('seconds') > 60) {
    // A notice left since the read stays for the next page. Without room to write, the page is still shown.
    await ifThereIsRoom(
      db.run(sql()`
      update session
         set last_seen_at = ${now}, notice = case when notice = ${row.notice}::text then ${left}::text else notice end
       where token_hash = ${hash}`),
    )
  }
  return {
    sessionId: hash,
    openedAt: toInstant(row.created_at),
    staff: {
      id: row.staff_id,
      email: row.email,
      name: row.name,
      role: row.role as AccountRole,
      largerRows: row.larger_rows,
      weeklyLetter: row.weekly_letter,
    },
    venue:
      row.venue_id === null
        ? undefined
        : {
            id: row.venue_id as VenueId,
            slug: row.slug as string,
            name: row.venue_name as string,
            timezone: row.timezone as string,
            plan: row.plan as Plan,
            phone: row.phone,
            country: row.country as string,
            currency: row.currency,
            clockHours: row.clock_hours as ClockHours,
          },
    fresh: now.since(toInstant(row.checked_at)).total('minutes') < freshMinutes,
    notices: taken,
  }
}

/*
 * Notices: one line each, with when it was left, the path of its page, the sentence, and as JSON what takes it back. Two
 * forms at once in one session leave two, and neither shows on another page.
 */

/** Leaves one sentence for the page a form leads to. Older unread ones make room. */
export const leaveNotice = (
  db: Queries,
  sessionId: Buffer,
  notice: Notice & { readonly to: string },
  now: Temporal.Instant,
) => {
  const line = lineOf(pathOf(notice.to), notice, now)
  return db.run(sql()`
    update session
       set notice = case when length(notice) < ${longestUnread} then notice || ${`\n${line}`}::text else ${line}::text end
     where token_hash = ${sessionId}`)
}

/**
 * Keeps what was just done with its undo, in place of what was done before it: until the next press, whichever page of the
 * evening is opened. Without an undo it only forgets the one before.
 */
export const keepLast = (db: Queries, sessionId: Buffer, notice: Notice, now: Temporal.Instant) => {
  const line = notice.undo ? lineOf(lastPath, notice, now) : ''
  return db.run(sql()`
    update session
       set notice = nullif(trim(both E'\n' from regexp_replace(coalesce(notice, ''), ${`(^|\n)\\d+\t${lastPath}\t[^\n]*`}, '', 'g') || ${`\n${line}`}::text), '')
     where token_hash = ${sessionId} and (notice is not null or ${line !== ''})`)
}

const lineOf = (path: string, { sentence, undo }: Notice, now: Temporal.Instant): string =>
  [
    now.epochMilliseconds,
    path,
    sentence.replaceAll(/\s+/g, ' '),
    ...(undo ? [JSON.stringify(undo)] : []),
  ].join('\t')

/** In place of a path, of what is kept: no page has it. */
const lastPath = 'last'

/** What was done longer ago was of another evening. */
const lastMinutes = 4 * 60

/** Characters. */
const longestUnread = 2_000

/** A page that was not opened for this long no longer shows its sentence: it would be about something else. */
const noticeMinutes = 5

const noticesFor = (
  opened: string | undefined,
  showsLast: boolean,
  notices: string | null,
  now: Temporal.Instant,
): { readonly taken: readonly Notice[]; readonly left: string | null } => {
  if (opened === undefined || notices === null) return { taken: [], left: notices }
  const lines = notices.split('\n').map((line) => {
    const [at = '', path = '', sentence = '', undo] = line.split('\t')
    return {
      line,
      path,
      sentence,
      undo,
      isFresh:
        now.epochMilliseconds - Number(at) < (path === lastPath ? lastMinutes : noticeMinutes) * 60_000,
    }
  })
  const fresh = lines.filter(({ isFresh }) => isFresh)
  const left = fresh.filter(({ path }) => path !== opened).map(({ line }) => line)
  return {
    taken: fresh
      .filter(({ path }) => path === opened || (showsLast && path === lastPath))
      .map(({ sentence, undo }) => ({
        sentence,
        ...(undo !== undefined && { undo: JSON.parse(undo) as LeftForm }),
      })),
    left: left.length === 0 ? null : left.join('\n'),
  }
}

const pathOf = (to: string): string => to.split(/[?#]/, 1)[0] as string

/** Notes that a password or a code was checked just now. */
export const markChecked = (db: Queries, sessionId: Buffer, now: Temporal.Instant) =>
  db.run(sql()`update session set checked_at = ${now} where token_hash = ${sessionId}`)

export const closeSession = (db: Queries, sessionId: Buffer) =>
  db.run(sql()`delete from session where token_hash = ${sessionId}`)

/** Signs a person out everywhere. */
export const closeSessionsOf = (db: Queries, staffId: number) =>
  db.run(sql()`delete from session where staff_id = ${staffId}`)

/** Signs a person out everywhere but here. */
export const closeOtherSessions = (db: Queries, staffId: number, sessionId: Buffer) =>
  db.run(sql()`delete from session where staff_id = ${staffId} and token_hash <> ${sessionId}`)

/** Whether a session has not ended in the meantime. */
export const isOpenSession = async (db: Queries, sessionId: Buffer): Promise<boolean> =>
  (await db.maybe(sql({ staff_id: 'int8' })`
    select staff_id from session where token_hash = ${sessionId}`)) !== undefined

/** Housekeeping. */
export const forgetEndedSessions = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> =>
  db.run(sql()`delete from session where expires_at <= ${clock()}`)

/** The token is random and long, so a plain hash protects it. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
