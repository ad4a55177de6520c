import { createHmac, timingSafeEqual } from 'crypto'

/** How many seconds the sender's and the receiver's clocks may differ. */
const tolerance = 300

type Signed = {
  secret: string
  /** The header X-Service-Signature. */
  header: string
  /** The raw bytes. */
  body: Buffer
  /** The time here, in seconds. */
  now: number
}

/** Whether a delivery was signed with the secret just now. While a secret is being changed there are two signatures. */
export const isSigned = ({ secret, header, body, now }: Signed): boolean => {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const t = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d+$/.test(t) || Math.abs(now - Number(t)) > tolerance) return false
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  return parts.some(([name, value = '']) => {
    const given = Buffer.from(value, 'hex')
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}
