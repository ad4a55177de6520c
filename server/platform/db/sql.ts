import { createHash } from 'node:crypto'
import type { Moment } from '../kernel/time/moment.ts'

/*
 * Statements are written by hand and say what they return: `sql({ id: 'int8', name: 'text?' })` followed by
 * the text. The shape gives the row its type and is compared with what the database really returns the first
 * time a statement runs (db/pool.ts), so a wrong declaration fails immediately instead of lying to the compiler.
 */

type ColumnTypes = {
  int8: number
  int4: number
  bool: boolean
  text: string
  date: string
  time: string
  timestamptz: Moment
  jsonb: unknown
  bytea: Buffer
  uuid: string
  'text[]': string[]
  'int4[]': number[]
  'int8[]': number[]
}
export type ColumnType = keyof ColumnTypes
export type Shape = Readonly<Record<string, ColumnType | `${ColumnType}?`>>

export type RowOf<S extends Shape> = {
  -readonly [K in keyof S]: S[K] extends `${infer T extends ColumnType}?`
    ? ColumnTypes[T] | null
    : S[K] extends ColumnType
      ? ColumnTypes[S[K]]
      : never
}

export type Value =
  | string
  | number
  | boolean
  | null
  | Buffer
  | Temporal.Instant
  | readonly (string | null)[]
  | readonly (number | null)[]
  | readonly Buffer[]

/** A piece of a statement; its text has a placeholder for each of its values. */
export type Fragment = { readonly fragment: string; readonly values?: readonly Value[] }

/** The placeholder that its statement will replace with a number; no statement contains it otherwise. */
const mark = '\u0000'

export type Statement<Row> = {
  readonly name: string
  readonly text: string
  readonly values: readonly Value[]
  readonly shape: Shape
  /** Set by `quickRead`. */
  readonly isQuickRead?: boolean
  /** Set by `seldom`. */
  readonly isSeldom?: boolean
  /** Only for the compiler: what a row is. */
  readonly row?: Row
}

type Tag<Row> = (strings: TemplateStringsArray, ...values: (Value | Fragment)[]) => Statement<Row>

/** A statement that returns rows of the given shape; with no shape, one that returns none. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- a shape without columns is just what is meant
export const sql = <const S extends Shape = Record<never, never>>(shape?: S): Tag<RowOf<S>> => {
  const declared: Shape = shape ?? {}
  return (strings, ...given) => {
    const values: Value[] = []
    const fragments: string[] = []
    for (const value of given) {
      if (isFragment(value)) {
        fragments.push(value.fragment)
        values.push(...(value.values ?? []))
      } else values.push(checked(value))
    }
    const { text, name } = written(strings, given, fragments)
    return { name, text, values, shape: declared }
  }
}

/**
 * Marks a statement that only reads, by a key or by the index of a list, and returns quickly; outside a transaction it may
 * share a connection with others (shared-reads.ts). Not for a statement that waits for locks, reads many
 * rows, or runs only now and then.
 */
export const quickRead = <Row>(statement: Statement<Row>): Statement<Row> => ({
  ...statement,
  isQuickRead: true,
})

/**
 * Marks a statement with many texts, each rarely used, such as one per combination of filters: connections
 * do not keep it prepared.
 */
export const seldom = <Row>(statement: Statement<Row>): Statement<Row> => ({ ...statement, isSeldom: true })

/** A piece with its own values, for use in statements or other pieces. */
export const part = (strings: TemplateStringsArray, ...given: (Value | Fragment)[]): Fragment => ({
  fragment: String.raw(
    { raw: strings },
    ...given.map((value) => (isFragment(value) ? value.fragment : mark)),
  ),
  values: given.flatMap((value) => (isFragment(value) ? (value.values ?? []) : [checked(value)])),
})

/** A piece that is written down already, with a placeholder of `part` for each of its values. */
export const filled = (text: string, values: readonly Value[]): Fragment => ({
  fragment: text,
  values: values.map(checked),
})

/** Joins several pieces into one. */
export const joined = (parts: readonly Fragment[], between: string): Fragment => ({
  fragment: parts.map((one) => one.fragment).join(between),
  values: parts.flatMap((one) => one.values ?? []),
})

/** A piece of text without values. */
export const fragment = (text: string): Fragment => ({ fragment: text })

/** The columns of a shape, for a select list or a `returning`; with an alias, `r.id, r.name`. */
export const columnsOf = (shape: Shape, alias?: string): Fragment =>
  fragment(
    Object.keys(shape)
      .map((column) => (alias ? `${alias}.${column}` : column))
      .join(', '),
  )

type Written = { text: string; name: string }
const writtenBefore = new WeakMap<TemplateStringsArray, Map<string, Written>>()

/** The text of a template is put together once; the statement's name is a hash of it, since a name belongs to one text permanently. */
const written = (
  strings: TemplateStringsArray,
  given: readonly (Value | Fragment)[],
  fragments: readonly string[],
): Written => {
  let variants = writtenBefore.get(strings)
  if (!variants) writtenBefore.set(strings, (variants = new Map()))
  const variant = fragments.join('\u0001')
  let found = variants.get(variant)
  if (!found) {
    let place = 0
    const marked = strings
      .map((string, i) => {
        if (i === given.length) return string
        const value = given[i] as Value | Fragment
        return string + (isFragment(value) ? value.fragment : mark)
      })
      .join('')
      .replaceAll(/\s+/g, ' ')
      .trim()
    // A number counted by hand would mean a different value as soon as another one is put in before it.
    if (/\$\d/.test(marked)) throw new TypeError(`a statement numbers its values itself: ${marked}`)
    const text = marked.replaceAll(mark, () => `$${++place}`)
    found = { text, name: createHash('sha256').update(text).digest('base64url').slice(0, 22) }
    variants.set(variant, found)
  }
  return found
}

const isFragment = (value: Value | Fragment): value is Fragment =>
  typeof value === 'object' && value !== null && 'fragment' in value

/** The driver would silently turn `undefined` into null, and quote an Instant as JSON. */
const checked = (value: Value): Value => {
  if (value === undefined) throw new TypeError('a value of a statement is undefined')
  if (value instanceof Temporal.Instant) return value.toString()
  return value
}
