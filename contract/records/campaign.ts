import { type Static, type TSchema, Type } from 'typebox'
import { limits } from '../limits.ts'
import {
  inputName,
  inputText,
  integerOrNull,
  moment,
  momentOrNull,
  record,
  recordId,
  ref,
  revision,
} from '../shapes.ts'
import { Segment, ShownSegment, segmentTypes } from './segment.ts'

export const campaignStatuses = ['draft', 'scheduled', 'sending', 'sent', 'cancelled'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

/** `guided` wraps the body in the venue's design; `html` is a complete document of the caller's own. */
export const bodyFormats = ['guided', 'html'] as const
export type BodyFormat = (typeof bodyFormats)[number]

const text = (description: string) => Type.String({ description })
const count = (description: string) => Type.Integer({ description })

/**
 * Who a campaign goes to. What is in it depends on its type; all of it is printed, and what comes in is read by the slice,
 * with sentences of its own. The documents show `published` in its place.
 */
const segment = (published: TSchema, description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    description,
    additionalProperties: true,
    'x-published': published,
    examples: [{ type: 'all' }],
  })

/** A campaign as it is when it was just written. */
const example = {
  id: 61,
  restaurantId: 'blue-door',
  name: 'October oyster week',
  subject: 'Oysters all week, {{firstName|friends}}',
  preheader: 'Six kinds, a dozen for $24.',
  bodyHtml: '<h1>Oyster week</h1><p>Six kinds, from Tuesday to Sunday.</p>',
  bodyText: '',
  bodyFormat: 'guided',
  segment: { type: 'all' },
  status: 'draft',
  scheduledAt: null,
  startedAt: null,
  finishedAt: null,
  testSentAt: null,
  createdBy: null,
  recipientsTotal: 0,
  sentCount: 0,
  failedCount: 0,
  lastError: '',
  sendHoldUntil: null,
  eventId: null,
  seriesKey: '',
  seriesStep: null,
  seriesTotal: null,
  createdAt: '2026-10-06T15:04:05.120Z',
  updatedAt: '2026-10-06T15:04:05.120Z',
  revision: 1,
}

/** Its next half hour, for the examples of the replies. */
const composed = { ...example, recipientsTotal: 1180, updatedAt: '2026-10-06T15:06:40.000Z' }
const tested = '2026-10-06T15:08:02.000Z'
const due = '2026-10-06T15:20:31.000Z'
const scheduled = {
  ...composed,
  status: 'scheduled',
  testSentAt: tested,
  scheduledAt: due,
  sendHoldUntil: due,
  updatedAt: '2026-10-06T15:10:31.000Z',
}
const stopped = '2026-10-06T15:14:10.000Z'

export const Campaign = record(
  'Campaign',
  'A marketing email: what it says, who it goes to and how far it has come.',
  example,
  {
    id: recordId('campaign'),
    restaurantId: text("The venue's identifier, its slug."),
    name: text('Internal name; no guest sees it.'),
    subject: text('Subject line, with merge tags as written.'),
    preheader: text('The line mail programs show next to the subject; empty when none.'),
    bodyHtml: text('The body as it was kept after cleaning, with merge tags as written.'),
    bodyText: text('The plain-text body that was given; empty when it is made from `bodyHtml`.'),
    bodyFormat: Type.String({
      description: `How the body is used: ${bodyFormats.map((one) => `\`${one}\``).join(' or ')}.`,
      examples: [...bodyFormats],
    }),
    segment: segment(
      ShownSegment,
      `Who it goes to; \`{"type": "all"}\` means everyone subscribed. Types: ${segmentTypes.map((one) => `\`${one}\``).join(', ')}; the list may grow.`,
    ),
    status: Type.String({
      description: `How far it has come. One of ${campaignStatuses.map((one) => `\`${one}\``).join(', ')}; the list may grow.`,
      examples: [...campaignStatuses],
    }),
    scheduledAt: momentOrNull('When it is due.'),
    startedAt: momentOrNull('When its first message was handed to the mail relay.'),
    finishedAt: momentOrNull('When it became `sent` or `cancelled`.'),
    testSentAt: momentOrNull(
      'When a test last reached the venue; cleared when subject, body or format change.',
    ),
    createdBy: Type.Unsafe<null>({
      type: 'null',
      description: 'Always null: nothing about staff leaves by the API.',
    }),
    recipientsTotal: count('People who will be or were mailed: the list without those held back.'),
    sentCount: count('Messages the mail relay accepted.'),
    failedCount: count('Messages refused for good, given up, or with an unknown outcome.'),
    lastError: text('The latest trouble in a plain sentence; empty when none.'),
    sendHoldUntil: momentOrNull(
      'No mail of this campaign leaves before this moment, even if `scheduledAt` is earlier.',
    ),
    eventId: integerOrNull('The ticketed event it promotes.'),
    seriesKey: text('What joins the campaigns of a series; empty when it belongs to none.'),
    seriesStep: integerOrNull('Its place in the series, from 1.'),
    seriesTotal: integerOrNull('How many campaigns the series has.'),
    createdAt: moment('When it was made.'),
    updatedAt: moment('When it last changed.'),
    revision,
  },
)
export type Campaign = Static<typeof Campaign>

export const NewCampaign = Type.Object(
  {
    name: inputName('Internal name; no guest sees it.'),
    subject: inputName(
      'Subject line. Merge tags: `{{firstName|there}}`, `{{venueName}}`.',
      limits.subjectCharacters,
    ),
    preheader: Type.Optional(inputText('The line mail programs show next to the subject.')),
    bodyHtml: Type.Optional(
      inputText(
        'The body in HTML. Scripts, forms and handlers are taken out. Mail programs may clip bodies over about 102 KB.',
        limits.campaignBodyCharacters,
      ),
    ),
    bodyText: Type.Optional(
      inputText(
        'The body in plain text. Left out, it is made from `bodyHtml`.',
        limits.campaignBodyCharacters,
      ),
    ),
    // A `default` in the shape would make generators take the field for one that is always there.
    bodyFormat: Type.Optional(
      inputText(
        "`guided` wraps the body in the venue's design; `html` is a complete document of your own, with `{{unsubscribeUrl}}` in a visible link. Left out, it is `guided`.",
        limits.shortTextCharacters,
        { examples: [...bodyFormats] },
      ),
    ),
    segment: Type.Optional(segment(Segment, 'Who it goes to. Left out, everyone subscribed.')),
  },
  {
    title: 'NewCampaign',
    description: 'A campaign to be kept as a draft.',
    examples: [
      {
        name: 'October oyster week',
        subject: 'Oysters all week, {{firstName|friends}}',
        bodyHtml: '<h1>Oyster week</h1><p>Six kinds, from Tuesday to Sunday.</p>',
        segment: { type: 'all' },
      },
    ],
  },
)

const campaignId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Which campaign.',
})
const okay = Type.Literal(true, { description: 'It was done.' })

export const CampaignMade = Type.Object(
  { ok: okay, campaign: ref(Campaign) },
  { title: 'CampaignReply', description: 'The draft was saved; nothing was sent or scheduled.' },
)

export const ComposeRequest = Type.Object(
  {
    id: campaignId,
    segment: Type.Optional(
      segment(Segment, "Replaces who it goes to while building. Left out, the campaign's own is used."),
    ),
  },
  { title: 'CampaignComposeRequest', description: 'Which list to build.', examples: [{ id: 61 }] },
)

export const Composed = Type.Object(
  {
    ok: okay,
    campaign: ref(Campaign),
    recipientsTotal: count('People the campaign will go to.'),
    heldBack: count('People put aside as a control group.'),
    holdoutPct: count('Share that is held back, in percent, 0 to 50.'),
    added: count('People new on the list by this call.'),
    alreadyPresent: count('People who were on the list and still match.'),
    removed: count('People dropped from the list because they no longer match.'),
    keptInFlight: count(
      'People who no longer match and cannot be taken off: their mail is on its way or sent.',
    ),
    matched: count('People the segment describes, before anybody is left out.'),
    noEmail: count('Left out: no usable address.'),
    unsubscribed: count('Left out: no present consent.'),
    suppressed: count('Left out: on the do-not-email list.'),
    excludedTicketHolders: count('Left out: they hold a ticket for the event already.'),
    holdUntil: momentOrNull('The same as `sendHoldUntil` of the campaign.'),
    matchedKnown: Type.Boolean({
      description: '`false`: `matched` could not be counted and is a lower bound.',
    }),
    reliable: Type.Boolean({
      description: '`false`: something the list rests on was missing or stale; it cannot be sent so.',
    }),
    notes: Type.Array(Type.String(), {
      description: 'Plain sentences, the most important first, at most 10; never a name or an address.',
    }),
  },
  {
    title: 'CampaignComposeReply',
    description: 'The list was built. Nothing was scheduled.',
    examples: [
      {
        ok: true,
        campaign: composed,
        recipientsTotal: 1180,
        heldBack: 0,
        holdoutPct: 0,
        added: 1180,
        alreadyPresent: 0,
        removed: 0,
        keptInFlight: 0,
        matched: 1196,
        noEmail: 0,
        unsubscribed: 3,
        suppressed: 13,
        excludedTicketHolders: 0,
        holdUntil: null,
        matchedKnown: true,
        reliable: true,
        notes: ['3 people paused their mail and were left out.'],
      },
    ],
  },
)
export type Composed = Static<typeof Composed>

export const CampaignTestRequest = Type.Object(
  { id: campaignId },
  { title: 'CampaignTestRequest', description: 'Which campaign to test.', examples: [{ id: 61 }] },
)

export const CampaignTested = Type.Object(
  {
    ok: okay,
    to: text('The first test address, which was reached.'),
    testSentAt: moment('When it was sent.'),
    messageId: text('Message-ID of the copy to the first address.'),
    alsoSent: Type.Array(Type.String(), { description: 'The other test addresses that were reached.' }),
    alsoFailed: Type.Array(Type.String(), { description: 'The other test addresses that were not.' }),
  },
  {
    title: 'CampaignTestReply',
    description: "One copy was sent to each of the venue's test addresses.",
    examples: [
      {
        ok: true,
        to: 'owner@example.com',
        testSentAt: tested,
        messageId: '<5c1f7a90-93b5-4b8e-a7a3-6f0d2f1b7e44@example.com>',
        alsoSent: ['chef@example.com'],
        alsoFailed: [],
      },
    ],
  },
)
export type CampaignTested = Static<typeof CampaignTested>

export const SendRequest = Type.Object(
  {
    id: campaignId,
    scheduledAt: Type.Optional(
      Type.String({
        format: 'moment',
        description: `When to send: a date and time with a zone. Left out, now, after a wait of ${limits.sendHoldMinutes} minutes.`,
      }),
    ),
    confirmCount: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.integerMost,
        description: 'How many people you expect, normally `recipientsTotal` of compose.',
      }),
    ),
  },
  {
    title: 'CampaignSendRequest',
    description: 'Which campaign to send, and when.',
    examples: [{ id: 61, confirmCount: 1180 }],
  },
)

export const SendTaken = Type.Object(
  {
    ok: okay,
    campaign: ref(Campaign),
    recipientsTotal: count('People it will go to.'),
    pending: count('People still to be mailed after this call.'),
    retried: count('People whose earlier mail failed for a passing reason and who are mailed again.'),
    holdUntil: momentOrNull('Until then cancel stops it with nobody mailed.'),
  },
  {
    title: 'CampaignSendReply',
    description: 'The campaign is scheduled.',
    examples: [
      { ok: true, campaign: scheduled, recipientsTotal: 1180, pending: 1180, retried: 0, holdUntil: due },
    ],
  },
)
export type SendTaken = Static<typeof SendTaken>

export const CancelRequest = Type.Object(
  { id: campaignId },
  { title: 'CampaignCancelRequest', description: 'Which campaign to stop.', examples: [{ id: 61 }] },
)

export const Cancelled = Type.Object(
  {
    ok: okay,
    campaign: ref(Campaign),
    counts: Type.Object(
      {
        total: count('Everybody on the list.'),
        pending: count('Still on their way to the relay when this was answered.'),
        sent: count('Accepted by the relay.'),
        failed: count('Refused, given up, or with an unknown outcome.'),
        skipped: count('Deliberately not mailed.'),
        heldBack: count('The control group.'),
      },
      { description: 'What happened to the people on the list.' },
    ),
  },
  {
    title: 'CampaignCancelReply',
    description: 'It was stopped. Copies that were delivered are not recalled.',
    examples: [
      {
        ok: true,
        campaign: {
          ...scheduled,
          status: 'cancelled',
          finishedAt: stopped,
          sendHoldUntil: null,
          updatedAt: stopped,
        },
        counts: { total: 1180, pending: 0, sent: 0, failed: 0, skipped: 1180, heldBack: 0 },
      },
    ],
  },
)
export type Cancelled = Static<typeof Cancelled>

/** Why a checklist blocks a send; the body of a refusal with `checklist-blocked` lists them. */
export type Blocker = { readonly code: string; readonly message: string }
