import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { type SchemaNode, nodeOf } from '../../server/platform/http/openapi/openapi-schema.ts'
import { comment, indented } from './type-text.ts'

/** The query of an endpoint as a type: in the caller's own terms, which the client turns into text. */
export const queryText = ({ query = {}, queryRequired = [] }: Endpoint): string =>
  `{\n${Object.entries(query)
    .map(([name, shape]) => {
      const node = nodeOf(shape)
      const mark = queryRequired.includes(name) ? '' : '?'
      return indented(`${comment(node)}${name}${mark}: ${wordText(node)}${mark && ' | undefined'}`)
    })
    .join('\n')}\n}`

/** What a word of a query is in the caller's own terms; `list`: one of some words, or several. */
export type QueryWord =
  | { readonly is: 'integer' | 'boolean' | 'moment' | 'text' }
  | { readonly is: 'words' | 'list'; readonly words: readonly string[] }

export const queryWordOf = (node: SchemaNode): QueryWord => {
  const { type, enum: words, const: only, format, description = '', examples = [] } = node
  if (type === 'integer') return { is: 'integer' }
  if (only === 'true' || words?.includes('true')) return { is: 'boolean' }
  if (words) return { is: 'words', words: words.map(String) }
  if (format === 'date-time') return { is: 'moment' }
  if (!/with commas between|separated by commas/.test(description)) return { is: 'text' }
  const known = examples.map(String).filter((example) => !example.includes(','))
  return { is: 'list', words: known.length > 1 ? known : [] }
}

const plainTypes = { integer: 'number', boolean: 'boolean', moment: 'string | Date', text: 'string' }

const wordText = (node: SchemaNode): string => {
  const word = queryWordOf(node)
  if (!('words' in word)) return plainTypes[word.is]
  const words = word.words.map((one) => `'${one}'`).join(' | ')
  if (word.is === 'words') return words
  const one = words === '' ? 'string' : `Open<${words}>`
  return `${one} | readonly ${one}[]`
}
