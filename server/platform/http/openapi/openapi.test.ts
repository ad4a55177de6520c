import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { sampleDelivery } from '@venue-data/contract/webhooks/delivery.ts'
import { type Endpoint, groups, keyClash } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { eventNames, eventPatterns, events } from '@venue-data/contract/webhooks/events.ts'
import { kinds } from '@venue-data/contract/kinds.ts'
import { isBookingReason, reasons } from '@venue-data/contract/reasons.ts'
import { Compile } from 'typebox/schema'
import { openApiDocument } from './openapi.ts'
import { codeName } from './delivery-words.ts'
import { sliceOf } from './openapi-slice.ts'
import { exampleOf, namedShapes, nodeOf } from './openapi-schema.ts'
import { fieldReader } from '../read-body.ts'
import { refusalCases } from './refusal-cases.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- the test walks a document it knows
const published = (): any => JSON.parse(JSON.stringify(openApiDocument()))

/** What a reference of a document leads to; anything else is itself. */
// oxlint-disable-next-line typescript/no-explicit-any -- as above
const resolvedIn = (document: any, node: any): any => {
  if (node?.$ref === undefined) return node
  const [, , group, name] = node.$ref.split('/')
  return document.components[group][name]
}

describe('the OpenAPI document', () => {
  const rows: readonly Endpoint[] = Object.values(endpoints)

  it('is valid OpenAPI 3.1', async () => {
    const answer = await new Validator().validate(published())
    assert.deepEqual(answer, { valid: true })
  })

  it('has one operation for each endpoint and for the changelog, and no other', () => {
    const operations = Object.entries<Record<string, { operationId: string }>>(published().paths).flatMap(
      ([path, item]) =>
        Object.entries(item).map(
          ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
        ),
    )
    assert.deepEqual(
      operations.toSorted(),
      [
        ...rows.map(({ id, method, path }) => `${id} ${method} ${path}`),
        'getChangelog GET /api/v1/changelog',
      ].toSorted(),
    )
  })

  it('describes every field, parameter, header and answer', () => {
    const nameless: string[] = []
    const walk = (node: unknown, place: string): void => {
      if (typeof node !== 'object' || node === null) return
      for (const [name, value] of Object.entries(node)) {
        const at = `${place}/${name}`
        // Samples may contain any names.
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
    const document = published()
    for (const row of rows) {
      const { method, path, reasons: given = [], sentences = {} } = row
      for (const reason of given) {
        const { status } = reasons[reason]
        const sentence =
          sentences[reason] ?? refusalCases(row).findLast((refusal) => refusal.reason === reason)?.sentence
        const answer = resolvedIn(document, document.paths[path][method.toLowerCase()].responses[status])
        // What the booking rules refuse for has its samples at the call that books, and nowhere else.
        if (isBookingReason(reason) && row.id !== 'createReservation') {
          assert.match(answer.description, new RegExp(`\`${reason}\`[^]*see \`POST /reservations\``))
          continue
        }
        // Nor has it samples of what every Idempotency-Key may get.
        const isOfKeys = keyClash.some((one) => one === reason) && !Object.hasOwn(sentences, reason)
        if (isOfKeys && row.id !== 'createReservation') {
          assert.ok(answer.description.includes(`\`${reason}\`: See \`Idempotency-Key\`.`))
          continue
        }
        const { examples } = answer.content['application/json']
        const shown = resolvedIn(document, examples[reason]).value
        // The reason of every scope has one sample.
        if (reason === 'scope-missing') assert.equal(shown.reason, reason)
        else assert.deepEqual(shown, { error: sentence, reason })
      }
    }
  })

  it('names only the endpoint’s own record in the refusals it shows', () => {
    const nouns = Object.keys(kinds).map((kind) => kind.replace('_', ' '))
    for (const row of rows.filter(({ kind }) => kind !== undefined)) {
      for (const { sentence = '' } of refusalCases(row)) {
        const [, noun = ''] = new RegExp(`^This (${nouns.join('|')}) `).exec(sentence) ?? []
        if (noun) assert.equal(noun, row.kind?.replace('_', ' '), `${row.id}: ${sentence}`)
      }
      const expected = Object.keys(row.sentences ?? {}).filter(
        (reason) => !row.reasons?.includes(reason as never),
      )
      assert.deepEqual(expected, [], `${row.id} shows sentences of reasons it does not have`)
    }
  })

  it('leaves records open: fields may be added within version 1', () => {
    assert.doesNotMatch(JSON.stringify(published()), /"additionalProperties":(?!true)|unevaluatedProperties/)
  })

  it('speaks to integrators only: no references to documents of our own', () => {
    assert.doesNotMatch(JSON.stringify(published()), /Contract, |decision \d|booking-rules/)
  })

  it('shows only samples that match their schema', () => {
    const document = published()
    const wrong: string[] = []
    let looked = 0
    const compare = (schema: object, values: readonly unknown[], at: string): void => {
      // Schema names are looked up below: a schema is defined only inside the document.
      const shape = Compile({ components: document.components, ...schema })
      for (const value of values) {
        looked++
        if (!shape.Check(value)) wrong.push(`${at}: ${JSON.stringify(shape.Errors(value)[1])}`)
      }
    }
    const walk = (node: Record<string, unknown>, at: string): void => {
      const { schema, example, examples } = node as {
        schema?: object
        example?: unknown
        examples?: unknown[] | Readonly<Record<string, { value: unknown }>>
      }
      if (schema && example !== undefined) compare(schema, [example], at)
      if (schema && examples) {
        compare(
          schema,
          Object.values(examples as never).map((one) => resolvedIn(document, one).value),
          at,
        )
      }
      if (!schema && Array.isArray(examples)) compare(node, examples, at)
      for (const [name, part] of Object.entries(node)) {
        if (name === 'example' || name === 'examples' || typeof part !== 'object' || part === null) continue
        walk(part as Record<string, unknown>, `${at}/${name}`)
      }
    }
    walk(document, '')
    assert.deepEqual(wrong, [])
    assert.ok(looked > 300, `${looked}`)
  })

  it('shows no sample body that the service would refuse', () => {
    for (const { body } of rows) {
      if (body) fieldReader(body)(exampleOf(nodeOf(body)) as Record<string, unknown>)
    }
  })

  it('names the shape of every object body and reply, and uses no name twice', () => {
    const { paths, components } = published()
    const schemas: [at: string, schema: { $ref?: string; items?: { $ref?: string } }][] = rows.flatMap(
      ({ method, path, body, replies }) => {
        const { requestBody, responses } = paths[path][method.toLowerCase()]
        const given = Object.keys(replies).map((status) => [
          `${method} ${path} ${status}`,
          responses[status].content['application/json'].schema,
        ])
        const taken = [`${method} ${path}`, requestBody?.content['application/json'].schema]
        return [...given, ...(body ? [taken] : [])] as [string, { $ref?: string }][]
      },
    )
    assert.ok(schemas.length > rows.length)
    for (const [at, schema] of schemas) {
      const { $ref = '' } = schema.items ?? schema
      assert.ok(
        components.schemas[$ref.replace('#/components/schemas/', '')],
        `${at}: ${JSON.stringify(schema)}`,
      )
    }
    const twice = { title: 'Guest', type: 'object', properties: {} }
    assert.throws(() => namedShapes([twice]), /Two shapes are called Guest/)
  })

  it('describes every tag, and each operation has one', () => {
    const { tags, paths, webhooks } = published()
    const described = (tags as { name: string; description: string }[]).filter(
      ({ description }) => description,
    )
    assert.deepEqual(
      described.map(({ name }) => name),
      [...Object.keys(groups), 'Deliveries'],
    )
    const items: Record<string, { tags: string[] }>[] = [
      ...Object.values(paths),
      ...Object.values(webhooks),
    ] as never
    const used = items.flatMap((item) => Object.values(item).flatMap((operation) => operation.tags))
    assert.deepEqual(new Set(used), new Set(described.map(({ name }) => name)))
  })

  it('a request may name the events of the contract, and no other', () => {
    const { schemas } = published().components
    assert.deepEqual(schemas.EventName.enum, Object.keys(events))
    const named = { $ref: '#/components/schemas/EventName' }
    assert.deepEqual(schemas.EventPattern.enum, [...eventNames, ...eventPatterns])
    assert.equal(schemas.WebhookRequest.properties.events.items.$ref, '#/components/schemas/EventPattern')
    assert.equal(schemas.HookRequest.properties.event.$ref, named.$ref)
    // Lists in answers may grow.
    for (const name of ['WebhookEndpoint', 'NewWebhookEndpoint', 'Hook', 'Delivery']) {
      assert.doesNotMatch(JSON.stringify(schemas[name]), /EventName|"enum"/, name)
    }
  })

  it('is at most 450 KB as it is served', () => {
    const bytes = Buffer.byteLength(JSON.stringify(openApiDocument()))
    assert.ok(bytes <= 450_000, `${bytes}`)
  })

  it('gives no field several types but a type and null, which generators of clients cannot read', () => {
    const several: string[] = []
    const walk = (node: unknown, place: string): void => {
      if (typeof node !== 'object' || node === null) return
      const { type } = node as { type?: unknown }
      if (Array.isArray(type) && type.filter((one) => one !== 'null').length > 1) several.push(place)
      for (const [name, part] of Object.entries(node)) {
        if (name !== 'example' && name !== 'examples') walk(part, `${place}/${name}`)
      }
    }
    walk(published(), '')
    assert.deepEqual(several, [])
  })

  it('defines nothing that nothing references, and references nothing that is not defined', () => {
    const document = published()
    assert.deepEqual(
      referencesOf(document).filter((one) => !resolvedIn(document, { $ref: one })),
      [],
    )
    const used = new Set(referencesOf(document))
    const unused = Object.entries<object>(document.components).flatMap(([group, parts]) =>
      group === 'securitySchemes'
        ? []
        : Object.keys(parts)
            .map((name) => `#/components/${group}/${name}`)
            .filter((one) => !used.has(one)),
    )
    assert.deepEqual(unused, [])
  })

  describe('a part of it by tag', () => {
    it('is self-contained: valid, with its operations and everything they reference', async () => {
      const whole = published()
      for (const { name } of whole.tags) {
        const part = JSON.parse(JSON.stringify(sliceOf(openApiDocument(), name)))
        assert.deepEqual(await new Validator().validate(part), { valid: true }, name)
        assert.deepEqual(
          referencesOf(part).filter((one) => !resolvedIn(part, { $ref: one })),
          [],
          name,
        )
        for (const group of ['paths', 'webhooks'] as const) {
          const expected = Object.entries<Record<string, { tags: string[] }>>(whole[group]).flatMap(
            ([path, item]) =>
              Object.entries(item).flatMap(([method, { tags }]) =>
                tags.includes(name) ? [`${method} ${path}`] : [],
              ),
          )
          const found = Object.entries<object>(part[group]).flatMap(([path, item]) =>
            Object.keys(item).map((method) => `${method} ${path}`),
          )
          assert.deepEqual(found, expected, name)
        }
      }
    })

    it('takes a tag in any letter case, and refuses an unknown one with the list of them', () => {
      const document = openApiDocument()
      assert.deepEqual(sliceOf(document, 'GUESTS'), sliceOf(document, 'Guests'))
      assert.throws(() => sliceOf(document, 'Gusets'), /tag must be one of .*Guests, .* and Deliveries\.$/)
    })
  })

  describe('the webhooks it sends', () => {
    const { webhooks, components } = published()
    const told = [...eventNames, 'ping'] as const

    it('are every event of the contract and the ping, each an operation with its own name', () => {
      assert.deepEqual(Object.keys(webhooks), told)
      for (const event of told) {
        assert.deepEqual(Object.keys(webhooks[event]), ['post'])
        assert.equal(webhooks[event].post.operationId, `on${codeName(event)}`)
      }
      assert.equal(codeName('ticket_order.paid'), 'TicketOrderPaid')
    })

    it('come with the contract’s headers and no API key', () => {
      for (const event of told) {
        const { parameters, security } = webhooks[event].post
        assert.deepEqual(security, [])
        const headers = (parameters as { $ref?: string; name: string }[]).map((one) =>
          one.$ref ? components.parameters[one.$ref.replace('#/components/parameters/', '')] : one,
        )
        assert.deepEqual(
          headers.map(({ name, in: place, required, schema }) => [name, place, required, schema.const]),
          [
            ['X-Service-Event', 'header', true, event],
            ['X-Service-Signature', 'header', true, undefined],
            ['User-Agent', 'header', true, 'Service-Webhooks/1'],
            ['X-Service-Sample', 'header', false, undefined],
            ['webhook-id', 'header', false, undefined],
            ['webhook-timestamp', 'header', false, undefined],
            ['webhook-signature', 'header', false, undefined],
          ],
        )
      }
    })

    it('have the envelope with the record in it, and what is sent fits', () => {
      assert.deepEqual(Object.keys(components.schemas.Delivery.properties), [
        'id',
        'event',
        'occurredAt',
        'venue',
        'data',
        'eventId',
        'record',
        'names',
        'answer',
        'previous',
        'sample',
      ])
      for (const event of told) {
        const { schema } = webhooks[event].post.requestBody.content['application/json']
        const example = JSON.parse(sampleDelivery(event)) as { data: object }
        const shape = Compile({ components, ...schema })
        assert.ok(shape.Check(example), `${event}: ${JSON.stringify(shape.Errors(example)[1])}`)
        const { allOf } = components.schemas[schema.$ref.replace('#/components/schemas/', '')]
        assert.equal(allOf[0].$ref, '#/components/schemas/Delivery')
        assert.deepEqual(allOf[1].properties.event.enum, [event])
        const { properties } = components.schemas[allOf[1].properties.data.$ref.split('/').at(-1)]
        assert.deepEqual(Object.keys(example.data), Object.keys(properties))
        const record = event === 'ping' ? 'PingData' : nodeOf(events[event].data).$id
        assert.equal(allOf[1].properties.data.$ref, `#/components/schemas/${record}`)
      }
      const ids = told.map((event) => (JSON.parse(sampleDelivery(event)) as { id: string }).id)
      assert.equal(new Set(ids).size, told.length)
    })
  })
})

/** Every reference in a document, once each. */
const referencesOf = (document: unknown): string[] => [
  ...new Set([...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to as string)),
]
