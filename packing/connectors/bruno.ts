import { groups } from '@venue-data/contract/webhooks/endpoint.ts'
import { accessOf, dryRunOf } from '../../server/platform/http/openapi/openapi.ts'
import { type SampleCall, type Word, madeBy, sampleFolders } from './sample-call.ts'

/* The collection for Bruno: a folder for each group of endpoints, a .bru file for each endpoint. */

/** Every file of the collection, by its path within it. */
export const brunoCollection = (): Record<string, string> => ({
  'bruno.json': `${JSON.stringify({ version: '1', name: 'Venue Data API', type: 'collection' }, null, 2)}\n`,
  'collection.bru': blocks([
    ['auth', 'mode: apikey'],
    ['auth:apikey', 'key: X-Service-Key\nvalue: {{key}}\nplacement: header'],
    ['script:pre-request', makeVariables],
    [
      'docs',
      'Choose the environment “local”, put a key of the venue into its secret `key`, and send “Who this key is”.\nRequests that make or list something keep its id for the requests that need one; all of them run from top to bottom.',
    ],
  ]),
  'environments/local.bru': 'vars {\n  baseUrl: http://127.0.0.1:8080\n}\nvars:secret [\n  key\n]\n',
  ...Object.fromEntries(
    sampleFolders().flatMap(({ group, calls }, at) => [
      [
        `${kebab(group)}/folder.bru`,
        blocks([
          ['meta', `name: ${group}\nseq: ${at + 1}`],
          ['docs', groups[group]],
        ]),
      ],
      ...calls.map(
        (call, seq) => [`${kebab(group)}/${kebab(call.endpoint.id)}.bru`, request(call, seq + 1)] as const,
      ),
    ]),
  ),
})

const makeVariables = `const from = (milliseconds) => new Date(Date.now() + milliseconds).toISOString()
${Object.entries(madeBy)
  .map(([key, script]) => `bru.setVar("${key}", ${script})`)
  .join('\n')}`

const request = (call: SampleCall, seq: number): string => {
  const { name, endpoint, path, query, headers, body, keeps } = call
  return blocks([
    ['meta', `name: ${name}\ntype: http\nseq: ${seq}`],
    [
      endpoint.method.toLowerCase(),
      `url: ${address(call)}\nbody: ${body === undefined ? 'none' : 'json'}\nauth: inherit`,
    ],
    ['params:query', query.map(line).join('\n')],
    ['params:path', path.map(({ name, variable }) => `${name}: {{${variable}}}`).join('\n')],
    ['headers', headers.map(line).join('\n')],
    ['body:json', body ?? ''],
    ['script:post-response', keeps ? keepId(keeps) : ''],
    ['tests', isAnswered(call)],
    [
      'docs',
      [endpoint.description, accessOf(endpoint), dryRunOf(endpoint), wordsOf(call)]
        .filter(Boolean)
        .join('\n\n'),
    ],
  ])
}

/** The file's blocks that hold something, one after the other. */
const blocks = (parts: readonly (readonly [name: string, text: string])[]): string =>
  parts
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name} {\n${indented(text)}\n}\n`)
    .join('\n')

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')

const line = ({ name, value, on }: Word): string => `${on ? '' : '~'}${name}: ${value}`

const address = ({ endpoint, query }: SampleCall): string => {
  const asked = query.filter(({ on }) => on).map(({ name, value }) => `${name}=${value}`)
  const place = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')
  return `{{baseUrl}}${place}${asked.length > 0 ? `?${asked.join('&')}` : ''}`
}

const isAnswered = ({ statuses }: SampleCall): string =>
  `test("is answered as the reference says", () => {
  expect(${JSON.stringify(statuses)}).to.include(res.getStatus())
})`

const keepId = ({ variable, from }: NonNullable<SampleCall['keeps']>): string => `const reply = res.getBody()
const found = ${from}
if (found !== undefined) bru.setVar("${variable}", found)`

/** Bruno has no place for what a word means but the page of the request. */
const wordsOf = ({ query, headers }: SampleCall): string =>
  [...query, ...headers].map(({ name, description }) => `- \`${name}\`: ${description}`).join('\n')

/** `createReservation` and `Ticket orders` as names of files. */
const kebab = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll(' ', '-')
    .toLowerCase()
