import type { CursorStore } from './cursor-store.ts'
import type { Settings } from './options.ts'

/** How a feed is followed. */
export type FeedOptions = {
  /**
   * The cursor to go on from; absent: from the store, else from the beginning. `'latest'`: from the store, else from now on.
   */
  readonly after?: string | undefined
  /** Where the cursor is kept over restarts. */
  readonly store?: CursorStore | undefined
  /** Whether to wait for more at the end, which is so without a word; `false`: stop there. */
  readonly live?: boolean | undefined
  /** Items in one answer at most. */
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * A feed that is read as it is gone through. The cursor is stored when you come back for what lies behind a page: so if your
 * program ends in between, that page comes again, and nothing is missed.
 */
export type Feed<Item> = AsyncIterable<Item> & {
  /** Up to where everything was handled. */
  readonly cursor: string | undefined
  /** Page by page, to store a page and its `next` in one transaction. */
  pages(): AsyncIterable<FeedPage<Item>>
}

export type FeedPage<Item> = {
  readonly items: readonly Item[]
  /** For `after` of the next page. */
  readonly next: string
  /** Whether there is more already. */
  readonly more: boolean
}

/** How long the service is asked to hold an empty answer. */
const waitSeconds = 20
/** An empty answer that came sooner was not held: others of this key are waiting. */
const soonMs = 5_000
const pauseMs = 2_000

/** Follows a feed; `ask` reads its next page. */
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
