import type { HoldId } from '../reservations/holds/hold-reads.ts'

export type ExperienceAsked = {
  readonly key: string
  /** They agreed to it before: what was changed of it since does not count, only whether there is room. */
  readonly isAgreed?: boolean
}

/** What the party being judged already has in the book, and does not count against it. */
export type Own = {
  /** The booking that is being moved, along with any change requested for it. */
  readonly reservation?: number | undefined
  /** That booking keeps its place meanwhile: it waits for an answer. */
  readonly staying?: boolean
  /** It sits down now, gets up again to come at its own time, or comes back to the book: nobody without a table keeps it from one. */
  readonly turns?: 'down' | 'up' | 'back' | undefined
  /** A machine asks, and no person: what a press of staff freed is kept from it while the press can be undone. */
  readonly isMachine?: boolean
  /** What they held while they made up their mind. */
  readonly hold?: HoldId | undefined
  /** What it chose with its time: how many have that in the evening is read as well. */
  readonly experience?: ExperienceAsked | undefined
  /** The party on the waitlist that it is for, with the tables it was paged for. */
  readonly entry?: number | undefined
}
