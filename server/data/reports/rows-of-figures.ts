import type { Figure } from '@venue-data/contract/records/figures.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { type ValueKind, definitions } from './definitions.ts'
import type { CountedFigure } from './figure-names.ts'
import { leadClasses, sizeClasses, staySizes } from './figures-of-day.ts'
import { openDays } from './open-tally.ts'
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

/** Figures as they are shown, from what was counted. `today`: the venue's service date. */
export const figuresOf = (
  tally: Tally,
  names: readonly CountedFigure[],
  facts: { readonly today: LocalDate; readonly turnOf: (partySize: number) => number },
): Figure[] =>
  names.map((name) => ({
    name,
    definition: definitions[name].definition,
    unit: definitions[name].unit,
    rows: rowsOf(tally, name, facts),
  }))

const rowsOf = (
  tally: Tally,
  name: CountedFigure,
  { today, turnOf }: Parameters<typeof figuresOf>[2],
): Row[] => {
  const { kindOf, always = [] } = definitions[name]
  const none = Object.fromEntries(always.map((key) => [textOfKey(key), [0, 0] as const]))
  const own = name === 'stay_quarters' ? { ...tally['stays'], ...tally['stays_by_size'] } : tally[name]
  const cells = Object.entries({ ...none, ...own }).map(([text, cell]) => ({ key: keyOfText(text), cell }))
  const counted = name === 'stay_quarters' ? quartersOf(cells, turnOf) : cells
  return (name === 'stays' || name === 'stays_by_size' ? withTurns(counted, turnOf) : counted)
    .filter(({ key }) => name !== 'booked' || String(key['date']) >= today)
    .toSorted((a, b) => compareKeys(a.key, b.key))
    .map(({ key, cell }) =>
      rowOf(key, kindOf(key), name === 'arrivals' ? perOpenDay(tally, key, cell) : cell),
    )
}

type Counted = { readonly key: Key; readonly cell: Cell }

/** Next to the stays of a kind, how long a table is held for such a party. */
const withTurns = (cells: readonly Counted[], turnOf: (partySize: number) => number): Counted[] =>
  cells.flatMap(({ key, cell }) => {
    const size =
      staySizes.find(([sizes]) => sizes === key['sizes'])?.[1] ?? Number.parseInt(String(key['size']))
    return [
      { key, cell },
      { key: { ...key, measure: 'turn' }, cell: [turnOf(size), 1] },
    ]
  })

/** The two quarters of each kind of stay; of a class of sizes also day and evening together, and who stayed longer than its turn time. */
const quartersOf = (cells: readonly Counted[], turnOf: (partySize: number) => number): Counted[] => [
  ...cells.flatMap(({ key, cell }) => quarters.map((measure) => ({ key: { ...key, measure }, cell }))),
  ...staySizes.flatMap(([sizes, size]) => {
    const sum: Sums[string] = {}
    for (const { key, cell } of cells) if (key['sizes'] === sizes) addCell(sum, '', cell)
    const cell = sum['']
    if (!cell) return []
    const longer: Cell = [longerThan(cell, turnOf(size)), cell[1]]
    return [
      ...quarters.map((measure) => ({ key: { sizes, measure }, cell })),
      { key: { sizes, measure: 'longer' }, cell: longer },
    ]
  }),
]

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
