import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { type Content, type Html, html } from '../../html/html.ts'
import { accessOf, dryRunOf, endOf, pathParameters } from '../openapi/openapi.ts'
import { type SchemaNode, exampleOf, nodeOf, recordOf } from '../openapi/openapi-schema.ts'
import { type RefusalCase, refusalCases } from '../openapi/refusal-cases.ts'
import { type Field, fieldList, fieldsOf } from './fields.ts'
import { requestPanel } from './languages.ts'
import { placeOf } from './places.ts'
import { json, panel } from './samples.ts'
import { anchorOf, part, prose, spaced } from './words.ts'

/** One endpoint: its purpose, input, answers and refusals. */
export const endpointPart = (baseUrl: string, endpoint: Endpoint): Html =>
  part(
    { id: anchorOf(endpoint.id) },
    endpoint.summary,
    [
      html`<p class="address">${methodBadge(endpoint.method)} <code>${endpoint.path}</code></p>`,
      html`<p>${prose(endpoint.description)}</p>`,
      html`<p class="access">${prose(accessOf(endpoint))}</p>`,
      endpoint.dryRun && html`<p>${prose(dryRunOf(endpoint) ?? '')}</p>`,
      endpoint.deprecated && html`<p>${prose(endOf(endpoint) ?? '')}</p>`,
      taken('Path', pathFields(endpoint)),
      taken('Query', queryFields(endpoint)),
      taken('Header', [
        ...(endpoint.idempotency ? [idempotencyKey] : []),
        ...(endpoint.tagged ? [ifNoneMatch] : []),
        ...(endpoint.precondition ? [ifMatch(endpoint.precondition)] : []),
      ]),
      endpoint.body && taken('Body', fieldsOf(nodeOf(endpoint.body), true)),
      html`<h3 class="minor">Replies</h3>
        ${replies(endpoint).map(([status, node]) => reply(status, node))}`,
      html`<h3 class="minor">Refusals</h3>
        ${refusals(endpoint)}`,
    ],
    [
      requestPanel(baseUrl, endpoint),
      replies(endpoint).map(([status, node]) =>
        panel(html`Reply ${statusBadge(status)}`, json(exampleOf(node))),
      ),
    ],
  )

export const methodBadge = (method: Endpoint['method']): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`

export const statusBadge = (status: number): Html =>
  html`<span class="status s${Math.floor(status / 100)}">${status}</span>`

const taken = (title: string, fields: readonly Field[]): Content =>
  fields.length > 0 &&
  html`<h3 class="minor">${title}</h3>
    ${fieldList(fields)}`

const pathFields = (endpoint: Endpoint): Field[] =>
  pathParameters(endpoint).map((name) => ({
    name,
    node: {
      type: endpoint.params ? 'integer' : 'string',
      description: `The \`${name}\` of the record.`,
    },
    mark: 'required',
  }))

const queryFields = ({ query = {}, queryRequired = [] }: Endpoint): Field[] =>
  Object.entries(query).map(([name, shape]) => ({
    name,
    node: nodeOf(shape),
    mark: queryRequired.includes(name) ? 'required' : 'optional',
  }))

const idempotencyKey: Field = {
  name: 'Idempotency-Key',
  node: {
    type: 'string',
    description: 'Any unique text, so that a retry does nothing twice.',
    maxLength: limits.idempotencyKeyCharacters,
  },
  mark: 'optional',
}

const ifMatch = (precondition: NonNullable<Endpoint['precondition']>): Field => ({
  name: 'If-Match',
  node: {
    type: 'string',
    description:
      'The `ETag` of the record as you read it, its `revision` in quotes, or `*` for any version. 412 if it has changed since.',
  },
  mark: precondition,
})

const ifNoneMatch: Field = {
  name: 'If-None-Match',
  node: {
    type: 'string',
    description: 'The `ETag` of an earlier answer: 304 without a body while nothing has changed.',
  },
  mark: 'optional',
}

const replies = (endpoint: Endpoint): [number, SchemaNode][] =>
  Object.entries(endpoint.replies).map(([status, shape]) => [Number(status), nodeOf(shape)])

const reply = (status: number, node: SchemaNode): Html =>
  html` <div class="reply">
    <p>${statusBadge(status)} ${whatComes(node)}</p>
    ${node.properties && fieldList(fieldsOf(node, false))}
  </div>`

const whatComes = (node: SchemaNode): Content => {
  const record = recordOf(node.items ?? node)
  const words = node.description !== undefined && prose(node.description)
  if (!record) return words
  const link = html`<a href="${placeOf(`record-${anchorOf(record.$id ?? '')}`)}">${spaced(record.$id ?? '')}</a>`
  return node.items ? [html`Array of ${link}. `, words] : html`${link}.`
}

const refusals = (endpoint: Endpoint): Html => {
  const cases = refusalCases(endpoint)
  const own = cases.filter(({ everywhere }) => !everywhere)
  const common = cases.filter(({ everywhere }) => everywhere).map(({ status }) => status)
  return html`${own.length > 0 && refusalList(own)}
    <p class="common">
      As everywhere: ${[...new Set(common)].map((status, i) => [i > 0 && ' ', statusBadge(status)])}, see
      <a href="${placeOf('errors')}">Errors</a>.
    </p>`
}

/** Refusals by status, each with the sentence the service sends. */
export const refusalList = (cases: readonly RefusalCase[]): Html =>
  html`<dl class="refusals">
    ${cases.map(
      ({ status, reason, when, sentence }) =>
        html` <div>
          <dt>${statusBadge(status)}</dt>
          <dd>
            ${reason !== undefined && html`<p class="reason"><a href="${placeOf(`reason-${reason}`)}">${reason}</a></p>`}
            <p>${prose(when)}</p>
            ${sentence !== undefined && html`<p class="says">“${sentence}”</p>`}
          </dd>
        </div>`,
    )}
  </dl>`
