import type { Caller, Reply } from './caller.ts'
import type { Arrival, Mailbox } from './receiver.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- statements look into records whose shape was checked
export type Json = any

/** A time at which the venue would accept a request now. */
export type OpenTime = {
  /** At the venue, `YYYY-MM-DD` and `HH:MM`. */
  readonly date: string
  readonly time: string
  /** The same moment with the venue's offset. */
  readonly startsAt: string
}

/** A webhook endpoint that delivers to this run's receiver. */
export type Endpoint = Mailbox & {
  readonly id: string
  readonly secret: string
  /** The answer that created it. */
  readonly made: Json
}

/** For what is known to take its time: the least time to wait for it, and how often to ask, in milliseconds. */
export type Patience = { readonly atLeastMs: number; readonly everyMs: number }

/** What a statement can do. Records have recognizable names and are withdrawn when the statement is over. */
export type World = {
  readonly venue: { readonly slug: string; readonly name: string; readonly timezone: string }
  /** A key of kind `api` that may read and write. */
  readonly write: Caller
  readonly read: Caller
  readonly automation: Caller
  /** A key of another venue. */
  readonly other: Caller
  /** A key that was revoked. */
  readonly revoked: Caller
  /** A key that may start payments. */
  readonly checkout: Caller
  /** Where a guest comes back to who has paid, on a site that the venue lists. */
  readonly returnUrl: string
  /** No key at all. */
  readonly nobody: Caller
  /** The read and write key, without respecting its requests per minute. */
  readonly rushed: Caller
  /** Calls with a key text of its own. */
  readonly withKey: (key: string) => Caller
  /** The texts of the keys, for statements about where a key is sent. */
  readonly keys: { readonly write: string; readonly read: string }

  /** A unique person: `person('Ada')` has a name, an address at example.com and a phone number. */
  readonly person: (name?: string) => {
    readonly name: string
    readonly email: string
    readonly phone: string
  }
  /** A unique text, for titles and Idempotency-Keys. */
  readonly unique: (what?: string) => string

  /** Creates records by API and returns them. */
  readonly make: {
    readonly guest: (body?: object) => Promise<Json>
    readonly subscriber: (body?: object) => Promise<Json>
    readonly lead: (body?: object) => Promise<Json>
    readonly task: (body?: object) => Promise<Json>
    readonly reservation: (body?: object) => Promise<Json>
    readonly waitlistEntry: (body?: object) => Promise<Json>
    readonly campaign: (body?: object) => Promise<Json>
    /** Of the receiver of this run. */
    readonly endpoint: (events: readonly string[], more?: object) => Promise<Endpoint>
  }

  /** An open time for a party of this size, a different one each time. */
  readonly openTime: (partySize?: number) => Promise<OpenTime>
  /** The venue's availability for the next two weeks, including refused times. */
  readonly days: (partySize?: number) => Promise<readonly Json[]>
  /** The service's current time. */
  readonly now: () => Promise<Date>
  /** An address of the receiver without an endpoint. */
  readonly mailbox: () => Mailbox
  /** Does what the event says as staff, on record `id` or on a new one; returns the record. */
  readonly trigger: (event: string, id?: number) => Promise<Json>
  /** Moves the clock of a practice instance: `1m`, `6h`. */
  readonly advance: (by: string) => Promise<void>
  /** Repeats a call until the answer fits or the run's patience is over; returns the last answer. */
  readonly until: (
    ask: () => Promise<Reply>,
    fits: (reply: Reply) => boolean,
    how?: Patience,
  ) => Promise<Reply>
  /** Runs when the statement is over, passed or failed. */
  readonly afterwards: (tidy: () => Promise<unknown>) => void
}

/** Whether a delivery is of this record. */
export const isOf = (arrival: Arrival, id: number): boolean => arrival.body?.data?.id === id
