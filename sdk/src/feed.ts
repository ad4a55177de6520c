import type { CursorStore } from './cursor-store.ts'
import type { RecordKind } from './generated/records.ts'
import type { Settings } from './options.ts'

/** How a feed is followed. */
export type FeedOptions = {
  /**
   * The cursor to continue from; absent: from the store, else from the beginning. `'latest'`: from the store, else from
   * now on.
   */
  readonly after?: string | undefined
  /** Where the cursor is kept across restarts. */
  readonly store?: CursorStore | undefined
  /** Whether to wait for more at the end (the default); `false`: stop there. */
  readonly live?: boolean | undefined
  /** The maximum number of items per answer. */
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * A feed that is read while you iterate over it. The cursor is stored when you ask for the next page: if your program
 * stops before that, the page comes again, and nothing is missed.
 */
export type Feed<Item> = AsyncIterable<Item> & {
  /** The position up to which everything was handled. */
  readonly cursor: string | undefined
  /** Page by page, to store a page and its `next` in one transaction. */
  pages(): AsyncIterable<FeedPage<Item>>
}

export type FeedPage<Item> = {
  readonly items: readonly Item[]
  /** For `after` of the next page. */
  readonly next: string
  /** Whether more is available now. */
  readonly more: boolean
  /** Of changes: the kinds of records that the page covers, those asked for or all that the key may read now. */
  readonly kinds?: readonly RecordKind[]
}

/** How long the service is asked to wait before an empty answer. */
const waitSeconds = 20
/** An empty answer that came sooner did not wait: the key's other calls are already waiting. */
const soonMs = 5_000
const pauseMs = 2_000

/** Follows a feed; `ask` reads the next page. */
export const feedOf = <Item>(
  { runtime }: Settings,
  { after, store, live = true, signal }: FeedOptions,
  ask: (after: string | undefined, wait: number | undefined) => Promise<FeedPage<Item>>,
): Feed<Item> => {
  let cursor = after
  const pages = async function* (): AsyncGenerator<FeedPage<Item>, void> {
    if (cursor === undefined || cursor === 'latest') cursor = (await store?.load()) ?? cursor
    for (;;) {
      const askedAt = runtime.now()
      const page = await ask(cursor, live ? waitSeconds : undefined)
      yield page
      if (cursor !== page.next) {
        cursor = page.next
        await store?.save(cursor)
      }
      if (page.more) continue
      if (!live) return
      const isSoon = runtime.now() - askedAt < soonMs
      if (page.items.length === 0 && isSoon) await runtime.sleep(pauseMs, signal)
    }
  }
  return {
    get cursor() {
      return cursor
    },
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.items
    },
  }
}
