import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const text = readFileSync(new URL('../assets/guest.css', import.meta.url), 'utf8')
const tag = createHash('sha256').update(text).digest('base64url').slice(0, 12)

/** The one stylesheet of the guests' pages. Its address names its content, so it is cached permanently. */
export const guestStyle = { route: '/guest.css', path: `/guest.css?v=${tag}`, text }
