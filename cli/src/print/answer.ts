import type { Output } from '../world.ts'
import { paint } from './paint.ts'
import { sheet, table } from './table.ts'

type Fields = Readonly<Record<string, unknown>>

/** An answer for people: a record in it under its own name, lists as tables, the rest a line for each field. */
export const answerText = (body: unknown, out: Output): string => {
  if (isRecords(body)) return listText(body, out)
  return Array.isArray(body) ? 'None.\n' : partsText(Object(body) as Fields, out)
}

const partsText = (body: Fields, out: Output): string => {
  const parts = Object.entries(body)
  const plain = parts.filter(([, value]) => !isRecord(value) && !isRecords(value))
  return [
    ...(plain.length > 0 ? [sheet(Object.fromEntries(plain), out)] : []),
    ...parts.flatMap(([name, value]) => {
      if (isRecord(value)) return [`${paint(out, 'bold', name)}\n${sheet(value, out)}`]
      return isRecords(value) ? [`${paint(out, 'bold', name)}\n${listText(value, out)}`] : []
    }),
  ].join('\n')
}

/** What has lists of its own, such as a day with its times, fits into no table. */
const listText = (records: readonly Fields[], out: Output): string =>
  records.some((record) => Object.values(record).some(isRecords))
    ? records.map((record) => partsText(record, out)).join('\n')
    : table(records, out)

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isRecords = (value: unknown): value is Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord)
