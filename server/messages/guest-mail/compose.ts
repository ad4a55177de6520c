import type { GuestMailKind } from '../../mail/guest-mail-kinds.ts'
import { bookingLetter } from './booking.ts'
import { inquiryLetter } from './inquiry.ts'
import { lineLetter } from './line.ts'
import { listLetter } from './list.ts'
import { newsLetter } from './news.ts'
import { placeLetter } from './place.ts'
import { proofLetter } from './proof.ts'
import { staffLetter } from './staff.ts'
import { tableAskedLetter, tableSecuredLetter } from './tables/table-asked.ts'
import { tableChargedLetter, tableReceiptLetter } from './tables/table-charged.ts'
import { tableRefundedLetter } from './tables/table-refunded.ts'
import { tableRefusedLetter } from './tables/table-refused.ts'
import { ticketsLetter, ticketsRefundedLetter, ticketsRefusedLetter } from './tickets.ts'
import { weeklyLetter } from './weekly/weekly-letter.ts'
import type { Writing, Written } from './writing.ts'

const writers: Readonly<Record<GuestMailKind, (writing: Writing) => Promise<Written>>> = {
  newsConfirm: (writing) => newsLetter(writing, 'newsConfirm'),
  newsReminder: (writing) => newsLetter(writing, 'newsReminder'),
  inquiryReceived: inquiryLetter,
  bookingReceived: (writing) => bookingLetter(writing, 'bookingReceived'),
  bookingConfirmed: (writing) => bookingLetter(writing, 'bookingConfirmed'),
  bookingDeclined: (writing) => bookingLetter(writing, 'bookingDeclined'),
  bookingChanged: (writing) => bookingLetter(writing, 'bookingChanged'),
  bookingChangeDeclined: (writing) => bookingLetter(writing, 'bookingChangeDeclined'),
  bookingCancelled: (writing) => bookingLetter(writing, 'bookingCancelled'),
  bookingCancelledByGuest: (writing) => bookingLetter(writing, 'bookingCancelledByGuest'),
  bookingReminder: (writing) => bookingLetter(writing, 'bookingReminder'),
  bookingLink: (writing) => bookingLetter(writing, 'bookingLink'),
  bookingStranded: (writing) => bookingLetter(writing, 'bookingStranded'),
  proofAsked: proofLetter,
  lineJoined: (writing) => lineLetter(writing, 'lineJoined'),
  linePaged: (writing) => lineLetter(writing, 'linePaged'),
  listJoined: (writing) => listLetter(writing, 'listJoined'),
  listOffered: (writing) => listLetter(writing, 'listOffered'),
  listLapsed: (writing) => listLetter(writing, 'listLapsed'),
  placeLink: placeLetter,
  tickets: ticketsLetter,
  ticketsRefused: ticketsRefusedLetter,
  ticketsRefunded: ticketsRefundedLetter,
  tableRefused: tableRefusedLetter,
  tableReceipt: tableReceiptLetter,
  tableCharged: tableChargedLetter,
  tableRefunded: tableRefundedLetter,
  tableAsked: tableAskedLetter,
  tableSecured: tableSecuredLetter,
  staffBooking: (writing) => staffLetter(writing, 'staffBooking'),
  staffChange: (writing) => staffLetter(writing, 'staffChange'),
  staffList: (writing) => staffLetter(writing, 'staffList'),
  staffInquiry: (writing) => staffLetter(writing, 'staffInquiry'),
  weeklyLetter,
}

/** Writes a mail from the record as it is now. */
export const composeLetter = (writing: Writing): Promise<Written> => writers[writing.mail.kind](writing)
