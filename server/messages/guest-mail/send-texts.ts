import type { Context, Work } from '../../context.ts'
import { isForEverybody } from '../../platform/db/faults.ts'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import type { TextOutcome } from '../../book/texts/provider.ts'
import { linkPlace, oneSegment, segmentCharacters, stopKey } from '../../book/texts/rules.ts'
import { isHeldForPaged } from '../../book/day/tables-of-booking-reads.ts'
import { numberToText } from '../../book/texts/reach-party.ts'
import { type TextSenderRow, openedAccount, textSenderOf } from '../../book/texts/sender-store.ts'
import { noteText } from '../../book/texts/take-reply.ts'
import { textedOf } from '../../book/waitlist/messages/type-text.ts'
import {
  type GuestTextRow,
  type TextResult,
  type TextState,
  giveUpTexts,
  keepStop,
  recordOfText,
  settleGuestText,
  takeGuestTexts,
  venuesWithTexts,
} from '../../book/texts/texts-store.ts'
import { twilioProvider } from '../../book/texts/twilio.ts'
import { guestSettingsOf } from '../../core/venue/guest-settings.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { type VenueRow, venueOfId } from '../../core/venue/venues.ts'
import { messageToStranded } from '../../book/reservations/guest/stranded-bookings.ts'
import { guestBookingOf } from '../../book/reservations/guest/guest-booking.ts'
import { endOfPagedStay } from '../../book/waitlist/messages/paged-stay.ts'
import { offerEnds } from '../../book/waitlist/expiry.ts'
import { guestPlaceOf } from '../../book/waitlist/guest-place.ts'
import { bookingLink, speakingIn } from './writing.ts'

type Sending = Pick<Context, 'db' | 'clock' | 'config' | 'log' | 'secrets' | 'hold'>

/** Sends the texts that wait, of each venue in turn, each at most once; on hold nothing is taken. */
export const sendGuestTexts = async (context: Sending, signal?: AbortSignal): Promise<void> => {
  const { db, hold, log } = context
  if (hold.isOn()) return
  for (const id of await venuesWithTexts(db)) {
    if (hold.isOn() || signal?.aborted) return
    try {
      const venue = await venueOfId(db, id)
      if (venue) await sendOfVenue(context, venue, signal)
    } catch (error) {
      if (isForEverybody(error)) throw error
      log.error({ venue: id, code: codeOf(error) ?? (error as Error).name }, 'texts to guests failed')
    }
  }
}

const sendOfVenue = async (context: Sending, venue: VenueRow, signal?: AbortSignal): Promise<void> => {
  const { clock, hold } = context
  const db = context.db.within(venue.id)
  const work: Work = { db, venue: venue as Venue & VenueRow, now: clock }
  for (const text of await giveUpTexts(db, venue.id, clock())) await note(work, text, 'unknown')
  const sender = await textSenderOf(db, venue.id)
  for (const text of await takeGuestTexts(db, venue.id, clock())) {
    const result: TextResult =
      hold.isOn() || signal?.aborted
        ? { state: 'waiting', answer: null }
        : await sent(context, work, venue, sender, text)
    await settleGuestText(db, venue.id, text.id, result, clock())
    if (result.state !== 'waiting') await note(work, text, result.state)
  }
}

/** A test is about no party and shows only in the settings. */
const note = async (work: Work, text: GuestTextRow, state: TextState): Promise<void> => {
  const about = recordOfText(text)
  if (about) await noteText(work, about, state)
}

const sent = async (
  context: Sending,
  work: Work,
  venue: VenueRow,
  sender: TextSenderRow | undefined,
  text: GuestTextRow,
): Promise<TextResult> => {
  const { clock } = context
  const isOver = Temporal.Instant.compare(clock(), toInstant(text.until)) >= 0
  if (text.kind === 'test') {
    if (isOver || !sender || sender.test_number === null)
      return { state: 'failed', answer: 'too late to be sent' }
    const body = oneSegment(`${venue.name}: This is a test. Your guests can be texted.`, testTail)
    return handOver(context, work, venue, sender, { to: sender.test_number, body })
  }
  if (text.kind !== 'linePaged' && text.kind !== 'lineBack') return typed(context, work, venue, sender, text)
  const row = await guestPlaceOf(work.db, venue.id, text.record_id)
  const until = row && offerEnds(row)
  const isTrue = text.kind === 'lineBack' ? row?.status === 'waiting' : until !== undefined
  if (isOver || !row || !isTrue) return { state: 'failed', answer: 'too late to be sent' }
  const number = await numberToText(work, row)
  if (!sender || number === undefined) return { state: 'failed', answer: 'the number cannot be texted' }
  const { settings } = await guestSettingsOf(work.db, venue.id)
  const { words, formats } = speakingIn(row.language, settings, venue)
  const { ready, comeBy, yours, back, stop } = words.text
  const isHeld = await isHeldForPaged(work.db, venue.id, row.id, clock())
  // The name of a venue may be long; until when the table is held, or they can come, is always said, and until when they may stay.
  const end = isHeld ? await endOfPagedStay(work, row) : undefined
  const said = until
    ? `${(isHeld ? ready : comeBy)(formats.timeAt(until))}${end ? ` ${yours(formats.timeAt(end))}` : ''}`
    : back
  const name = oneSegment(venue.name, '').slice(0, segmentCharacters - said.length - stop.length - 3)
  const body = oneSegment(`${name}: ${said}`, ` ${stop}`)
  return handOver(context, work, venue, sender, { to: number, body })
}

/** What staff typed goes out as they saw it, to the number that the record has now. */
const typed = async (
  context: Sending,
  work: Work,
  venue: VenueRow,
  sender: TextSenderRow | undefined,
  text: GuestTextRow,
): Promise<TextResult> => {
  const isOver = Temporal.Instant.compare(context.clock(), toInstant(text.until)) >= 0
  if (isOver) return { state: 'failed', answer: 'too late to be sent' }
  const about = recordOfText(text)
  const row = about && (await textedOf(work, about))
  const number = row && (await numberToText(work, row))
  if (!sender || number === undefined || text.body === null)
    return { state: 'failed', answer: 'the number cannot be texted' }
  if (text.kind !== 'bookingStranded')
    return handOver(context, work, venue, sender, { to: number, body: text.body })
  if ((await messageToStranded(work, text.record_id, toInstant(text.made_at))) === null)
    return { state: 'failed', answer: 'the booking was moved, spoken about, or has a service again' }
  // The link is in no row: whoever has it can change the booking.
  const said = await guestBookingOf(work.db, venue.id, text.record_id)
  if (!said) return { state: 'failed', answer: 'the booking has no link' }
  const link = bookingLink(context, venue.id, said)
  // The last one is ours: staff may type the same.
  const at = text.body.lastIndexOf(linkPlace)
  const body = `${text.body.slice(0, at)}${link}${text.body.slice(at + linkPlace.length)}`
  return handOver(context, work, venue, sender, { to: number, body })
}

const testTail = ' Reply STOP for no more texts.'

/** Gives a text to the provider, and says what came of it. */
const handOver = async (
  { config, clock, secrets }: Sending,
  work: Work,
  venue: VenueRow,
  sender: TextSenderRow,
  { to, body }: { readonly to: string; readonly body: string },
): Promise<TextResult> => {
  const provider = twilioProvider(openedAccount(secrets, work.venue.id, sender), config.twilioUrl)
  const outcome = await provider.send({
    to,
    body,
    statusUrl: `${config.publicUrl}/texts/${venue.slug}/status`,
  })
  if (outcome.kind === 'failed' && outcome.stopped)
    await keepStop(work.db, venue.id, stopKey(venue.id, to), clock())
  return resultOf(outcome)
}

const resultOf = (outcome: TextOutcome): TextResult => {
  switch (outcome.kind) {
    case 'sent':
      return { state: 'sent', answer: null, providerId: outcome.providerId, segments: outcome.segments }
    case 'later':
      return { state: 'waiting', answer: outcome.answer }
    case 'failed':
    case 'unknown':
      return { state: outcome.kind, answer: outcome.answer }
    default:
      return outcome satisfies never
  }
}
