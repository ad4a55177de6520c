import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Chapter } from '../walk.ts'
import { rows } from '../rows.ts'

/** What a body must be before anything in it is looked at, and how its fields are read. */

const withBody = rows.filter(({ body }) => body !== undefined)
const requestOf = ({ method, path }: Endpoint): string => `${method} ${path}`
const tasks = 'POST /api/v1/tasks'

export const bodies: Chapter = {
  name: 'bodies',
  take: async ({ ask, askEach, venue: makeVenue }) => {
    const { key } = await makeVenue()
    const everyBody = withBody.map(requestOf)
    await askEach('no body', everyBody, { key })
    await askEach('no JSON', everyBody, { key, body: '{' })
    await askEach('an empty object', everyBody, { key, body: {} })
    await askEach('a body over 16 KB', everyBody, {
      key,
      body: { padding: 'x'.repeat(limits.webhookBodyBytes) },
    })
    await askEach('a body over 64 KB', everyBody, { key, body: { padding: 'x'.repeat(limits.bodyBytes) } })
    await askEach('a body over 1 MB', everyBody, {
      key,
      body: { padding: 'x'.repeat(limits.campaignBodyBytes) },
    })

    const read = (title: string, body: unknown, headers = {}) => ask(title, tasks, { key, body, headers })
    const title = 'Call Maya'
    const bare = JSON.stringify({ title, padding: '' }).length
    await read('64 KB and not a byte more', { title, padding: 'x'.repeat(limits.bodyBytes - bare) })
    await read('a list', '[]')
    await read('a text', '"title"')
    await read('null', 'null')
    await read('a comma too many', '{"title":"Call Maya",}')
    await read('bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))
    await read('the character U+0000', '{"title":"\\u0000"}')
    await read('half of a surrogate pair', '{"title":"Call \\ud800"}')
    await read('nested too deep', `{"a":${'['.repeat(32)}${']'.repeat(32)}}`)
    await read('a form', 'title=Call', { 'content-type': 'application/x-www-form-urlencoded' })
    await read('a form with files', '--x--', { 'content-type': 'multipart/form-data; boundary=x' })
    await read('another charset', { title }, { 'content-type': 'application/json; charset=utf-16' })
    await read('packed', { title }, { 'content-encoding': 'gzip' })
    await read('JSON by its name', { title }, { 'content-type': 'application/json; charset=utf-8' })
    await read('JSON by another name', { title }, { 'content-type': 'text/plain' })
    await read('unknown fields, null and an empty text', { title, color: 'red', due: null, client: '' })
    await read('text where a number would be read', { title: 5 })
    await read('nothing but blanks', { title: ' ' })
    await read('a text that is too long', { title: 'x'.repeat(limits.titleCharacters + 1) })
    await read('more than ASCII', { title: 'Zoë 👩🏽‍🍳', client: 'שלום <b>&amp;</b>' })

    await ask('a body on a GET', 'GET /api/v1/me', { key, body: '{' })
    const deletes = rows.filter(({ method, body }) => method !== 'GET' && body === undefined)
    const taking = deletes.map((row) => requestOf(row).replaceAll(/\{\w+\}/g, '1'))
    await askEach('a body that cannot be read where none is taken', taking, { key, body: '{' })
    await askEach('a body that is too large where none is taken', taking, { key, body: 'x'.repeat(70_000) })
    await askEach('a form where no body is taken', taking, {
      key,
      body: 'a=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    await askEach('JSON where no body is taken', taking, { key, body: {} })
  },
}
