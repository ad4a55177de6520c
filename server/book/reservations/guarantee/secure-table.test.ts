import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { lookAtCheckouts } from '../../../core/money/sweep.ts'
import { setChangesByApi } from '../../rules/changes-by-api.ts'
import { actAt } from '../../../test/act.ts'
import { guestAt, hiddenOn, setGuestPages } from '../../../test/guest.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../../test/office.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import type { TestService, TestVenue } from '../../../test/service.ts'
import { assertUnsaid } from '../../../test/stripe/names-in.ts'
import { startPaidService } from '../../../test/stripe/paid-service.ts'
import type { StripeStandIn } from '../../../test/stripe/stand-in.ts'
import { lookingAtTickets } from '../../../tickets/online/looking.ts'
import { refundOnline } from '../../../tickets/online/money-back/refund-online.ts'
import { answerChange } from '../change/answer-change.ts'
import { moveReservation } from '../moves.ts'
import { staff } from '../test/book.ts'
import { deleteCards } from './jobs.ts'
import { makeCharges } from './charging/make-charges.ts'

const signal = new AbortController().signal
const card = { asks: 'card', amountCents: 2_500, per: 'guest', freeUntilHours: 24 }
const deposit = { asks: 'deposit', amountCents: 2_000, per: 'guest', freeUntilHours: 24 }

describe('a card or a deposit behind a table', () => {
  let service: TestService
  let stripe: StripeStandIn
  let venue: TestVenue
  let office: OfficeVisitor
  before(async () => {
    ;({ service, stripe } = await startPaidService())
  })
  after(async () => {
    await service.stop()
    await stripe.stop()
  })
  beforeEach(async () => {
    service.setClock('2026-10-06T14:00:00Z')
    venue = await service.venue()
    await setGuestPages(service, venue, { doors: ['book'], confirmUpTo: 8 })
    office = visitOffice(service)
    await office.signIn((await staffOf(service, venue, 'owner')).email)
    Object.assign(stripe, { trouble: undefined, callsOut: true, refundsPend: false, declines: undefined })
    stripe.endpoints.clear()
    stripe.customers.clear()
    stripe.refunds.clear()
  })

  const policy = (row: object, more: object = {}) =>
    setRules(service, venue, everyEvening({ guarantees: [row], ...more }))
  const connect = async () => {
    const { status, words } = await office.post('/office/settings/payments', { key: stripe.key })
    assert.equal(status, 303, words)
  }
  const door = () => `/v/${venue.slug}/book`
  const details = async (slot = '2026-10-09 19:00', size = '2') => {
    const held = await guestAt(service, door(), { form: { size, slot } })
    return (await guestAt(service, held.headers.get('location') ?? '')).text
  }
  const formOf = (text: string, more: Record<string, string> = {}): Record<string, string> => ({
    ...Object.fromEntries(
      ['token', 'size', 'day', 'time', 'hold'].map((name) => [name, hiddenOn(text, name)]),
    ),
    ...(text.includes('name="agreed"') && { agreed: hiddenOn(text, 'agreed') }),
    ...{ name: 'Maya Okafor', email: 'maya@example.com', ...more },
  })
  const press = async (slot?: string, size?: string, more: Record<string, string> = {}) =>
    guestAt(service, door(), { form: formOf(await details(slot, size), more) })
  const sessionOf = (answer: { headers: Headers }) =>
    (answer.headers.get('location') ?? '').replace(/^.*\/pay\//, '')
  const pathOf = (url: string | null | undefined) => (url ?? '').replace(/^https?:\/\/[^/]+/, '')
  const sweep = () => lookAtCheckouts(lookingAtTickets(service.context), signal)
  const refund = () => refundOnline(service.context, signal)
  const cards = () => deleteCards(service.context, signal)
  /** Secures a table, and leads back to the guest's own page. */
  const secure = async (slot?: string, size?: string) => {
    const session = await stripe.pay(sessionOf(await press(slot, size)))
    assert.ok(session)
    const back = await guestAt(service, pathOf(session.success_url))
    assert.equal(back.status, 303, back.text)
    return (back.headers.get('location') ?? '').replace(/\?.*/, '')
  }
  const bookings = async () =>
    (await service.call('GET', '/api/v1/reservations', { key: venue.key })).body as {
      id: number
      status: string
      guestName: string
      time: string
      partySize: number
    }[]
  const guarantees = () =>
    rowsOf(
      service,
      `select kind, status, amount_cents, paid_cents, refunded_cents, reservation_id is not null as has_booking,
              customer_ref is not null as has_card from guarantee where venue_id = ${venue.id} order by id`,
    )
  const events = async () =>
    (await rowsOf(service, `select name from event where venue_id = ${venue.id} order by id`))
      .map(({ name }) => String(name))
      .filter((name) => !name.startsWith('guest.'))
  const mails = async () =>
    (await rowsOf(service, `select kind from guest_mail where venue_id = ${venue.id} order by id`))
      .map(({ kind }) => String(kind))
      .filter((kind) => kind !== 'bookingReminder')
  const holds = () => rowsOf(service, `select id from booking_hold where venue_id = ${venue.id}`)
  const cancel = (id: number, decidedBy: 'guest' | 'staff') =>
    actAt(service, venue, (work) =>
      moveReservation(work, staff('manager'), { id, move: 'cancel', decidedBy }),
    )

  it('asks for nothing where no account is connected, and the office says so', async () => {
    await policy(deposit)
    const text = await details()
    assert.doesNotMatch(text, /name="agreed"/)
    assert.match(
      (await office.get('/office/settings/guarantees')).words,
      /charged only when a manager presses the button\. Nothing is asked for yet: connect a Stripe account/,
    )
    const booked = await press('2026-10-09 20:00')
    assert.match(booked.headers.get('location') ?? '', /^\/r\//)
  })

  it('a deposit: the sentence at the button, then one booking, one mail and one event, with what was paid behind it', async () => {
    await policy(deposit)
    await connect()
    assert.match(
      await details(),
      /You pay \$40\.00 in advance\. Cancel by 7:00\sPM on Thursday, October 8 and it all goes back; after that, or if nobody comes, the restaurant keeps it\./,
    )
    const answer = await press('2026-10-09 19:30')
    assert.equal(answer.status, 303, answer.text)
    assert.deepEqual([await bookings(), await events(), await mails()], [[], [], []])
    const session = await stripe.pay(sessionOf(answer))
    await sweep()
    const back = await guestAt(service, pathOf(session?.success_url))
    const page = await guestAt(service, back.headers.get('location') ?? '')
    assert.match(page.text, /\$40\.00 paid/)
    const [booking, ...more] = await bookings()
    assert.deepEqual([booking?.status, booking?.guestName, more.length], ['Confirmed', 'Maya Okafor', 0])
    assert.deepEqual(await events(), ['reservation.created'])
    assert.deepEqual(await mails(), ['bookingConfirmed'])
    assert.deepEqual(await guarantees(), [
      {
        ...{ kind: 'deposit', status: 'paid', amount_cents: 4_000, paid_cents: 4_000 },
        ...{ refunded_cents: 0, has_booking: true, has_card: false },
      },
    ])
  })

  it('the place outlives five minutes and another time that is pressed, and is free once it cannot be paid', async () => {
    await policy(deposit, { pacing: { intervalMinutes: 15, maxCovers: 2 } })
    await connect()
    const text = await details('2026-10-09 19:00')
    const form = formOf(text)
    assert.equal((await guestAt(service, door(), { form })).status, 303)
    const other = await guestAt(service, door(), {
      form: { size: '2', slot: '2026-10-09 20:00', hold: String(form['hold']) },
    })
    assert.match(other.headers.get('location') ?? '', /time=20/)
    service.setClock('2026-10-06T14:20:00Z')
    const taken = await guestAt(service, door(), { form: { size: '2', slot: '2026-10-09 19:00' } })
    assert.match(taken.headers.get('location') ?? '', /taken=19/)
    service.setClock('2026-10-06T14:34:00Z')
    await sweep()
    const free = await guestAt(service, door(), { form: { size: '2', slot: '2026-10-09 19:00' } })
    assert.match(free.headers.get('location') ?? '', /hold=/)
  })

  it('signs up for news once the table is given, and not who never paid for it', async () => {
    await setGuestPages(service, venue, { doors: ['book', 'news'], confirmUpTo: 8 })
    await policy(deposit)
    await connect()
    const subscribers = async () =>
      (await rowsOf(service, `select email, status from subscriber where venue_id = ${venue.id}`)).length
    const session = sessionOf(await press('2026-10-09 19:00', '2', { news: 'yes' }))
    assert.deepEqual([await subscribers(), await mails()], [0, []])
    const paid = await stripe.pay(session)
    await guestAt(service, pathOf(paid?.success_url))
    assert.equal(await subscribers(), 1)
    assert.deepEqual((await mails()).toSorted(), ['bookingConfirmed', 'newsConfirm'])
  })

  it('a press that is refused leaves nothing held, and the place that the guest holds stays theirs', async () => {
    await policy(deposit)
    await connect()
    for (const time of ['18:00', '18:30', '19:00'])
      assert.equal((await press(`2026-10-09 ${time}`)).status, 303)
    const fourth = formOf(await details('2026-10-09 20:00'))
    const held = await holds()
    const refused = await guestAt(service, door(), { form: fourth })
    assert.match(refused.text, /You have other payments open/)
    assert.deepEqual(await holds(), held)
    const others = { email: 'lena@example.com' }
    for (const time of ['20:15', '20:30', '20:45', '21:00'])
      await guestAt(service, door(), { form: { size: '2', slot: `2026-10-09 ${time}` } })
    const before = await holds()
    const busy = await guestAt(service, door(), { form: { ...fourth, hold: '', ...others } })
    assert.equal(busy.status, 409)
    assert.match(busy.text, /Several tables are being held from your network right now\./)
    assert.deepEqual(await holds(), before)
  })

  it('the notice that passes while somebody pays keeps nobody out; a day that closed sends the money back', async () => {
    await policy(deposit, { minNoticeMinutes: 120 })
    await connect()
    service.setClock('2026-10-06T20:59:00Z')
    const first = await press('2026-10-06 19:00')
    service.setClock('2026-10-06T21:10:00Z')
    await stripe.pay(sessionOf(first))
    await sweep()
    assert.equal((await bookings()).length, 1)
    const second = await press('2026-10-09 19:00')
    await policy(deposit, { closures: [{ from: '2026-10-09', to: '2026-10-09', name: 'Refit' }] })
    const session = await stripe.pay(sessionOf(second))
    await sweep()
    await refund()
    assert.equal((await bookings()).length, 1)
    const page = await guestAt(service, pathOf(session?.success_url))
    assert.match(page.text, /Meanwhile the restaurant stopped taking bookings for that time\./)
    assert.deepEqual((await mails()).at(-1), 'tableRefused')
    assert.equal((await guarantees()).at(-1)?.['status'], 'refunded')
    assert.deepEqual(
      [...stripe.refunds.values()].map(({ amount }) => amount),
      [4_000],
    )
    assert.equal((await holds()).length, 0)
    const [, nearest] = /name="slot" value="([^"]+)"/.exec(page.text) ?? []
    assert.ok(nearest && !nearest.startsWith('2026-10-09'), page.text)
    const kept = ['do', 'size', 'name', 'email', 'tel', 'note'].map((name) => [
      name,
      hiddenOn(page.text, name),
    ])
    const again = await guestAt(service, door(), { form: { ...Object.fromEntries(kept), slot: nearest } })
    assert.match(again.text, /name="name"[^>]*value="Maya Okafor"/)
  })

  it('whose page ended offers the same time and those nearest to it, each once', async () => {
    await policy(deposit)
    await connect()
    await stripe.expire(sessionOf(await press('2026-10-09 19:00')))
    await sweep()
    const [row] = await rowsOf(service, `select id from checkout where venue_id = ${venue.id}`)
    const looking = lookingAtTickets(service.context)
    const { cancel } = looking.pagesOf({ ...venue, plan: 'pro' }, Number(row?.['id']))
    const { text } = await guestAt(service, pathOf(cancel))
    const slots = Array.from(text.matchAll(/name="slot" value="([^"]+)"/g), ([, slot]) => slot)
    assert.equal(slots[0], '2026-10-09 19:00')
    assert.equal(new Set(slots).size, slots.length, slots.join())
  })

  it('a card: nothing is charged, the page says when it goes, and then it is gone', async () => {
    await policy(card)
    await connect()
    assert.match(
      await details(),
      /Cancel by 7:00\sPM on Thursday, October 8 and nothing is charged; after that, or if nobody comes, \$25\.00 a guest\./,
    )
    stripe.intents.clear()
    const mine = await secure('2026-10-09 19:30')
    assert.match((await guestAt(service, mine)).text, /Your card is deleted on Tuesday, October 13\./)
    assert.deepEqual([stripe.intents.size, stripe.customers.size], [0, 1])
    service.setClock('2026-10-13T07:59:00Z')
    await cards()
    assert.equal(stripe.customers.size, 1)
    assert.match((await guestAt(service, mine)).text, /Your card is deleted on/)
    service.setClock('2026-10-13T08:00:00Z')
    await cards()
    assert.equal(stripe.customers.size, 0)
    assert.deepEqual(
      (await guarantees()).map(({ status, has_card }) => [status, has_card]),
      [['released', false]],
    )
    await cards()
    assert.equal(stripe.intents.size, 0)
  })

  it('a card that pays nothing is not said to be paid with, and a table is no ticket', async () => {
    await policy(card)
    await connect()
    const session = stripe.sessions.get(sessionOf(await press()))
    const back = pathOf(session?.success_url)
    assert.match((await guestAt(service, back)).text, /We are confirming your card; do not enter it again\./)
    const pay = back.replace(/\/back$/, '')
    const { text } = await guestAt(service, pay)
    assert.match(text, /<h1[^>]*>Not booked yet<[\s\S]*Go on with your card/)
    assert.doesNotMatch(text, /[Pp]aid|paying/)
    await rowsOf(service, `update processor_account set ended_at = now() where venue_id = ${venue.id}`)
    const closed = await guestAt(service, pay, { form: { do: 'pay' } })
    assert.match(closed.text, /This table can no longer be booked online\./)
    assert.doesNotMatch(closed.text, /[Tt]icket/)
  })

  it('a cancellation in time gives everything back by itself, a late one keeps it, and the page says which before the press', async () => {
    await policy(deposit)
    await connect()
    const early = await secure('2026-10-09 19:00')
    const late = await secure('2026-10-09 20:00')
    assert.match((await guestAt(service, `${early}?do=cancel`)).text, /\$40\.00 goes back to your card/)
    await guestAt(service, early, { form: { do: 'cancel' } })
    await refund()
    service.setClock('2026-10-09T02:00:00Z')
    assert.match((await guestAt(service, `${late}?do=cancel`)).text, /the restaurant keeps \$40\.00/)
    await guestAt(service, late, { form: { do: 'cancel' } })
    await refund()
    assert.deepEqual(
      (await guarantees()).map(({ status, refunded_cents }) => [status, refunded_cents]),
      [
        ['refunded', 4_000],
        ['paid', 0],
      ],
    )
    assert.match((await guestAt(service, early)).text, /\$40\.00 went back to your card\./)
    assert.doesNotMatch((await guestAt(service, early)).text, /The restaurant keeps/)
    assert.match((await guestAt(service, late)).text, /\$40\.00 paid[^]*The restaurant keeps \$40\.00\./)
  })

  it('who did not come reads that the restaurant keeps the deposit, and no longer once that is undone', async () => {
    await policy(deposit)
    await connect()
    const link = await secure('2026-10-09 19:00')
    service.setClock('2026-10-10T01:00:00Z')
    const id = Number((await bookings())[0]?.id)
    const move = (name: 'markNoShow' | 'undoNoShow') =>
      actAt(service, venue, (work) => moveReservation(work, staff('manager'), { id, move: name }))
    const page = async () => (await guestAt(service, link)).text
    assert.doesNotMatch(await page(), /The restaurant keeps \$/)
    await move('markNoShow')
    assert.match(await page(), /The restaurant keeps \$40\.00\./)
    const german = (await guestAt(service, `${link}?lang=de`)).text
    assert.match(german, /Das Restaurant behält 40,00/)
    await move('undoNoShow')
    assert.doesNotMatch(await page(), /The restaurant keeps \$/)
  })

  it('its guest reads what is on its way back, what did not arrive, and that a card goes before it is gone', async () => {
    await policy(deposit)
    await connect()
    const mine = await secure('2026-10-09 19:00')
    await guestAt(service, mine, { form: { do: 'cancel' } })
    const onWay = (await guestAt(service, mine)).text
    assert.match(onWay, /\$40\.00 is on its way back to your card\./)
    await rowsOf(
      service,
      `update refund set state = 'failed', settled_at = now() where venue_id = ${venue.id}`,
    )
    const failed = (await guestAt(service, mine)).text
    assert.match(failed, /\$40\.00 could not be sent back to your card\. The restaurant will write to you\./)
    await policy(card)
    const other = await secure('2026-10-09 20:00')
    await guestAt(service, other, { form: { do: 'cancel' } })
    const going = (await guestAt(service, other)).text
    assert.match(going, /Nothing is charged, and your card is deleted\./)
    assert.doesNotMatch(going, /has been deleted/)
    await cards()
    assert.match((await guestAt(service, other)).text, /Your card has been deleted\./)
  })

  it('its guest cancels for as long as the sentence promises, also where the venue ends changes earlier', async () => {
    await setGuestPages(service, venue, { cancelMinutes: 2_880 })
    await policy(deposit)
    await connect()
    assert.doesNotMatch(await details('2026-10-09 18:00'), /You can change or cancel with the link/)
    const byPage = await secure('2026-10-09 19:00')
    await secure('2026-10-09 20:00')
    const byKey = (await bookings()).find(({ time }) => time === '20:00')
    service.setClock('2026-10-08T22:00:00Z')
    const page = (await guestAt(service, byPage)).text
    assert.match(page, /do=cancel/)
    assert.doesNotMatch(page, /do=change|Online changes/)
    await guestAt(service, byPage, { form: { do: 'cancel' } })
    const answer = await service.call('POST', `/api/v1/reservations/${byKey?.id}/cancel`, {
      key: venue.key,
      body: { by: 'guest' },
    })
    assert.equal(answer.status, 200, answer.text)
    await refund()
    assert.deepEqual(
      (await guarantees()).map(({ status }) => status),
      ['refunded', 'refunded'],
    )
    const late = await secure('2026-10-11 19:00')
    service.setClock('2026-10-10T23:00:00Z')
    assert.doesNotMatch((await guestAt(service, late)).text, /do=cancel/)
    assert.equal((await guestAt(service, late, { form: { do: 'cancel' } })).status, 409)
  })

  it('the API shows what is behind a booking, each change of it is one event, and nothing in it is of the processor', async () => {
    await policy(deposit)
    await connect()
    const mine = await secure('2026-10-09 19:00')
    const read = async () => {
      const answer = await service.call('GET', '/api/v1/reservations', { key: venue.key })
      assertUnsaid(stripe.issued, [{ where: 'the list', text: answer.text }])
      return answer.body[0]
    }
    assert.deepEqual((await read()).guarantee, {
      ...{ kind: 'deposit', status: 'paid', amountCents: 4_000, askedCents: 0, paidCents: 4_000 },
      ...{ refundedCents: 0, currency: 'USD', freeUntil: '2026-10-08T23:00:00.000Z', takenOffAt: null },
    })
    assert.equal((await read()).revision, 1)
    await guestAt(service, mine, { form: { do: 'cancel' } })
    assert.equal((await read()).revision, 2)
    await refund()
    const { guarantee, revision } = await read()
    assert.deepEqual([guarantee.status, guarantee.refundedCents, revision], ['refunded', 4_000, 3])
    assert.deepEqual(await events(), [
      'reservation.created',
      'reservation.cancelled',
      'reservation.guarantee_changed',
    ])
    const told = await rowsOf(service, `select data::text as data from event where venue_id = ${venue.id}`)
    for (const { data } of told) {
      assert.doesNotMatch(String(data), /You pay/)
      assertUnsaid(stripe.issued, [{ where: 'an event', text: String(data) }])
    }
  })

  it('what the venue cancels or declines comes back, also late, and a card is deleted', async () => {
    await setGuestPages(service, venue, { confirmUpTo: null })
    await policy(deposit)
    await connect()
    await secure('2026-10-09 19:00')
    await policy(card)
    await secure('2026-10-09 20:00')
    service.setClock('2026-10-09T22:00:00Z')
    for (const { id, status } of await bookings()) {
      assert.equal(status, 'Requested')
      await cancel(id, 'staff')
    }
    service.setClock('2026-10-09T22:00:31Z')
    await refund()
    await cards()
    assert.deepEqual(
      (await guarantees()).map(({ status, has_card }) => [status, has_card]),
      [
        ['refunded', false],
        ['released', false],
      ],
    )
    assert.equal(stripe.customers.size, 0)
  })

  it('terms that changed since they were shown are shown again before they count', async () => {
    await policy(deposit)
    await connect()
    const form = formOf(await details())
    await policy({ ...deposit, amountCents: 3_000 })
    const again = await guestAt(service, door(), { form })
    assert.equal(again.status, 409)
    assert.match(again.text, /What is asked for has changed/)
    assert.match(again.text, /You pay \$60\.00 in advance/)
  })

  it('managers set what is asked for; an amount that no card is charged is refused, and the sheet shows what is behind a booking', async () => {
    await setRules(service, venue)
    await connect()
    const page = await office.get('/office/settings/guarantees')
    const row = {
      ...{
        'asks-0': 'deposit',
        'per-0': 'guest',
        'hours-0': '24',
        'partyFrom-0': '1',
        'services-0': 'Dinner',
      },
      ...{ 'from-0': '', 'to-0': '', keepCardDays: '3', seen: hiddenOn(page.html, 'seen') },
    }
    const little = await office.post('/office/settings/guarantees', { ...row, 'amount-0': '0.20' })
    assert.match(little.words, /At least \$0\.50 can be asked for/)
    const saved = await office.post('/office/settings/guarantees', { ...row, 'amount-0': '20' })
    assert.equal(saved.status, 303, saved.words)
    await secure('2026-10-09 19:00')
    const [booking] = await bookings()
    const sheet = await office.get(`/office/bookings/${booking?.id}`)
    assert.match(sheet.words, /Deposit You pay \$40\.00 in advance\./)
    assert.match(sheet.words, /If the guest cancels now, the deposit of \$40\.00 is refunded\./)
    await office.post(`/office/bookings/${booking?.id}/delete`, { version: hiddenOn(sheet.html, 'version') })
    assert.equal((await bookings()).length, 1, 'its record stays')
    service.setClock('2026-10-09T12:00:00Z')
    await office.signIn(`owner@${venue.slug}.example.com`)
    assert.match(
      (await office.get(`/office/bookings/${booking?.id}`)).words,
      /If the guest cancels now, you keep the deposit of \$40\.00\. If you cancel, it is refunded\./,
    )
  })

  it('a row is for its services, dates and sizes, and the first that fits decides', async () => {
    await setRules(
      service,
      venue,
      everyEvening({
        guarantees: [
          { ...deposit, partyFrom: 6 },
          { ...card, services: ['Lunch'] },
          { ...card, per: 'party', amountCents: 5_000, from: '2026-10-09', to: '2026-10-09' },
        ],
      }),
    )
    await connect()
    assert.match(await details('2026-10-09 19:00', '6'), /You pay \$120\.00 in advance/)
    assert.match(await details('2026-10-09 19:15', '2'), /if nobody comes, \$50\.00\./)
    assert.doesNotMatch(await details('2026-10-10 19:00', '2'), /name="agreed"/)
  })

  describe('another size or time', () => {
    const change = (mine: string, size: string, slot: string) =>
      guestAt(service, mine, { form: { do: 'change', size, slot } })
    const terms = async () => {
      const [row] = await rowsOf(
        service,
        `select amount_cents, free_until, delete_at from guarantee where venue_id = ${venue.id}`,
      )
      return row
    }
    const moment = (text: string) => new Date(text).toISOString()
    /** The venue takes the change that waits. */
    const accept = async () => {
      const [asked] = await rowsOf(
        service,
        `select id, reservation_id from reservation_change where venue_id = ${venue.id} and status = 'pending'`,
      )
      await actAt(service, venue, (work) =>
        answerChange(work, staff('manager'), {
          ...{ id: Number(asked?.['reservation_id']), change: Number(asked?.['id']), answer: 'accept' },
        }),
      )
    }

    it('sends the part of a guest back who was taken off in time, and asks nothing of one whom the venue takes along', async () => {
      await policy(deposit)
      await connect()
      const mine = await secure('2026-10-09 19:00', '4')
      await change(mine, '3', '2026-10-09 19:00')
      const [booking] = await bookings()
      assert.match(
        (await office.get(`/office/bookings/${booking?.id}`)).words,
        /If the guest cancels now, the deposit of \$60\.00 is refunded\./,
        'not what is on its way already',
      )
      await refund()
      await change(mine, '5', '2026-10-09 19:00')
      await accept()
      await refund()
      const shown = (await guarantees()).map((row) => [
        row['status'],
        row['amount_cents'],
        row['refunded_cents'],
      ])
      assert.deepEqual(shown, [['partially_refunded', 6_000, 2_000]])
      service.setClock('2026-10-09T14:00:00Z')
      await change(mine, '2', '2026-10-09 19:00')
      await refund()
      assert.equal((await guarantees())[0]?.['refunded_cents'], 2_000, 'too late for more')
    })

    it('asks the venue first where its page would ask for more than is behind the booking', async () => {
      await policy({ ...deposit, partyFrom: 6 })
      await connect()
      const free = ((await press('2026-10-09 18:00', '5')).headers.get('location') ?? '').replace(/\?.*/, '')
      const asking = { do: 'ask', size: '8', slot: '2026-10-09 18:00' }
      assert.match((await guestAt(service, free, { form: asking })).text, /class="note wait"/)
      await change(free, '8', '2026-10-09 18:00')
      const paid = await secure('2026-10-09 20:00', '8')
      await policy(deposit)
      await change(paid, '1', '2026-10-09 20:00')
      await change(paid, '8', '2026-10-09 20:00')
      const sizes = async () => (await bookings()).map(({ partySize }) => partySize)
      assert.deepEqual(new Set(await sizes()), new Set([1, 5]))
    })

    it('changes at once what is asked for no more than its place was, also under a later policy', async () => {
      await setRules(service, venue)
      await connect()
      const mine = ((await press('2026-10-09 18:00', '2')).headers.get('location') ?? '').replace(/\?.*/, '')
      await policy(deposit)
      await change(mine, '2', '2026-10-09 18:30')
      assert.deepEqual(
        (await bookings()).map(({ time, partySize }) => [time, partySize]),
        [['18:30', 2]],
      )
      await change(mine, '3', '2026-10-09 18:30')
      assert.deepEqual(
        (await bookings()).map(({ time, partySize }) => [time, partySize]),
        [['18:30', 2]],
      )
    })

    it('moves the limit along if it was asked for before it, and nobody gets around it by moving first', async () => {
      await policy(card)
      await connect()
      const mine = await secure('2026-10-09 19:00')
      await change(mine, '2', '2026-10-10 19:00')
      assert.deepEqual(await terms(), {
        amount_cents: 5_000,
        free_until: moment('2026-10-09T23:00:00Z'),
        delete_at: moment('2026-10-14T08:00:00Z'),
      })
      service.setClock('2026-10-10T12:00:00Z')
      await change(mine, '2', '2026-10-16 19:00')
      assert.deepEqual(await terms(), {
        amount_cents: 5_000,
        free_until: moment('2026-10-09T23:00:00Z'),
        delete_at: moment('2026-10-20T08:00:00Z'),
      })
      assert.match(
        (await guestAt(service, `${mine}?do=cancel`)).text,
        /The time to cancel free of charge is over/,
      )
    })
  })

  it('the limit is never earlier than the sentence says without its guest, and the page says a new one before the press', async () => {
    await policy(card)
    await connect()
    const mine = await secure('2026-10-10 19:00')
    const limit = async () =>
      (await rowsOf(service, `select free_until from guarantee where venue_id = ${venue.id}`))[0]?.[
        'free_until'
      ]
    const agreed = await limit()
    assert.doesNotMatch((await guestAt(service, mine)).text, /Free cancellation/)
    await actAt(service, venue, (work) => setChangesByApi(work, { kind: 'service' }, 'direct'))
    const [booking] = await bookings()
    const moved = await service.call('PATCH', `/api/v1/reservations/${booking?.id}`, {
      ...{ key: venue.key, body: { date: '2026-10-09', time: '18:00' }, headers: { 'if-match': '*' } },
    })
    assert.deepEqual([moved.status, await limit()], [200, agreed], moved.text)
    assert.doesNotMatch((await guestAt(service, mine)).text, /Free cancellation/)
    const other = await secure('2026-10-10 20:00')
    const asking = { size: '2', slot: '2026-10-08 20:00' }
    const said = /Free cancellation until 8:00\sPM on Wednesday, October 7\./
    assert.match((await guestAt(service, other, { form: { do: 'ask', ...asking } })).text, said)
    await guestAt(service, other, { form: { do: 'change', ...asking } })
    assert.match((await guestAt(service, other)).text, said)
  })

  describe('charging a card', () => {
    const managers = async () => {
      const manager = visitOffice(service)
      await manager.signIn((await staffOf(service, venue, 'manager')).email)
      return manager
    }
    const charges = () => makeCharges(service.context, signal)
    const move = (id: number, name: 'markNoShow' | 'undoNoShow' | 'seat') =>
      actAt(service, venue, (work) => moveReservation(work, staff('manager'), { id, move: name }))
    /** A booking for two whose guests did not come. */
    const absent = async () => {
      await policy(card)
      await connect()
      await secure('2026-10-09 19:00')
      service.setClock('2026-10-10T01:00:00Z')
      const [booking] = await bookings()
      const id = booking?.id ?? 0
      await move(id, 'markNoShow')
      return id
    }
    const press = (who: OfficeVisitor, id: number, form: Record<string, string>) =>
      who.post(`/office/bookings/${id}/guarantee`, form)
    const charged = () => [...stripe.intents.values()].filter(({ customer }) => customer !== undefined)
    beforeEach(() => stripe.intents.clear())

    it('is done once by two managers at the same time, not by a host, and by nobody above what was agreed on', async () => {
      const id = await absent()
      const host = visitOffice(service)
      await host.signIn((await staffOf(service, venue, 'host')).email)
      assert.equal((await press(host, id, { do: 'charge', amount: '50' })).status, 403)
      const [one, other] = [await managers(), office]
      await press(one, id, { do: 'charge', amount: '50.01' })
      await press(one, id, { do: 'charge', amount: '0.10' })
      await charges()
      assert.deepEqual(charged(), [])
      await Promise.all([one, other].map((who) => press(who, id, { do: 'charge', amount: '50' })))
      await charges()
      await press(other, id, { do: 'charge', amount: '50' })
      await charges()
      assert.deepEqual(
        charged().map(({ amount }) => amount),
        [5_000],
      )
      assert.deepEqual(
        (await guarantees()).map(({ status, paid_cents }) => [status, paid_cents]),
        [['charged', 5_000]],
      )
      assert.deepEqual((await mails()).at(-1), 'tableCharged')
    })

    it('is given back by a manager once the no-show is undone', async () => {
      const id = await absent()
      const manager = await managers()
      await press(manager, id, { do: 'charge', amount: '25' })
      await charges()
      await move(id, 'undoNoShow')
      const sheet = await manager.get(`/office/bookings/${id}`)
      assert.match(sheet.words, /Up to \$25\.00\. Stripe keeps its fee/)
      await press(manager, id, { do: 'refund' })
      await refund()
      assert.deepEqual(
        (await guarantees()).map(({ status, refunded_cents }) => [status, refunded_cents]),
        [['refunded', 2_500]],
      )
    })

    it('fails where the bank wants the guest or the card is refused: nothing is taken, and three tries are the most', async () => {
      const id = await absent()
      const manager = await managers()
      stripe.declines = 'authentication_required'
      await press(manager, id, { do: 'charge', amount: '50' })
      await charges()
      assert.deepEqual(
        charged().map(({ status }) => status),
        ['canceled'],
      )
      const { words } = await manager.get(`/office/bookings/${id}`)
      assert.match(words, /State The bank needs the guest’s approval/)
      assert.doesNotMatch(words, /The card was refused/)
      assert.match(
        words,
        /The guest’s bank needs their approval for this payment\. They were emailed a link to pay it themselves/,
      )
      stripe.declines = 'card_declined'
      for (let n = 0; n < 3; n++) {
        await press(manager, id, { do: 'charge', amount: '50' })
        await charges()
      }
      assert.equal(charged().length, 3)
      const after = await manager.get(`/office/bookings/${id}`)
      assert.match(after.words, /The card was refused 3 times, so it is not tried again/)
      assert.doesNotMatch(after.words, /Charge the card, up to|You can try again/)
      assert.doesNotMatch(after.html, /value="charge"/)
      assert.equal((await guarantees())[0]?.['status'], 'charge_failed')
    })

    it('is not for a guest who is expected, cancelled in time or came, nor after the card is gone', async () => {
      await policy(card)
      await connect()
      const booked = async (time: string) => {
        await secure(`2026-10-09 ${time}`)
        return Math.max(...(await bookings()).map(({ id }) => id))
      }
      const [one, other, third] = [await booked('19:00'), await booked('20:00'), await booked('20:30')]
      const { email } = await staffOf(service, venue, 'manager')
      const pressed = async (id: number) => {
        // Days later a session is over.
        const manager = visitOffice(service)
        await manager.signIn(email)
        const { headers } = await press(manager, id, { do: 'charge', amount: '50' })
        await charges()
        return [charged().length, headers.get('location')?.startsWith(`/office/bookings/${id}`)]
      }
      assert.deepEqual(await pressed(one), [0, true])
      service.setClock('2026-10-08T22:59:00Z')
      await cancel(one, 'guest')
      assert.equal((await guarantees())[0]?.['status'], 'released')
      assert.deepEqual(await pressed(one), [0, true])
      service.setClock('2026-10-10T01:00:00Z')
      await move(other, 'seat')
      await move(third, 'markNoShow')
      assert.deepEqual(await pressed(other), [0, true])
      service.setClock('2026-10-13T08:00:00Z')
      await cards()
      assert.deepEqual(await pressed(third), [0, true])
      const states = (await guarantees()).map(({ status }) => status)
      assert.deepEqual(states, ['released', 'released', 'released'])
    })

    it('is for a guest who cancels late, with the sentence to them, and the sheet asks first', async () => {
      await policy(card)
      await connect()
      const mine = await secure('2026-10-09 19:00')
      service.setClock('2026-10-09T12:00:00Z')
      assert.match(
        (await guestAt(service, `${mine}?do=cancel`)).text,
        /The time to cancel free of charge is over: the restaurant may charge \$50\.00\./,
      )
      await guestAt(service, mine, { form: { do: 'cancel' } })
      const [booking] = await bookings()
      const manager = await managers()
      const sheet = await manager.get(`/office/bookings/${booking?.id}`)
      assert.match(sheet.html, /data-asks="Charge this card\? Cancel by 7:00/)
      assert.match(
        sheet.html,
        /aria-label="Moves"[^]*<a href="#guarantee">Charge the card, up to \$50\.00<\/a>[^]*id="change"/,
      )
      await press(manager, booking?.id ?? 0, { do: 'charge', amount: '50' })
      await charges()
      assert.equal(charged().length, 1)
      assert.match((await guestAt(service, mine)).text, /\$50\.00 was charged\./)
      assert.match(
        (await manager.get(`/office/bookings/${booking?.id}`)).words,
        /Charge started by .{0,60} amount: \$50\.00/,
      )
      assert.match(
        (await manager.get('/office/activity')).words,
        /Charged the card of .{0,80} amount: \$50\.00/,
      )
    })

    it('whose answer was lost is made again with the same key, and takes the money once', async () => {
      const id = await absent()
      await press(await managers(), id, { do: 'charge', amount: '50' })
      stripe.trouble = { at: 'POST /v1/payment_intents', how: 'closed' }
      await charges()
      service.setClock('2026-10-10T01:05:00Z')
      await charges()
      assert.equal(charged().length, 1)
      assert.equal((await guarantees())[0]?.['status'], 'charged')
    })

    it('a deposit is taken off the bill once somebody sits', async () => {
      await policy(deposit)
      await connect()
      await secure('2026-10-06 19:00')
      const [booking] = await bookings()
      const id = booking?.id ?? 0
      await press(office, id, { do: 'take-off' })
      const early = (await office.get(`/office/bookings/${id}`)).words
      assert.match(early, /once the party is seated/)
      assert.doesNotMatch(early, /Taken off the bill/)
      service.setClock('2026-10-06T23:00:00Z')
      await actAt(service, venue, (work) => moveReservation(work, staff('host'), { id, move: 'seat' }))
      assert.match(
        (await office.get(`/office/bookings/${id}`)).words,
        /Deposit \$40\.00: take it off the bill/,
      )
      await press(office, id, { do: 'take-off' })
      const sheet = await office.get(`/office/bookings/${id}`)
      assert.match(sheet.words, /Taken off the bill/)
      assert.doesNotMatch(sheet.words, /take it off the bill/)
    })
  })
})
