import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BatchKind } from '@venue-data/contract/batch.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { makePromoCode } from '../../tickets/promo-codes.ts'
import { runBatches } from '../../integrations/batches/run.ts'
import { singlePosts } from '../../worker/single-posts.ts'
import { bookByPage, guestAt, pathOf, setGuestPages } from '../guest.ts'
import { staffOf, visitOffice } from '../office.ts'
import { make } from '../office-forms.ts'
import { everyEvening, setRules } from '../open-rules.ts'
import { owner, sellingOnline } from '../selling-online.ts'
import { actAt } from '../act.ts'

/*
 * What a record is sent is what it then has. A field passes some ten places on its way into a row, and each may take it or
 * leave it out; so every field that the contract takes is sent here through every door that takes it, with a value that no
 * other has, and read back from the record.
 */

/** A value as it is sent, and what the record then has under which name; `null`: no field of the record, with the reason beside it. */
type Field = readonly [sent: unknown, read: Readonly<Record<string, unknown>> | null]
type Fields = Readonly<Record<string, Field>>
type Kind = {
  readonly path: string
  /** What its answer calls the record. */
  readonly name: string
  readonly make: Fields
  readonly change?: Fields
  readonly batch?: BatchKind
}

const as = (name: string, sent: unknown): Field => [sent, { [name]: sent }]
/** Said of something else than a field of this record. */
const elsewhere = (sent: unknown): Field => [sent, null]

const site = 'https://shop.example.com'
const returnUrl = `${site}/thanks`

const kindsWith = (date: number): Readonly<Record<string, Kind>> => ({
  Reservation: {
    path: 'reservations',
    name: 'reservation',
    make: {
      guestName: as('guestName', 'Ida Made'),
      partySize: as('partySize', 3),
      email: as('email', 'ida.made@example.com'),
      phone: as('phone', '(212) 555-0141'),
      date: as('date', '2026-10-13'),
      time: as('time', '18:15'),
      notes: as('notes', 'A made note'),
      externalId: as('externalId', 'made-1'),
      // In place of date and time; and of a place that is held.
      startsAt: elsewhere(undefined),
      holdId: elsewhere(undefined),
    },
    change: {
      guestName: as('guestName', 'Ida Changed'),
      partySize: as('partySize', 4),
      email: as('email', 'ida.changed@example.com'),
      phone: as('phone', '(212) 555-0142'),
      date: as('date', '2026-10-14'),
      time: as('time', '18:30'),
      notes: as('notes', 'A changed note'),
      externalId: as('externalId', 'changed-1'),
      startsAt: elsewhere(undefined),
    },
  },
  Guest: {
    path: 'guests',
    name: 'guest',
    batch: 'guest',
    make: {
      name: as('name', 'Ona Made'),
      email: as('email', 'ona.made@example.com'),
      phone: as('phone', '(212) 555-0143'),
      externalId: as('externalId', 'made-2'),
      // For staff alone.
      notes: elsewhere('Likes the corner'),
    },
    change: {
      name: as('name', 'Ona Changed'),
      email: as('email', 'ona.changed@example.com'),
      phone: as('phone', '(212) 555-0144'),
      seatingPreference: as('seatingPreference', 'Booth'),
      referralSource: as('referralSource', 'A friend'),
      externalId: as('externalId', 'changed-2'),
    },
  },
  Subscriber: {
    path: 'subscribers',
    name: 'subscriber',
    batch: 'subscriber',
    make: {
      email: as('email', 'una.made@example.com'),
      firstName: as('firstName', 'Una'),
      tag: ['Wine', { tags: ['Wine'] }],
      // Kept as the evidence of joining.
      consent: elsewhere({ source: 'A form' }),
    },
    change: {
      firstName: as('firstName', 'Unna'),
      birthMonth: as('birthMonth', 4),
      birthDay: as('birthDay', 23),
    },
  },
  WaitlistEntry: {
    path: 'waitlist',
    name: 'waitlistEntry',
    make: {
      guestName: as('guestName', 'Eva Made'),
      partySize: as('partySize', 3),
      email: as('email', 'eva.made@example.com'),
      phone: as('phone', '(212) 555-0145'),
      date: as('date', '2026-10-13'),
      requestedTime: as('requestedTime', '19:15'),
      windowStart: as('windowStart', '18:45'),
      windowEnd: as('windowEnd', '20:15'),
      notes: as('notes', 'A made note'),
      externalId: as('externalId', 'made-3'),
    },
    change: {
      guestName: as('guestName', 'Eva Changed'),
      partySize: as('partySize', 2),
      email: as('email', 'eva.changed@example.com'),
      phone: as('phone', '(212) 555-0146'),
      requestedTime: as('requestedTime', '19:30'),
      windowStart: as('windowStart', '19:00'),
      windowEnd: as('windowEnd', '20:30'),
      notes: as('notes', 'A changed note'),
      externalId: as('externalId', 'changed-3'),
    },
  },
  Lead: {
    path: 'leads',
    name: 'lead',
    batch: 'lead',
    make: {
      name: as('contactName', 'Ada Made'),
      email: as('contactEmail', 'ada.made@example.com'),
      phone: as('contactPhone', '(212) 555-0147'),
      eventName: as('eventName', 'A made party'),
      occasion: as('occasion', 'Birthday'),
      eventDate: as('date', '2026-12-01'),
      guestCount: as('guestCount', '31'),
      budgetPerPerson: as('budgetPerPerson', '$71'),
      priority: as('priority', 'High'),
      notes: as('notes', 'A made note'),
      externalId: as('externalId', 'made-4'),
      concept: elsewhere('Jazz'),
    },
    change: {
      stage: as('stage', 'Proposal'),
      contactName: as('contactName', 'Ada Changed'),
      contactEmail: as('contactEmail', 'ada.changed@example.com'),
      contactPhone: as('contactPhone', '(212) 555-0148'),
      eventName: as('eventName', 'A changed party'),
      occasion: as('occasion', 'Wedding'),
      eventDate: as('date', '2026-12-02'),
      guestCount: as('guestCount', '32'),
      budgetPerPerson: as('budgetPerPerson', '$72'),
      diningStyle: as('diningStyle', 'Seated'),
      dietaryNeeds: as('dietaryNeeds', 'No nuts'),
      priority: as('priority', 'Low'),
      notes: as('notes', 'A changed note'),
      externalId: as('externalId', 'changed-4'),
    },
  },
  Task: {
    path: 'tasks',
    name: 'task',
    batch: 'task',
    make: {
      title: as('title', 'Call Ada'),
      due: as('due', '2026-10-20'),
      priority: as('priority', 'High'),
      category: as('category', 'Menu'),
      client: as('client', 'Ada Made'),
      assignedRole: as('assignedRole', 'manager'),
      externalId: as('externalId', 'made-5'),
    },
    change: {
      title: as('title', 'Write to Ada'),
      due: as('due', '2026-10-21'),
      priority: as('priority', 'Low'),
      category: as('category', 'Finance'),
      client: as('client', 'Ada Changed'),
      assignedRole: as('assignedRole', 'host'),
      externalId: as('externalId', 'changed-5'),
    },
  },
  TicketOrder: {
    path: 'ticket-orders',
    name: 'ticketOrder',
    make: {
      occurrenceId: [date, { eventName: 'Wine dinner', eventDate: '2026-10-20' }],
      seats: [2, { subtotalCents: 9_000 }],
      buyerFirstName: as('buyerFirstName', 'Mia'),
      buyerLastName: as('buyerLastName', 'Made'),
      buyerEmail: as('buyerEmail', 'mia.made@example.com'),
      buyerPhone: as('buyerPhone', '(212) 555-0149'),
      promoCode: as('promoCode', 'CELLAR10'),
      externalReference: as('externalReference', 'made-6'),
    },
  },
  Campaign: {
    path: 'campaigns',
    name: 'campaign',
    make: {
      name: as('name', 'Oysters'),
      subject: as('subject', 'Oysters on Friday'),
      preheader: as('preheader', 'A dozen'),
      bodyHtml: as('bodyHtml', '<p>Oysters.</p>'),
      bodyText: as('bodyText', 'Oysters.'),
      bodyFormat: as('bodyFormat', 'html'),
      segment: as('segment', { type: 'tag', anyOf: ['Wine'] }),
    },
  },
  WebhookEndpoint: {
    path: 'webhooks',
    name: 'webhook',
    make: {
      url: as('url', 'https://hooks.example.com/made'),
      events: as('events', ['reservation.created']),
      description: as('description', 'Made'),
      payload: as('payload', 'thin'),
      include: as('include', ['previous']),
      signatures: as('signatures', ['service']),
    },
    change: {
      url: as('url', 'https://hooks.example.com/changed'),
      events: as('events', ['guest.created']),
      description: as('description', 'Changed'),
      payload: as('payload', 'full'),
      include: as('include', []),
      signatures: as('signatures', ['service', 'standard']),
      status: as('status', 'paused'),
    },
  },
})

/** A table that is secured: the reservation it makes has them. */
const secured: Fields = {
  date: as('date', '2026-10-13'),
  time: as('time', '19:45'),
  partySize: as('partySize', 3),
  experience: ['tasting', { bookingType: 'Tasting menu' }],
  guestName: as('guestName', 'Ira Made'),
  email: as('email', 'ira.made@example.com'),
  phone: as('phone', '(212) 555-0151'),
  notes: as('notes', 'A made note'),
  returnUrl: elsewhere(returnUrl),
  // In place of date, time and size.
  hold: elsewhere(undefined),
}

/** Tickets that are paid for: the order has them. */
const ticketsOf = (date: number): Fields => ({
  occurrenceId: [date, { eventName: 'Wine dinner' }],
  seats: [2, { subtotalCents: 9_000 }],
  buyerFirstName: as('buyerFirstName', 'Mia'),
  buyerLastName: as('buyerLastName', 'Made'),
  buyerEmail: as('buyerEmail', 'mia.made@example.com'),
  buyerPhone: as('buyerPhone', '(212) 555-0149'),
  promoCode: as('promoCode', 'CELLAR10'),
  returnUrl: elsewhere(returnUrl),
})

/** What takes no field of a record: it moves one, works on others, or is about the key. */
const takesNone = new Set([
  ...['rotateKey', 'createHold', 'cancelReservation', 'changeTags', 'unsubscribeAddress', 'requestRefund'],
  ...['addLeadNote', 'composeCampaign', 'testCampaign', 'sendCampaign', 'cancelCampaign', 'confirmErasure'],
  ...['createHook', 'rotateWebhookSecret', 'sampleWebhook', 'replayDeliveries'],
  // Through which the fields of the others go.
  ...['createBatch', 'dryRun'],
])

const sentOf = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, [sent]]) => (sent === undefined ? [] : [[name, sent]])),
  )
const readOf = (fields: Fields): Record<string, unknown> =>
  Object.assign({}, ...Object.values(fields).map(([, read]) => read ?? {}))

describe('what a record is sent is what it then has', () => {
  const scene = sellingOnline()

  const opened = async (): Promise<void> => {
    const { service, venue } = scene
    await setGuestPages(service, venue, { doors: [], frameSites: [site], confirmUpTo: 8 })
    await setRules(service, venue, everyEvening())
    await actAt(service, venue, (work) =>
      makePromoCode(work, owner, {
        ...{ code: 'CELLAR10', discount: { percent: 10 }, eventId: null, usesMost: null },
        ...{ validFrom: null, validTo: null },
      }),
    )
  }
  const call = async (method: string, path: string, body?: object, key = scene.venue.key) => {
    const answer = await scene.service.call(method, `/api/v1/${path}`, {
      key,
      ...(body && { body }),
      ...((method === 'PATCH' || path === 'dry-run') && { headers: { 'if-match': '*' } }),
    })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.body
  }
  const has = (record: Record<string, unknown>, fields: Fields, where: string): void => {
    const wanted = readOf(fields)
    assert.deepEqual(
      Object.fromEntries(Object.keys(wanted).map((name) => [name, record[name]])),
      wanted,
      where,
    )
  }
  const rehearsed = async (method: string, path: string, body: object) => {
    const { wouldAnswer } = await call('POST', 'dry-run', { method, path: `/api/v1/${path}`, body })
    assert.ok(wouldAnswer.status < 300, JSON.stringify(wouldAnswer))
    return wouldAnswer.body
  }

  it('names every field that the contract takes, of every call', () => {
    const kinds = Object.values(kindsWith(1))
    const named = new Map<string, string[]>()
    const add = (method: string, path: string, ...all: (Fields | undefined)[]) =>
      named.set(
        `${method} /api/v1/${path}`,
        [...new Set(all.flatMap((one) => Object.keys(one ?? {})))].toSorted(),
      )
    for (const { path, make, change } of kinds) {
      add('POST', path, make)
      if (change) add('PATCH', `${path}/{id}`, change)
    }
    add('POST', 'checkouts', secured, ticketsOf(1))
    const taken = (Object.values(endpoints) as Endpoint[]).flatMap(({ id, method, path, body }) => {
      const fields = Object.keys((body as { properties?: object })?.properties ?? {})
      return fields.length === 0 || takesNone.has(id)
        ? []
        : [[`${method} ${path}`, fields.toSorted()] as const]
    })
    assert.deepEqual(Object.fromEntries(named), Object.fromEntries(taken))
  })

  for (const kind of Object.keys(kindsWith(1))) {
    it(`${kind}: tried, made, changed, and in a batch`, async () => {
      await opened()
      const { path, name, make, change, batch } = kindsWith(scene.date)[kind] as Kind
      const row = (Object.values(endpoints) as Endpoint[]).find(
        ({ method, path: to }) => method === 'POST' && to === `/api/v1/${path}`,
      )
      if (row?.dryRun) has((await rehearsed('POST', path, sentOf(make)))[name], make, 'a dry run')
      const made = await call('POST', path, sentOf(make))
      const id = made[name]?.id ?? made.id
      const isRead = Object.values(endpoints).some(
        (one) => one.method === 'GET' && one.path === `/api/v1/${path}/{id}`,
      )
      const read = async () => (isRead ? call('GET', `${path}/${id}`) : made[name])
      has(await read(), make, 'POST')
      if (change) {
        if (row?.dryRun)
          has((await rehearsed('PATCH', `${path}/${id}`, sentOf(change)))[name], change, 'a dry run')
        await call('PATCH', `${path}/${id}`, sentOf(change))
        has(await read(), change, 'PATCH')
      }
      if (batch === undefined) return
      scene.venue = await scene.service.venue()
      const items = [{ ref: '1', body: sentOf(make) }]
      const sent = (await call('POST', 'batches', { kind: batch, mode: 'write', items })).batch
      await runBatches(scene.service.context, singlePosts)
      const [result] = await call('GET', `batches/${sent.id}/results`)
      has(await call('GET', `${path}/${result.id}`), make, 'a batch')
    })
  }

  it('a table that is secured, and tickets that are paid for, by software', async () => {
    await opened()
    await setRules(
      scene.service,
      scene.venue,
      everyEvening({
        experiences: [{ key: 'tasting', name: 'Tasting menu', asks: 'prepaid', amountCents: 9_500 }],
      }),
    )
    const { key } = await scene.venue.makeKey('read_write', 'api', { scopes: ['checkouts:create'] })
    for (const [fields, list, id] of [
      [secured, 'reservations', 'reservationId'],
      [ticketsOf(scene.date), 'ticket-orders', 'ticketOrderId'],
    ] as const) {
      const { checkout } = await call('POST', 'checkouts', sentOf(fields), key)
      await guestAt(scene.service, pathOf(checkout.url), { form: { do: 'pay' } })
      const paid = await scene.stripe.pay(await scene.sessionOf(checkout.id))
      await guestAt(scene.service, pathOf(String(paid?.success_url)))
      const done = (await call('GET', `checkouts/${checkout.id}`, undefined, key)).checkout
      has(await call('GET', `${list}/${done[id]}`), fields, list)
    }
  })

  /** A booking that people make, as they type it; where a field of the API's is none of theirs, why. */
  const typed = {
    guestName: 'Isa Typed',
    email: 'isa.typed@example.com',
    phone: '(212) 555-0152',
    partySize: 3,
    notes: 'A typed note',
  }
  const notTyped = {
    externalId: 'the id in other software',
    startsAt: 'in place of date and time',
    holdId: 'in place of a place that is held',
  }
  const evening = { date: '2026-10-13', time: '19:00' }

  const byPeople: Readonly<Record<string, () => Promise<unknown>>> = {
    'the booking sheet': () =>
      make(scene.office, '/office/bookings', {
        ...{ ...typed, partySize: '3', ...evening, bookAnyway: 'yes' },
      }),
    'the page of the venue': () =>
      bookByPage(scene.service, scene.venue, {
        ...{ slot: `${evening.date} ${evening.time}`, size: '3', name: typed.guestName },
        ...{ email: typed.email, tel: typed.phone, note: typed.notes },
      }),
    'a party in line that is seated': async () => {
      const { id } = (await call('POST', 'waitlist', typed)).waitlistEntry
      const press = { move: 'seatNow', status: 'waiting', version: '1', confirmed: 'yes' }
      assert.equal((await scene.office.post(`/office/waitlist/${id}/moves`, press)).status, 303)
    },
  }

  it('a booking that people make has all that they typed', async () => {
    const known = Object.keys({ ...typed, ...evening, ...notTyped }).toSorted()
    const taken = Object.keys(
      (endpoints.createReservation.body as { properties: object }).properties,
    ).toSorted()
    assert.deepEqual(known, taken, 'what the API takes, people type too, or the reason is here')
    for (const [door, book] of Object.entries(byPeople)) {
      scene.venue = await scene.service.venue()
      scene.office = visitOffice(scene.service)
      await scene.office.signIn((await staffOf(scene.service, scene.venue, 'owner')).email)
      await setGuestPages(scene.service, scene.venue, { doors: ['book'], confirmUpTo: 8 })
      await setRules(scene.service, scene.venue, everyEvening())
      scene.service.setClock('2026-10-06T22:30:00Z')
      await book()
      const [made] = await call('GET', 'reservations')
      assert.ok(made, `${door}: nothing was booked`)
      const seen = Object.fromEntries(Object.keys(typed).map((name) => [name, made[name]]))
      assert.deepEqual(seen, typed, door)
    }
  })
})
