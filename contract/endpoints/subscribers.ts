import { Type } from 'typebox'
import {
  editReasonsOf,
  move,
  patch,
  body64,
  byCreation,
  type Endpoint,
  keyClash,
  list,
  single,
} from '../webhooks/endpoint.ts'
import { ref } from '../shapes.ts'
import {
  SubscriberChanges,
  TagChanges,
  UnsubscribeRequest,
  NewSubscriber,
  Subscriber,
  type SubscriberOutcome,
  subscriberOutcomes,
  subscriberSources,
  subscriberStatuses,
} from '../records/subscriber.ts'

export const subscriberEndpoints = {
  listSubscribers: list(
    'listSubscribers',
    '/api/v1/subscribers',
    'Subscribers',
    Subscriber,
    {
      summary: 'List subscribers',
      description: 'The newest records of the email list, in every status.',
    },
    {
      filters: {
        status: { closed: subscriberStatuses },
        source: { open: subscriberSources },
        tag: { open: [] },
        email: true,
      },
      sorts: byCreation,
    },
  ),

  createSubscriber: {
    id: 'createSubscriber',
    method: 'POST',
    path: '/api/v1/subscribers',
    group: 'Subscribers',
    summary: 'Add someone to the email list',
    description:
      'Needs evidence of consent, which is kept as proof. Someone who unsubscribed, waits to confirm, or is on the do-not-email list is left as they are: that is an answer, not an error.',
    access: 'write',
    scope: 'subscribers:create',
    body: NewSubscriber,
    bodyLimit: body64,
    looksUpPerson: true,
    dryRun: true,
    idempotency: 'take-over',
    replies: {
      200: Type.Object(
        {
          added: Type.Literal(false, { description: 'Nobody was added.' }),
          status: Type.Unsafe<SubscriberOutcome>({
            type: 'string',
            description: 'What they are instead; the list may grow.',
            examples: [...subscriberOutcomes],
          }),
          message: Type.String({
            description: 'One plain sentence.',
            examples: ['They were on the e-mail list already.'],
          }),
          subscriber: Type.Unsafe<Subscriber | null>({
            anyOf: [ref(Subscriber), { type: 'null' }],
            description: 'The person as recorded; `null` when the address is on the do-not-email list.',
          }),
        },
        { title: 'SubscriberNotAddedReply', description: 'Nobody was added.' },
      ),
      201: Type.Object(
        {
          added: Type.Literal(true, { description: 'They were added.' }),
          status: Type.Literal('subscribed', { description: 'What they are now.' }),
          message: Type.String({
            description: 'One plain sentence.',
            examples: ['They were added to the e-mail list.'],
          }),
          subscriber: ref(Subscriber),
        },
        { title: 'SubscriberAddedReply', description: 'They were added.' },
      ),
    },
    badRequest: 'The address or the evidence of consent is missing or wrong.',
    reasons: ['scope-missing', ...keyClash],
  },

  getSubscriber: single('getSubscriber', 'subscriber', 'Subscribers', 'subscriber'),

  updateSubscriber: {
    ...patch(
      'updateSubscriber',
      'subscriber',
      'Subscribers',
      {
        summary: 'Change a subscriber',
        description:
          'A field that is left out stays as it is; `null` empties it. This never puts anybody back on the list.',
      },
      SubscriberChanges,
    ),
    refusedFields: ['status', 'source', 'email', 'consentAt', 'confirmedAt', 'unsubscribedAt', 'suppressed'],
    reasons: [...editReasonsOf('subscriber'), 'staff-only'],
  },

  changeTags: {
    ...move('changeTags', 'subscriber', 'tags', 'Subscribers', {
      summary: 'Tag a subscriber',
      description:
        'Adds tags and removes others; tags in neither list stay. Campaigns can be sent to everybody with a tag.',
    }),
    body: TagChanges,
    badRequest: 'No tag is named, one is in both lists, or one cannot be read.',
  },

  unsubscribe: move('unsubscribe', 'subscriber', 'unsubscribe', 'Subscribers', {
    summary: 'Take somebody off the email list',
    description: 'Takes no body. Somebody who is already unsubscribed stays so.',
  }),

  unsubscribeAddress: {
    id: 'unsubscribeAddress',
    method: 'POST',
    path: '/api/v1/subscribers/unsubscribe',
    group: 'Subscribers',
    since: '2026-11-23',
    summary: 'Take an address off the email list',
    description:
      'An address that the venue does not know goes on the do-not-email list, so that nobody adds it later; then `subscriber` is `null`.',
    access: 'write',
    scope: 'subscribers:edit',
    body: UnsubscribeRequest,
    bodyLimit: body64,
    looksUpPerson: true,
    dryRun: true,
    idempotency: 'take-over',
    replies: {
      200: Type.Object(
        {
          changed: Type.Boolean({
            description: 'Whether anything changed; false when they were already unsubscribed.',
            examples: [true],
          }),
          subscriber: Type.Unsafe<Subscriber | null>({
            anyOf: [ref(Subscriber), { type: 'null' }],
            description: 'The person as recorded; `null` when the venue does not know the address.',
          }),
        },
        { title: 'UnsubscribeReply', description: 'The address gets no more marketing mail.' },
      ),
    },
    badRequest: 'The address is missing or not valid.',
    reasons: ['scope-missing', ...keyClash],
  },
} as const satisfies Record<string, Endpoint>
