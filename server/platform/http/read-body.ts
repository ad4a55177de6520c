import { limits } from '@venue-data/contract/limits.ts'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { type JsonFault, jsonFault } from '../kernel/json.ts'
import { type Wrong, inBody, inHeader, pointerTo } from '../kernel/problem.ts'
import { Refusal, badRequest } from '../kernel/refusal.ts'
import {
  type FieldNode,
  type WrongField,
  notAWord,
  shapeFaults,
  wordOf,
  wrongFields,
  wrongTexts,
} from './wrong-fields.ts'

/*
 * From bytes to a validated body. Anything wrong with a body is a 400 with a sentence that names the field. Nothing is
 * coerced, and unknown fields are dropped.
 */

type Readers = Readonly<Record<string, () => unknown>>

/**
 * Checks what the body's shape cannot express, field by field. Errors in several fields make one refusal with the first
 * one's sentence. Any other refusal is thrown only when no field before it is wrong.
 */
export const readEach = <R extends Readers>(readers: R): { readonly [F in keyof R]: ReturnType<R[F]> } => {
  const wrong: Refusal[] = []
  const read = Object.entries(readers).flatMap(([field, reader]) => {
    try {
      return [[field, reader()] as const]
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      wrong.push(error)
      return []
    }
  })
  const [first] = wrong
  if (!first) return Object.fromEntries(read) as { [F in keyof R]: ReturnType<R[F]> }
  if (!first.problem) throw first
  const errors = wrong.flatMap(({ problem }) => problem?.errors ?? []).slice(0, limits.wrongFieldsMost)
  throw new Refusal(first.status, first.message, { problem: { ...first.problem, errors } })
}

/** The declared type of a body. */
export type ContentHeaders = {
  readonly 'content-type'?: string | undefined
  readonly 'content-encoding'?: string | undefined
  readonly 'transfer-encoding'?: string | undefined
}

/** Refuses a body declared as anything but JSON in UTF-8; a missing or malformed Content-Type counts as JSON. */
export const checkContentHeaders = (headers: ContentHeaders): void => {
  if (
    headers['content-encoding'] !== undefined ||
    (headers['transfer-encoding'] ?? 'chunked') !== 'chunked'
  ) {
    const header = headers['content-encoding'] === undefined ? 'Transfer-Encoding' : 'Content-Encoding'
    throw badRequest(
      'The body must not be compressed: send it without Content-Encoding.',
      inHeader(header, 'not-here', 'body-encoding'),
    )
  }
  const type = headers['content-type']?.toLowerCase() ?? ''
  if (type.startsWith('application/x-www-form-urlencoded') || type.startsWith('multipart/')) {
    throw badRequest(
      'The body must be JSON, not a form.',
      inHeader('Content-Type', 'not-a-word', 'body-encoding'),
    )
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/.exec(type)?.[1]
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    throw badRequest(
      'The body must be JSON in UTF-8.',
      inHeader('Content-Type', 'not-a-word', 'body-encoding'),
    )
  }
}

/** The JSON value of a body's bytes; zero bytes are no body. */
export const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw badRequest('The body is not valid UTF-8.', 'body-encoding')
  }
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('The body is not valid JSON.', 'body-not-json')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Checks that a parsed body is an object, not nested too deeply, with text that can be stored. */
export const jsonObject = (body: unknown): Record<string, unknown> => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest(
      'The body must be a JSON object.',
      body === undefined ? 'body-missing' : 'body-not-object',
    )
  }
  const fault = jsonFault(body, limits.jsonDepth)
  if (fault) throw badRequest(fault.sentence, placeOf(fault))
  return body as Record<string, unknown>
}

/** The caller chooses the names, so the reported location is bounded. */
const placeOf = ({ path, isTooDeep }: JsonFault): Wrong => {
  const pointer = pointerTo(path)
  return {
    reason: isTooDeep ? 'body-too-deep' : 'field-invalid',
    place: { pointer: pointer.length > longestPointer ? '#' : pointer },
    fault: isTooDeep ? 'out-of-range' : 'not-text',
  }
}

const longestPointer = 200

/**
 * Checks the body's fields against the shape in the endpoint's row and returns only known fields. `nullClears`: null is
 * passed on for a nullable field.
 */
export const fieldReader = <S extends TSchema>(
  schema: S,
  { nullClears = false }: { readonly nullClears?: boolean | undefined } = {},
): ((body: Record<string, unknown>) => Static<S>) => {
  const shape = Compile(schema)
  return (body) => {
    const known = knownFields(schema, body, nullClears)
    const found = shape.Check(known) ? [] : shape.Errors(known).flatMap((error) => shapeFaults(error, schema))
    found.push(...wrongTexts(schema, known))
    const wrong = withoutIgnored(schema, known, found)
    if (wrong.length > 0) throw wrongFields(wrong, schema)
    return known as Static<S>
  }
}

// Each field may have several errors.
Settings.Set({ maxErrors: 5 * limits.wrongFieldsMost })

/** Drops the fields that are ignored where they do not fit; returns what is wrong with the others. */
const withoutIgnored = (
  { properties }: FieldNode,
  known: Record<string, unknown>,
  found: readonly WrongField[],
): readonly WrongField[] =>
  found.filter(({ path: [field = ''] }) => {
    if (!properties?.[field]?.['x-else-ignored']) return true
    delete known[field]
    return false
  })

/** "" counts as absent, and so does `null` unless it clears; unknown fields are dropped. */
const knownFields = (schema: FieldNode, body: object, nullClears: boolean): Record<string, unknown> => {
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

/** The list's word that a text means, ignoring case; 400 for any other text. */
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
  if (!word) throw badRequest(notAWord(field, words), inBody(field, 'not-a-word'))
  return word
}
