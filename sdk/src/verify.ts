import { type CursorStore, memoryCursor } from './cursor-store.ts'
import { ConflictError, GoneError, NotFoundError } from './errors.ts'
import type { OperationId } from './generated/calls.ts'
import type { RecordKind } from './generated/records.ts'
import { type CopiedRecord, type Copy, type Kept, readStored, sync } from './sync.ts'
import type { VenueData } from './venue-data.ts'

/** A record of a copy with the `revision` under which it was stored. */
export type RevisedRecord<Kind extends RecordKind = RecordKind> = CopiedRecord<Kind> & {
  readonly revision: number
}

/** A copy that can be compared with the venue: its records say their revision. */
export type RevisedCopy<Kind extends RecordKind = RecordKind> = Omit<Copy<Kind>, 'records'> & {
  records(): Iterable<RevisedRecord<Kind>> | AsyncIterable<RevisedRecord<Kind>>
}

export type VerifyOptions<Kind extends RecordKind = RecordKind> = {
  readonly into: RevisedCopy<Kind>
  /** Where the cursor of the copy is kept. Without one, everything is read before it is compared. */
  readonly store?: CursorStore
  /**
   * Only these kinds of records, which are read first where the copy does not have them; default: all that the copy has
   * and the key may still read.
   */
  readonly kinds?: readonly Kind[]
  readonly signal?: AbortSignal
}

/** A record that the copy did not have as the venue has it. It was repaired. */
export type Difference<Kind extends RecordKind = RecordKind> = CopiedRecord<Kind> & {
  /** `extra`: the venue has no such record. */
  readonly was: 'missing' | 'outdated' | 'extra'
}

export type Verified<Kind extends RecordKind = RecordKind> = {
  /** How many records of the copy were compared. */
  readonly compared: number
  readonly differences: readonly Difference<Kind>[]
  /** The kinds that were compared. */
  readonly kinds: readonly Kind[]
  /** Kinds that the key may read and of which the copy has nothing, such as one that the key gained: `sync` reads them. */
  readonly notCopied: readonly RecordKind[]
}

/**
 * Proves that a copy has every record at its newest revision, and repairs what differs: it reads the changes to the end
 * as `sync` does, compares sums over blocks of a thousand ids, and fetches only records of blocks that differ. The venue
 * may change meanwhile; nothing else may write into the copy. It compares which records there are and their revisions,
 * not their contents.
 *
 * @example
 * const tasks = new Map<number, { kind: 'task'; id: number; revision: number }>()
 * const { compared, differences } = await verify(venue, {
 *   kinds: ['task'],
 *   into: {
 *     upsert: ({ kind, id, data }) => void tasks.set(id, { kind, id, revision: data.revision }),
 *     delete: ({ id }) => void tasks.delete(id),
 *     records: () => tasks.values(),
 *   },
 * })
 */
export const verify = async <const Kind extends RecordKind = RecordKind>(
  venue: Pick<VenueData, 'changes' | 'call'>,
  { into, store = memoryCursor(), kinds, signal }: VerifyOptions<Kind>,
): Promise<Verified<Kind>> => {
  for (;;) {
    const readable = await readableKinds(venue, signal)
    const copies = kindsToFollow(readStored(await store.load())?.kinds as Kind[] | undefined, kinds, readable)
    await sync(venue, {
      into,
      store,
      live: false,
      ...(copies && { kinds: copies }),
      ...(signal && { signal }),
    })
    const stored = readStored(await store.load())
    if (!stored) throw new TypeError('The store did not keep the cursor.')
    const copied = (stored.kinds ?? kinds ?? []) as readonly Kind[]
    const asked = copied.filter((kind) => kinds?.includes(kind) ?? true)
    try {
      const found = await compare(venue, into, asked, stored.cursor, signal)
      return {
        ...found,
        kinds: asked,
        notCopied: readable.filter((kind) => !copied.some((one) => one === kind)),
      }
    } catch (error) {
      // Much changed while it was compared, or the venue was restored just now: read on, and compare again.
      const isBehind = error instanceof ConflictError && error.reason === 'cursor-behind'
      const isExpired = error instanceof GoneError && error.reason === 'cursor-expired'
      if (!isBehind && !isExpired) throw error
    }
  }
}

/** All that the key may read now; unknown to a service that does not say so. */
const readableKinds = async (
  venue: Pick<VenueData, 'call'>,
  signal: AbortSignal | undefined,
): Promise<readonly RecordKind[]> => {
  const { kinds = [] } = (await venue.call('listChanges', { query: { after: 'latest' }, signal })) as {
    readonly kinds?: readonly RecordKind[]
  }
  return kinds
}

/**
 * As it was copied, since those not asked for stay in step with the cursor, and what is asked for. What the key may no
 * longer read has only stopped coming, which is no fault of the copy.
 */
const kindsToFollow = <Kind extends RecordKind>(
  stored: readonly Kind[] | undefined,
  asked: readonly Kind[] = [],
  readable: readonly RecordKind[],
): readonly Kind[] | undefined => {
  const all = [...new Set([...(stored ?? []), ...asked])]
  const still = all.filter((kind) => asked.includes(kind) || readable.some((one) => one === kind))
  const followed = still.length > 0 ? still : all
  return followed.length > 0 ? followed : undefined
}

type Sum = { count: number; sum: bigint }
/** Sums by the kind and the first id of the block. */
type Sums = Map<string, Sum>

/** Ids in a block; see the endpoint. */
const blockIds = 1000

/** What the venue cannot have is with the first: no block begins below it. */
const blockOf = (id: number): number => Math.max(0, id - (id % blockIds))

const compare = async <Kind extends RecordKind>(
  venue: Pick<VenueData, 'changes' | 'call'>,
  into: RevisedCopy<Kind>,
  kinds: readonly Kind[],
  after: string,
  signal: AbortSignal | undefined,
): Promise<Pick<Verified<Kind>, 'compared' | 'differences'>> => {
  const theirs: Sums = new Map()
  // Changed since the cursor: in no sum of the venue's, so in none of ours.
  const changed = new Set<string>()
  for (const kind of kinds) {
    for (let from: number | null = 0; from !== null;) {
      const {
        blocks = [],
        changedSince,
        next = null,
      } = await venue.changes.digest({ kind, after, from, signal })
      for (const { from: block, count, digest } of blocks) {
        theirs.set(`${kind} ${block}`, { count, sum: BigInt(`0x${digest}`) })
      }
      for (const id of changedSince) changed.add(`${kind} ${id}`)
      from = next
    }
  }
  const { sums: ours, compared } = await sumsOf(into, kinds, changed)
  const differing = [...new Set([...theirs.keys(), ...ours.keys()])].filter((block) => {
    const [mine, other] = [ours.get(block), theirs.get(block)]
    return mine?.count !== other?.count || mine?.sum !== other?.sum
  })
  if (differing.length === 0) return { compared, differences: [] }

  const held = new Map<string, Map<number, number>>(differing.map((block) => [block, new Map()]))
  for await (const record of into.records()) {
    const { kind, id, revision } = asNumbers(record)
    const mine = held.get(`${kind} ${blockOf(id)}`)
    // One that is there twice is wrong, whatever its revision.
    mine?.set(id, mine.has(id) ? Number.NaN : revision)
  }
  const differences: Difference<Kind>[] = []
  for (const [block, mine] of held) {
    const [kind, from] = block.split(' ') as [Kind, string]
    const { records = [], changedSince } = await venue.changes.digest({
      kind,
      after,
      block: Number(from),
      signal,
    })
    for (const id of changedSince) mine.delete(id)
    for (const [id = 0, revision] of records) {
      const had = mine.get(id)
      mine.delete(id)
      if (had !== revision) differences.push({ kind, id, was: had === undefined ? 'missing' : 'outdated' })
    }
    for (const id of mine.keys()) differences.push({ kind, id, was: 'extra' })
  }
  for (const kind of kinds) {
    const some = differences.filter((one) => one.kind === kind)
    const walk = Math.floor(countOf(theirs, kind) / pageSize) + 1
    if (some.filter(({ was }) => was !== 'extra').length > walk)
      await repairByWalk(venue, into, kind, some, signal)
    else for (const difference of some) await within(into, () => repair(venue, into, difference, signal))
  }
  return { compared, differences }
}

/** The changes in an answer at most: with more to read one by one than a walk has pages, the walk is fewer calls. */
const pageSize = 1000

const countOf = (sums: Sums, kind: RecordKind): number =>
  [...sums].reduce((all, [block, { count }]) => (block.startsWith(`${kind} `) ? all + count : all), 0)

const within = (into: Pick<Copy, 'transaction'>, work: () => Promise<void>): Promise<void> =>
  into.transaction ? into.transaction(work) : work()

const repairByWalk = async <Kind extends RecordKind>(
  venue: Pick<VenueData, 'changes'>,
  into: RevisedCopy<Kind>,
  kind: Kind,
  differences: readonly Difference<Kind>[],
  signal: AbortSignal | undefined,
): Promise<void> => {
  const wrong = new Set(differences.map(({ id }) => id))
  for await (const { items } of venue
    .changes({ kinds: [kind], live: false, limit: pageSize, signal })
    .pages()) {
    await within(into, async () => {
      for (const change of items) {
        if (change.data !== null && wrong.delete(change.id)) await into.upsert(change as Kept<Kind>)
      }
    })
  }
  await within(into, async () => {
    for (const id of wrong) await into.delete({ kind, id })
  })
}

/** Databases give large integers as text, whatever a cast says. */
const asNumbers = <Kind extends RecordKind>({
  kind,
  ...given
}: Omit<RevisedRecord<Kind>, 'id' | 'revision'> & {
  readonly id: number | string
  readonly revision: number | string
}): RevisedRecord<Kind> => {
  const [id, revision] = [Number(given.id), Number(given.revision)]
  if (!Number.isSafeInteger(id)) throw new TypeError(`records() gave a record with the id ${given.id}.`)
  return { kind, id, revision }
}

const sumsOf = async <Kind extends RecordKind>(
  into: RevisedCopy<Kind>,
  kinds: readonly Kind[],
  leftOut: ReadonlySet<string>,
): Promise<{ readonly sums: Sums; readonly compared: number }> => {
  const sums: Sums = new Map()
  let compared = 0
  let some: RevisedRecord<Kind>[] = []
  const add = async (): Promise<void> => {
    const hashes = await Promise.all(some.map(hashOf))
    for (const [place, { kind, id }] of some.entries()) {
      const block = `${kind} ${blockOf(id)}`
      const { count, sum } = sums.get(block) ?? { count: 0, sum: 0n }
      sums.set(block, { count: count + 1, sum: BigInt.asUintN(128, sum + (hashes[place] as bigint)) })
    }
    some = []
  }
  for await (const one of into.records()) {
    const record = asNumbers(one)
    if (!kinds.includes(record.kind) || leftOut.has(`${record.kind} ${record.id}`)) continue
    compared++
    some.push(record)
    if (some.length === blockIds) await add()
  }
  await add()
  return { sums, compared }
}

const hashOf = async ({ kind, id, revision }: RevisedRecord): Promise<bigint> => {
  const text = new TextEncoder().encode(`${kind}|${id}|${revision}`)
  const hash = new DataView(await crypto.subtle.digest('SHA-256', text))
  return (hash.getBigUint64(0) << 64n) + hash.getBigUint64(8)
}

/** Takes the record as it is now, which may be newer than the cursor: the feed brings it once more. */
const repair = async <Kind extends RecordKind>(
  venue: Pick<VenueData, 'call'>,
  into: RevisedCopy<Kind>,
  { kind, id, was }: Difference<Kind>,
  signal: AbortSignal | undefined,
): Promise<void> => {
  if (was === 'extra') return into.delete({ kind, id })
  const read =
    `get${kind.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}` as OperationId
  try {
    const data = (await venue.call(read, { path: [id], signal })) as {
      readonly revision: number
      readonly updatedAt: string
    }
    await into.upsert({
      kind,
      id,
      change: 'updated',
      revision: data.revision,
      at: data.updatedAt,
      data,
    } as unknown as Kept<Kind>)
  } catch (error) {
    // Gone since the cursor.
    if (!(error instanceof NotFoundError || error instanceof GoneError)) throw error
    await into.delete({ kind, id })
  }
}
