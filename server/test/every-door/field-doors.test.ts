import assert from 'node:assert/strict'
import { actAt } from '../act.ts'
import { momentWallReaches } from '../../platform/kernel/time/venue-clock.ts'
import { nothingSaid } from '../../book/reservations/guest/guest-booking.ts'
import { giveTable } from '../../book/reservations/guarantee/give-table.ts'
import { askTable } from '../../book/reservations/guarantee/ask-table.ts'
import { beginAccount } from '../../core/money/account-store.ts'
import { after, before, describe, it } from 'node:test'
import { Availability, AvailabilityCheck } from '@venue-data/contract/records/availability.ts'
import { Batch, BatchResult } from '@venue-data/contract/batch.ts'
import { Checkout } from '@venue-data/contract/records/checkout.ts'
import { Change } from '@venue-data/contract/change.ts'
import { Erasure } from '@venue-data/contract/erasure.ts'
import { Occurrence } from '@venue-data/contract/records/occurrence.ts'
import { EventItem, EventType } from '@venue-data/contract/webhooks/event-item.ts'
import { DeliveryWithAttempts, LoggedDelivery } from '@venue-data/contract/webhooks/logged-delivery.ts'
import { type Account, ExpiringKey } from '@venue-data/contract/records/account.ts'
import { eventShapes } from '@venue-data/contract/webhooks/event-data.ts'
import type { Campaign } from '@venue-data/contract/records/campaign.ts'
import { records } from '@venue-data/contract/endpoints.ts'
import type { Guest } from '@venue-data/contract/records/guest.ts'
import type { Lead } from '@venue-data/contract/records/lead.ts'
import { Hold, type Reservation } from '@venue-data/contract/records/reservation.ts'
import type { Subscriber } from '@venue-data/contract/records/subscriber.ts'
import type { Task } from '@venue-data/contract/records/task.ts'
import type { TicketOrder } from '@venue-data/contract/records/ticket-order.ts'
import { Figure } from '@venue-data/contract/records/figures.ts'
import { Room, Visit } from '@venue-data/contract/records/visit.ts'
import type { WaitlistEntry } from '@venue-data/contract/records/waitlist-entry.ts'
import type { NewWebhookEndpoint, WebhookEndpoint } from '@venue-data/contract/webhooks/webhook.ts'
import { Usage } from '@venue-data/contract/records/usage.ts'
import { presentCampaign } from '../../marketing/campaigns/present.ts'
import { campaign } from '../../marketing/campaigns/reads.ts'
import { type SendingScene, startSendingScene } from '../../marketing/campaigns/test/sending-scene.ts'
import { campaignCalls, oysters, saveTestAddresses } from '../../marketing/campaigns/test/list.ts'
import { runImports } from '../../data/imports/run.ts'
import { makePrivateToken } from '../../mail/link-token.ts'
import { allCommands } from '../../doors/operator/commands.ts'
import { readCommandLine } from '../../doors/operator/read-command-line.ts'
import { completeEndedServices } from '../../book/reservations/jobs.ts'
import { presentTask } from '../../crm/tasks/task.ts'
import { taskById } from '../../crm/tasks/reads.ts'
import { startEngine } from '../../integrations/webhooks/engine/engine.ts'
import { eventually } from '../eventually.ts'
import { guestAt, hiddenFieldsOn, setGuestPages } from '../guest.ts'
import { isTest, readSources, withoutComments } from '../tree/imports.ts'
import type { OfficeVisitor } from '../office.ts'
import { atWork, hiddenIn, idAt, make, versionOn } from '../office-forms.ts'
import { setRules } from '../open-rules.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { rowsOf } from '../rows.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'

const commands = await allCommands()

/*
 * Every field of every record is true because somebody writes it. Each has a door here, and the test goes through all
 * the doors there are and looks, at the records as the API presents them, which field got a value by which of them. A
 * field that no door writes is on a list with what will: it comes off the list with its writer, and this test says when.
 */

type Door =
  | 'API'
  | 'office'
  | 'import'
  | 'operator'
  | 'delivery engine'
  | 'campaign engine'
  | 'the clock'
  | 'guest pages'

/** The fields of a record and the door that is shown to write each. `none`: see `alwaysNull`. */
type Doors<Shape> = Readonly<Record<keyof Shape, Door | 'none'>>

const doors = {
  Account: { venue: 'operator', plan: 'operator', key: 'operator' } satisfies Doors<Account>,
  Reservation: {
    id: 'API',
    guestName: 'API',
    email: 'API',
    phone: 'API',
    partySize: 'API',
    date: 'API',
    time: 'API',
    durationMinutes: 'API',
    status: 'the clock',
    source: 'import',
    bookingType: 'API',
    notes: 'API',
    floorStage: 'office',
    externalId: 'API',
    createdAt: 'API',
    checkedInAt: 'office',
    cancelledAt: 'office',
    cancelledBy: 'office',
    updatedAt: 'office',
    revision: 'office',
    guarantee: 'guest pages',
  } satisfies Doors<Reservation>,
  Guest: {
    id: 'API',
    name: 'API',
    email: 'API',
    phone: 'API',
    seatingPreference: 'office',
    referralSource: 'office',
    visitCount: 'office',
    noShowCount: 'import',
    cancellationCount: 'office',
    lastVisitDate: 'office',
    externalId: 'API',
    createdAt: 'API',
    updatedAt: 'office',
    revision: 'office',
  } satisfies Doors<Guest>,
  Subscriber: {
    id: 'API',
    email: 'API',
    firstName: 'API',
    status: 'office',
    source: 'API',
    birthMonth: 'import',
    birthDay: 'import',
    consentAt: 'API',
    confirmedAt: 'guest pages',
    unsubscribedAt: 'office',
    tags: 'API',
    suppressed: 'office',
    createdAt: 'API',
    updatedAt: 'office',
    revision: 'office',
  } satisfies Doors<Subscriber>,
  TicketOrder: {
    id: 'office',
    orderNumber: 'office',
    status: 'office',
    channel: 'office',
    paymentMethod: 'office',
    buyerFirstName: 'office',
    buyerLastName: 'office',
    buyerEmail: 'office',
    buyerPhone: 'office',
    eventName: 'office',
    occurrenceTitle: 'office',
    eventDate: 'office',
    eventStartTime: 'office',
    subtotalCents: 'office',
    discountCents: 'office',
    feeCents: 'office',
    taxCents: 'office',
    totalCents: 'office',
    refundedCents: 'office',
    total: 'office',
    refunded: 'office',
    promoCode: 'office',
    marketingOptIn: 'guest pages',
    paidAt: 'office',
    externalReference: 'API',
    currency: 'office',
    createdAt: 'office',
    updatedAt: 'office',
    revision: 'office',
  } satisfies Doors<TicketOrder>,
  WaitlistEntry: {
    id: 'office',
    guestName: 'office',
    email: 'office',
    phone: 'office',
    partySize: 'office',
    date: 'office',
    requestedTime: 'API',
    windowStart: 'API',
    windowEnd: 'API',
    status: 'office',
    source: 'office',
    notes: 'office',
    quotedMinutes: 'office',
    quotedAt: 'office',
    pagedAt: 'office',
    seatedAt: 'office',
    leftAt: 'office',
    externalId: 'API',
    createdAt: 'office',
    updatedAt: 'office',
    revision: 'office',
  } satisfies Doors<WaitlistEntry>,
  Lead: {
    id: 'API',
    contactName: 'API',
    contactEmail: 'API',
    contactPhone: 'API',
    eventName: 'API',
    occasion: 'API',
    date: 'API',
    guestCount: 'API',
    budgetPerPerson: 'API',
    diningStyle: 'office',
    dietaryNeeds: 'office',
    stage: 'office',
    priority: 'API',
    notes: 'API',
    submittedVia: 'API',
    submittedAt: 'API',
    externalId: 'API',
    createdAt: 'API',
    updatedAt: 'office',
    revision: 'office',
  } satisfies Doors<Lead>,
  Task: {
    id: 'API',
    title: 'API',
    due: 'API',
    priority: 'API',
    category: 'API',
    client: 'API',
    assignedRole: 'API',
    done: 'API',
    doneAt: 'API',
    externalId: 'API',
    createdAt: 'API',
    updatedAt: 'API',
    revision: 'API',
  } satisfies Doors<Task>,
  Campaign: {
    id: 'API',
    restaurantId: 'API',
    name: 'API',
    subject: 'API',
    preheader: 'API',
    bodyHtml: 'API',
    bodyText: 'API',
    bodyFormat: 'API',
    segment: 'API',
    status: 'API',
    scheduledAt: 'API',
    startedAt: 'campaign engine',
    finishedAt: 'campaign engine',
    testSentAt: 'API',
    createdBy: 'none',
    recipientsTotal: 'API',
    sentCount: 'campaign engine',
    failedCount: 'campaign engine',
    lastError: 'campaign engine',
    sendHoldUntil: 'API',
    eventId: 'office',
    seriesKey: 'office',
    seriesStep: 'office',
    seriesTotal: 'office',
    createdAt: 'API',
    updatedAt: 'API',
    revision: 'API',
  } satisfies Doors<Campaign>,
  WebhookEndpoint: {
    id: 'API',
    url: 'API',
    events: 'API',
    status: 'delivery engine',
    disabledReason: 'delivery engine',
    failureCount: 'delivery engine',
    lastDeliveryAt: 'delivery engine',
    lastDeliveryStatus: 'delivery engine',
    createdAt: 'API',
    description: 'API',
    payload: 'API',
    include: 'API',
    signatures: 'API',
    pausedAt: 'API',
    secretRotatesUntil: 'API',
    revision: 'API',
    successRate24h: 'delivery engine',
    waitingCount: 'delivery engine',
    oldestWaitingAt: 'delivery engine',
  } satisfies Doors<WebhookEndpoint>,
  NewWebhookEndpoint: {
    id: 'API',
    url: 'API',
    events: 'API',
    status: 'API',
    createdAt: 'API',
    secret: 'API',
  } satisfies Doors<NewWebhookEndpoint>,
} as const

/**
 * What the API always answers as null, by the contract: no door is to come. `known`: the files that speak of the field without
 * writing it; a door that comes to write it is another one, or one that goes through this test already.
 */
const alwaysNull: Readonly<Record<string, { why: string; words: RegExp; known: readonly string[] }>> = {
  'Campaign.createdBy': {
    why: 'the API returns nothing about staff',
    words: /\bcreated_?by: null\b/i,
    known: ['marketing/campaigns/present.ts'],
  },
}

type Records = Map<string, { kind: string; record: Record<string, unknown> }>

describe('every field of every record has a door that writes it', () => {
  /** `Reservation.notes` → the doors that gave it a value. */
  const written = new Map<string, Set<Door>>()
  let service: TestService
  let venue: TestVenue
  let owner: OfficeVisitor
  let receiver: Receiver

  const lists = {
    Reservation: 'reservations',
    Guest: 'guests',
    Subscriber: 'subscribers',
    TicketOrder: 'ticket-orders',
    WaitlistEntry: 'waitlist',
    Lead: 'leads',
    WebhookEndpoint: 'webhooks',
  } as const

  /** All records of a venue as the API presents them; those it does not list, by the same functions from their rows. */
  const recordsOf = async (at: TestService, { id, slug, key }: TestVenue): Promise<Records> => {
    const found: Records = new Map()
    const put = (kind: string, record: Record<string, unknown>) =>
      found.set(`${kind} ${JSON.stringify(record['id'])}`, { kind, record })
    for (const [kind, path] of Object.entries(lists)) {
      const { body } = await at.call('GET', `/api/v1/${path}?limit=100`, { key })
      for (const record of body) put(kind, record)
    }
    put('Account', (await at.call('GET', '/api/v1/me', { key })).body)
    for (const { id: task } of await rowsOf(at, 'select id from task where venue_id = $1', [id])) {
      const row = await taskById(at.db, id, Number(task))
      if (row) put('Task', presentTask(row))
    }
    for (const { id: one } of await rowsOf(at, 'select id from campaign where venue_id = $1', [id])) {
      const row = await campaign(at.db, id, Number(one))
      if (row) put('Campaign', presentCampaign({ slug }, row))
    }
    return found
  }

  const note = (door: Door, kind: string, record: object, before: object = {}): void => {
    for (const [field, value] of Object.entries(record)) {
      const was = (before as Record<string, unknown>)[field]
      if (JSON.stringify(value) === JSON.stringify(was) || isNothing(value)) continue
      const key = `${kind}.${field}`
      written.set(key, (written.get(key) ?? new Set<Door>()).add(door))
    }
  }

  /** Goes through a door, and notes which fields have another value than before, of old records and of new ones. */
  const through = async <T>(door: Door, act: () => Promise<T>, at = { service, venue }): Promise<T> => {
    const before = await recordsOf(at.service, at.venue)
    const result = await act()
    for (const [name, { kind, record }] of await recordsOf(at.service, at.venue))
      note(door, kind, record, before.get(name)?.record)
    return result
  }

  /** What is no value: a column that nobody wrote. */
  const isNothing = (value: unknown): boolean =>
    value === null || value === '' || value === 0 || value === false || value === '0.00'

  /** Moves the clock, and the owner signs in again: a session does not last from one evening to the next. */
  const clockAt = async (moment: string): Promise<void> => {
    service.setClock(moment)
    await owner.signIn(`owner@${venue.slug}.example.com`)
  }

  const post = async (path: string, body: object = {}, at = { service, venue }) => {
    const answer = await at.service.call('POST', `/api/v1/${path}`, { key: at.venue.key, body })
    assert.ok(answer.status < 300, `${path} ${answer.text}`)
    return answer.body
  }

  before(async () => {
    service = await startService({ PRACTICE: 'on' })
    receiver = await startReceiver()
    ;({ venue, visitor: owner } = await atWork(service, 'owner'))
    await setRules(service, venue)
  })
  after(async () => {
    await service.stop()
    await receiver.stop()
  })

  it('names every field of the contract, and no other', () => {
    /** Nobody writes them: they are worked out when they are read or sent. */
    const workedOut = new Set<unknown>([
      ...[Availability, AvailabilityCheck, Change, ExpiringKey, Usage, Erasure, Batch, BatchResult],
      // Made by the call that answers with it.
      ...[Hold, Checkout],
      // Of a reservation and a floor, which have their doors.
      ...[Visit, Room],
      // Counted from what other doors wrote.
      Figure,
      Occurrence,
      ...[EventItem, EventType, LoggedDelivery, DeliveryWithAttempts],
      ...eventShapes,
    ])
    const fields = (all: object) =>
      Object.entries(all).map(([kind, of]) => [kind, Object.keys(of as object).toSorted()])
    assert.deepEqual(
      Object.fromEntries(fields(doors)),
      Object.fromEntries(
        records
          .filter((record) => !workedOut.has(record))
          .map((record) => [
            (record as { $id?: string }).$id,
            Object.keys((record as { properties: object }).properties).toSorted(),
          ]),
      ),
    )
    const none = Object.entries<Record<string, string>>(doors).flatMap(([kind, of]) =>
      Object.entries(of).flatMap(([field, door]) => (door === 'none' ? [`${kind}.${field}`] : [])),
    )
    assert.deepEqual(none.toSorted(), Object.keys(alwaysNull).toSorted())
  })

  it('the operator makes the venue and its keys', async () => {
    const run = async (...args: string[]) => {
      const line = readCommandLine(args, commands)
      if (line.kind !== 'command') throw new Error(line.text)
      return (await line.command.run(service.context, line.given)).json as { key: string }
    }
    await run(
      'venue',
      'create',
      '--slug',
      'red-door',
      '--name',
      'Red',
      '--timezone',
      'Asia/Tokyo',
      '--plan',
      'pro',
    )
    const { key } = await run('key', 'create', '--venue', 'red-door', '--kind', 'api', '--scope', 'read')
    const { body } = await service.call('GET', '/api/v1/me', { key })
    assert.equal(body.venue.slug, 'red-door')
    note('operator', 'Account', body)
  })

  it('the API makes records with everything that it takes', async () => {
    await through('API', async () => {
      await post('reservations', {
        guestName: 'Maya Okafor',
        partySize: 2,
        email: 'maya@example.com',
        phone: '+1 212 555 0147',
        date: '2026-10-06',
        time: '19:00',
        notes: 'A booth',
        externalId: 'web-1',
      })
      await post('guests', {
        name: 'Ben Iyer',
        email: 'ben@example.com',
        phone: '+1 212 555 0148',
        externalId: 'crm-1',
      })
      await post('subscribers', {
        email: 'maya@example.com',
        firstName: 'Maya',
        tag: 'Wine',
        consent: { source: 'Checkout', at: '2026-10-01T12:00:00Z' },
      })
      await post('leads', {
        name: 'Maya Okafor',
        email: 'maya@example.com',
        phone: '+1 212 555 0147',
        eventName: 'Okafor 40th',
        occasion: 'Birthday',
        eventDate: '2026-12-12',
        guestCount: '40',
        budgetPerPerson: '$120',
        notes: 'The garden room',
        externalId: 'form-1',
      })
      const { task } = await post('tasks', {
        title: 'Call Maya',
        due: '2026-10-08',
        client: 'Maya',
        assignedRole: 'host',
        externalId: 'todo-1',
      })
      await post(`tasks/${task.id}/complete`)
      await post('waitlist', {
        guestName: 'Maya Okafor',
        partySize: 2,
        phone: '+1 212 555 0149',
        requestedTime: '19:30',
        windowStart: '19:00',
        windowEnd: '21:00',
        externalId: 'kiosk-1',
      })
      await post('campaigns', {
        name: 'Oysters',
        subject: 'Oysters all week',
        preheader: 'Six kinds',
        bodyHtml: '<p>Six kinds.</p>',
        bodyText: 'Six kinds.',
        segment: { type: 'all' },
      })
      note(
        'API',
        'NewWebhookEndpoint',
        await post('webhooks', { url: `${receiver.url}/`, events: ['lead.created'] }),
      )
    })
    const { key } = venue
    const [{ id }] = (await service.call('GET', '/api/v1/webhooks', { key })).body
    const path = `/api/v1/webhooks/${id}`
    const set = (body: object) => service.call('PATCH', path, { key, body })
    await through('API', async () => {
      await set({ description: 'Leads', status: 'paused' })
      await service.call('POST', `${path}/rotate-secret`, { key, body: { overlapHours: 1 } })
    })
    await set({ status: 'active' })
  })

  it('staff keep the book', async () => {
    const [booked] = await rowsOf<{ id: string }>(service, 'select id from reservation where venue_id = $1', [
      venue.id,
    ])
    const id = booked?.id as string
    const move = async (name: string) => {
      const [now] = await rowsOf<{ status: string; version: number }>(
        service,
        'select status, version from reservation where venue_id = $1 and id = $2',
        [venue.id, id],
      )
      const fields = {
        move: name,
        status: now?.status ?? '',
        version: String(now?.version),
        confirmed: 'yes',
      }
      assert.equal((await owner.post(`/office/bookings/${id}/moves`, fields)).status, 303, name)
    }
    await through('office', async () => {
      await move('cancel:guest')
    })
    await through('office', async () => {
      await move('undoCancel')
      await move('confirm')
      service.setClock('2026-10-06T23:00:00Z')
      await move('arrive')
      await move('seat')
      await move('setFloorStage:Mains')
    })
    await through('the clock', async () => {
      service.setClock('2026-10-07T07:00:00Z')
      await completeEndedServices(service.context)
    })
    await clockAt('2026-10-07T19:00:00Z')
  })

  it('staff keep guests, subscribers, leads and tasks', async () => {
    const ids = async (table: string) =>
      (
        await rowsOf<{ id: string }>(service, `select id from ${table} where venue_id = $1 order by id`, [
          venue.id,
        ])
      ).map(({ id }) => id)
    const [guest] = await ids('guest')
    const [subscriber] = await ids('subscriber')
    const [lead] = await ids('lead')
    const [task] = await ids('task')
    await through('office', async () => {
      await owner.post(`/office/guests/${guest}/edit`, {
        version: await versionOn(owner, `/office/guests/${guest}/edit`),
        seatingPreference: 'Booth',
        referralSource: 'A friend',
      })
      await owner.post(`/office/subscribers/${subscriber}/unsubscribe`, {})
      const [person] = await rowsOf<{ email: string }>(
        service,
        'select email from subscriber where id = $1',
        [subscriber],
      )
      await owner.post('/office/subscribers/do-not-email', { email: person?.email ?? '', reason: 'bounced' })
      await owner.post(`/office/leads/${lead}/edit`, {
        version: await versionOn(owner, `/office/leads/${lead}/edit`),
        diningStyle: 'Seated',
        dietaryNeeds: 'No nuts',
      })
      const { html } = await owner.get(`/office/leads/${lead}`)
      await owner.post(`/office/leads/${lead}/stage`, {
        version: /name="version"[^>]*value="(\d+)"/.exec(html)?.[1] ?? '',
        stage: 'Proposal',
      })
      await owner.post(`/office/tasks/${task}/tick`, { done: 'yes' })
    })
  })

  it('staff keep the line at the door', async () => {
    const joinAndMove = async (guestName: string, moves: readonly string[]) => {
      const joined = await make(owner, '/office/waitlist', {
        guestName,
        partySize: '2',
        email: `${guestName}@example.com`,
        phone: '+1 212 555 0149',
        notes: 'The bar is fine',
        quotedMinutes: '20',
      })
      const id = /#w(\d+)$/.exec(joined.to ?? '')?.[1] as string
      for (const move of moves) {
        const [now] = await rowsOf<{ status: string; version: number }>(
          service,
          'select status, version from waitlist_entry where venue_id = $1 and id = $2',
          [venue.id, id],
        )
        const fields = { move, status: now?.status ?? '', version: String(now?.version), confirmed: 'yes' }
        assert.equal((await owner.post(`/office/waitlist/${id}/moves`, fields)).status, 303, move)
      }
    }
    await clockAt('2026-10-07T23:00:00Z')
    await through('office', async () => {
      await joinAndMove('nia', ['page', 'seatNow'])
      await joinAndMove('omar', ['leave'])
    })
    await clockAt('2026-10-07T19:00:00Z')
  })

  it('staff sell tickets and give money back', async () => {
    await through('office', async () => {
      await owner.post('/office/tickets/charges', {
        version: await versionOn(owner, '/office/tickets/charges'),
        fee: '2',
        taxRate: '8.875',
        feeAtBoxOffice: 'yes',
      })
      const event = idAt(await make(owner, '/office/tickets/events', { name: 'Jazz' }))
      await make(owner, `/office/tickets/events/${event}/dates`, {
        title: 'Late seating',
        date: '2026-11-14',
        startTime: '20:30',
        capacity: '10',
        price: '95.00',
      })
      const [date] = await rowsOf<{ id: string }>(service, 'select id from occurrence where venue_id = $1', [
        venue.id,
      ])
      await make(owner, '/office/tickets/codes', { code: 'CELLAR10', kind: 'percent', off: '10' })
      const sale = {
        seats: '2',
        method: 'cash',
        promoCode: 'CELLAR10',
        firstName: 'Maya',
        lastName: 'Okafor',
        email: 'maya@example.com',
        phone: '+1 212 555 0147',
      }
      const path = `/office/tickets/dates/${date?.id}/sales`
      const shown = await make(owner, path, sale)
      const order = idAt(
        await make(owner, path, { ...sale, shownTotalCents: hiddenIn(shown, 'shownTotalCents') }),
      )
      const refund = { version: '1', amount: '10', via: 'external', outcome: 'succeeded' }
      assert.equal((await owner.post(`/office/tickets/orders/${order}/refunds`, refund)).status, 303)
    })
  })

  it('software orders tickets', async () => {
    await through('API', async () => {
      const [date] = (await service.call('GET', '/api/v1/occurrences', { key: venue.key })).body
      await post('ticket-orders', {
        occurrenceId: date.id,
        seats: 2,
        buyerEmail: 'maya@example.com',
        externalReference: 'shop-1',
      })
    })
  })

  it('staff write campaigns', async () => {
    const [event] = await rowsOf<{ id: string }>(
      service,
      'select id from ticketed_event where venue_id = $1',
      [venue.id],
    )
    await through('office', async () => {
      const { to } = await make(owner, '/office/campaigns', { name: 'Jazz', subject: 'Jazz' })
      const path = to as string
      assert.match(path, /^\/office\/campaigns\/\d+\/write$/)
      const saved = await owner.post(path, {
        version: await versionOn(owner, path),
        name: 'Jazz',
        subject: 'Jazz',
        bodyHtml: 'Jazz.',
        eventId: event?.id ?? '',
        seriesKey: 'autumn',
        seriesStep: '1',
        seriesTotal: '3',
      })
      assert.equal(saved.status, 303, saved.words)
    })
  })

  it('an owner brings files', async () => {
    const bring = async (kind: string, file: string, more: Record<string, string> = {}) => {
      const body = new FormData()
      body.append('file', new Blob([file]), `${kind}.csv`)
      const { headers } = await fetch(`${service.url}/office/data/imports/${kind}`, {
        method: 'POST',
        body,
        redirect: 'manual',
        headers: { cookie: owner.cookie(), 'sec-fetch-site': 'same-origin' },
      })
      const to = headers.get('location') as string
      const { html } = await owner.get(to)
      const chosen = [...html.matchAll(/<select name="([\w-]+)">(.*?)<\/select>/gs)].map(
        ([, name = '', inside = '']) => [name, /<option value="([\w-]*)" selected/.exec(inside)?.[1] ?? ''],
      )
      assert.equal((await owner.post(`${to}/start`, { ...Object.fromEntries(chosen), ...more })).status, 303)
      await runImports(service.context)
    }
    await through('import', async () => {
      await bring(
        'reservations',
        'Reservation date,Reservation time,Party,Guest name,Email,Status\n9/25/2026,19:00,2,Lena,lena@example.com,No Show\n',
      )
      await bring('subscribers', 'Email Address,Birthday\nlena@example.com,04/23\n', {
        evidenceSource: 'Sheet at the bar',
        evidenceDate: '2026-03-01',
      })
    })
  })

  it('the delivery engine writes the results of deliveries', async () => {
    receiver.answer(500)
    const engine = startEngine(service.context)
    try {
      const endpoint = async () => (await service.call('GET', '/api/v1/webhooks', { key: venue.key })).body[0]
      await through('delivery engine', async () => {
        await post('leads', { name: 'Maya' })
        await eventually(async () => (await endpoint()).failureCount > 0)
      })
      await through('delivery engine', async () => {
        receiver.answer(204)
        await post('leads', { name: 'Maya' })
        await eventually(async () => (await endpoint()).successRate24h > 0)
      })
      await through('delivery engine', async () => {
        receiver.answer(410)
        await post('leads', { name: 'Maya' })
        await eventually(async () => (await endpoint()).disabledReason !== null)
      })
    } finally {
      await engine.stop()
    }
  })

  it('a campaign is built, tested and sent by the API', async () => {
    const calls = campaignCalls(service, venue)
    await saveTestAddresses(service, venue)
    await through('API', async () => {
      const { campaign: made } = (await calls.create(oysters)).body
      for (const step of [calls.compose, calls.test, calls.send]) {
        const { status, text } = await step({ id: made.id })
        assert.equal(status, 200, text)
      }
    })
  })

  it('and its engine writes how far it came', async () => {
    const scene: SendingScene = await startSendingScene()
    try {
      const at = { service: scene.service, venue: await scene.service.venue() }
      const due = await scene.campaign(at.venue, { people: 3 })
      const [gone] = due.emails
      scene.relay.judge = { to: (address) => (address === gone ? '550 5.1.1 No such user' : 'take') }
      await through(
        'campaign engine',
        async () => {
          scene.process()
          await scene.until(due, 'sent')
        },
        at,
      )
    } finally {
      await scene.stop()
    }
  })

  it('guests sign up for news and confirm it', async () => {
    await through('guest pages', async () => {
      const { slug, id } = venue
      await guestAt(service, `/v/${slug}/news`, {
        form: { email: 'new@example.com', given: 'Nia', bday: '4/23' },
      })
      const [row] = await rowsOf(service, `select id from subscriber where email_key = 'new@example.com'`)
      const link = { venue: id, record: Number(row?.['id']), issue: 0 }
      const confirm = `/c/${makePrivateToken(service.context.secrets, 'confirm', link)}`
      assert.equal((await guestAt(service, confirm, { form: {} })).status, 200)
      await secureByGuest()
      await buyByGuest()
    })
  })

  /** Tickets of an evening without a price, on the event's own page, with the box ticked that asks for the venue's news. */
  const buyByGuest = async (): Promise<void> => {
    await setGuestPages(service, venue, { doors: ['news', 'tickets'] })
    const event = idAt(await make(owner, '/office/tickets/events', { name: 'Open rehearsal' }))
    await make(owner, `/office/tickets/events/${event}/dates`, {
      ...{ title: '', date: '2026-11-15', startTime: '18:00', capacity: '10', price: '0' },
    })
    const [date] = await rowsOf(
      service,
      'select id from occurrence where venue_id = $1 and price_cents = 0',
      [venue.id],
    )
    const page = `/v/${venue.slug}/tickets/${event}`
    const { text } = await guestAt(service, `${page}?date=${String(date?.['id'])}&seats=2`)
    const hidden = hiddenFieldsOn(text, ['token', 'date', 'seats', 'code', 'total'])
    const person = { first: 'Nia', last: 'Okoro', email: 'nia@example.com', news: 'yes' }
    const bought = await guestAt(service, page, { form: { ...hidden, ...person } })
    assert.equal(bought.status, 303, bought.text)
  }

  /** What the booking page does once the processor says that a deposit was paid. */
  const secureByGuest = async (): Promise<void> => {
    const [date, time] = ['2026-10-20', '18:00']
    const when = { date, time, startsAt: momentWallReaches({ date, time }, venue.timezone) }
    const checkout = await actAt(service, venue, async (work) => {
      const account = crypto.randomUUID()
      const kept = { id: account, live: false, key: 'rk_test_ofnobody', callback: null }
      await beginAccount(service.context, work, { kind: 'service' }, kept)
      const said = { ...nothingSaid, formToken: crypto.randomUUID() }
      const person = { guestName: 'Sia', email: 'sia@example.com', phone: null, notes: null }
      const terms = {
        kind: 'deposit',
        perGuestCents: 2_000,
        amountCents: 4_000,
        freeUntil: when.startsAt,
      } as const
      return askTable(work, {
        request: { ...when, ...person, partySize: 2, said },
        terms: { ...terms, currency: 'USD', account },
        ...{ sentence: 'Free until then.', title: 'A table', language: 'en' },
        by: { holder: 'a network', formerly: [] },
      })
    })
    assert.ok(checkout)
    await actAt(service, venue, (work) =>
      giveTable(work, checkout, { how: 'paid', paymentRef: 'pi_1', card: null }),
    )
  }

  it('and each field got a value by the door that it names, but for those on the list', () => {
    const missing = Object.entries<Record<string, Door | 'none'>>(doors).flatMap(([kind, of]) =>
      Object.entries(of).flatMap(([field, door]) => {
        const by = written.get(`${kind}.${field}`)
        if (door === 'none')
          return by ? [`${kind}.${field} is on the list and was written by ${[...by].join(', ')}`] : []
        return by?.has(door)
          ? []
          : [`${kind}.${field}: ${door} did not write it, but ${[...(by ?? ['nobody'])].join(', ')} did`]
      }),
    )
    assert.deepEqual(missing, [])
  })

  describe('what no door writes', () => {
    const sources = [...readSources()].filter(
      ([path]) =>
        path.startsWith('server/') &&
        !isTest(path) &&
        // The demo makes the same as the doors will, and these pass on or take away anything there is.
        !/^server\/(?:demo|data|core\/activity|platform\/db)\//.test(path),
    )
    const speaking = (words: RegExp, files: readonly (readonly [path: string, text: string])[]): string[] =>
      files
        .filter(([, text]) => words.test(withoutComments(text)))
        .map(([path]) => path.slice('server/'.length))
        .toSorted()

    for (const [field, { why, words, known }] of Object.entries(alwaysNull)) {
      it(`${field}: ${why}`, () => {
        assert.deepEqual(
          speaking(words, sources),
          [...known].toSorted(),
          `who else speaks of ${field} now: does that write it?`,
        )
      })
    }

    it('is seen when a new file comes to write it, in a row or in a statement', () => {
      const planted = 'createdBy: null, // by nobody'
      const path = 'server/doors/guest-pages/join.ts'
      for (const [field, { words }] of Object.entries(alwaysNull)) {
        const seen = speaking(words, [...sources, [path, planted]])
        assert.ok(seen.includes('doors/guest-pages/join.ts'), field)
      }
    })
  })
})
