import type { GuestDoor } from '../../../core/venue/guest-settings-rules.ts'

/** The pages of each guest door that are counted, in their order. */
export const steps = {
  book: ['opened', 'times', 'none-open', 'chosen', 'details', 'paying', 'booked'],
  tickets: ['opened', 'date', 'details', 'paying', 'booked'],
  waitlist: ['opened', 'done'],
  enquire: ['opened', 'done'],
  news: ['opened', 'done'],
} as const satisfies Record<GuestDoor, readonly string[]>
export type Step = (typeof steps)[GuestDoor][number]

/** What a page is counted by, each for itself and never crossed. */
export const dimensions = ['all', 'from', 'campaign', 'language', 'device', 'site'] as const
export type Dimension = (typeof dimensions)[number]

/** The value of `all`. */
export const everybody = 'all'
/** What the values beyond `mostValues` are counted as. */
export const otherValues = 'other'

/** Values of a dimension of a door that have a count of their own, on a day and in a report. */
export const mostValues = 50

/** Characters of a value; a campaign's name has fewer. */
export const mostOfValue = 200
