import { demoSeed, planDemo } from '../server/demo/plan.ts'
import { playDays } from '../server/demo/test/idle-tables.ts'
import { diningRoom } from '../server/demo/test/replay-evening.ts'
import type { Figure } from './report.ts'

/*
 * What short stays are worth. The demo's year is played again in its dining room alone, by hosts who take the first offer: with
 * tables that are free for a while, and by whole stays only (the floor). A table is idle while it is on and empty, nobody is
 * due there within the shortest stay, and a party that waits fits it.
 */

const from = '2025-10-06'
const days = 365

export const measureIdle = (): Figure[] => {
  const { bookings, rules } = planDemo({
    now: Temporal.Instant.from('2026-10-06T19:00:00Z'),
    seed: demoSeed,
    scale: 1,
  })
  const play = (short: boolean) =>
    playDays(bookings, { from, days, short, rules: { ...rules, floor: diningRoom } })
  const [whole, short] = [play(false), play(true)]
  const longest = ({ idle }: typeof whole): number => Math.max(0, ...idle.map(({ minutes }) => minutes))
  const sum = ({ idle }: typeof whole): number => idle.reduce((all, { minutes }) => all + minutes, 0)
  return [
    {
      name: 'minutes that a table was idle at a stretch while somebody waited who fits it, the longest in a year of the demo’s dining room (floor: whole stays only)',
      floor: longest(whole),
      service: longest(short),
      goal: { most: 2 },
      goalOf: 'figure',
    },
    { name: 'the same, all of the year in hours', floor: sum(whole) / 60, service: sum(short) / 60 },
    { name: 'guests seated in that year', floor: whole.covers, service: short.covers },
    { name: 'hours that parties waited in it', floor: whole.waited / 60, service: short.waited / 60 },
  ]
}
