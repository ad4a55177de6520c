import type { Plan } from '@venue-data/contract/records/account.ts'
import type { Actor } from '../../core/activity/actor.ts'
import type { Context, Work } from '../../context.ts'
import { isDatabaseDown, isWorthAnotherTry } from '../../platform/db/faults.ts'
import { type StaffForm, readBy } from '../../platform/kernel/time/in-words.ts'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { staffOfVenue } from '../../core/staff/people.ts'
import type { StaffRole } from '../../core/staff/roles.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { allVenues } from '../../core/venue/venues.ts'
import { rowsOfFile } from './csv-file.ts'
import { CsvFault, type CsvRow } from '../../platform/kernel/csv/csv-reader.ts'
import { type Likeness, withRepeats } from './repeats.ts'
import { readRow, writeRows } from './rows.ts'
import {
  type ImportRow,
  addTally,
  addUndone,
  deleteParts,
  forgetUpload,
  importForUpdate,
  importsDue,
  insertRefusals,
  isInUse,
  markEnded,
  oldUploads,
  partsOf,
} from './store.ts'
import { takeBackReservation } from '../../book/reservations/take-back-import.ts'
import { holdGuestBook } from '../../crm/guests/actions.ts'
import { takeBackGuest } from '../../crm/guests/take-back-import.ts'
import {
  carryVersion,
  forgetRecords,
  importsToForget,
  insertRecords,
  markUndone,
  recordsToUndo,
} from './records.ts'
import { hasSheet, sheetDays } from './sheet.ts'
import { inPace, spacingOf } from './event-pace.ts'

/*
 * Imports, a batch at a time. Cast: the owner's page sets `running`; a worker leases the import for some seconds and
 * renews the lease with each batch; a batch, its refused rows and the count of rows done commit together. A crash
 * leaves the count where it was: the next worker reads the file again from the start, which is fast, and skips what
 * is done. Two workers that both believe they hold the lease lock its row in turn, and the one whose count is behind
 * stops.
 */

/** Few, so that nobody waits for the guest book longer than for a few requests. */
const rowsOfBatch = 40
/** When other imports wait, one hands over after this long. */
const sliceMs = 5_000
const mostRefusalsKept = 20_000

type Doing = Pick<Context, 'workerDb' | 'clock' | 'bell' | 'log'>

/** Runs waiting imports, each in the words of its venue's staff, one after the other, until none waits or the process ends. Returns how many batches ran. */
export const runImports = async (context: Doing, signal?: AbortSignal): Promise<number> => {
  let batches = 0
  while (!signal?.aborted) {
    const next = await importsDue.first(context.workerDb, context.clock())
    if (next === undefined) break
    const venue = await venueOf(context, next)
    const done = venue ? await readBy(venue, () => runOne(context, venue, signal)) : 0
    if (done === 0) break
    batches += done
  }
  return batches
}

const venueOf = async (
  { workerDb }: Pick<Context, 'workerDb'>,
  id: number,
): Promise<(Venue & StaffForm) | undefined> => {
  const row = (await allVenues(workerDb)).find((one) => one.id === id)
  return row && { ...row, plan: row.plan as Plan, clockHours: row.clock_hours }
}

const runOne = async (context: Doing, venue: Venue, signal: AbortSignal | undefined): Promise<number> => {
  const { workerDb: db, clock } = context
  const row = (await importsDue.take(db, venue.id, clock())) as ImportRow | undefined
  if (!row) return 0
  const { id } = row
  const until = () => importsDue.until(clock())
  const began = performance.now()
  let batches = 0
  try {
    if (row.state === 'undoing') {
      for (let isLast = false; !isLast;) {
        isLast = await undoBatch(context, venue, row, until())
        context.bell.ring()
        batches++
        if (signal?.aborted || (!isLast && performance.now() - began > sliceMs)) {
          await importsDue.giveBack(db, venue.id, id, clock())
          return batches
        }
      }
      return batches
    }
    const actor = await whoBrought(context, venue, row)
    for await (const batch of batchesOf(context, venue, row)) {
      await runBatch(context, venue, row, actor, batch, until())
      context.bell.ring()
      batches++
      const isOthersTurn = async () =>
        performance.now() - began > sliceMs && (await importsDue.first(db, clock())) !== undefined
      if (signal?.aborted || (await isOthersTurn())) {
        await importsDue.giveBack(db, venue.id, id, clock())
        return batches
      }
    }
    await end(context, venue, row, { state: 'done', problem: null })
    return batches + 1
  } catch (error) {
    if (error instanceof Overtaken) return batches
    // It resumes when the lease expires.
    if (isDatabaseDown(error) || isWorthAnotherTry(error)) throw error
    const known = error instanceof CsvFault
    if (!known) context.log.error({ code: codeOf(error), import: id }, 'an import failed')
    if (row.state === 'undoing') throw error
    const problem = known
      ? error.message
      : 'It stopped because of a fault on our side. What was imported stays; press Continue to resume.'
    await end(context, venue, row, { state: 'failed', problem })
    return batches + 1
  }
}

/** The account that uploaded the file; accounts are deactivated, never deleted. */
const whoBrought = async (
  { workerDb }: Pick<Context, 'workerDb'>,
  venue: Venue,
  { made_by: email }: ImportRow,
): Promise<Actor> => {
  const person = (await staffOfVenue(workerDb, venue.id)).find((one) => one.email === email)
  return person
    ? { kind: 'staff', id: person.id, email, role: person.role as StaffRole }
    : { kind: 'service' }
}

/** Another worker has it, or the owner stopped it. */
class Overtaken extends Error {}

type Batch = {
  readonly from: number
  readonly rows: readonly CsvRow[]
  readonly likeness: Likeness
}

/** The rows not done yet; done ones only count for telling identical rows apart. */
const batchesOf = async function* (
  { workerDb, clock }: Doing,
  venue: Venue,
  row: ImportRow,
): AsyncGenerator<Batch> {
  const likeness: Likeness = new Map()
  const reading = { venue, now: clock }
  let place = 0
  let isHeader = row.plan.header
  let waiting: CsvRow[] = []
  for await (const rows of rowsOfFile(partsOf(workerDb, venue.id, row.upload_id), row.separator)) {
    for (const one of rows) {
      if (isHeader) isHeader = false
      else if (place++ < row.rows_done) {
        if (row.kind === 'reservations') {
          withRepeats([readRow(row.kind, row.plan, one, reading)], row.plan, likeness)
        }
      } else {
        waiting.push(one)
        if (waiting.length === rowsOfBatch) {
          yield { from: place - waiting.length, rows: waiting, likeness }
          waiting = []
        }
      }
    }
  }
  if (waiting.length > 0) yield { from: place - waiting.length, rows: waiting, likeness }
}

const runBatch = async (
  { workerDb, clock }: Doing,
  venue: Venue,
  row: ImportRow,
  actor: Actor,
  { from, rows, likeness }: Batch,
  until: Temporal.Instant,
): Promise<void> => {
  const { rows: read, keys } = withRepeats(
    rows.map((one) => readRow(row.kind, row.plan, one, { venue, now: clock })),
    row.plan,
    likeness,
  )
  const spacing = spacingOf(row.row_count * (row.kind === 'reservations' ? 2 : 1))
  await workerDb.transaction(async (queries) => {
    const db = queries.within(venue.id)
    const now = await importForUpdate(db, venue.id, row.id)
    if (!now || now.state !== 'running' || now.rows_done !== from) throw new Overtaken()
    const began = Temporal.Instant.from(now.started_at ?? now.made_at)
    const { earliestSend, told } = inPace({ began, spacing, toldBefore: now.told, clock })
    const work: Work = { db, venue, now: clock, earliestSend }
    const { made, known, refused, remarked, records } = await writeRows(work, actor, read, keys)
    await insertRecords(db, venue.id, row.id, records)
    for (const [rows, before, imported] of [
      [refused, now.refused, false],
      [remarked, now.remarked, true],
    ] as const) {
      const kept = rows.slice(0, Math.max(0, mostRefusalsKept - before))
      if (kept.length > 0) await insertRefusals(db, venue.id, row.id, kept, imported)
    }
    await addTally(
      db,
      venue.id,
      row.id,
      { rows: rows.length, made, known, refused: refused.length, remarked: remarked.length, told: told() },
      until,
    )
  })
}

/** Takes the next records of an import back, and counts them in the same transaction. Answers whether they were the last. */
const undoBatch = async (
  { workerDb, clock }: Doing,
  venue: Venue,
  row: ImportRow,
  until: Temporal.Instant,
): Promise<boolean> =>
  workerDb.transaction(async (queries) => {
    const db = queries.within(venue.id)
    const now = await importForUpdate(db, venue.id, row.id)
    if (!now || now.state !== 'undoing') throw new Overtaken()
    const { earliestSend, told } = inPace({
      began: Temporal.Instant.from(now.undo_started_at ?? now.made_at),
      spacing: spacingOf(row.row_count * 2),
      toldBefore: now.undo_told,
      clock,
    })
    const work: Work = { db, venue, now: clock, earliestSend }
    // Before any row, as everybody takes them: a booking's guest is locked with it.
    await holdGuestBook(work)
    const records = await recordsToUndo(db, venue.id, row.id, rowsOfBatch)
    // Not `started_at`, which Continue moves: what staff touched before it would go.
    const since = Temporal.Instant.from(now.made_at)
    let undone = 0
    for (const one of records) {
      const stays =
        one.kind === 'guest'
          ? await takeBackGuest(work, { ...one, since })
          : await takeBackReservation(work, { ...one, since, gaveWay: one.filled.includes('gaveWay') })
      await markUndone(db, venue.id, row.id, one, stays)
      if (stays !== '') continue
      undone++
      if (one.kind === 'guest' && !one.made) await carryVersion(db, venue.id, row.id, one)
    }
    const isLast = records.length < rowsOfBatch
    const counts = { undone, kept: records.length - undone, told: told() }
    await addUndone(db, venue.id, row.id, counts, isLast ? null : until)
    return isLast
  })

/** The file is discarded once imported, or kept for its sheet; one that failed is kept for a day, to continue. */
const end = async (
  { workerDb, clock }: Doing,
  venue: Venue,
  row: ImportRow,
  how: { readonly state: 'done' | 'failed'; readonly problem: string | null },
): Promise<void> => {
  await workerDb.transaction(async (queries) => {
    const db = queries.within(venue.id)
    await markEnded(db, venue.id, row.id, how, clock())
    if (how.state === 'done' && !hasSheet(row.kind)) await deleteParts(db, venue.id, row.upload_id)
  })
}

const uploadKeptHours = 24

/** Discards files that nobody imported within a day, and those whose sheet has had its time with what it read. */
export const forgetUploads = async ({
  workerDb,
  clock,
}: Pick<Context, 'workerDb' | 'clock'>): Promise<void> => {
  const now = clock()
  const sheetsSince = now.subtract({ hours: 24 * sheetDays })
  for (const { venue_id, id } of await importsToForget(workerDb, sheetsSince)) {
    const venue = await venueOf({ workerDb }, venue_id)
    if (venue) await forgetRecords(workerDb.within(venue.id), venue.id, id)
  }
  for (const { venue_id, upload_id } of await oldUploads(
    workerDb,
    now.subtract({ hours: uploadKeptHours }),
    sheetsSince,
  )) {
    const venue = await venueOf({ workerDb }, venue_id)
    if (!venue || (await isInUse(workerDb, venue.id, upload_id))) continue
    await workerDb.transaction(async (queries) => {
      const db = queries.within(venue.id)
      await forgetUpload(db, venue.id, upload_id, now)
      await deleteParts(db, venue.id, upload_id)
    })
  }
}
