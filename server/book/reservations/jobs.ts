import type { Context, Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import { forEachVenue } from '../../core/venue/each-venue.ts'
import { bookingRulesAround } from '../rules/rules-store.ts'
import { type AtTableRow, partiesAtTable, venuesWithPartiesAtTable } from '../day/book-row.ts'
import { moveReservation } from './moves.ts'
import { lapseChange } from './change/lapse-change.ts'
import { lapsedChangesOf, venuesWithLapsedChanges } from './change/pending-change.ts'
import { endOfService, serviceDateAt } from '../rules/service-now.ts'

/**
 * Completes the parties whose service has ended, since nobody closes out every table. A party still within its turn
 * time stays on the floor until that is over, and one that staff brought back to the table stays until the next
 * service day is over. Returns how many it completed.
 *
 * Several processes may run it at once: the move is guarded by its `from` list, so each party is completed once.
 */
export const completeEndedServices = async ({
  db,
  clock,
  log,
}: Pick<Context, 'db' | 'clock' | 'log'>): Promise<number> => {
  let completed = 0
  await forEachVenue({ db, log }, await venuesWithPartiesAtTable(db), async (venue) => {
    for (const id of await partiesThatEnded({ db: db.within(venue.id), venue, now: clock })) {
      const outcome = await db.transaction((queries) =>
        moveReservation(
          { db: queries.within(venue.id), venue, now: clock },
          { kind: 'service' },
          { id, move: 'complete' },
        ),
      )
      if (outcome.kind === 'done') completed++
    }
  })
  return completed
}

/**
 * Marks the changes that nobody answered before the earlier of the two arrivals. They hold nothing from then on anyway;
 * this says so in the booking's history. Returns how many; each is looked at again with its booking held, so several
 * processes may run it at once.
 */
export const lapseChanges = async ({
  db,
  clock,
  log,
}: Pick<Context, 'db' | 'clock' | 'log'>): Promise<number> => {
  let lapsed = 0
  await forEachVenue({ db, log }, await venuesWithLapsedChanges(db, clock()), async (venue) => {
    const unit = (queries: Queries): Work => ({ db: queries.within(venue.id), venue, now: clock })
    for (const id of await lapsedChangesOf(unit(db).db, venue.id, clock())) {
      if (await db.transaction((queries) => lapseChange(unit(queries), id))) lapsed++
    }
  })
  return lapsed
}

const partiesThatEnded = async ({ db, venue, now }: Work): Promise<number[]> => {
  const clock = now()
  const today = await bookingRulesAround(db, venue, wallTimeOf(clock, venue.timezone).date)
  const businessDay = serviceDateAt(today, clock)
  const rulesOf = new Map<string, BookingRules>()
  const ended: number[] = []
  for (const party of await partiesAtTable(db, venue.id)) {
    const day = party.service_date
    const rules = rulesOf.get(day) ?? (await bookingRulesAround(db, venue, day))
    rulesOf.set(day, rules)
    if (party.kept_open ? businessDay > addDays(day, 1) : hasEnded(rules, party, clock)) ended.push(party.id)
  }
  return ended
}

const hasEnded = (rules: BookingRules, party: AtTableRow, clock: Temporal.Instant): boolean => {
  const free = toInstant(party.seated_at ?? party.starts_at).add({ minutes: party.duration_minutes ?? 0 })
  const end = endOfService(rules, party.service_date, party.service_minute) ?? free
  return Temporal.Instant.compare(clock, end) >= 0 && Temporal.Instant.compare(clock, free) >= 0
}
