import { randomInt } from 'node:crypto'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { plainSigns } from '../../platform/kernel/plain-signs.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/** 29 of 22 signs: 129 bits, in letters that somebody can type at a door without light. */
export const codeSigns = 29

const makeCode = (): string =>
  Array.from({ length: codeSigns }, () => plainSigns[randomInt(plainSigns.length)]).join('')

/** Makes an order's tickets, one a seat; those it has stay as they are, and so do their codes. */
export const insertTickets = (db: Queries, venue: VenueId, order: number, seats: number): Promise<number> => {
  const numbers = Array.from({ length: seats }, (_, place) => place + 1)
  return db.run(sql()`
    insert into ticket (venue_id, order_id, number, code)
    select ${venue}, ${order}, number, code
      from unnest(${numbers}::integer[], ${numbers.map(makeCode)}::text[]) as given (number, code)
    on conflict do nothing`)
}

/**
 * Leaves an order so many valid tickets. Those that are chosen become void first, then the highest numbers; those of
 * people who are already in come last.
 */
export const voidTickets = (
  db: Queries,
  venue: VenueId,
  order: number,
  { valid, chosen }: { readonly valid: number; readonly chosen: readonly number[] },
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update ticket set void_at = ${now}
     where venue_id = ${venue} and order_id = ${order} and void_at is null
       and number in (
         select number from ticket
          where venue_id = ${venue} and order_id = ${order} and void_at is null
          order by number = any(${[...chosen]}::integer[]), in_at is null, number
         offset ${valid})`)
