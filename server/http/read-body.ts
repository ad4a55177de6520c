import { limits } from '@venue-data/contract/limits.ts'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Format } from 'typebox/format'
import { emailRule, isEmailAddress } from '../kernel/email.ts'
import { jsonFault } from '../kernel/json.ts'
import { badRequest } from '../kernel/refusal.ts'
import { readDate, readMoment } from '../kernel/written-time.ts'

/*
 * From bytes to a checked body. Anything wrong with a body is a 400 with a sentence that names the field; nothing is
 * coerced, and unknown fields are dropped.
 */

/** What a body is said to be. */
export type ContentHeaders = {
  readonly 'content-type'?: string | undefined
  readonly 'content-encoding'?: string | undefined
  readonly 'transfer-encoding'?: string | undefined
}

/** Refuses what is declared to be something else than JSON in UTF-8; a missing or odd Content-Type counts as JSON. */
export const checkContentHeaders = (headers: ContentHeaders): void => {
  if (
    headers['content-encoding'] !== undefined ||
    (headers['transfer-encoding'] ?? 'chunked') !== 'chunked'
  ) {
    throw badRequest('The body must not be compressed: send it without Content-Encoding.')
  }
  const type = headers['content-type']?.toLowerCase() ?? ''
  if (type.startsWith('application/x-www-form-urlencoded') || type.startsWith('multipart/')) {
    throw badRequest('The body must be JSON, not a form.')
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/.exec(type)?.[1]
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    throw badRequest('The body must be JSON in UTF-8.')
  }
}

/** The JSON value of a body's bytes; no bytes are no body. */
export const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw badRequest('The body is not valid UTF-8.')
  }
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('The body is not valid JSON.')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A parsed body as the object it must be: not too deep, and all of its text fit to be kept. */
export const jsonObject = (body: unknown): Record<string, unknown> => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('The body must be a JSON object.')
  }
  const fault = jsonFault(body, limits.jsonDepth)
  if (fault) throw badRequest(fault)
  return body as Record<string, unknown>
}

/**
 * Checks the fields of a body against the shape of an endpoint's row; returns only those the row knows. `nullClears`: a
 * field that may be null is handed on as null.
 */
export const fieldReader = <S extends TSchema>(
  schema: S,
  { nullClears = false }: { readonly nullClears?: boolean | undefined } = {},
): ((body: Record<string, unknown>) => Static<S>) => {
  const shape = Compile(schema)
  return (body) => {
    const known = knownFields(schema, body, nullClears)
    if (shape.Check(known)) {
      const long = tooLong(schema, known)
      if (long !== undefined) throw badRequest(long)
      return known
    }
    const [first] = shape.Errors(known)
    throw badRequest(first ? sentence(first, schema) : 'The body cannot be read.')
  }
}

type SchemaNode = {
  type?: string | readonly string[]
  properties?: Record<string, SchemaNode>
  items?: SchemaNode
  minItems?: number
  maxItems?: number
  format?: string
  maxLength?: number
  minimum?: number
  maximum?: number
  'x-words'?: readonly string[]
}

/** "" counts as absent and `null` too, unless it clears; unknown fields are left behind. */
const knownFields = (schema: SchemaNode, body: object, nullClears: boolean): Record<string, unknown> => {
  const known: Record<string, unknown> = {}
  for (const [field, node] of Object.entries(schema.properties ?? {})) {
    const value: unknown = Object.hasOwn(body, field) ? body[field as keyof typeof body] : undefined
    if (value === undefined || value === '' || (value === null && !nullClears)) continue
    known[field] =
      node.properties && typeof value === 'object' && value !== null && !Array.isArray(value)
        ? knownFields(node, value, nullClears)
        : value
  }
  return known
}

/**
 * What the first text over its length is told. TypeBox counts what looks like one letter, however many marks are
 * piled on it; what is kept has a bound only when every character counts.
 */
const tooLong = (schema: SchemaNode, known: object, above = ''): string | undefined => {
  for (const [field, value] of Object.entries(known)) {
    const node = schema.properties?.[field] ?? {}
    const most = node.maxLength ?? Infinity
    // The length in UTF-16 is never below that in characters, and costs nothing to ask.
    if (typeof value === 'string' && value.length > most && Array.from(value).length > most) {
      return `${above}${field} must be ${wanted('maxLength', node)}.`
    }
    const inside = typeof value === 'object' && value !== null ? tooLong(node, value, `${field}.`) : undefined
    if (inside !== undefined) return inside
  }
  return undefined
}

type Fault = { keyword: string; instancePath: string; params: object }

/** One plain sentence for the first thing wrong; the facts in it come from the shape. */
const sentence = (fault: Fault, schema: SchemaNode): string => {
  const path = fault.instancePath.split('/').slice(1)
  if (fault.keyword === 'required') {
    const { requiredProperties } = fault.params as { requiredProperties: string[] }
    return `${[...path, requiredProperties[0]].join('.')} is required.`
  }
  const node = path.reduce<SchemaNode>((at, field) => at.properties?.[field] ?? at.items ?? {}, schema)
  return `${path.join('.')} must be ${wanted(fault.keyword, node)}.`
}

const wanted = (keyword: string, { type: types, ...node }: SchemaNode): string => {
  const type = typeof types === 'object' ? types[0] : types
  if (type === 'integer') return `a whole number from ${node.minimum} to ${node.maximum}`
  if (type === 'object') return 'an object'
  if (type === 'array') return `a list of ${node.minItems} to ${node.maxItems} entries`
  if (keyword === 'maxLength') return `at most ${node.maxLength} characters long`
  if (keyword === 'pattern') return 'more than blanks'
  if (keyword === 'type') return 'text'
  return formats[node.format as keyof typeof formats]?.wanted ?? 'readable'
}

const formats = {
  date: { check: (text: string) => readDate(text) !== undefined, wanted: 'a real date, written YYYY-MM-DD' },
  moment: {
    check: (text: string) => readMoment(text) !== undefined,
    wanted: 'a date and time with a zone, such as 2026-10-06T15:00:00Z',
  },
  email: { check: isEmailAddress, wanted: emailRule },
}
for (const [name, { check }] of Object.entries(formats)) Format.Set(name, check)

/** The word of a list that a text means, without regard to letter case; 400 for any other text. */
export function readWord<Word extends string>(field: string, text: string, words: readonly Word[]): Word
export function readWord<Word extends string>(
  field: string,
  text: string | undefined,
  words: readonly Word[],
): Word | undefined
export function readWord<Word extends string>(
  field: string,
  text: string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (text === undefined) return undefined
  const word = wordOf(text, words)
  if (!word) throw badRequest(`${field} must be one of ${words.join(', ')}.`)
  return word
}

export const wordOf = <Word extends string>(text: string, words: readonly Word[]): Word | undefined =>
  words.find((word) => word.toLowerCase() === text.trim().toLowerCase())
