import { createHmac, timingSafeEqual } from 'node:crypto'

// In TypeScript: (secret: string, header: string, body: Buffer, now?: number): boolean
export function verify(secret, header, body, now = Date.now() / 1000) {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const t = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d+$/.test(t) || Math.abs(now - Number(t)) > 300) return false
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  return parts.some(([name, value = '']) => {
    const given = Buffer.from(value, 'hex')
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}
