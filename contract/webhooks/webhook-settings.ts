import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { clearable, inputText, inputWord, moment } from '../shapes.ts'
import {
  EventName,
  WebhookTest,
  endpointId,
  inputDescription,
  inputEvents,
  inputInclude,
  inputPayload,
  inputSignatures,
  inputUrl,
} from './webhook.ts'

/** The settings of a working endpoint that can be changed. */
export const WebhookChanges = Type.Object(
  {
    url: Type.Optional(inputUrl),
    events: Type.Optional(inputEvents),
    description: clearable(inputDescription),
    payload: Type.Optional(inputPayload),
    include: Type.Optional(inputInclude),
    signatures: Type.Optional(inputSignatures),
    status: Type.Optional(
      inputWord(
        `\`paused\`: nothing is sent, and what happens is held for ${limits.deliveryHours} hours. \`active\`: go on, also after failures; what was held comes in the order in which it happened.`,
        ['active', 'paused'],
      ),
    ),
  },
  {
    title: 'WebhookChanges',
    description: 'The settings to change; the others stay as they are.',
    examples: [{ status: 'paused' }],
  },
)

export const RotateSecretRequest = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        description:
          'For how many hours deliveries are also signed with the current secret; 0: not at all. Leave it out only with `replace`.',
        minimum: 0,
        maximum: limits.rotationHours,
      }),
    ),
    replace: Type.Optional(
      Type.Boolean({
        description:
          'Discard the new secret of an open rotation and make another; the previous secret still ends when it was due to.',
      }),
    ),
  },
  {
    title: 'RotateSecretRequest',
    description: 'How long both secrets are used.',
    examples: [{ overlapHours: 24 }],
  },
)

export const SecretRotation = Type.Object(
  {
    id: endpointId,
    secret: Type.String({ description: 'The new secret, shown in this answer and never again.' }),
    previousValidUntil: moment('Until when deliveries are also signed with the previous secret.'),
  },
  {
    title: 'SecretRotationReply',
    description: 'The new secret.',
    examples: [
      {
        id: '0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70',
        secret: 'whsec_Zm9yVGhlRG9jc09ubHlOb3RBUmVhbFNlY3JldDEyMzQ1',
        previousValidUntil: '2026-10-07T15:04:05.120Z',
      },
    ],
  },
)
export type SecretRotation = Static<typeof SecretRotation>

export const SampleRequest = Type.Object(
  {
    event: inputText('Name of an event.', limits.nameCharacters, {
      pattern: '\\S',
      'x-published': EventName,
    }),
  },
  {
    title: 'SampleRequest',
    description: 'The event to send a sample of.',
    examples: [{ event: 'reservation.seated' }],
  },
)

export const SampleReply = Type.Object(
  {
    ...WebhookTest.properties,
    event: Type.String({ description: 'The event of the sample; the list of names may grow.' }),
  },
  {
    title: 'SampleReply',
    description: 'The result of one signed sample. It never counts toward failures.',
    examples: [
      {
        id: '0a6d4a35-4be0-4a3f-9c83-2f4b8f0f6c21',
        event: 'reservation.seated',
        ok: true,
        statusCode: 204,
        error: null,
        durationMs: 41,
      },
    ],
  },
)
