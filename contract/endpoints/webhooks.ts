import { body64, type Endpoint } from '../webhooks/endpoint.ts'
import { limits } from '../limits.ts'
import { windowQuery } from '../list-words.ts'
import { listOf, ref } from '../shapes.ts'
import {
  Deleted,
  Hook,
  HookRequest,
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookRequest,
  WebhookTest,
} from '../webhooks/webhook.ts'

export const webhookEndpoints = {
  listWebhooks: {
    id: 'listWebhooks',
    method: 'GET',
    path: '/api/v1/webhooks',
    group: 'Webhook endpoints',
    summary: 'List webhook endpoints',
    description: "The venue's endpoints, newest first. Secrets are never shown again.",
    access: 'own-software',
    scope: 'webhooks:manage',
    query: windowQuery,
    replies: { 200: listOf(WebhookEndpoint, 'Newest first by creation time; possibly empty.') },
    badRequest: '`limit` or `since` cannot be read.',
  },

  createWebhook: {
    id: 'createWebhook',
    method: 'POST',
    path: '/api/v1/webhooks',
    group: 'Webhook endpoints',
    summary: 'Add a webhook endpoint',
    description: `Up to ${limits.webhookEndpointsOfVenue} endpoints, one per address however it is spelled. Deliveries are signed with the secret in the reply.`,
    access: 'own-software',
    scope: 'webhooks:manage',
    body: WebhookRequest,
    bodyLimit: { bytes: limits.webhookBodyBytes, status: 413 },
    replies: { 201: ref(NewWebhookEndpoint) },
    badRequest: 'The address or the events are missing or not acceptable.',
    reasons: ['scope-missing'],
    conflict: 'The venue already has an endpoint for that address, or as many endpoints as it may have.',
  },

  deleteWebhook: {
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/api/v1/webhooks/{id}',
    group: 'Webhook endpoints',
    summary: 'Remove a webhook endpoint',
    description: 'Deliveries stop at once.',
    access: 'own-software',
    scope: 'webhooks:manage',
    replies: { 200: Deleted },
  },

  testWebhook: {
    id: 'testWebhook',
    method: 'POST',
    path: '/api/v1/webhooks/{id}/test',
    group: 'Webhook endpoints',
    summary: 'Send a signed ping now',
    description:
      'Takes no body. An answer outside 2xx, or none, is reported with status 200 and `ok: false`.',
    access: 'own-software',
    scope: 'webhooks:manage',
    callsOutForSeconds: limits.webhookTestSeconds,
    replies: { 200: WebhookTest },
    reasons: ['endpoint-off-for-good'],
  },

  createHook: {
    id: 'createHook',
    method: 'POST',
    path: '/api/v1/hooks',
    group: 'Automation-platform hooks',
    summary: 'Add a hook',
    description:
      "Used by the venue's automation-platform integration, not for own servers. The body of a delivery is the record itself, unsigned.",
    access: 'write',
    body: HookRequest,
    bodyLimit: body64,
    replies: { 201: Hook },
    badRequest:
      "The event is unknown (the sentence lists every event), or the address is not on the automation platform's hook host.",
    conflict: 'The venue already has too many hooks.',
    reasons: ['scope-missing'],
  },

  deleteHook: {
    id: 'deleteHook',
    method: 'DELETE',
    path: '/api/v1/hooks/{id}',
    group: 'Automation-platform hooks',
    summary: 'Remove a hook',
    description: 'Deliveries stop at once.',
    access: 'write',
    replies: { 200: Deleted },
  },
} as const satisfies Record<string, Endpoint>
