import type { BookingRules } from '../rules/booking-rules.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { offSpans } from '../day/day-span.ts'

type Asked = {
  readonly serviceDate: LocalDate
  readonly startsAt: Temporal.Instant
  readonly partySize: number
}

/**
 * The rooms in which a party that books online could sit then, by name in the order of the plan: a wish for any other
 * would be one that cannot come true. Undefined where tables do not decide.
 */
export const roomsToWish = (
  { floor, ...rules }: BookingRules,
  { serviceDate, startsAt, partySize }: Asked,
): readonly string[] | undefined => {
  if (floor === null) return undefined
  const off = offSpans(rules, floor, serviceDate)
  const at = startsAt.epochMilliseconds
  const isThere = (id: number): boolean =>
    !(off.get(id) ?? []).some(({ from, until }) => from <= at && at < until)
  const places = [
    ...floor.tables.map(({ id, least, most }) => ({ tables: [id], least, most })),
    ...floor.combinations,
  ]
  const rooms = new Set(
    places
      .filter(({ least, most }) => least <= partySize && partySize <= most)
      .map(({ tables }) => floor.tables.filter(({ id }) => tables.includes(id)))
      .filter((tables) => tables.every(({ id, online }) => online && isThere(id)))
      .flatMap((tables) => tables.map(({ room }) => room)),
  )
  return floor.rooms.filter(({ id }) => rooms.has(id)).map(({ name }) => name)
}
