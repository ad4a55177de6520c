import { UsageError, codeOf } from '../failures.ts'
import { isOnThisMachine } from '../local-address.ts'
import type { World } from '../world.ts'
import type { Delivery } from './delivery.ts'
import { signedHeaders } from './sign.ts'

/** How long a receiver may take to answer: as long as the service waits. */
const answerWithinMs = 10_000
const shownOfAnswer = 500

/** The result of one delivery. */
export type Exchange = {
  readonly event: string
  readonly id: string
  /** The record it happened to: `reservation 48213`. */
  readonly about: string
  /** The status of the answer; 0: no answer. */
  readonly status: number
  readonly durationMs: number
  /** Why there was no answer. */
  readonly error?: string
  /** The beginning of an unsuccessful answer's body, which may say why. */
  readonly answer?: string
}

/**
 * Where deliveries are forwarded. They contain guests' data, so they stay on this machine.
 *
 * @throws UsageError when the address is on another machine
 */
export const readForwardAddress = (text: string): string => {
  const whole = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  if (!url || !isOnThisMachine(url.href) || !/^https?:$/.test(url.protocol))
    throw new UsageError('--forward-to must be on this machine, such as http://localhost:3000/hook.')
  return url.href
}

/** Sends a delivery once, signed as of now. */
export const forward = async (
  { id, event, about, body }: Delivery,
  to: string,
  secret: string,
  { now, signal }: Pick<World, 'now' | 'signal'>,
  more: Readonly<Record<string, string>> = {},
): Promise<Exchange> => {
  const seconds = Math.floor(now() / 1000)
  const headers = { ...signedHeaders({ id, event }, body, secret, seconds), ...more }
  const startedAt = performance.now()
  const durationMs = (): number => Math.round(performance.now() - startedAt)
  const late = AbortSignal.timeout(answerWithinMs)
  try {
    const answer = await fetch(to, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.any([signal, late]),
    })
    const text = await answer.text()
    const exchange = { event, id, about, status: answer.status, durationMs: durationMs() }
    return wasTaken(exchange) || text === ''
      ? exchange
      : { ...exchange, answer: text.slice(0, shownOfAnswer) }
  } catch (thrown) {
    signal.throwIfAborted()
    const { cause = thrown } = thrown as Error
    const why = late.aborted
      ? `no answer in ${answerWithinMs / 1000} s`
      : (codeOf(cause) ?? (cause as Error).message)
    return { event, id, about, status: 0, durationMs: durationMs(), error: why }
  }
}

export const wasTaken = ({ status }: Pick<Exchange, 'status'>): boolean => status >= 200 && status < 300
