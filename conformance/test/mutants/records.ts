import { answering, asking, bodyOf, instead, json, mutant, records, sending } from './mutant.ts'

const reservationMutants = [
  mutant(
    'confirms a request at once',
    ['Reservations 1'],
    records('POST /reservations', (one) => {
      one.status = 'Confirmed'
    }),
  ),
  mutant(
    'takes the API for the public page',
    ['Reservations 1'],
    records('POST /reservations', (one) => {
      one.source = 'public'
    }),
  ),
  mutant(
    'makes a name of its own',
    ['Reservations 2.1'],
    sending('POST /reservations', (body) => ({ guestName: 'Guest', ...body })),
  ),
  mutant(
    'rounds half a guest',
    ['Reservations 2.2'],
    sending('POST /reservations', (body) => ({
      ...body,
      partySize: body.partySize === 2.5 ? 3 : body.partySize,
    })),
  ),
  mutant(
    'cannot read 7pm',
    ['Reservations 3.1'],
    instead('POST /reservations', (asked) =>
      /^\d+pm$/.test(bodyOf(asked)?.time) ? json(400, { error: 'The time cannot be read.' }) : undefined,
    ),
  ),
  mutant(
    'ignores the offset of startsAt',
    ['Reservations 3.2'],
    sending('POST /reservations', (body) => ({
      ...body,
      ...(body.startsAt && { startsAt: body.startsAt.replace('Z', '-04:00') }),
    })),
  ),
  mutant(
    'takes startsAt without an offset',
    ['Reservations 3.3'],
    sending('POST /reservations', (body) => ({
      ...body,
      ...(body.startsAt && { startsAt: body.startsAt.replace(/:00$/, ':00-04:00') }),
    })),
  ),
  mutant(
    'has another reason for the past',
    ['Reservations 4.1'],
    answering('POST /reservations', ({ body }) => {
      if (body?.reason === 'in-the-past') body.reason = 'past'
    }),
  ),
  mutant(
    'gives no reason when the venue says no',
    ['Reservations 4.1', 'Errors 409'],
    answering('POST /reservations', ({ body }) => {
      delete body?.reason
    }),
  ),
  mutant(
    'refuses by a rule with 400',
    ['Reservations 4.2'],
    answering('POST /reservations', (answer) => {
      if (answer.status === 409) answer.status = 400
    }),
  ),
  mutant(
    'takes a full slot for an unknown reason',
    ['Reservations 4.3'],
    answering('POST /reservations', ({ body }) => {
      if (body?.reason === 'pacing-covers-full') body.reason = 'full'
    }),
  ),
  mutant(
    'cuts a party that is too large',
    ['Reservations 4.5'],
    sending('POST /reservations', (body) => ({
      ...body,
      partySize: body.partySize > 8 ? 8 : body.partySize,
    })),
  ),
  mutant(
    'finds everybody when nobody is named',
    ['Reservations 5.1'],
    instead('GET /reservations/find', ({ query }) =>
      query.get('email') || query.has('phone') ? undefined : json(200, []),
    ),
  ),
  mutant(
    'finds addresses by their letter case',
    ['Reservations 5.2'],
    instead('GET /reservations/find', ({ query }) =>
      /[A-Z]/.test(query.get('email') ?? '') ? json(200, []) : undefined,
    ),
  ),
  mutant(
    'answers 404 when it finds nobody',
    ['Reservations 5.2', 'Guests 4.1'],
    answering('GET /*/find', (answer) => {
      if (answer.body?.length === 0) Object.assign(answer, json(404, { error: 'Not found.' }))
    }),
  ),
  mutant(
    'finds numbers as they were typed',
    ['Reservations 5.3'],
    instead('GET /reservations/find', ({ query }) =>
      query.has('phone') && !query.get('phone')?.startsWith('+') ? json(200, []) : undefined,
    ),
  ),
  mutant(
    'finds the latest first',
    ['Reservations 5.4'],
    answering('GET /reservations/find', ({ body }) => {
      if (Array.isArray(body)) body.reverse()
    }),
  ),
  mutant(
    'ignores the date of a search',
    ['Reservations 5.5'],
    asking('GET /reservations/find', ({ query }) => query.delete('date')),
  ),
  mutant(
    'finds five at most',
    ['Reservations 5.6'],
    answering('GET /reservations/find', (answer) => {
      answer.body = answer.body.slice(0, 5)
    }),
  ),
  mutant(
    'does not say who cancelled',
    ['Reservations 6.1'],
    records('* /reservations/*', (one) => {
      one.cancelledBy = null
    }),
  ),
  mutant(
    'says which staff member cancelled',
    ['Reservations 6.1'],
    records('* /reservations/*', (one) => {
      if (one.cancelledBy) one.cancelledBy = 'Dana'
    }),
  ),
  mutant(
    'never says when a party arrived',
    ['Reservations 6.2'],
    records('* /reservations/*', (one) => {
      one.checkedInAt = null
    }),
  ),
  mutant(
    'has updatedAt of the creation',
    ['Reservations 6.3'],
    records('GET /reservations*', (one) => {
      one.updatedAt = one.createdAt
    }),
  ),
]

const guestMutants = [
  mutant(
    'makes a guest whom nobody can reach',
    ['Guests 1.2'],
    sending('POST /guests', (body) => ({
      ...body,
      ...(!body.email && { email: 'nobody@example.com' }),
    })),
  ),
  mutant(
    'does not say what a guest needs',
    ['Guests 1.2', 'Guests 4.2'],
    answering('* /guests*', ({ status, body }) => {
      if (status === 400) body.error = 'Bad request.'
    }),
  ),
  mutant(
    'answers a match with 201',
    ['Guests 2.1'],
    answering('POST /guests', (answer) => {
      if (answer.status === 200) answer.status = 201
    }),
  ),
  mutant(
    'says created of a match',
    ['Guests 2.1'],
    answering('POST /guests', ({ body }) => {
      if (body.guest) body.created = true
    }),
  ),
  mutant(
    'matches by phone first',
    ['Guests 2.3'],
    sending('POST /guests', (body) => {
      if (body.phone) delete body.email
      return body
    }),
  ),
  mutant(
    'never matches by phone',
    ['Guests 2.2'],
    sending('POST /guests', (body) => ({
      ...body,
      ...(body.email && !body.phone?.startsWith('+') && { phone: undefined }),
    })),
  ),
  mutant(
    'fills nothing in',
    ['Guests 3.1'],
    sending('POST /guests', (body) => ({
      ...body,
      ...(body.email && body.name && { name: undefined, phone: undefined }),
    })),
  ),
  mutant(
    'writes over what is there',
    ['Guests 3.2'],
    answering('POST /guests', ({ status, body }) => {
      if (status === 200 && body.conflicting) Object.assign(body.guest, body.conflicting)
    }),
  ),
  mutant(
    'says nothing of a conflict',
    ['Guests 3.2'],
    answering('POST /guests', ({ body }) => {
      delete body?.conflicting
    }),
  ),
  mutant(
    'counts no visits',
    ['Guests 5'],
    records('GET /guests*', (guest) => {
      guest.visitCount = 0
    }),
  ),
]

const subscriberMutants = [
  mutant(
    'adds somebody without evidence',
    ['Subscribers 2.1'],
    sending('POST /subscribers', (body) => ({
      ...body,
      consent: { source: 'unknown', ...body.consent },
    })),
  ),
  mutant(
    'takes evidence from the future',
    ['Subscribers 2.2'],
    sending('POST /subscribers', (body) => {
      delete body.consent?.at
      return body
    }),
  ),
  mutant(
    'adds again who unsubscribed',
    ['Subscribers 3.1'],
    answering('POST /subscribers', (answer) => {
      const { body } = answer
      if (body?.status !== 'unsubscribed') return
      answer.status = 201
      Object.assign(body, { added: true, status: 'subscribed' })
      body.subscriber.status = 'subscribed'
    }),
  ),
  mutant(
    'takes the do-not-email list for an error',
    ['Subscribers 3.2'],
    answering('POST /subscribers', (answer) => {
      if (answer.body?.status === 'suppressed') Object.assign(answer, json(409, { error: 'Suppressed.' }))
    }),
  ),
  mutant(
    'adds twice who is there',
    ['Subscribers 3.3'],
    answering('POST /subscribers', (answer) => {
      if (answer.status === 200) Object.assign(answer, { status: 201, body: { ...answer.body, added: true } })
    }),
  ),
  mutant(
    'says nothing in message',
    ['Subscribers 1'],
    answering('POST /subscribers', ({ body }) => {
      if (body.message) body.message = ''
    }),
  ),
]

const otherMutants = [
  mutant(
    'lists checkouts that were abandoned',
    ['Ticket orders 1'],
    answering('GET /ticket-orders', ({ body }) => {
      if (body[0]) body[0].status = 'pending'
    }),
  ),
  mutant(
    'has totals in cents',
    ['Ticket orders 2'],
    records('GET /ticket-orders*', (order) => {
      order.total = String(order.totalCents)
    }),
  ),
  mutant(
    'calls a refunded order paid',
    ['Ticket orders 3'],
    records('GET /ticket-orders/*', (order) => {
      if (order.status === 'refunded') order.status = 'paid'
    }),
  ),
  mutant(
    'calls a seated party seated',
    ['Waitlist 1', 'Waitlist 2'],
    records('GET /waitlist*', (entry) => {
      if (entry.status === 'booked') entry.status = 'seated'
    }),
  ),
  mutant(
    'begins leads at a stage of its own',
    ['Leads 1.1'],
    records('POST /leads', (lead) => {
      lead.stage = 'New'
    }),
  ),
  mutant(
    'echoes the words of the request, not of the record',
    ['Leads 1.1'],
    records('POST /leads', (lead) => {
      lead.name = lead.contactName
      delete lead.contactName
    }),
  ),
  mutant(
    'leaves an event without a name',
    ['Leads 1.2'],
    records('POST /leads', (lead) => {
      if (lead.eventName === 'TBD') lead.eventName = null
    }),
  ),
  mutant(
    'takes any text as the day of an event',
    ['Leads 2'],
    sending('POST /leads', (body) => ({
      ...body,
      ...(body.eventDate && { eventDate: '2031-01-16' }),
    })),
  ),
  mutant(
    'makes a task that is done',
    ['Tasks 1.1'],
    records('POST /tasks', (task) => {
      task.done = true
    }),
  ),
  mutant(
    'takes a task as urgent',
    ['Tasks 1.2'],
    sending('POST /tasks', (body) => ({ priority: 'High', ...body })),
  ),
  mutant(
    'refuses a category that it does not know',
    ['Tasks 1.3'],
    instead('POST /tasks', (asked) =>
      bodyOf(asked)?.category === 'Gardening' ? json(400, { error: 'category is not known.' }) : undefined,
    ),
  ),
  mutant(
    'makes a task without a title',
    ['Tasks 2'],
    sending('POST /tasks', (body) => ({ title: 'Task', ...body })),
  ),
  mutant(
    'has a sentence of its own for a missing guest',
    ['Service 1.2'],
    instead('GET /guests/*', async (asked, next) => {
      const answer = await next(asked)
      const isUnknown = asked.path === '/guests/999999999999'
      return answer.status === 404 && !isUnknown
        ? { ...answer, ...json(404, { error: 'Not yours.' }) }
        : answer
    }),
  ),
]

const campaignMutants = [
  mutant(
    'schedules what is composed',
    ['Campaigns 2.1'],
    answering('POST /campaigns/compose', ({ body }) => {
      if (body.campaign) body.campaign.status = 'scheduled'
    }),
  ),
  mutant(
    'queues people twice',
    ['Campaigns 2.1'],
    answering('POST /campaigns/compose', ({ body }) => {
      if (body.alreadyPresent) Object.assign(body, { added: body.alreadyPresent, alreadyPresent: 0 })
    }),
  ),
  mutant(
    'cuts a subject that is too long',
    ['Campaigns 1.2'],
    sending('POST /campaigns', (body) => ({
      ...body,
      ...(typeof body.subject === 'string' && { subject: body.subject.slice(0, 200) }),
    })),
  ),
  mutant(
    'sends without a test',
    ['Campaigns 3'],
    instead('POST /campaigns/send', async (asked, next) => {
      const answer = await next(asked)
      return answer.body?.reason === 'no-test-send' ? json(200, { ok: true }) : answer
    }),
  ),
  mutant(
    'sends a test to who is named in the request',
    ['Campaigns 4.1'],
    answering('POST /campaigns/test', ({ body }, asked) => {
      if (body.ok) body.to = bodyOf(asked).to ?? body.to
    }),
  ),
  mutant(
    'does not look at confirmCount',
    ['Campaigns 4.2'],
    sending('POST /campaigns/send', ({ confirmCount: _count, ...body }) => body),
  ),
  mutant(
    'schedules a campaign that was refused',
    ['Campaigns 4.2'],
    answering('GET /campaigns/*', ({ body }) => {
      if (body?.status === 'draft') body.status = 'scheduled'
    }),
  ),
  mutant(
    'cancels twice',
    ['Campaigns 4.3'],
    answering('POST /campaigns/cancel', (answer) => {
      if (answer.status === 409) Object.assign(answer, json(200, { ok: true }))
    }),
  ),
  mutant(
    'counts who was skipped as failed',
    ['Campaigns 4.3'],
    answering('POST /campaigns/cancel', ({ body }) => {
      if (body.counts) Object.assign(body.counts, { failed: body.counts.skipped, skipped: 0 })
    }),
  ),
  mutant(
    'sends at once',
    ['Campaigns 4.4'],
    answering('POST /campaigns/send', ({ body }) => {
      body.holdUntil = null
    }),
  ),
  mutant(
    'gives an automation key no reason why it may not',
    ['Campaigns 5.2'],
    answering('POST /campaigns*', ({ body }) => {
      delete body?.reason
    }),
  ),
]

export const recordMutants = [
  ...reservationMutants,
  ...guestMutants,
  ...subscriberMutants,
  ...otherMutants,
  ...campaignMutants,
  mutant(
    'gives another reason for a blocked time',
    ['Reservations 4.4'],
    answering('POST /reservations', ({ body }) => {
      if (body?.reason === 'blocked') body.reason = 'closed'
    }),
  ),
  mutant(
    'gives another reason for a day too far ahead',
    ['Reservations 4.6'],
    answering('POST /reservations', ({ body }) => {
      if (body?.reason === 'too-far-ahead') body.reason = 'closed'
    }),
  ),
  mutant(
    'says of a new guest that it was there',
    ['Guests 1.1'],
    answering('POST /guests', ({ status, body }) => {
      if (status === 201) body.created = false
    }),
  ),
  mutant(
    'forgets when a party left',
    ['Waitlist 3'],
    answering('GET /waitlist/*', ({ body }) => {
      if (body?.leftAt) body.leftAt = null
    }),
  ),
  mutant(
    'takes any priority',
    ['Leads 1.3'],
    sending('POST /leads', (body) => (body.priority === 'Urgent' ? { ...body, priority: 'High' } : body)),
  ),
  mutant(
    'links a lead to nobody',
    ['Leads 3'],
    answering('GET /guests', (answer, { query }) => {
      if (query.has('lead')) answer.body = []
    }),
  ),
  mutant(
    'schedules a campaign that was only written',
    ['Campaigns 1.1'],
    answering('POST /campaigns', ({ body }) => {
      if (body?.campaign) body.campaign.status = 'scheduled'
    }),
  ),
  mutant(
    'takes an unknown campaign for a bad request',
    ['Campaigns 2.2'],
    answering('POST /campaigns/*', (answer) => {
      if (answer.status === 404) answer.status = 400
    }),
  ),
  mutant(
    'hides campaigns from a read-only key',
    ['Campaigns 5.1'],
    answering('POST /campaigns*', (answer) => {
      if (answer.status === 403) answer.status = 404
    }),
  ),
]
