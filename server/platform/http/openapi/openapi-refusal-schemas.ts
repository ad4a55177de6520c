import { OpenTime } from '@venue-data/contract/records/availability.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { faults } from '@venue-data/contract/reasons.ts'
import { nodeOf, publishedSchema, schemaRef } from './openapi-schema.ts'

/* The two forms of a refusal's body: plain, and as problem details. */

/** The plain form. */
export const refusalSchema = {
  title: 'Refusal',
  description: 'The answer to a request that was refused.',
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'One plain sentence, written for a person.' },
    reason: {
      type: 'string',
      description:
        'A short stable code, where a program may act on the kind of refusal. The list may grow: treat an unknown one like its status.',
    },
    mergedInto: {
      type: 'integer',
      description: 'With `merged`: the id of the record that the one you asked for was merged into.',
    },
    stages: {
      type: 'array',
      description: "With `unknown-stage`: the stages of the venue's pipeline, in order.",
      items: { type: 'string' },
    },
    current: {
      type: 'object',
      description: 'With `changed-meanwhile`: the record as it is now.',
    },
    blockers: {
      type: 'array',
      description: 'With `checklist-blocked`: everything that keeps the campaign from being sent.',
      items: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', description: 'Which check; the list may grow.' },
          message: { type: 'string', description: 'One plain sentence.' },
        },
      },
    },
    alternatives: {
      type: 'array',
      description:
        'With the reason of a booking rule, where the request asked for them: open times, nearest first. Absent when finding them took too long.',
      items: publishedSchema(nodeOf(OpenTime)),
    },
  },
}

/** Each names one of the three kinds of location. */
const wrongPlaceSchema = {
  type: 'object',
  required: ['reason', 'detail'],
  properties: {
    pointer: { type: 'string', description: 'A field of the body, as a JSON pointer: `#/consent/at`.' },
    parameter: { type: 'string', description: 'A query parameter.' },
    header: { type: 'string', description: 'A header.' },
    reason: {
      type: 'string',
      description: `What is wrong there; the list may grow. ${Object.entries(faults)
        .map(([fault, means]) => `\`${fault}\`: ${means}`)
        .join('; ')}.`,
    },
    detail: { type: 'string', description: 'One plain sentence.' },
  },
}

export const problemSchema = {
  title: 'Problem',
  description:
    'The answer to a request that was refused, for callers that name `application/problem+json` in `Accept` (RFC 9457). It says all that the plain form says, and more.',
  allOf: [
    schemaRef('Refusal'),
    {
      type: 'object',
      required: ['type', 'title', 'status', 'detail', 'instance'],
      properties: {
        type: {
          type: 'string',
          format: 'uri-reference',
          description:
            'Where the reference describes this kind of refusal; `about:blank` if the status says it all.',
        },
        title: { type: 'string', description: 'The kind of refusal in a few words.' },
        status: { type: 'integer', description: 'The status of the answer.' },
        detail: { type: 'string', description: 'The sentence of `error`.' },
        instance: { type: 'string', description: 'This request: `urn:request:` and its X-Request-Id.' },
        errors: {
          type: 'array',
          maxItems: limits.wrongFieldsMost,
          description: 'Of a 400: every place of the request that is wrong, that of `detail` first.',
          items: wrongPlaceSchema,
        },
      },
    },
  ],
}
