import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A file of the guests' pages. */
export type Asset = {
  readonly route: string
  /** Its address names its content, so it is cached permanently. */
  readonly path: string
  readonly type: string
  readonly text: string
}

export const assetText = (name: string): string =>
  readFileSync(new URL(`../assets/${name}`, import.meta.url), 'utf8')

export const assetOf = (name: string, type: 'text/css' | 'text/javascript'): Asset => {
  const text = assetText(name)
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  return { route: `/${name}`, path: `/${name}?v=${tag}`, type: `${type}; charset=utf-8`, text }
}
