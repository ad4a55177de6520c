import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { type Caller, callerAgain } from '../access/key-check.ts'
import type { Context } from '../../context.ts'
import { unknownKey } from '../../platform/http/refusals.ts'
import { refuseCaller } from '../../platform/http/serve.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Cursor, FeedName } from './cursor.ts'
import type { FeedParts, Page } from './feed.ts'
import type { Waiting } from './waiting.ts'

export type WaitingParts = FeedParts & { readonly context: Context; readonly waiting: Waiting }

/** A call that may wait. */
export type Waited = {
  readonly endpoint: Endpoint
  readonly waitSeconds: number
  readonly caller: Caller
  /** Aborted when the caller hangs up. */
  readonly left: AbortSignal
}

/**
 * The page, or, if it is empty and the caller may wait, the first one that is not. After a wait the key is checked
 * again before the page is returned: it may have been revoked.
 * @param read what a key with these scopes gets after a cursor; without one, after what was asked for
 */
export const waitForPage = async <Read extends Page<unknown>>(
  parts: WaitingParts,
  { feed, venue }: { readonly feed: FeedName; readonly venue: VenueId },
  { endpoint, waitSeconds, caller, left }: Waited,
  read: (scopes: readonly Scope[], after?: Cursor) => Promise<Read>,
): Promise<Read> => {
  let page = await read(caller.key.scopes)
  const place = waitSeconds > 0 && isEmpty(page) ? parts.waiting.enter(caller.key.id) : undefined
  if (!place) return page
  parts.context.usage.waited(caller.key.id)
  const end = performance.now() + waitSeconds * 1_000
  try {
    for (let ms = waitSeconds * 1_000; ms > 0; ms = end - performance.now()) {
      await place.until({ feed, venue, position: page.next.position }, ms, left)
      const { next } = page
      page = await place.inTurn(async () => {
        const again = await callerAgain(parts.context, caller.key.id)
        if (!again) throw unknownKey()
        refuseCaller(endpoint, { ...again, address: caller.address }, {})
        return read(again.key.scopes, next)
      })
      if (!isEmpty(page) || parts.waiting.isOver() || left.aborted) break
    }
    return page
  } finally {
    place.leave()
  }
}

const isEmpty = ({ items, more }: Page<unknown>): boolean => items.length === 0 && !more
