import { minuteInWords } from '../../platform/kernel/time/in-words.ts'
import { minutesPerDay } from '../../platform/kernel/time/written-time.ts'
import type { ServicePeriod } from './booking-rules.ts'
import { documentBounds } from './rules-document-bounds.ts'
import {
  type Field,
  entries,
  fieldsOf,
  integer,
  mistake,
  required,
  text,
  time,
} from './rules-document-fields.ts'

export const periodFields = [
  'name',
  'opens',
  'closes',
  'lastArrival',
  'seatings',
  'minParty',
  'maxParty',
  'sameDayCutoff',
  'pacing',
] as const

/** Reads one service. A close at or before its opening is on the next day. */
export const readPeriod = (
  fields: Readonly<Record<(typeof periodFields)[number], Field>>,
): ServicePeriod | undefined => {
  const startMinute = time(required(fields.opens))
  const closes = time(required(fields.closes))
  const overrides = {
    name: text(fields.name, documentBounds.name),
    sameDayCutoffMinute: time(fields.sameDayCutoff),
    minParty: integer(fields.minParty, documentBounds.party),
    maxParty: integer(fields.maxParty, documentBounds.party),
    pacing: readPacing(fields.pacing),
  }
  if (startMinute === null || closes === null) return undefined
  const endMinute = closes > startMinute ? closes : closes + minutesPerDay
  const span = { startMinute, endMinute }
  return {
    ...overrides,
    ...span,
    lastArrivalMinute: readLastArrival(fields.lastArrival, span),
    seatingMinutes: readSeatings(fields.seatings, span),
  }
}

/** Reads a pacing block; an absent part keeps the value it would override. */
export const readPacing = (field: Field): ServicePeriod['pacing'] => {
  const known = ['intervalMinutes', 'maxCovers', 'maxParties'] as const
  const given = fieldsOf(
    field.value === null || field.value === undefined ? { ...field, value: {} } : field,
    known,
  )
  return {
    intervalMinutes: integer(given.intervalMinutes, documentBounds.intervalMinutes),
    maxCovers: integer(given.maxCovers, documentBounds.load),
    maxParties: integer(given.maxParties, documentBounds.load),
  }
}

type Span = Pick<ServicePeriod, 'startMinute' | 'endMinute'>

/** A time before the opening is after midnight. */
const minuteOfService = (minute: number, { startMinute }: Span): number =>
  minute < startMinute ? minute + minutesPerDay : minute

/** The closing minute itself may be named: it means the same as none. */
const readLastArrival = (field: Field, span: Span): number | null => {
  const read = time(field)
  const minute = read === null ? null : minuteOfService(read, span)
  return minute === null || minute <= span.endMinute ? minute : mistake(field, `must lie ${within(span)}`)
}

const readSeatings = (field: Field, span: Span): readonly number[] => {
  const minutes: number[] = []
  for (const entry of entries(field, documentBounds.seatings)) {
    const read = time(required(entry))
    if (read === null) continue
    const minute = minuteOfService(read, span)
    if (minute >= span.endMinute) mistake(entry, `must lie ${within(span)}, before the close`)
    else if (minutes.includes(minute)) mistake(entry, 'is listed twice')
    else minutes.push(minute)
  }
  return minutes.toSorted((a, b) => a - b)
}

const within = ({ startMinute, endMinute }: Span): string =>
  `within the service, ${minuteInWords(startMinute)} to ${minuteInWords(endMinute)}`
