import { limits } from '@venue-data/contract/limits.ts'

/**
 * One text per JSON value: names sorted by UTF-16 code unit, no spaces, numbers as JavaScript prints them, so key order,
 * spacing and 5.0 versus 5 make no difference. It fingerprints a body for idempotency. Numbers are compared as the
 * doubles they were parsed to. The value must come from JSON.parse and have passed `jsonFault`, which bounds its depth.
 *
 * @throws TypeError for undefined, functions, symbols and bigints, which are not JSON.
 */
export const canonicalJson = (value: unknown): string => {
  if (!isContainer(value)) return leafText(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const names = Object.keys(value).toSorted() as (keyof typeof value)[]
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`
}

/** One container being walked: `next` is the index of the next child. */
type OpenContainer = {
  readonly node: object
  /** The names of an object, in the order to visit; undefined for an array. */
  readonly names: readonly string[] | undefined
  next: number
}

/** What is wrong in a parsed body: a sentence that names the field, and the way to it, or to what has its name. */
export type JsonFault = {
  readonly sentence: string
  readonly path: readonly (string | number)[]
  readonly isTooDeep: boolean
}

/**
 * What is wrong with a parsed body before any field is read, or undefined: nesting deeper than 32 levels (the body
 * itself is the first), U+0000 (PostgreSQL cannot store it), or half a surrogate pair (it has no UTF-8 form), in values
 * and in names. The first fault in reading order wins.
 *
 * It walks with a list of open containers instead of recursion, so depth costs memory in proportion and never the call stack.
 */
export const jsonFault = (value: unknown, maxDepth: number = limits.jsonDepth): JsonFault | undefined => {
  const open: OpenContainer[] = []
  const found = (sentence: string, isTooDeep = false): JsonFault => ({
    sentence: capitalised(sentence),
    path: pathOf(open),
    isTooDeep,
  })

  const faultAt = (child: unknown): JsonFault | undefined => {
    if (typeof child === 'string') {
      const fault = textFault(child)
      return fault === undefined ? undefined : found(`${fieldName(open)} holds ${fault}.`)
    }
    if (!isContainer(child)) return undefined
    if (open.length === maxDepth) {
      return found(`${fieldName(open)} is nested deeper than ${maxDepth} levels.`, true)
    }
    open.push({ node: child, names: Array.isArray(child) ? undefined : Object.keys(child), next: 0 })
    return undefined
  }

  let fault = faultAt(value)
  while (fault === undefined) {
    const container = open.at(-1)
    if (container === undefined) return undefined
    if (container.next === sizeOf(container)) {
      open.pop()
      continue
    }
    const place = container.next++
    const nameFault = textFault(container.names?.[place] ?? '')
    fault = nameFault
      ? { ...found(`The name of ${fieldName(open)} holds ${nameFault}.`), path: pathOf(open).slice(0, -1) }
      : faultAt(childAt(container, place))
  }
  return fault
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

const sizeOf = ({ node, names }: OpenContainer): number => (names ?? (node as unknown[])).length

const childAt = ({ node, names }: OpenContainer, place: number): unknown =>
  names === undefined ? (node as unknown[])[place] : (node as Record<string, unknown>)[names[place] as string]

const leafText = (leaf: unknown): string => {
  // JSON.parse reads 1e999 as Infinity, which JSON.stringify would print as null.
  if (typeof leaf === 'number') return Number.isFinite(leaf) ? JSON.stringify(leaf) : String(leaf)
  if (typeof leaf === 'string') return JSON.stringify(leaf)
  if (leaf === null || typeof leaf === 'boolean') return String(leaf)
  throw new TypeError(`${typeof leaf} is not JSON.`)
}

const textFault = (text: string): string | undefined => {
  if (text.includes('\0')) return 'the character U+0000, which cannot be kept'
  if (!text.isWellFormed()) return 'half of a surrogate pair, which is not a character'
  return undefined
}

/** The way to what the walk is at: names of fields and places in lists. */
const pathOf = (open: readonly OpenContainer[]): (string | number)[] =>
  open.map(({ names, next }) => (names === undefined ? next - 1 : (names[next - 1] as string)))

/** The field that the walk is at, as a caller would write it: `field "consent.source"`. */
const fieldName = (open: readonly OpenContainer[]): string => {
  const path = pathOf(open).map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
  if (path.length === 0) return 'the body'
  return `field "${printable(path.join('').replace(/^\./, ''))}"`
}

const longestFieldName = 80

/** The caller's own name, cut and without characters that would break the answer or a log line. */
const printable = (name: string): string => {
  const characters = Array.from(name.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD'))
  if (characters.length <= longestFieldName) return characters.join('')
  return `${characters.slice(0, longestFieldName).join('')}…`
}

const capitalised = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1)
