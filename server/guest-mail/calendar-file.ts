/** What stands in a calendar (RFC 5545). */
export type CalendarEntry = {
  /** The same for the same booking, always. */
  readonly uid: string
  /** Rises with each change. */
  readonly sequence: number
  /** When the file is made. */
  readonly madeAt: Temporal.Instant
  readonly startsAt: Temporal.Instant
  readonly minutes: number
  readonly timezone: string
  readonly title: string
  readonly place: string
  readonly notes: string
  readonly url: string
  readonly state: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED'
}

export const calendarType = ({ state }: Pick<CalendarEntry, 'state'>): string =>
  `text/calendar; method=${methodOf(state)}; charset=utf-8`

const methodOf = (state: CalendarEntry['state']): string => (state === 'CANCELLED' ? 'CANCEL' : 'PUBLISH')

/** A calendar file with one entry, in the venue's own time. */
export const calendarFile = (entry: CalendarEntry): string => {
  const { startsAt, timezone } = entry
  const ends = startsAt.add({ minutes: entry.minutes })
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Venue Data//Guest pages//EN',
    `METHOD:${methodOf(entry.state)}`,
    ...zoneLines(startsAt, timezone),
    'BEGIN:VEVENT',
    `UID:${entry.uid}`,
    `SEQUENCE:${entry.sequence}`,
    `DTSTAMP:${inUtc(entry.madeAt)}`,
    momentLine('DTSTART', startsAt, timezone),
    momentLine('DTEND', ends, timezone),
    `SUMMARY:${escaped(entry.title)}`,
    ...(entry.place === '' ? [] : [`LOCATION:${escaped(entry.place)}`]),
    ...(entry.notes === '' ? [] : [`DESCRIPTION:${escaped(entry.notes)}`]),
    `URL:${entry.url}`,
    `STATUS:${entry.state}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map(folded).join('\r\n').concat('\r\n')
}

/**
 * A moment on the venue's wall. A wall time that happens twice, on the night the clocks go back, is read as either by
 * programs that people use, so it is given in UTC.
 */
const momentLine = (name: string, moment: Temporal.Instant, timezone: string): string => {
  const wall = moment.toZonedDateTimeISO(timezone).toPlainDateTime()
  const meant = (disambiguation: 'earlier' | 'later') => wall.toZonedDateTime(timezone, { disambiguation })
  return meant('earlier').equals(meant('later'))
    ? `${name};TZID=${timezone}:${compact(wall)}`
    : `${name}:${inUtc(moment)}`
}

/** The zone's offsets around a moment, each from the change of the clocks that began it. */
const zoneLines = (moment: Temporal.Instant, timezone: string): string[] => {
  const zoned = moment.subtract({ hours: 24 * 400 }).toZonedDateTimeISO(timezone)
  const end = moment.add({ hours: 24 * 400 })
  const changes: Temporal.ZonedDateTime[] = []
  let next = zoned.getTimeZoneTransition('next')
  while (next && Temporal.Instant.compare(next.toInstant(), end) < 0 && changes.length < 8) {
    changes.push(next)
    next = next.getTimeZoneTransition('next')
  }
  const offsets = (before: Temporal.ZonedDateTime, after: Temporal.ZonedDateTime): string[] => [
    `TZOFFSETFROM:${offset(before)}`,
    `TZOFFSETTO:${offset(after)}`,
  ]
  const parts =
    changes.length === 0
      ? [['BEGIN:STANDARD', 'DTSTART:19700101T000000', ...offsets(zoned, zoned), 'END:STANDARD']]
      : changes.map((change) => {
          const before = change.subtract({ nanoseconds: 1 })
          const kind = change.offsetNanoseconds > before.offsetNanoseconds ? 'DAYLIGHT' : 'STANDARD'
          // The moment of the change, as the clock showed it before.
          const wall = change
            .toInstant()
            .add({ nanoseconds: before.offsetNanoseconds })
            .toZonedDateTimeISO('UTC')
          return [
            `BEGIN:${kind}`,
            `DTSTART:${compact(wall.toPlainDateTime())}`,
            ...offsets(before, change),
            `END:${kind}`,
          ]
        })
  return ['BEGIN:VTIMEZONE', `TZID:${timezone}`, ...parts.flat(), 'END:VTIMEZONE']
}

const offset = ({ offset: text }: Temporal.ZonedDateTime): string => text.replaceAll(':', '')

const compact = (wall: Temporal.PlainDateTime): string =>
  wall.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')

const inUtc = (moment: Temporal.Instant): string =>
  `${moment.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '').replace('Z', '')}Z`

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)
    .replaceAll(/\r?\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, ' ')

/** Lines of at most 75 bytes, cut between characters. */
const folded = (line: string): string => {
  const parts: string[] = []
  let part = ''
  let bytes = 0
  for (const sign of line) {
    const more = Buffer.byteLength(sign)
    if (bytes + more > (parts.length === 0 ? 75 : 74)) {
      parts.push(part)
      part = ''
      bytes = 0
    }
    part += sign
    bytes += more
  }
  return [...parts, part].join('\r\n ')
}
