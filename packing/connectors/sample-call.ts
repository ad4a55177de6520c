import { type Endpoint, type Group, groups } from '@venue-data/contract/webhooks/endpoint.ts'
import { type EndpointId, endpoints } from '@venue-data/contract/endpoints.ts'
import { kinds } from '@venue-data/contract/kinds.ts'
import { pathParameters } from '../../server/platform/http/openapi/openapi.ts'
import {
  type SchemaNode,
  exampleOf,
  nodeOf,
  recordOf,
} from '../../server/platform/http/openapi/openapi-schema.ts'

/*
 * One call of an endpoint as a person would first try it: what the collections for Postman and Bruno have in common. Ids
 * and days are variables, written `{{guestId}}`, so that one call goes on with what the one before it made.
 */

/** A word of the query or a header; one that is off is shown and not sent. */
export type Word = {
  readonly name: string
  readonly value: string
  readonly description: string
  readonly on: boolean
}

export type SampleCall = {
  readonly name: string
  readonly endpoint: Endpoint
  /** Names of the path with the variable that fills each. */
  readonly path: readonly { readonly name: string; readonly variable: string }[]
  readonly query: readonly Word[]
  readonly headers: readonly Word[]
  /** As text, since a variable may take the place of a number. */
  readonly body: string | undefined
  /** What of the reply later calls need, as an expression on `reply`. */
  readonly keeps: { readonly variable: string; readonly from: string } | undefined
  /** The statuses that are right when the calls are sent from the first to the last. */
  readonly statuses: readonly number[]
}

const rows: readonly Endpoint[] = Object.values(endpoints)

/**
 * Every call in the folder of its group, in an order that can be sent from top to bottom: what takes something away comes
 * last, and before deliveries are read there is an event.
 */
export const sampleFolders = (): readonly {
  readonly group: Group
  readonly calls: readonly SampleCall[]
}[] =>
  (Object.keys(groups) as Group[]).map((group) => ({
    group,
    calls: rows
      .filter((row) => row.group === group)
      .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
      .flatMap((row) => [...(row.id === 'listDeliveries' ? [somethingDelivered()] : []), sampleCall(row)]),
  }))

/** What is neither an id nor set by hand: generated before each call. */
export const madeVariables = {
  date: 'A Thursday at least a week from now that is not a holiday, YYYY-MM-DD.',
  since: 'This time yesterday.',
} as const

/**
 * The script that makes each, given `from`: the moment so many milliseconds from now, in UTC. The practice venue is closed on
 * Mondays, has private parties on Wednesdays, and seldom anything on Thursdays but the days that are left out here.
 */
export const madeBy: Readonly<Record<keyof typeof madeVariables, string>> = {
  date: `Array.from({ length: 35 }, (_, n) => from((n + 7) * 86400000)).find((day) => new Date(day).getUTCDay() === 4 && !/-(01-01|01-1[0-6]|02-14|07-04|11-2[2-8]|12-2[4-6]|12-31)T/.test(day)).slice(0, 10)`,
  since: 'from(-86400000)',
}

const sampleCall = (endpoint: Endpoint): SampleCall => ({
  name: endpoint.summary,
  endpoint,
  path: pathParameters(endpoint).map((name) => ({
    name,
    variable: name === 'id' ? idVariable(endpoint.path) : name,
  })),
  query: Object.entries(endpoint.query ?? {}).map(([name, shape]) => {
    const node = nodeOf(shape)
    const on = isAsked(endpoint, name, node)
    const value = on && name === 'after' ? '{{changesCursor}}' : wordOf(node)
    return { name, value, description: node.description ?? '', on }
  }),
  headers: [
    ...(endpoint.idempotency ? [idempotencyKey] : []),
    ...(endpoint.precondition ? [ifMatch(endpoint.precondition === 'required')] : []),
  ],
  body: endpoint.body && bodyText(endpoint, exampleOf(nodeOf(endpoint.body))),
  keeps: kept(endpoint),
  statuses: [
    ...Object.keys(endpoint.replies).map(Number),
    ...(refusedAtFirst[endpoint.id as EndpointId] ?? []),
  ],
})

/** What the calls before have not led up to, and how it is refused then. */
const refusedAtFirst: { readonly [id in EndpointId]?: readonly number[] } = {
  // One press reads a page of the first copy, not all of it.
  digestChanges: [409],
  getReservationChange: [404],
  withdrawReservationChange: [404],
  requestRefund: [409],
  // On an evening on which the venue is closed.
  joinWaitlist: [409],
  // Until the owner allows it, and until somebody is erased.
  rotateKey: [403],
  createCheckout: [403],
  getCheckout: [403, 404],
  expireCheckout: [403, 404],
  confirmErasure: [404],
}

const somethingDelivered = (): SampleCall => ({
  ...sampleCall(endpoints.createReservation),
  name: 'Request a reservation, which is delivered',
})

const idempotencyKey: Word = {
  name: 'Idempotency-Key',
  value: '{{$guid}}',
  description: 'New with every send. To retry a call, put in the key that was sent and send the same body.',
  on: true,
}

const ifMatch = (on: boolean): Word => ({
  name: 'If-Match',
  value: '*',
  description: 'The ETag of the record as you read it, or * for any version.',
  on,
})

/** What cannot be left out, by the examples; somebody is found by an address. The rest is there to be switched on. */
const isAsked = ({ path, queryRequired }: Endpoint, name: string, { examples }: SchemaNode): boolean =>
  queryRequired ? examples !== undefined : path.endsWith('/find') && name === 'email'

const wordOf = ({ examples, default: usual }: SchemaNode): string => {
  const value = examples?.[0] ?? usual ?? ''
  return withDays(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Examples have days that pass; this one can be booked. */
const withDays = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '{{since}}')
    .replaceAll(/(?<![\d-])\d{4}-\d\d-\d\d(?![\d-])/g, '{{date}}')

/** The example of a body, with variables for the ids of records. */
const bodyText = ({ path }: Endpoint, example: unknown): string =>
  withDays(JSON.stringify(example, null, 2))
    .replace(/^( {2}"id": )\d+/m, `$1{{${idVariable(path)}}}`)
    .replace(/^( {2}"occurrenceId": )\d+/m, '$1{{occurrenceId}}')
    .replace(/^( {2}"confirmCount": )\d+/m, '$1{{recipientsTotal}}')

/** Variables for what is no kind of record, by where it is. */
const otherIds: Readonly<Record<string, string>> = {
  batches: 'batchId',
  erasures: 'erasureId',
  hooks: 'hookId',
  occurrences: 'occurrenceId',
  webhooks: 'webhookId',
}

/** The variable for the id of what is at a path or below it. */
const idVariable = (path: string): string => {
  const kind = Object.values(kinds).find((one) => path === one.path || path.startsWith(`${one.path}/`))
  if (kind) return `${kind.field}Id`
  const [, , , place = ''] = path.split('/')
  return otherIds[place] ?? ''
}

const kept = (endpoint: Endpoint): SampleCall['keeps'] => {
  const { id, path, replies } = endpoint
  if (id === 'composeCampaign') return { variable: 'recipientsTotal', from: 'reply?.recipientsTotal' }
  // Of a copy that is read to its end.
  if (id === 'listChanges') return { variable: 'changesCursor', from: 'reply?.next' }
  if (id === 'listDeliveries') return { variable: 'deliveryId', from: 'reply?.[0]?.id' }
  const variable = idVariable(path)
  if (variable === '' || pathParameters(endpoint).length > 0) return undefined
  const from = Object.values(replies).flatMap((reply) => idIn(nodeOf(reply)) ?? [])[0]
  return from === undefined ? undefined : { variable, from: `reply${from}` }
}

/** Where a reply has the id of its record, or of its first one. */
const idIn = (node: SchemaNode): string | undefined => {
  const { properties = {}, items } = recordOf(node) ?? node
  if (items) {
    const found = idIn(items)
    return found && `?.[0]${found}`
  }
  if ('id' in properties) return '?.id'
  for (const [name, part] of Object.entries(properties)) {
    const inside = recordOf(part) ?? part
    const found = inside.properties?.['id'] || recordOf(inside.items ?? {}) ? idIn(inside) : undefined
    if (found) return `?.${name}${found}`
  }
  return undefined
}
