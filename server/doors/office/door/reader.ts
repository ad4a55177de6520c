import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/* What reads codes where the browser cannot. The door's script loads it, and only then. */

const body = readFileSync(createRequire(import.meta.url).resolve('jsqr/dist/jsQR.js'), 'utf8')
const tag = createHash('sha256').update(body).digest('base64url').slice(0, 12)
const path = '/office/assets/jsqr.js'

export const codeReader = { path, type: 'text/javascript', body, tag, address: `${path}?v=${tag}` } as const
