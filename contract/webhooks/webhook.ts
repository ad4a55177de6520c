import { type Static, Type } from 'typebox'
import { type EventName as Name, eventNames, eventPatterns } from './events.ts'
import { limits } from '../limits.ts'
import { came, inputName, inputText, inputWord, moment, momentOrNull, record, textOrNull } from '../shapes.ts'
import {
  deliveryIncludes,
  deliveryPayloads,
  deliverySignatures,
  disabledReasons,
  webhookStatuses,
} from './webhook-states.ts'

/** The names a request may use. */
export const EventName = Type.Unsafe<Name>({
  title: 'EventName',
  type: 'string',
  enum: eventNames,
  description: 'An event that can be subscribed to. Names may be added within version 1.',
  examples: ['reservation.created'],
})

export const EventPattern = Type.Unsafe<string>({
  title: 'EventPattern',
  type: 'string',
  enum: [...eventNames, ...eventPatterns],
  description:
    'An event, or several: `reservation.*` is every reservation event, `*` every event except `changes.available`; both include names added later. Names may be added within version 1.',
  examples: ['reservation.created', 'guest.*'],
})

const url = Type.String({ description: 'The address events are sent to.' })
const eventList = Type.Array(Type.String(), {
  description: 'Names of the events it receives; the list of names may grow.',
  examples: [['reservation.created', 'reservation.cancelled']],
})
const status = Type.String({
  description: `\`active\` when working, \`paused\` while your software or the owner has paused it. One of ${webhookStatuses.map((one) => `\`${one}\``).join(', ')}; the list may grow.`,
  examples: [...webhookStatuses],
})
const createdAt = moment('When it was made.')
export const endpointId = Type.String({ description: 'Identifier of the endpoint, in UUID form.' })

const since = '2026-11-23'

/** One or more of a few words, which may grow. */
const someOf = (description: string, words: readonly string[], example: readonly string[]) =>
  Type.Array(Type.String(), {
    description: `${description} The list may grow.`,
    examples: [example, words],
  })

export const WebhookEndpoint = record(
  'WebhookEndpoint',
  'An address that receives events. Its secret is never shown again.',
  {
    id: '0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70',
    url: 'https://hooks.example.com/bookings',
    events: ['reservation.created', 'reservation.cancelled'],
    status: 'active',
    disabledReason: null,
    failureCount: 0,
    lastDeliveryAt: '2026-10-06T15:04:06.002Z',
    lastDeliveryStatus: 'ok 204',
    createdAt: '2026-10-01T09:30:00.000Z',
    description: 'Bookings to the till',
    payload: 'full',
    include: [],
    signatures: ['service'],
    pausedAt: null,
    secretRotatesUntil: null,
    revision: 1,
    successRate24h: 0.98,
    waitingCount: 0,
    oldestWaitingAt: null,
  },
  {
    id: endpointId,
    url,
    events: eventList,
    status,
    disabledReason: textOrNull(
      `Why it was switched off. One of ${disabledReasons.map((one) => `\`${one}\``).join(', ')}; the list may grow.`,
      { examples: [...disabledReasons] },
    ),
    failureCount: Type.Integer({ description: 'Failed deliveries in a row; a success sets it back to 0.' }),
    lastDeliveryAt: momentOrNull('When the last attempt was made.'),
    lastDeliveryStatus: textOrNull(
      'How the last attempt ended: `ok 204`, `HTTP 500`, or without an answer `timeout`, `connection failed`, `tls failed`, `address refused`, `name not found`.',
    ),
    createdAt,
    description: came(since, textOrNull('What it is for, in your own words.')),
    payload: came(
      since,
      Type.String({
        description:
          '`full`: `data` is the record. `thin`: `data` is its `id` and nothing else. The list may grow.',
        examples: [...deliveryPayloads],
      }),
    ),
    include: came(
      since,
      someOf(
        'What deliveries also contain: `previous` has the old values of the fields that changed.',
        deliveryIncludes,
        [],
      ),
    ),
    signatures: came(
      since,
      someOf(
        'How deliveries are signed: `service` is `X-Service-Signature`, `standard` adds the three headers of Standard Webhooks.',
        deliverySignatures,
        ['service'],
      ),
    ),
    pausedAt: came(since, momentOrNull('When it was paused.')),
    secretRotatesUntil: came(
      since,
      momentOrNull(
        'Until when deliveries are also signed with the previous secret; `null`: there is only one.',
      ),
    ),
    revision: Type.Integer({
      minimum: 1,
      description:
        'Counts the changes of its settings and its status, from 1; deliveries do not count. It never goes down.',
      'x-since': since,
    }),
    successRate24h: came(
      since,
      Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description: `The share of attempts in the last 24 hours that were answered 2xx, from 0 to 1; of the newest ${limits.triesOfRate.toLocaleString('en-US')} attempts at most. \`null\`: there were none.`,
      }),
    ),
    waitingCount: came(
      since,
      Type.Integer({
        description: `Deliveries with an attempt still to come, including failed ones; ${limits.waitingCounted.toLocaleString('en-US')} means that many or more.`,
      }),
    ),
    oldestWaitingAt: came(since, momentOrNull('When the event of the oldest waiting delivery happened.')),
  },
)
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

export const NewWebhookEndpoint = record(
  'NewWebhookEndpoint',
  'A new endpoint, with the secret its deliveries are signed with, shown in this answer and never again.',
  {
    id: '0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70',
    url: 'https://hooks.example.com/bookings',
    events: ['reservation.created', 'reservation.cancelled'],
    status: 'active',
    createdAt: '2026-10-01T09:30:00.000Z',
    secret: 'whsec_Zm9yVGhlRG9jc09ubHlOb3RBUmVhbFNlY3JldDEyMzQ1',
  },
  {
    id: endpointId,
    url,
    events: eventList,
    status,
    createdAt,
    secret: Type.String({
      description: 'Key of the signature, beginning `whsec_`. Keep it; it cannot be shown again.',
    }),
  },
)
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>

export const inputUrl = inputName(
  'Where to send: https, the standard port, a public domain name; no IP address, no user name or password.',
  limits.urlCharacters,
)

export const inputEvents = Type.Array(Type.String({ 'x-published': EventPattern }), {
  description:
    'Names from the table of events, or `reservation.*` and the like, or `*`. One change comes once, under the most specific of these names.',
  minItems: 1,
  maxItems: limits.eventsOfEndpoint,
})

export const inputDescription = inputText('What it is for, in your own words.')

export const inputPayload = inputWord(
  '`thin` for a receiver that must not keep personal data: `data` is the `id` alone.',
  deliveryPayloads,
)

/** Values of a short closed list, each at most once. */
const inputSome = (description: string, words: readonly string[], minItems: 0 | 1) =>
  Type.Array(Type.String({ 'x-published': Type.Unsafe<string>({ type: 'string', enum: [...words] }) }), {
    description,
    minItems,
    maxItems: words.length,
  })

export const inputInclude = inputSome(
  '`previous`: deliveries of changes also have the old values of the fields that changed. That sends old contact details once more; a `thin` payload leaves it out.',
  deliveryIncludes,
  0,
)

export const inputSignatures = inputSome(
  '`service` always; add `standard` for Standard Webhooks libraries.',
  deliverySignatures,
  1,
)

export const WebhookRequest = Type.Object(
  {
    url: inputUrl,
    events: inputEvents,
    description: Type.Optional(inputDescription),
    payload: Type.Optional(inputPayload),
    include: Type.Optional(inputInclude),
    signatures: Type.Optional(inputSignatures),
  },
  {
    title: 'WebhookRequest',
    description: 'An address and the events it receives.',
    examples: [
      { url: 'https://hooks.example.com/bookings', events: ['reservation.created', 'reservation.cancelled'] },
    ],
  },
)

export const WebhookTest = Type.Object(
  {
    id: Type.String({ description: 'Id of this delivery.' }),
    event: Type.Literal('ping', { description: 'Always `ping`, which only this endpoint sends.' }),
    ok: Type.Boolean({ description: 'Whether the answer was 2xx.' }),
    statusCode: Type.Integer({ description: 'Status of the answer; 0 when there was none.' }),
    error: textOrNull('`HTTP <status>`, or why there was no answer.'),
    durationMs: Type.Integer({ description: 'How long it took, in milliseconds.' }),
  },
  {
    title: 'WebhookTestReply',
    description: 'The result of one signed `ping`. It never counts toward failures.',
    examples: [
      {
        id: '5c1f7a90-93b5-4b8e-a7a3-6f0d2f1b7e44',
        event: 'ping',
        ok: false,
        statusCode: 500,
        error: 'HTTP 500',
        durationMs: 182,
      },
    ],
  },
)

export const Deleted = Type.Object(
  {
    id: Type.String({ description: 'What was deleted.' }),
    deleted: Type.Literal(true, { description: 'It is gone.' }),
  },
  {
    title: 'DeletedReply',
    description: 'It is gone; deliveries stopped at once.',
    examples: [{ id: '0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70', deleted: true }],
  },
)

export const Hook = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the hook.' }),
    event: Type.String({ description: 'The event it listens to; the list of names may grow.' }),
    targetUrl: Type.String({ description: 'Where the record is sent.' }),
  },
  {
    title: 'Hook',
    description: "A hook of the venue's automation platform.",
    examples: [
      {
        id: '0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70',
        event: 'reservation.created',
        targetUrl: 'https://hooks.zapier.com/hooks/standard/1/abc/',
      },
    ],
  },
)

export const HookRequest = Type.Object(
  {
    event: inputText('Name of an event.', limits.nameCharacters, {
      pattern: '\\S',
      'x-published': EventName,
    }),
    targetUrl: inputName("An address on the automation platform's hook host.", limits.urlCharacters),
  },
  {
    title: 'HookRequest',
    description: 'The event to listen to, and where to send its record.',
    examples: [{ event: 'reservation.created', targetUrl: 'https://hooks.zapier.com/hooks/standard/1/abc/' }],
  },
)
