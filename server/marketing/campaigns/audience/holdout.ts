import { numberInWords } from '../../../platform/kernel/time/in-words.ts'

/*
 * A share of each list may get nothing, so that what a campaign brought can be said: by how many more booked of those who got it
 * than of those who did not.
 */

/** Fewer people than this show nothing, so nobody is held back. */
export const leastForHoldout = 100

/** Half of a list: beyond that most people would be held back. */
export const holdoutMost = 50

/** With fewer on either side, reports cannot say what a campaign brought. */
export const enoughToCompare = 100

/**
 * "From 100 held back on, reports can say what a campaign brought: about 9% of 1,171 people."; undefined where so many are held
 * back already. `percent`: the share that was too small.
 */
export const whatItTakes = ({
  people,
  held,
  percent,
}: {
  readonly people: number
  readonly held: number
  readonly percent: number
}): string | undefined => {
  if (Math.min(held, people - held) >= enoughToCompare) return undefined
  const share = Math.max(percent + 1, Math.ceil((100 * enoughToCompare) / people))
  const takes =
    share > holdoutMost
      ? `that takes ${numberInWords((100 * enoughToCompare) / holdoutMost)} people or more`
      : `about ${share}% of ${numberInWords(people)} people`
  return `From ${enoughToCompare} held back on, reports can say what a campaign brought: ${takes}.`
}
