import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { actAt } from '../../../test/act.ts'
import { guestAt, hiddenOn, pathOf, setGuestPages } from '../../../test/guest.ts'
import { setRules } from '../../../test/open-rules.ts'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'
import { assertUnsaid } from '../../../test/stripe/names-in.ts'
import { moveReservation } from '../moves.ts'
import { staff } from '../test/book.ts'

describe('a card or a deposit behind a table', () => {
  const scene = securingTables()

  it('asks for nothing where no account is connected, and the office says so', async () => {
    await scene.rules([deposit])
    const text = await scene.details()
    assert.doesNotMatch(text, /name="agreed"/)
    assert.match(
      (await scene.office.get('/office/settings/guarantees')).words,
      /charged only when a manager presses the button\. Nothing is asked for yet: connect a Stripe account/,
    )
    const booked = await scene.press('2026-10-09 20:00')
    assert.match(booked.headers.get('location') ?? '', /^\/r\//)
  })

  it('a deposit: the sentence at the button, then one booking, one mail and one event, with what was paid behind it', async () => {
    await scene.ask(deposit)
    assert.match(
      await scene.details(),
      /You pay \$40\.00 in advance\. Cancel by 7:00\sPM on Thursday, October 8 and it all goes back; after that, or if nobody comes, the restaurant keeps it\./,
    )
    const answer = await scene.press('2026-10-09 19:30')
    assert.equal(answer.status, 303, answer.text)
    assert.deepEqual([await scene.bookings(), await scene.events(), await scene.mails()], [[], [], []])
    const session = await scene.stripe.pay(scene.sessionOf(answer))
    await scene.sweep()
    const back = await guestAt(scene.service, pathOf(session?.success_url))
    const page = await guestAt(scene.service, back.headers.get('location') ?? '')
    assert.match(page.text, /\$40\.00 paid/)
    const [booking, ...more] = await scene.bookings()
    assert.deepEqual([booking?.status, booking?.guestName, more.length], ['Confirmed', 'Maya Okafor', 0])
    assert.deepEqual(await scene.events(), ['reservation.created'])
    assert.deepEqual(await scene.mails(), ['bookingConfirmed'])
    assert.deepEqual(await scene.guarantees(), [
      {
        ...{ kind: 'deposit', status: 'paid', amount_cents: 4_000, paid_cents: 4_000 },
        ...{ refunded_cents: 0, has_booking: true, has_card: false },
      },
    ])
  })

  it('the place outlives five minutes and another time that is pressed, and is free once it cannot be paid', async () => {
    await scene.rules([deposit], { pacing: { intervalMinutes: 15, maxCovers: 2 } })
    await scene.connect()
    const text = await scene.details('2026-10-09 19:00')
    const form = scene.formOf(text)
    assert.equal((await guestAt(scene.service, scene.door(), { form })).status, 303)
    const other = await guestAt(scene.service, scene.door(), {
      form: { size: '2', slot: '2026-10-09 20:00', hold: String(form['hold']) },
    })
    assert.match(other.headers.get('location') ?? '', /time=20/)
    scene.service.setClock('2026-10-06T14:20:00Z')
    const taken = await guestAt(scene.service, scene.door(), {
      form: { size: '2', slot: '2026-10-09 19:00' },
    })
    assert.match(taken.headers.get('location') ?? '', /taken=19/)
    scene.service.setClock('2026-10-06T14:34:00Z')
    await scene.sweep()
    const free = await guestAt(scene.service, scene.door(), { form: { size: '2', slot: '2026-10-09 19:00' } })
    assert.match(free.headers.get('location') ?? '', /hold=/)
  })

  it('signs up for news once the table is given, and not who never paid for it', async () => {
    await setGuestPages(scene.service, scene.venue, { doors: ['book', 'news'], confirmUpTo: 8 })
    await scene.ask(deposit)
    const subscribers = async () =>
      (await scene.rows('select email, status from subscriber where venue_id = $1')).length
    const session = await scene.goToPay('2026-10-09 19:00', '2', { news: 'yes' })
    assert.deepEqual([await subscribers(), await scene.mails()], [0, []])
    const paid = await scene.stripe.pay(session)
    await guestAt(scene.service, pathOf(paid?.success_url))
    assert.equal(await subscribers(), 1)
    assert.deepEqual((await scene.mails()).toSorted(), ['bookingConfirmed', 'newsConfirm'])
  })

  it('a press that is refused leaves nothing held, and the place that the guest holds stays theirs', async () => {
    await scene.ask(deposit)
    for (const time of ['18:00', '18:30', '19:00'])
      assert.equal((await scene.press(`2026-10-09 ${time}`)).status, 303)
    const fourth = scene.formOf(await scene.details('2026-10-09 20:00'))
    const held = await scene.holds()
    const refused = await guestAt(scene.service, scene.door(), { form: fourth })
    assert.match(refused.text, /You have other payments open/)
    assert.deepEqual(await scene.holds(), held)
    const others = { email: 'lena@example.com' }
    for (const time of ['20:15', '20:30', '20:45', '21:00'])
      await guestAt(scene.service, scene.door(), { form: { size: '2', slot: `2026-10-09 ${time}` } })
    const before = await scene.holds()
    const busy = await guestAt(scene.service, scene.door(), { form: { ...fourth, hold: '', ...others } })
    assert.equal(busy.status, 409)
    assert.match(busy.text, /Several tables are being held from your network right now\./)
    assert.deepEqual(await scene.holds(), before)
  })

  it('the notice that passes while somebody pays keeps nobody out; a day that closed sends the money back', async () => {
    await scene.rules([deposit], { minNoticeMinutes: 120 })
    await scene.connect()
    scene.service.setClock('2026-10-06T20:59:00Z')
    const first = await scene.goToPay('2026-10-06 19:00')
    scene.service.setClock('2026-10-06T21:10:00Z')
    await scene.stripe.pay(first)
    await scene.sweep()
    assert.equal((await scene.bookings()).length, 1)
    const second = await scene.goToPay('2026-10-09 19:00')
    await scene.rules([deposit], { closures: [{ from: '2026-10-09', to: '2026-10-09', name: 'Refit' }] })
    const session = await scene.stripe.pay(second)
    await scene.sweep()
    await scene.refund()
    assert.equal((await scene.bookings()).length, 1)
    const page = await guestAt(scene.service, pathOf(session?.success_url))
    assert.match(page.text, /Meanwhile the restaurant stopped taking bookings for that time\./)
    assert.deepEqual((await scene.mails()).at(-1), 'tableRefused')
    assert.equal((await scene.guarantees()).at(-1)?.['status'], 'refunded')
    assert.deepEqual(
      [...scene.stripe.refunds.values()].map(({ amount }) => amount),
      [4_000],
    )
    assert.equal((await scene.holds()).length, 0)
    const [, nearest] = /name="slot" value="([^"]+)"/.exec(page.text) ?? []
    assert.ok(nearest && !nearest.startsWith('2026-10-09'), page.text)
    const kept = ['do', 'size', 'name', 'email', 'tel', 'note'].map((name) => [
      name,
      hiddenOn(page.text, name),
    ])
    const again = await guestAt(scene.service, scene.door(), {
      form: { ...Object.fromEntries(kept), slot: nearest },
    })
    assert.match(again.text, /name="name"[^>]*value="Maya Okafor"/)
  })

  it('whose page ended offers the same time and those nearest to it, each once', async () => {
    await scene.ask(deposit)
    await scene.stripe.expire(await scene.goToPay('2026-10-09 19:00'))
    await scene.sweep()
    const text = await scene.goOn()
    const slots = Array.from(text.matchAll(/name="slot" value="([^"]+)"/g), ([, slot]) => slot)
    assert.equal(slots[0], '2026-10-09 19:00')
    assert.equal(new Set(slots).size, slots.length, slots.join())
  })

  it('a card: nothing is charged, the page says when it goes, and then it is gone', async () => {
    await scene.ask(card)
    assert.match(
      await scene.details(),
      /Cancel by 7:00\sPM on Thursday, October 8 and nothing is charged; after that, or if nobody comes, \$25\.00 a guest\./,
    )
    const mine = await scene.secure('2026-10-09 19:30')
    assert.match((await guestAt(scene.service, mine)).text, /Your card is deleted on Tuesday, October 13\./)
    assert.deepEqual([scene.stripe.intents.size, scene.stripe.customers.size], [0, 1])
    scene.service.setClock('2026-10-13T07:59:00Z')
    await scene.cards()
    assert.equal(scene.stripe.customers.size, 1)
    assert.match((await guestAt(scene.service, mine)).text, /Your card is deleted on/)
    scene.service.setClock('2026-10-13T08:00:00Z')
    await scene.cards()
    assert.equal(scene.stripe.customers.size, 0)
    assert.deepEqual(
      (await scene.guarantees()).map(({ status, has_card }) => [status, has_card]),
      [['released', false]],
    )
    await scene.cards()
    assert.equal(scene.stripe.intents.size, 0)
  })

  it('a card that pays nothing is not said to be paid with, and a table is no ticket', async () => {
    await scene.ask(card)
    const session = scene.stripe.sessions.get(await scene.goToPay())
    const back = pathOf(session?.success_url)
    assert.match(
      (await guestAt(scene.service, back)).text,
      /We are confirming your card; do not enter it again\./,
    )
    const pay = back.replace(/\/back$/, '')
    const { text } = await guestAt(scene.service, pay)
    assert.match(text, /<h1[^>]*>Not booked yet<[\s\S]*Go on with your card/)
    assert.doesNotMatch(text, /[Pp]aid|paying/)
    await scene.rows('update processor_account set ended_at = now() where venue_id = $1')
    const closed = await guestAt(scene.service, pay, { form: { do: 'pay' } })
    assert.match(closed.text, /This table can no longer be booked online\./)
    assert.doesNotMatch(closed.text, /[Tt]icket/)
  })

  it('the API shows what is behind a booking, each change of it is one event, and nothing in it is of the processor', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure('2026-10-09 19:00')
    const read = async () => {
      const answer = await scene.service.call('GET', '/api/v1/reservations', { key: scene.venue.key })
      assertUnsaid(scene.stripe.issued, [{ where: 'the list', text: answer.text }])
      return answer.body[0]
    }
    assert.deepEqual((await read()).guarantee, {
      ...{ kind: 'deposit', status: 'paid', amountCents: 4_000, askedCents: 0, paidCents: 4_000 },
      ...{ refundedCents: 0, currency: 'USD', freeUntil: '2026-10-08T23:00:00.000Z', takenOffAt: null },
    })
    assert.equal((await read()).revision, 1)
    await guestAt(scene.service, mine, { form: { do: 'cancel' } })
    assert.equal((await read()).revision, 2)
    await scene.refund()
    const { guarantee, revision } = await read()
    assert.deepEqual([guarantee.status, guarantee.refundedCents, revision], ['refunded', 4_000, 3])
    assert.deepEqual(await scene.events(), [
      'reservation.created',
      'reservation.cancelled',
      'reservation.guarantee_changed',
    ])
    const told = await scene.rows('select data::text as data from event where venue_id = $1')
    for (const { data } of told) {
      assert.doesNotMatch(String(data), /You pay/)
      assertUnsaid(scene.stripe.issued, [{ where: 'an event', text: String(data) }])
    }
  })

  it('managers set what is asked for; an amount that no card is charged is refused, and the sheet shows what is behind a booking', async () => {
    await setRules(scene.service, scene.venue)
    await scene.connect()
    const page = await scene.office.get('/office/settings/guarantees')
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
    const little = await scene.office.post('/office/settings/guarantees', { ...row, 'amount-0': '0.20' })
    assert.match(little.words, /At least \$0\.50 can be asked for/)
    const saved = await scene.office.post('/office/settings/guarantees', { ...row, 'amount-0': '20' })
    assert.equal(saved.status, 303, saved.words)
    await scene.secure('2026-10-09 19:00')
    const [booking] = await scene.bookings()
    const sheet = await scene.office.get(`/office/bookings/${booking?.id}`)
    assert.match(sheet.words, /Deposit You pay \$40\.00 in advance\./)
    assert.match(sheet.words, /If the guest cancels now, the deposit of \$40\.00 is refunded\./)
    await scene.office.post(`/office/bookings/${booking?.id}/delete`, {
      version: hiddenOn(sheet.html, 'version'),
    })
    assert.equal((await scene.bookings()).length, 1, 'its record stays')
    scene.service.setClock('2026-10-09T12:00:00Z')
    await scene.office.signIn(`owner@${scene.venue.slug}.example.com`)
    assert.match(
      (await scene.office.get(`/office/bookings/${booking?.id}`)).words,
      /If the guest cancels now, you keep the deposit of \$40\.00\. If you cancel, it is refunded\./,
    )
  })

  it('a row is for its services, dates and sizes, and the first that fits decides', async () => {
    await scene.ask(
      { ...deposit, partyFrom: 6 },
      { ...card, services: ['Lunch'] },
      { ...card, per: 'party', amountCents: 5_000, from: '2026-10-09', to: '2026-10-09' },
    )
    assert.match(await scene.details('2026-10-09 19:00', '6'), /You pay \$120\.00 in advance/)
    assert.match(await scene.details('2026-10-09 19:15', '2'), /if nobody comes, \$50\.00\./)
    assert.doesNotMatch(await scene.details('2026-10-10 19:00', '2'), /name="agreed"/)
  })

  it('a deposit is taken off the bill once somebody sits', async () => {
    await scene.ask(deposit)
    await scene.secure('2026-10-06 19:00')
    const [booking] = await scene.bookings()
    const id = booking?.id ?? 0
    await scene.pressCard(id, { do: 'take-off' })
    const early = (await scene.office.get(`/office/bookings/${id}`)).words
    assert.match(early, /once the party is seated/)
    assert.doesNotMatch(early, /Taken off the bill/)
    scene.service.setClock('2026-10-06T23:00:00Z')
    await actAt(scene.service, scene.venue, (work) =>
      moveReservation(work, staff('host'), { id, move: 'seat' }),
    )
    assert.match(
      (await scene.office.get(`/office/bookings/${id}`)).words,
      /Deposit \$40\.00: take it off the bill/,
    )
    await scene.pressCard(id, { do: 'take-off' })
    const sheet = await scene.office.get(`/office/bookings/${id}`)
    assert.match(sheet.words, /Taken off the bill/)
    assert.doesNotMatch(sheet.words, /take it off the bill/)
  })
})
