import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { erasePerson } from '../../../../data/erasure/erase.ts'
import { actAt } from '../../../../test/act.ts'
import { guestAt, pathOf, slipOn } from '../../../../test/guest.ts'
import { letterOf } from '../../../../test/letter-of.ts'
import { securingTables } from '../../../../test/securing-tables.ts'
import { staff } from '../../test/book.ts'
import { followAsks } from './follow-asks.ts'

const signal = new AbortController().signal

describe('a card or a deposit that staff ask for', () => {
  const scene = securingTables()
  const { bookedByKey: booked } = scene
  const form = {
    ...{ do: 'ask', asks: 'deposit', amount: '50', per: 'party', hours: '24' },
    ...{ untilDate: '2026-10-07', untilTime: '19:00', note: '' },
  }
  const ask = async (id: number, more: Record<string, string> = {}) => {
    const { status, words } = await scene.office.post(`/office/bookings/${id}/guarantee`, {
      ...form,
      ...more,
    })
    assert.equal(status, 303, words)
  }
  const connect = () => scene.ask()
  const mine = (id: number) => scene.mine(id)
  const guestPage = async (id: number) => (await guestAt(scene.service, await mine(id))).text
  const press = async (id: number) => scene.agree(await mine(id))
  const secure = async (id: number) => scene.payOn(await press(id))
  const mails = async () =>
    (
      await scene.rows(`select kind from guest_mail where venue_id = $1 and kind like 'table%' order by id`)
    ).map(({ kind }) => kind)
  const shown = async (id: number) =>
    (await scene.service.call('GET', `/api/v1/reservations/${id}`, { key: scene.venue.key })).body.guarantee
  const emitted = async () =>
    (
      await scene.rows(
        `select data::jsonb->'guarantee'->>'status' as status from event where venue_id = $1
          and name = 'reservation.guarantee_changed' order by id`,
      )
    ).map(({ status }) => status)

  it('is no longer asked of a guest who is erased, and the booking says so to its readers', async () => {
    await connect()
    const id = await booked()
    await ask(id)
    await actAt(scene.service, scene.venue, (work) =>
      erasePerson(work, staff('owner'), {
        guestId: null,
        email: 'maya@example.com',
        phone: null,
        name: null,
      }),
    )
    const { status, askedCents } = await shown(id)
    assert.deepEqual([status, askedCents], ['released', 0])
  })

  it('is asked by mail, and its guest pays on their own page: asked, then paid, each with its event', async () => {
    await connect()
    const id = await booked()
    await ask(id, { note: 'For the long table.' })
    const asked = await shown(id)
    assert.deepEqual(
      [asked.status, asked.amountCents, asked.askedCents, asked.paidCents],
      ['asked', 0, 5_000, 0],
    )
    assert.match(
      await guestPage(id),
      /For the long table\. You pay \$50\.00 in advance\. Cancel by 7:00 PM on Thursday, October 8 and it all goes back/,
    )
    assert.match((await scene.office.get(`/office/bookings/${id}`)).words, /State Not secured/)
    const processors = await press(id)
    assert.deepEqual(slipOn(await scene.goOn()), ['2', 'Fri, Oct 9', '7:00 PM'])
    const back = await scene.payOn(processors)
    assert.match(back, /^\/r\//)
    const paid = await shown(id)
    assert.deepEqual(
      [paid.status, paid.amountCents, paid.askedCents, paid.paidCents],
      ['paid', 5_000, 0, 5_000],
    )
    assert.deepEqual(await emitted(), ['asked', 'paid'])
    assert.deepEqual(await mails(), ['tableAsked', 'tableSecured'])
    assert.match((await guestAt(scene.service, back)).text, /\$50\.00 paid/)
    assert.equal(
      String((await scene.guarantee())['sentence']).startsWith('For the long table. You pay $50.00'),
      true,
    )
  })

  it('is asked in the currency that an owner chose, not in that of the country', async () => {
    await connect()
    const saved = await scene.office.post('/office/settings/payments/currency', { currency: 'EUR' })
    assert.equal(saved.status, 303, saved.words)
    const id = await booked()
    await ask(id)
    assert.equal((await shown(id)).currency, 'EUR')
    assert.match(await guestPage(id), /You pay €50\.00 in advance\./)
    await secure(id)
    assert.equal([...scene.stripe.intents.values()].at(-1)?.currency, 'eur')
    const little = await scene.office.post(`/office/bookings/${await booked(3)}/guarantee`, {
      ...form,
      amount: '0.20',
    })
    assert.match((await scene.office.get(little.to ?? '')).words, /The least that a card can pay is €0\.50\./)
  })

  it('of a card nothing is charged, and it is kept like one from the booking page', async () => {
    await connect()
    const id = await booked()
    await ask(id, { asks: 'card', amount: '25', per: 'guest' })
    await secure(id)
    const { status, customer_ref: customer, amount_cents: cents, delete_at: day } = await scene.guarantee()
    assert.deepEqual([status, cents, typeof customer], ['held', 5_000, 'string'])
    assert.equal(new Date(String(day)).toISOString(), '2026-10-13T08:00:00.000Z')
    await scene.move('cancel', id, 'guest')
    scene.service.setClock('2026-10-06T14:01:00Z')
    await scene.cards()
    assert.deepEqual([(await scene.guarantee())['status'], scene.stripe.customers.size], ['released', 0])
  })

  it('pressed twice is one page, and seen by two at once is one payment', async () => {
    await connect()
    const id = await booked()
    await ask(id)
    const one = await press(id)
    assert.equal(await press(id), one)
    const paid = await scene.stripe.pay(one)
    scene.service.setClock('2026-10-06T14:00:05Z')
    const path = pathOf(paid?.success_url)
    await Promise.all([1, 2, 3].map(() => guestAt(scene.service, path)))
    assert.equal((await scene.guarantee())['paid_cents'], 5_000)
    assert.equal((await scene.rows('select id from payment where venue_id = $1')).length, 1)
  })

  it('that was paid with another sum is looked at by somebody, and may be noted as paid otherwise', async () => {
    await connect()
    const id = await booked()
    await ask(id)
    const page = await press(id)
    const there = scene.stripe.sessions.get(page)
    assert.ok(there)
    there.amount_total = 100
    assert.match((await scene.pay(page)).text, /We are confirming your payment; do not pay again\./)
    await scene.sweep()
    assert.deepEqual(await scene.rows('select state, why, look_at from checkout where venue_id = $1'), [
      { state: 'ended', why: 'amount', look_at: null },
    ])
    assert.deepEqual(await scene.rows('select kind from money_matter where venue_id = $1'), [
      { kind: 'payment-differs' },
    ])
    await scene.pressCard(id, { do: 'paid-otherwise' })
    assert.deepEqual([(await shown(id)).status, (await shown(id)).paidCents], ['paid', 5_000])
  })

  it('whose moment has passed is a task for staff, once, and may still be done', async () => {
    await connect()
    const id = await booked()
    await ask(id)
    await scene.later('2026-10-08T12:00:00Z')
    for (let time = 0; time < 2; time++) await followAsks(scene.service.context, signal)
    const tasks = await scene.rows('select title from task where venue_id = $1')
    assert.deepEqual(
      tasks.map(({ title }) => title),
      [`Not secured: the deposit of Maya Okafor, booking ${id} on 2026-10-09`],
    )
    assert.match((await scene.office.get(`/office/bookings/${id}`)).words, /Not secured/)
    await secure(id)
    assert.equal((await scene.guarantee())['status'], 'paid')
  })

  it('whose moment has passed is let go where the venue says so, and its guest is told', async () => {
    await connect()
    await scene.rules([], { letGoUnsecured: true })
    const id = await booked()
    await ask(id)
    scene.service.setClock('2026-10-07T22:00:00Z')
    await followAsks(scene.service.context, signal)
    assert.equal((await shown(id)).status, 'asked', 'not before')
    scene.service.setClock('2026-10-08T12:00:00Z')
    for (let time = 0; time < 2; time++) await followAsks(scene.service.context, signal)
    const [row] = await scene.rows('select status, cancelled_by from reservation where venue_id = $1')
    assert.deepEqual(row, { status: 'Cancelled', cancelled_by: 'staff' })
    assert.equal((await shown(id)).status, 'released')
    assert.deepEqual(await scene.rows('select title from task where venue_id = $1'), [])
  })

  describe('whose moment passes while its guest pays', () => {
    const follow = async (clock: string) => {
      scene.service.setClock(clock)
      await followAsks(scene.service.context, signal)
    }
    const statuses = () => scene.rows('select status from reservation where venue_id = $1')
    const begun = async () => {
      await connect()
      await scene.rules([], { letGoUnsecured: true })
      const id = await booked()
      await ask(id)
      scene.service.setClock('2026-10-07T22:58:00Z')
      return { id, page: await press(id) }
    }

    it('is waited for, and the table is kept', async () => {
      const { id, page } = await begun()
      await follow('2026-10-07T23:00:10Z')
      await scene.payOn(page)
      await follow('2026-10-08T12:00:00Z')
      assert.deepEqual([await statuses(), (await shown(id)).status], [[{ status: 'Requested' }], 'paid'])
      assert.equal(scene.stripe.refunds.size, 0)
    })

    it('is let go once their page is over, and not kept by pages that were opened too late', async () => {
      const { id } = await begun()
      await follow('2026-10-07T23:00:10Z')
      assert.deepEqual(await statuses(), [{ status: 'Requested' }])
      scene.service.setClock('2026-10-07T23:32:00Z')
      await scene.sweep()
      await press(id)
      await follow('2026-10-07T23:32:10Z')
      assert.deepEqual([await statuses(), (await shown(id)).status], [[{ status: 'Cancelled' }], 'released'])
    })
  })

  it('is asked again where its cancellation is undone, and its guest secures it with the same link', async () => {
    await connect()
    const id = await booked()
    await ask(id)
    const page = await mine(id)
    const before = await shown(id)
    await scene.move('cancel', id, 'staff')
    assert.equal((await shown(id)).status, 'released')
    await scene.move('undoCancel', id)
    assert.deepEqual(await shown(id), before)
    assert.equal(await mine(id), page)
    await secure(id)
    assert.equal((await shown(id)).status, 'paid')
    await scene.move('cancel', id, 'staff')
    scene.service.setClock('2026-10-06T14:01:00Z')
    await scene.move('undoCancel', id)
    assert.deepEqual([(await shown(id)).status, (await shown(id)).askedCents], ['paid', 0])
  })

  it('is not asked again where it is restored later', async () => {
    await connect()
    const id = await booked()
    await ask(id)
    await scene.move('cancel', id, 'staff')
    scene.service.setClock('2026-10-06T14:01:00Z')
    await scene.move('undoCancel', id)
    assert.deepEqual([(await shown(id)).status, (await shown(id)).askedCents], ['released', 0])
  })

  it('is asked no more once the booking is cancelled, or its evening over', async () => {
    await connect()
    const [cancelled, past] = [await booked(), await booked()]
    for (const id of [cancelled, past]) await ask(id)
    const page = await press(cancelled)
    await scene.move('cancel', cancelled, 'guest')
    assert.equal((await shown(cancelled)).status, 'released')
    // A guest who still paid gets it back.
    const refused = await scene.pay(page)
    assert.match(refused.text, /The restaurant no longer asks for this/)
    await scene.refund()
    assert.deepEqual(
      [...scene.stripe.refunds.values()].map(({ amount }) => amount),
      [5_000],
    )
    assert.equal((await mails()).at(-1), 'tableRefused')
    const { slip, facts } = await letterOf(scene, 'tableRefused')
    assert.deepEqual(
      [slip?.map(([, value]) => value), facts],
      [['2', 'Fri, Oct 9', '7:00 PM'], [['Total', '$50.00']]],
    )
    const moved = await scene.office.get('/office/payments/payments.csv?from=2026-10-06&to=2026-10-06')
    assert.match(moved.html, new RegExp(`payment,Deposits,${cancelled},50.00`))
    assert.match(moved.html, new RegExp(`refund,Deposits,${cancelled},-50.00`))
    const kept = await scene.office.get('/office/data/export/guarantees.csv')
    assert.match(kept.html, new RegExp(`,${cancelled},deposit,refunded,`))
    for (const clock of ['2026-10-08T12:00:00Z', '2026-10-10T12:00:00Z']) {
      scene.service.setClock(clock)
      await followAsks(scene.service.context, signal)
    }
    assert.deepEqual([(await shown(past)).status, (await shown(past)).askedCents], ['released', 0])
  })

  it('a manager does without it, notes that it was paid otherwise, and asks again', async () => {
    await connect()
    const id = await booked()
    await ask(id)
    await scene.pressCard(id, { do: 'waive' })
    assert.equal((await shown(id)).status, 'waived')
    await ask(id, { amount: '60' })
    assert.equal((await shown(id)).askedCents, 6_000)
    await scene.pressCard(id, { do: 'paid-otherwise' })
    const noted = await shown(id)
    assert.deepEqual([noted.status, noted.paidCents, noted.askedCents], ['paid', 6_000, 0])
    assert.doesNotMatch((await scene.office.get('/office/payments')).words, /Tables from this week on/)
    assert.match(
      (await guestAt(scene.service, `${await mine(id)}?do=cancel`)).text,
      /The restaurant itself gives \$60\.00 back to you\./,
    )
    await scene.move('cancel', id, 'staff')
    await scene.refund()
    assert.equal(scene.stripe.refunds.size, 0, 'the processor has none of it')
  })

  it('a card that is kept is deleted where a manager does without it', async () => {
    await connect()
    const id = await booked()
    await ask(id, { asks: 'card' })
    await secure(id)
    await scene.pressCard(id, { do: 'waive' })
    await scene.cards()
    assert.deepEqual([(await shown(id)).status, scene.stripe.customers.size], ['waived', 0])
    await ask(id)
    assert.equal((await shown(id)).status, 'asked')
  })

  it('is refused with a sentence where it could not be done, and changes nothing', async () => {
    await scene.rules([])
    const id = await booked()
    const refused = async (more: Record<string, string>, words: RegExp) => {
      const { headers } = await scene.office.post(`/office/bookings/${id}/guarantee`, { ...form, ...more })
      const { words: said } = await scene.office.get(headers.get('location') ?? '')
      assert.match(said, words)
      assert.deepEqual(await scene.rows('select id from guarantee where venue_id = $1'), [])
    }
    await refused({}, /No Stripe account is connected/)
    await connect()
    await refused({ untilDate: '2026-10-05' }, /Choose a moment between now and the start of the booking/)
    await refused({ untilDate: '2026-10-10' }, /Choose a moment between now/)
    await refused({ amount: '0.10' }, /The least that a card can pay/)
    await refused({ amount: 'much' }, /The amount must be an amount such as/)
    await refused({ hours: '-1' }, /whole number/)
  })
})
