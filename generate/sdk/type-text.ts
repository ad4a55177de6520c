import { type SchemaNode, namedShapes } from '../../server/platform/http/openapi/openapi-schema.ts'

/* Shapes of the contract as TypeScript: a shape with a title by its name, any other written out. */

/** A shape where it is used. */
export const typeText = (node: SchemaNode): string => {
  const { $ref, title, 'x-published': published } = node
  if ($ref !== undefined) return $ref.replace('#', '')
  if (published) return typeText(published)
  return title === undefined ? written(node) : title
}

/** A shape where it is defined. */
export const written = (node: SchemaNode): string => {
  if ('const' in node) return literal(node.const)
  const words = wordsOf(node)
  const either = node.anyOf ?? node.oneOf
  if (either) return union(either.map(typeText))
  const types = typeof node.type === 'string' ? [node.type] : (node.type ?? ['unknown'])
  return union(types.map((type) => (type === 'string' && words ? wordsText(words) : ofType(type, node))))
}

const ofType = (type: string, node: SchemaNode): string => {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `${inBrackets(typeText(node.items as SchemaNode))}[]`
    case 'object':
      return node.properties ? objectText(node) : recordText(node)
    default:
      return type
  }
}

/** An object whose fields are not known beforehand. */
const recordText = ({ additionalProperties: values }: SchemaNode): string =>
  `Record<string, ${typeof values === 'object' ? written(values) : 'unknown'}>`

/** An object with its fields; `own` has the types of those that are more than a shape can say. */
export const objectText = (
  { properties = {}, required = [] }: SchemaNode,
  own: Readonly<Record<string, string>> = {},
): string =>
  `{\n${Object.entries(properties)
    .map(([name, property]) => {
      const type = own[name] ?? typeText(property)
      const field = required.includes(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`
      return indented(`${comment(property)}${field}`)
    })
    .join('\n')}\n}`

/** What is said of a shape, as a comment in front of it. */
export const comment = (node: SchemaNode): string => {
  const said = saidOf(node)
  return said === '' ? '' : `/** ${said.replaceAll('*/', '* /')} */\n`
}

/** What is said of a shape. */
export const saidOf = ({ description, 'x-since': since }: SchemaNode): string =>
  [description, since && `Since ${since}.`].filter(Boolean).join(' ')

export const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')

type Words = {
  readonly known: readonly unknown[]
  /** Whether no others may come within version 1. */
  readonly isClosed: boolean
}

/** The words a text is one of, where they are known; if others may come, it is likely one of those. */
export const wordsOf = (node: SchemaNode): Words | undefined => {
  const { description = '', examples = [], enum: only } = node
  const grows = /may grow|may be added/.test(description)
  const isListed = examples.length > 1 && /list may grow|may be added/.test(description)
  const known = only ?? node['x-words'] ?? (isListed ? examples : undefined)
  return known && { known, isClosed: only !== undefined && !grows }
}

const wordsText = ({ known, isClosed }: Words): string => {
  const words = known.map(literal).join(' | ')
  return isClosed ? words : `Open<${words}>`
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)

const union = (parts: readonly string[]): string => [...new Set(parts)].join(' | ')

const inBrackets = (text: string): string =>
  / \| /.test(text) && !text.startsWith('Open<') ? `(${text})` : text

/** Every shape that has a name, as a type with what is said of it. */
export const namedTypes = (extraShapes: Parameters<typeof namedShapes>[0], own: readonly string[]): string =>
  [...namedShapes(extraShapes)]
    .filter(([name]) => !own.includes(name))
    .map(([name, node]) => {
      const isPlainObject = node.type === 'object' && node.properties !== undefined
      const text = written(node)
      return `${comment(node)}export ${isPlainObject ? `interface ${name} ${text}` : `type ${name} = ${text}`}`
    })
    .join('\n\n')
