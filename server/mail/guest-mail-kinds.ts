/** The record that a mail is about, by the number in its row. */
type MailRecord =
  | 'subscriber'
  | 'inquiry'
  | 'booking'
  /** A booking, for what is paid or kept for its table. */
  | 'table'
  /** A booking that its guest has still to prove. */
  | 'proof'
  /** An entry of the waitlist. */
  | 'entry'
  | 'order'
  | 'checkout'
  | 'refund'
  | 'account'

type MailFacts = {
  /** Staff at the venue's address for them; a person of the staff at their own. */
  readonly to: 'guest' | 'staff' | 'person'
  readonly record: MailRecord
  /**
   * Whether it counts against its address's hourly limit, which keeps strangers from sending mail to somebody through us:
   * not mails to staff, nor what a guest has to know at once from the venue, whoever of it says so, its software too: a table
   * is ready, or there will be none. What staff just did is never counted (`by_staff`).
   */
  readonly isPaced: boolean
  /** Whether it is still worth saying when what it is about has begun. */
  readonly isOfPast?: true
}

/** Every mail of the service to one person. */
export const guestMails = {
  newsConfirm: { to: 'guest', record: 'subscriber', isPaced: true },
  newsReminder: { to: 'guest', record: 'subscriber', isPaced: true },
  inquiryReceived: { to: 'guest', record: 'inquiry', isPaced: true },
  bookingReceived: { to: 'guest', record: 'booking', isPaced: true },
  bookingConfirmed: { to: 'guest', record: 'booking', isPaced: true },
  bookingDeclined: { to: 'guest', record: 'booking', isPaced: false, isOfPast: true },
  bookingChanged: { to: 'guest', record: 'booking', isPaced: true },
  bookingChangeDeclined: { to: 'guest', record: 'booking', isPaced: true },
  bookingCancelled: { to: 'guest', record: 'booking', isPaced: false, isOfPast: true },
  bookingCancelledByGuest: { to: 'guest', record: 'booking', isPaced: true, isOfPast: true },
  bookingReminder: { to: 'guest', record: 'booking', isPaced: true },
  bookingLink: { to: 'guest', record: 'booking', isPaced: true },
  bookingStranded: { to: 'guest', record: 'booking', isPaced: false },
  proofAsked: { to: 'guest', record: 'proof', isPaced: true },
  lineJoined: { to: 'guest', record: 'entry', isPaced: true },
  linePaged: { to: 'guest', record: 'entry', isPaced: false },
  listJoined: { to: 'guest', record: 'entry', isPaced: true },
  listOffered: { to: 'guest', record: 'entry', isPaced: true },
  listLapsed: { to: 'guest', record: 'entry', isPaced: true },
  placeLink: { to: 'guest', record: 'entry', isPaced: true },
  tickets: { to: 'guest', record: 'order', isPaced: true },
  ticketsRefused: { to: 'guest', record: 'checkout', isPaced: true },
  ticketsRefunded: { to: 'guest', record: 'refund', isPaced: true },
  tableRefused: { to: 'guest', record: 'checkout', isPaced: true },
  tableReceipt: { to: 'guest', record: 'table', isPaced: true },
  tableCharged: { to: 'guest', record: 'table', isPaced: true },
  tableRefunded: { to: 'guest', record: 'refund', isPaced: true },
  tableAsked: { to: 'guest', record: 'table', isPaced: true },
  tableSecured: { to: 'guest', record: 'table', isPaced: true },
  staffBooking: { to: 'staff', record: 'booking', isPaced: false },
  staffChange: { to: 'staff', record: 'booking', isPaced: false },
  staffList: { to: 'staff', record: 'entry', isPaced: false },
  staffInquiry: { to: 'staff', record: 'inquiry', isPaced: false },
  weeklyLetter: { to: 'person', record: 'account', isPaced: false },
} as const satisfies Readonly<Record<string, MailFacts>>

export type GuestMailKind = keyof typeof guestMails

/** The kinds of which this is so. */
export type MailsWhere<Facts> = {
  [Kind in GuestMailKind]: (typeof guestMails)[Kind] extends Facts ? Kind : never
}[GuestMailKind]

export const mailsWhere = <const Facts extends Partial<MailFacts>>(facts: Facts): MailsWhere<Facts>[] =>
  (Object.keys(guestMails) as GuestMailKind[]).filter((kind) => {
    const known: MailFacts = guestMails[kind]
    return Object.entries(facts).every(([name, value]) => known[name as keyof MailFacts] === value)
  }) as MailsWhere<Facts>[]

export const factsOf = (kind: GuestMailKind): MailFacts => guestMails[kind]
