import type { HoldId } from './hold-reads.ts'

/** What whoever is judged has in the book already, and does not count against them. */
export type Own = {
  /** The booking that is being placed anew, with what was asked for it. */
  readonly reservation?: number | undefined
  /** That booking keeps its place meanwhile: it waits for an answer. */
  readonly staying?: boolean
  /** It sits down now, or gets up again to come at its own time: nobody who is without a table keeps it from one. */
  readonly turns?: 'down' | 'up' | undefined
  /** What they held while they made up their mind. */
  readonly hold?: HoldId | undefined
  /** The party on the waitlist that it is for, with the tables it was paged for. */
  readonly entry?: number | undefined
}
