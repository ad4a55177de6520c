export type SeatsReturned = {
  readonly seats: number
  /** Seats that the order has, and what is left of what was paid for them. */
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
  const kept = keepsFee ? Math.ceil((feeCents * seats) / seatsSold) : 0
  return Math.max(0, Math.floor((part - kept) / coin) * coin)
}
