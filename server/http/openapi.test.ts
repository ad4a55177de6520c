import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { type Endpoint, endpoints, records } from '@venue-data/contract/endpoints.ts'
import { reasons } from '@venue-data/contract/reasons.ts'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { openApiDocument } from './openapi.ts'
import { exampleOf, nodeOf } from './openapi-schema.ts'
import { fieldReader } from './read-body.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- the test walks a document it knows
const published = (): any => JSON.parse(JSON.stringify(openApiDocument()))

describe('the OpenAPI document', () => {
  const rows: readonly Endpoint[] = Object.values(endpoints)

  it('is valid OpenAPI 3.1', async () => {
    const answer = await new Validator().validate(published())
    assert.deepEqual(answer, { valid: true })
  })

  it('has one operation for each endpoint, and no other', () => {
    const operations = Object.entries<Record<string, { operationId: string }>>(published().paths).flatMap(
      ([path, item]) =>
        Object.entries(item).map(
          ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
        ),
    )
    assert.deepEqual(
      operations.toSorted(),
      rows.map(({ id, method, path }) => `${id} ${method} ${path}`).toSorted(),
    )
  })

  it('describes every field, parameter, header and answer', () => {
    const nameless: string[] = []
    const walk = (node: unknown, place: string): void => {
      if (typeof node !== 'object' || node === null) return
      for (const [name, value] of Object.entries(node)) {
        const at = `${place}/${name}`
        // Samples may hold any names.
        if (name === 'example' || name === 'examples') continue
        if (['properties', 'headers', 'responses'].includes(name)) {
          for (const [key, part] of Object.entries<Record<string, unknown>>(value)) {
            if (!('$ref' in part) && typeof part.description !== 'string') nameless.push(`${at}/${key}`)
          }
        }
        if (name === 'parameters' && Array.isArray(value)) {
          for (const part of value) if (!part.$ref && !part.description) nameless.push(`${at}/${part.name}`)
        }
        walk(value, at)
      }
    }
    walk(published(), '')
    assert.deepEqual(nameless, [])
  })

  it('lists each reason of an endpoint under its status, with its sentence', () => {
    const { paths } = published()
    for (const { method, path, reasons: given = [] } of rows) {
      for (const reason of given) {
        const { status, sentence } = reasons[reason]
        const { examples } = paths[path][method.toLowerCase()].responses[status].content['application/json']
        assert.deepEqual(examples[reason].value, { error: sentence, reason })
      }
    }
  })

  it('closes no record: fields may be added within version 1', () => {
    assert.doesNotMatch(JSON.stringify(published()), /additionalProperties|unevaluatedProperties/)
  })

  it('speaks to integrators only: no references to our papers', () => {
    assert.doesNotMatch(JSON.stringify(published()), /Contract, |decision \d|booking-rules/)
  })

  it('shows only samples that are what they say', () => {
    for (const record of records)
      assert.ok(Check(record as TSchema, exampleOf(nodeOf(record))), `${nodeOf(record).$id}`)
    for (const { body } of rows) {
      if (body) fieldReader(body)(exampleOf(nodeOf(body)) as Record<string, unknown>)
    }
  })
})
