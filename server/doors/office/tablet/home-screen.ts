import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/* What the head of every page names for home screens. The picture is the door as a PNG, since some take no drawing. */

export const manifestPath = '/office/manifest.webmanifest'

const body = readFileSync(new URL('../assets/app-icon.png', import.meta.url))
const tag = createHash('sha256').update(body).digest('base64url').slice(0, 12)
const path = '/office/assets/app-icon.png'

export const appIcon = {
  path,
  type: 'image/png',
  body,
  tag,
  address: `${path}?v=${tag}`,
  pixels: 512,
} as const
