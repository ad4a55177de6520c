import type { BookingReason } from '@venue-data/contract/reasons.ts'
import type { Logger } from 'pino'
import type { GuestDoor } from '../../../core/venue/guest-settings-rules.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { Database } from '../../../platform/db/pool.ts'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import type { TableAsked } from '../../../platform/kernel/refusal.ts'
import { type Counted, keepCounts } from '../../../platform/kernel/running/counts.ts'
import { remember } from '../../../platform/kernel/running/remember.ts'
import { keyedHash } from '../../../platform/kernel/secrets.ts'
import { dayNumber } from '../../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { sizeClassOf } from '../figures-of-day.ts'
import { type RefusedCount, type ShownCount, addRefused, addShown } from './demand-writes.ts'
import { type Dimension, type Step, everybody, mostOfValue } from './steps.ts'

/*
 * Demand that was not served: what booking rules refused, and which pages of the guest doors were shown. Counted in memory
 * after the answer, in the process that gave it, and added to the days in the database a few seconds later. No visitor is
 * known, and no visit: the rows are numbers. Who asked is a hash with a secret that this process makes and never writes, kept
 * for an hour so that somebody who tries again counts once.
 */

export type Demand = {
  /** A request for a table that a rule refused, once its work was undone; or a day that was shown without an open time. */
  readonly refused: (asked: Refused) => void
  /** A page that was shown. */
  readonly shown: (page: Shown) => void
  /** Writes the counts. Those that cannot be written are kept. */
  readonly flush: () => Promise<void>
  /** Writes the counts, if the database answers, and stops counting. */
  readonly close: () => Promise<void>
}

/** What refuses a request, and what a page showed that had no time to choose. */
export type RefusedFor = BookingReason | typeof nothingOpen
export const nothingOpen = 'nothing-open'

export type Refused = {
  readonly venue: VenueId
  /** Whose it is: a key or a network. */
  readonly asker: string
  /** Without a minute: a day. */
  readonly table: Omit<TableAsked, 'serviceMinute'> & { readonly serviceMinute?: number }
  readonly reason: RefusedFor
  readonly door: 'api' | 'book'
}

export type Shown = {
  readonly venue: VenueId
  /** The venue's date. */
  readonly day: LocalDate
  readonly door: GuestDoor
  readonly step: Step
  readonly by: Readonly<Partial<Record<Exclude<Dimension, 'all'>, string>>>
}

/** Different counts at a time, and askers that are remembered. */
const mostCounts = 20_000
const mostAskers = 20_000
/** Somebody who tries again within this many milliseconds counts once. */
const onceMs = 3_600_000
/** A day further off is one that nobody looks at: a program that asks for all there are fills no table. */
const farthestDays = 400

export const openDemand = ({
  db,
  clock,
  log,
  random,
}: {
  readonly db: Database
  readonly clock: () => Temporal.Instant
  readonly log: Logger
  readonly random: (size: number) => Buffer
}): Demand => {
  const secret = random(32)
  const seen = remember<string, number>(mostAskers)

  /** Each venue's counts in a transaction of its own; what fails is tried again. */
  const writing =
    <What extends { readonly venue: VenueId }>(add: Adding<What>) =>
    async (counts: readonly Counted<What>[]): Promise<readonly Counted<What>[]> => {
      const left: Counted<What>[] = []
      for (const [venue, own] of Map.groupBy(counts, (one) => one.venue)) {
        try {
          await db.transaction((queries) => add(queries.within(venue), venue, own))
        } catch (error) {
          log.warn({ code: codeOf(error) }, 'what was refused or shown could not be written yet')
          left.push(...own)
        }
      }
      return left
    }
  const refusals = keepCounts<RefusedCount>({ most: mostCounts, write: writing(addRefused) })
  const pages = keepCounts<ShownCount>({ most: mostCounts, write: writing(addShown) })

  const isAgain = (asker: string): boolean => {
    const name = keyedHash(asker, secret).toString('base64url')
    const now = clock().epochMilliseconds
    const age = now - (seen.get(name) ?? -Infinity)
    if (age >= 0 && age < onceMs) return true
    seen.set(name, now)
    return false
  }

  return {
    refused: ({ venue, asker, table, reason, door }) => {
      const { serviceDate, serviceMinute = noMinute, partySize } = table
      const today = dayNumber(clock().toString().slice(0, 10))
      if (Math.abs(dayNumber(serviceDate) - today) > farthestDays) return
      const size = sizeClassOf(partySize)
      const slot = [venue, serviceDate, serviceMinute, size].join(' ')
      if (isAgain(`${slot} ${asker}`)) return
      const what = { venue, serviceDate, serviceMinute, size, reason, door }
      refusals.add(`${slot} ${reason} ${door}`, what, 1)
    },
    shown: ({ venue, day, door, step, by }) => {
      for (const [dimension, value] of Object.entries({ all: everybody, ...by })) {
        const what = { venue, day, door, step, dimension, value: value.slice(0, mostOfValue) }
        pages.add(JSON.stringify(Object.values(what)), what, 1)
      }
    },
    flush: async () => {
      await Promise.all([refusals.flush(), pages.flush()])
    },
    close: async () => {
      await Promise.all([refusals.close(), pages.close()])
    },
  }
}

/** As the column has it. */
export const noMinute = -1

type Adding<What> = (
  db: Parameters<typeof addRefused>[0],
  venue: VenueId,
  counts: readonly Counted<What>[],
) => Promise<void>
