import type { Html } from '../../../platform/html/html.ts'
import type { ShortStay } from '../../../book/day/short-stays.ts'
import type { Wanted } from '../../../book/day/day-floor.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import type { ServersSeen } from '../../../book/servers/seen.ts'
import { type Moving, movesMany } from '../../../book/tables/arrange.ts'
import type { LateTable } from '../../../book/tables/offered/late-tables.ts'
import type { OpenTable, openForAWhile } from '../../../book/tables/offered/open-tables.ts'
import { tablesOf, tablesUntil } from '../parts/forms/table-fields.ts'
import { type Named, movingWords, whoElseWords } from '../parts/open-words.ts'
import { offerChips } from '../parts/server-chip.ts'
import { shortWords, untilWords } from '../parts/table-cell.ts'
import { type Turns, turnsAt, unneededFirst } from './line-offers.ts'

/*
 * The tables that a party at the door is offered, in the order in which the pad shows them, and when the next one is likely.
 */

/** Tables offered to a walk-in at once. */
export const mostOffered = 3

export type Offer = {
  readonly label: string
  /** Of the tables, and until when where they are free for a while only. */
  readonly ids: string
  readonly words: string
  readonly isShort?: boolean
  /** Who has no table yet and could sit there. */
  readonly needed: string | undefined
  /** Whose tables these are, and whether it is their turn. */
  readonly server?: Html | undefined
  /** Who moves for it. */
  readonly moving?: Moving | undefined
  readonly isMany?: boolean
  /** Somebody in line would not have a table by when they were promised one: a press shows that first. */
  readonly isBroken?: boolean
}

/** With who else could have it. */
type Found = Pick<OpenTable, 'tables'> & Parameters<typeof whoElseWords>[0]

type AtDoor = {
  readonly open: readonly OpenTable[]
  readonly short: ReturnType<typeof openForAWhile>
  readonly moving: Moving | undefined
  readonly late: readonly LateTable[]
  readonly names: Named
  readonly turns: Turns
  /** Which table is likely next, in words. */
  readonly next: string | undefined
  /** Said in its place, where it is so long that the button to wait has no number, either. */
  readonly tooLong: string | undefined
  readonly servers: ServersSeen | undefined
  readonly timezone: string
}

/** The best tables for a walk-in and until when, those for a while last; or when the first is likely to be free. */
export const atDoor = (
  wanted: Wanted,
  { open, short, moving, late, names, turns, next, tooLong, servers, timezone }: AtDoor,
): { readonly offers: readonly Offer[]; readonly soonest: string | undefined } => {
  const offerOf = (place: Found, words: string): Offer => ({
    label: joinedLabels(place.tables.map(({ label }) => label)),
    ids: place.tables.map(({ id }) => id).join(' '),
    words,
    needed: whoElseWords(place, turnsAt(turns, place), names),
  })
  const forAWhile = (place: Found, stay: ShortStay): Offer => {
    const one = offerOf(place, shortWords(stay, timezone))
    return { ...one, ids: `${one.ids}${tablesUntil([], stay.until)}`, isShort: true }
  }
  const openOnes = open.map((one) => offerOf(one, untilWords(one.until, timezone)))
  const shorts = short.map((one) => forAWhile(one, one))
  const kept = late.map((one) =>
    one.short ? forAWhile(one, one.short) : offerOf(one, untilWords(one.until, timezone)),
  )
  const byOthers = moving
    ? [
        {
          ...offerOf({ tables: moving.tables }, movingWords(moving, names)),
          moving,
          isMany: movesMany(moving),
        },
      ]
    : []
  const whole = [...byOthers.filter(({ isMany }) => !isMany), ...openOnes].slice(0, mostOffered)
  // What nobody else needs comes first, and of that whole stays.
  const offers = unneededFirst([...whole, ...shorts])
  const all: readonly Offer[] = [
    ...offers,
    ...kept.slice(0, Math.max(0, mostOffered - offers.length)),
    ...byOthers.filter(({ isMany }) => isMany),
  ]
  const isNext = next && all.every(({ needed, isShort, isMany }) => needed !== undefined || isShort || isMany)
  const likely = all.length === 0 || all[0]?.isShort ? 'Likely next' : 'Otherwise likely next'
  const chips = offerChips(
    servers,
    all.map(({ ids }) => tablesOf(ids.replace(/@.*/, ''))),
    wanted.startsAt,
  )
  return {
    offers: all.map((one, n) => ({ ...one, server: chips[n] })),
    soonest: !isNext
      ? undefined
      : tooLong === undefined
        ? `${likely}: ${next}`
        : `${all.length === 0 ? 'Nothing' : 'Otherwise nothing'} ${tooLong}`,
  }
}
