import { groups } from '@venue-data/contract/webhooks/endpoint.ts'
import { accessOf, dryRunOf } from '../../server/platform/http/openapi/openapi.ts'
import { exampleOf, nodeOf } from '../../server/platform/http/openapi/openapi-schema.ts'
import { type SampleCall, type Word, madeBy, madeVariables, sampleFolders } from './sample-call.ts'

/* The collection for Postman, in its format 2.1: a folder for each group of endpoints, a request for each endpoint. */

type Json = Record<string, unknown>

export const postmanCollection = (): Json => {
  const folders = sampleFolders()
  return {
    info: {
      // The same in every release, so that Postman updates a collection instead of adding another.
      _postman_id: '7f0a8e52-3c1d-4b0e-9d64-5a2f0c8b1e37',
      name: 'Venue Data API',
      description:
        'Set the variables `baseUrl` and `key`, then send “Who this key is”. Requests that make or list something keep its id for the requests that need one; all of them run from top to bottom.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-Service-Key', type: 'string' },
        { key: 'value', value: '{{key}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: variables(folders.flatMap(({ calls }) => calls)),
    event: [script('prerequest', makeVariables)],
    item: folders.map(({ group, calls }) => ({
      name: group,
      description: groups[group],
      item: calls.map(item),
    })),
  }
}

const makeVariables = [
  'const from = (milliseconds) => new Date(Date.now() + milliseconds).toISOString()',
  ...Object.entries(madeBy).map(([key, script]) => `pm.collectionVariables.set('${key}', ${script})`),
]

const variables = (calls: readonly SampleCall[]): Json[] => [
  { key: 'baseUrl', value: 'http://127.0.0.1:8080', description: 'Where the service is, without /api/v1.' },
  { key: 'key', value: '', description: 'An API key of the venue. Keep it out of what you share.' },
  ...Object.entries(madeVariables).map(([key, description]) => ({ key, value: '', description })),
  ...[
    ...new Set(
      calls.flatMap(({ path, keeps }) => [
        ...path.map(({ variable }) => variable),
        ...(keeps ? [keeps.variable] : []),
      ]),
    ),
  ].map((key) => ({ key, value: '1', description: 'Kept from the last reply that has one.' })),
]

const item = (call: SampleCall): Json => {
  const { name, endpoint, keeps } = call
  return {
    name,
    event: [script('test', [...isAnswered(call), ...(keeps ? keepId(keeps) : [])])],
    request: {
      method: endpoint.method,
      description: [endpoint.description, accessOf(endpoint), dryRunOf(endpoint)]
        .filter(Boolean)
        .join('\n\n'),
      header: [
        ...(call.body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...call.headers.map(pair),
      ],
      url: url(call),
      ...(call.body !== undefined && {
        body: { mode: 'raw', raw: call.body, options: { raw: { language: 'json' } } },
      }),
    },
    response: Object.entries(endpoint.replies).map(([status, reply]) => ({
      name: `${status} ${nodeOf(reply).title ?? ''}`.trimEnd(),
      originalRequest: { method: endpoint.method, header: [], url: url(call) },
      code: Number(status),
      _postman_previewlanguage: 'json',
      header: [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }],
      body: JSON.stringify(exampleOf(nodeOf(reply)), null, 2),
    })),
  }
}

const isAnswered = ({ statuses }: SampleCall): string[] => [
  "pm.test('is answered as the reference says', () => {",
  `  pm.expect(${JSON.stringify(statuses)}).to.include(pm.response.code)`,
  '})',
]

const keepId = ({ variable, from }: NonNullable<SampleCall['keeps']>): string[] => [
  'const reply = pm.response.json()',
  `const found = ${from}`,
  `if (found !== undefined) pm.collectionVariables.set('${variable}', found)`,
]

const script = (listen: 'prerequest' | 'test', exec: readonly string[]): Json => ({
  listen,
  script: { type: 'text/javascript', exec },
})

const pair = ({ name, value, description, on }: Word): Json => ({
  key: name,
  value,
  description,
  ...(!on && { disabled: true }),
})

const url = ({ endpoint, path, query }: SampleCall): Json => {
  const place = endpoint.path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1')
  const asked = query.filter(({ on }) => on).map(({ name, value }) => `${name}=${value}`)
  return {
    raw: `{{baseUrl}}/${place}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
    host: ['{{baseUrl}}'],
    path: place.split('/'),
    ...(query.length > 0 && { query: query.map(pair) }),
    ...(path.length > 0 && {
      variable: path.map(({ name, variable }) => ({ key: name, value: `{{${variable}}}` })),
    }),
  }
}
