/** The options of any call. */
export type CallOptions = {
  /** Cancels the call with all its attempts. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for the call with all its attempts and the waits between them; see `VenueDataOptions`. */
  readonly timeoutMs?: number | undefined
  /** The maximum number of retries; see `VenueDataOptions`. */
  readonly retries?: number | undefined
}

/** For calls that take an Idempotency-Key. */
export type Keyed = {
  /**
   * A name for this write, 1 to 200 visible characters: sent twice under the same name within 24 hours, it is done
   * once. By default the client creates one per call and keeps it across attempts. If your program may stop before the
   * answer comes, create your own and store it with the record it is for.
   */
  readonly idempotencyKey?: string | undefined
}

/** For calls that change one record. */
export type IfMatch = {
  /**
   * The version of the record you mean: its `revision`, or the `etag` of an answer; `'*'` matches any current version.
   */
  readonly ifMatch: number | string
}

/** For calls that read one record. */
export type IfNoneMatch = {
  /** The `etag` of an earlier answer: the call returns `undefined` while nothing has changed. */
  readonly ifNoneMatch: string
}

/** An answer with its status and headers. */
export type Answer<Body> = {
  readonly status: number
  readonly body: Body
  /** The version of the record in the body, for `ifMatch` and `ifNoneMatch`. */
  readonly etag: string | undefined
  /** Quote it when you ask about the request. */
  readonly requestId: string | undefined
  /** Whether it is the stored answer of an earlier attempt with the same Idempotency-Key. */
  readonly replayed: boolean
  /** How many attempts were made. */
  readonly attempts: number
  readonly headers: Headers
}

/**
 * A call in progress: a promise of the answer's body.
 *
 * @example
 * const { body, etag } = await venue.guests.get(4000).withAnswer()
 */
export type Call<Body> = Promise<Body> & {
  /** The answer with its status and headers instead of only its body. */
  withAnswer(): Promise<Answer<Body>>
}

/** One page of a list. */
export type Page<Item> = {
  readonly items: Item[]
  /** For `after` of the next page; `undefined` on the last one. */
  readonly next: string | undefined
  /** The cursor with which `changes({ after })` continues from this list; on the list's first page. */
  readonly changesCursor: string | undefined
  /** How many match in total, or `10000+`, if `count` was requested. */
  readonly count: string | undefined
}

/**
 * A list that is read page by page while you iterate over it. Nothing is sent before that.
 *
 * @example
 * for await (const guest of venue.guests.list({ since: '2026-11-01T00:00:00Z' })) console.log(guest.name)
 */
export type List<Item> = AsyncIterable<Item> & {
  /** The first page, or the one after the cursor in `after`. */
  page(): Promise<Page<Item>>
  /** Page by page instead of item by item. */
  pages(): AsyncIterable<Page<Item>>
  /** Every item at once. Mind the size of the list. */
  all(): Promise<Item[]>
}
