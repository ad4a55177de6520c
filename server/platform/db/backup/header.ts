import type { Moment } from '../../kernel/time/moment.ts'
import type { RingMark } from '../../kernel/secrets.ts'
import { DamagedBackup, type Frame } from './frames.ts'
import type { Table } from './tables.ts'

/** The header of a backup. Fields are only ever added; a new `format` means that the rest is written differently. */
export type Header = {
  readonly format: 1
  readonly madeAt: Moment
  /** Major version of the PostgreSQL it came from, for people to read. */
  readonly postgres: number
  /** The schema's version: every migration that had run, in order. */
  readonly migrations: readonly { readonly name: string; readonly sha256: string }[]
  /** In the order in which they are loaded. */
  readonly tables: readonly Table[]
  /** Which SECRETS the sealed values and fingerprints belong to; nothing of the secrets themselves. */
  readonly secrets: readonly RingMark[]
  /** Of a copy on which sending was still on hold: since when, as nobody has looked yet at what came in before. Null, absent: it was not. */
  readonly heldSince?: Moment | null
}

/** What was copied or loaded. */
export type Counts = { readonly tables: number; readonly rows: number }

export const readHeader = (frame: Frame | undefined): Header => {
  const header = frame?.kind === 'header' ? (JSON.parse(frame.body.toString()) as Partial<Header>) : undefined
  if (!header) throw new DamagedBackup('it does not begin as a backup does')
  if (header.format !== 1) throw new DamagedBackup('a newer version of this program made it')
  return header as Header
}

/** COPY ends every row with a newline, and escapes those inside values. */
export const rowsIn = (bytes: Buffer): number => {
  let rows = 0
  for (let at = bytes.indexOf(lineEnd); at !== -1; at = bytes.indexOf(lineEnd, at + 1)) rows++
  return rows
}

const lineEnd = 0x0a
