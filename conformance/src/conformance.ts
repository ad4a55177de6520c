import { makeCaller } from './caller.ts'
import type { Keys, Setting } from './open-world.ts'
import { Pace } from './pace.ts'
import { startReceiver } from './receiver.ts'
import { type Result, run } from './run.ts'
import type { Section } from './statement.ts'
import { sections as allSections } from './statements.ts'
import type { Json, World } from './world.ts'

export type { Failure, Result } from './run.ts'
export type { Need, Section, Statement, Untried } from './statement.ts'
export { sections } from './statements.ts'

/** What to test, and on which service. */
export type Options = {
  /** Where the service is, without `/api/v1`: `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  /** `write` is a key of kind `api` that may read and write; statements that need a missing key are not tried. */
  readonly keys: Keys
  /** Which statements; default: all. */
  readonly sections?: readonly Section[]
  /** The address under which the service reaches this machine, and the port to listen on; default: loopback. */
  readonly receiver?: { readonly url?: string | undefined; readonly port?: number | undefined }
  /** Where guests come back to who have paid: https, on a site that the venue lists. */
  readonly returnUrl?: string | undefined
  /** Does something as the venue's staff, such as `reservation.seated`, and returns the record. */
  readonly trigger?: ((venue: string, event: string, id?: number) => Promise<Json>) | undefined
  /** Moves the clock of a practice instance by `2m`, `6h`, `2d`. */
  readonly advance?: World['advance'] | undefined
  /** How long to wait for a delivery, in milliseconds; default: 15 seconds. */
  readonly patienceMs?: number
  /** Called with each result. */
  readonly onResult?: (result: Result) => void
  /** Called when a key has used up its requests for the minute, with the seconds to wait. */
  readonly onWait?: (seconds: number) => void
}

/** The suite could not start: the service does not answer, or a key is not of the expected kind. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun'
}

/**
 * Tests the contract's statements on a service, one after the other.
 *
 * Throws `CannotRun` when the service cannot be reached or a key is of the wrong kind. A statement that fails is a
 * result, never an error.
 *
 * @example
 * const results = await conformance({ baseUrl: 'http://127.0.0.1:8080', keys: { write: 'service_sk_…' } })
 * const failed = results.filter(({ outcome }) => outcome === 'failed')
 */
export const conformance = async (options: Options): Promise<readonly Result[]> => {
  const { setting, close } = await prepare(options)
  const { sections = allSections, onResult } = options
  try {
    return await run({ setting, sections, ...(onResult && { onResult }) })
  } finally {
    await close()
  }
}

/** Checks that the service answers and the keys are of the expected kinds. Throws `CannotRun`. */
export const prepare = async (
  options: Options,
): Promise<{ setting: Setting; close: () => Promise<void> }> => {
  const { keys, returnUrl, trigger, patienceMs = 15_000 } = options
  const baseUrl = options.baseUrl.replace(/\/$/, '')
  const venue = await venueOf(baseUrl, keys)
  const receiver = await startReceiver({ ...options.receiver, patienceMs })
  const isReached = await takesReceiver(baseUrl, keys.write, receiver.mailbox().url)
  const setting = {
    ...{ baseUrl, keys, venue, returnUrl, patienceMs, isLoopback: isLoopback(baseUrl) },
    receiver: isReached ? receiver : undefined,
    trigger: trigger && ((event: string, id?: number) => trigger(venue.slug, event, id)),
    advance: options.advance,
    pace: new Pace(options.onWait),
  }
  return { setting, close: () => receiver.close() }
}

/** Whether an address is one of this machine. */
export const isLoopback = (url: string): boolean => {
  const { hostname } = new URL(url)
  return /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

const venueOf = async (baseUrl: string, keys: Keys): Promise<World['venue']> => {
  const wanted: readonly [string, string | undefined, string, string | undefined][] = [
    ['the key', keys.write, 'api', 'read_write'],
    ['the read-only key', keys.read, 'api', 'read'],
    ['the automation key', keys.automation, 'automation', undefined],
    ['the key that starts payments', keys.checkout, 'api', undefined],
    ["the other venue's key", keys.other, 'api', undefined],
  ]
  let venue: World['venue'] | undefined
  for (const [name, key, kind, scope] of wanted) {
    if (key === undefined) continue
    const reply = await makeCaller(baseUrl, key)
      .get('/me')
      .catch((error: Error & { cause?: Error }) => {
        throw new CannotRun(`${baseUrl} does not answer: ${error.cause?.message ?? error.message}.`)
      })
    if (reply.status !== 200) {
      throw new CannotRun(
        `GET /api/v1/me with ${name} answers ${reply.status}: ${reply.body?.error ?? reply.text}`,
      )
    }
    const me = reply.body
    if (me.key?.kind !== kind || (scope !== undefined && me.key.scope !== scope)) {
      throw new CannotRun(`${name} must be of kind ${kind}${scope ? ` and scope ${scope}` : ''}.`)
    }
    venue ??= me.venue
  }
  return venue as World['venue']
}

/** Whether the service accepts the receiver's address: only practice instances accept loopback ones. */
const takesReceiver = async (baseUrl: string, key: string, url: string): Promise<boolean> => {
  const caller = makeCaller(baseUrl, key)
  const made = await caller.post('/webhooks', { url, events: ['ticket_order.refunded'] })
  if (made.status === 201) await caller.delete(`/webhooks/${made.body.id}`)
  return made.status === 201
}
