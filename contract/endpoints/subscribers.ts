import { Type } from 'typebox'
import { body64, byCreation, type Endpoint, keyClash, list, single } from '../endpoint.ts'
import { ref } from '../shapes.ts'
import {
  NewSubscriber,
  Subscriber,
  type SubscriberOutcome,
  subscriberOutcomes,
  subscriberSources,
  subscriberStatuses,
} from '../subscriber.ts'

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
    body: NewSubscriber,
    bodyLimit: body64,
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
    reasons: keyClash,
  },

  getSubscriber: single('getSubscriber', 'subscriber', 'Subscribers', 'subscriber'),
} as const satisfies Record<string, Endpoint>
