import { Tokenizer } from 'htmlparser2'

/*
 * HTML in pieces, each with its position: untouched parts can be written back exactly. It is for HTML that went
 * through cleaning or was written by our own layout, so an end tag belongs to the start tag that is open.
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

const emptyElements = new Set(['area', 'base', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'wbr'])

/** The texts of the tokens, one after the other, are the whole HTML. */
export const tokensOf = (html: string): Token[] => {
  const tokens: Token[] = []
  let name = ''
  let nameAt = 0
  let attributes: Attribute[] = []
  let from = 0
  const textUntil = (end: number): void => {
    if (end === from) return
    const before = tokens.at(-1)
    const isStyle = before?.kind === 'open' && before.name === 'style'
    tokens.push({ kind: isStyle ? 'raw' : 'text', at: from, text: html.slice(from, end) })
  }
  /** Takes what begins at the `<` before `inside` and ends with the `>` at `last`; everything before it is text. */
  const take = (inside: number, last: number) => {
    const at = html.lastIndexOf('<', inside - 1)
    textUntil(at)
    from = last + 1
    return { at, text: html.slice(at, from) }
  }
  const raw = (inside: number, last: number) => void tokens.push({ kind: 'raw', ...take(inside, last) })
  const open = (last: number, isEmpty: boolean) =>
    void tokens.push({ kind: 'open', name, attributes, isEmpty, ...take(nameAt, last) })
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (start, end) => {
        nameAt = start
        name = html.slice(start, end).toLowerCase()
        attributes = []
      },
      onattribname: (start, end) => {
        attributes.push({ name: html.slice(start, end).toLowerCase(), value: '', at: end })
      },
      onattribdata: (start, end) => {
        const { name } = attributes.pop() as Attribute
        attributes.push({ name, value: html.slice(start, end), at: start })
      },
      onopentagend: (last) => open(last, emptyElements.has(name)),
      onselfclosingtag: (last) => open(last, true),
      onclosetag: (start, end) => {
        const closed = html.slice(start, end).toLowerCase()
        tokens.push({ kind: 'close', name: closed, ...take(start, html.indexOf('>', end)) })
      },
      oncomment: raw,
      oncdata: raw,
      ondeclaration: raw,
      onprocessinginstruction: raw,
      onend: () => textUntil(html.length),
      // Anything between the other tokens is text.
      ontext: () => undefined,
      ontextentity: () => undefined,
      onattribend: () => undefined,
      onattribentity: () => undefined,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
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
