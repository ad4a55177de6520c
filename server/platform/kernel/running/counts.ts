/*
 * Counts in memory, written a few seconds later: what is counted costs no statement, and a crash loses the counts of those
 * seconds. One timer, which begins with the first count after a writing.
 */

/** What is counted, and how often. */
export type Counted<What> = What & { readonly count: number }

export type Counts<What> = {
  /** `name`: what makes it one count. */
  readonly add: (name: string, what: What, more: number) => void
  /** Writes the counts. Those that cannot be written are kept. */
  readonly flush: () => Promise<void>
  /** Writes the counts, if the database answers, and stops counting. */
  readonly close: () => Promise<void>
}

/** How long counts wait before they are written, in milliseconds. */
const flushMs = 10_000

export const keepCounts = <What extends object>({
  most,
  join = (before, more) => before + more,
  write,
}: {
  /** Different counts at a time; what would be one more is not counted. */
  readonly most: number
  /** What two counts of one thing are together; by itself their sum. */
  readonly join?: (before: number, more: number, what: What) => number
  /** Resolves to what could not be written. */
  readonly write: (counts: readonly Counted<What>[]) => Promise<readonly Counted<What>[]>
}): Counts<What> => {
  let counted = new Map<string, What & { count: number }>()
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let writing: Promise<void> = Promise.resolve()

  const add = (name: string, what: What, more: number): void => {
    const before = counted.get(name)
    if (before) before.count = join(before.count, more, what)
    else if (counted.size < most) counted.set(name, { ...what, count: more })
    timer ??= isOver ? undefined : setTimeout(() => void flush(), flushMs).unref()
  }

  const writeBatch = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (counted.size === 0) return
    const batch = counted
    counted = new Map()
    const names = new Map<Counted<What>, string>([...batch].map(([name, one]) => [one, name]))
    for (const left of await write([...batch.values()])) add(names.get(left) ?? '', left, left.count)
  }

  // One after the other, so that whoever waits for the end waits for a writing under way, too.
  const flush = (): Promise<void> => (writing = writing.then(writeBatch))

  return {
    add,
    flush,
    close: async () => {
      isOver = true
      await flush()
    },
  }
}
