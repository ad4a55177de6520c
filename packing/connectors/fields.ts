import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { kinds } from '@venue-data/contract/kinds.ts'
import { type SchemaNode, nodeOf } from '../../server/platform/http/openapi/openapi-schema.ts'
import { isPaged, pathParameters } from '../../server/platform/http/openapi/openapi.ts'

/*
 * What a person fills in to make a call, field by field: what the forms of n8n and Zapier have in common. Fields of an
 * object in a body are listed with the others, `consent.source` as `consentSource`.
 */

/** How it is filled in. `texts` and `words` are several; `json` is a piece of the body as it is. */
export type FieldType = 'text' | 'long-text' | 'integer' | 'boolean' | 'word' | 'words' | 'texts' | 'json'

export type Field = {
  readonly name: string
  readonly in: 'path' | 'query' | 'body'
  /** Where it goes in the body, or its name in the path or the query. */
  readonly to: readonly string[]
  readonly label: string
  readonly description: string
  readonly type: FieldType
  /** What may be chosen, for words. */
  readonly words: readonly string[]
  readonly required: boolean
  /** `null` in the body empties it. */
  readonly clearable: boolean
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly example: unknown
}

/** What a program that pages by itself sends on its own. */
const ofPaging: readonly string[] = ['limit', 'after', 'count']
/** Nobody fills in a form to be kept waiting. */
const neverAsked: readonly string[] = ['wait', 'count']

/** Every field of an endpoint, those that are needed first. */
export const fieldsOf = (endpoint: Endpoint): Field[] => {
  const left = isPaged(endpoint) ? ofPaging : neverAsked
  const fields = [
    ...pathParameters(endpoint).map((name) => inPath(endpoint, name)),
    ...Object.entries(endpoint.query ?? {})
      .filter(([name]) => !left.includes(name))
      .map(([name, shape]) => inQuery(endpoint, name, nodeOf(shape))),
    ...(endpoint.body ? inBody(nodeOf(endpoint.body), [], true) : []),
  ]
  return [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)]
}

const plain = {
  words: [],
  required: false,
  clearable: false,
  minimum: undefined,
  maximum: undefined,
  example: undefined,
} as const

const inPath = ({ path, params }: Endpoint, name: string): Field => {
  const kind = Object.values(kinds).find((one) => path.startsWith(`${one.path}/`))
  const thing = kind?.field ?? singular(path.split('/')[3] ?? '')
  const label = name === 'id' ? labelOf(`${thing}Id`) : labelOf(name)
  return {
    ...plain,
    name,
    in: 'path',
    to: [name],
    label,
    description: `The id of the ${name === 'id' ? inWords(thing) : inWords(name.replace(/Id$/, ''))}.`,
    type: params ? 'integer' : 'text',
    minimum: params && 1,
    required: true,
  }
}

const inQuery = (endpoint: Endpoint, name: string, node: SchemaNode): Field => {
  const filters: Readonly<Record<string, unknown>> = endpoint.list?.filters ?? {}
  const filter = filters[name] as { readonly closed?: readonly string[] } | true | undefined
  const closed = typeof filter === 'object' ? filter.closed : undefined
  return {
    ...fieldOf(name, node),
    in: 'query',
    to: [name],
    required: endpoint.queryRequired?.includes(name) ?? false,
    ...(closed && { type: 'words', words: closed, description: `Only with this ${name}.` }),
  }
}

const inBody = (node: SchemaNode, at: readonly string[], isNeeded: boolean): Field[] =>
  Object.entries(node.properties ?? {}).flatMap(([name, property]) => {
    const required = isNeeded && (node.required?.includes(name) ?? false)
    const to = [...at, name]
    return property.properties
      ? inBody(property, to, required)
      : [{ ...fieldOf(joined(to), property), in: 'body', to, required }]
  })

const fieldOf = (name: string, node: SchemaNode): Omit<Field, 'in' | 'to'> => {
  const { description = '', minimum, maximum, examples } = node
  return {
    ...plain,
    name,
    label: labelOf(name),
    description,
    type: typeOf(node),
    words: wordsOf(node).map(String),
    clearable: Array.isArray(node.type) && node.type.includes('null'),
    minimum,
    maximum,
    example: examples?.[0],
  }
}

const typeOf = (node: SchemaNode): FieldType => {
  const { type, items, maxLength = 0 } = node
  const [plainType] = Array.isArray(type) ? type : [type]
  switch (plainType) {
    case 'integer':
    case 'boolean':
      return plainType
    case 'array':
      if (items?.type !== 'string') return 'json'
      return wordsOf(node).length > 0 ? 'words' : 'texts'
    case 'object':
      return 'json'
    default:
      if (wordsOf(node).length > 0) return 'word'
      return maxLength > longText ? 'long-text' : 'text'
  }
}

/** What holds more than this is written on several lines. */
const longText = 2_000

/** A closed list of what may be sent; empty if there is no such list. */
const wordsOf = (node: SchemaNode): readonly unknown[] => {
  const { 'x-words': words, 'x-published': published, enum: listed, items } = node
  return words ?? published?.enum ?? listed ?? (items ? wordsOf(items) : [])
}

const joined = ([first = '', ...rest]: readonly string[]): string =>
  [first, ...rest.map((name) => name.charAt(0).toUpperCase() + name.slice(1))].join('')

/** `batches` and `hooks` as one of them. */
const singular = (things: string): string => things.replace(/(?:(?<=ch)e)?s$/, '')

const inWords = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()

const upper: Readonly<Record<string, string>> = { id: 'ID', url: 'URL', html: 'HTML' }

/** A name in the program as a heading: `externalId` as “External ID”. */
export const labelOf = (name: string): string =>
  inWords(name)
    .split(' ')
    .map((word) => upper[word] ?? word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
