import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import {
  inputDate,
  inputEmail,
  inputName,
  inputPhone,
  inputText,
  inputTime,
  integerOrNull,
  momentOrNull,
  openList,
  record,
  recordId,
  textOrNull,
} from '../shapes.ts'

export const checkoutStatuses = ['open', 'completed', 'refused', 'expired'] as const
export type CheckoutStatus = (typeof checkoutStatuses)[number]

/** Why one was refused or expired. */
export const checkoutEnds = [
  'not-paid',
  'given-up',
  'processor-away',
  'seats-full',
  'promo-code-invalid',
  'taken',
  'too-late',
] as const
export type CheckoutEnd = (typeof checkoutEnds)[number]

export const Checkout = record(
  'Checkout',
  'A payment under way, for tickets or to secure a table. It is no record of the venue: no list, feed or event has it.',
  {
    id: 88,
    url: 'https://example.com/pay/AYkIUgAAAAAAAAAAAAAAAAAAAAAA',
    status: 'open',
    totalCents: 19188,
    currency: 'USD',
    expiresAt: '2026-10-06T15:19:05.120Z',
    reservationId: null,
    ticketOrderId: null,
    reason: null,
  },
  {
    id: recordId('checkout'),
    url: textOrNull('The page to lead your guest to, in the same window. It is private to them.'),
    status: openList(
      '`completed`: the order or the reservation is there. `refused`: paid, but no longer to be had, so all of it goes back.',
      checkoutStatuses,
    ),
    totalCents: integerOrNull('What is paid now, in cents; of a card on file, what may be charged later.'),
    currency: textOrNull('ISO 4217.', { examples: ['USD'] }),
    expiresAt: momentOrNull('While `open`: until when the seats or the table are kept.'),
    reservationId: integerOrNull('The reservation it made.'),
    ticketOrderId: integerOrNull('The ticket order it made.'),
    reason: openList('Why it was refused or expired.', checkoutEnds),
  },
)
export type Checkout = Static<typeof Checkout>

const optional = Type.Optional

export const NewCheckout = Type.Object(
  {
    occurrenceId: optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'For tickets: id of the event date, from `GET /occurrences`.',
      }),
    ),
    seats: optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.seatsOfOrder,
        description: 'How many seats; needed with `occurrenceId`.',
      }),
    ),
    promoCode: optional(inputText('Promotion code, in any letter case.')),
    buyerFirstName: optional(inputText("The buyer's first name.", limits.nameCharacters)),
    buyerLastName: optional(inputText("The buyer's last name.", limits.nameCharacters)),
    buyerEmail: optional(inputEmail('Needed with `occurrenceId`: the tickets are emailed there.')),
    buyerPhone: optional(inputPhone("The buyer's phone number, kept as typed.")),
    hold: optional(
      inputText(
        'For a table: the id of a hold of yours, in place of `date`, `time` and `partySize`.',
        limits.holdIdCharacters,
      ),
    ),
    date: optional(inputDate('For a table: calendar date of the arrival at the venue, YYYY-MM-DD.')),
    time: optional(inputTime('Arrival time at the venue.')),
    partySize: optional(
      Type.Integer({ minimum: 1, maximum: limits.partyGuests, description: 'Number of guests.' }),
    ),
    experience: optional(
      inputText(
        'For a table: the `key` of what the guest chooses with it, from `GET /availability`; needed where there is something to choose.',
        limits.experienceKeyCharacters,
      ),
    ),
    guestName: optional(inputName('Needed for a table.')),
    email: optional(inputEmail('Needed for a table: the receipt is emailed there.')),
    phone: optional(inputPhone("The guest's phone number, kept as typed.")),
    notes: optional(inputText('What the venue should know.', limits.notesCharacters)),
    returnUrl: Type.String({
      description:
        'Where the guest comes back to, with `checkout={id}` added: https, on a site that the venue has listed in the office under Settings, Guest pages.',
      maxLength: limits.urlCharacters,
      examples: ['https://www.example.com/thanks'],
    }),
  },
  {
    title: 'NewCheckout',
    description: 'Tickets to be paid for, or a table to be secured.',
    examples: [
      {
        occurrenceId: 31,
        seats: 2,
        buyerFirstName: 'Maya',
        buyerLastName: 'Okafor',
        buyerEmail: 'maya.okafor@example.com',
        returnUrl: 'https://www.example.com/thanks',
      },
    ],
  },
)
export type NewCheckout = Static<typeof NewCheckout>
