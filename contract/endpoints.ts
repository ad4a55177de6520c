import { type Static, type TSchema, Type } from 'typebox'
import { Account } from './account.ts'
import {
  Campaign,
  campaignStatuses,
  CampaignMade,
  CampaignTestRequest,
  CampaignTested,
  CancelRequest,
  Cancelled,
  ComposeRequest,
  Composed,
  NewCampaign,
  SendRequest,
  SendTaken,
} from './campaign.ts'
import { Availability, AvailabilityCheck } from './availability.ts'
import { Change, ChangesPage } from './change.ts'
import { Conflicting, Guest, NewGuest } from './guest.ts'
import { type RecordKind, kinds, recordKinds } from './kinds.ts'
import { Lead, NewLead, leadStages, priorities } from './lead.ts'
import { limits } from './limits.ts'
import { type ListWords, listQuery, windowQuery } from './list-words.ts'
import { type Reason, bookingReasons } from './reasons.ts'
import { NewReservation, Reservation, reservationSources, reservationStatuses } from './reservation.ts'
import type { Scope } from './scopes.ts'
import { listOf, ref } from './shapes.ts'
import {
  NewSubscriber,
  Subscriber,
  type SubscriberOutcome,
  subscriberOutcomes,
  subscriberSources,
  subscriberStatuses,
} from './subscriber.ts'
import { NewTask, Task, taskCategories } from './task.ts'
import { TicketOrder, ticketOrderStatuses } from './ticket-order.ts'
import { WaitlistEntry, waitlistStatuses } from './waitlist-entry.ts'
import {
  Deleted,
  Hook,
  HookRequest,
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookRequest,
  WebhookTest,
} from './webhook.ts'

/** What the endpoints are about, in the order in which they are told. */
export const groups = {
  Account: 'Whose key this is, and what it may do.',
  Availability: 'What can be booked, and why not.',
  Changes: 'What changed, of every kind of record: to keep a copy of your own in step.',
  Reservations: 'Bookings of tables: requested by you, confirmed and seated by staff.',
  Guests: 'The people the venue knows.',
  Subscribers: 'The email list, with the evidence that each person agreed.',
  'Ticket orders': 'Tickets sold for events of the venue. Read only.',
  Waitlist: 'Parties waiting for a table. Read only.',
  Leads: 'Inquiries about private events.',
  Tasks: "Things for the venue's staff to do.",
  Campaigns: 'Marketing emails: write one, build its list, test it, send or schedule it, stop it.',
  'Webhook endpoints': 'Addresses of yours that receive events as they happen.',
  'Automation-platform hooks': "What the venue's automation platform uses in place of webhook endpoints.",
} as const

export type Group = keyof typeof groups

/*
 * One row per endpoint. The routes, the checks before them, the OpenAPI document, the reference page and the
 * conformance test are all made from these rows; a new row is served, checked and documented.
 */

export type Endpoint = {
  /** Name of the operation in the OpenAPI document. */
  id: string
  method: 'GET' | 'POST' | 'DELETE'
  /** Path below the base address; `{name}` marks a parameter. */
  path: `/api/v1/${string}`
  group: Group
  summary: string
  description: string
  /**
   * `any-key`: every key. `write`: a read and write key of either kind. `own-software`: a read and write key of
   * kind `api`, whatever the method.
   */
  access: 'any-key' | 'write' | 'own-software'
  /** The answer has an `ETag`; who sends it back in `If-None-Match` gets 304 while it holds. */
  tagged?: true
  /** What a key must be allowed besides; who may call v1's own endpoints `access` says alone. */
  scope?: Scope
  /** What the parameters of the path may hold; without a word, any text. A record's id is digits, so that words may stand beside it. */
  params?: { readonly id: 'record' }
  /** The kind of the one record that is read. */
  kind?: RecordKind
  /** The body names a record by its id, so it may be unknown here. */
  namesRecord?: true
  /** Waits for more than one transaction while the caller does: none is open meanwhile, and it may take this long, in seconds. */
  callsOutForSeconds?: number
  /** May hold an empty answer as long as `wait` says, up to so many seconds. */
  waitsForSeconds?: number
  query?: Readonly<Record<string, TSchema>>
  /** Those without which it is a 400. */
  queryRequired?: readonly string[]
  /** The further words of a list, and that it comes page by page. */
  list?: ListWords
  body?: TSchema
  bodyLimit?: { bytes: number; status: 400 | 413 }
  /**
   * What becomes of a retry whose first try started and never finished: the caller is told that the outcome
   * is unknown, or the retry takes over. Absent: the endpoint takes no Idempotency-Key.
   */
  idempotency?: 'outcome-unknown' | 'take-over'
  replies: Readonly<Record<number, TSchema>>
  /** What a 400 can be about besides size and Idempotency-Key, for the reference. */
  badRequest?: string
  /** What a 409 without a reason can be about. */
  conflict?: string
  reasons?: readonly Reason[]
}

const email = Type.String({
  description: 'Email address, compared without regard to letter case.',
  examples: ['maya.okafor@example.com'],
})
const phone = Type.String({
  description: `Phone number with at least ${limits.phoneDigitsLeast} digits.`,
})

const partySize = Type.Unsafe<string>({
  type: 'integer',
  minimum: 1,
  maximum: limits.partyGuests,
  description: 'Number of guests.',
  examples: [4],
})

const list = <T extends TSchema, const L extends ListWords>(
  id: string,
  path: Endpoint['path'],
  group: Group,
  schema: T,
  words: { summary: string; description: string },
  known: L,
) =>
  ({
    id,
    method: 'GET',
    path,
    group,
    ...words,
    access: 'any-key',
    query: listQuery(known),
    list: known,
    replies: { 200: listOf(schema, 'Newest first unless another order is asked for; possibly empty.') },
    badRequest: 'A query parameter cannot be read, or `after` is no cursor of this list with these filters.',
  }) as const satisfies Endpoint

const byCreation = ['-createdAt', 'createdAt', 'changed'] as const

/** One record of a kind, by its id. */
const single = <K extends RecordKind>(id: string, kind: K, group: Group, name: string) =>
  ({
    id,
    method: 'GET',
    path: `${kinds[kind].path}/{id}`,
    params: { id: 'record' },
    kind,
    tagged: true,
    group,
    summary: `Read a ${name}`,
    description: `The ${name} as lists show it. \`ETag\` names its state: send it back in \`If-None-Match\` to get 304 and no body while nothing has changed.`,
    access: 'any-key',
    replies: { 200: ref(kinds[kind].record as (typeof kinds)[K]['record']) },
    reasons: kinds[kind].gone,
  }) as const satisfies Endpoint

/** What every endpoint with an Idempotency-Key may answer about a key in use. */
const keyClash = ['still-processing', 'different-body'] as const satisfies readonly Reason[]

const body64 = { bytes: limits.bodyBytes, status: 400 } as const

export const endpoints = {
  me: {
    id: 'me',
    method: 'GET',
    path: '/api/v1/me',
    group: 'Account',
    summary: 'Who this key is',
    description: 'The venue, its plan and its time zone, and what the key may do. A good first call.',
    access: 'any-key',
    replies: { 200: ref(Account) },
  },

  listChanges: {
    id: 'listChanges',
    method: 'GET',
    path: '/api/v1/changes',
    group: 'Changes',
    summary: 'Follow what changes',
    description:
      'Without `after`, the first copy: every record there is. Go on with `next` while `more` is true, and from then on now and then, or with `wait`: what came, changed or went meanwhile. Each record comes at most once in an answer, at its latest state. Nothing is missed between the first copy and what follows it.',
    access: 'any-key',
    waitsForSeconds: limits.changesWaitSeconds,
    query: {
      after: Type.String({
        description:
          'The `next` of an earlier answer. Absent: from the beginning. `latest`: nothing but the cursor of now.',
      }),
      kinds: Type.String({
        description: `The kinds wanted, separated by commas: ${recordKinds.map((kind) => `\`${kind}\``).join(', ')}. Absent: all that the key may read.`,
        examples: ['reservation,guest'],
      }),
      limit: Type.Unsafe<string>({
        type: 'integer',
        minimum: 1,
        default: limits.changesDefault,
        description: `How many changes at most. A number over ${limits.changesMost} is treated as ${limits.changesMost}.`,
      }),
      wait: Type.Unsafe<string>({
        type: 'integer',
        minimum: 0,
        maximum: limits.changesWaitSeconds,
        default: 0,
        description: 'For how many seconds an empty answer is held until something comes.',
      }),
      data: Type.Unsafe<'full' | 'none'>({
        type: 'string',
        enum: ['full', 'none'],
        default: 'full',
        description: '`none`: only which records changed, without the records.',
      }),
    },
    replies: { 200: ChangesPage },
    badRequest: '`after` is not a cursor, a kind is unknown or repeated, or another word cannot be read.',
    reasons: ['scope-missing', 'cursor-expired'],
  },

  listReservations: list(
    'listReservations',
    '/api/v1/reservations',
    'Reservations',
    Reservation,
    {
      summary: 'List reservations',
      description: 'The newest reservations in every status.',
    },
    {
      filters: {
        status: { closed: reservationStatuses },
        source: { open: reservationSources },
        dateFrom: true,
        dateTo: true,
        email: true,
        phone: true,
        guest: true,
      },
      sorts: ['-createdAt', 'createdAt', 'date', '-date', 'changed'],
    },
  ),

  getAvailability: {
    id: 'getAvailability',
    method: 'GET',
    path: '/api/v1/availability',
    group: 'Availability',
    summary: 'See which times are open',
    description:
      "The times of one or more days for a party of a size, judged by the same rules as a request: what is shown as open would be taken now, and what is not comes with the reason and the sentence a request would get. It is the venue's grid of times, or its seatings; where it sets no seatings, other minutes may be bookable too. It is never a promise: only the request itself books.",
    access: 'any-key',
    tagged: true,
    query: {
      date: Type.String({
        format: 'date',
        description: 'The first service date, YYYY-MM-DD.',
        examples: ['2026-12-05'],
      }),
      partySize,
      days: Type.Unsafe<string>({
        type: 'integer',
        minimum: 1,
        maximum: limits.availabilityDays,
        default: 1,
        description: 'How many service dates, from that one on.',
      }),
      show: Type.Unsafe<'open' | 'all'>({
        type: 'string',
        enum: ['open', 'all'],
        default: 'open',
        description: '`all`: refused times too, each with its reason.',
      }),
    },
    queryRequired: ['date', 'partySize'],
    replies: { 200: ref(Availability) },
    badRequest: '`date` or `partySize` is missing, or something cannot be read.',
  },

  checkAvailability: {
    id: 'checkAvailability',
    method: 'GET',
    path: '/api/v1/availability/check',
    group: 'Availability',
    summary: 'Check one time against every rule',
    description:
      'What each rule of the venue says of a time and a size, in the order in which they are checked, and the nearest times that would be taken instead. `reason` and `sentence` are exactly what a request would get now. Any minute may be asked about. Send `date` and `time`, or `startsAt`.',
    access: 'any-key',
    tagged: true,
    query: {
      date: Type.String({
        format: 'date',
        description: 'Calendar date of the arrival at the venue, YYYY-MM-DD.',
        examples: ['2026-12-05'],
      }),
      time: Type.String({
        description: 'Arrival time at the venue: `19:00`, `7:00 PM`, `7pm` and the like.',
        examples: ['19:15'],
      }),
      startsAt: Type.String({
        description: 'Instead of `date` and `time`: ISO 8601 date and time with an offset.',
      }),
      partySize,
    },
    queryRequired: ['partySize'],
    replies: { 200: ref(AvailabilityCheck) },
    badRequest: 'The time or `partySize` is missing or cannot be read.',
  },

  createReservation: {
    id: 'createReservation',
    method: 'POST',
    path: '/api/v1/reservations',
    group: 'Reservations',
    summary: 'Request a reservation',
    description:
      'Makes a request for staff to confirm, after checking every rule of the venue: hours, closed days, blocks, same-day cut-off, party limits, notice, how far ahead, last arrival, set seating times and pacing. No table is assigned and no email is sent to the guest. Send `date` and `time`, or `startsAt`.',
    access: 'write',
    query: {
      alternatives: Type.Unsafe<string>({
        type: 'integer',
        minimum: 1,
        maximum: limits.alternativesMost,
        description:
          'How many open times a refusal by a rule is to name in `alternatives`, nearest first. Anything else is ignored.',
      }),
    },
    body: NewReservation,
    bodyLimit: body64,
    idempotency: 'outcome-unknown',
    replies: {
      201: Type.Object(
        { reservation: ref(Reservation) },
        { title: 'ReservationReply', description: 'The request was made.' },
      ),
    },
    badRequest: 'A field is missing or cannot be read.',
    reasons: [
      ...(Object.keys(bookingReasons) as (keyof typeof bookingReasons)[]),
      ...keyClash,
      'outcome-unknown',
    ],
  },

  findReservations: {
    id: 'findReservations',
    method: 'GET',
    path: '/api/v1/reservations/find',
    group: 'Reservations',
    summary: 'Find reservations of a guest',
    description: `By the email address or the phone number on the booking; with both, bookings that carry either. Upcoming first, soonest first; then past, most recent first. At most ${limits.reservationFindMost}.`,
    access: 'any-key',
    query: {
      email,
      phone,
      date: Type.String({ description: 'Only this calendar date at the venue, YYYY-MM-DD.', format: 'date' }),
    },
    replies: { 200: listOf(Reservation, 'Upcoming, then past; empty means none.') },
    badRequest: 'Neither an email nor a phone with at least 7 digits, or a date that cannot be read.',
  },

  getReservation: single('getReservation', 'reservation', 'Reservations', 'reservation'),

  listGuests: list(
    'listGuests',
    '/api/v1/guests',
    'Guests',
    Guest,
    {
      summary: 'List guests',
      description: 'The newest guest records.',
    },
    {
      filters: { email: true, phone: true },
      sorts: byCreation,
    },
  ),

  createGuest: {
    id: 'createGuest',
    method: 'POST',
    path: '/api/v1/guests',
    group: 'Guests',
    summary: 'Create or fill in a guest',
    description:
      'Matches by exact email address first, then by phone number. A matched guest is only filled in where a field is empty; a value that differs goes into the notes for staff and comes back in `conflicting`.',
    access: 'write',
    body: NewGuest,
    bodyLimit: body64,
    idempotency: 'take-over',
    replies: {
      200: Type.Object(
        {
          created: Type.Literal(false, { description: 'No new guest was made.' }),
          guest: ref(Guest),
          conflicting: Type.Optional(Conflicting),
        },
        { title: 'GuestMatchedReply', description: 'A guest matched.' },
      ),
      201: Type.Object(
        {
          created: Type.Literal(true, { description: 'A new guest was made.' }),
          guest: ref(Guest),
        },
        { title: 'GuestCreatedReply', description: 'A new guest was made.' },
      ),
    },
    badRequest: 'Neither an email nor a phone with at least 7 digits, or a field that cannot be read.',
    reasons: keyClash,
  },

  findGuest: {
    id: 'findGuest',
    method: 'GET',
    path: '/api/v1/guests/find',
    group: 'Guests',
    summary: 'Find a guest',
    description: 'With the same matching as creating one: exact email address first, then phone number.',
    access: 'any-key',
    query: { email, phone },
    replies: { 200: listOf(Guest, 'At most one guest; empty means not found.') },
    badRequest: 'Neither an email nor a phone with at least 7 digits.',
  },

  getGuest: single('getGuest', 'guest', 'Guests', 'guest'),

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

  listTicketOrders: list(
    'listTicketOrders',
    '/api/v1/ticket-orders',
    'Ticket orders',
    TicketOrder,
    {
      summary: 'List ticket orders',
      description: 'The newest orders. Abandoned and running checkouts are left out.',
    },
    {
      filters: {
        status: { closed: ticketOrderStatuses },
        dateFrom: true,
        dateTo: true,
        email: true,
        occurrence: true,
      },
      sorts: ['-createdAt', 'createdAt', 'date', 'changed'],
      date: 'date of the event',
    },
  ),

  getTicketOrder: single('getTicketOrder', 'ticket_order', 'Ticket orders', 'ticket order'),

  listWaitlist: list(
    'listWaitlist',
    '/api/v1/waitlist',
    'Waitlist',
    WaitlistEntry,
    {
      summary: 'List waitlist entries',
      description: 'The newest parties that joined the waitlist, in every status.',
    },
    {
      filters: {
        status: { closed: waitlistStatuses },
        dateFrom: true,
        dateTo: true,
        email: true,
        phone: true,
      },
      sorts: byCreation,
    },
  ),

  getWaitlistEntry: single('getWaitlistEntry', 'waitlist_entry', 'Waitlist', 'waitlist entry'),

  listLeads: list(
    'listLeads',
    '/api/v1/leads',
    'Leads',
    Lead,
    {
      summary: 'List leads',
      description: 'The newest private-event inquiries, in every stage.',
    },
    {
      filters: {
        stage: { open: leadStages },
        priority: { closed: priorities },
        email: true,
        phone: true,
        guest: true,
      },
      sorts: byCreation,
    },
  ),

  createLead: {
    id: 'createLead',
    method: 'POST',
    path: '/api/v1/leads',
    group: 'Leads',
    summary: 'Send a private-event inquiry',
    description:
      "Lands on the venue's pipeline at stage Inquiry. The contact is matched to a guest as when creating one.",
    access: 'write',
    body: NewLead,
    bodyLimit: body64,
    idempotency: 'outcome-unknown',
    replies: {
      201: Type.Object({ lead: ref(Lead) }, { title: 'LeadReply', description: 'The inquiry was recorded.' }),
    },
    badRequest: 'The name is missing, or a field cannot be read.',
    reasons: [...keyClash, 'outcome-unknown'],
  },

  getLead: single('getLead', 'lead', 'Leads', 'lead'),

  listTasks: {
    ...list(
      'listTasks',
      '/api/v1/tasks',
      'Tasks',
      Task,
      { summary: 'List tasks', description: 'The newest tasks, open and done.' },
      {
        filters: {
          done: true,
          category: { closed: taskCategories },
          priority: { closed: priorities },
          dateFrom: true,
          dateTo: true,
        },
        sorts: ['-createdAt', 'createdAt', 'date', 'changed'],
        date: 'due date',
      },
    ),
    scope: 'tasks:read',
    reasons: ['scope-missing'],
  },

  createTask: {
    id: 'createTask',
    method: 'POST',
    path: '/api/v1/tasks',
    group: 'Tasks',
    summary: "Add a task for the venue's staff",
    description: 'Without an Idempotency-Key a repeat makes a second task.',
    access: 'write',
    body: NewTask,
    bodyLimit: body64,
    idempotency: 'outcome-unknown',
    replies: {
      201: Type.Object({ task: ref(Task) }, { title: 'TaskReply', description: 'The task was made.' }),
    },
    badRequest: 'The title is missing, or a field cannot be read.',
    reasons: [...keyClash, 'outcome-unknown'],
  },

  getTask: {
    ...single('getTask', 'task', 'Tasks', 'task'),
    scope: 'tasks:read',
    reasons: [...kinds.task.gone, 'scope-missing'],
  },

  listCampaigns: {
    ...list(
      'listCampaigns',
      '/api/v1/campaigns',
      'Campaigns',
      Campaign,
      { summary: 'List campaigns', description: 'The newest campaigns in every status.' },
      { filters: { status: { closed: campaignStatuses } }, sorts: byCreation },
    ),
    scope: 'campaigns:read',
    reasons: ['scope-missing'],
  },

  createCampaign: {
    id: 'createCampaign',
    method: 'POST',
    path: '/api/v1/campaigns',
    group: 'Campaigns',
    summary: 'Write a campaign',
    description: 'Saves a marketing email as a draft; nothing is sent or scheduled.',
    access: 'own-software',
    body: NewCampaign,
    bodyLimit: { bytes: limits.campaignBodyBytes, status: 400 },
    replies: { 200: CampaignMade },
    badRequest: `A field is missing or cannot be read; a subject has at most ${limits.subjectCharacters} characters.`,
    reasons: ['api-key-required'],
  },

  composeCampaign: {
    id: 'composeCampaign',
    method: 'POST',
    path: '/api/v1/campaigns/compose',
    group: 'Campaigns',
    summary: "Build a campaign's list",
    description:
      'Finds the people the campaign goes to and queues them. Safe to repeat: nobody is queued twice. Never schedules.',
    access: 'own-software',
    body: ComposeRequest,
    bodyLimit: body64,
    namesRecord: true,
    callsOutForSeconds: limits.composeSeconds,
    replies: { 200: Composed },
    badRequest: 'The id is missing, or the segment cannot be read.',
    reasons: ['api-key-required', 'list-unreliable', 'campaign-closed'],
  },

  testCampaign: {
    id: 'testCampaign',
    method: 'POST',
    path: '/api/v1/campaigns/test',
    group: 'Campaigns',
    summary: 'Send a test of a campaign',
    description:
      "Sends one copy to each of the venue's saved test addresses; the address is never taken from the request. A campaign can be sent only after a test has reached the first of them.",
    access: 'own-software',
    body: CampaignTestRequest,
    bodyLimit: body64,
    namesRecord: true,
    callsOutForSeconds: limits.campaignTestSeconds,
    replies: { 200: CampaignTested },
    badRequest: 'The id is missing.',
    reasons: ['api-key-required', 'no-test-address', 'campaign-closed'],
  },

  sendCampaign: {
    id: 'sendCampaign',
    method: 'POST',
    path: '/api/v1/campaigns/send',
    group: 'Campaigns',
    summary: 'Send or schedule a campaign',
    description: `Needs a test that reached the venue, a list, room in the plan and a checklist without blockers. Without \`scheduledAt\` it waits ${limits.sendHoldMinutes} minutes, in which cancel stops it with nobody mailed.`,
    access: 'own-software',
    body: SendRequest,
    bodyLimit: body64,
    namesRecord: true,
    replies: { 200: SendTaken },
    badRequest: 'The id is missing, or the time or the count cannot be read.',
    reasons: [
      'api-key-required',
      'plan-limit',
      'no-test-send',
      'no-recipients',
      'count-changed',
      'checklist-blocked',
      'list-unreliable',
      'campaign-closed',
      'already-sending',
    ],
  },

  cancelCampaign: {
    id: 'cancelCampaign',
    method: 'POST',
    path: '/api/v1/campaigns/cancel',
    group: 'Campaigns',
    summary: 'Stop a campaign',
    description:
      'Stops a scheduled or sending campaign. Who was not mailed yet is skipped; delivered copies are not recalled.',
    access: 'own-software',
    body: CancelRequest,
    bodyLimit: body64,
    namesRecord: true,
    callsOutForSeconds: limits.cancelSeconds,
    replies: { 200: Cancelled },
    badRequest: 'The id is missing.',
    conflict: 'The campaign is a draft, and there is nothing to stop.',
    reasons: ['api-key-required', 'campaign-closed'],
  },

  getCampaign: {
    ...single('getCampaign', 'campaign', 'Campaigns', 'campaign'),
    scope: 'campaigns:read',
    reasons: ['scope-missing'],
  },

  listWebhooks: {
    id: 'listWebhooks',
    method: 'GET',
    path: '/api/v1/webhooks',
    group: 'Webhook endpoints',
    summary: 'List webhook endpoints',
    description: "The venue's endpoints, newest first. Secrets are never shown again.",
    access: 'own-software',
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
    body: WebhookRequest,
    bodyLimit: { bytes: limits.webhookBodyBytes, status: 413 },
    replies: { 201: ref(NewWebhookEndpoint) },
    badRequest: 'The address or the events are missing or not acceptable.',
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
    callsOutForSeconds: limits.webhookTestSeconds,
    replies: { 200: WebhookTest },
    conflict: 'The endpoint is off for good: its key was revoked, or the access withdrawn.',
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
    badRequest: "The event is unknown, or the address is not on the automation platform's hook host.",
    conflict: 'Too many hooks are listening.',
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

export type EndpointId = keyof typeof endpoints

/** The body an endpoint's row describes, after it was checked. */
export type BodyOf<E extends Endpoint> = E extends { body: infer B extends TSchema } ? Static<B> : undefined

/** An answer an endpoint's row allows: a status together with the body of just that status. */
export type ReplyOf<E extends Endpoint> = {
  [S in keyof E['replies'] & number]: { status: S; body: Static<E['replies'][S] & TSchema> }
}[keyof E['replies'] & number]

/** The records by name, as the serialiser and the OpenAPI document need them. */
export const records = [
  Account,
  Availability,
  AvailabilityCheck,
  Change,
  Reservation,
  Guest,
  Subscriber,
  TicketOrder,
  WaitlistEntry,
  Lead,
  Task,
  Campaign,
  WebhookEndpoint,
  NewWebhookEndpoint,
]
