import { randomUUID } from 'node:crypto'
import type { Context, Work } from '../../context.ts'
import { connectAccount } from '../../core/money/connect.ts'
import type { Processor, Processors } from '../../core/money/processor.ts'
import { randomFrom, type Random } from '../../demo/random.ts'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { addOccurrence, editEvent, makeEvent } from '../../tickets/events.ts'
import { checkBooks } from '../../tickets/online/reconciling/nightly.ts'
import { makePromoCode } from '../../tickets/promo-codes.ts'
import { actAt } from '../act.ts'
import { staffOf } from '../desk.ts'
import { setGuestPages } from '../guest.ts'
import { everyEvening, setRules } from '../open-rules.ts'
import { rowsOf } from '../rows.ts'
import type { TestService, TestVenue } from '../service.ts'
import type { StripeStandIn } from '../stripe/stand-in.ts'

/*
 * A venue that takes money in every way there is, for tests of what is left in the end, whatever happened. What happens is
 * drawn from numbers, so that the same numbers do the same again.
 */

export type MoneyWorld = {
  readonly service: TestService
  readonly stripe: StripeStandIn
  readonly venue: TestVenue
  random: Random
  /** Draws from another number from now on. */
  readonly redraw: (seed: number) => void
  /** Dates that tickets are sold for. */
  readonly dates: readonly number[]
  readonly act: <T>(work: (work: Work) => Promise<T>) => Promise<T>
  readonly rows: <Row extends Record<string, unknown>>(text: string) => Promise<Row[]>
  /** What the jobs and the guest pages are given: now and then the process dies at a call to the processor. */
  readonly context: Context
  /** What should never have happened, whatever was drawn. */
  readonly mistakes: string[]
  /** What was done, to read after a failure. */
  readonly story: string[]
  /** How likely the process dies at the next call. */
  dying: number
  /** Since when a copy that was put back has not looked yet, so that it sends nothing. */
  heldSince: Temporal.Instant | undefined
  readonly later: (duration: Temporal.DurationLike) => void
}

export const manager = staffOf('manager')

/** Seats of a date, and guests at a quarter of an hour: few enough that they run out. */
export const room = { seats: 8, covers: 10 }

/** What the venue asks for on its two evenings: on the first a card, or a deposit of a larger party; on the second a price. */
export const evenings = ['2026-10-09', '2026-10-10'] as const

const rules = {
  pacing: { intervalMinutes: 15, maxCovers: room.covers },
  guarantees: [
    { asks: 'deposit', amountCents: 2_000, per: 'guest', freeUntilHours: 24, partyFrom: 4 },
    { asks: 'card', amountCents: 2_500, per: 'guest', freeUntilHours: 24, to: evenings[0] },
  ],
  experiences: [
    {
      ...{ key: 'tasting', name: 'Tasting menu', asks: 'prepaid', amountCents: 9_500, feeCents: 150 },
      ...{ taxRate: 8_875, from: evenings[1], to: evenings[1], mostPerEvening: 3, freeUntilHours: 12 },
    },
  ],
}

export const openMoneyWorld = async (
  { service, stripe }: Pick<MoneyWorld, 'service' | 'stripe'>,
  seed: number,
): Promise<MoneyWorld> => {
  const random = randomFrom(seed)
  service.setClock('2026-10-06T14:00:00Z')
  const venue = await service.venue()
  Object.assign(stripe, { trouble: undefined, callsOut: false, refundsPend: false, declines: undefined })
  const { sessions, intents, refunds, customers, endpoints, disputes } = stripe
  for (const kept of [sessions, intents, refunds, customers, endpoints, disputes]) kept.clear()
  stripe.held.length = 0
  stripe.calls.length = 0
  const act: MoneyWorld['act'] = (work) => actAt(service, venue, work)
  await setGuestPages(service, venue, { doors: ['book', 'tickets'], confirmUpTo: 4 })
  await setRules(service, venue, everyEvening({ ...rules, letGoUnsecured: random.chance(0.5) }))
  const place = {
    db: service.db.within(venue.id),
    venue: { ...venue, plan: 'pro' as const },
    now: service.context.clock,
  }
  await connectAccount(service.context, place, act, manager, stripe.key)
  // From the night before on, each day is compared once.
  await checkBooks(service.context, new AbortController().signal)
  const dates = await act(async (work) => {
    const event = await makeEvent(work, manager, 'Wine dinner')
    await editEvent(work, manager, {
      ...{ id: event.id, seenVersion: event.version, name: event.name, text: null },
      ...{ orderMost: null, returnHours: 12, returnKeepsFee: random.chance(0.5) },
    })
    await makePromoCode(work, manager, {
      ...{ code: 'HALF', discount: { percent: 50 }, usesMost: 2 },
      ...{ validFrom: null, validTo: null, eventId: null },
    })
    const date = { title: null, startTime: '19:00', capacity: room.seats, priceCents: 4_500 }
    const made = []
    for (const on of evenings)
      made.push((await addOccurrence(work, manager, event.id, { ...date, date: on })).id)
    return made
  })
  const world: MoneyWorld = {
    ...{ service, stripe, venue, random, dates, act, mistakes: [], story: [], dying: 0 },
    heldSince: undefined,
    redraw: (drawn) => {
      world.random = randomFrom(drawn)
    },
    rows: (text) => rowsOf(service, text, [venue.id]),
    context: undefined as never,
    later: (duration) => service.setClock(service.context.clock().add(duration).toString()),
  }
  return Object.assign(world, { context: mortal(world) })
}

/** The process dies at a call: before the processor hears it, or before anybody hears the answer. */
class Died extends Error {
  readonly code = 'died'
}

export const isExpected = (error: unknown): boolean => error instanceof Refusal || error instanceof Died

/** A context whose calls may end the work that makes them, and whose log keeps what no job should run into. */
const mortal = (world: MoneyWorld): Context => {
  const { context } = world.service
  const wrapped = (processor: Processor): Processor =>
    Object.fromEntries(
      Object.entries(processor).map(([name, call]) => [
        name,
        async (...asked: unknown[]) => {
          if (world.random.chance(world.dying / 2)) throw new Died()
          const answer: unknown = await (call as (...asked: unknown[]) => Promise<unknown>)(...asked)
          if (world.random.chance(world.dying / 2)) throw new Died()
          return answer
        },
      ]),
    ) as Processor
  const of: Processors['of'] = (...asked) => wrapped(context.processors.of(...asked))
  const noted = (said: { readonly code?: string }, message: string): void => {
    if (said.code !== undefined && /could not/.test(message) && said.code !== 'died')
      world.mistakes.push(`${message}: ${said.code}`)
  }
  const log = Object.assign(Object.create(context.log), { warn: noted, error: noted }) as Context['log']
  const hold = { ...context.hold, isOn: () => world.heldSince !== undefined }
  return { ...context, log, hold, processors: { ...context.processors, of } }
}

/** Does it, and keeps what is neither a refusal nor a death. */
export const tried = async (world: MoneyWorld, what: string, does: () => Promise<unknown>): Promise<void> => {
  try {
    const result = await does()
    world.story.push(`${what} ${typeof result === 'string' ? result : ''}`)
  } catch (error) {
    world.story.push(`${what}: ${String(error)}`)
    if (!isExpected(error)) world.mistakes.push(`${what}: ${codeOf(error) ?? ''} ${String(error)}`)
  }
}

export const uniqueEmail = (): string => `${randomUUID()}@example.com`
