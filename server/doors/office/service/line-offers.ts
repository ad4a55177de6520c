import { type Content, html } from '../../../platform/html/html.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { plainTime } from '../parts/plain-time.ts'
import type { ShortStay } from '../../../book/day/short-stays.ts'
import type { AtDoor } from '../../../book/tables/offered/at-door.ts'
import type { EveningFloor } from '../../../book/tables/reads.ts'
import type { Moving } from '../../../book/tables/arrange.ts'
import type { Needing, OpenTable } from '../../../book/tables/offered/open-tables.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import { shortWords, untilWords } from '../parts/table-cell.ts'
import { neededWords } from '../parts/open-words.ts'
import { minutesSince } from '../parts/time-words.ts'
import { tablesUntil } from '../parts/forms/table-fields.ts'

/*
 * Where a party in line could sit down now: as the sizes at the door say it, so that who waits is not behind who walks in.
 */

/**
 * A table for a party of the line: the whole stay first, then by moving others, then for a while; last, one that somebody
 * without a table could sit at, which staff decide.
 */
export type LineOffer = {
  readonly ids: readonly number[]
  readonly label: string
  /** "free until 9:00 PM", "when Haddad moves", "until 9:00 PM (66 min)". */
  readonly words: string
  /** The same where a row has less room: "free to 9:00". */
  readonly brief: Content
  /** For a while only. */
  readonly short: ShortStay | undefined
  /** Who has no table yet and could sit there, in words. */
  readonly needed?: string
  /** What a button of it sends. */
  readonly value: string
}

type Seen = {
  readonly atDoor: AtDoor
  readonly evening: EveningFloor
  readonly now: Temporal.Instant
  readonly timezone: string
}

/** By size, the tables for parties of these sizes; a size without any is left out. */
export const lineOffers = (
  { atDoor, evening, now, timezone }: Seen,
  sizes: readonly number[],
): ReadonlyMap<number, readonly LineOffer[]> => {
  const surnames = surnamesOf(evening)
  const neededIn = neededWordsOf(evening, now)
  const found = new Map<number, readonly LineOffer[]>()
  for (const partySize of new Set(sizes)) {
    const open = atDoor.openFor(partySize)
    const free = open.find(({ neededBy }) => neededBy === undefined)
    const { moving, short } = atDoor.insteadFor({ partySize, durationMinutes: null })
    const neededOffers = (
      whole: readonly OpenTable[],
      some: ReturnType<AtDoor['forAWhile']>,
    ): readonly LineOffer[] => {
      const [table, stay] = [whole[0], some.find(({ neededBy }) => neededBy !== undefined)]
      if (table?.neededBy) {
        const needed = neededIn(table.neededBy)
        return [{ ...offerOf(table.tables, untilWords(table.until, timezone), 'free'), needed }]
      }
      if (!stay?.neededBy) return []
      const needed = neededIn(stay.neededBy)
      return [{ ...offerOf(stay.tables, shortWords(stay, timezone), undefined, stay), needed }]
    }
    const clock = (at: Temporal.Instant): Content => plainTime(wallTimeOf(at, timezone).time)
    const offers = [
      ...(free
        ? [
            offerOf(
              free.tables,
              untilWords(free.until, timezone),
              free.until && html`free to ${clock(free.until)}`,
            ),
          ]
        : []),
      ...(!free && moving ? [offerOf(moving.tables, movingWords(moving, surnames))] : []),
      ...short.map((stay) => offerOf(stay.tables, shortWords(stay, timezone), undefined, stay)),
      ...(!free && !moving ? neededOffers(open, atDoor.forAWhile(partySize)) : []),
    ]
    if (offers.length > 0) found.set(partySize, offers)
  }
  return found
}

const offerOf = (
  tables: readonly { readonly id: number; readonly label: string }[],
  words: string,
  brief?: Content | null,
  short?: ShortStay,
): LineOffer => {
  const ids = tables.map(({ id }) => id)
  return {
    ids,
    label: joinedLabels(tables.map(({ label }) => label)),
    words,
    brief: brief ?? words,
    short,
    value: short ? tablesUntil(ids, short.until) : ids.join(' '),
  }
}

/** Says who has no table yet, by surname, and whether they are late. */
const neededWordsOf = (
  { withoutTable, requested }: EveningFloor,
  now: Temporal.Instant,
): ((needing: Needing) => string) => {
  const all = [...withoutTable, ...requested]
  const names = new Map(all.map(({ id, guestName }) => [id, guestName?.split(' ').at(-1) ?? 'No name']))
  const late = new Set(
    all.filter((one) => !one.arrived && minutesSince(one.from, now) > 0).map(({ id }) => id),
  )
  return (needing) => neededWords(needing, names, late.has(needing.reservation ?? 0))
}

type Surnames = ReadonlyMap<number, string | undefined>

/** Of everybody at a table tonight, by the ids of bookings. */
export const surnamesOf = (evening: EveningFloor): Surnames =>
  new Map(
    evening.tables.flatMap(({ parties }) =>
      parties.map((one) => [one.id, one.guestName?.split(' ').at(-1)] as const),
    ),
  )

/** "when Haddad moves", "when Haddad and a party move". */
export const movingWords = ({ moves }: Moving, surnames: Surnames): string => {
  const who = [...moves.keys()].map((id) => surnames.get(id) ?? 'a party')
  return who.length === 0 ? 'free' : `when ${who.join(' and ')} ${who.length === 1 ? 'moves' : 'move'}`
}
