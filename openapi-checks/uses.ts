import type { components } from './generated/openapi.d.ts'
import type { Answer, Asked, Call, CallId, Received } from './client.ts'

/*
 * A program that uses every operation of the document. An operation it does not use, or one that is gone, does not
 * compile; so a new row of the contract needs a line here.
 */

type Schemas = components['schemas']

/** One use of each operation of the API. */
export const uses: { [Id in CallId]: (call: Call) => Promise<unknown> } = {
  me: async (call) => {
    const { body } = expect(200, await call('me', {}))
    return body.key.scope === 'read_write' ? body.venue.timezone.toUpperCase() : body.plan
  },

  rotateKey: async (call) => {
    const answer = await call('rotateKey', { body: { overlapHours: 24 } })
    if (answer.status === 409) return refused(answer.body)
    const { key, id, previousExpiresAt } = expect(201, answer).body
    return [key, id, previousExpiresAt.slice(0, 10)]
  },

  getUsage: async (call) => {
    const { days, rate } = expect(200, await call('getUsage', { query: { days: 7 } })).body
    return [
      days.map(({ date, byStatus, requests }) => [date, byStatus['429'] ?? 0, requests]),
      rate.peakPerMinute,
    ]
  },

  listChanges: async (call) => {
    const answer = await call('listChanges', { query: { kinds: 'guest,task', limit: 1000, wait: 20 } })
    if (answer.status === 410) return answer.body.reason
    const { changes, next, more } = expect(200, answer).body
    return [changes.map(({ kind, id, change, revision }) => [kind, id, change, revision]), next, more]
  },

  digestChanges: async (call) => {
    const query = { kind: 'guest', after: 'c1_5xL1kQAAAAAD9Bbp', from: 48_000 }
    const answer = await call('digestChanges', { query })
    if (answer.status === 409 || answer.status === 410) return answer.body.reason
    const { blocks, records, changedSince, next } = expect(200, answer).body
    return [
      blocks?.map(({ from, count, digest }) => [from, count, digest]),
      records?.length,
      changedSince,
      next,
    ]
  },

  listEvents: async (call) => {
    const answer = await call('listEvents', { query: { names: 'guest.*', record: 'guest:3107', limit: 100 } })
    if (answer.status === 410) return answer.body.reason
    const { items, next, more } = expect(200, answer).body
    return [items.map(({ event, record, changed, data }) => [event, record?.id, changed, data]), next, more]
  },

  listEventTypes: async (call) => {
    const { body } = expect(200, await call('listEventTypes', {}))
    return body.map(({ name, scope, schema }) => [name, scope?.split(':'), schema.slice(2)])
  },

  listVisits: async (call) => {
    const { body } = expect(200, await call('listVisits', { query: { table: 7, guest: 3107, sort: 'date' } }))
    return body.map(({ guestId, tableIds, stayMinutes }) => [guestId, tableIds.length, stayMinutes ?? 0])
  },

  getVisit: async (call) => {
    const { seatedAt, leftAt, revision } = expect(200, await call('getVisit', { path: { id: 48_213 } })).body
    return [seatedAt?.slice(0, 10), leftAt, revision]
  },

  listRooms: async (call) => {
    const { body } = expect(200, await call('listRooms', {}))
    return body.flatMap(({ name, tables }) => tables.map(({ label, seatsTo }) => [name, label, seatsTo]))
  },

  listReservations: async (call) => {
    const { body } = expect(
      200,
      await call('listReservations', { query: { limit: 100, since: '2026-10-06T15:00:00Z' } }),
    )
    return body.map(({ id, createdAt, date, partySize }) => ({
      id,
      // Always there: no question mark needed.
      made: createdAt.slice(0, 10),
      date: date?.split('-'),
      seats: partySize ?? 0,
    }))
  },

  getAvailability: async (call) => {
    const answer = await call('getAvailability', {
      query: { date: '2026-12-05', partySize: 4, days: 7, show: 'all' },
    })
    if (answer.status === 304) return undefined
    const { days } = expect(200, answer).body
    return days.flatMap(
      ({ closed, slots }) => closed?.sentence ?? slots.map(({ time, sentence }) => sentence ?? time),
    )
  },

  checkAvailability: async (call) => {
    const answer = await call('checkAvailability', {
      query: { date: '2026-12-05', time: '19:15', partySize: 4 },
    })
    if (answer.status === 304) return undefined
    const { ok, reason, alternatives } = expect(200, answer).body
    return ok ? undefined : [reason, alternatives.map(({ startsAt }) => startsAt)]
  },

  createHold: async (call) => {
    const answer = await call('createHold', {
      header: { 'Idempotency-Key': 'call-81-hold' },
      body: { partySize: 4, date: '2026-10-09', time: '19:30' },
    })
    if (answer.status === 409) return answer.body.reason
    const { id, expiresAt } = expect(201, answer).body
    return [id, expiresAt]
  },

  createReservation: async (call) => {
    const answer = await call('createReservation', {
      query: { alternatives: 3 },
      header: { 'Idempotency-Key': 'web-5d1f0c' },
      body: { guestName: 'Maya Okafor', partySize: 4, date: '2026-10-09', time: '19:30' },
    })
    switch (answer.status) {
      case 201:
        return answer.body.reservation.id
      case 409:
        return answer.body.alternatives?.[0]?.time ?? answer.body.error
      default:
        return refused(answer.body)
    }
  },

  findReservations: async (call) => {
    const { body } = expect(
      200,
      await call('findReservations', { query: { phone: '+1 212 555 0147', date: '2026-10-09' } }),
    )
    return body.find(({ status }) => status === 'Confirmed')?.time
  },

  getReservation: async (call) => {
    const answer = await call('getReservation', { path: { id: 264 } })
    if (answer.status === 410) return answer.body.reason
    return expect(200, answer).body.status
  },

  listGuests: async (call) => newest(expect(200, await call('listGuests', { query: {} })).body),

  createGuest: async (call) => {
    const answer = await call('createGuest', { body: { name: 'Maya Okafor', email: 'maya@example.com' } })
    if (answer.status === 200) return [answer.body.created satisfies false, answer.body.conflicting?.phone]
    return expect(201, answer).body.guest.visitCount
  },

  search: async (call) => {
    const { results } = expect(
      200,
      await call('search', { query: { q: 'olg', kinds: 'guest', limit: 5 } }),
    ).body
    return results.map(({ kind, id, why }) => [kind, id, why])
  },

  figures: async (call) => {
    const query = {
      from: '2026-10-01',
      to: '2026-10-07',
      names: 'covers,no_shows',
      compare: 'before',
    } as const
    const { figures, compared } = expect(200, await call('figures', { query })).body
    return [
      figures.map(({ name, rows }) => [name, rows.map(({ key, n, d, value }) => [key, n, d, value])]),
      compared?.from,
    ]
  },

  findGuest: async (call) =>
    expect(200, await call('findGuest', { query: { email: 'maya@example.com' } })).body.at(0)?.name,

  getGuest: async (call) => {
    const answer = await call('getGuest', { path: { id: 264 } })
    if (answer.status === 410) return answer.body.reason
    return expect(200, answer).body.visitCount
  },

  listSubscribers: async (call) => newest(expect(200, await call('listSubscribers', { query: {} })).body),

  createSubscriber: async (call) => {
    const answer = await call('createSubscriber', {
      body: { email: 'maya@example.com', consent: { source: 'Checkout page', at: '2026-10-06T15:00:00Z' } },
    })
    if (answer.status === 200) return answer.body.subscriber?.unsubscribedAt ?? answer.body.message
    return expect(201, answer).body.status satisfies 'subscribed'
  },

  getSubscriber: async (call) => {
    const answer = await call('getSubscriber', { path: { id: 264 } })
    if (answer.status === 410) return answer.body.reason
    return expect(200, answer).body.status
  },

  listTicketOrders: async (call) => {
    const { body } = expect(200, await call('listTicketOrders', { query: { limit: 10 } }))
    return body.reduce(
      (cents, { totalCents, refundedCents }) => cents + (totalCents ?? 0) - (refundedCents ?? 0),
      0,
    )
  },

  getTicketOrder: async (call) =>
    expect(200, await call('getTicketOrder', { path: { id: 264 } })).body.totalCents,

  listOccurrences: async (call) =>
    expect(200, await call('listOccurrences', { query: { dateFrom: '2026-11-01', dateTo: '2026-11-30' } }))
      .body.filter(({ onSale, seatsLeft }) => onSale && (seatsLeft ?? 0) > 1)
      .map(({ id, eventName, priceCents }) => [id, eventName, priceCents]),

  createTicketOrder: async (call) => {
    const answer = await call('createTicketOrder', {
      body: { occurrenceId: 31, seats: 2, buyerEmail: 'maya@example.com', externalReference: 'shop-20114' },
    })
    if (answer.status === 409) return answer.body.reason
    if (answer.status === 200) return answer.body.ticketOrder.status
    return expect(201, answer).body.ticketOrder.orderNumber
  },

  cancelTicketOrder: async (call) =>
    expect(200, await call('cancelTicketOrder', { path: { id: 518 } })).body.ticketOrder.status,

  requestRefund: async (call) => {
    const answer = await call('requestRefund', {
      path: { id: 518 },
      body: { amountCents: 9500, reason: 'One of the two is ill.' },
    })
    if (answer.status === 409) return answer.body.error
    return expect(201, answer).body.refundRequest.status
  },

  createCheckout: async (call) => {
    const answer = await call('createCheckout', {
      header: { 'Idempotency-Key': 'cart-7' },
      body: {
        ...{ occurrenceId: 31, seats: 2, buyerEmail: 'maya@example.com' },
        returnUrl: 'https://www.example.com/thanks',
      },
    })
    if (answer.status === 409) return answer.body.reason
    const { url, totalCents, expiresAt } = expect(201, answer).body.checkout
    return [url, totalCents, expiresAt]
  },

  getCheckout: async (call) => {
    const { checkout } = expect(200, await call('getCheckout', { path: { id: 88 } })).body
    return [checkout.status, checkout.reservationId ?? checkout.ticketOrderId, checkout.reason]
  },

  expireCheckout: async (call) => {
    const answer = await call('expireCheckout', { path: { id: 88 } })
    if (answer.status === 409) return answer.body.reason
    return expect(200, answer).body.checkout.status
  },

  listWaitlist: async (call) => newest(expect(200, await call('listWaitlist', { query: {} })).body),

  getWaitlistEntry: async (call) =>
    expect(200, await call('getWaitlistEntry', { path: { id: 264 } })).body.status,

  listLeads: async (call) => newest(expect(200, await call('listLeads', { query: {} })).body),

  createLead: async (call) =>
    expect(201, await call('createLead', { body: { name: 'Maya Okafor', guestCount: '35-40' } })).body.lead
      .stage,

  getLead: async (call) => {
    const answer = await call('getLead', { path: { id: 264 } })
    if (answer.status === 410) return answer.body.reason
    return expect(200, answer).body.stage
  },

  listTasks: async (call) =>
    expect(
      200,
      await call('listTasks', { query: { done: 'false', sort: 'date', dateTo: '2026-10-09' } }),
    ).body.map(({ title, due }) => `${title} ${due}`),

  createTask: async (call) =>
    expect(201, await call('createTask', { body: { title: 'Call Maya', priority: 'High' } })).body.task.done,

  getTask: async (call) => {
    const answer = await call('getTask', { path: { id: 1204 } })
    if (answer.status === 410) return answer.body.reason
    return expect(200, answer).body.done
  },

  updateReservation: async (call) => {
    const answer = await call('updateReservation', {
      path: { id: 48213 },
      query: { alternatives: 3 },
      header: { 'If-Match': '*' },
      body: { time: '20:00', notes: null },
    })
    if (answer.status === 202) return `${answer.body.change.status} until ${answer.body.change.expiresAt}`
    return expect(200, answer).body.reservation.time
  },

  cancelReservation: async (call) =>
    expect(200, await call('cancelReservation', { path: { id: 48213 }, body: { by: 'guest' } })).body
      .reservation.cancelledBy,

  getReservationChange: async (call) =>
    expect(200, await call('getReservationChange', { path: { id: 48213 } })).body.expiresAt,

  withdrawReservationChange: async (call) =>
    expect(200, await call('withdrawReservationChange', { path: { id: 48213 } })).body.change.status,

  updateTask: async (call) => {
    const answer = await call('updateTask', {
      path: { id: 1204 },
      header: { 'If-Match': '"4.Xq9z"' },
      body: { due: null, assignedRole: 'manager' },
    })
    if (answer.status === 412) return answer.body.current
    const { task, changed } = expect(200, answer).body
    return changed && task.doneAt
  },

  completeTask: async (call) => expect(200, await call('completeTask', { path: { id: 1204 } })).body.changed,

  reopenTask: async (call) => expect(200, await call('reopenTask', { path: { id: 1204 } })).body.task.done,

  updateLead: async (call) => {
    const answer = await call('updateLead', {
      path: { id: 264 },
      header: { 'If-Match': '*', 'Idempotency-Key': 'lead-264-proposal' },
      body: { stage: 'Proposal', dietaryNeeds: null },
    })
    if (answer.status === 409) return answer.body.stages
    return expect(200, answer).body.lead.stage
  },

  addLeadNote: async (call) =>
    expect(201, await call('addLeadNote', { path: { id: 264 }, body: { text: 'The contract went out.' } }))
      .body.noted,

  updateGuest: async (call) => {
    const answer = await call('updateGuest', {
      path: { id: 3107 },
      header: { 'If-Match': '"14.Xq9z"' },
      body: { phone: '(646) 555-0100', seatingPreference: null },
    })
    if (answer.status === 409) return answer.body.reason
    return expect(200, answer).body.replaced.phone
  },

  updateSubscriber: async (call) =>
    expect(
      200,
      await call('updateSubscriber', {
        path: { id: 912 },
        header: { 'If-Match': '*' },
        body: { birthMonth: 12, birthDay: 14 },
      }),
    ).body.subscriber.birthDay,

  changeTags: async (call) => {
    const answer = await call('changeTags', {
      path: { id: 912 },
      body: { add: ['Wine evenings'], remove: ['Newcomers'] },
    })
    return expect(200, answer).body.subscriber.tags.join(', ')
  },

  unsubscribe: async (call) => expect(200, await call('unsubscribe', { path: { id: 912 } })).body.changed,

  unsubscribeAddress: async (call) =>
    expect(200, await call('unsubscribeAddress', { body: { email: 'maya.okafor@example.com' } })).body
      .subscriber?.status,

  joinWaitlist: async (call) => {
    const answer = await call('joinWaitlist', {
      body: { guestName: 'Maya Okafor', partySize: 2, phone: '(212) 555-0147', windowEnd: '21:30' },
    })
    return answer.status === 409 ? answer.body.error : expect(201, answer).body.waitlistEntry.id
  },

  updateWaitlistEntry: async (call) =>
    expect(
      200,
      await call('updateWaitlistEntry', {
        path: { id: 77 },
        header: { 'If-Match': '*' },
        body: { partySize: 3 },
      }),
    ).body.waitlistEntry.partySize,

  leaveWaitlist: async (call) => expect(200, await call('leaveWaitlist', { path: { id: 77 } })).body.changed,

  listCampaigns: async (call) =>
    newest(expect(200, await call('listCampaigns', { query: { status: 'scheduled,sending' } })).body),

  getCampaign: async (call) => expect(200, await call('getCampaign', { path: { id: 61 } })).body.sentCount,

  createCampaign: async (call) => {
    const segment: Schemas['Segment'] = {
      type: 'and',
      of: [
        { type: 'tag', anyOf: ['Regulars'] },
        { type: 'lapsed', notSinceDays: 180 },
      ],
      exclude: { mailedWithinDays: 14, ticketHoldersOf: true },
    }
    const { body } = expect(
      200,
      await call('createCampaign', { body: { name: 'Oysters', subject: 'Oyster week', segment } }),
    )
    return peopleOf(body.campaign.segment)
  },

  composeCampaign: async (call) => {
    const { body } = expect(
      200,
      await call('composeCampaign', { body: { id: 61, segment: { type: 'birthday', month: 11 } } }),
    )
    return body.reliable ? body.recipientsTotal : body.notes.join(' ')
  },

  testCampaign: async (call) =>
    expect(200, await call('testCampaign', { body: { id: 61 } })).body.testSentAt.slice(0, 10),

  sendCampaign: async (call) => {
    const answer = await call('sendCampaign', { body: { id: 61, confirmCount: 1180 } })
    if (answer.status === 402) return answer.body.reason
    if (answer.status === 409) return answer.body.blockers?.map(({ message }) => message)
    return expect(200, answer).body.holdUntil
  },

  cancelCampaign: async (call) =>
    expect(200, await call('cancelCampaign', { body: { id: 61 } })).body.counts.skipped,

  createBatch: async (call) => {
    const answer = await call('createBatch', {
      header: { 'Idempotency-Key': 'crm-2026-11-23' },
      body: {
        kind: 'guest',
        mode: 'write',
        items: [{ ref: 'crm-1042', body: { name: 'Maya Okafor', email: 'maya@example.com' } }],
      },
    })
    return answer.status === 202 ? answer.body.batch.id : refused(answer.body)
  },

  getBatch: async (call) => {
    const { body } = expect(200, await call('getBatch', { path: { id: 'a' } }))
    return body.done === body.total || body.status
  },

  listBatchResults: async (call) => {
    const { body } = expect(
      200,
      await call('listBatchResults', { path: { id: 'a' }, query: { limit: 100, after: 'l1_K3b' } }),
    )
    return body.map(({ ref, status, id, error, conflicting = [] }) => [
      ref,
      status,
      id,
      error,
      ...conflicting,
    ])
  },

  dryRun: async (call) => {
    const answer = await call('dryRun', {
      body: { method: 'POST', path: '/api/v1/leads', body: { name: 'Maya Okafor' } },
    })
    if (answer.status === 409) return answer.body.reason
    const { wouldAnswer, events, changes } = expect(200, answer).body
    return [
      wouldAnswer.status,
      events.map(({ event }) => event),
      changes.map(({ id, change }) => [id, change]),
    ]
  },

  listErasures: async (call) => {
    const { erasures, next, more } = expect(200, await call('listErasures', { query: { limit: 100 } })).body
    return [erasures.flatMap(({ guests, subscribers }) => [...guests, ...subscribers]), more && next]
  },

  confirmErasure: async (call) => {
    const { erasure } = expect(
      200,
      await call('confirmErasure', { path: { id: 17 }, body: { note: 'Gone.' } }),
    ).body
    return erasure.confirmed && erasure.at.slice(0, 10)
  },

  listWebhooks: async (call) =>
    expect(200, await call('listWebhooks', {})).body.filter(({ disabledReason }) => disabledReason !== null),

  createWebhook: async (call) => {
    const events: Schemas['EventPattern'][] = ['reservation.created', 'guest.*']
    const { body } = expect(
      201,
      await call('createWebhook', { body: { url: 'https://hooks.example.com/', events } }),
    )
    return body.secret
  },

  deleteWebhook: async (call) =>
    expect(200, await call('deleteWebhook', { path: { id: '0b9e3c1e' } })).body.deleted satisfies true,

  testWebhook: async (call) => {
    const { body } = expect(200, await call('testWebhook', { path: { id: '0b9e3c1e' } }))
    return body.ok ? body.durationMs : body.error
  },

  getWebhook: async (call) => {
    const { body } = expect(200, await call('getWebhook', { path: { id: '0b9e3c1e' } }))
    return body.successRate24h !== null && body.successRate24h < 0.9 ? body.oldestWaitingAt : body.pausedAt
  },

  updateWebhook: async (call) => {
    const answer = await call('updateWebhook', {
      path: { id: '0b9e3c1e' },
      header: { 'If-Match': '"3.x4Qz"' },
      body: { status: 'paused', payload: 'thin', include: [], description: null },
    })
    return expect(200, answer).body.revision
  },

  rotateWebhookSecret: async (call) => {
    const asked = { path: { id: '0b9e3c1e' }, body: { overlapHours: 24 } }
    const { body } = expect(201, await call('rotateWebhookSecret', asked))
    return [body.secret, body.previousValidUntil]
  },

  sampleWebhook: async (call) => {
    const asked = { path: { id: '0b9e3c1e' }, body: { event: 'reservation.seated' } } as const
    const { body } = expect(200, await call('sampleWebhook', asked))
    return body.ok ? body.event : body.error
  },

  listDeliveries: async (call) => {
    const path = { id: '0b9e3c1e' }
    const { body } = expect(200, await call('listDeliveries', { path, query: { status: 'failed,dropped' } }))
    return body.map(({ id, event, record, status, nextTryAt }) => [id, event, record?.id, status, nextTryAt])
  },

  getDelivery: async (call) => {
    const path = { id: '0b9e3c1e', deliveryId: '7d0f8f5e' }
    const { attempts, lastStatus } = expect(200, await call('getDelivery', { path })).body
    return [
      attempts.map(({ startedAt, durationMs, statusCode }) => [startedAt, durationMs, statusCode]),
      lastStatus,
    ]
  },

  resendDelivery: async (call) => {
    const path = { id: '0b9e3c1e', deliveryId: '7d0f8f5e' }
    const answer = await call('resendDelivery', { path, header: { 'Idempotency-Key': 'again-7d0f8f5e' } })
    if (answer.status === 409) return refused(answer.body)
    return expect(202, answer).body.delivery.nextTryAt
  },

  replayDeliveries: async (call) => {
    const body = {
      since: '2026-10-06T12:00:00Z',
      only: 'failed',
      events: ['reservation.*'],
      preview: true,
    }
    const answer = await call('replayDeliveries', { path: { id: '0b9e3c1e' }, body })
    if (answer.status === 409) return refused(answer.body)
    const { count, firstDueAt } = expect(202, answer).body
    return [count, firstDueAt]
  },

  createHook: async (call) => {
    const body = {
      event: 'lead.created',
      targetUrl: 'https://hooks.zapier.com/hooks/standard/1/abc/',
    } as const
    return expect(201, await call('createHook', { body })).body.id
  },

  deleteHook: async (call) => expect(200, await call('deleteHook', { path: { id: '0b9e3c1e' } })).body.id,

  getChangelog: async (call) =>
    expect(200, await call('getChangelog', {})).body.map(({ date, growth, name }) => [date, growth, name]),
}

/** Takes a delivery: each event brings a record of its own. */
export const receive = (delivery: Received): string | null => {
  switch (delivery.event) {
    case 'reservation.created':
    case 'reservation.updated':
    case 'reservation.cancelled':
    case 'reservation.confirmed':
    case 'reservation.arrived':
    case 'reservation.seated':
    case 'reservation.completed':
    case 'reservation.no_show':
    case 'reservation.restored':
    case 'reservation.rescheduled':
    case 'reservation.resized':
    case 'reservation.details_changed':
    case 'reservation.deleted':
    case 'reservation.change_requested':
    case 'reservation.change_answered':
    case 'reservation.guarantee_changed':
      return delivery.data.guestName
    case 'guest.created':
    case 'guest.updated':
    case 'guest.unmerged':
      return delivery.data.seatingPreference
    case 'guest.merged':
      return String(delivery.data.mergedInto)
    case 'subscriber.added':
    case 'subscriber.unsubscribed':
    case 'subscriber.updated':
    case 'subscriber.pending':
    case 'subscriber.confirmed':
    case 'subscriber.deleted':
      return delivery.data.firstName
    case 'ticket_order.paid':
    case 'ticket_order.refunded':
    case 'ticket_order.created':
    case 'ticket_order.cancelled':
    case 'ticket_order.refund_requested':
    case 'ticket_order.refund_failed':
      return delivery.data.orderNumber
    case 'waitlist.added':
    case 'waitlist.seated':
    case 'waitlist.updated':
    case 'waitlist.quoted':
    case 'waitlist.offered':
    case 'waitlist.booked':
    case 'waitlist.left':
    case 'waitlist.expired':
    case 'waitlist.returned':
      return delivery.data.windowStart
    case 'lead.created':
    case 'lead.updated':
    case 'lead.stage_changed':
    case 'lead.deleted':
      return delivery.data.budgetPerPerson
    case 'task.created':
    case 'task.updated':
    case 'task.completed':
    case 'task.reopened':
    case 'task.deleted':
      return delivery.data.due
    case 'campaign.created':
    case 'campaign.scheduled':
    case 'campaign.started':
    case 'campaign.sent':
    case 'campaign.cancelled':
    case 'campaign.held':
      return delivery.data.lastError
    case 'person.erased':
      return String(delivery.data.erasure)
    case 'access.key_expiring':
      return delivery.data.expiresAt
    case 'webhook.disabled':
      return delivery.data.disabledReason
    case 'changes.available':
      return null
    case 'ping':
      return delivery.data.message
    default:
      // A new event is used here, too.
      return delivery satisfies never
  }
}

/** Who a campaign goes to; of a type that was added later only the name is known. */
const peopleOf = (segment: Schemas['Campaign']['segment']): string => {
  if (segment.type === 'tag' && 'anyOf' in segment) return segment.anyOf?.join(', ') ?? 'tagged'
  return segment.type
}

const newest = (records: readonly { id: number; createdAt: string | null }[]): string | undefined =>
  records[0]?.createdAt ?? undefined

/** The answer with that status, or what refused it. */
const expect = <Given extends { status: unknown; body: unknown }, const Status extends Given['status']>(
  status: Status,
  answer: Given,
): Extract<Given, { status: Status }> => {
  if (answer.status !== status) throw new Error(JSON.stringify(answer.body))
  return answer as Extract<Given, { status: Status }>
}

const refused = ({ error }: Schemas['Refusal']): never => {
  throw new Error(error)
}

/*
 * What must not compile. Were the types `any`, or a field forgotten, each of these would be an error of its own.
 */

// @ts-expect-error -- a body needs its required fields
const nameless: Asked<'createReservation'> = { body: { partySize: 2 } }
// @ts-expect-error -- no operation of that name
const unknown: CallId = 'createReservations'
// @ts-expect-error -- no such event
const misspelled: Schemas['EventName'] = 'reservation.create'
// @ts-expect-error -- a segment of that type needs its number
const vague: Schemas['Segment'] = { type: 'lapsed' }
// @ts-expect-error -- most fields may be empty
const full: string = {} as Schemas['Reservation']['guestName']
// @ts-expect-error -- no such field
const odd = (answer: Extract<Answer<'me'>, { status: 200 }>) => answer.body.venue.zone
// @ts-expect-error -- nor in a delivery
const told = (delivery: Extract<Received, { event: 'lead.created' }>) => delivery.data.guestName
export const refusedByTheCompiler = [nameless, unknown, misspelled, vague, full, odd, told]
