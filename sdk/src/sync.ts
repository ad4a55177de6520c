import { type CursorStore, memoryCursor } from './cursor-store.ts'
import { GoneError } from './errors.ts'
import type { FeedPage } from './feed.ts'
import type { Change, ChangeOf, RecordKind } from './generated/records.ts'
import type { VenueData } from './venue-data.ts'

/** A record of the copy, by its kind and id. */
export type CopiedRecord<Kind extends RecordKind = RecordKind> = { readonly kind: Kind; readonly id: number }

/** A change after which there is something of the record to keep. */
export type Kept<Kind extends RecordKind = RecordKind> = {
  [One in Kind]: ChangeOf<One> & { data: NonNullable<ChangeOf<One>['data']> }
}[Kind]

/** Your copy: where records are kept, in whatever form. Every function may be called again with what it was given before. */
export type Copy<Kind extends RecordKind = RecordKind> = {
  /** Keeps the record in `data`, new or not. */
  upsert(change: Kept<Kind>): Promise<void> | void
  /**
   * Drops a record, which may be gone already. `change` says why; without one, the venue does not have it any more, and nothing
   * says since when: the copy was away for too long, or the venue was restored from a backup. Of a guest who was merged,
   * `mergedInto` is who has taken their place.
   */
  delete(
    record: CopiedRecord<Kind> & {
      readonly change?: Change['change'] | undefined
      readonly mergedInto?: number | undefined
    },
  ): Promise<void> | void
  /** Every record of the copy, of the kinds asked for. Called when the copy begins, and when it has to be made again. */
  records(): Iterable<CopiedRecord<Kind>> | AsyncIterable<CopiedRecord<Kind>>
  /**
   * Does the work as one transaction, if your copy can: what changed, and the cursor that goes with it. Without it a page that was
   * under way when your program ended is done again, which does no harm.
   */
  transaction?(work: () => Promise<void>): Promise<void>
}

export type SyncOptions<Kind extends RecordKind = RecordKind> = {
  readonly into: Copy<Kind>
  /** Where the cursor is kept over restarts. Without one, each start reads everything. */
  readonly store?: CursorStore
  /**
   * Only these kinds of records; without a word, all that the key may read. They are stored with the cursor: with a kind that
   * was not copied before, everything is read again.
   */
  readonly kinds?: readonly Kind[]
  /** Whether to go on when the copy is complete, which is so without a word. */
  readonly live?: boolean
  /** How many changes are read, and stored, at once at most: 1,000 without a word. */
  readonly limit?: number
  readonly signal?: AbortSignal
  /** Is told after each page, such as for a progress bar. */
  readonly onPage?: (page: { readonly changes: number; readonly complete: boolean }) => void
}

/**
 * Keeps a copy of the venue's records: the first copy, what follows it, what came while your program or the service was away,
 * and a service that was restored from a backup. Returns when the copy is complete with `live: false`, else never; rejects with
 * the reason of your signal.
 *
 * @example
 * const copy = new Map<string, unknown>()
 * await sync(venue, {
 *   live: false,
 *   into: {
 *     upsert: ({ kind, id, data }) => void copy.set(`${kind} ${id}`, data),
 *     delete: ({ kind, id }) => void copy.delete(`${kind} ${id}`),
 *     records: () => [],
 *   },
 * })
 */
export const sync = async <const Kind extends RecordKind = RecordKind>(
  venue: Pick<VenueData, 'changes'>,
  options: SyncOptions<Kind>,
): Promise<void> => {
  const { store = memoryCursor() } = options
  for (;;) {
    try {
      return await follow(venue, { ...options, store })
    } catch (error) {
      if (!(error instanceof GoneError) || error.reason !== 'cursor-expired') throw error
      // What was deleted meanwhile is told by nothing any more: everything is read again, and what does not come is dropped.
      await store.save(undefined)
    }
  }
}

const follow = async <Kind extends RecordKind>(
  venue: Pick<VenueData, 'changes'>,
  { into, store, kinds, live, limit = 1000, signal, onPage }: SyncOptions<Kind> & { store: CursorStore },
): Promise<void> => {
  const after = cursorOf(await store.load(), kinds)
  // What the copy has and the venue may not: empty unless the copy is made from the beginning over another.
  const unseen = new Map<string, CopiedRecord<Kind>>()
  if (after === undefined) {
    for await (const { kind, id } of into.records()) {
      // What is not asked for does not come, and may stay.
      if (kinds?.includes(kind) ?? true) unseen.set(`${kind} ${id}`, { kind, id })
    }
  }
  // Made over another, a copy is right only at its end; a program that is ended before that begins anew.
  const isAnew = unseen.size > 0
  let complete = after !== undefined
  const transaction = into.transaction?.bind(into) ?? ((work: () => Promise<void>) => work())

  const apply = async ({ items, next, more }: FeedPage<ChangeOf<Kind>>): Promise<void> => {
    for (const change of items) {
      unseen.delete(`${change.kind} ${change.id}`)
      if (change.data === null) await into.delete(change)
      else await into.upsert(change as Kept<Kind>)
    }
    complete ||= !more
    if (isAnew && !complete) return
    for (const record of unseen.values()) await into.delete(record)
    unseen.clear()
    await store.save(storedAs(next, kinds))
  }

  for await (const page of venue.changes({ after, kinds, live, signal, limit }).pages()) {
    await transaction(() => apply(page))
    onPage?.({ changes: page.items.length, complete })
  }
}

/** What is stored of a copy of some kinds: those, and the cursor. */
const storedAs = (cursor: string, kinds: readonly RecordKind[] | undefined): string =>
  kinds === undefined ? cursor : `${kinds.join(',')} ${cursor}`

/** The cursor to go on from, unless it never led past the older records of a kind that is wanted now. */
const cursorOf = (
  stored: string | undefined,
  kinds: readonly RecordKind[] | undefined,
): string | undefined => {
  const [cursor, copied] = stored?.split(' ').toReversed() ?? []
  const isWider = copied !== undefined && !(kinds?.every((kind) => copied.split(',').includes(kind)) ?? false)
  return isWider ? undefined : cursor
}
