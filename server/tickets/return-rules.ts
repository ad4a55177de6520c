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
}

export type PaidSeats = {
  readonly seats: number
  readonly seats_returned: number
  readonly total_cents: number
  readonly fee_cents: number
}

/**
 * What of the money for an order its seats share among them: all that is left, but for the fees that the venue kept of seats
 * that went back before. So nobody gets more by returning seats one by one. `refunds`: in the order they were made.
 */
export const centsToShare = (order: PaidSeats, refunds: readonly RefundOfSeats[]): number => {
  const { seats: seatsSold, fee_cents: feeCents } = order
  const back = refunds.filter(({ state }) => state === 'pending' || state === 'succeeded')
  const arrived = back.reduce((sum, { state, seats }) => sum + (state === 'succeeded' ? seats : 0), 0)
  // Seats that went back without a refund that says so, such as with one that failed later.
  let seatsLeft = seatsSold - Math.max(0, order.seats_returned - arrived)
  let cents = order.total_cents
  for (const { amount_cents: amount, seats } of back) {
    const part = seats > 0 && seatsLeft > 0 ? Math.floor((cents * seats) / seatsLeft) : 0
    const kept = Math.min(Math.max(0, part - amount), feeOf({ seats, seatsSold, feeCents }))
    cents -= amount + kept
    seatsLeft -= seats
  }
  return Math.max(0, cents)
}

const feeOf = ({
  seats,
  seatsSold,
  feeCents,
}: Pick<SeatsReturned, 'seats' | 'seatsSold' | 'feeCents'>): number =>
  Math.ceil((feeCents * seats) / seatsSold)
