import type { Endpoint } from '@venue-data/contract/endpoint.ts'
import { type Caller, callerAgain } from '../access/key-check.ts'
import type { Context } from '../context.ts'
import { unknownKey } from '../http/refusals.ts'
import { refuseCaller } from '../http/serve.ts'
import type { Venue } from '../venue/venue.ts'
import { type FeedParts, type Page, type PageAsked, readPage } from './read-page.ts'
import { type AskedChanges, kindsFor } from './read-query.ts'
import type { Waiting } from './waiting.ts'

export type WaitingParts = FeedParts & { readonly context: Context; readonly waiting: Waiting }

export type Waited = {
  readonly endpoint: Endpoint
  readonly asked: AskedChanges
  readonly caller: Caller
  /** Aborted when the caller hangs up. */
  readonly left: AbortSignal
}

/**
 * The page, or, while it is empty and somebody may wait for it, the first that is not. Before a page is given to who has
 * waited, the key is looked up again: meanwhile it may have been revoked.
 */
export const waitForPage = async (
  parts: WaitingParts,
  venue: Venue,
  { endpoint, asked, caller, left }: Waited,
  first: PageAsked,
): Promise<Page> => {
  let page = await readPage(parts, venue, first)
  const place = asked.waitSeconds > 0 && isEmpty(page) ? parts.waiting.enter(caller.key.id) : undefined
  if (!place) return page
  parts.context.usage.waited(caller.key.id)
  const end = performance.now() + asked.waitSeconds * 1_000
  try {
    for (let ms = asked.waitSeconds * 1_000; ms > 0; ms = end - performance.now()) {
      await place.until({ venue: venue.id, position: page.next.position }, ms, left)
      const again = await callerAgain(parts.context, caller.key.id)
      if (!again) throw unknownKey()
      refuseCaller(endpoint, { ...again, address: caller.address }, {})
      const kinds = kindsFor(asked.named, again.key.scopes)
      page = await readPage(parts, venue, { ...first, kinds, after: page.next })
      if (!isEmpty(page) || parts.waiting.isOver() || left.aborted) break
    }
    return page
  } finally {
    place.leave()
  }
}

const isEmpty = ({ changes, more }: Page): boolean => changes.length === 0 && !more
