import type { DocumentRules } from '../../book/rules/booking-rules.ts'
import { isClosedOn } from '../../book/rules/resolve-service.ts'
import { addDays, weekdayOf } from '../../platform/kernel/time/calendar.ts'
import { nothingOpen } from '../../data/reports/demand/demand.ts'
import { historyDays } from '../plan.ts'
import type { Random } from '../random.ts'
import { type Tables, insertAll } from './bulk.ts'

/*
 * What was refused on the year's busy evenings and which pages guests saw. Sums, as the service keeps them; the days to come
 * have a few, so that something can be done about them.
 */

type Numbers = {
  readonly random: Random
  readonly today: string
  readonly rules: DocumentRules
  readonly scale: number
}

/** Evenings by how often somebody finds no room. */
const busy: Readonly<Record<number, number>> = { 4: 0.25, 5: 0.85, 6: 0.95, 7: 0.2 }
const lookedAhead = 12

export const writeDemand = async (
  tables: Tables,
  { random, today, rules, scale }: Numbers,
): Promise<void> => {
  const days = Array.from({ length: historyDays + lookedAhead }, (_, n) =>
    addDays(today, n - historyDays + 1),
  )
  await insertAll(
    tables,
    'refused_request',
    // On a closed day nobody is refused for lack of room.
    days.flatMap((day) => (isClosedOn(rules, day) ? [] : refusedOn(random, day))),
    (row) => row,
  )
  const past = days.filter((day) => day <= today)
  await insertAll(
    tables,
    'visit_day',
    past.flatMap((day) => shownOn(random, day, scale)),
    (row) => row,
  )
}

const refusedOn = (random: Random, date: string) => {
  const row = (minute: number, size: string, reason: string, door: string, n: number) => ({
    ...{ service_date: date, service_minute: minute, size, reason, door, n },
  })
  const rows = []
  const chance = busy[weekdayOf(date)] ?? 0.05
  for (const minute of [1125, 1140, 1155, 1170, 1200]) {
    if (!random.chance(chance * (minute === 1140 ? 0.9 : 0.45))) continue
    const size = random.weighted([
      ['2', 5],
      ['4', 4],
      ['6', 2],
    ] as const)
    rows.push(
      row(minute, size, 'pacing-covers-full', random.chance(0.3) ? 'api' : 'book', random.integer(1, 4)),
    )
  }
  if (random.chance(chance / 2)) rows.push(row(1140, '7-8', 'tables-full', 'book', 1))
  if (random.chance(0.06)) rows.push(row(1035, '2', 'outside-hours', 'api', 1))
  if (random.chance(chance / 3)) rows.push(row(-1, '4', nothingOpen, 'book', random.integer(1, 3)))
  return rows
}

const sites = [
  ['direct', 0.46],
  ['www.google.com', 0.34],
  ['www.instagram.com', 0.14],
  ['maps.apple.com', 0.06],
] as const

const dimensions = {
  from: sites,
  language: [
    ['en', 0.9],
    ['es', 0.1],
  ],
  device: [
    ['phone', 0.7],
    ['other', 0.3],
  ],
} as const

/** The pages of a day: what was opened, how far it went, and by whom it was sent. */
const shownOn = (random: Random, day: string, scale: number) => {
  const opened = Math.max(4, Math.round((random.integer(40, 60) + (weekdayOf(day) >= 4 ? 30 : 0)) * scale))
  const book = {
    opened,
    times: opened * 1.4,
    'none-open': opened * 0.12,
    chosen: opened * 0.34,
    details: opened * 0.33,
    booked: opened * 0.27,
  }
  const news = { opened: opened * 0.08, done: opened * 0.03 }
  const enquire = { opened: opened * 0.05, done: opened * 0.012 }
  const counts = [
    ...Object.entries(book).map(([step, n]) => ({ door: 'book', step, n })),
    ...Object.entries(news).map(([step, n]) => ({ door: 'news', step, n })),
    ...Object.entries(enquire).map(([step, n]) => ({ door: 'enquire', step, n })),
  ]
  return counts.flatMap(({ door, step, n }) => {
    const row = (dimension: string, value: string, part: number) => ({
      ...{ day, door, step, dimension, value, n: part },
    })
    const all = Math.round(n)
    const rows = [row('all', 'all', all)]
    if (door === 'book')
      for (const [dimension, values] of Object.entries(dimensions))
        rows.push(...partsOf(all, values).map(([value, part]) => row(dimension, value, part)))
    return rows.filter(({ n: views }) => views > 0)
  })
}

/** Whole views of each value, which add up to all: as the service counts each view once by each dimension. */
const partsOf = (all: number, values: readonly (readonly [string, number])[]) => {
  let [share, before] = [0, 0]
  return values.map(([value, part]): readonly [string, number] => {
    share += part
    const upTo = Math.round(all * share)
    const own = upTo - before
    before = upTo
    return [value, own]
  })
}
