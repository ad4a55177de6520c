import type { Static, TObject } from 'typebox'
import { contactKeyColumns, contactKeys } from '../kernel/phone/contact-keys.ts'
import type { Moment } from '../kernel/time/moment.ts'
import { type Fragment, type RowOf, type Shape, type Value, filled, fragment, part } from './sql.ts'

/*
 * A record described once: its shape in the contract and its columns make what the API shows of a row, what a body says by
 * column, and the lists of an insert and an update. Statements stay written out; these are the lists in them, always of
 * all columns, so that a statement has one text.
 */

/** `contactName` is kept in `contact_name`, unless the record says otherwise. */
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : ''
type ColumnOf<Name, Called> = Name extends keyof Called ? Called[Name] : Snake<Name & string>

export const columnCalled = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** What a column of a write takes: a moment in either form. */
type Taken<V> = string extends V ? V : Moment extends V ? V | Temporal.Instant : V
type Full<R extends Shape, C extends keyof R> = { readonly [K in C]: Taken<RowOf<R>[K]> }
type Emptiable<R extends Shape, C extends keyof R> = {
  [K in C]: null extends RowOf<R>[K] ? K : never
}[C]
/** A new row: what is left out is null, where that may be. */
type New<R extends Shape, C extends keyof R> = Full<R, Exclude<C, Emptiable<R, C>>> &
  Partial<Full<R, Emptiable<R, C>>>

/** A body by column: what it may leave out may be missing. */
type Said<Body, Fields, C> = {
  [
    K in keyof Body as K extends keyof Fields
      ? undefined extends Body[K]
        ? never
        : ColumnOf<K, C> & string
      : never
  ]: Body[K]
} & {
  [
    K in keyof Body as K extends keyof Fields
      ? undefined extends Body[K]
        ? ColumnOf<K, C> & string
        : never
      : never
  ]?: Exclude<Body[K], undefined>
}

type Row = Readonly<Record<string, Value | undefined>>

/** The lists of columns that are written together; their texts are put together once. */
const listsOf = (columns: readonly string[], whole = (row: Row): Row => row) => {
  const placeholder = part`${null}`.fragment
  const names = columns.join(', ')
  const places = columns.map(() => placeholder).join(', ')
  const list =
    (text: string) =>
    (row: Row): Fragment => {
      const all = whole(row)
      return filled(
        text,
        columns.map((column) => all[column] ?? null),
      )
    }
  return {
    names: fragment(names),
    values: list(places),
    set: list(columns.map((column) => `${column} = ${placeholder}`).join(', ')),
    differ: list(`(${names}) is distinct from (${places})`),
  }
}

type Called<S extends TObject, R extends Shape> = Partial<Record<keyof Static<S>, keyof R & string>>

export const recordOf = <
  S extends TObject,
  const R extends Shape,
  const W extends keyof R & string,
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- no column has another name
  const C extends Called<S, R> = Record<never, never>,
>(
  schema: S,
  _row: R,
  {
    written = [],
    called,
    contact,
  }: {
    /** What an insert and an edit write. */
    readonly written?: readonly W[]
    /** Columns that are not called as the field is. */
    readonly called?: C
    /** The address and the number by which the record is found: what they are found by is written with them. */
    readonly contact?: readonly [email: W, phone: W]
  } = {},
) => {
  const columnOf = (name: string): string =>
    (called as Row | undefined)?.[name]?.toString() ?? columnCalled(name)
  const columns = Object.keys(schema.properties).map((name) => [name, columnOf(name)] as const)
  const shown = new Set(columns.map(([, column]) => column))
  const lists = contact
    ? listsOf([...written, ...contactKeyColumns], (row) => {
        const [email, phone] = contact.map((column) => (row[column] ?? null) as string | null)
        return { ...row, ...contactKeys(email ?? null, phone ?? null) }
      })
    : listsOf(written)
  return {
    ...(lists as {
      readonly names: Fragment
      readonly values: (row: New<R, W>) => Fragment
      /** Of an update. */
      readonly set: (row: Full<R, W>) => Fragment
    }),
    /** Whether an update changes anything that the API shows. */
    differs: listsOf(written.filter((column) => shown.has(column))).differ as (row: Full<R, W>) => Fragment,
    /**
     * What the API shows of a row. Written as a literal, once: fields that are assigned one by one make a list of 100 take
     * half a millisecond longer. The names are the contract's and the code's.
     */
    // oxlint-disable-next-line typescript/no-implied-eval -- of names in our own sources, as TypeBox makes its checks
    present: new Function(
      'row',
      `return { ${columns.map(([name, column]) => `${name}: row.${column}`).join(', ')} }`,
    ) as (row: {
      readonly [K in keyof Static<S> as ColumnOf<K, C> & string]: Static<S>[K]
    }) => Static<S>,
    /** What a body says of the record, by column; what it leaves out is left out. */
    columns: <Body extends object>(body: Body) =>
      Object.fromEntries(
        columns.flatMap(([name, column]) => {
          const value = (body as Record<string, unknown>)[name]
          return value === undefined ? [] : [[column, value]]
        }),
      ) as Said<Body, Static<S>, C>,
  }
}
