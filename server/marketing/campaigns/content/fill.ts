import { limits } from '@venue-data/contract/limits.ts'
import type { MailPerson } from './mail-template.ts'
import { type MergeTag, type Piece, type TagName, parseMergeTags } from './merge-tags.ts'
import { decodeHtml, escapeHtml, tokensOf } from './tokens.ts'

/*
 * A text with holes. Tags are found once, in their original place, and are replaced by a mark of two private-use
 * characters while the text is put together; the marks become holes at the very end. So nothing that is filled in,
 * and nothing the layout adds, is ever read as a tag.
 */

/** How a value is escaped for the place it goes into. */
export type Place = 'html' | 'htmlAddress' | 'htmlAddressPart' | 'text' | 'address' | 'addressPart'

/** A hole, to be filled for each person. */
export type Hole = {
  readonly value: Exclude<TagName, 'venueName'>
  readonly fallback: string
  readonly place: Place
}

/** Text with holes, ready to be filled; two texts are never next to each other. */
export type Form = readonly (string | Hole)[]

/** Tags that are held by marks; `venueName` is among them although it is the same for everybody. */
export type Held = { readonly tag: MergeTag; readonly place: Place }

const openMark = '\uE000'
const closeMark = '\uE001'

/** Text from outside without the two signs that are marks here, and without what no text may hold. */
export const withoutMarks = (text: string): string => text.toWellFormed().replaceAll(/[\uE000\uE001\0]/g, '')

/** Puts marks in place of the tags of a text that is not HTML. */
export const holdTags = (text: string, held: Held[], place: Place): string =>
  parseMergeTags(text)
    .pieces.map((piece) => marked(piece, held, place))
    .join('')

/** The same for HTML: each tag records whether it is in text or in an address. Style sheets are left alone. */
export const holdHtmlTags = (html: string, held: Held[]): string => {
  if (!html.includes('{{')) return html
  const inPlace = (text: string, place: Place): string =>
    parseMergeTags(text)
      .pieces.map((piece) => marked(decodedFallback(piece), held, place))
      .join('')
  return tokensOf(html)
    .map((token) => {
      if (token.kind === 'text') return inPlace(token.text, 'html')
      if (token.kind !== 'open') return token.text
      let text = ''
      let from = token.at
      for (const { name, value, at } of token.attributes) {
        if (!value.includes('{{') || name === 'style') continue
        text += html.slice(from, at) + attributeHeld(name, value, inPlace)
        from = at + value.length
      }
      return text + html.slice(from, token.at + token.text.length)
    })
    .join('')
}

/** A mark for a tag of our own, such as the link in the footer. */
export const holdAddress = (tag: 'unsubscribeUrl' | 'preferencesUrl', held: Held[]): string =>
  marked({ tag, fallback: null, at: 0 }, held, 'htmlAddress')

const attributeHeld = (
  name: string,
  value: string,
  inPlace: (text: string, place: Place) => string,
): string => {
  if (!['href', 'src', 'background'].includes(name)) return inPlace(value, 'html')
  const [first] = parseMergeTags(value).pieces
  const isAddress = typeof first === 'object' && isAddressTag(first.tag)
  return inPlace(value, isAddress ? 'htmlAddress' : 'htmlAddressPart')
}

const isAddressTag = (tag: TagName): boolean => tag === 'unsubscribeUrl' || tag === 'preferencesUrl'

const decodedFallback = (piece: Piece): Piece =>
  typeof piece === 'string' || piece.fallback === null
    ? piece
    : { ...piece, fallback: decodeHtml(piece.fallback) }

const marked = (piece: Piece, held: Held[], place: Place): string => {
  if (typeof piece === 'string') return piece
  held.push({ tag: piece, place })
  return `${openMark}${held.length - 1}${closeMark}`
}

/** Turns marks into holes, and fills in what is the same for everybody. `placeOf` says it again for another medium. */
export const formOf = (
  text: string,
  held: readonly Held[],
  venueName: string,
  placeOf: (place: Place) => Place = (place) => place,
): Form => {
  const form: (string | Hole)[] = []
  const add = (more: string) => {
    const last = form.at(-1)
    if (typeof last === 'string') form[form.length - 1] = last + more
    else if (more !== '') form.push(more)
  }
  text.split(/\uE000(\d+)\uE001/).forEach((part, index) => {
    const one = index % 2 === 1 ? held[Number(part)] : undefined
    if (one === undefined) add(part)
    else if (one.tag.tag === 'venueName') add(writtenIn(placeOf(one.place), oneLine(venueName)))
    else
      form.push({
        value: one.tag.tag,
        fallback: withoutMarks(one.tag.fallback ?? ''),
        place: placeOf(one.place),
      })
  })
  return form
}

/** Converts a place in HTML to its place in plain text. */
export const plainPlace = (place: Place): Place =>
  place === 'htmlAddress' ? 'address' : place === 'htmlAddressPart' ? 'addressPart' : 'text'

/** What a hole holds for one person. */
export const filled = (hole: Hole, person: MailPerson): string => {
  if (hole.value !== 'firstName') {
    const address = addressAlone(person[hole.value])
    return writtenIn(
      hole.place === 'html' ? 'htmlAddress' : hole.place === 'text' ? 'address' : hole.place,
      address,
    )
  }
  const name = oneLine(person.firstName ?? '')
  return writtenIn(hole.place, name === '' ? hole.fallback : name)
}

export const filledForm = (form: Form, person: MailPerson): string =>
  form.map((piece) => (typeof piece === 'string' ? piece : filled(piece, person))).join('')

const writtenIn = (place: Place, value: string): string => {
  switch (place) {
    case 'html':
    case 'htmlAddress':
      return escapeHtml(value)
    case 'htmlAddressPart':
    case 'addressPart':
      return encodeURIComponent(value).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
    case 'text':
    case 'address':
      return value
    default:
      return place satisfies never
  }
}

/**
 * A value on one line: no control signs, no signs that turn the direction of what follows them, blanks run
 * together, no longer than a name may be. Ready for a header as well.
 */
export const oneLine = (value: string): string => {
  if (plainName.test(value)) return value
  const line = withoutMarks(value)
    .replaceAll(/[\p{Cc}\p{White_Space}]+/gu, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
  return line.length <= limits.nameCharacters
    ? line
    : Array.from(line).slice(0, limits.nameCharacters).join('')
}

/** What most names are like; spares the work above. */
const plainName = /^[\w'.-]{1,100}$/

/** An address that cannot run into the text around it: only characters an address may have. */
export const addressAlone = (address: string): string =>
  /^[!#-;=?-Z[\]_a-z~]+$/.test(address)
    ? address
    : address.replaceAll(/[^!#-;=?-Z[\]_a-z~]/gu, (sign) => encodeURIComponent(sign.toWellFormed()))
