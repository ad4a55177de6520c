import { createCipheriv, createDecipheriv, createHmac, createPublicKey, hkdfSync } from 'node:crypto'

/**
 * The key ring of the setting SECRETS: what turns API keys into fingerprints, seals webhook secrets at rest and signs
 * links.
 *
 * Rotation: the operator adds a new entry at the end, where it only checks and opens, and moves it to the front once
 * every process has it. From then on it writes everything; the other entries keep checking fingerprints and opening
 * what they sealed. So during a rolling restart no process meets what it cannot check. Removing an entry ends every key fingerprinted with it
 * and every secret sealed with it, so it goes last, when nothing names its id.
 *
 * Each purpose has its own sub-key, so a leaked one says nothing about the others or about the ring.
 */
export type KeyRing = readonly [current: RingEntry, ...others: RingEntry[]]

export type RingEntry = {
  /** The entry's public name; it precedes everything the entry sealed. */
  readonly id: string
  /** 32 bytes for the fingerprints of API keys. */
  readonly pepper: Buffer
  /** 32 bytes for AES-256-GCM. */
  readonly seal: Buffer
  /** 32 bytes for the signatures of links in mail. */
  readonly link: Buffer
}

/** Every key check computes one fingerprint per entry, so the ring stays short. */
const mostEntries = 8
const secretBytes = 32
const nonceBytes = 12
const tagBytes = 16

/**
 * Reads `id:base64(32 bytes)` entries separated by commas; the first is the current one. An id is 1 to 32
 * lower-case letters, digits and hyphens. Spaces around entries are ignored.
 *
 * @throws Error naming the entry by its place, never quoting it, when the ring is empty or longer than 8, an
 *   entry is malformed, or an id or a secret comes twice. The process should not start.
 */
export const readKeyRing = (setting: string): KeyRing => {
  const entries = setting.split(',').map((entry) => entry.trim())
  if (entries.length > mostEntries) throw new Error(`SECRETS has more than ${mostEntries} entries.`)
  const secrets = new Map<string, string>()
  const ring = entries.map((entry, place) => {
    const [, id, base64] = /^([a-z0-9-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(entry) ?? []
    const bytes = Buffer.from(base64 ?? '', 'base64')
    // A last character with stray bits would be a typing error that decoding forgives.
    if (id === undefined || bytes.length !== secretBytes || bytes.toString('base64') !== base64) {
      throw new Error(`SECRETS entry ${place + 1} is not id:base64, with base64 of exactly 32 bytes.`)
    }
    if (secrets.has(id)) throw new Error(`SECRETS entry ${place + 1} has the id of an earlier entry.`)
    if ([...secrets.values()].includes(base64)) {
      throw new Error(`SECRETS entry ${place + 1} has the bytes of an earlier entry.`)
    }
    secrets.set(id, base64)
    return ringEntry(id, bytes)
  })
  return ring as [RingEntry, ...RingEntry[]]
}

/** HMAC-SHA-256 of text, 32 bytes. */
export const keyedHash = (text: string, key: Uint8Array): Buffer =>
  createHmac('sha256', key).update(text).digest()

/** The fingerprint to store for a new API key: made with the current pepper. */
export const currentFingerprint = (ring: KeyRing, keyText: string): Buffer =>
  keyedHash(keyText, ring[0].pepper)

/** The fingerprints an API key may be stored under, current first: for `fingerprint = any($1)`. */
export const fingerprints = (ring: KeyRing, keyText: string): Buffer[] =>
  ring.map(({ pepper }) => keyedHash(keyText, pepper))

/** Identifies an entry without revealing it: safe where the secrets must not be. */
export type RingMark = { readonly id: string; readonly mark: string }

/** A mark for every entry, made with its pepper from a text that is not an API key. */
export const ringMarks = (ring: KeyRing): RingMark[] =>
  ring.map(({ id, pepper }) => ({
    id,
    mark: keyedHash('venue-data/ring-mark/v1', pepper).toString('hex').slice(0, 16),
  }))

/** Ids of the marked entries that are not in a ring. */
export const missingEntries = (ring: KeyRing, marks: readonly RingMark[]): string[] => {
  const held = new Set(ringMarks(ring).map(({ mark }) => mark))
  return marks.filter(({ mark }) => !held.has(mark)).map(({ id }) => id)
}

/**
 * Seals text with the current entry: `<entry id>.<base64url of nonce, ciphertext and tag>`. It is text so that
 * an operator can see in the table which entry a row still needs.
 *
 * @param aad what the sealed text belongs to, such as a webhook endpoint's id. It is not kept inside; opening
 *   needs the same, so a sealed text copied to another row does not open there.
 * @param nonce 12 fresh random bytes. One nonce used twice under one entry gives both texts away; random ones
 *   are safe up to some four thousand million seals (2^32).
 * @throws RangeError when the nonce is not 12 bytes.
 */
export const seal = (ring: KeyRing, plaintext: string, aad: string, nonce: Uint8Array): string => {
  if (nonce.length !== nonceBytes) throw new RangeError(`A nonce has ${nonceBytes} bytes.`)
  const [current] = ring
  const cipher = createCipheriv('aes-256-gcm', current.seal, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(aad))
  const sealed = Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${current.id}.${sealed.toString('base64url')}`
}

/**
 * Opens what `seal` made with any entry of the ring.
 *
 * @throws Error when the entry is no longer in the ring, the text was altered, or it belongs to another `aad`.
 *   That is a fault of the installation, never of a caller; the message holds no secret.
 */
export const open = (ring: KeyRing, sealed: string, aad: string): string => {
  const dot = sealed.indexOf('.')
  const id = sealed.slice(0, Math.max(dot, 0))
  const entry = ring.find((candidate) => candidate.id === id)
  if (entry === undefined) throw new Error('The sealed text names an entry that SECRETS does not hold.')
  const base64 = sealed.slice(dot + 1)
  const bytes = Buffer.from(base64, 'base64url')
  // Decoding forgives stray characters; a text that is not exactly what was written counts as altered.
  if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== base64) throw notOpened(id)
  const decipher = createDecipheriv('aes-256-gcm', entry.seal, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(Buffer.from(aad))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch (cause) {
    throw notOpened(id, cause)
  }
}

const notOpened = (id: string, cause?: unknown): Error =>
  new Error(
    `The text sealed with entry "${id}" does not open: it was altered or belongs to another record.`,
    {
      cause,
    },
  )

const ringEntry = (id: string, secret: Buffer): RingEntry => ({
  id,
  pepper: subKey(secret, 'pepper'),
  seal: subKey(secret, 'seal'),
  link: subKey(secret, 'link'),
})

/** HKDF-SHA-256 (RFC 5869). The secret is random already, so it needs no salt. The info text must never change. */
const subKey = (secret: Buffer, purpose: 'pepper' | 'seal' | 'link'): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `venue-data/${purpose}/v1`, secretBytes))

/** Whether a text is a public key that signatures can be checked with: base64 of its SPKI form. */
export const isVerifyingKey = (text: string): boolean => {
  try {
    return (
      createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' }).type === 'public'
    )
  } catch {
    return false
  }
}
