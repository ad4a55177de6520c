import { records } from '@venue-data/contract/endpoints.ts'
import fastJsonStringify, { type Schema } from 'fast-json-stringify'

/*
 * What serializes replies. Fastify compiles a serializer for each reply of each route and gives every one all the
 * contract's records, which took half of the startup time. Here each gets only the records it references, and a schema
 * is compiled once per process.
 */

type Serializer = (reply: unknown) => string

const recordsById = new Map(records.map((record) => [(record as { $id?: string }).$id, record]))

const compiled = new WeakMap<object, Serializer>()

/** For Fastify, with the library it would use itself. */
export const serializerFor = ({ schema }: { readonly schema: object }): Serializer =>
  compiled.getOrInsertComputed(schema, () =>
    fastJsonStringify(schema as Schema, { schema: recordsNamedBy(schema) }),
  )

/** The records that a schema references, directly or indirectly. */
const recordsNamedBy = (schema: object, found: Record<string, Schema> = {}): Record<string, Schema> => {
  for (const [, id = ''] of JSON.stringify(schema).matchAll(/"\$ref":"([^"#]+)#/g)) {
    const record = recordsById.get(id)
    if (!record || id in found) continue
    found[id] = record as object as Schema
    recordsNamedBy(record, found)
  }
  return found
}
