import { randomFrom } from '../server/demo/random.ts'
import { boardOf, choicesOf, isFree, put } from '../server/book/day/assignment/board.ts'
import type { Evening, Party } from '../server/book/day/assignment/evening.ts'
import { judge, layOut } from '../server/book/day/assignment/judge.ts'
import { loadSolver } from '../server/book/day/assignment/test/exact.ts'
import { seatedBy } from '../server/book/day/assignment/test/faults.ts'
import { generatedEvening } from '../server/book/day/assignment/test/generated-evening.ts'
import { tidy } from '../server/book/day/assignment/tidy.ts'
import { freeFor, freeForAWhile } from '../server/book/day/assignment/walk-in.ts'
import type { Figure } from './report.ts'

/*
 * How well and how fast tables are assigned, compared with the optimum of an integer program. The floor is best fit,
 * which most programs use: parties in order of arrival, each at the free place that wastes fewest seats.
 */

const secondsForOne = 60
/** Deciding about each refusal of an evening takes as long as fifty optima. */
const evenings = (all: number): { optima: number; refusals: number } => ({
  optima: all,
  refusals: Math.ceil(all / 50),
})
/** Each judgment is timed this often, and the fastest counts, which excludes other load on the machine. */
const repeats = 5

export const measureTables = async (count: number): Promise<Figure[]> => {
  const { optima, refusals } = evenings(count)
  const solver = await loadSolver(secondsForOne)
  const best = { bestFit: 0, tidied: 0, possible: 0, alone: 1, unproved: 0 }
  for (let seed = 1; seed <= optima; seed++) {
    const evening = eveningOf(seed)
    const exact = solver.mostCovers(evening)
    if (!exact.proved) {
      best.unproved++
      continue
    }
    const tidied = coversOf(evening, tidy(evening).given)
    best.tidied += tidied
    best.bestFit += bestFit(evening)
    best.possible += exact.covers
    best.alone = Math.min(best.alone, tidied / exact.covers)
  }
  const judged = { refused: 0, proved: 0, falsely: 0, wrongly: 0 }
  for (let seed = 1; seed <= refusals; seed++) {
    judgeAll(eveningOf(seed), seed, (before, party, answer) => {
      if (answer.seated) return
      judged.refused++
      if (answer.ended) judged.proved++
      if (solver.seatsAll({ ...before, parties: [...before.parties, party] }) !== true) return
      if (answer.ended) judged.wrongly++
      else judged.falsely++
    })
  }
  const name = `of ${optima} evenings of 20 to 60 tables, 70 to 110 % of their time asked for`
  return [
    {
      name: `covers seated by tidying, % of the optimum’s (floor: best fit), ${name}`,
      floor: (best.bestFit / best.possible) * 100,
      service: (best.tidied / best.possible) * 100,
      goal: { least: 99 },
      goalOf: 'figure',
    },
    { name: 'the same, the worst of these evenings', service: best.alone * 100 },
    { name: 'evenings left out, as the solver had no proof after a minute', service: best.unproved },
    {
      name: `refusals of parties whom the solver seats, % of ${judged.refused} refusals, party by party`,
      service: (judged.falsely / judged.refused) * 100,
    },
    { name: 'refusals that came with a proof, %', service: (judged.proved / judged.refused) * 100 },
    { name: 'of these, such as the solver seats', service: judged.wrongly, goal: { most: 0 } },
    ...timesAt('60 tables at 110 %', 60),
    ...timesAt('120 tables, 300 bookings', 120, 300),
    ...tidyingAt(),
    padAt(),
  ]
}

const eveningOf = (seed: number): Evening => {
  const random = randomFrom(seed)
  return generatedEvening(random, { tables: random.integer(20, 60), load: 0.7 + 0.4 * random.draw() })
}

const coversOf = ({ parties }: Evening, given: ReadonlyMap<string, unknown>): number =>
  parties.reduce((sum, { id, size }) => sum + (given.has(id) ? size : 0), 0)

const bestFit = (evening: Evening): number => {
  const board = boardOf(evening)
  let covers = 0
  for (const guest of board.guests.toSorted((a, b) => a.from - b.from)) {
    const place = choicesOf(board, guest).find((one) => isFree(board, guest, one))
    if (!place) continue
    put(board, guest, place)
    covers += guest.size
  }
  return covers
}

/** Judges an evening's parties one after another, in their own order, and stores the seated ones. */
const judgeAll = (
  asked: Evening,
  seed: number,
  heard: (before: Evening, party: Evening['parties'][number], answer: ReturnType<typeof judge>) => void,
): void => {
  let book: Evening = { ...asked, parties: [] }
  for (const party of randomFrom(seed).fork('order').shuffled(asked.parties)) {
    const answer = judge(layOut(book), party)
    heard(book, party, answer)
    if (answer.seated) {
      book = { ...book, parties: seatedBy({ parties: [...book.parties, party] }, answer) }
    }
  }
}

const timesAt = (name: string, tables: number, bookings?: number): Figure[] => {
  const times: number[] = []
  for (let seed = 1; seed <= 5; seed++) {
    const asked = generatedEvening(randomFrom(seed), { tables, load: bookings ? 1.5 : 1.1 })
    judgeAll({ ...asked, parties: asked.parties.slice(0, bookings) }, seed, (before, party) => {
      let fastest = Infinity
      for (let n = 0; n < repeats; n++) {
        const from = performance.now()
        judge(layOut(before), party)
        fastest = Math.min(fastest, performance.now() - from)
      }
      times.push(fastest)
    })
  }
  times.sort((a, b) => a - b)
  return [
    {
      name: `a judgement, the evening laid out for it, ${name}: p50 in µs`,
      service: (times[Math.floor(times.length / 2)] ?? Number.NaN) * 1000,
      goal: { most: 200 },
    },
    {
      name: 'the same, the slowest in µs',
      service: (times.at(-1) ?? Number.NaN) * 1000,
      goal: { most: 2000 },
    },
  ]
}

const tidyingAt = (): Figure[] => {
  let slowest = 0
  for (let seed = 1; seed <= 20; seed++) {
    const evening = generatedEvening(randomFrom(seed), { tables: 60, load: 1.1 })
    let fastest = Infinity
    for (let n = 0; n < repeats; n++) {
      const from = performance.now()
      tidy(evening)
      fastest = Math.min(fastest, performance.now() - from)
    }
    slowest = Math.max(slowest, fastest)
  }
  return [
    {
      name: 'tidying 60 tables at 110 %, nobody seated yet, the slowest of 20 evenings in ms',
      service: slowest,
      goal: { most: 50 },
    },
  ]
}

/** Whole stays and short ones for a party at the door, at each quarter hour of evenings that are as full as they get. */
const padAt = (): Figure => {
  const times: number[] = []
  for (let seed = 1; seed <= 5; seed++) {
    const asked = generatedEvening(randomFrom(seed), { tables: 60, load: 1.1 })
    const { given } = tidy(asked)
    const parties = asked.parties.flatMap((party) => {
      const tables = given.get(party.id)
      return tables ? [{ ...party, tables }] : []
    })
    const opens = Math.min(...parties.map(({ from }) => from))
    for (let quarter = 0; quarter < 24; quarter++) {
      for (const [size, least] of [
        [2, 45],
        [4, 60],
        [6, 75],
      ] as const) {
        const from = opens + quarter * 15 * minuteMs
        const party: Party = {
          ...{ id: 'asked', from, until: from + 120 * minuteMs, size, tables: [], fixed: false },
          ...{ onlineOnly: false, features: [], group: null },
        }
        // Who came before has left by then or sits where they were put.
        const now = parties
          .filter(({ until }) => until > from)
          .map((one) => ({ ...one, fixed: one.fixed || one.from <= from }))
        let fastest = Infinity
        for (let n = 0; n < repeats; n++) {
          const at = performance.now()
          const laid = layOut({ ...asked, parties: now })
          freeFor(laid, party, 3)
          freeForAWhile(laid, party, { least: least * minuteMs, rest: 0 })
          fastest = Math.min(fastest, performance.now() - at)
        }
        times.push(fastest)
      }
    }
  }
  times.sort((a, b) => a - b)
  return {
    name: 'the pad’s offers of whole and of short stays, the evening laid out for them, 60 tables at 110 %: p95 in ms',
    service: times[Math.floor((times.length - 1) * 0.95)] ?? Number.NaN,
    goal: { most: 3 },
  }
}

const minuteMs = 60_000
