import { clockTimeAt } from '../../platform/kernel/time/written-time.ts'
import { type WrittenFloor, type WrittenTable, floorMistakes } from './floor/written-floor.ts'
import { tableShapes } from './floor/floor.ts'
import { documentBounds } from './rules-document-bounds.ts'
import {
  type Field,
  date,
  entries,
  fieldsOf,
  integer,
  isAbsent,
  oneOf,
  required,
  text,
  time,
  trueOrFalse,
} from './rules-document-fields.ts'

/** The part `tables` of the rules document; undefined where it is absent, which leaves the tables as they are. */
export const readTables = (field: Field): WrittenFloor | undefined => {
  if (isAbsent(field)) return undefined
  const fields = fieldsOf(field, [
    'turnoverMinutes',
    'rooms',
    'tables',
    'combinations',
    'outOfOrder',
    'plans',
  ])
  const floor: WrittenFloor = {
    turnoverMinutes: integer(fields.turnoverMinutes, documentBounds.turnoverMinutes) ?? 0,
    rooms: entries(fields.rooms, documentBounds.rooms).flatMap(readRoom),
    tables: entries(fields.tables, documentBounds.tables).flatMap(readTable),
    combinations: entries(fields.combinations, documentBounds.combinations).flatMap(readCombination),
    outages: entries(fields.outOfOrder, documentBounds.outages).flatMap(readOutage),
    plans: entries(fields.plans, documentBounds.plans).flatMap(readPlan),
  }
  if (field.mistakes.length === 0) field.mistakes.push(...floorMistakes(floor))
  return floor
}

const readRoom = (entry: Field): WrittenFloor['rooms'] => {
  const fields = fieldsOf(entry, ['name', 'on'])
  const name = text(required(fields.name), documentBounds.name)
  return name === null ? [] : [{ name, isOn: trueOrFalse(fields.on) ?? true }]
}

const readTable = (entry: Field): readonly WrittenTable[] => {
  const fields = fieldsOf(entry, [
    'label',
    'room',
    'least',
    'most',
    'shape',
    'x',
    'y',
    'online',
    'priority',
    'features',
  ])
  const label = text(required(fields.label), documentBounds.label)
  const room = text(required(fields.room), documentBounds.name)
  const least = integer(fields.least, documentBounds.seats) ?? 1
  const most = integer(required(fields.most), documentBounds.seats)
  const shape = oneOf(fields.shape, tableShapes) ?? 'square'
  const [x, y] = [integer(fields.x, documentBounds.place), integer(fields.y, documentBounds.place)]
  const features = entries(fields.features, documentBounds.features).flatMap(
    (one) => text(required(one), documentBounds.feature) ?? [],
  )
  if (label === null || room === null || most === null) return []
  return [
    {
      label,
      room,
      least,
      most,
      shape,
      x: x ?? 0,
      y: y ?? 0,
      online: trueOrFalse(fields.online) ?? true,
      priority: integer(fields.priority, documentBounds.priority) ?? 0,
      features,
    },
  ]
}

const readCombination = (entry: Field): WrittenFloor['combinations'] => {
  const fields = fieldsOf(entry, ['tables', 'least', 'most'])
  const tables = entries(required(fields.tables), documentBounds.joined).flatMap(
    (one) => text(required(one), documentBounds.label) ?? [],
  )
  const least = integer(fields.least, documentBounds.seats) ?? 1
  const most = integer(required(fields.most), documentBounds.seats)
  return most === null ? [] : [{ tables, least, most }]
}

const readOutage = (entry: Field): WrittenFloor['outages'] => {
  const fields = fieldsOf(entry, ['table', 'fromDate', 'fromTime', 'untilDate', 'untilTime', 'why'])
  const table = text(required(fields.table), documentBounds.label)
  const [fromDate, untilDate] = [date(required(fields.fromDate)), date(required(fields.untilDate))]
  const fromMinute = time(fields.fromTime) ?? 0
  const untilMinute = time(fields.untilTime) ?? 0
  const why = text(fields.why, documentBounds.name)
  if (table === null || fromDate === null || untilDate === null) return []
  return [{ table, fromDate, fromMinute, untilDate, untilMinute, why }]
}

const readPlan = (entry: Field): WrittenFloor['plans'] => {
  const fields = fieldsOf(entry, ['room', 'table', 'weekdays', 'from', 'to', 'service'])
  return [
    {
      room: text(fields.room, documentBounds.name),
      table: text(fields.table, documentBounds.label),
      weekdays: entries(fields.weekdays, 7).flatMap(
        (one) => integer(required(one), documentBounds.weekday) ?? [],
      ),
      from: date(fields.from),
      to: date(fields.to),
      service: text(fields.service, documentBounds.name),
    },
  ]
}

/** Writes the part `tables` so that `readTables` reads it back. */
export const printTables = ({
  turnoverMinutes,
  rooms,
  tables,
  combinations,
  outages,
  plans,
}: WrittenFloor) => ({
  turnoverMinutes,
  rooms: rooms.map(({ name, isOn }) => ({ name, on: isOn })),
  tables: tables.map(({ label, room, least, most, shape, x, y, online, priority, features }) => ({
    label,
    room,
    least,
    most,
    shape,
    x,
    y,
    online,
    priority,
    features,
  })),
  combinations: combinations.map(({ tables, least, most }) => ({ tables, least, most })),
  ...(outages.length > 0 && {
    outOfOrder: outages.map(({ table, fromDate, fromMinute, untilDate, untilMinute, why }) => ({
      table,
      fromDate,
      fromTime: clockTimeAt(fromMinute),
      untilDate,
      untilTime: clockTimeAt(untilMinute),
      why,
    })),
  }),
  ...(plans.length > 0 && {
    plans: plans.map(({ room, table, weekdays, from, to, service }) => ({
      room,
      table,
      weekdays,
      from,
      to,
      service,
    })),
  }),
})
