import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { openApiDocument } from '../../platform/http/openapi/openapi.ts'
import { type OpenApi, narrowed } from './narrowed.ts'

/*
 * Version 1 as it was before it began to grow (openapi.json, without its descriptions and examples), against what is
 * served now: a client made from the first works on.
 */

const first = JSON.parse(readFileSync(new URL('openapi.json', import.meta.url), 'utf8')) as OpenApi

/** What the contract's own tables said from the beginning, and the document of then did not. */
const saidBefore = ['createdAt', 'updatedAt'].map(
  (field) => `GET /api/v1/guests 200[].${field}: may be null now`,
)

// oxlint-disable-next-line typescript/no-explicit-any -- a document that is torn apart
type Tear = (document: any) => unknown

describe('version 1 as it grows', () => {
  it('takes all that it took and answers all that it answered', () => {
    const now = JSON.parse(JSON.stringify(openApiDocument())) as OpenApi
    assert.deepEqual(narrowed(first, now), saidBefore)
  })

  const torn = (tear: Tear): string[] => {
    const document = structuredClone(first)
    tear(document)
    return narrowed(first, document)
  }
  const guests = '/api/v1/guests'
  for (const [what, tear, expected] of [
    ['an endpoint', (d) => delete d.paths[guests].post, /^POST \/api\/v1\/guests: is gone$/],
    [
      'a word of a query',
      (d) => d.paths[guests].get.parameters.pop(),
      /^GET \/api\/v1\/guests query \w+: is gone$/,
    ],
    ['a field of a record', (d) => delete d.components.schemas.Guest.properties.email, /\.email: is gone$/],
    ['a field of a body', (d) => delete d.components.schemas.NewGuest.properties.email, /\.email: is gone$/],
    ['a field that may be missing', (d) => d.components.schemas.Guest.required.pop(), /may be missing now$/],
    [
      'another type',
      (d) => (d.components.schemas.Guest.properties.id.type = 'string'),
      /\.id: may be string now$/,
    ],
    [
      'a null',
      (d) => (d.components.schemas.Guest.properties.id.type = ['integer', 'null']),
      /\.id: may be null now$/,
    ],
    [
      'a field that is needed',
      (d) => (d.components.schemas.NewGuest.required = ['name']),
      /\.name: is required now$/,
    ],
    [
      'a shorter text',
      (d) => (d.components.schemas.NewGuest.properties.name.maxLength = 3),
      /\.name: maxLength fell$/,
    ],
    ['a status', (d) => delete d.paths[guests].get.responses['200'], /^GET \/api\/v1\/guests 200: is gone$/],
    [
      'a query that is needed',
      (d) => (d.paths[guests].get.parameters[0].required = true),
      /is required now$/,
    ],
    ['an event', (d) => delete d.webhooks['guest.created'], /^guest\.created: is gone$/],
    [
      'the record of an event',
      (d) => (d.components.schemas.GuestCreatedDelivery.allOf[1].properties.data = { type: 'object' }),
      /^guest\.created body\.data\.\w+: (?:is gone|may be missing now)$/,
    ],
    [
      'a field of every delivery',
      (d) => delete d.components.schemas.Delivery.properties.occurredAt,
      /body\.occurredAt: is gone$/,
    ],
    [
      'a field behind two references',
      (d) => {
        delete d.components.schemas.Guest.properties.email
        d.components.schemas.Person = d.components.schemas.Guest
        d.components.schemas.Guest = { $ref: '#/components/schemas/Person' }
      },
      /\.email: is gone$/,
    ],
    [
      'a parameter behind a reference',
      (d) => {
        const [limit, ...others] = d.paths[guests].get.parameters
        d.components.parameters.limit = { ...limit, required: true }
        d.paths[guests].get.parameters = [{ $ref: '#/components/parameters/limit' }, ...others]
      },
      /^GET \/api\/v1\/guests query \w+: is required now$/,
    ],
    [
      'an answer behind a reference',
      (d) => {
        const { responses } = d.paths[guests].get
        d.components.responses.Guests = { ...responses['200'], content: {} }
        responses['200'] = { $ref: '#/components/responses/Guests' }
      },
      /^GET \/api\/v1\/guests 200: application\/json is gone$/,
    ],
  ] as const satisfies readonly (readonly [string, Tear, RegExp])[]) {
    it(`notices ${what}`, () => {
      const found = torn(tear)
      assert.ok(found.length > 0 && found.every((one) => expected.test(one)), found.join('\n'))
    })
  }
})
