import type { DeliveryOf, EventName } from './generated/records.ts'
import { type SeenStore, memorySeen } from './seen-store.ts'
import {
  type Delivery,
  type HeadersLike,
  type Verification,
  WebhookVerificationError,
  verifyWebhook,
} from './verify-webhook.ts'

/**
 * A receiver's options. Handlers may return a promise, which is awaited.
 */
export type ReceiverOptions = Verification & {
  /**
   * What to do with an event. Store the delivery and return: the service waits ten seconds for your answer. If a
   * handler throws, the delivery comes again later.
   */
  readonly on?: {
    readonly [Name in EventName | 'ping']?: (delivery: DeliveryOf<Name>) => unknown
  }
  /** Handles every event that `on` does not name, including events added later. */
  readonly onEvent?: (delivery: Delivery) => unknown
  /** Remembers which deliveries were handled. Default: in memory, as long as the program runs. */
  readonly seen?: SeenStore
  /** Whether samples are handled like events. By default they are answered but not handled, since nothing happened. */
  readonly samples?: boolean
  /** Called with any error, such as a wrong signature or what a handler threw. */
  readonly onError?: (error: unknown) => void
}

export type ReceiverAnswer = { readonly status: number; readonly text: string }

/** Receives deliveries: the core of every framework handler. */
export type Receiver = (
  body: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
) => Promise<ReceiverAnswer>

/**
 * Verifies each delivery, skips those already handled, and answers as the service expects.
 *
 * @example
 * const receive = webhookReceiver({ secret, on: { 'reservation.created': ({ data }) => queue.push(data) } })
 * const { status, text } = await receive(rawBody, request.headers)
 */
export const webhookReceiver = (options: ReceiverOptions): Receiver => {
  const { seen = memorySeen(), onError } = options
  return async (body, headers) => {
    let delivery: Delivery
    try {
      delivery = await verifyWebhook({ ...options, body, headers })
    } catch (error) {
      onError?.(error)
      return error instanceof WebhookVerificationError
        ? { status: 400, text: error.message }
        : { status: 500, text: 'The delivery could not be verified.' }
    }
    if (delivery.sample && !options.samples) return done
    try {
      const state = await seen.begin(delivery.id)
      if (state === 'done') return done
      if (state === 'busy') return { status: 503, text: 'This delivery is being handled.' }
      await handle(delivery, options, seen)
      return done
    } catch (error) {
      onError?.(error)
      return { status: 500, text: 'The delivery could not be handled.' }
    }
  }
}

const done: ReceiverAnswer = { status: 204, text: '' }

const handle = async (
  delivery: Delivery,
  { on, onEvent }: ReceiverOptions,
  seen: SeenStore,
): Promise<void> => {
  const { event, id } = delivery
  const named = on && Object.hasOwn(on, event) ? (on[event] as typeof onEvent) : onEvent
  try {
    await named?.(delivery)
  } catch (error) {
    await seen.end(id, false)
    throw error
  }
  await seen.end(id, true)
}
