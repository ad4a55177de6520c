import { choiceInWords } from '../guest-words/choices.ts'
import { factsForMachines } from '../../platform/html/html.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { offsetFromUtc } from '../../platform/kernel/time/venue-clock.ts'
import { hasLaterGuestMail } from '../../mail/guest-mail-queue.ts'
import { bookedReservation } from '../../book/day/book-row.ts'
import { experienceInWords } from '../../book/reservations/guest/experience-words.ts'
import { guestBookingOf } from '../../book/reservations/guest/guest-booking.ts'
import { cancelLimitOf, guestEndOf, guestLimitOf } from '../../book/reservations/guest/guest-limit.ts'
import type { BookingMail } from '../../book/reservations/guest/booking-mails.ts'
import { factsOf } from '../../mail/guest-mail-kinds.ts'
import { messageToStranded } from '../../book/reservations/guest/stranded-bookings.ts'
import { referenceOf } from '../../book/reservations/reference.ts'
import { referenceKeyOf } from '../../core/venue/reference-key.ts'
import { guestText } from '../../core/venue/guest-settings-rules.ts'
import { type TimedBooking, calendarEntryOf, isTimed, momentInWords, whenInWords } from './booking-facts.ts'
import { behindOf, guaranteeFact } from './guarantee-facts.ts'
import { calendarFile, calendarType, takesOffCalendar } from './calendar-file.ts'
import { type Writing, type Written, bookingLink, speakingIn } from './writing.ts'

/** Which states of a booking a mail is still true of; others have a mail of their own. */
const trueOf: Readonly<Record<BookingMail, readonly string[]>> = {
  bookingReceived: ['Requested'],
  bookingConfirmed: ['Confirmed'],
  bookingDeclined: ['Cancelled'],
  bookingChanged: ['Requested', 'Confirmed'],
  bookingChangeDeclined: ['Confirmed'],
  bookingCancelled: ['Cancelled'],
  bookingCancelledByGuest: ['Cancelled'],
  bookingReminder: ['Confirmed'],
  bookingLink: ['Requested', 'Confirmed'],
  bookingStranded: ['Requested', 'Confirmed'],
}

const tones = { Requested: 'wait', Confirmed: 'good', Cancelled: 'bad' } as const

/** A mail about a booking, in its current state when the mail is sent. */
export const bookingLetter = async (
  { work, context, venue, settings, mail }: Writing,
  kind: BookingMail,
): Promise<Written> => {
  const { db } = work
  const row = await bookedReservation(db, venue.id, mail.record_id)
  const said = await guestBookingOf(db, venue.id, mail.record_id)
  if (!row) return { dropped: 'the booking was deleted' }
  if (!said || row.email === null || !isTimed(row)) return { dropped: 'the booking no longer has an address' }
  if (!trueOf[kind].includes(row.status)) return { dropped: `the booking is ${row.status} by now` }
  // It may have been moved to an earlier time since the mail was queued.
  if (!factsOf(kind).isOfPast && Temporal.Instant.compare(work.now(), toInstant(row.starts_at)) >= 0)
    return { dropped: 'the booking has begun' }
  if (kind === 'bookingReminder' && (await hasLaterGuestMail(db, venue.id, mail)))
    return { dropped: 'the booking was moved; it has another reminder' }
  const message =
    kind === 'bookingStranded' ? await messageToStranded(work, row.id, toInstant(mail.made_at)) : undefined
  if (message === null) return { dropped: 'the booking was moved, spoken about, or has a service again' }
  const speaking = speakingIn(said.language, settings, venue)
  const { words, formats } = speaking
  const { book } = words
  const url = bookingLink(context, venue.id, said)
  const texts = words.mail.booking[kind]
  const guests = formats.number(row.party_size ?? 0)
  const when = `${formats.shortDay(row.date)}, ${formats.time(row.time)}`
  const policy = guestText(settings, 'policy', speaking.language)
  const isOver = row.status === 'Cancelled'
  const [limit, cancelLimit] = [await guestLimitOf(work, row), await cancelLimitOf(work, row)]
  const end = await guestEndOf(work, row)
  const guarantee = await behindOf(work, row)
  const experience = await experienceInWords(work, row, [speaking.language, settings.language])
  const foot = isOver
    ? []
    : [
        policy,
        // Where canceling has another limit, the sentence about the card or the deposit says it.
        limit &&
          cancelLimit?.equals(limit) &&
          words.mail.changeUntil(momentInWords(limit, { words, formats, venue })),
      ].filter(Boolean)
  const reference = referenceOf(await referenceKeyOf(db, venue.id), row.id)
  const entry = calendarEntryOf(row, venue, {
    words,
    formats,
    url,
    host: new URL(context.config.publicUrl).hostname,
    reference,
    settings,
    now: work.now(),
  })
  // A request that was never confirmed is in no calendar.
  const takesOff = isOver && said.calendar_sent && takesOffCalendar(entry)
  const where = [venue.name, (venue.postal_address ?? '').replaceAll(/\r?\n/g, ', ')]
    .filter(Boolean)
    .join('\n')
  const states = { Requested: book.requested, Confirmed: book.confirmed, Cancelled: book.cancelled } as const
  const status = row.status as keyof typeof states
  return {
    speaking,
    letter: {
      to: row.email,
      subject: texts.subject(venue.name, when),
      preheader: `${texts.text(venue.name)} ${when}`,
      // What the venue writes comes first: it may be that nobody is expected.
      ...(message === undefined && { state: { tone: tones[status], words: states[status] } }),
      title: texts.title,
      slip: [
        [book.guests, guests],
        [book.date, formats.shortDay(row.date)],
        [book.time, formats.time(row.time)],
      ],
      paragraphs:
        message === undefined
          ? [[texts.text(venue.name), takesOff && words.mail.offCalendar].filter(Boolean).join(' ')]
          : [texts.text(venue.name), ...message.split(/\n+/)],
      facts: [
        [book.number, reference],
        ...(row.guest_name === null ? [] : [[book.name, row.guest_name] as const]),
        [book.when, whenInWords(row, formats)],
        ...(experience === undefined ? [] : [[words.experience.label, experience] as const]),
        ...(end && !isOver ? [[book.until, formats.timeAt(end)] as const] : []),
        [book.where, where],
        ...(said.occasion === null || isOver
          ? []
          : [[book.occasion, choiceInWords(words, 'occasions', said.occasion)] as const]),
        ...(said.seating === null || isOver
          ? []
          : [[book.seat, book.seatWish(choiceInWords(words, 'seatings', said.seating))] as const]),
        ...(said.note === null || isOver ? [] : [[book.yourNote, said.note] as const]),
        ...(guarantee ? securedFact(guarantee, { words, formats, venue }, row, work.now()) : []),
      ],
      ...(isOver
        ? settings.doors.includes('book') && {
            button: {
              words: book.title,
              url: `${context.config.publicUrl}/v/${venue.slug}/book?size=${row.party_size ?? 2}&lang=${speaking.language}`,
            },
          }
        : {
            button: {
              words: kind === 'bookingReminder' ? book.coming : words.mail.changeOrCancel,
              url: kind === 'bookingReminder' ? `${url}?do=coming` : url,
            },
          }),
      ...(kind === 'bookingReminder' && {
        link: { words: words.mail.cancelLink, url: `${url}?do=cancel` },
      }),
      ...(foot.length > 0 && { foot: foot.join(' ') }),
      ...((isOver ? takesOff : row.status !== 'Requested' && message === undefined) && {
        attachments: [{ name: 'table.ics', type: calendarType(entry), content: calendarFile(entry) }],
      }),
      ...(message === undefined && {
        factsForMachines: factsForMachines(machineFacts(row, venue, { guests, reference })),
      }),
    },
  }
}

const securedFact = (...given: Parameters<typeof guaranteeFact>): readonly (readonly [string, string])[] => {
  const [label, sentences] = guaranteeFact(...given)
  return sentences.length === 0 ? [] : [[label, sentences.join('\n')]]
}

/** As Google's and others' mail programs read them. */
const machineFacts = (
  row: TimedBooking,
  venue: { readonly name: string; readonly postal_address: string | null },
  { guests, reference }: { readonly guests: string; readonly reference: string },
): object => ({
  '@context': 'http://schema.org',
  '@type': 'FoodEstablishmentReservation',
  reservationNumber: reference,
  reservationStatus: `http://schema.org/Reservation${row.status === 'Requested' ? 'Pending' : row.status}`,
  underName: { '@type': 'Person', name: row.guest_name ?? '' },
  reservationFor: {
    '@type': 'FoodEstablishment',
    name: venue.name,
    ...(venue.postal_address !== null && { address: venue.postal_address.replaceAll(/\r?\n/g, ', ') }),
  },
  startTime: `${row.date}T${row.time}:00${offsetFromUtc(row, toInstant(row.starts_at))}`,
  partySize: guests,
})
