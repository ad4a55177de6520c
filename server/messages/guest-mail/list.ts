import type { GuestFormats } from '../guest-words/formats.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { makePrivateToken } from '../../mail/link-token.ts'
import { termsNow } from '../../book/reservations/guarantee/ask-table.ts'
import { bookingRulesAround } from '../../book/rules/rules-store.ts'
import { holdOfEntry } from '../../book/reservations/holds/hold-reads.ts'
import { whenHeld } from '../../book/reservations/holds/holds.ts'
import { type PlaceRow, guestPlaceOf } from '../../book/waitlist/guest-place.ts'
import { momentInWords } from './booking-facts.ts'
import { sentenceOf } from './tables/asked-facts.ts'
import { type Writing, type Written, speakingIn } from './writing.ts'

/**
 * Confirms that somebody is on the list for a full day, with the link to their place; says that a table is held for
 * them; or that they did not take that table in time and are off the list.
 */
export const listLetter = async (
  { work, context, venue, settings, mail }: Writing,
  kind: 'listJoined' | 'listOffered' | 'listLapsed',
): Promise<Written> => {
  const row = await guestPlaceOf(work.db, venue.id, mail.record_id)
  if (!row?.email) return { dropped: 'the party no longer has an address' }
  const speaking = speakingIn(row.language, settings, venue)
  const { words, formats } = speaking
  const { book, list } = words
  const token = makePrivateToken(context.secrets, 'place', {
    venue: venue.id,
    record: row.id,
    issue: row.link_issue,
  })
  const url = `${context.config.publicUrl}/w/${token}`
  const guests = [book.guests, formats.number(row.party_size ?? 0)] as const
  const first = (row.guest_name ?? '').split(' ')[0] ?? ''
  const day = row.service_date ?? row.date ?? ''
  if (kind === 'listLapsed') {
    if (row.status !== 'expired') return { dropped: `the party is ${row.status} by now` }
    const { doors } = settings
    const again = new URLSearchParams({
      size: String(row.party_size ?? 1),
      date: day,
      lang: speaking.language,
    })
    return {
      speaking,
      letter: {
        to: row.email,
        subject: words.mail.list.lapsedSubject(venue.name, formats.shortDay(day)),
        preheader: words.mail.list.lapsed(first),
        title: list.overTitle,
        slip: [guests, [book.date, formats.shortDay(day)], [book.time, windowInWords(row, formats)]],
        paragraphs: [words.mail.list.lapsed(first)],
        // The list is joined on the day's page, where that day is still full.
        ...(doors.includes('book') && {
          button: {
            words: book.title,
            url: `${context.config.publicUrl}/v/${venue.slug}/book?${again.toString()}`,
          },
          ...(doors.includes('waitlist') && { foot: words.mail.list.lapsedFoot }),
        }),
      },
    }
  }
  if (kind === 'listJoined') {
    if (row.status !== 'waiting') return { dropped: `the party is ${row.status} by now` }
    return {
      speaking,
      letter: {
        to: row.email,
        subject: words.mail.list.joinedSubject(venue.name, formats.shortDay(day)),
        preheader: words.mail.list.joined,
        state: { tone: 'wait', words: list.state },
        title: list.joinedTitle(formats.day(day)),
        slip: [guests, [book.date, formats.shortDay(day)], [book.time, windowInWords(row, formats)]],
        paragraphs: [words.mail.list.joined],
        button: { words: words.mail.list.see, url },
      },
    }
  }
  const hold = await holdOfEntry(work.db, venue.id, row.id)
  if (row.status !== 'offered' || !hold) return { dropped: `the party is ${row.status} by now` }
  const when = whenHeld(hold)
  const { date, time } = when
  // With its day: the table itself is on another.
  const saying = { words, formats, venue }
  const until = momentInWords(toInstant(hold.expires_at), saying)
  const rules = await bookingRulesAround(work.db, work.venue, date)
  const terms = await termsNow(work, venue.country, rules, { ...when, partySize: hold.party_size })
  return {
    speaking,
    letter: {
      to: row.email,
      subject: words.mail.list.offeredSubject(venue.name, `${formats.shortDay(date)}, ${formats.time(time)}`),
      preheader: list.offered(until),
      state: { tone: 'wait', words: list.offeredState },
      title: list.offeredTitle,
      slip: [guests, [book.date, formats.shortDay(date)], [book.time, formats.time(time)]],
      paragraphs: [words.mail.list.offered(first, `${until} (${formats.zone})`)],
      // As their page asks for it before the table is theirs.
      ...(terms && { facts: [[words.secure[terms.kind], sentenceOf(terms, saying, work.now())]] }),
      button: { words: list.take, url },
      link: { words: list.no, url: `${url}?do=leave` },
      foot: words.mail.list.foot,
    },
  }
}

/** When somebody could come: "7:00 – 9:00 PM", or the one time. */
export const windowInWords = (
  { requested_time, window_start, window_end }: PlaceRow,
  { span, time }: GuestFormats,
): string => {
  const from = window_start ?? requested_time
  if (from === null || window_end === null || from === window_end)
    return [from ?? window_end]
      .filter((one) => one !== null)
      .map(time)
      .join('')
  return span(from, window_end)
}
