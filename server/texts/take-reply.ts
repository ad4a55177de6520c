import { recordActivity } from '../activity/record.ts'
import type { Work } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { VenueRow } from '../venue/venues.ts'
import { meaningOf, stopKey, textableNumber } from './rules.ts'
import { type TextState, endStop, keepReply, keepStop, settleByProvider } from './texts-store.ts'

type Answering = Omit<Work, 'venue'> & { readonly venue: VenueRow }

/**
 * What somebody texted back. STOP and START are kept for the number and the venue, and say nothing about mail; HELP is
 * answered; all else stands in the party's row. Answers with what is texted back at once, if anything is.
 */
export const takeReply = async (
  work: Answering,
  { from, body, providerId }: { readonly from: string; readonly body: string; readonly providerId: string },
): Promise<string | undefined> => {
  const { db, venue } = work
  const now = work.now()
  const meaning = meaningOf(body)
  const key = stopKey(venue.id, from)
  if (meaning === 'stop') await keepStop(db, venue.id, key, now)
  if (meaning === 'start') await endStop(db, venue.id, key)
  const entry = await partyOf(db, venue, from, now)
  const text = body.replaceAll('\0', '').trim().slice(0, mostOfReply)
  if (
    entry !== undefined &&
    text !== '' &&
    (await keepReply(db, venue.id, { entry, providerId, body: text }, now))
  ) {
    // In the party's trail without the words, which are its own; and what makes the screens look again.
    await recordActivity(
      work as unknown as Work,
      { kind: 'guest' },
      { action: 'textBack', record: { kind: 'waitlist_entry', id: entry }, before: null, after: { meaning } },
      now,
    )
  }
  return meaning === 'help'
    ? `${venue.name}: we text you when your table is ready.${venue.phone === null ? '' : ` Questions? Call ${venue.phone}.`} Reply STOP for no more texts.`
    : undefined
}

const mostOfReply = 500
/** Answers come within hours; later ones are about nothing we know. */
const hoursToAnswer = 24
const mostPartiesTexted = 1_000

/** The party that was texted last at a number. */
const partyOf = async (
  db: Queries,
  venue: VenueRow,
  from: string,
  now: Temporal.Instant,
): Promise<number | undefined> => {
  const rows = await db.many(sql({ id: 'int8', phone: 'text?' })`
    select e.id, e.phone from guest_text t
      join waitlist_entry e on e.venue_id = t.venue_id and e.id = t.record_id
     where t.venue_id = ${venue.id} and t.kind = 'linePaged'
       and t.made_at > ${now.subtract({ hours: hoursToAnswer })}
     order by t.id desc limit ${mostPartiesTexted}`)
  return rows.find(({ phone }) => textableNumber(phone, venue.country) === from)?.id
}

/** The provider's words for what became of a text. */
const states: Readonly<Record<string, TextState>> = {
  sent: 'sent',
  delivered: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
}

/** What became of a text after the provider took it. */
export const takeStatus = async (
  work: Answering,
  {
    providerId,
    status,
    code,
  }: { readonly providerId: string; readonly status: string; readonly code: string },
): Promise<void> => {
  const state = states[status]
  if (state === undefined || state === 'sent') return
  const answer = state === 'failed' ? `not delivered${/^\d{1,6}$/.test(code) ? ` (${code})` : ''}` : null
  const text = await settleByProvider(work.db, work.venue.id, providerId, { state, answer })
  if (text && text.kind !== 'test') await noteText(work as unknown as Work, text.record_id, state)
}

/** In the party's trail, which also makes the screens look again. */
export const noteText = (work: Work, entry: number, state: TextState): Promise<void> =>
  recordActivity(
    work,
    { kind: 'service' },
    { action: 'text', record: { kind: 'waitlist_entry', id: entry }, before: null, after: { text: state } },
    work.now(),
  )
