import type { Work } from '../../context.ts'
import { pages } from '../../platform/db/pages.ts'
import { type CsvValue, csvRow } from '../../platform/kernel/csv/csv-text.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { venueOfSlug } from '../../core/venue/actions.ts'
import { printRulesDocument } from '../../book/rules/rules-document.ts'
import { wholeRules } from '../../book/rules/whole-document.ts'
import { type ExportKind, type ExportedRecord, exportKinds } from './kinds.ts'

/** Records as text, a thousand at a time: a slow reader blocks nothing and fills no memory. */

type Exporting = Pick<Work, 'db' | 'venue' | 'now'>

const recordsOf = ({ db, venue }: Exporting, kind: ExportKind): AsyncGenerator<readonly ExportedRecord[]> =>
  pages((last) => kind.after(db, venue.id, last?.id ?? 0))

/** One kind as CSV that is safe to open in a spreadsheet, with the mark by which Excel detects UTF-8. */
export const csvOf = async function* (work: Exporting, kind: ExportKind): AsyncGenerator<string> {
  yield `\uFEFF${csvRow(kind.fields)}`
  for await (const records of recordsOf(work, kind)) {
    yield records.map((record) => csvRow(kind.fields.map((name) => cellOf(record[name])))).join('')
  }
}

const cellOf = (value: unknown): CsvValue => {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** Everything in one JSON document. */
export const everythingOf = async function* (work: Exporting): AsyncGenerator<string> {
  const row = await venueOfSlug(work.db, work.venue.slug)
  const venue = {
    slug: row.slug,
    name: row.name,
    timezone: row.timezone,
    phone: row.phone,
    postalAddress: row.postal_address,
    clockHours: row.clock_hours,
    mailFrom: row.mail_from,
    testAddresses: row.test_addresses,
    rooms: row.rooms,
  }
  const rules = printRulesDocument(await wholeRules(work.db, work.venue.id))
  yield `{"exportedAt":${JSON.stringify(toMoment(work.now()))},\n"venue":${JSON.stringify(venue)},\n"bookingRules":${JSON.stringify(rules)}`
  for (const kind of exportKinds) {
    yield `,\n"${kind.key}":[`
    let first = true
    for await (const records of recordsOf(work, kind)) {
      yield records
        .map((record) => JSON.stringify(record))
        .join(',\n')
        .replace(/^/, first ? '\n' : ',\n')
      first = false
    }
    yield ']'
  }
  yield '}\n'
}
