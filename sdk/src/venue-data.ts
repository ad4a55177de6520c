import { callOf } from './call.ts'
import type { Call } from './call-types.ts'
import { type Feed, type FeedOptions, type FeedPage, feedOf } from './feed.ts'
import type { Calls, ListChangesQuery, ListEventsQuery, OperationId, Replies } from './generated/calls.ts'
import type { ChangeOf, EventItem, RecordKind } from './generated/records.ts'
import { type Ask, addCalls } from './namespaces.ts'
import type { Settings, VenueDataOptions } from './options.ts'
import type { Query, Request } from './request.ts'
import { send } from './send.ts'
import { settingsFrom } from './settings.ts'

/** The arguments of a call made by its id. */
export type CallArguments = Partial<Request>

type Own = {
  /**
   * Changes to every kind of record: first every existing record, then each new, changed or deleted one, until you
   * stop. Outages are waited out. A change may come twice if your program stopped while handling it; compare
   * `revision`.
   *
   * @example
   * for await (const { kind, id, data } of venue.changes({ store: fileCursor('changes.cursor') })) {
   *   if (data === null) await copy.delete(kind, id)
   *   else await copy.upsert(kind, id, data)
   * }
   */
  readonly changes: Calls['changes'] &
    (<const Kind extends RecordKind = RecordKind>(
      options?: FeedOptions &
        Pick<ListChangesQuery, 'data'> & { kinds?: string | readonly Kind[] | undefined },
    ) => Feed<{ [One in Kind]: ChangeOf<One> }[Kind]>)
  /** Events, one by one, followed like `changes`; the last 30 days are kept. */
  readonly events: Calls['events'] &
    ((
      options?: FeedOptions & Pick<ListEventsQuery, 'names' | 'kinds' | 'record' | 'since'>,
    ) => Feed<EventItem>)
  /**
   * Makes any call by its id in the OpenAPI document, with its parts by name. The namespaces use it.
   *
   * @example
   * const { reservation } = await venue.call('cancelReservation', { path: [48213], body: { by: 'guest' } })
   */
  call<Id extends OperationId>(id: Id, request?: CallArguments): Call<Replies[Id]>
}

/** One venue, as its key sees it. */
export type VenueData = Omit<Calls, 'changes' | 'events'> & Own

class Client {
  readonly #ask: Ask
  /** The namespaces' other calls are added below. */
  readonly changes: object
  readonly events: object

  constructor(options: VenueDataOptions) {
    const settings = settingsFrom(options)
    const ask: Ask = (id, request) => send(settings, id, { path: [], query: {}, ...request })
    this.#ask = ask
    this.changes = follow(settings, ask, 'listChanges', 'changes')
    this.events = follow(settings, ask, 'listEvents', 'items')
    addCalls(this as unknown as Record<string, object>, ask)
    warnInBrowsers()
  }

  call(id: OperationId, request: CallArguments = {}): Call<unknown> {
    return callOf(this.#ask(id, request))
  }
}

/** Follows a feed whose answers have their items in the given field. */
const follow =
  (settings: Settings, ask: Ask, id: string, field: string) =>
  ({ after, store, live, limit, signal, ...query }: FeedOptions & Query = {}): Feed<unknown> =>
    feedOf(settings, { after, store, live, signal }, async (after, wait) => {
      // A live feed waits until an outage is over.
      const patience = live !== false && { retries: Infinity, timeoutMs: Infinity }
      const { body } = await ask(id, { query: { ...query, after, wait, limit }, signal, ...patience })
      const { [field]: items, next, more, kinds } = body as Record<string, unknown>
      return { items, next, more, kinds } as FeedPage<unknown>
    })

const warnInBrowsers = (): void => {
  if ('document' in globalThis)
    console.warn('Venue Data: anyone who opens this page can read the key. Keys are for servers.')
}

/**
 * The client of one venue.
 *
 * @example
 * const venue = new VenueData({ key: 'service_sk_…', baseUrl: 'http://127.0.0.1:8080' })
 * const { reservation } = await venue.reservations.create({
 *   guestName: 'Maya Okafor',
 *   partySize: 2,
 *   date: '2026-11-27',
 *   time: '19:00',
 * })
 */
export const VenueData = Client as unknown as new (options: VenueDataOptions) => VenueData

export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  GoneError,
  NotFoundError,
  OutcomeUnknownError,
  PermissionError,
  PreconditionError,
  RateLimitError,
  ServerError,
  StillProcessingError,
  TimeoutError,
  VenueDataError,
} from './errors.ts'
export { type CursorStore, memoryCursor } from './cursor-store.ts'
export type { Answer, Call, CallOptions, List, Page } from './call-types.ts'
export type { Feed, FeedOptions, FeedPage } from './feed.ts'
export type { Retry, VenueDataOptions } from './options.ts'
export type { Runtime } from './runtime.ts'
export { version } from './version.ts'
export type * from './generated/records.ts'
