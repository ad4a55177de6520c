import type { Figure } from '@venue-data/contract/records/figures.ts'
import type { DocumentRules } from '../../book/rules/booking-rules.ts'
import { turnMinutes } from '../../book/rules/turn-minutes.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { type TableFacts, withTables } from './at-tables.ts'
import { type ValueKind, definitions } from './definitions.ts'
import type { CountedFigure } from './figure-names.ts'
import { leadClasses, sizeClassOf, sizeClasses, staySizeOf, staySizes } from './figures-of-day.ts'
import { openDays } from './open-tally.ts'
import { type TurnKind, turnKinds } from './turn-kinds.ts'
import {
  type Cell,
  type Key,
  type Sums,
  type Tally,
  addCell,
  eachValue,
  keyOfText,
  quantileOf,
  textOfKey,
} from './tally.ts'

type Row = Figure['rows'][number]

/** What the rows of figures depend on besides their counts. `today`: the venue's service date; `tables`: where they decide. */
type Facts = {
  readonly today: LocalDate
  readonly rules: Pick<DocumentRules, 'turnTimes'>
  readonly tables?: ReadonlyMap<number, TableFacts> | undefined
}

/** Figures as they are shown, from what was counted. */
export const figuresOf = (counted: Tally, names: readonly CountedFigure[], facts: Facts): Figure[] => {
  const tally = withTables(counted, facts.tables)
  return names.map((name) => ({
    name,
    definition: definitions[name].definition,
    unit: definitions[name].unit,
    rows: rowsOf(tally, name, facts),
  }))
}

const rowsOf = (tally: Tally, name: CountedFigure, { today, rules }: Facts): Row[] => {
  const { kindOf } = definitions[name]
  return countedOf(tally, name, rules)
    .filter(({ key }) => name !== 'booked' || String(key['date']) >= today)
    .toSorted((a, b) => compareKeys(a.key, b.key))
    .map(({ key, cell }) =>
      rowOf(key, kindOf(key), name === 'arrivals' ? perOpenDay(tally, key, cell) : cell),
    )
}

type Counted = { readonly key: Key; readonly cell: Cell }

const countedOf = (tally: Tally, name: CountedFigure, rules: Facts['rules']): readonly Counted[] => {
  const { always = [] } = definitions[name]
  const none = Object.fromEntries(always.map((key) => [textOfKey(key), [0, 0] as const]))
  const cellsOf = (figure: CountedFigure): Counted[] =>
    Object.entries({ ...none, ...tally[figure] }).map(([text, cell]) => ({ key: keyOfText(text), cell }))
  if (name === 'arrivals') return cellsOf('arrivals').flatMap(byQuarter)
  if (name !== 'stays' && name !== 'stays_by_size' && name !== 'stay_quarters') return cellsOf(name)
  const bySize = cellsOf('stays_by_size')
  if (name === 'stays') return withTurns(byPart(bySize), rules)
  if (name === 'stays_by_size') return withTurns(byClass(bySize), rules)
  return [
    ...[...byPart(bySize), ...byClass(bySize)].flatMap(({ key, cell }) =>
      quarters.map((measure) => ({ key: { ...key, measure }, cell })),
    ),
    ...turnKinds(rules).flatMap((kind) => stayedOf(kind, bySize)),
  ]
}

/** Guests are kept as how often each quarter of an hour occurred, which is a fifth of a row for each. */
const byQuarter = ({ key: { weekday = 0, measure = '' }, cell: [, , values = {}] }: Counted): Counted[] => {
  const rows: Counted[] = []
  eachValue(values, (quarter, guests) => rows.push({ key: { weekday, quarter, measure }, cell: [guests, 0] }))
  return rows
}

/** One for each key, with all that was counted for it. */
const summed = (cells: readonly Counted[]): Counted[] => {
  const sums: Sums[string] = {}
  for (const { key, cell } of cells) addCell(sums, textOfKey(key), cell)
  return Object.entries(sums).map(([text, cell]) => ({ key: keyOfText(text), cell }))
}

/** Stays are counted by each size and part of the day, and shown by a class of sizes and the part, or by the sizes of parties. */
const byPart = (cells: readonly Counted[]): Counted[] =>
  summed(
    cells.map(({ key: { size, part = '', measure = '' }, cell }) => ({
      key: { sizes: staySizeOf(Number(size)), part, measure },
      cell,
    })),
  )

const byClass = (cells: readonly Counted[]): Counted[] =>
  summed(
    cells.map(({ key: { size, measure = '' }, cell }) => ({
      key: { size: sizeClassOf(Number(size)), measure },
      cell,
    })),
  )

/** Next to the stays of a kind, how long a table is held for such a party. */
const withTurns = (cells: readonly Counted[], rules: Facts['rules']): Counted[] =>
  cells.flatMap(({ key, cell }) => {
    const size =
      staySizes.find(([sizes]) => sizes === key['sizes'])?.[1] ?? Number.parseInt(String(key['size']))
    return [
      { key, cell },
      { key: { ...key, measure: 'turn' }, cell: [turnMinutes(rules, size), 1] },
    ]
  })

/** Day and evening together, of parties that are held equally long: the two quarters, how long, and who stayed longer. */
const stayedOf = (
  { sizes, first, last, minutes }: TurnKind,
  bySize: readonly Counted[],
): readonly Counted[] => {
  const isOfKind = (size: number): boolean => first <= size && size <= last
  const [all] = summed(
    bySize.filter(({ key }) => isOfKind(Number(key['size']))).map(({ cell }) => ({ key: {}, cell })),
  )
  if (!all) return []
  const { cell } = all
  return [
    ...quarters.map((measure) => ({ key: { sizes, measure }, cell })),
    { key: { sizes, measure: 'turn' }, cell: [minutes, 1] },
    { key: { sizes, measure: 'longer' }, cell: [longerThan(cell, minutes), cell[1]] },
  ]
}

const quarters = ['lower', 'upper'] as const

const longerThan = ([, , values = {}]: Cell, minutes: number): number => {
  let longer = 0
  eachValue(values, (value, times) => {
    if (value > minutes) longer += times
  })
  return longer
}

const perOpenDay = (tally: Tally, { weekday = 0 }: Key, [n]: Cell): Cell => [
  n,
  tally[openDays]?.[textOfKey({ weekday })]?.[0] ?? 0,
]

const rowOf = (key: Key, kind: ValueKind, [n, d, values = {}]: Cell): Row => {
  if (kind === 'value') return { key, n: null, d: null, value: d === 0 ? null : n }
  if (kind === 'median' || kind === 'lower' || kind === 'upper')
    return { key, n: null, d, value: quantileOf(values, shares[kind]) }
  return kind === 'count' ? { key, n, d: null, value: n } : { key, n, d, value: d === 0 ? null : n / d }
}

const shares = { lower: 0.25, median: 0.5, upper: 0.75 } as const

/** Words in an order of their own; others by themselves. */
const orders: Readonly<Record<string, readonly string[]>> = {
  size: sizeClasses.map(([word]) => word),
  days: leadClasses.map(([word]) => word),
  sizes: staySizes.map(([word]) => word),
}

const compareKeys = (a: Key, b: Key): number => {
  const [ours, theirs] = [Object.entries(a), Object.entries(b)]
  for (const [at, [field, value]] of ours.entries()) {
    const other = theirs[at]
    if (!other) return 1
    const [otherField, otherValue] = other
    if (field !== otherField) return field < otherField ? -1 : 1
    if (value !== otherValue) return compareValues(value, otherValue, orders[field] ?? [])
  }
  return ours.length - theirs.length
}

const compareValues = (a: string | number, b: string | number, order: readonly string[]): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [one, other] = [order.indexOf(String(a)), order.indexOf(String(b))]
  if (one !== -1 && other !== -1) return one - other
  return String(a) < String(b) ? -1 : 1
}
