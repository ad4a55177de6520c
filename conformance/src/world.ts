import type { Caller, Reply } from './caller.ts'
import type { Arrival, Mailbox } from './receiver.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- statements look into records whose shape was checked
export type Json = any

/** A time that the venue would give to a request now. */
export type OpenTime = {
  /** At the venue, `YYYY-MM-DD` and `HH:MM`. */
  readonly date: string
  readonly time: string
  /** The same moment with the venue's offset. */
  readonly startsAt: string
}

/** A webhook endpoint that leads to the receiver of this run. */
export type Endpoint = Mailbox & {
  readonly id: string
  readonly secret: string
  /** The reply that made it. */
  readonly made: Json
}

/** What a statement may do. Records have recognizable names and are withdrawn when the statement is over. */
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
  /** No key at all. */
  readonly nobody: Caller
  /** The key that reads and writes, without keeping to its requests of a minute. */
  readonly rushed: Caller
  /** Calls with a key text of its own. */
  readonly withKey: (key: string) => Caller
  /** The texts of the keys, for statements about where a key is sent. */
  readonly keys: { readonly write: string; readonly read: string }

  /** What nobody else has: `person('Ada')` has a name, an address at example.com and a phone number. */
  readonly person: (name?: string) => {
    readonly name: string
    readonly email: string
    readonly phone: string
  }
  /** A text that nobody else has, for titles and Idempotency-Keys. */
  readonly unique: (what?: string) => string

  /** Makes records by the API and gives them back. */
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

  /** A time that is open for a party of this size, another one each time. */
  readonly openTime: (partySize?: number) => Promise<OpenTime>
  /** What the venue says of the next two weeks, refused times too. */
  readonly days: (partySize?: number) => Promise<readonly Json[]>
  /** What time it is for the service. */
  readonly now: () => Promise<Date>
  /** An address of the receiver without an endpoint. */
  readonly mailbox: () => Mailbox
  /** Lets staff do what the event says, on record `id` or on a new one; gives the record back. */
  readonly trigger: (event: string, id?: number) => Promise<Json>
  /** Moves the clock of a practice instance: `1m`, `6h`. */
  readonly advance: (by: string) => Promise<void>
  /** Asks again until the answer fits or the patience of the run is over; gives the last answer. */
  readonly until: (ask: () => Promise<Reply>, fits: (reply: Reply) => boolean) => Promise<Reply>
  /** Done when the statement is over, whatever came of it. */
  readonly afterwards: (tidy: () => Promise<unknown>) => void
}

/** Whether a delivery is of this record. */
export const isOf = (arrival: Arrival, id: number): boolean => arrival.body?.data?.id === id
