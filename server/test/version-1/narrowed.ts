/*
 * What of an OpenAPI document a later one took away or made narrower. A client of the first keeps working as long as there
 * is nothing: what it sends is taken, and what it reads is there.
 */

type Json = { readonly [key: string]: unknown }
type Schema = Json & {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}
type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: Schema
}
type Operation = {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>
export type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Json>>
}

/** Who writes the text that a schema is of: the caller may write all that was allowed, and finds all that there was. */
type Side = 'caller' | 'service'

const methods = ['get', 'post', 'patch', 'put', 'delete'] as const
const least = ['minimum', 'minLength', 'minItems', 'minProperties'] as const
const most = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const

/** A sentence for each; none is good. */
export const narrowed = (before: OpenApi, after: OpenApi): string[] => {
  const found: string[] = []
  const say = (place: string, what: string) => found.push(`${place}: ${what}`)
  const seen = new Set<string>()

  const compare = (place: string, old: Schema, now: Schema | undefined, side: Side): void => {
    const [a, b] = [resolve(before, old), now && pressed(after, resolve(after, now))]
    if (!b) return void say(place, 'is gone')
    // A schema that holds itself, or is used twice.
    const pair = `${side} ${old.$ref ?? place} ${now?.$ref ?? ''}`
    if (seen.has(pair)) return
    seen.add(pair)

    for (const type of typesOf(a)) {
      if (side === 'caller' && !typesOf(b).includes(type)) say(place, `${type} is no longer taken`)
    }
    for (const type of typesOf(b)) {
      if (side === 'service' && typesOf(a).length > 0 && !typesOf(a).includes(type))
        say(place, `may be ${type} now`)
    }
    const [words, wordsNow] = [wordsOf(a), wordsOf(b)]
    if (side === 'caller' && wordsNow && !words) say(place, 'takes only some words now')
    for (const word of words ?? []) {
      if (side === 'caller' && wordsNow && !wordsNow.includes(word))
        say(place, `${String(word)} is no longer taken`)
    }
    if (side === 'caller') {
      for (const bound of least)
        if (number(b[bound], -Infinity) > number(a[bound], -Infinity)) say(place, `${bound} rose`)
      for (const bound of most)
        if (number(b[bound], Infinity) < number(a[bound], Infinity)) say(place, `${bound} fell`)
      for (const form of ['pattern', 'format'])
        if (b[form] !== undefined && a[form] === undefined) say(place, `has a ${form} now`)
      for (const field of b.required ?? [])
        if (!a.required?.includes(field)) say(`${place}.${field}`, 'is required now')
    } else {
      for (const field of a.required ?? [])
        if (!b.required?.includes(field)) say(`${place}.${field}`, 'may be missing now')
    }
    for (const [name, field] of Object.entries(a.properties ?? {})) {
      compare(`${place}.${name}`, field, b.properties?.[name], side)
    }
    if (a.items) compare(`${place}[]`, a.items, b.items, side)
    for (const [either, now] of [
      [a.anyOf, b.anyOf],
      [a.oneOf, b.oneOf],
    ]) {
      either?.forEach((one, n) => compare(`${place}|${n}`, one, now?.[n], side))
    }
  }

  const compareContent = (place: string, old: Content = {}, now: Content = {}, side: Side): void => {
    for (const [type, { schema }] of Object.entries(old)) {
      if (!now[type]) say(place, `${type} is gone`)
      else if (schema) compare(place, schema, now[type].schema, side)
    }
  }

  const compareOperation = (
    place: string,
    old: Operation,
    now: Operation | undefined,
    sides: { readonly asked: Side; readonly answered: Side },
  ): void => {
    if (!now) return void say(place, 'is gone')
    const parametersOf = (document: OpenApi, { parameters = [] }: Operation) =>
      parameters.map((one) => resolve(document, one as Schema) as unknown as Parameter)
    const known = parametersOf(before, old)
    const taken = parametersOf(after, now)
    for (const { name, in: where, schema } of known) {
      const same = taken.find((one) => one.name === name && one.in === where)
      if (!same) say(`${place} ${where} ${name}`, 'is gone')
      else if (schema) compare(`${place} ${where} ${name}`, schema, same.schema, sides.asked)
    }
    for (const { name, in: where, required } of taken) {
      const isNew = !known.some((one) => one.name === name && one.in === where && one.required === true)
      if (required && isNew) say(`${place} ${where} ${name}`, 'is required now')
    }
    if (now.requestBody?.required && !old.requestBody?.required) say(`${place} body`, 'is required now')
    compareContent(`${place} body`, old.requestBody?.content, now.requestBody?.content, sides.asked)
    for (const [status, answer] of Object.entries(old.responses)) {
      const same = now.responses[status]
      if (!same) say(`${place} ${status}`, 'is gone')
      else {
        const [was, is] = [resolve(before, answer), resolve(after, same)] as {
          content?: Content
        }[]
        compareContent(`${place} ${status}`, was?.content, is?.content, sides.answered)
      }
    }
  }

  for (const [path, old] of Object.entries(before.paths)) {
    for (const method of methods) {
      if (old[method]) {
        compareOperation(`${method.toUpperCase()} ${path}`, old[method], after.paths[path]?.[method], {
          asked: 'caller',
          answered: 'service',
        })
      }
    }
  }
  for (const [name, old] of Object.entries(before.webhooks ?? {})) {
    if (old['post'])
      compareOperation(name, old['post'], after.webhooks?.[name]?.['post'], {
        asked: 'service',
        answered: 'caller',
      })
  }
  return found
}

/** What a schema says in any place: behind references, and in parts that all hold. */
const resolve = (document: OpenApi, schema: Schema): Schema => {
  if (schema.$ref !== undefined) {
    const [, group = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(schema.$ref) ?? []
    const found = document.components[group]?.[name]
    if (!found) throw new Error(`${schema.$ref} leads nowhere`)
    return resolve(document, found as Schema)
  }
  if (!schema.allOf) return schema
  const parts = schema.allOf.map((part) => resolve(document, part))
  const { allOf: _, ...rest } = schema
  return Object.assign({}, ...parts, rest, {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required ?? []),
  })
}

/** One of several plain types, each with its bounds, is what one schema of those types would say. */
const pressed = (document: OpenApi, schema: Schema | undefined): Schema | undefined => {
  const parts = schema?.oneOf?.map((part) => resolve(document, part))
  if (!schema || !parts?.every(({ type, properties }) => type !== undefined && !properties)) return schema
  const { oneOf: _, ...rest } = schema
  return Object.assign({}, ...parts, rest, { type: parts.flatMap(typesOf) })
}

const typesOf = ({ type }: Schema): readonly string[] => (type === undefined ? [] : [type].flat())
const wordsOf = (schema: Schema): readonly unknown[] | undefined =>
  schema.enum ?? ('const' in schema ? [schema.const] : undefined)
const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)
