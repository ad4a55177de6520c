import type { DocumentRules } from '../../book/rules/booking-rules.ts'
import { turnMinutes } from '../../book/rules/turn-minutes.ts'
import { staySizes } from './figures-of-day.ts'

/** Sizes of parties that are held equally long: no change of their turn time reaches another row of the venue's. */
export type TurnKind = {
  /** `3-4`, `3` or, of all larger parties too, `9+`. */
  readonly sizes: string
  readonly first: number
  readonly last: number
  readonly minutes: number
}

/** The classes of stays, each cut where the venue's turn times change within it. */
export const turnKinds = (rules: Pick<DocumentRules, 'turnTimes'>): readonly TurnKind[] => {
  const classEnds = staySizes.map(([, most]) => most).slice(0, -1)
  const rowEnds = rules.turnTimes
    .map(({ upTo }) => upTo)
    .filter((upTo) => turnMinutes(rules, upTo) !== turnMinutes(rules, upTo + 1))
  const ends = [...new Set([...classEnds, ...rowEnds])].toSorted((a, b) => a - b)
  return [...ends, Infinity].map((last, at) => {
    const first = (ends[at - 1] ?? 0) + 1
    const sizes = last === Infinity ? `${first}+` : first === last ? `${first}` : `${first}-${last}`
    return { sizes, first, last, minutes: turnMinutes(rules, first) }
  })
}
