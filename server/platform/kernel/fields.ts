import { limits } from '@venue-data/contract/limits.ts'
import { needed, typedWord, typedDate, typedEmail, typedLine, typedPhone, typedText } from './typed-fields.ts'

/*
 * What people may type of a record, each field described once, under its column. The label is what a form shows, and it
 * begins the sentence that refuses a value: "Phone", "The phone must have at most 50 characters."
 */

export type Field<Name extends string = string, Value extends string | null = string | null> = {
  /** In forms. */
  readonly name: Name
  readonly label: string
  readonly read: (text: string | null) => Value
} & Looks

type Looks = {
  /** Of a line; text where it is left out. */
  readonly type?: 'email' | 'tel' | 'date'
  readonly isLong?: true
  readonly most?: number
  readonly choices?: readonly (string | readonly [value: string, words: string])[]
  /** The choice of a new record. */
  readonly usual?: string
  readonly required?: true
  /** Holds any words, so that they may mention somebody: an erasure looks for people there. */
  readonly freeText?: true
  readonly placeholder?: string
  readonly hint?: string
}

type Reader<Value> = (what: string, text: string | null) => Value

const field = <const Name extends string, Value extends string | null>(
  name: Name,
  label: string,
  reader: Reader<Value>,
  looks: Looks,
): Field<Name, Value> => {
  const what = `The ${label.charAt(0).toLowerCase()}${label.slice(1)}`
  return { ...looks, name, label, read: (text) => reader(what, text) }
}

type More = Pick<Looks, 'freeText' | 'placeholder' | 'hint'> & { readonly most?: number }

/** One line of text. */
export const line = <const Name extends string>(
  name: Name,
  label: string,
  { most = limits.shortTextCharacters, ...more }: More = {},
) => field(name, label, (what, text) => typedLine(what, text, most), { most, ...more })

/** Text of several lines. */
export const area = <const Name extends string>(
  name: Name,
  label: string,
  { most = limits.notesCharacters, ...more }: More = {},
) => field(name, label, (what, text) => typedText(what, text, most), { most, ...more, isLong: true })

export const email = <const Name extends string>(name: Name, label: string) =>
  field(name, label, typedEmail, { type: 'email', most: limits.emailCharacters })

export const phone = <const Name extends string>(name: Name, label: string) =>
  field(name, label, typedPhone, { type: 'tel', most: limits.phoneCharacters })

export const date = <const Name extends string>(name: Name, label: string) =>
  field(name, label, typedDate, { type: 'date' })

/** One word of a closed list; the usual one where a new record is given none. */
export const word = <const Name extends string, const Word extends string>(
  name: Name,
  label: string,
  choices: readonly Word[],
  usual: NoInfer<Word>,
) => field(name, label, (what, text) => typedWord(what, text ?? usual, choices), { choices, usual })

/** One word of a closed list, or none; `none` is what a form calls that. */
export const wordOrNone = <const Name extends string, const Word extends string>(
  name: Name,
  label: string,
  words: Readonly<Record<Word, string>>,
  none: string,
) => {
  const choices = [['', none] as const, ...Object.entries<string>(words)]
  return field(
    name,
    label,
    (what, text) => (text ? typedWord(what, text, Object.keys(words) as Word[]) : null),
    {
      choices,
    },
  )
}

export const required = <const Name extends string>(one: Field<Name>): Field<Name, string> =>
  field(one.name, one.label, (what, text) => needed(what, one.read(text)), { ...one, required: true })

type Fields = Readonly<Record<string, Field>>
type Typed<F extends Fields> = { readonly [Name in F[keyof F]['name']]?: string | null }
type Columns<F extends Fields> = { readonly [C in keyof F]: ReturnType<F[C]['read']> }
type Changed<F extends Fields, Row> = {
  readonly [C in keyof Row]: Row[C] | (C extends keyof F ? Columns<F>[C] : never)
}

/** What a slice and its pages make of the fields of a record. */
export const fieldsOf = <const F extends Fields>(fields: F) => {
  type Name = keyof Typed<F>
  const all = Object.entries(fields) as (readonly [keyof F & string, Field & { readonly name: Name }])[]
  const read = (typed: Typed<F>, some = all) =>
    Object.fromEntries(some.map(([column, one]) => [column, one.read(typed[one.name] ?? null)])) as Columns<F>
  const some = (typed: Typed<F>): Partial<Columns<F>> =>
    read(
      typed,
      all.filter(([, { name }]) => typed[name] !== undefined),
    )
  return {
    fields,
    columns: all.map(([column]) => column),
    /** The columns of a new record. */
    read: (typed: Typed<F>): Columns<F> => read(typed),
    /** The columns of what was typed: a field left out is left out, null or blank empties it. */
    some,
    /** A record with what was typed. */
    changed: <Row extends Record<keyof F, string | null>>(before: Row, typed: Typed<F>): Changed<F, Row> => ({
      ...before,
      ...some(typed),
    }),
    /** What a record's form holds; of no record, a blank one. */
    typed: (row: { readonly [C in keyof F]?: string | null }): Record<string, string> =>
      Object.fromEntries(all.map(([column, { name, usual = '' }]) => [name, row[column] ?? usual])),
    /** What a form sent of them. */
    in: (form: { readonly has: (name: string) => boolean; readonly text: (name: string) => string }) =>
      Object.fromEntries(
        all.flatMap(([, { name }]) => (form.has(name) ? [[name, form.text(name)]] : [])),
      ) as Typed<F>,
    freeTexts: all.filter(([, { freeText }]) => freeText).map(([column]) => column),
  }
}
