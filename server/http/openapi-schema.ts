import { records } from '@venue-data/contract/endpoints.ts'
import type { TSchema } from 'typebox'

/*
 * The shapes of the contract as JSON Schema for others to read, and the sample values in them.
 */

/** A node of a shape, as far as the published documents look into it. */
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
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly 'x-words'?: readonly string[]
}

/** A TypeBox shape is a JSON Schema node whose type the compiler does not know. */
export const nodeOf = (shape: TSchema): SchemaNode => shape

/** The record a `$ref` names, or undefined where there is none. */
export const recordOf = ({ $ref }: SchemaNode): SchemaNode | undefined =>
  $ref === undefined ? undefined : recordsByName.get($ref.replace('#', ''))

const recordsByName = new Map(
  records.map((record) => {
    const node = nodeOf(record)
    return [node.$id as string, node] as const
  }),
)

/**
 * A shape as the OpenAPI document has it. What only this service needs is left out: `additionalProperties`,
 * because records may grow within version 1, and the own words for formats and lists.
 */
export const publishedSchema = (node: SchemaNode): Record<string, unknown> => {
  const { $id: _, $ref, properties, items, anyOf, format, 'x-words': words, ...rest } = node
  if ($ref !== undefined) return { $ref: `#/components/schemas/${$ref.replace('#', '')}` }
  const { additionalProperties: _closed, ...open } = rest as Record<string, unknown>
  return {
    ...open,
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
  }
}

/** A sample value of a shape: its own example, else one put together from those of its parts. */
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
  return plainSamples[String([node.type].flat()[0])] ?? null
}

const plainSamples: Readonly<Record<string, unknown>> = { string: 'text', integer: 1, boolean: true }
