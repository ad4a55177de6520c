import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { type Html, html } from '../../../platform/html/html.ts'

/*
 * The office's icons: one file of symbols, by their Lucide names. An icon never replaces a word: next to it, or
 * hidden for the eye only, is what it says.
 */

const text = readFileSync(new URL('../assets/icons.svg', import.meta.url), 'utf8')
const tag = createHash('sha256').update(text).digest('base64url').slice(0, 12)
const address = `/office/assets/icons.svg?v=${tag}`

/** The file, as the shell serves it. */
export const iconFile = { path: '/office/assets/icons.svg', type: 'image/svg+xml', body: text, tag } as const

/** An icon, by its name at lucide.dev. A name that is not in the file draws nothing; a test compares them. */
export const icon = (name: string, small: 'small' | '' = ''): Html =>
  html`<svg class="i ${small}" aria-hidden="true"><use href="${address}#${name}" /></svg>`
