import { badRequest } from '../../platform/kernel/refusal.ts'
import {
  type FloorRead,
  combinationsAsCsv,
  tablesAsCsv,
  withCombinations,
  withTables,
} from '../../book/tables/floor-csv.ts'
import { wholeFloor } from '../../book/rules/floor/floor-reads.ts'
import { replaceFloor } from '../../book/rules/floor/floor-store.ts'
import { type WrittenFloor, emptyFloor, writtenFloor } from '../../book/rules/floor/written-floor.ts'
import { venueOfSlug } from '../../core/venue/actions.ts'
import { tablesHeld } from '../../book/rules/whole-document.ts'
import { command, needed, oneOf, text } from './command.ts'
import { readTextFile } from './read-file.ts'

/** Five hundred tables with all their columns fit into a tenth of this. */
const fileBytes = 1_048_576

const what = ['tables', 'combinations'] as const

const read: Record<(typeof what)[number], (floor: WrittenFloor, text: string) => FloorRead> = {
  tables: withTables,
  combinations: withCombinations,
}
const print: Record<(typeof what)[number], (floor: WrittenFloor) => string> = {
  tables: tablesAsCsv,
  combinations: combinationsAsCsv,
}

/** A venue's tables as files for a spreadsheet (docs/operator.md). */
export const tableCommands = [
  command({
    words: 'tables import',
    about:
      "Replaces a venue's tables, or their combinations, with those of a CSV file. A file with mistakes, or without a table that coming bookings hold, changes nothing.",
    flags: { venue: needed(text('S')), file: needed(text('F')), what: oneOf(what) },
    run: async ({ db, clock }, { venue: slug, file, what = 'tables' }) => {
      const venue = await venueOfSlug(db, slug)
      const content = await readTextFile(file, fileBytes)
      const kept = await db.transaction(async (connection) => {
        const queries = connection.within(venue.id)
        const floor = await wholeFloor(queries, venue.id)
        const changed = read[what](floor ? writtenFloor(floor) : emptyFloor, content)
        if (!changed.ok) throw badRequest(changed.mistakes.join('\n'))
        const replaced = await replaceFloor(queries, venue.id, changed.floor, clock())
        if (!replaced.done) throw tablesHeld(replaced.bookings)
        return changed.floor
      })
      const counts = { tables: kept.tables.length, combinations: kept.combinations.length }
      return { json: counts, text: `${counts.tables} tables, ${counts.combinations} combinations.` }
    },
  }),
  command({
    words: 'tables export',
    about: 'Prints a venue\'s tables, or their combinations, as the CSV file that "tables import" takes.',
    flags: { venue: needed(text('S')), what: oneOf(what) },
    run: async ({ db }, { venue: slug, what = 'tables' }) => {
      const venue = await venueOfSlug(db, slug)
      const floor = await wholeFloor(db, venue.id)
      const csv = print[what](floor ? writtenFloor(floor) : emptyFloor)
      return { json: { csv }, text: csv.trimEnd() }
    },
  }),
]
