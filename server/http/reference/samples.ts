import type { Endpoint } from '@venue-data/contract/endpoint.ts'
import { type Content, type Html, html } from '../../html/html.ts'
import { type SchemaNode, exampleOf, nodeOf } from '../openapi-schema.ts'

/** A panel of code with a caption. */
export const panel = (caption: Content, code: Content): Html =>
  html`<figure class="panel">
    <figcaption><span>${caption}</span></figcaption>
    <pre><code>${code}</code></pre>
  </figure>`

/** A panel of code whose lines are not broken: where they do not fit, they are scrolled. */
export const program = (caption: string, code: string): Html =>
  html`<figure class="panel program">
    <figcaption><span>${caption}</span></figcaption>
    <pre tabindex="0"><code>${code}</code></pre>
  </figure>`

/** A value as indented JSON, its parts marked for the stylesheet. */
export const json = (value: unknown): Html => {
  const text = JSON.stringify(value, null, 2)
  return html`${text.split('\n').map((line, i) => [i > 0 && '\n', jsonLine(line)])}`
}

/** One line of indented JSON: a name and its value, or only one of them, or brackets. */
const jsonLine = (line: string): Content => {
  const found = /^( *)("(?:[^"\\]|\\.)*"(?=: ))?(: )?(.*?)(,?)$/.exec(line)
  const [, indent, name, colon, value = '', comma] = found ?? []
  return [indent, name && html`<span class="j-name">${name}</span>`, colon, jsonValue(value), comma]
}

const jsonValue = (value: string): Content => {
  if (value.startsWith('"')) return html`<span class="j-text">${value}</span>`
  if (/^[-0-9tfn]/.test(value)) return html`<span class="j-plain">${value}</span>`
  return value
}

/** How a person would try an endpoint from a shell. */
export const curl = (baseUrl: string, endpoint: Endpoint): string =>
  [
    `curl ${endpoint.method === 'DELETE' ? '-X DELETE ' : ''}"${baseUrl}${samplePath(endpoint)}"`,
    '-H "X-Service-Key: $API_KEY"',
    endpoint.idempotency && '-H "Idempotency-Key: 5d1f0c1e-2b7a-4e57-9a53"',
    endpoint.body && `--json '${shellQuoted(exampleOf(nodeOf(endpoint.body)))}'`,
    endpoint.method === 'POST' && !endpoint.body && '-X POST',
  ]
    .filter((piece) => typeof piece === 'string')
    .join(' \\\n  ')

const samplePath = ({ path, query = {} }: Endpoint): string => {
  const asked = Object.entries(query).flatMap(([name, shape]) => {
    const { examples, default: usual } = shape as SchemaNode
    const value = examples?.[0] ?? usual
    return value === undefined ? [] : `${name}=${value as string}`
  })
  return path.replaceAll(/\{(\w+)\}/g, '$$$1') + (asked.length > 0 ? `?${asked.join('&')}` : '')
}

const shellQuoted = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll("'", String.raw`'\''`)
