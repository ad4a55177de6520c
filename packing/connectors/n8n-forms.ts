import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { isPaged } from '../../server/platform/http/openapi/openapi.ts'
import { type Field, fieldsOf } from './fields.ts'
import { actionNames } from './n8n-names.ts'
import { type Json, type Operation, placeOf } from './n8n-operations.ts'
import { propertyOf } from './n8n-property.ts'
import { byName, sorted, unlessSaid } from './n8n-words.ts'

/* The forms of the operations of a resource. */

const collections: Readonly<Record<string, readonly [name: string, placeholder: string]>> = {
  filters: ['Filters', 'Add Filter'],
  updateFields: ['Update Fields', 'Add Field'],
  additionalFields: ['Additional Fields', 'Add Field'],
}

export const operationProperty = (resource: string, some: readonly Operation[]): Json => ({
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  displayOptions: { show: { resource: [resource] } },
  options: byName(
    some.map(({ endpoint, name, value }) => ({
      name,
      value,
      ...unlessSaid(name, endpoint.summary),
      action: actionNames[endpoint.id] ?? endpoint.summary,
    })),
  ),
  // Somebody who presses Execute right away reads something and changes nothing.
  default: some.find(({ endpoint }) => endpoint.method === 'GET')?.value ?? some[0]?.value,
})

export const propertiesOf = (operation: Operation): Json[] => {
  const { endpoint, resource, value } = operation
  const displayOptions = { show: { resource: [resource], operation: [value] } }
  const fields = fieldsOf(endpoint)
  const optional = fields.filter(({ required }) => !required)
  const [name, placeholder] = collections[placeOf(endpoint)] as readonly [string, string]
  return [
    ...fields
      .filter(({ required }) => required)
      .map((field) => ({ ...propertyOf(resource, field), required: true, displayOptions })),
    ...(isPaged(endpoint) ? paging(displayOptions) : []),
    ...(optional.length > 0
      ? [
          {
            displayName: name,
            name: placeOf(endpoint),
            type: 'collection',
            placeholder,
            default: {},
            displayOptions,
            options: sorted(
              optional.map((field) => propertyOf(resource, field)),
              'displayName',
            ),
          },
        ]
      : []),
    ...clearing(endpoint, fields, displayOptions),
    ...options(endpoint, displayOptions),
  ]
}

const paging = (displayOptions: Json): Json[] => [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    displayOptions,
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { ...(displayOptions['show'] as Json), returnAll: [false] } },
  },
]

/** In n8n an empty field is left out; which fields to clear is chosen separately. */
const clearing = ({ nullClears }: Endpoint, fields: readonly Field[], displayOptions: Json): Json[] =>
  nullClears
    ? [
        {
          displayName: 'Fields to Empty',
          name: 'clear',
          type: 'multiOptions',
          default: [],
          description: 'The fields to clear',
          displayOptions,
          options: byName(
            fields
              .filter(({ clearable }) => clearable)
              .map(({ label, name }) => ({ name: label, value: name })),
          ),
        },
      ]
    : []

const options = ({ idempotency, precondition }: Endpoint, displayOptions: Json): Json[] => {
  const some = [
    ...(idempotency
      ? [
          {
            displayName: 'Idempotency Key',
            name: 'idempotencyKey',
            type: 'string',
            default: '',
            description:
              'Set it to what makes this unique in your own software, such as the ID of a form entry, and nothing is done twice, however often the workflow runs within 24 hours. Without it each item of an execution has a key of its own, which “Retry On Fail” keeps.',
          },
        ]
      : []),
    ...(precondition
      ? [
          {
            displayName: 'If-Match',
            name: 'ifMatch',
            type: 'string',
            default: '',
            placeholder: '"1.IG6m"',
            description:
              'The ETag of the record as you read it: if it has changed since, nothing is done. Empty: any version.',
          },
        ]
      : []),
  ]
  return some.length === 0
    ? []
    : [
        {
          displayName: 'Options',
          name: 'options',
          type: 'collection',
          placeholder: 'Add option',
          default: {},
          displayOptions,
          options: some,
        },
      ]
}
