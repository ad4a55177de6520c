import type { BodyFormat } from '@venue-data/contract/records/campaign.ts'
import sanitizeHtml from 'sanitize-html'
import { guidedStyle, harmlessCss } from './clean-style.ts'

/*
 * Makes a body harmless when it is saved and again before it is rendered (docs/campaigns.md#what-is-taken-out). The
 * parser and the allow lists are sanitize-html's; links and styles are judged here. What the guided format cannot
 * show becomes the nearest thing it can (a `div` becomes a paragraph), so text pasted from an editor keeps its lines.
 *
 * A link that is not allowed becomes `#`, and a picture loses its `src`. The checklist reports both, so nothing
 * breaks silently.
 */

/** Cleaning what is clean changes nothing, so what is kept is what is rendered. */
export const cleanBody = (format: BodyFormat, html: string): string => {
  let before = html.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '')
  for (let round = 0; round < roundsMost && !isTooDeep(before); round++) {
    const after =
      format === 'guided' ? sanitizeHtml(before, guided) : styleSheets(sanitizeHtml(before, document))
    if (after === before) return after
    before = after
  }
  // Nobody writes this by mistake; its text is kept.
  return sanitizeHtml(before.replaceAll(/<[^>]*>?/g, ' '), guided)
}

/** Taking a tag out can change what its neighbours close; two rounds are usual. */
const roundsMost = 8
const nestingMost = 100

/** What a style sheet says is passed on by sanitize-html as it is. */
const styleSheets = (html: string): string =>
  html.replaceAll(
    /(<style\b[^>]*>)([\s\S]*?)(?=<\/style)/gi,
    (_, tag: string, css: string) => tag + harmlessCss(css),
  )

/** The parser's time grows with the square of what is open at once; a page has some dozens. */
const openMost = 3_000

const isTooDeep = (html: string): boolean => {
  let open = 0
  for (const [, slash] of html.matchAll(/<(\/?)(?!(?:br|hr|img|input|meta|link|col|area|wbr)\b)[a-z]/gi)) {
    if (slash === '/') open = Math.max(0, open - 1)
    else if (++open > openMost) return true
  }
  return false
}

const guidedTags = [
  ...['p', 'h1', 'h2', 'h3', 'h4', 'a', 'img', 'ul', 'ol', 'li', 'b', 'strong', 'i', 'em', 'br', 'hr'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'span', 'blockquote'],
]
const documentTags = [
  ...guidedTags,
  ...['html', 'head', 'title', 'meta', 'style', 'body', 'div', 'center', 'h5', 'h6', 'colgroup', 'col'],
  ...['section', 'article', 'header', 'footer', 'main', 'nav', 'aside', 'figure', 'figcaption', 'address'],
  ...['font', 'small', 'big', 'u', 's', 'strike', 'del', 'ins', 'sub', 'sup', 'mark', 'abbr', 'cite', 'q'],
  ...['code', 'pre', 'kbd', 'samp', 'var', 'time', 'dl', 'dt', 'dd', 'bdi', 'bdo', 'wbr', 'tt'],
]

/** The text inside goes with the tag: it is code, an alternative nobody sees, or a document of its own. */
const goneWithText = [
  ...['script', 'style', 'textarea', 'select', 'option', 'xmp', 'iframe', 'noscript', 'noembed', 'noframes'],
  ...['object', 'applet', 'svg', 'math', 'template', 'audio', 'video', 'canvas', 'title', 'frameset'],
]

type Attributes = sanitizeHtml.Attributes
type Transform = sanitizeHtml.Transformer

const cell = ['colspan', 'rowspan', 'valign', 'bgcolor']
const common: sanitizeHtml.IOptions = {
  allowProtocolRelative: false,
  nestingLimit: nestingMost,
  parseStyleAttributes: false,
}

const refusedAddress = '#'
const addressLength = 2_000

/**
 * The address of a link if it is allowed, else `#`. A merge tag may not be part of the scheme: filled in, half a
 * word could become `javascript:`.
 */
const linkAddress = (typed: string, upgrade: boolean): string => {
  const address = tidy(typed)
  if (address === '' || address.startsWith('#')) return address === '' ? refusedAddress : address
  if (address.length > addressLength) return refusedAddress
  if (/^\{\{\s*(?:unsubscribeUrl|preferencesUrl)\s*(?:\|[^{}]*)?\}\}$/.test(address)) return address
  if (/^(?:mailto|tel):[^\s]/i.test(address)) return address
  return webAddress(address, upgrade) ?? refusedAddress
}

const webAddress = (typed: string, upgrade: boolean): string | undefined => {
  const address = tidy(typed)
  if (address.length > addressLength || !/^https?:\/\/[^\s/\\{}<>"'`]+(?:[/?#]|$)/i.test(address))
    return undefined
  return upgrade ? address.replace(/^http:/i, 'https:') : address
}

/** Browsers drop these characters anywhere in an address, so `java\tscript:` is one to them. */
const tidy = (typed: string): string => typed.replaceAll(/[\p{Cc}\u200b\ufeff\u2028\u2029]/gu, '').trim()

const guidedAttributes: Transform = (tagName, attributes) => {
  const kept: Attributes = { ...attributes }
  if (kept['href'] !== undefined) kept['href'] = linkAddress(kept['href'], true)
  if (kept['src'] !== undefined) setOrDrop(kept, 'src', webAddress(kept['src'], true))
  dropWideSpans(kept)
  if (kept['style'] !== undefined) setOrDrop(kept, 'style', guidedStyle(kept['style']))
  for (const side of ['width', 'height'])
    if (kept[side] !== undefined && !/^\d{1,4}%?$/.test(kept[side])) delete kept[side]
  if (kept['align'] !== undefined && !/^(?:left|right|center|justify)$/i.test(kept['align']))
    delete kept['align']
  return { tagName: guidedNames[tagName] ?? tagName, attribs: kept }
}

/** What the guided format has no tag for, and what comes nearest. */
const guidedNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['div', 'section', 'article', 'header', 'footer', 'main', 'aside', 'nav', 'center', 'address'],
      ...['figure', 'figcaption', 'pre', 'dt', 'dd', 'fieldset', 'form'],
    ].map((name) => [name, 'p']),
  ),
  h5: 'h4',
  h6: 'h4',
  dir: 'ul',
  menu: 'ul',
}

const guided: sanitizeHtml.IOptions = {
  ...common,
  allowedTags: guidedTags,
  allowedAttributes: {
    a: ['href'],
    img: ['src', 'alt', 'width', 'height', 'align'],
    td: ['colspan', 'rowspan', 'width', 'height'],
    th: ['colspan', 'rowspan', 'width', 'height'],
    table: ['width'],
    '*': ['align', 'style'],
  },
  allowedSchemes: ['https', 'mailto', 'tel'],
  nonTextTags: goneWithText,
  transformTags: { '*': guidedAttributes },
}

const documentAttributes: Transform = (tagName, attributes) => {
  const kept: Attributes = { ...attributes }
  if (kept['href'] !== undefined) kept['href'] = linkAddress(kept['href'], false)
  for (const name of ['src', 'background'])
    if (kept[name] !== undefined) setOrDrop(kept, name, webAddress(kept[name], false))
  if (kept['style'] !== undefined)
    setOrDrop(kept, 'style', kept['style'].includes('{{') ? '' : harmlessCss(kept['style']).trim())
  dropWideSpans(kept)
  if (tagName === 'meta') return metaTag(kept)
  return { tagName, attribs: kept }
}

/** The mail is always UTF-8, so the document's charset goes, as do refreshes, policies and other instructions to the reader. */
const metaTag = (kept: Attributes): ReturnType<Transform> => {
  const command = kept['http-equiv']?.trim().toLowerCase()
  if (command !== undefined && command !== 'content-type' && command !== 'x-ua-compatible')
    return { tagName: 'dropped', attribs: {} }
  // The document may not make a link send more referrer data.
  if (kept['name']?.trim().toLowerCase() === 'referrer') return { tagName: 'dropped', attribs: {} }
  if (command === 'content-type') kept['content'] = 'text/html; charset=utf-8'
  if (kept['charset'] !== undefined) kept['charset'] = 'utf-8'
  return { tagName: 'meta', attribs: kept }
}

const document: sanitizeHtml.IOptions = {
  ...common,
  allowedTags: documentTags,
  allowVulnerableTags: true,
  allowedAttributes: {
    a: ['href', 'name', 'target', 'rel'],
    img: ['src', 'alt', 'width', 'height', 'border', 'hspace', 'vspace'],
    meta: ['charset', 'name', 'content', 'http-equiv'],
    style: ['type', 'media'],
    font: ['color', 'face', 'size'],
    ol: ['start', 'type'],
    ul: ['type'],
    body: ['bgcolor', 'background', 'text', 'link', 'alink', 'vlink'],
    table: ['width', 'height', 'border', 'cellpadding', 'cellspacing', 'bgcolor', 'background', 'summary'],
    tr: [...cell, 'height'],
    td: [...cell, 'width', 'height', 'nowrap', 'background', 'scope', 'headers'],
    th: [...cell, 'width', 'height', 'nowrap', 'background', 'scope', 'headers'],
    col: ['width', 'span'],
    hr: ['width', 'size', 'color', 'noshade'],
    '*': ['align', 'valign', 'style', 'class', 'id', 'lang', 'dir', 'title', 'role', 'aria-*'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  nonTextTags: goneWithText.filter((name) => name !== 'style' && name !== 'title'),
  transformTags: { '*': documentAttributes },
}

/** A cell spanning a million columns is expensive to lay out. */
const dropWideSpans = (kept: Attributes): void => {
  for (const name of ['colspan', 'rowspan', 'span'])
    if (kept[name] !== undefined && !/^[1-9]\d?$/.test(kept[name])) delete kept[name]
}

const setOrDrop = (attributes: Attributes, name: string, value: string | undefined): void => {
  if (value === undefined || value === '') delete attributes[name]
  else attributes[name] = value
}
