import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type LocalDate, minuteOfDay, minutesPerDay } from '../../../platform/kernel/time/written-time.ts'
import type { Counted } from '../../../book/servers/by-hour.ts'
import type { ServedRow } from '../../../book/servers/reads.ts'

/** Parties that sat down, by the venue's clock; what is after midnight belongs to the service date. */
export const countedOf = (
  timezone: string,
  date: LocalDate,
  served: readonly ServedRow[],
): readonly Counted[] =>
  served.map(({ server_id, party_size, seated_at }) => {
    const wall = wallTimeOf(toInstant(seated_at), timezone)
    const minute = minuteOfDay(wall.time) + (wall.date > date ? minutesPerDay : 0)
    return { server: server_id, covers: party_size ?? 1, minute }
  })
