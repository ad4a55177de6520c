import { toInstant } from '../../platform/kernel/time/moment.ts'
import { makePrivateToken } from '../../mail/link-token.ts'
import { isHeldForPaged } from '../../book/day/tables-of-booking-reads.ts'
import { endOfPagedStay } from '../../book/waitlist/messages/paged-stay.ts'
import { offerEnds } from '../../book/waitlist/expiry.ts'
import { guestPlaceOf, isInLine } from '../../book/waitlist/guest-place.ts'
import { type Writing, type Written, speakingIn } from './writing.ts'

/** Confirms to a party that it is in line, with the link to its place; or says that its table is ready. */
export const lineLetter = async (
  { work, context, venue, settings, mail }: Writing,
  kind: 'lineJoined' | 'linePaged',
): Promise<Written> => {
  const row = await guestPlaceOf(work.db, venue.id, mail.record_id)
  if (!row?.email) return { dropped: 'the party no longer has an address' }
  const until = offerEnds(row)
  if (kind === 'lineJoined' ? !isInLine(row) : until === undefined)
    return { dropped: `the party is ${row.status} by now` }
  const speaking = speakingIn(row.language, settings, venue)
  const { words, formats } = speaking
  const { line } = words
  const token = makePrivateToken(context.secrets, 'place', {
    venue: venue.id,
    record: row.id,
    issue: row.link_issue,
  })
  const guests = formats.number(row.party_size ?? 0)
  // Staff page a party for a table that is about to be left, too: then nothing is held for it.
  const isHeld = kind === 'linePaged' && (await isHeldForPaged(work.db, venue.id, row.id, work.now()))
  const end = isHeld ? await endOfPagedStay(work, row) : undefined
  const said = {
    lineJoined: () => ({
      subject: words.mail.line.joinedSubject(venue.name),
      title: words.mail.line.joinedTitle,
      text:
        row.quoted_minutes === null
          ? words.mail.line.unquoted
          : words.mail.line.joined(formats.number(row.quoted_minutes)),
      state: { tone: 'wait', words: line.state } as const,
    }),
    linePaged: () => ({
      subject: words.mail.line.readySubject(venue.name),
      title: line.readyTitle,
      text: words.mail.line[isHeld ? 'ready' : 'comeBy'](until ? formats.timeAt(until) : ''),
      state: { tone: 'good', words: line.readyState } as const,
    }),
  }[kind]()
  return {
    speaking,
    letter: {
      to: row.email,
      subject: said.subject,
      preheader: said.text,
      state: said.state,
      title: said.title,
      slip: [
        [words.book.guests, guests],
        [words.book.name, row.guest_name ?? ''],
        [line.joined, formats.timeAt(toInstant(row.created_at))],
        ...(end ? [[words.book.until, formats.timeAt(end)] as const] : []),
      ],
      paragraphs: [said.text],
      button: { words: words.mail.line.see, url: `${context.config.publicUrl}/w/${token}` },
    },
  }
}
