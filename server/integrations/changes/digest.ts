import type { ChangesDigest } from '@venue-data/contract/change.ts'
import type { RecordKind } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { notGathered } from '../../core/events/change-head.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { part, sql } from '../../platform/db/sql.ts'
import type { Cursor } from './cursor.ts'
import { type FeedParts, type FeedVenue, refuseUnusable } from './feed.ts'
import { headColumns, headOf, headRow } from './reads.ts'
import { cursorBehind } from './refusals.ts'

/*
 * What a true copy has at its cursor, as sums of ids and revisions. What changed after the cursor is in no sum and is
 * named instead: the copy leaves it out too, so that both sides speak of the same records while others write.
 */

export type DigestAsked = {
  readonly kind: RecordKind
  readonly cursor: Cursor
  /** An id of the first block of the range. */
  readonly from: number
  /** Whether each record of one block is asked for, instead of the sums of a range. */
  readonly isBlock: boolean
}

/**
 * Compares nothing itself: it says what to compare with.
 *
 * @throws Refusal 503 while the feed is not filled, 410 when the cursor is too old or another venue's, 409 when too much has changed since.
 */
export const digestOf = async (
  { context, gate }: FeedParts,
  { id: venue, slug }: FeedVenue,
  asked: DigestAsked,
): Promise<ChangesDigest> => {
  const { kind, cursor, isBlock } = asked
  // Whole blocks: part of one would have another sum.
  const from = asked.from - (asked.from % limits.digestBlockIds)
  const to = from + (isBlock ? limits.digestBlockIds : limits.digestBlocks * limits.digestBlockIds)
  const range = { kind, from, to, position: cursor.position, isBlock }
  const db = context.db.within(venue)
  // A first copy that is not complete has no record of many kinds yet, so there is nothing to count.
  const isFirstCopy = cursor.goneAtStart !== undefined
  const rows = isFirstCopy ? [] : await gate(venue, () => blocksOf(db, venue, range))
  const head = isFirstCopy ? await headOf(db, venue) : rows[0]
  if (!head?.is_filled || (kind === 'visit' && !head.has_visits)) throw notGathered()
  refuseUnusable('changes', cursor, head, { id: venue, slug })
  if (isFirstCopy) throw cursorBehind()
  const blocks = rows.filter((row): row is (typeof rows)[number] & BlockRow => row.block !== null)
  const changedSince = blocks.flatMap(({ changed }) => changed ?? []).toSorted((a, b) => a - b)
  if (changedSince.length > limits.digestChanged) throw cursorBehind()
  if (isBlock) return { kind, records: blocks.flatMap(({ records }) => records ?? []), changedSince }
  return {
    kind,
    blocks: blocks
      .filter(({ count }) => count > 0)
      .map(({ block, count, ...words }) => ({
        from: block * limits.digestBlockIds,
        count,
        digest: sumOf(words),
      }))
      .toSorted((a, b) => a.from - b.from),
    changedSince,
    next: rows[0]?.next ?? null,
  }
}

/** The sum of 128-bit numbers whose four 32-bit words were summed each for itself, mod 2^128. */
const sumOf = ({ w0, w1, w2, w3 }: Pick<BlockRow, 'w0' | 'w1' | 'w2' | 'w3'>): string => {
  const sum = [w0, w1, w2, w3].reduce((high, word) => (high << 32n) + BigInt(word), 0n)
  return BigInt.asUintN(128, sum).toString(16).padStart(32, '0')
}

const blockRow = {
  block: 'int8?',
  count: 'int8?',
  /** Sums over at most a thousand words of 32 bits each. */
  w0: 'int8?',
  w1: 'int8?',
  w2: 'int8?',
  w3: 'int8?',
  records: 'jsonb?',
  changed: 'jsonb?',
} as const
type BlockRow = {
  readonly [Column in Exclude<keyof typeof blockRow, 'records' | 'changed'>]: number
} & {
  readonly records: number[][] | null
  readonly changed: number[] | null
}

/**
 * The head and every block of a range in one statement, so that all are of one moment: one scan by the primary key. The
 * sums are made here, since 200,000 rows would take longer to carry than to add. `offset 0` keeps the inner query apart: each
 * of the four words would hash again.
 */
const blocksOf = (
  db: Queries,
  venue: VenueId,
  range: { kind: RecordKind; from: number; to: number; position: number; isBlock: boolean },
) => {
  const { kind, from, to, position, isBlock } = range
  const copied = part`not r.gone and r.seq <= ${position}`
  const summed = (word: number) =>
    part`coalesce(sum(('x' || substr(r.hash, ${8 * word + 1}::int, 8))::bit(32)::bigint) filter (where ${copied}), 0)::bigint`
  const wanted = isBlock
    ? part`0::bigint as w0, 0::bigint as w1, 0::bigint as w2, 0::bigint as w3,
           jsonb_agg(jsonb_build_array(r.record_id, r.revision) order by r.record_id) filter (where ${copied}) as records`
    : part`${summed(0)} as w0, ${summed(1)} as w1, ${summed(2)} as w2, ${summed(3)} as w3, null::jsonb as records`
  return db.many(sql({ ...headRow, ...blockRow, next: 'int8?' })`
    select ${headColumns(venue)}, n.next,
           b.block, b.count, b.w0, b.w1, b.w2, b.w3, b.records, b.changed
      from change_head h
      left join (
        select r.record_id / ${limits.digestBlockIds} as block,
               count(*) filter (where ${copied}) as count, ${wanted},
               jsonb_agg(r.record_id) filter (where r.seq is null or r.seq > ${position}) as changed
          from (select c.record_id, c.revision, c.gone, c.seq,
                       encode(sha256((c.kind || '|' || c.record_id || '|' || c.revision)::bytea), 'hex') as hash
                  from record_change c
                 where c.venue_id = ${venue} and c.kind = ${kind} and c.record_id >= ${from} and c.record_id < ${to}
                offset 0) as r
         group by 1) as b on true
      left join (
        select min(c.record_id) / ${limits.digestBlockIds} * ${limits.digestBlockIds} as next from record_change c
         where c.venue_id = ${venue} and c.kind = ${kind} and c.record_id >= ${to}) as n on true
     where h.venue_id = ${venue}`)
}
