import { resolve } from 'node:path'
import { GoneError, type VenueData } from '@venue-data/sdk'
import { type Line, type Run, has, textOf } from '../command.ts'
import { accessOf, clientFor, retriesOf } from '../connect.ts'
import { exitCodes } from '../exit-codes.ts'
import { UsageError } from '../failures.ts'
import { type ExportFolder, openFolder, originOf } from '../export/folder.ts'
import { paint } from '../print/paint.ts'
import { table } from '../print/table.ts'
import type { World } from '../world.ts'

/** Writes every record that the key may read to a folder, or what changed since the last time. */
export const exportAll: Run = async (world, line) => {
  const to = textOf(line, 'to')
  if (!to) throw new UsageError('Where to? Give --to FOLDER.')
  const path = resolve(to)
  const access = await accessOf(world, line)
  const venue = clientFor(world, access, retriesOf(line))
  const folder = await openFolder(path, originOf(access.url, await venue.me()))
  if (folder.cursor() !== undefined) note(world, 'Continuing where the last run ended.')
  await fetchAll(venue, folder, world)
  const records = await folder.finish()
  print(records, path, world, line)
  return exitCodes.ok
}

const fetchAll = async (venue: VenueData, folder: ExportFolder, world: World): Promise<void> => {
  try {
    await fetchFrom(venue, folder, world)
  } catch (error) {
    if (world.signal.aborted) note(world, 'Stopped. Run it again to continue.')
    if (!(error instanceof GoneError) || error.reason !== 'cursor-expired') throw error
    note(world, 'The last run is too long ago to continue, so everything is read again.')
    await folder.reset()
    await fetchFrom(venue, folder, world)
  }
}

const fetchFrom = async (venue: VenueData, folder: ExportFolder, { err, signal }: World): Promise<void> => {
  let count = 0
  const show = (ending: string): void => {
    // Rewrites one line of progress, if it is a terminal.
    if (err.isTerminal) err.write(`\r${count.toLocaleString('en-US')} changes read${ending}`)
  }
  const feed = venue.changes({ after: folder.cursor(), live: false, limit: pageSize, signal })
  for await (const { items, next } of feed.pages()) {
    const page = items.map(({ kind, id, data }) => ({
      kind,
      id,
      data: data as Record<string, unknown> | null,
    }))
    await folder.add(page, next)
    count += items.length
    show(' …')
  }
  show('  \n')
}

/** The most that the service returns at once. */
const pageSize = 1000

const print = (records: Readonly<Record<string, number>>, path: string, { out }: World, line: Line): void => {
  if (has(line, 'json')) return out.write(`${JSON.stringify({ folder: path, records })}\n`)
  const rows = Object.entries(records).map(([kind, count]) => ({ kind, records: count }))
  if (rows.length === 0) return out.write('There are no records to export.\n')
  return out.write(`${table(rows, out)}Each kind is in ${path} as <kind>.ndjson and <kind>.csv.\n`)
}

const note = ({ err }: World, sentence: string): void => err.write(`${paint(err, 'dim', sentence)}\n`)
