import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints, records } from '@venue-data/contract/endpoints.ts'
import type { TSchema } from 'typebox'

/*
 * The contract's shapes as published JSON Schema, and the sample values in them. A shape with a title is defined once
 * in the document under that name, and referenced wherever it is used.
 */

/** The parts of a shape that the published documents read. */
export type SchemaNode = {
  readonly $id?: string
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly items?: SchemaNode
  readonly anyOf?: readonly SchemaNode[]
  readonly oneOf?: readonly SchemaNode[]
  readonly discriminator?: { readonly propertyName: string }
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly additionalProperties?: boolean
  readonly 'x-words'?: readonly string[]
  readonly 'x-written'?: string
  readonly 'x-else-ignored'?: boolean
  /** The day it was added to version 1; absent: the same as its parent. */
  readonly 'x-since'?: string
  /**
   * What the documents show in place of this node, whose contents our own code parses and refuses with its own
   * sentences.
   */
  readonly 'x-published'?: SchemaNode
}

/** A TypeBox shape is a JSON Schema node; the compiler does not know its type. */
export const nodeOf = (shape: TSchema): SchemaNode => shape

/** The record a `$ref` names, or undefined. */
export const recordOf = ({ $ref }: SchemaNode): SchemaNode | undefined =>
  $ref === undefined ? undefined : recordsByName.get($ref.replace('#', ''))

const recordsByName = new Map(
  records.map((record) => {
    const node = nodeOf(record)
    return [node.$id as string, node] as const
  }),
)

/** Where a named shape is defined. */
export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/**
 * Every named shape: from the records, the endpoints' bodies and replies, and the given extra shapes.
 * @throws Error when two different shapes share a name
 */
export const namedShapes = (extraShapes: readonly TSchema[]): Map<string, SchemaNode> => {
  const named = new Map<string, SchemaNode>()
  const find = (node: SchemaNode): void => {
    const { title, properties = {}, items, anyOf = [], oneOf = [], 'x-published': published } = node
    if (title !== undefined) {
      const known = named.get(title)
      // An optional field holds a copy of its shape.
      if (known && JSON.stringify(known) !== JSON.stringify(node))
        throw new Error(`Two shapes are called ${title}.`)
      named.set(title, node)
    }
    for (const part of [...Object.values(properties), ...anyOf, ...oneOf]) find(part)
    if (items) find(items)
    if (published) find(published)
  }
  const rows: readonly Endpoint[] = Object.values(endpoints)
  const used = rows.flatMap(({ body, replies }) => [...(body ? [body] : []), ...Object.values(replies)])
  for (const shape of [...records, ...used, ...extraShapes]) find(nodeOf(shape))
  return named
}

/** A shape at a point of use: a reference by name, if it has one. */
export const publishedSchema = (node: SchemaNode): Record<string, unknown> => {
  const { $ref, title, description, 'x-published': published } = node
  if ($ref !== undefined) return schemaRef($ref.replace('#', ''))
  if (published) return { ...publishedSchema(published), ...(description !== undefined && { description }) }
  return title === undefined ? definition(node) : schemaRef(title)
}

/**
 * A shape at its definition, without what only this service needs: that a record is closed (records may grow within
 * version 1), and our own words for formats and lists.
 */
export const definition = (node: SchemaNode): Record<string, unknown> => {
  const { $id: _, properties, items, anyOf, oneOf, discriminator, format, ...rest } = node
  const {
    additionalProperties: isOpen,
    'x-words': words,
    'x-written': _form,
    'x-else-ignored': _ignored,
    ...plain
  } = rest
  return {
    ...plain,
    ...(isOpen && { additionalProperties: true }),
    ...(words && {
      description: `${node.description} One of ${words.join(', ')}, in any letter case.`,
      examples: words,
    }),
    ...(format !== undefined && { format: format === 'moment' ? 'date-time' : format }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, publishedSchema(property)]),
      ),
    }),
    ...(items && { items: publishedSchema(items) }),
    ...(anyOf && { anyOf: anyOf.map(publishedSchema) }),
    ...(oneOf && { oneOf: oneOf.map(publishedSchema) }),
    ...(oneOf && discriminator && { discriminator: discriminatedBy(discriminator.propertyName, oneOf) }),
  }
}

/** Which of several shapes it is, by the single word in a field. */
const discriminatedBy = (propertyName: string, shapes: readonly SchemaNode[]) => ({
  propertyName,
  mapping: Object.fromEntries(
    shapes.map(({ title, properties }) => [
      String(properties?.[propertyName]?.const),
      schemaRef(title as string).$ref,
    ]),
  ),
})

/** A sample value of a shape: its own example, or one assembled from the examples of its parts. */
export const exampleOf = (node: SchemaNode): unknown => {
  const record = recordOf(node)
  if (record) return exampleOf(record)
  if (node.examples) return node.examples[0]
  if ('const' in node) return node.const
  if (node.enum) return node.enum[0]
  if (node.anyOf) return exampleOf(node.anyOf[0] as SchemaNode)
  if (node.items) return [exampleOf(node.items)]
  if (node.properties) {
    return Object.fromEntries(
      Object.entries(node.properties).map(([name, property]) => [name, exampleOf(property)]),
    )
  }
  throw new Error(`No example for ${JSON.stringify(node)}.`)
}
