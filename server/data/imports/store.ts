import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { type ListPage, type PageAsked, newestPlace, pageOf } from '../../platform/kernel/list-page.ts'
import { leasedRows } from '../../core/venue/leased-rows.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Separator } from '../../platform/kernel/csv/csv-reader.ts'
import type { ImportKind, ImportPlan } from './fields.ts'

/** The statements of imports: files in parts, their counts, and the rows that were refused. */

const importRow = {
  id: 'int8',
  kind: 'text',
  state: 'text',
  file_name: 'text',
  file_bytes: 'int8',
  row_count: 'int4',
  separator: 'text',
  upload_id: 'uuid',
  plan: 'jsonb',
  made_by: 'text',
  made_at: 'timestamptz',
  started_at: 'timestamptz?',
  ended_at: 'timestamptz?',
  rows_done: 'int4',
  made: 'int4',
  known: 'int4',
  refused: 'int4',
  told: 'int4',
  remarked: 'int4',
  problem: 'text?',
  undo_started_at: 'timestamptz?',
  undo_told: 'int4',
  undone: 'int4',
  kept: 'int4',
} as const

export type ImportState = 'ready' | 'running' | 'done' | 'failed' | 'cancelled' | 'undoing' | 'undone'
export type ImportRow = Omit<RowOf<typeof importRow>, 'kind' | 'state' | 'separator' | 'plan'> & {
  readonly kind: ImportKind
  readonly state: ImportState
  readonly separator: Separator
  readonly plan: ImportPlan
}

export const insertPart = (
  db: Queries,
  venue: VenueId,
  upload: string,
  number: number,
  bytes: Buffer,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    insert into data_import_part (venue_id, upload_id, number, bytes, received_at)
    values (${venue}, ${upload}, ${number}, ${bytes}, ${now})`)

/** The parts of a file, one after the other. */
export const partsOf = async function* (db: Queries, venue: VenueId, upload: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const part = await db.maybe(sql({ bytes: 'bytea' })`
      select bytes from data_import_part
       where venue_id = ${venue} and upload_id = ${upload} and number = ${number}`)
    if (!part) return
    yield part.bytes
  }
}

export const hasParts = async (db: Queries, venue: VenueId, upload: string): Promise<boolean> =>
  (await db.maybe(sql({ number: 'int4' })`
    select number from data_import_part where venue_id = ${venue} and upload_id = ${upload} and number = 0`)) !==
  undefined

export const deleteParts = (db: Queries, venue: VenueId, upload: string): Promise<number> =>
  db.run(sql()`delete from data_import_part where venue_id = ${venue} and upload_id = ${upload}`)

export type NewImport = {
  readonly kind: ImportKind
  readonly fileName: string
  readonly fileBytes: number
  readonly rowCount: number
  readonly separator: Separator
  readonly upload: string
  readonly plan: ImportPlan
  readonly madeBy: string
}

export const insertImport = async (
  db: Queries,
  venue: VenueId,
  made: NewImport,
  now: Temporal.Instant,
): Promise<ImportRow> =>
  (await db.one(sql(importRow)`
    insert into data_import (
      venue_id, kind, state, file_name, file_bytes, row_count, separator, upload_id, plan, made_by, made_at)
    values (
      ${venue}, ${made.kind}, 'ready', ${made.fileName}, ${made.fileBytes}, ${made.rowCount}, ${made.separator},
      ${made.upload}, ${JSON.stringify(made.plan)}, ${made.madeBy}, ${now})
    returning ${columnsOf(importRow)}`)) as ImportRow

export const importOf = (db: Queries, venue: VenueId, id: number): Promise<ImportRow | undefined> =>
  db.maybe(sql(importRow)`
    select ${columnsOf(importRow)} from data_import where venue_id = ${venue} and id = ${id}`) as Promise<
    ImportRow | undefined
  >

/** Locked until the transaction ends. */
export const importForUpdate = (db: Queries, venue: VenueId, id: number): Promise<ImportRow | undefined> =>
  db.maybe(sql(importRow)`
    select ${columnsOf(importRow)} from data_import
     where venue_id = ${venue} and id = ${id} for update`) as Promise<ImportRow | undefined>

/** The files a venue uploaded, newest first. */
export const importsPage = async (
  db: Queries,
  venue: VenueId,
  { limit, after }: PageAsked,
): Promise<ListPage<ImportRow>> => {
  const { at, id } = newestPlace(after)
  const rows = (await db.many(sql(importRow)`
    select ${columnsOf(importRow)} from data_import
     where venue_id = ${venue} and (made_at, id) < (${at}, ${id})
     order by made_at desc, id desc limit ${limit + 1}`)) as ImportRow[]
  return pageOf(rows, limit, (row) => [row.made_at, row.id])
}

/** Files waiting to be started, or continued. */
export const waitingFiles = async (db: Queries, venue: VenueId): Promise<number> =>
  (
    await db.one(sql({ count: 'int8' })`
      select count(*) as count from data_import where venue_id = ${venue} and state in ('ready', 'failed')`)
  ).count

export const savePlan = (db: Queries, venue: VenueId, id: number, plan: ImportPlan): Promise<number> =>
  db.run(sql()`
    update data_import set plan = ${JSON.stringify(plan)}
     where venue_id = ${venue} and id = ${id} and state = 'ready'`)

export const markRunning = (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update data_import set state = 'running', started_at = ${now}, next_at = ${now}, problem = null, ended_at = null
     where venue_id = ${venue} and id = ${id} and state in ('ready', 'failed')`)

export const markEnded = (
  db: Queries,
  venue: VenueId,
  id: number,
  { state, problem }: { readonly state: 'done' | 'failed' | 'cancelled'; readonly problem: string | null },
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update data_import set state = ${state}, problem = ${problem}, ended_at = ${now}, next_at = null
     where venue_id = ${venue} and id = ${id} and state in ('ready', 'running', 'failed')`)

/** Those that a worker may take up, or go on with: running, or being taken back. */
export const importsDue = leasedRows('data_import', importRow, { due: 'next_at', leaseSeconds: 60 })

export const markUndoing = (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update data_import set state = 'undoing', undo_started_at = ${now}, next_at = ${now}, problem = null
     where venue_id = ${venue} and id = ${id} and state in ('done', 'failed', 'cancelled')`)

/** The file of an import that began later and wrote something: what it found rests on what came before it. */
export const laterImport = async (
  db: Queries,
  venue: VenueId,
  { id, started_at }: ImportRow,
): Promise<string | undefined> =>
  (
    await db.maybe(sql({ file_name: 'text' })`
      select i.file_name from data_import i
       where i.venue_id = ${venue} and i.id <> ${id} and i.started_at >= ${started_at} and i.state <> 'undone'
         and (i.started_at, i.id) > (${started_at}, ${id})
         and exists (select from import_record r
                      where r.venue_id = ${venue} and r.import_id = i.id and (r.made or r.filled <> '{}'))
       order by i.started_at desc, i.id desc limit 1`)
  )?.file_name

/** Counts a batch of an undo; `until` null: it was the last. */
export const addUndone = (
  db: Queries,
  venue: VenueId,
  id: number,
  { undone, kept, told }: { readonly undone: number; readonly kept: number; readonly told: number },
  until: Temporal.Instant | null,
): Promise<number> =>
  db.run(sql()`
    update data_import set
      undone = undone + ${undone}, kept = kept + ${kept}, undo_told = undo_told + ${told}, next_at = ${until},
      state = case when ${until === null} then 'undone' else state end
    where venue_id = ${venue} and id = ${id} and state = 'undoing'`)

export type Tally = {
  readonly rows: number
  readonly made: number
  readonly known: number
  readonly refused: number
  readonly told: number
  readonly remarked: number
}

/** Counts a batch. */
export const addTally = (
  db: Queries,
  venue: VenueId,
  id: number,
  tally: Tally,
  until: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update data_import set
      rows_done = rows_done + ${tally.rows}, made = made + ${tally.made}, known = known + ${tally.known},
      refused = refused + ${tally.refused}, told = told + ${tally.told}, remarked = remarked + ${tally.remarked}, next_at = ${until}
    where venue_id = ${venue} and id = ${id} and state = 'running'`)

/** A row of a file and what there is to say of it. */
export type RefusedRow = { readonly line: number; readonly sentence: string }

/** Notes what is to be said of rows: why they were refused, or, of those that were `imported`, what to look at. */
export const insertRefusals = (
  db: Queries,
  venue: VenueId,
  id: number,
  rows: readonly RefusedRow[],
  imported: boolean,
): Promise<number> =>
  db.run(sql()`
    insert into data_import_refusal (venue_id, import_id, line, sentence, imported)
    select ${venue}, ${id}, line, sentence, ${imported}
      from unnest(${rows.map(({ line }) => line)}::integer[], ${rows.map(({ sentence }) => sentence)}::text[])
        as given (line, sentence)
    on conflict do nothing`)

/** Refused rows after a line, in the order of the file; or those that were `imported`, with something to look at. */
export const refusalsAfter = (
  db: Queries,
  venue: VenueId,
  id: number,
  { imported, line, limit }: { readonly imported: boolean; readonly line: number; readonly limit: number },
): Promise<RefusedRow[]> =>
  db.many(sql({ line: 'int4', sentence: 'text' })`
    select line, sentence from data_import_refusal
     where venue_id = ${venue} and import_id = ${id} and imported = ${imported} and line > ${line} order by line limit ${limit}`)

/** What was said of rows from one line to another. */
export const refusalsBetween = (
  db: Queries,
  venue: VenueId,
  id: number,
  from: number,
  to: number,
): Promise<(RefusedRow & { readonly imported: boolean })[]> =>
  db.many(sql({ line: 'int4', sentence: 'text', imported: 'bool' })`
    select line, sentence, imported from data_import_refusal
     where venue_id = ${venue} and import_id = ${id} and line between ${from} and ${to}`)

/**
 * Files neither imported nor discarded within a day, from before a moment, and those whose import ended long enough
 * ago, across all venues.
 */
export const oldUploads = (
  db: Queries,
  until: Temporal.Instant,
  endedBefore: Temporal.Instant,
): Promise<{ venue_id: number; upload_id: string }[]> =>
  db.many(sql({ venue_id: 'int8', upload_id: 'uuid' })`
    select distinct p.venue_id, p.upload_id from data_import_part p
     where p.received_at < ${until}
       and not exists (
         select from data_import i
          where i.venue_id = p.venue_id and i.upload_id = p.upload_id
            and (i.state = 'running' or i.state in ('done', 'undoing', 'undone') and i.ended_at >= ${endedBefore}))
     limit 20`)

/** An upload being imported, or waiting to continue, keeps its file. */
export const isInUse = async (db: Queries, venue: VenueId, upload: string): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from data_import
     where venue_id = ${venue} and upload_id = ${upload} and state = 'running'`)) !== undefined

/** The imports of a discarded file. */
export const forgetUpload = (
  db: Queries,
  venue: VenueId,
  upload: string,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update data_import set state = 'cancelled', ended_at = ${now}, next_at = null
     where venue_id = ${venue} and upload_id = ${upload} and state in ('ready', 'failed')`)
