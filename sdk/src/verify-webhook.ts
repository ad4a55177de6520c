import type { DeliveryOf, EventName } from './generated/records.ts'

/** The body that arrives at a webhook endpoint: `event` determines the type of `data`. Answer 2xx to unknown events. */
export type Delivery = { [Name in EventName | 'ping']: DeliveryOf<Name> }[EventName | 'ping']

/** Headers in the form of any framework. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export type Verification = {
  /** The endpoint's secret, `whsec_…`; several while you change it. */
  readonly secret: string | readonly string[]
  /** How many seconds the signature's time may be from your clock. Default: 300. */
  readonly toleranceSeconds?: number
  /** Your clock in seconds since 1970, such as that of a practice instance. */
  readonly now?: () => number
}

export type SignedDelivery = Verification & {
  /** The body exactly as it arrived, before anything parsed it. */
  readonly body: string | Uint8Array | ArrayBuffer
  /** The value of `X-Service-Signature`. */
  readonly header?: string | null | undefined
  /** All headers, instead of `header`: with them, a Standard Webhooks signature is verified, too. */
  readonly headers?: HeadersLike
}

export type VerificationFailure =
  | 'no-signature'
  | 'unreadable-signature'
  | 'too-old-or-too-new'
  | 'wrong-signature'
  | 'unreadable-body'

/** A delivery with a bad signature. Answer 400 and ignore it. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
  readonly reason: VerificationFailure

  constructor(reason: VerificationFailure) {
    super(sentences[reason])
    this.reason = reason
  }
}

const sentences: Readonly<Record<VerificationFailure, string>> = {
  'no-signature': 'The delivery has no signature.',
  'unreadable-signature': 'The signature of the delivery cannot be read.',
  'too-old-or-too-new': 'The signature of the delivery is too old, or your clock is wrong.',
  'wrong-signature': 'The delivery was not signed with this secret, or its body is not what was sent.',
  'unreadable-body': 'The body of the delivery is not JSON.',
}

/**
 * Verifies a delivery and reads it.
 *
 * @throws WebhookVerificationError when the signature is wrong or too old
 * @example
 * const delivery = await verifyWebhook({ body, header: request.headers.get('x-service-signature'), secret })
 * if (delivery.event === 'reservation.seated') console.log(delivery.data.guestName)
 */
export const verifyWebhook = async (signed: SignedDelivery): Promise<Delivery> => {
  const body = typeof signed.body === 'string' ? utf8.encode(signed.body) : new Uint8Array(signed.body)
  const { key, time, prefix, macs } = signature(signed)
  if (!/^\d{1,12}$/.test(time) || macs.length === 0)
    throw new WebhookVerificationError('unreadable-signature')
  const { toleranceSeconds = 300, now = () => Date.now() / 1000 } = signed
  if (Math.abs(now() - Number(time)) > toleranceSeconds)
    throw new WebhookVerificationError('too-old-or-too-new')
  const said = join(utf8.encode(prefix), body)
  const secrets = typeof signed.secret === 'string' ? [signed.secret] : signed.secret
  for (const secret of secrets) {
    const bytes = key(secret)
    if (bytes && (await isSignedWith(bytes, macs, said))) return read(body)
  }
  throw new WebhookVerificationError('wrong-signature')
}

const utf8 = new TextEncoder()

type Signature = {
  /** The secret's bytes; undefined: it cannot make such signatures. */
  readonly key: (secret: string) => Uint8Array | undefined
  readonly time: string
  /** The part of the signed text before the body. */
  readonly prefix: string
  readonly macs: readonly Uint8Array[]
}

const signature = ({ header, headers }: SignedDelivery): Signature => {
  const own = header ?? (headers && headerOf(headers, 'x-service-signature'))
  if (own) return ownSignature(own)
  const standard = headers && headerOf(headers, 'webhook-signature')
  if (!headers || !standard) throw new WebhookVerificationError('no-signature')
  return standardSignature(standard, headers)
}

/** `t=<seconds>,v1=<hex>`, with a second `v1` while the secret is being changed. Other parts may be added. */
const ownSignature = (header: string): Signature => {
  const parts = header.split(',').map((part) => part.trim())
  const valuesOf = (name: string): string[] =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1))
  const [time = ''] = valuesOf('t')
  const macs = valuesOf('v1')
    .filter((hex) => /^[0-9a-f]{64}$/i.test(hex))
    .map((hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)))
  return { key: (secret) => utf8.encode(secret), time, prefix: `${time}.`, macs }
}

/** Standard Webhooks: also covers the id and the time, and uses the secret's decoded bytes. */
const standardSignature = (header: string, headers: HeadersLike): Signature => {
  const time = headerOf(headers, 'webhook-timestamp') ?? ''
  const macs = header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .flatMap((part) => fromBase64(part.slice(3)) ?? [])
  const key = (secret: string): Uint8Array | undefined => fromBase64(secret.replace(/^whsec_/, ''))
  return { key, time, prefix: `${headerOf(headers, 'webhook-id') ?? ''}.${time}.`, macs }
}

export const headerOf = (headers: HeadersLike, name: string): string | undefined => {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const entry = Object.entries(headers).find(([given]) => given.toLowerCase() === name)
  return entry && String(entry[1])
}

const fromBase64 = (text: string): Uint8Array | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const join = (prefix: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(prefix.length + body.length)
  whole.set(prefix)
  whole.set(body, prefix.length)
  return whole
}

/** WebCrypto compares in constant time. */
const isSignedWith = async (
  secret: Uint8Array,
  macs: readonly Uint8Array[],
  said: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new Uint8Array(secret), hmac, false, ['verify'])
  for (const mac of macs) if (await crypto.subtle.verify('HMAC', key, new Uint8Array(mac), said)) return true
  return false
}

const read = (body: Uint8Array): Delivery => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Delivery
  } catch {
    throw new WebhookVerificationError('unreadable-body')
  }
}
