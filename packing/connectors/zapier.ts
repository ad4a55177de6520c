import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { type EventName, eventNames, events } from '@venue-data/contract/webhooks/events.ts'
import { kinds } from '@venue-data/contract/kinds.ts'
import { exampleOf, nodeOf } from '../../server/platform/http/openapi/openapi-schema.ts'
import { type Field, fieldsOf, labelOf } from './fields.ts'

/* What the Zapier app offers: a trigger for each event, an action for each write, and searches. */

type Json = Readonly<Record<string, unknown>>

const rows: readonly Endpoint[] = Object.values(endpoints)

/** The generated files of the app, by their path within it. */
export const zapierFiles = (): Record<string, string> => ({
  'triggers.json': text(eventNames.filter(canBeHooked).map(trigger)),
  'creates.json': text(
    rows
      .filter(({ method, access, path }) => method !== 'GET' && access === 'write' && isOfRecords(path))
      .map(action),
  ),
  'searches.json': text(rows.filter(({ path }) => path.endsWith('/find')).map(action)),
})

const text = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** The keys of an automation platform read no campaigns and manage no endpoints; a doorbell is of no use to them. */
const canBeHooked = (name: EventName): boolean =>
  !['campaigns:read', 'webhooks:manage'].includes(events[name].scope ?? '') && name !== 'changes.available'

const isOfRecords = (path: string): boolean =>
  Object.values(kinds).some((kind) => path === kind.path || path.startsWith(`${kind.path}/`))

const trigger = (event: EventName): Json => {
  const { when, kind, example } = events[event]
  const hasOwnShape = kind && events[event].data === kinds[kind].record
  return {
    key: event.replaceAll('.', '_'),
    event,
    noun: labelOf(kind ? kinds[kind].field : (event.split('.')[0] as string)),
    label: titleOf(event),
    description: `Triggers when ${when.charAt(0).toLowerCase()}${when.slice(1)}`,
    // Where its latest records are, as samples of the venue's own.
    ...(hasOwnShape && { list: kinds[kind].path }),
    sample: example,
  }
}

const action = (endpoint: Endpoint): Json => {
  const {
    id,
    method,
    path,
    group,
    summary,
    description,
    idempotency,
    precondition,
    nullClears,
    body,
    bodyOptional,
  } = endpoint
  const kind = Object.values(kinds).find((one) => path === one.path || path.startsWith(`${one.path}/`))
  const fields = fieldsOf(endpoint)
  const [reply] = Object.values(endpoint.replies)
  const example = exampleOf(nodeOf(reply as NonNullable<typeof reply>))
  return {
    key: id,
    noun: labelOf(kind?.field ?? group),
    label: titleOf(summary),
    description,
    method,
    path,
    ...(body && { body: bodyOptional ? 'optional' : 'always' }),
    ...(idempotency && { keyed: true }),
    ...(idempotency === 'outcome-unknown' && { doubles: true }),
    ...(precondition === 'required' && { ifMatch: '*' }),
    fields: fields.map(({ name, in: place, to }) => ({ key: name, in: place, to })),
    inputFields: [...fields.map(inputField), ...clearing(nullClears, fields), ...keyField(idempotency)],
    sample: Array.isArray(example) ? example[0] : example,
  }
}

const inputField = ({ name, label, description, type, words, required, example }: Field): Json => ({
  key: name,
  label,
  type:
    { 'long-text': 'text', json: 'text', integer: 'integer', boolean: 'boolean' }[type as string] ?? 'string',
  helpText: description,
  required,
  ...(words.length > 0 && { choices: words }),
  ...((type === 'texts' || type === 'words') && { list: true }),
  ...(typeof example === 'string' && words.length === 0 && { placeholder: example }),
})

/** An empty field is left out; which fields to clear is chosen separately. */
const clearing = (nullClears: true | undefined, fields: readonly Field[]): Json[] =>
  nullClears
    ? [
        {
          key: 'clear',
          label: 'Fields to Empty',
          type: 'string',
          helpText: 'The fields to clear.',
          required: false,
          list: true,
          choices: Object.fromEntries(
            fields.filter(({ clearable }) => clearable).map(({ name, label }) => [name, label]),
          ),
        },
      ]
    : []

const keyField = (idempotency: Endpoint['idempotency']): Json[] =>
  idempotency
    ? [
        {
          key: 'idempotencyKey',
          label: 'Idempotency Key',
          type: 'string',
          helpText: `What makes this unique, such as the ID of a form entry: with the same key nothing is done twice within 24 hours.${
            idempotency === 'outcome-unknown'
              ? ' Left empty, a Zap does this with the very same values only once in 24 hours, so that what Zapier tries again is not done twice.'
              : ''
          }`,
          required: false,
        },
      ]
    : []

/** “Request a Reservation”; the small words stay small. */
const titleOf = (words: string): string =>
  words
    .split(/[\s._]+/)
    .map((word, at) =>
      at > 0 && /^(?:a|an|and|for|of|off|on|or|the|that|to|was)$/.test(word) ? word : labelOf(word),
    )
    .join(' ')
