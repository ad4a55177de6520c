import { limits } from '@venue-data/contract/limits.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { sql } from '../../platform/db/sql.ts'
import { Refusal, badRequest, notFound } from '../../platform/kernel/refusal.ts'
import { typedDate, typedLine, typedText } from '../../platform/kernel/typed-fields.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { plainCell, rowsOfFile } from './csv-file.ts'
import { tagsCell } from './read-cells.ts'
import type { CsvRow } from '../../platform/kernel/csv/csv-reader.ts'
import {
  type Beside,
  type Columns,
  type DateOrder,
  type Evidence,
  type ImportPlan,
  importFields,
  saysConsent,
  isStaffWords,
} from './fields.ts'
import {
  type KeyedReservation,
  foreseeKnown,
  foreseeRemarks,
} from '../../book/reservations/import-reservation.ts'
import { withRepeats } from './repeats.ts'
import { type ReadRow, foresee, readRow, remarksInWords } from './rows.ts'
import {
  type ImportRow,
  type RefusedRow,
  deleteParts,
  importForUpdate,
  importOf,
  markEnded,
  laterImport,
  markRunning,
  markUndoing,
  partsOf,
  savePlan,
} from './store.ts'
import { hasSheet } from './sheet.ts'
import { spacingOf } from './event-pace.ts'

/** What the owner does with an uploaded file: match its columns, preview it, start, stop, continue. */

export const oneImport = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  id: number,
): Promise<ImportRow> => {
  const row = await importOf(db, venue.id, id)
  if (!row) throw notFound('import')
  return row
}

/** What the owner sets on the page; text as typed. */
export type TypedPlan = {
  readonly columns: Columns
  readonly dates: DateOrder
  readonly evidence: { readonly source: string; readonly statement: string; readonly date: string } | null
  /** Of columns without a field, by their number. */
  readonly besides: Readonly<Record<string, Beside>>
  readonly manyTags: boolean
  readonly leaveOutRepeats: boolean
}

/** Saves how to read a file. Refuses one that has been started. */
export const settlePlan = async (work: Work, id: number, typed: TypedPlan): Promise<ImportPlan> => {
  const row = await heldImport(work, id)
  if (row.state !== 'ready')
    throw new Refusal(409, 'This import has been started; its columns can no longer change.')
  const known = new Set(importFields[row.kind].map(({ name }) => name))
  const columns = Object.fromEntries(Object.entries(typed.columns).filter(([name]) => known.has(name)))
  const plan = {
    ...row.plan,
    columns,
    besides: besidesOf(columns, typed.besides),
    manyTags: typed.manyTags,
    leaveOutRepeats: typed.leaveOutRepeats,
    dates: typed.dates,
    evidence: evidenceOf(typed.evidence, wallTimeOf(work.now(), work.venue.timezone).date),
  }
  await savePlan(work.db, work.venue.id, id, plan)
  return plan
}

/** A column has one place: one that a field took is in no note. */
export const besidesOf = (columns: Columns, besides: TypedPlan['besides']): TypedPlan['besides'] => {
  const taken = new Set(Object.values(columns).map(String))
  return Object.fromEntries(Object.entries(besides).filter(([column]) => !taken.has(column)))
}

const evidenceOf = (typed: TypedPlan['evidence'], today: string): Evidence | null => {
  const source = typedLine('Where they agreed', typed?.source ?? null, limits.shortTextCharacters)
  const statement = typedText('The statement', typed?.statement ?? null, limits.statementCharacters)
  const date = typedDate('The consent date', typed?.date ?? null)
  if (date !== null && date > today) throw badRequest('The consent date is in the future.')
  return source === null && statement === null && date === null
    ? null
    : { source: source ?? '', statement, date }
}

/** Hands an import to the workers; one that failed continues where it stopped. */
export const startImport = async (work: Work, actor: Actor, id: number): Promise<void> => {
  const row = await heldImport(work, id)
  if (row.state !== 'ready' && row.state !== 'failed' && row.state !== 'cancelled') return
  if (row.state === 'cancelled') throw new Refusal(409, 'This file was discarded; upload it again.')
  const { columns } = row.plan
  if (Object.keys(columns).length === 0) throw badRequest('Choose at least one column.')
  const missing = neededColumns[row.kind].filter((any) => !any.some((name) => columns[name] !== undefined))
  if (missing.length > 0) {
    const titles = missing.map((any) => any.map((name) => titleOf(row, name)).join(' or '))
    throw badRequest(`Choose the column for: ${titles.join(', ')}.`)
  }
  if (!row.plan.manyTags) {
    const tags = await newTagsIn(work, row)
    if (tags > mostNewTags)
      throw badRequest(
        `This file would make ${tags} new tags. Check the box to add them, or choose another column for the tags.`,
      )
  }
  await markRunning(work.db, work.venue.id, id, work.now())
  await recordImport(work, actor, row, 'startImport')
}

/** The required fields of each kind; one from each list. */
const neededColumns = {
  guests: [['email', 'phone']],
  subscribers: [['email']],
  reservations: [['partySize'], ['date']],
  'do-not-email': [['email']],
} as const satisfies Record<ImportRow['kind'], readonly (readonly string[])[]>

const titleOf = ({ kind }: ImportRow, field: string): string =>
  importFields[kind].find(({ name }) => name === field)?.title ?? field

/** Stops an import, or discards its file. What was imported stays. */
export const cancelImport = async (work: Work, actor: Actor, id: number): Promise<void> => {
  const row = await heldImport(work, id)
  if (row.state !== 'ready' && row.state !== 'running' && row.state !== 'failed') return
  await markEnded(work.db, work.venue.id, id, { state: 'cancelled', problem: null }, work.now())
  await deleteParts(work.db, work.venue.id, row.upload_id)
  await recordImport(work, actor, row, 'cancelImport')
}

const undoHours = 24

/** Whether an import can be undone: of guests or bookings, ended less than a day ago. */
export const mayUndo = (row: ImportRow, now: Temporal.Instant): boolean =>
  hasSheet(row.kind) &&
  row.rows_done > 0 &&
  (row.state === 'done' || row.state === 'failed' || row.state === 'cancelled') &&
  row.ended_at !== null &&
  Temporal.Instant.compare(Temporal.Instant.from(row.ended_at).add({ hours: undoHours }), now) > 0

/** What is said of an import that a later one rests on. */
export const undoFirst = (later: string): string => `Undo “${later}” first, which was imported after it.`

/** Hands the undo of an import to the workers. */
export const startUndo = async (work: Work, actor: Actor, id: number): Promise<void> => {
  const row = await heldImport(work, id)
  if (row.state === 'undoing' || row.state === 'undone') return
  if (!mayUndo(row, work.now()))
    throw new Refusal(
      409,
      `An import of guests or reservations can be undone for ${undoHours} hours after it ended.`,
    )
  const later = await laterImport(work.db, work.venue.id, row)
  if (later) throw new Refusal(409, undoFirst(later))
  await markUndoing(work.db, work.venue.id, id, work.now())
  await recordImport(work, actor, row, 'undoImport')
}

/** For the activity log: which file, how many rows, and how far it got. */
const recordImport = (
  work: Work,
  actor: Actor,
  { id, kind, file_name: file, row_count: rows, rows_done: done }: ImportRow,
  action: 'startImport' | 'cancelImport' | 'undoImport',
): Promise<void> =>
  recordActivity(
    work,
    actor,
    {
      action,
      record: { kind: 'data_import', id },
      before: null,
      after: { kind, file, rows, ...(done > 0 && { done }) },
    },
    work.now(),
  )

const heldImport = async ({ db, venue }: Work, id: number): Promise<ImportRow> => {
  const row = await importForUpdate(db, venue.id, id)
  if (!row) throw notFound('import')
  return row
}

export type Preview = {
  /** Headings, or column numbers if the file has no headings. */
  readonly header: readonly string[]
  readonly rows: readonly { readonly row: CsvRow; readonly outcome: string; readonly refused: boolean }[]
  /** Columns that no field takes and that have something in them. */
  readonly untaken: readonly Untaken[]
  /** Tags that the venue does not have yet. */
  readonly newTags: number
  /** Rows that were checked, and which lines of them would be refused, by sentence. */
  readonly checked: number
  readonly refusals: ReadonlyMap<string, readonly number[]>
  /** Of the rows checked, those that would be imported with something to look at. */
  readonly remarks: readonly RefusedRow[]
  /** How many of the rows checked are bookings that are there already, in the book or earlier in the file. */
  readonly known: number
  /** The lines of those that say otherwise than the book, which stays as it is. */
  readonly differs: readonly number[]
  /** How many of the rows checked say that somebody must not be emailed. */
  readonly objections: number
  /** Endpoints that would get events about what is new, and over how many hours. */
  readonly told: { readonly endpoints: number; readonly hours: number }
}

export type Untaken = {
  readonly column: number
  readonly heading: string
  readonly rows: number
  /** Something that is in it. */
  readonly sample: string
  /** Undefined: nobody has said yet. */
  readonly place: Beside | undefined
  /** Who agreed to emails; it is never taken from here. */
  readonly isConsent: boolean
  /** What staff wrote of a guest or a visit: its place is known, though another column is the first of them. */
  readonly isStaffWords: boolean
}

const rowsShown = 8
const rowsChecked = 1_000

/** What would happen, judging by the first rows. Nothing is locked or written. */
export const previewImport = async (work: Work, row: ImportRow): Promise<Preview> => {
  const first = await firstRows(work, row, rowsChecked + 1)
  const header = row.plan.header ? (first[0]?.cells ?? []) : []
  const rows = row.plan.header ? first.slice(1) : first.slice(0, rowsChecked)
  const width = Math.max(header.length, ...rows.slice(0, 50).map(({ cells }) => cells.length))
  const { rows: read, keys } = withRepeats(
    rows.map((one) => readRow(row.kind, row.plan, one, work)),
    row.plan,
    new Map(),
  )
  const known = await knownOf(work, keys)
  const remarks = await remarksOn(work, read, keys, known)
  const shown: Preview['rows'][number][] = []
  for (const [i, one] of rows.slice(0, rowsShown).entries()) {
    const outcome = read[i] as ReadRow
    const remark = remarks.find(({ line }) => line === outcome.line)
    const words = [
      known.has(outcome.line) ? `Already there${remark ? '' : ': no change'}` : await foresee(work, outcome),
      ...(remark ? [remark.sentence] : []),
    ].join('. ')
    shown.push({ row: one, outcome: words, refused: outcome.kind === 'refused' })
  }
  const refused = read.filter((one) => one.kind === 'refused')
  const headings = Array.from({ length: width }, (_, i) => header[i]?.trim() || `Column ${i + 1}`)
  return {
    header: headings,
    rows: shown,
    untaken: untakenOf(row, headings, rows),
    newTags: await newTagsIn(work, row),
    checked: rows.length,
    refusals: new Map(
      [...Map.groupBy(refused, ({ sentence }) => sentence)].map(([sentence, all]) => [
        sentence,
        all.map(({ line }) => line),
      ]),
    ),
    remarks,
    known: known.size,
    differs: [...known].flatMap(([line, remark]) => (remark === undefined ? [] : [line])),
    objections: read.filter((one) => one.kind === 'objections').length,
    told: {
      endpoints: await endpointsFor(work),
      hours: (row.row_count * spacingOf(row.row_count)) / 3_600_000,
    },
  }
}

const untakenOf = (
  { kind, plan }: ImportRow,
  headings: readonly string[],
  rows: readonly CsvRow[],
): Untaken[] => {
  const taken = new Set(Object.values(plan.columns))
  return headings.flatMap((heading, column) => {
    const written = rows.flatMap(({ cells }) => {
      const text = plainCell(cells[column] ?? '')
      return /[^\s-]/.test(text) ? [text] : []
    })
    const count = Math.max(plan.filled?.[column] ?? 0, written.length)
    if (taken.has(column) || count === 0) return []
    return [
      {
        column,
        heading,
        rows: count,
        sample: written[0] ?? '',
        place: plan.besides?.[column],
        isConsent: saysConsent(heading),
        isStaffWords: isStaffWords(kind, heading),
      },
    ]
  })
}

/** More new tags than this are not made without asking: a column of notes may have been taken for tags. */
export const mostNewTags = 50
const mostTagsCounted = 5_000

/** How many tags a whole file would make. */
const newTagsIn = async ({ db, venue }: Pick<Work, 'db' | 'venue'>, row: ImportRow): Promise<number> => {
  const column = row.plan.columns['tags']
  if (column === undefined) return 0
  const named = new Set<string>()
  let isHeader = row.plan.header
  for await (const rows of rowsOfFile(partsOf(db, venue.id, row.upload_id), row.separator)) {
    for (const { cells } of rows) {
      if (isHeader) isHeader = false
      else for (const tag of tagsCell(plainCell(cells[column] ?? ''))) named.add(tag.toLowerCase())
    }
    if (named.size > mostTagsCounted) break
  }
  const there = await db.many(sql({ name: 'text' })`
    select lower(name) as name from house_tag where venue_id = ${venue.id}`)
  return named.difference(new Set(['vip', ...there.map(({ name }) => name)])).size
}

/** What to look at once these rows are imported; those that are there already bring nothing, and may say otherwise. */
const remarksOn = async (
  work: Work,
  read: readonly ReadRow[],
  keys: ReadonlyMap<number, KeyedReservation>,
  known: ReadonlyMap<number, string | undefined>,
): Promise<RefusedRow[]> => {
  const bookings = read.filter((row) => row.kind === 'reservations')
  const brought = bookings.filter(({ line }) => !known.has(line))
  const remarks = await foreseeRemarks(
    work,
    brought.map(({ line }) => keys.get(line)!),
  )
  const places = new Map(brought.map(({ line }, place) => [line, place]))
  return bookings.flatMap(({ line, remark }) => {
    const place = places.get(line)
    const sentence =
      place === undefined ? (known.get(line) ?? '') : remarksInWords(remark, remarks.get(place))
    return sentence === '' ? [] : [{ line, sentence }]
  })
}

/** The lines of bookings that are there already, each with what it says otherwise. */
const knownOf = async (
  work: Work,
  keys: ReadonlyMap<number, KeyedReservation>,
): Promise<ReadonlyMap<number, string | undefined>> => {
  const places = await foreseeKnown(work, [...keys.values()])
  return new Map(
    [...keys.keys()].flatMap((line, place) => (places.has(place) ? [[line, places.get(place)]] : [])),
  )
}

const firstRows = async ({ db, venue }: Work, row: ImportRow, most: number): Promise<CsvRow[]> => {
  const found: CsvRow[] = []
  for await (const rows of rowsOfFile(partsOf(db, venue.id, row.upload_id), row.separator)) {
    found.push(...rows.slice(0, most - found.length))
    if (found.length >= most) break
  }
  return found
}

const endpointsFor = async ({ db, venue }: Work): Promise<number> =>
  (
    await db.one(sql({ count: 'int8' })`
      select count(*) as count from webhook_endpoint where venue_id = ${venue.id} and status = 'active'`)
  ).count
