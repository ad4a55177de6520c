export type SeatsReturned = {
  readonly seats: number
  /** Seats that the order has, and what is left of what was paid for them (`centsToShare`). */
  readonly seatsLeft: number
  readonly centsLeft: number
  /** Of the whole order: its seats, and the venue's fee on them. */
  readonly seatsSold: number
  readonly feeCents: number
  readonly keepsFee: boolean
  /** The least amount of the currency. */
  readonly coin: number
}

/** What comes back for seats that a buyer returns: their part of what is left, less the fee where the venue keeps it. */
export const centsBackFor = (returned: SeatsReturned): number => {
  const { seats, seatsLeft, centsLeft, seatsSold, feeCents, keepsFee, coin } = returned
  if (seats < 1 || seats > seatsLeft) return 0
  const part = Math.floor((centsLeft * seats) / seatsLeft)
  const kept = keepsFee ? feeOf({ seats, seatsSold, feeCents }) : 0
  return Math.max(0, Math.floor((part - kept) / coin) * coin)
}

export type RefundOfSeats = {
  readonly state: string
  readonly amount_cents: number
  readonly seats: number
  /** Seats that had gone back with it before it failed, or with the one that it is another try of. */
  readonly gone_seats: number
}

export type PaidSeats = {
  readonly seats: number
  readonly seats_returned: number
  readonly total_cents: number
  readonly fee_cents: number
}

/**
 * What of the money for an order its seats share among them: all that is left, but for the fees that the venue kept of seats
 * that went back before, and for money of such seats that did not arrive. So nobody gets more by returning seats one by one.
 * `refunds`: in the order they were made.
 */
export const centsToShare = (order: PaidSeats, refunds: readonly RefundOfSeats[]): number => {
  const { seats: seatsSold, fee_cents: feeCents } = order
  const back = refunds.filter(isOfItsSeats)
  const said = back.reduce(
    (sum, { state, seats, gone_seats: gone }) => sum + gone + (state === 'succeeded' ? seats : 0),
    0,
  )
  // Seats that went back without a refund that says so.
  let seatsLeft = seatsSold - Math.max(0, order.seats_returned - said)
  let cents = order.total_cents
  for (const { amount_cents: amount, seats: going, gone_seats: gone } of back) {
    const seats = going + gone
    const part = seats > 0 && seatsLeft > 0 ? Math.floor((cents * seats) / seatsLeft) : 0
    const kept = Math.min(Math.max(0, part - amount), feeOf({ seats, seatsSold, feeCents }))
    cents -= amount + kept
    seatsLeft -= seats
  }
  return Math.max(0, cents)
}

/** What failed once its seats had gone back is still theirs, whether it is sent again or was settled in another way. */
const isOfItsSeats = ({ state, gone_seats: gone }: RefundOfSeats): boolean =>
  state === 'pending' || state === 'succeeded' || (gone > 0 && (state === 'failed' || state === 'dismissed'))

const feeOf = ({
  seats,
  seatsSold,
  feeCents,
}: Pick<SeatsReturned, 'seats' | 'seatsSold' | 'feeCents'>): number =>
  Math.ceil((feeCents * seats) / seatsSold)
