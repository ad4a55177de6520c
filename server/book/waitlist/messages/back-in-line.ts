import type { Work } from '../../../context.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { GuestMailKind } from '../../../mail/guest-mail-kinds.ts'
import { dropGuestMails } from '../../../mail/guest-mail-queue.ts'
import { textParty } from '../../texts/reach-party.ts'
import { type GuestTextKind, dropPageText } from '../../texts/texts-store.ts'
import type { EntryRow } from '../../day/entry-row.ts'
import { type PartyMail, mailParty } from './mail-party.ts'

/*
 * A party that was told that its table is ready, or that it is off the list, and waits again: it hears so the way it heard the
 * other, by a text or by the mail that says where it stands. Who was told nothing since hears nothing.
 */

const joined = ['lineJoined', 'listJoined'] as const satisfies readonly PartyMail[]
/** What no longer holds for a party that waits. */
const otherwise = ['linePaged', 'listOffered', 'listLapsed'] as const satisfies readonly PartyMail[]
const texts = ['linePaged', 'lineBack'] as const satisfies readonly GuestTextKind[]

type Said = { readonly kind: GuestMailKind | GuestTextKind; readonly by: 'mail' | 'text' }

/** What a party was told last, of what went out or may have: somebody has begun to send it. */
const lastSaid = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  entry: number,
): Promise<Said | undefined> =>
  (await db.maybe(sql({ kind: 'text', by: 'text', made_at: 'timestamptz', id: 'int8' })`
    select kind, 'mail' as by, made_at, id from guest_mail
     where venue_id = ${venue.id} and kind = any(${[...joined, ...otherwise]}) and record_id = ${entry}
       and (state = 'sent' or (state = 'waiting' and tries > 0))
     union all
    select kind, 'text', made_at, id from guest_text
     where venue_id = ${venue.id} and kind = any(${[...texts]}) and record_id = ${entry}
       and state not in ('waiting', 'failed')
     order by made_at desc, id desc limit 1`)) as Said | undefined

const isOtherwise = (said: Said | undefined): said is Said => otherwise.some((kind) => kind === said?.kind)

/** Whether no message says that its table is ready: none went out, or it was said otherwise since. */
export const isUntold = async (work: Pick<Work, 'db' | 'venue'>, entry: number): Promise<boolean> =>
  !isOtherwise(await lastSaid(work, entry))

/** Has a party that waits again told so, in the transaction of the move. */
export const tellBack = async (
  work: Work,
  after: EntryRow,
  now: Temporal.Instant,
  byStaff: boolean,
): Promise<void> => {
  const { db, venue } = work
  const waiting = { record: after.id, answer: 'the party waits again' }
  await dropGuestMails(db, venue.id, { kinds: otherwise, ...waiting }, now)
  await dropPageText(db, venue.id, after.id, now)
  const said = await lastSaid(work, after.id)
  if (!isOtherwise(said)) return
  if (said.by === 'text' && (await textParty(work, after, 'lineBack', now, undefined))) return
  await dropGuestMails(db, venue.id, { kinds: joined, ...waiting }, now)
  await mailParty(work, after, after.for_later ? 'listJoined' : 'lineJoined', now, { byStaff })
}

/** How a party hears that it waits again, by the move that was made since then; `nobody`: it was told otherwise, and staff have to say it. */
export const toldBack = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  entry: number,
  since: Temporal.Instant,
): Promise<'text' | 'mail' | 'nobody' | undefined> => {
  const queued = await db.maybe(sql({ by: 'text' })`
    select 'mail' as by from guest_mail
     where venue_id = ${venue.id} and kind = any(${[...joined]}) and record_id = ${entry} and made_at >= ${since}
     union all
    select 'text' from guest_text
     where venue_id = ${venue.id} and kind = 'lineBack' and record_id = ${entry} and made_at >= ${since}
     limit 1`)
  if (queued) return queued.by as 'text' | 'mail'
  return isOtherwise(await lastSaid({ db, venue }, entry)) ? 'nobody' : undefined
}
