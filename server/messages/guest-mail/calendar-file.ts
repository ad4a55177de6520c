/** An entry in a calendar (RFC 5545). */
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
  /** Whose entry it is, and where an answer goes; null: nobody can be answered. */
  readonly organizer: { readonly name: string; readonly email: string } | null
  readonly state: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED'
}

export const calendarType = (entry: Pick<CalendarEntry, 'state' | 'organizer'>): string =>
  ['text/calendar', ...methodOf(entry).map((method) => `method=${method}`), 'charset=utf-8'].join('; ')

/** Programs take an entry off a calendar only in the name of whose it is. */
export const takesOffCalendar = (entry: Pick<CalendarEntry, 'state' | 'organizer'>): boolean =>
  methodOf(entry).includes('CANCEL')

/** A method is said by an organizer (RFC 5546, 3.2); without one the file is an entry and no more. */
const methodOf = ({ state, organizer }: Pick<CalendarEntry, 'state' | 'organizer'>): string[] =>
  organizer === null ? [] : [state === 'CANCELLED' ? 'CANCEL' : 'PUBLISH']

/** A calendar file with one entry, in the venue's own time. */
export const calendarFile = (entry: CalendarEntry): string => {
  const { startsAt, timezone } = entry
  const ends = startsAt.add({ minutes: entry.minutes })
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Venue Data//Guest pages//EN',
    ...methodOf(entry).map((method) => `METHOD:${method}`),
    ...zoneLines(startsAt, timezone),
    'BEGIN:VEVENT',
    `UID:${entry.uid}`,
    `SEQUENCE:${entry.sequence}`,
    `DTSTAMP:${inUtc(entry.madeAt)}`,
    ...(entry.organizer === null ? [] : [organizerLine(entry.organizer)]),
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

/** The name in quotes, without any quotes of its own; the address as a link (RFC 6068). */
const organizerLine = ({ name, email }: NonNullable<CalendarEntry['organizer']>): string => {
  const [, local = '', domain = ''] = /^(.*)@([^@]*)$/s.exec(email) ?? []
  const quoted = name.toWellFormed().replaceAll(/["\p{Cc}]/gu, ' ')
  return `ORGANIZER;CN="${quoted}":mailto:${encodeURIComponent(local)}@${encodeURIComponent(domain)}`
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
