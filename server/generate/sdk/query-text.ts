import type { Endpoint } from '@venue-data/contract/endpoint.ts'
import { type SchemaNode, nodeOf } from '../../http/openapi-schema.ts'
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

const wordText = (node: SchemaNode): string => {
  const { type, enum: words, const: only, format, description = '', examples = [] } = node
  if (type === 'integer') return 'number'
  if (only === 'true' || words?.includes('true')) return 'boolean'
  if (words) return words.map((word) => `'${String(word)}'`).join(' | ')
  if (format === 'date-time') return 'string | Date'
  if (!/with commas between|separated by commas/.test(description)) return 'string'
  const known = examples.filter((example) => !String(example).includes(','))
  const one = known.length > 1 ? `Open<${known.map((word) => `'${String(word)}'`).join(' | ')}>` : 'string'
  return `${one} | readonly ${one}[]`
}
