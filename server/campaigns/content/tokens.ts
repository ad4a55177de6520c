/*
 * Reads HTML that went through cleaning or was written by our own layout: attribute values in double quotes, every
 * `<` of a text escaped. It is no parser for HTML from outside; that is what cleaning is for.
 */

export type OpenTag = {
  readonly kind: 'open'
  readonly name: string
  readonly attributes: readonly Attribute[]
  /** `<br />`: nothing is inside and no end tag follows. */
  readonly isEmpty: boolean
  readonly at: number
  readonly text: string
}
/** `value` is as written, with its entities; `at` is where the value begins in the whole text. */
export type Attribute = { readonly name: string; readonly value: string; readonly at: number }
export type CloseTag = {
  readonly kind: 'close'
  readonly name: string
  readonly at: number
  readonly text: string
}
/** `raw`: comments, the doctype and what is inside of a `style`; nobody reads it as text. */
export type TextToken = { readonly kind: 'text' | 'raw'; readonly at: number; readonly text: string }
export type Token = OpenTag | CloseTag | TextToken

const tagPattern = /<(\/?)([a-z][a-z0-9-]*)((?:\s+[^\s=<>"/]+(?:="[^"]*")?)*)\s*(\/?)>/iy
const endOfStyle = /<\/style/gi
const attributePattern = /\s+([^\s=<>"/]+)(?:="([^"]*)")?/g
const emptyElements = new Set(['area', 'base', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'wbr'])

export const tokensOf = (html: string): Token[] => {
  const tokens: Token[] = []
  let from = 0
  const textUntil = (end: number) => {
    if (end > from) tokens.push({ kind: 'text', at: from, text: html.slice(from, end) })
  }
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', Math.max(at + 1, from))) {
    const skipped = html.startsWith('<!', at) ? endOfDeclaration(html, at) : undefined
    if (skipped !== undefined) {
      textUntil(at)
      tokens.push({ kind: 'raw', at, text: html.slice(at, skipped) })
      from = skipped
      continue
    }
    tagPattern.lastIndex = at
    const found = tagPattern.exec(html)
    if (found === null) continue
    textUntil(at)
    const [text, slash, name = '', attributes = '', end] = found
    const lower = name.toLowerCase()
    from = at + text.length
    if (slash === '/') {
      tokens.push({ kind: 'close', name: lower, at, text })
      continue
    }
    const start = at + 1 + name.length
    tokens.push({
      kind: 'open',
      name: lower,
      attributes: attributesOf(attributes, start),
      isEmpty: end === '/' || emptyElements.has(lower),
      at,
      text,
    })
    if (lower === 'style') {
      endOfStyle.lastIndex = from
      const until = endOfStyle.exec(html)?.index ?? html.length
      if (until > from) tokens.push({ kind: 'raw', at: from, text: html.slice(from, until) })
      from = until
    }
  }
  textUntil(html.length)
  return tokens
}

/** The value of an attribute with its entities read; undefined when it is not there. */
export const attributeOf = (tag: OpenTag, name: string): string | undefined => {
  const found = tag.attributes.find((one) => one.name === name)
  return found === undefined ? undefined : decodeHtml(found.value)
}

export const escapeHtml = (text: string): string =>
  /[&<>"']/.test(text) ? text.replaceAll(/[&<>"']/g, (sign) => entities[sign] as string) : text

/** Undoes the escapes that cleaning writes, and our own. */
export const decodeHtml = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => signs[entity] as string)

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const signs: Record<string, string> = {
  ...Object.fromEntries(Object.entries(entities).map(([sign, entity]) => [entity, sign])),
  '&nbsp;': '\u00a0',
}

const attributesOf = (text: string, start: number): Attribute[] =>
  Array.from(text.matchAll(attributePattern), (found) => {
    const [whole, name = '', value = ''] = found
    return { name: name.toLowerCase(), value, at: start + found.index + whole.length - value.length - 1 }
  })

const endOfDeclaration = (html: string, at: number): number => {
  const end = html.startsWith('<!--', at) ? '-->' : '>'
  const found = html.indexOf(end, at)
  return found === -1 ? html.length : found + end.length
}
