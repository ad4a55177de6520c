import { type Endpoint, type Group, groups } from '@venue-data/contract/webhooks/endpoint.ts'
import { type EndpointId, endpoints } from '@venue-data/contract/endpoints.ts'
import { isPaged } from '../../server/platform/http/openapi/openapi.ts'
import { fieldsOf } from './fields.ts'
import { leftOut, operationNames, resources } from './n8n-names.ts'

/* The operations of the n8n node by resource, and what each calls. */

export type Json = Readonly<Record<string, unknown>>

export type Row = Endpoint & { readonly id: EndpointId }

export type Operation = {
  readonly endpoint: Row
  readonly resource: string
  readonly value: string
  readonly name: string
}

const rows: readonly Row[] = (Object.keys(endpoints) as EndpointId[]).map((id) => ({
  ...(endpoints[id] as Endpoint),
  id,
}))

export const camel = (name: string): string =>
  name.charAt(0).toLowerCase() +
  name.slice(1).replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase())

const nameOf = ({ id, method }: Row): string => {
  const named = operationNames[id]
  if (named) return named
  if (id.startsWith('list')) return 'Get Many'
  if (method === 'GET') return 'Get'
  return { POST: 'Create', PATCH: 'Update', DELETE: 'Delete' }[method]
}

export const operations: readonly Operation[] = rows
  .filter(({ id, group }) => resources[group] && !leftOut.includes(id))
  .map((endpoint) => {
    const name = nameOf(endpoint)
    const value = name === 'Get Many' ? 'getAll' : camel(name)
    return { endpoint, resource: camel(resources[endpoint.group] as string), value, name }
  })

export const usedGroups = (): Group[] => (Object.keys(groups) as Group[]).filter((group) => resources[group])
export const resourceOf = (group: Group): string => resources[group] as string

export const callOf = ({ endpoint }: Operation): Json => {
  const { method, path, idempotency, precondition, nullClears, body, bodyOptional } = endpoint
  const fields = fieldsOf(endpoint)
  return {
    method,
    path,
    ...(body && { body: bodyOptional ? 'optional' : 'always' }),
    ...(isPaged(endpoint) && { pages: true }),
    ...(idempotency && { keyed: true }),
    ...(precondition === 'required' && { ifMatch: '*' }),
    fields: fields.map((field) => ({
      name: field.name,
      in: field.in,
      to: field.to,
      ...(!field.required && { of: placeOf(endpoint) }),
      ...(field.type === 'json' && { as: 'json' }),
    })),
    ...(nullClears && { clears: true }),
  }
}

/** The collection that has the fields of an endpoint that may be left out. */
export const placeOf = ({ method }: Endpoint): string =>
  method === 'GET' ? 'filters' : method === 'PATCH' ? 'updateFields' : 'additionalFields'
