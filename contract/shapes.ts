import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { limits } from './limits.ts'

/*
 * The few shapes the records are written in. A field of a record is always present and `null` when it has
 * no value; `type: [x, 'null']` instead of a union keeps the OpenAPI document and the serialiser simple.
 */

type Words = { description: string; examples?: unknown[] }

export const textOrNull = (description: string, more: Record<string, unknown> = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, ...more })

export const integerOrNull = (description: string, more: Record<string, unknown> = {}) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description, ...more })

export const booleanOrNull = (description: string) =>
  Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description })

/** A moment: ISO 8601 in UTC, whole milliseconds, ending in `Z`. */
export const momentOrNull = (description: string) =>
  textOrNull(momentWords(description), { format: 'date-time' })

/** A moment that every record has, when it was created or last changed: neither erasing nor masking removes it. */
export const moment = (description: string) =>
  Type.String({ format: 'date-time', description: momentWords(description) })

const momentWords = (description: string): string => `${description} In UTC.`

/** A venue-local calendar date, `YYYY-MM-DD`. */
export const dateOrNull = (description: string) =>
  textOrNull(`${description} YYYY-MM-DD, at the venue.`, { format: 'date' })

/** A venue-local wall time, `HH:MM` in 24 hours. */
export const timeOrNull = (description: string) =>
  textOrNull(`${description} HH:MM in 24 hours, at the venue.`)

/** A closed-looking list of values that may grow within version 1: named as examples, never as an enum. */
export const openList = (description: string, values: readonly string[]) =>
  textOrNull(
    `${description} One of ${values.map((value) => `\`${value}\``).join(', ')}; the list may grow.`,
    {
      examples: [...values],
    },
  )

/** A field with the day it was added to a record of version 1. */
export const came = <T extends TSchema>(since: string, field: T) =>
  Type.Unsafe<Static<T>>({ ...field, 'x-since': since })

/** Counts the changes that readers of the record can see. */
export const revision = Type.Integer({
  minimum: 1,
  description: 'Counts the changes of the fields shown here, from 1; it never goes down.',
  'x-since': '2026-11-23',
})

/** The id of a record in the software that created it. */
export const externalId = came('2026-11-23', textOrNull('Your own id for it, as you gave it.'))

export const recordId = (what: string) => Type.Integer({ description: `Stable identifier of the ${what}.` })

/** A record of the API. `title` is its name in the OpenAPI document; `example` is shown in the reference. */
export const record = <P extends TProperties>(
  title: string,
  description: string,
  example: Static<TObject<P>>,
  properties: P,
) =>
  Type.Object(properties, {
    $id: title,
    title,
    description,
    examples: [example],
    additionalProperties: false,
  })

/** An object with the fields of another shape; which one depends on the request. */
export const anyObject = (description: string, more: Record<string, unknown> = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description, ...more })

/** Refers to a record by its name, so that each is defined once in the OpenAPI document. */
export const ref = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T>>({ $ref: `${(schema as { $id?: string }).$id ?? ''}#` })

export const listOf = <T extends TSchema>(schema: T, description: string) =>
  Type.Unsafe<Static<T>[]>({ type: 'array', items: ref(schema), description })

/* The building blocks of requests. `null` and "" count as absent. */

/** In a change of a record: `null` empties the field. */
export const clearable = <T extends TSchema>(schema: T) =>
  Type.Optional(
    Type.Unsafe<Static<T> | null>({ ...schema, type: [(schema as { type?: string }).type, 'null'] }),
  )

/** Text that is kept exactly as sent. */
export const inputText = (
  description: string,
  maxLength: number = limits.shortTextCharacters,
  more: Partial<Words> & Record<string, unknown> = {},
) => Type.String({ description, maxLength, ...more })

/** Text that must hold something visible. */
export const inputName = (description: string, maxLength: number = limits.nameCharacters) =>
  Type.String({ description, maxLength, pattern: '\\S' })

export const inputEmail = (description: string) =>
  Type.String({ description, maxLength: limits.emailCharacters, format: 'email' })

export const inputPhone = (description: string) =>
  Type.String({ description, maxLength: limits.phoneCharacters })

export const noPaymentIds = 'No place for a card number or an id of a payment: those are refused.'

const ownId = `Your own id for it: up to ${limits.externalIdCharacters} visible characters, kept as given. Records are never matched by it, and several may have the same.`

/** The caller's own id: kept as given, and used for nothing but a search by it. */
export const inputExternalId = Type.String({
  description: `${ownId} ${noPaymentIds}`,
  maxLength: limits.externalIdCharacters,
  format: 'external-id',
})

/**
 * A field that came later to an address of version 1, where it was an unknown field before: a value that does not fit is
 * ignored, as it was then.
 */
export const elseIgnored = <T extends TSchema>(field: T, description: string) =>
  Type.Optional(Type.Unsafe<Static<T>>({ ...field, description, 'x-else-ignored': true }))

/** The caller's own id where version 1 knew no such field. */
export const laterExternalId = elseIgnored(
  inputExternalId,
  `${ownId} What does not fit is ignored. ${noPaymentIds.replace('refused', 'ignored')}`,
)

export const inputDate = (description: string) => Type.String({ description, format: 'date' })

/** A time of day in the forms people write; parsed with the rest of the request. */
export const inputTime = (description: string) =>
  Type.String({ description, maxLength: limits.shortTextCharacters, examples: ['19:00'] })

/** One of a list of words, matched without regard to letter case. */
export const inputWord = (description: string, words: readonly string[]) =>
  Type.String({ description, maxLength: limits.shortTextCharacters, 'x-words': words })
