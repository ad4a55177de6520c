import { wireAddress } from '../../mail/mime/header-text.ts'
import { formatsFor } from '../guest-words/formats.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { leadById } from '../../crm/leads/reads.ts'
import { hasLaterGuestMail } from '../../mail/guest-mail-queue.ts'
import { bookedReservation } from '../../book/day/book-row.ts'
import { guestBookingOf } from '../../book/reservations/guest/guest-booking.ts'
import { pendingChange } from '../../book/reservations/change/pending-change.ts'
import type { StaffMail } from '../../mail/mail-staff.ts'
import { guestPlaceOf } from '../../book/waitlist/guest-place.ts'
import { isTimed, whenInWords } from './booking-facts.ts'
import { eventDateInWords } from './inquiry.ts'
import type { Letter } from './letter.ts'
import { windowInWords } from './list.ts'
import { type Speaking, type Writing, type Written, speakingIn } from './writing.ts'
import { phoneIn } from '../../platform/kernel/phone/shown-phone.ts'

/* Mails to the venue's staff about what a guest asks of them, in English like the office they lead to. */

/** What a mail to staff says; who it is to and why they get it is the same in all of them. */
type StaffWords = {
  readonly subject: string
  readonly title: string
  readonly paragraph: string
  readonly guest: {
    readonly name: string | null
    readonly email: string | null
    readonly phone: string | null
  }
  readonly slip?: Letter['slip']
  /** What the guest said, in order; what they left out is null. */
  readonly said: readonly (readonly [label: string, value: string | null])[]
  /** In the office, where it is answered. */
  readonly button: { readonly words: string; readonly path: string }
}

type Dropped = { readonly dropped: string }

/** Tells staff what a guest asks for, as of when the mail is sent; nothing if it was answered in the meantime. */
export const staffLetter = async (writing: Writing, kind: StaffMail): Promise<Written> => {
  const { settings, venue, context } = writing
  if (settings.staffMail === null) return { dropped: 'there is no longer an address for staff' }
  const speaking = {
    ...speakingIn('en', settings, venue),
    formats: formatsFor('en', venue, venue.clock_hours),
  }
  const words = await wordsFor[kind](writing, speaking)
  if ('dropped' in words) return words
  const { guest, button } = words
  const facts = [
    ['Name', guest.name],
    ['Email', guest.email],
    ['Phone', guest.phone && phoneIn(venue.country, guest.phone).words],
    ...words.said,
  ] as const
  return {
    speaking,
    letter: {
      to: settings.staffMail,
      // Null if it cannot go over the wire: the mail still comes, with the address in the body.
      replyTo: guest.email === null ? null : wireAddress(guest.email),
      subject: words.subject,
      preheader: words.paragraph,
      title: words.title,
      ...(words.slip && { slip: words.slip }),
      paragraphs: [words.paragraph],
      facts: facts.flatMap(([label, value]) => (value === null || value === '' ? [] : [[label, value]])),
      button: { words: button.words, url: `${context.config.publicUrl}${button.path}` },
      why:
        'You get this email because this address is set in the office under Settings, Guest pages. ' +
        (guest.email === null
          ? 'The guest left no email address, so a reply does not reach them.'
          : 'A reply goes to the guest.'),
    },
  }
}

const wordsFor: Readonly<
  Record<StaffMail, (writing: Writing, speaking: Speaking) => Promise<StaffWords | Dropped>>
> = {
  staffBooking: async ({ work, venue, mail }, { formats }) => {
    const row = await bookedReservation(work.db, venue.id, mail.record_id)
    const said = await guestBookingOf(work.db, venue.id, mail.record_id)
    if (!row || !isTimed(row)) return { dropped: 'the booking is gone' }
    if (row.status !== 'Requested') return { dropped: `the booking is ${row.status} by now` }
    const guests = formats.number(row.party_size ?? 0)
    return {
      subject: `New request: party of ${guests}, ${formats.shortDay(row.date)}, ${formats.time(row.time)}`,
      title: 'A guest requests a table',
      paragraph: 'Confirm or decline it in the office.',
      guest: { name: row.guest_name, email: row.email, phone: row.phone },
      slip: [
        ['Guests', guests],
        ['Date', formats.shortDay(row.date)],
        ['Time', formats.time(row.time)],
      ],
      said: [
        ['When', whenInWords(row, formats)],
        ['Please look', said?.two_at_once ? 'They have two other bookings at that time.' : null],
        ['Occasion', said?.occasion ?? null],
        ['Seating', said?.seating ?? null],
        ['Opted in to', said?.answers.join('; ') ?? null],
        ['Their note', row.notes],
      ],
      button: { words: 'Answer the request', path: `/office/bookings/${row.id}` },
    }
  },

  staffChange: async ({ work, venue, mail }, { formats }) => {
    const row = await bookedReservation(work.db, venue.id, mail.record_id)
    const change = await pendingChange(work.db, venue.id, mail.record_id, work.now())
    if (!row || !isTimed(row)) return { dropped: 'the booking is gone' }
    if (!change) return { dropped: 'the change is no longer waiting for an answer' }
    if (await hasLaterGuestMail(work.db, venue.id, mail))
      return { dropped: 'another change was asked for since' }
    const asked = `${formats.shortDay(change.date)}, ${formats.time(change.time)}`
    const before = formats.number(row.party_size ?? 0)
    return {
      subject: `Change asked for: booking ${row.id}, ${asked}`,
      title: 'A guest asks to change a booking',
      paragraph: 'The booking keeps its table until you answer in the office.',
      guest: { name: row.guest_name, email: row.email, phone: row.phone },
      slip: [
        ['Guests', formats.number(change.party_size)],
        ['Date', formats.shortDay(change.date)],
        ['Time', formats.time(change.time)],
      ],
      said: [['Booked now', `Party of ${before}, ${whenInWords(row, formats)}`]],
      button: { words: 'Answer the change', path: `/office/bookings/${row.id}` },
    }
  },

  staffList: async ({ work, venue, mail }, { formats }) => {
    const row = await guestPlaceOf(work.db, venue.id, mail.record_id)
    if (!row) return { dropped: 'the party is gone' }
    if (row.status !== 'waiting') return { dropped: `the party is ${row.status} by now` }
    const guests = formats.number(row.party_size ?? 0)
    const day = formats.shortDay(row.service_date ?? row.date ?? '')
    const window = windowInWords(row, formats)
    return {
      subject: `On the list: party of ${guests}, ${day}`,
      title: 'A guest joined the list',
      paragraph: 'They would like to hear from you when a table opens up.',
      guest: { name: row.guest_name, email: row.email, phone: row.phone },
      slip: [
        ['Guests', guests],
        ['Date', day],
        ['Time', window],
      ],
      said: [['Joined', formats.timeAt(toInstant(row.created_at))]],
      button: { words: 'See the list', path: `/office/waitlist#w${row.id}` },
    }
  },

  staffInquiry: async ({ work, venue, mail }, { formats }) => {
    const lead = await leadById(work.db, venue.id, mail.record_id)
    if (!lead) return { dropped: 'the inquiry is gone' }
    return {
      subject: `Private event inquiry: ${lead.occasion ?? lead.contact_name ?? lead.id}`,
      title: 'A guest asks about a private event',
      paragraph: 'Nothing is booked yet; they wait to hear from you.',
      guest: { name: lead.contact_name, email: lead.contact_email, phone: lead.contact_phone },
      said: [
        ['Occasion', lead.occasion],
        ['Guests', lead.guest_count],
        // Their own words, or a date a form has written.
        ['Date', lead.event_date && eventDateInWords(lead.event_date, formats)],
        ['Budget per person', lead.budget_per_person],
        ['Style', lead.dining_style],
        ['Dietary needs', lead.dietary_needs],
        ['Their words', lead.notes],
      ],
      button: { words: 'Open the lead', path: `/office/leads/${lead.id}` },
    }
  },
}
