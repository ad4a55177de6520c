/* When nothing leaves that does not have to, on the venue's wall. */

/** Mail and texts leave from the first to the second of these hours. */
const open = { from: 9, to: 21 } as const

const atHour = (at: Temporal.ZonedDateTime, hour: number): Temporal.ZonedDateTime =>
  at.toPlainDate().toZonedDateTime({ timeZone: at.timeZoneId, plainTime: Temporal.PlainTime.from({ hour }) })

/** When the current quiet hours end; undefined outside of them. */
export const quietUntil = (now: Temporal.Instant, zone: string): Temporal.Instant | undefined => {
  const wall = now.toZonedDateTimeISO(zone)
  if (wall.hour >= open.from && wall.hour < open.to) return undefined
  return atHour(wall.hour < open.from ? wall : wall.add({ days: 1 }), open.from).toInstant()
}

/** When the next quiet hours of a day that has none now begin. */
export const quietFrom = (now: Temporal.Instant, zone: string): Temporal.Instant =>
  atHour(now.toZonedDateTimeISO(zone), open.to).toInstant()
