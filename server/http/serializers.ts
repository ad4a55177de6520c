import { records } from '@venue-data/contract/endpoints.ts'
import fastJsonStringify, { type Schema } from 'fast-json-stringify'

/*
 * What writes replies. Fastify compiles one for each reply of each route and gives each all records of the contract to look
 * at, which took half of the time to start; here each is given those that it names, and a schema is compiled once in a process.
 */

type Serializer = (reply: unknown) => string

const recordsById = new Map(records.map((record) => [(record as { $id?: string }).$id, record]))

const compiled = new WeakMap<object, Serializer>()

/** For Fastify. The library is the one that it would take itself. */
export const serializerFor = ({ schema }: { readonly schema: object }): Serializer =>
  compiled.getOrInsertComputed(schema, () =>
    fastJsonStringify(schema as Schema, { schema: recordsNamedBy(schema) }),
  )

/** The records that a schema names, and those that they name. */
const recordsNamedBy = (schema: object, found: Record<string, Schema> = {}): Record<string, Schema> => {
  for (const [, id = ''] of JSON.stringify(schema).matchAll(/"\$ref":"([^"#]+)#/g)) {
    const record = recordsById.get(id)
    if (!record || id in found) continue
    found[id] = record as object as Schema
    recordsNamedBy(record, found)
  }
  return found
}
