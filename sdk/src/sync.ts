import { type CursorStore, memoryCursor } from './cursor-store.ts'
import { GoneError } from './errors.ts'
import type { Change, ChangeOf, RecordKind } from './generated/records.ts'
import type { VenueData } from './venue-data.ts'

/** A record of the copy, by its kind and id. */
export type CopiedRecord<Kind extends RecordKind = RecordKind> = { readonly kind: Kind; readonly id: number }

/** A change after which there is still something of the record to keep. */
export type Kept<Kind extends RecordKind = RecordKind> = {
  [One in Kind]: ChangeOf<One> & { data: NonNullable<ChangeOf<One>['data']> }
}[Kind]

/** Your copy: where records are kept, in any form. Every function may be called again with the same arguments. */
export type Copy<Kind extends RecordKind = RecordKind> = {
  /** Stores the record in `data`, new or existing. */
  upsert(change: Kept<Kind>): Promise<void> | void
  /**
   * Drops a record, which may already be gone. `change` says why; without it, the venue no longer has the record, and
   * nothing says since when: the copy was offline for too long, or the venue was restored from a backup. For a merged
   * guest, `mergedInto` is the guest that replaced them.
   */
  delete(
    record: CopiedRecord<Kind> & {
      readonly change?: Change['change'] | undefined
      readonly mergedInto?: number | undefined
    },
  ): Promise<void> | void
  /** Every record of the copy, of the requested kinds. Called when the copy starts, and when it has to be rebuilt. */
  records(): Iterable<CopiedRecord<Kind>> | AsyncIterable<CopiedRecord<Kind>>
  /**
   * Runs the work in one transaction, if your copy has them: the changes, and the cursor that goes with them. Without
   * it, a page that was interrupted is applied again, which does no harm.
   */
  transaction?(work: () => Promise<void>): Promise<void>
}

export type SyncOptions<Kind extends RecordKind = RecordKind> = {
  readonly into: Copy<Kind>
  /** Where the cursor is kept across restarts. Without one, each start reads everything. */
  readonly store?: CursorStore
  /**
   * Only these kinds of records; default: all that the key may read. They are stored with the cursor: of a kind that was
   * not copied before, because it was not requested or the key could not read it, the older records are read first.
   */
  readonly kinds?: readonly Kind[]
  /** Whether to continue when the copy is complete (the default). */
  readonly live?: boolean
  /** The maximum number of changes read and stored at once. Default: 1,000. */
  readonly limit?: number
  readonly signal?: AbortSignal
  /** Called after each page, for example for a progress bar. */
  readonly onPage?: (page: { readonly changes: number; readonly complete: boolean }) => void
}

/**
 * Keeps a copy of the venue's records: the first copy, every change after it, changes made while your program or the
 * service was down, the records of a kind that the key may read only since then, and a service restored from a backup.
 * Returns when the copy is complete with `live: false`,
 * otherwise never; rejects with your signal's reason.
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
      // Deletions in between are no longer known: everything is read again, and records that do not come are dropped.
      await store.save(undefined)
    }
  }
}

const follow = async <Kind extends RecordKind>(
  venue: Pick<VenueData, 'changes'>,
  { into, store, kinds, live, limit = 1000, signal, onPage }: SyncOptions<Kind> & { store: CursorStore },
): Promise<void> => {
  const stored = readStored(await store.load())
  const after = stored?.cursor
  // The kinds of which the copy has every record. Nothing is known of those of a cursor from elsewhere.
  let copied = stored?.kinds
  const unseen = after === undefined ? await recordsOf(into, kinds) : new Map<string, CopiedRecord<Kind>>()
  // A copy made over an existing one is correct only at the end; a program that stops before that starts over.
  const isAnew = unseen.size > 0
  let complete = after !== undefined
  const transaction = into.transaction?.bind(into) ?? ((work: () => Promise<void>) => work())

  for await (const page of venue.changes({ after, kinds, live, signal, limit }).pages()) {
    const covered = page.kinds ?? kinds ?? copied
    copied ??= covered
    const further = covered?.filter((kind) => !copied?.includes(kind)) as Kind[] | undefined
    // A kind that the key may no longer read is not followed: if it comes back, its records are read again.
    copied = copied?.filter((kind) => covered?.includes(kind))
    complete ||= !page.more
    await transaction(async () => {
      await take(into, page.items, unseen)
      if (isAnew && !complete) return
      await dropAll(into, unseen)
      await store.save(storedAs(page.next, copied))
    })
    const isBehind = complete && further !== undefined && further.length > 0
    onPage?.({ changes: page.items.length, complete: complete && !isBehind })
    if (!isBehind) continue
    // Their older records lie before the cursor. Until all have come, the stored kinds are without them.
    const missing = await recordsOf(into, further)
    for await (const older of venue.changes({ kinds: further, live: false, signal, limit }).pages()) {
      await transaction(async () => {
        await take(into, older.items, missing)
        if (older.more) return
        await dropAll(into, missing)
        await store.save(storedAs(page.next, covered))
      })
      onPage?.({ changes: older.items.length, complete: !older.more })
    }
    copied = covered
  }
}

/** The records in the copy that the venue may no longer have. Kinds that are not requested do not come, and may stay. */
const recordsOf = async <Kind extends RecordKind>(
  into: Copy<Kind>,
  kinds: readonly Kind[] | undefined,
): Promise<Map<string, CopiedRecord<Kind>>> => {
  const records = new Map<string, CopiedRecord<Kind>>()
  for await (const { kind, id } of into.records()) {
    if (kinds?.includes(kind) ?? true) records.set(`${kind} ${id}`, { kind, id })
  }
  return records
}

/** Stores what a page brings; what came is no longer missing. */
const take = async <Kind extends RecordKind>(
  into: Copy<Kind>,
  changes: readonly ChangeOf<Kind>[],
  missing: Map<string, CopiedRecord<Kind>>,
): Promise<void> => {
  for (const change of changes) {
    missing.delete(`${change.kind} ${change.id}`)
    if (change.data === null) await into.delete(change)
    else await into.upsert(change as Kept<Kind>)
  }
}

const dropAll = async <Kind extends RecordKind>(
  into: Copy<Kind>,
  missing: Map<string, CopiedRecord<Kind>>,
): Promise<void> => {
  for (const record of missing.values()) await into.delete(record)
  missing.clear()
}

/** What is stored: the kinds of which the copy has every record up to the cursor, and the cursor. */
const storedAs = (cursor: string, kinds: readonly RecordKind[] | undefined): string =>
  kinds === undefined ? cursor : `${kinds.join(',')} ${cursor}`

export const readStored = (
  stored: string | undefined,
): { readonly cursor: string; readonly kinds: readonly RecordKind[] | undefined } | undefined => {
  if (stored === undefined) return undefined
  const [cursor = '', kinds] = stored.split(' ').toReversed()
  return { cursor, kinds: kinds?.split(',') as RecordKind[] | undefined }
}
