/** What any call takes besides what it is about. */
export type CallOptions = {
  /** Gives the call up, with all of its attempts. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for the call with all of its attempts and the waits between them; see `VenueDataOptions`. */
  readonly timeoutMs?: number | undefined
  /** How many times it may be sent again; see `VenueDataOptions`. */
  readonly retries?: number | undefined
}

/** For calls that take an Idempotency-Key. */
export type Keyed = {
  /**
   * A name for what is done, 1 to 200 visible characters: sent twice under one name within 24 hours, it is done once. Without
   * one, the client makes one for the call and keeps it over the attempts. Store one of your own with what it is about if your
   * program may end before the answer comes.
   */
  readonly idempotencyKey?: string | undefined
}

/** For calls that change one record. */
export type IfMatch = {
  /** The state of the record that is meant: its `revision`, or the `etag` of an answer; `'*'` is whatever is there. */
  readonly ifMatch: number | string
}

/** For calls that read one record. */
export type IfNoneMatch = {
  /** The `etag` of an earlier answer: the call answers with `undefined` while it holds. */
  readonly ifNoneMatch: string
}

/** An answer with what came around its body. */
export type Answer<Body> = {
  readonly status: number
  readonly body: Body
  /** Names the state of the record in the body, for `ifMatch` and `ifNoneMatch`. */
  readonly etag: string | undefined
  /** To quote when asking about the request. */
  readonly requestId: string | undefined
  /** Whether it is the kept answer of an earlier attempt with the same Idempotency-Key. */
  readonly replayed: boolean
  /** How often it was sent. */
  readonly attempts: number
  readonly headers: Headers
}

/**
 * A call under way: a promise of the answer's body.
 *
 * @example
 * const { body, etag } = await venue.guests.get(4000).withAnswer()
 */
export type Call<Body> = Promise<Body> & {
  /** The answer with its status and headers in place of its body alone. */
  withAnswer(): Promise<Answer<Body>>
}

/** One page of a list. */
export type Page<Item> = {
  readonly items: Item[]
  /** For `after` of the next page; `undefined` on the last one. */
  readonly next: string | undefined
  /** Where `changes({ after })` goes on from what this list shows, if it is the list's first page. */
  readonly changesCursor: string | undefined
  /** How many match in all, or `10000+`, if `count` was asked for. */
  readonly count: string | undefined
}

/**
 * A list that is read page by page as it is gone through. Nothing is sent before that.
 *
 * @example
 * for await (const guest of venue.guests.list({ since: '2026-11-01T00:00:00Z' })) console.log(guest.name)
 */
export type List<Item> = AsyncIterable<Item> & {
  /** The first page, or the one after the cursor in `after`. */
  page(): Promise<Page<Item>>
  /** Page by page in place of item by item. */
  pages(): AsyncIterable<Page<Item>>
  /** Every item. Mind the size of what you ask for. */
  all(): Promise<Item[]>
}
