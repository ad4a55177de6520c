import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import {
  came,
  clearable,
  inputEmail,
  inputName,
  inputText,
  integerOrNull,
  moment,
  momentOrNull,
  openList,
  record,
  recordId,
  revision,
  textOrNull,
} from '../shapes.ts'

export const subscriberStatuses = ['subscribed', 'pending', 'unsubscribed'] as const
export type SubscriberStatus = (typeof subscriberStatuses)[number]

export const subscriberSources = [
  'signup_form',
  'booking',
  'automation',
  'import',
  'staff',
  'ticket_order',
] as const
export type SubscriberSource = (typeof subscriberSources)[number]

export const Subscriber = record(
  'Subscriber',
  'A person on the email list, or who was.',
  {
    id: 912,
    email: 'maya.okafor@example.com',
    firstName: 'Maya',
    status: 'subscribed',
    source: 'automation',
    birthMonth: null,
    birthDay: null,
    consentAt: '2026-10-06T15:00:00.000Z',
    confirmedAt: null,
    unsubscribedAt: null,
    tags: ['Wine evenings'],
    suppressed: false,
    createdAt: '2026-10-06T15:04:05.120Z',
    updatedAt: '2026-10-06T15:04:05.120Z',
    revision: 1,
  },
  {
    id: recordId('subscriber'),
    email: textOrNull('The address, as it was given.'),
    firstName: textOrNull('First name, for greetings.'),
    status: openList('Whether mail may be sent; `pending` waits to confirm.', subscriberStatuses),
    source: openList('How they joined.', subscriberSources),
    birthMonth: integerOrNull('Month of birth, 1 to 12.'),
    birthDay: integerOrNull('Day of the month of birth.'),
    consentAt: momentOrNull('When they agreed.'),
    confirmedAt: momentOrNull('When they confirmed by the link in a mail (double opt-in).'),
    unsubscribedAt: momentOrNull('When they left the list.'),
    tags: came(
      '2026-11-23',
      Type.Array(Type.String(), {
        description: 'Their tags, in alphabetical order.',
        examples: [['Wine evenings']],
      }),
    ),
    suppressed: came(
      '2026-11-28',
      Type.Boolean({
        description:
          'Whether their address is on the do-not-email list: mail bounced, they reported spam, or they were removed. Mail only those who are `subscribed` and not suppressed.',
      }),
    ),
    createdAt: moment('When they were first recorded.'),
    updatedAt: moment('When the record last changed.'),
    revision,
  },
)
export type Subscriber = Static<typeof Subscriber>

export const NewSubscriber = Type.Object(
  {
    email: inputEmail('The address to add.'),
    firstName: Type.Optional(inputText('First name, for greetings.', limits.nameCharacters)),
    tag: Type.Optional(
      inputText('A tag to add; created on first use.', limits.tagCharacters, { pattern: '\\S' }),
    ),
    consent: Type.Object(
      {
        source: inputName('Where they agreed.', limits.shortTextCharacters),
        statement: Type.Optional(inputText('The words they agreed to.', limits.statementCharacters)),
        at: Type.Optional(
          Type.String({
            description:
              'When they agreed: a date and time with a zone, not in the future. Left out, it is now.',
            format: 'moment',
          }),
        ),
        pageUrl: Type.Optional(inputText('The page they agreed on.', limits.urlCharacters)),
      },
      { description: "Evidence of agreement, kept as the venue's proof." },
    ),
  },
  {
    title: 'NewSubscriber',
    description: 'A person to add to the email list, with the evidence of their consent.',
    examples: [
      {
        email: 'maya.okafor@example.com',
        firstName: 'Maya',
        tag: 'Wine evenings',
        consent: {
          source: 'Checkout page',
          statement: 'Send me news from The Blue Door.',
          at: '2026-10-06T15:00:00Z',
        },
      },
    ],
  },
)
export type NewSubscriber = Static<typeof NewSubscriber>

/** The result for an address: one of the three states of a subscriber, or `suppressed` on the do-not-email list. */
export const subscriberOutcomes = [...subscriberStatuses, 'suppressed'] as const
export type SubscriberOutcome = (typeof subscriberOutcomes)[number]

export const SubscriberChanges = Type.Object(
  {
    firstName: clearable(inputText('First name, for greetings.', limits.nameCharacters)),
    birthMonth: clearable(
      Type.Integer({ minimum: 1, maximum: 12, description: 'Month of birth; with `birthDay`.' }),
    ),
    birthDay: clearable(
      Type.Integer({ minimum: 1, maximum: 31, description: 'Day of the month of birth; with `birthMonth`.' }),
    ),
  },
  {
    title: 'SubscriberChanges',
    description: 'Changes to a subscriber.',
    examples: [{ firstName: 'Maya', birthMonth: 12, birthDay: 14 }],
  },
)
export type SubscriberChanges = Static<typeof SubscriberChanges>

const tags = (description: string) =>
  Type.Optional(
    Type.Array(inputText('A tag.', limits.tagCharacters, { pattern: '\\S' }), {
      minItems: 0,
      maxItems: limits.tagsOfCall,
      description,
    }),
  )

export const TagChanges = Type.Object(
  {
    add: tags('Tags to add; created on first use, and the same in any letter case.'),
    remove: tags('Tags to remove; one that they do not have is ignored.'),
  },
  {
    title: 'TagChanges',
    description: 'The tags to add to a subscriber and to remove.',
    examples: [{ add: ['Wine evenings'], remove: ['Newcomers'] }],
  },
)
export type TagChanges = Static<typeof TagChanges>

export const UnsubscribeRequest = Type.Object(
  {
    email: inputEmail('The address that should get no more mail.'),
    reason: Type.Optional(inputText('Why, for staff to read; no reply shows it.')),
  },
  {
    title: 'UnsubscribeRequest',
    description: 'The address of somebody who wants no more mail.',
    examples: [{ email: 'maya.okafor@example.com', reason: 'Asked in our app.' }],
  },
)
export type UnsubscribeRequest = Static<typeof UnsubscribeRequest>
