import { type Endpoint, keyClash } from '../webhooks/endpoint.ts'
import { limits } from '../limits.ts'
import { ref } from '../shapes.ts'
import {
  RotateSecretRequest,
  SampleReply,
  SampleRequest,
  SecretRotation,
  WebhookChanges,
} from '../webhooks/webhook-settings.ts'
import { WebhookEndpoint } from '../webhooks/webhook.ts'

/** What the calls for one webhook endpoint have in common. */
const ofOne = {
  group: 'Webhook endpoints',
  since: '2026-11-23',
  access: 'own-software',
  scope: 'webhooks:manage',
} as const

const bodyLimit = { bytes: limits.webhookBodyBytes, status: 413 } as const

export const webhookSettingsEndpoints = {
  getWebhook: {
    ...ofOne,
    id: 'getWebhook',
    method: 'GET',
    path: '/api/v1/webhooks/{id}',
    tagged: true,
    summary: 'Read a webhook endpoint',
    description:
      'The endpoint as the list shows it. `ETag` identifies the version of its settings, not of its deliveries.',
    replies: { 200: ref(WebhookEndpoint) },
  },

  updateWebhook: {
    ...ofOne,
    id: 'updateWebhook',
    method: 'PATCH',
    path: '/api/v1/webhooks/{id}',
    summary: 'Change or pause a webhook endpoint',
    description:
      'Changes the settings in the body, from the next attempt on. A new address starts with a failure count of 0 and gets the waiting deliveries. `status: "paused"` holds deliveries; `"active"` resumes them, even after the endpoint was switched off for failing. Only a key that may read all that the endpoint sends may set its address, and from then on it is sent only what that key, too, may read.',
    precondition: 'optional',
    body: WebhookChanges,
    bodyLimit,
    nullClears: true,
    idempotency: 'take-over',
    replies: { 200: ref(WebhookEndpoint) },
    badRequest: 'No setting is named, or one cannot be read or is not acceptable.',
    reasons: ['scope-missing', 'changed-meanwhile', 'endpoint-off-for-good', 'rotate-first', ...keyClash],
    sentences: { 'changed-meanwhile': 'This webhook endpoint was changed meanwhile.' },
    conflict:
      'The venue already has an endpoint for that address, or the endpoint cannot resume at its address, since the key that set it no longer works.',
  },

  rotateWebhookSecret: {
    ...ofOne,
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/api/v1/webhooks/{id}/rotate-secret',
    summary: 'Give an endpoint a new secret',
    description:
      'The new secret is shown in the answer and never again. For `overlapHours` deliveries are signed with both, the new one first, so that your receivers can switch one by one. If the answer was lost, send `replace: true`: the secret you never got is discarded and another made. Takes no Idempotency-Key, because the stored answer would contain the secret.',
    body: RotateSecretRequest,
    bodyLimit,
    replies: { 201: SecretRotation },
    badRequest: `\`overlapHours\` is missing or not a whole number of hours up to ${limits.rotationHours}.`,
    reasons: ['scope-missing', 'rotation-open'],
    sentences: {
      'rotation-open':
        'This secret was replaced already and the one before still counts; send replace: true to throw the new secret away and get another.',
    },
  },

  sampleWebhook: {
    ...ofOne,
    id: 'sampleWebhook',
    method: 'POST',
    path: '/api/v1/webhooks/{id}/samples',
    summary: 'Send a signed sample of an event now',
    description:
      'Sends an example of an event as this endpoint would get it, with `"sample": true`, the header `X-Service-Sample: true` and 0 for every record id. An answer outside 2xx, or none, is reported with status 200 and `ok: false`.',
    callsOutForSeconds: limits.webhookTestSeconds,
    body: SampleRequest,
    bodyLimit,
    replies: { 200: SampleReply },
    badRequest: 'The event is missing or unknown.',
    reasons: ['scope-missing', 'endpoint-off-for-good'],
  },
} as const satisfies Record<string, Endpoint>
