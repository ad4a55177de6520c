import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import type { VenueRow } from '../../core/venue/venues.ts'
import { meaningOf, stopKey, textableNumber } from './rules.ts'
import {
  type TextState,
  type TextedRecord,
  endStop,
  keepReply,
  keepStop,
  recordOfText,
  settleByProvider,
  textedSince,
} from './texts-store.ts'
import { phoneForGuests } from '../../platform/kernel/phone/shown-phone.ts'

type Answering = Omit<Work, 'venue'> & { readonly venue: VenueRow }

/**
 * Handles what somebody texted back. STOP and START are kept for the number and the venue, and say nothing about mail;
 * HELP is answered; everything else goes into the party's row. Returns what to text back immediately, if anything.
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
  const about = await textedAt(db, venue, from, now)
  const text = body.replaceAll('\0', '').trim().slice(0, mostOfReply)
  if (
    about !== undefined &&
    text !== '' &&
    (await keepReply(db, venue.id, { about, providerId, body: text }, now))
  ) {
    // In the party's trail without the words, which are its own; and what makes the screens look again.
    await recordActivity(
      work as unknown as Work,
      { kind: 'guest' },
      { action: 'textBack', record: about, before: null, after: { meaning } },
      now,
    )
  }
  const call = phoneForGuests(venue)
  return meaning === 'help'
    ? `${venue.name}: we text you about your table.${call ? ` Questions? Call ${call.words}.` : ''} Reply STOP for no more texts.`
    : undefined
}

const mostOfReply = 500
/** Answers come within hours; later ones are about nothing we know. */
const hoursToAnswer = 24
const mostTexted = 1_000

/** The party or the booking that was texted last at a number. */
const textedAt = async (
  db: Queries,
  venue: VenueRow,
  from: string,
  now: Temporal.Instant,
): Promise<TextedRecord | undefined> => {
  const rows = await textedSince(db, venue.id, now.subtract({ hours: hoursToAnswer }), mostTexted)
  const text = rows.find(({ phone }) => textableNumber(phone, venue.country) === from)
  return text && recordOfText(text)
}

/** The provider's words for the state of a text. */
const states: Readonly<Record<string, TextState>> = {
  sent: 'sent',
  delivered: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
}

/** Records what happened to a text after the provider took it. */
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
  const about = text && recordOfText(text)
  if (about) await noteText(work as unknown as Work, about, state)
}

/** In the trail of whom it is about, which also makes the screens look again. */
export const noteText = (work: Work, record: TextedRecord, state: TextState): Promise<void> =>
  recordActivity(
    work,
    { kind: 'service' },
    { action: 'text', record, before: null, after: { text: state } },
    work.now(),
  )
