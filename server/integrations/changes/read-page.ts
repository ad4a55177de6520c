import type { Change } from '@venue-data/contract/change.ts'
import type { RecordKind } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../context.ts'
import { notGathered } from '../../core/events/change-head.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { type Cursor, epochMark } from './cursor.ts'
import { type Feed, type FeedParts, type Page, readStretch } from './feed.ts'
import { numberChanges } from './number.ts'
import { type ChangeRow, type Head, headOf, stretchOf } from './reads.ts'
import { recordsOf } from './records.ts'

export const changesFeed: Feed = { name: 'changes', headOf, number: numberChanges }

export type PageAsked = {
  readonly after: Cursor | undefined
  readonly kinds: readonly RecordKind[]
  /** Whether the caller named them. */
  readonly areNamed: boolean
  readonly limit: number
  readonly withData: boolean
}

/**
 * The changes after a cursor, each record at most once, in its latest state; without a cursor, the beginning of a first
 * copy. Changes without a number get one first.
 */
export const readPage = async (
  parts: FeedParts,
  venue: Venue,
  asked: PageAsked,
): Promise<Page<Change> & { readonly kinds: readonly RecordKind[] }> => {
  const { after: cursor, kinds, limit } = asked
  const isFirstCopy = cursor === undefined || cursor.goneAtStart !== undefined
  const after = cursor?.position ?? 0
  const db = parts.context.db.within(venue.id)
  const { found, isMoreToNumber } = await readStretch(parts, changesFeed, venue, {
    cursor,
    // Reads one more than it sends, to know whether there is more.
    read: () => stretchOf(db, venue.id, { kinds, after, most: limit + 1, isFirstCopy }),
    isFull: ({ changes }) => changes.length > limit,
  })
  const { head } = found
  const known = kindsKnown(asked, head)
  // Only after an update, until the feed is filled.
  if (known.length < kinds.length) return readPage(parts, venue, { ...asked, kinds: known })

  const rows = cutPage(found.changes, limit)
  const isCut = rows.length < found.changes.length
  const more = isCut || isMoreToNumber
  const goneAtStart = cursor ? cursor.goneAtStart : head.gone_seq
  return {
    items: await withData(parts, venue, rows, { after, withData: asked.withData }),
    next: {
      epoch: epochMark(head.epoch),
      position: isCut ? (rows.at(-1)?.seq ?? after) : head.head,
      ...(more && goneAtStart !== undefined && { goneAtStart }),
    },
    more,
    kinds,
  }
}

/**
 * The kinds that the feed has. Visits were not noted by earlier releases: until all are in it, it has none.
 *
 * @throws Refusal 503 when visits were named, or nothing else may be read.
 */
export const kindsKnown = (
  { kinds, areNamed }: Pick<PageAsked, 'kinds' | 'areNamed'>,
  head: Pick<Head, 'has_visits'>,
): readonly RecordKind[] => {
  if (head.has_visits || !kinds.includes('visit')) return kinds
  if (areNamed || kinds.length === 1) throw notGathered()
  return kinds.filter((kind) => kind !== 'visit')
}

/** The part to send: up to the limit, and only a few campaigns, whose bodies are long. */
const cutPage = (rows: readonly ChangeRow[], limit: number): readonly ChangeRow[] => {
  const page = rows.slice(0, limit)
  const campaigns = page.flatMap(({ kind }, place) => (kind === 'campaign' ? [place] : []))
  return page.slice(0, campaigns[limits.campaignsOfPage] ?? limit)
}

const withData = async (
  { context }: FeedParts,
  venue: Venue,
  rows: readonly ChangeRow[],
  { after, withData: isWanted }: { readonly after: number; readonly withData: boolean },
): Promise<Change[]> => {
  const shown = isWanted
    ? await readRecords(
        context,
        venue,
        rows.filter(({ gone }) => !gone),
      )
    : undefined
  const changes: Change[] = []
  for (const row of rows) {
    const data = shown?.get(keyOf(row.kind, row.record_id)) ?? null
    // It has been deleted since: its row was changed again and comes with a later number.
    if (isWanted && !row.gone && data === null) continue
    changes.push({
      kind: row.kind as RecordKind,
      id: row.record_id,
      change: wordFor(row, after),
      revision: row.revision,
      at: row.changed_at,
      ...(row.op === 'merged' && row.into_id !== null && { mergedInto: row.into_id }),
      data,
    })
  }
  return changes
}

const wordFor = ({ gone, made_seq, op }: ChangeRow, after: number): Change['change'] =>
  !gone && made_seq > after ? 'created' : op === 'upsert' ? 'updated' : (op as Change['change'])

/** The records of these changes as lists show them. All kinds travel together. */
const readRecords = async (
  { db }: Pick<Context, 'db'>,
  venue: Venue,
  rows: readonly ChangeRow[],
): Promise<ReadonlyMap<string, unknown>> => {
  if (rows.length === 0) return new Map()
  const ofKinds = [...Map.groupBy(rows, ({ kind }) => kind as RecordKind)]
  const found = await db.together((queries) =>
    Promise.all(
      ofKinds.map(async ([kind, some]) => {
        const ids = some.map(({ record_id }) => record_id)
        const records = await recordsOf[kind].shown(queries.within(venue.id), venue, ids)
        return records.map((record) => [keyOf(kind, record.id), record] as const)
      }),
    ),
  )
  return new Map(found.flat())
}

const keyOf = (kind: string, id: number): string => `${kind} ${id}`
