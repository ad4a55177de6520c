import type { NewCheckout } from '@venue-data/contract/records/checkout.ts'
import type { When } from '../../../book/day/when.ts'
import { readWhen } from '../../../book/day/when.ts'
import { type HoldId, isHoldId } from '../../../book/reservations/holds/hold-reads.ts'
import { inBody } from '../../../platform/kernel/problem.ts'
import { type Refusal, badRequest, notFound } from '../../../platform/kernel/refusal.ts'
import type { Buyer } from '../../order-writes.ts'

/** Tickets to be paid for. */
export type TicketsAsked = {
  readonly what: 'tickets'
  readonly occurrenceId: number
  readonly seats: number
  readonly promoCode: string
  readonly buyer: Buyer & { readonly email: string }
}

/** A table to be secured: at a time, or in the place that a hold of the same key keeps. */
export type TableWanted = {
  readonly what: 'table'
  readonly place: (When & { readonly partySize: number }) | { readonly hold: HoldId }
  /** The key of what goes with it. */
  readonly experience: string | undefined
  readonly guestName: string
  readonly email: string
  readonly phone: string | null
  readonly notes: string | null
}

export type CheckoutAsked = (TicketsAsked | TableWanted) & { readonly returnUrl: URL }

/** What a body asks for. Throws 400 for what is missing, for both at once, and for an address that is not https. */
export const readCheckout = (body: NewCheckout, zone: string, now: Temporal.Instant): CheckoutAsked => {
  const returnUrl = readReturnUrl(body.returnUrl)
  const forTable = tableFields.filter((field) => body[field] !== undefined)
  if (body.occurrenceId === undefined) {
    if (forTable.length === 0) throw badRequest(eitherOr, inBody('occurrenceId', 'missing'))
    return { ...readTable(body, zone, now), returnUrl }
  }
  const [field] = forTable
  if (field !== undefined) throw badRequest(eitherOr, inBody(field, 'not-here'))
  return { ...readTickets(body, body.occurrenceId), returnUrl }
}

const tableFields = ['hold', 'date', 'time', 'partySize', 'experience'] as const

const eitherOr =
  'Send occurrenceId for tickets; for a table send hold, or date, time and partySize. Not both in one checkout.'

const readTickets = (body: NewCheckout, occurrenceId: number): TicketsAsked => {
  const { seats, buyerEmail: email } = body
  if (seats === undefined) throw missing('seats')
  if (email === undefined) throw missing('buyerEmail')
  return {
    what: 'tickets',
    occurrenceId,
    seats,
    promoCode: body.promoCode ?? '',
    buyer: {
      firstName: body.buyerFirstName ?? null,
      lastName: body.buyerLastName ?? null,
      email,
      phone: body.buyerPhone ?? null,
    },
  }
}

const readTable = (body: NewCheckout, zone: string, now: Temporal.Instant): TableWanted => {
  const { guestName, email } = body
  const place = readPlace(body, zone, now)
  if (guestName === undefined) throw missing('guestName')
  if (email === undefined) throw missing('email')
  return {
    ...{ what: 'table', place, guestName, experience: body.experience },
    ...{ email: email.trim(), phone: body.phone ?? null, notes: body.notes ?? null },
  }
}

const readPlace = (body: NewCheckout, zone: string, now: Temporal.Instant): TableWanted['place'] => {
  const { hold, date, time, partySize } = body
  if (hold === undefined) {
    const when = readWhen({ date, time, startsAt: undefined }, zone, now)
    if (partySize === undefined) throw missing('partySize')
    return { ...when, partySize }
  }
  if (date !== undefined || time !== undefined || partySize !== undefined)
    throw badRequest(
      'Send hold alone: its date, time and number of guests are known.',
      inBody('hold', 'not-here'),
    )
  // Any other text is the id of no hold.
  if (!isHoldId(hold)) throw notFound('hold')
  return { hold }
}

const missing = (field: string): Refusal => badRequest(`${field} is required.`, inBody(field, 'missing'))

const readReturnUrl = (text: string): URL => {
  const url = URL.parse(text)
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url
  throw badRequest(
    'returnUrl must be an https address, such as https://www.example.com/thanks.',
    inBody('returnUrl', 'not-an-address'),
  )
}
