import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { actAt } from '../../../test/act.ts'
import { guestAt } from '../../../test/guest.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { owner, sellingOnline } from '../../../test/selling-online.ts'
import { chooseCurrency } from '../../choose-currency.ts'
import { addOccurrence, editOccurrence } from '../../events.ts'

describe('what integrators read of prices, sales and what a table asks', () => {
  const scene = sellingOnline()
  const read = async (path: string) =>
    (await scene.service.call('GET', `/api/v1${path}`, { key: scene.venue.key })).body as never
  const guarantees = (row: object) =>
    setRules(
      scene.service,
      scene.venue,
      everyEvening({
        guarantees: [{ asks: 'card', amountCents: 2_500, per: 'guest', freeUntilHours: 24, ...row }],
      }),
    )
  const asked = async (guests = 4) => {
    const { days } = (await read(`/availability?date=2026-10-09&partySize=${guests}`)) as {
      days: { slots: { time: string; guarantee: unknown }[] }[]
    }
    return days[0]?.slots.find(({ time }) => time === '19:00')?.guarantee
  }

  it('an open time says what the venue’s own page asks for it, and null where that is nothing', async () => {
    await setRules(scene.service, scene.venue)
    assert.equal(await asked(), null)
    await guarantees({})
    assert.deepEqual(await asked(), {
      ...{ kind: 'card', amountCents: 10_000, perGuestCents: 2_500, currency: 'USD' },
      freeUntil: '2026-10-08T23:00:00.000Z',
    })
    await guarantees({ asks: 'deposit', per: 'party', partyFrom: 4 })
    assert.deepEqual(await asked(), {
      ...{ kind: 'deposit', amountCents: 2_500, perGuestCents: null, currency: 'USD' },
      freeUntil: '2026-10-08T23:00:00.000Z',
    })
    await guarantees({ partyFrom: 5 })
    assert.equal(await asked(), null)
    await guarantees({})
    assert.equal((await scene.office.post('/office/settings/payments/remove', { sure: 'yes' })).status, 303)
    assert.equal(await asked(), null, 'nothing is asked where nothing can be paid')
  })

  it('where all that can be chosen asks for something, a time says what the one that asks for the least does', async () => {
    const tasting = {
      ...{ key: 'tasting', name: 'Tasting menu', asks: 'prepaid', amountCents: 9_500, freeUntilHours: 48 },
      ...{ feeCents: 0, taxRate: 10_000 },
    }
    const counter = { key: 'counter', name: 'The counter', asks: 'card', amountCents: 30_000, per: 'party' }
    const guarantees = [{ asks: 'card', amountCents: 2_500, per: 'guest', freeUntilHours: 24, partyFrom: 3 }]
    const offer = (...experiences: readonly object[]) =>
      setRules(scene.service, scene.venue, everyEvening({ guarantees, experiences }))
    await offer(tasting)
    const prepaid = {
      ...{ kind: 'prepaid', amountCents: 20_900, perGuestCents: 10_450, currency: 'USD' },
      freeUntil: '2026-10-07T23:00:00.000Z',
    }
    assert.deepEqual(await asked(2), prepaid)
    // An experience that asks wins over the rows.
    assert.deepEqual(await asked(3), { ...prepaid, amountCents: 31_350 })
    await offer(tasting, { ...counter, freeUntilHours: 24 })
    assert.deepEqual(await asked(2), prepaid)
    assert.deepEqual([((await asked(3)) as { kind: string }).kind], ['card'], 'the other is for less')
    await offer(tasting, { key: 'dinner', name: 'Dinner' })
    assert.deepEqual(
      [await asked(2), ((await asked(3)) as { amountCents: number }).amountCents],
      [null, 7_500],
      'a table with dinner is booked by the rows',
    )
  })

  const occurrence = async (id: number) =>
    (
      (await read('/occurrences')) as {
        id: number
        onSale: boolean
        onlineFrom: unknown
        onlineUntil: unknown
      }[]
    ).find((one) => one.id === id)

  it('tickets are sold online in the time that the venue gives, by the moment of the press', async () => {
    const typed = { title: null, date: '2026-10-20', startTime: '19:00', capacity: 6, priceCents: 4_500 }
    const plain = await occurrence(scene.date)
    assert.deepEqual(
      [plain?.onSale, plain?.onlineFrom, plain?.onlineUntil],
      [true, null, '2026-10-20T23:00:00.000Z'],
    )
    const window = { onlineFrom: '2026-10-07T09:00', onlineUntil: '2026-10-19T18:00' }
    const row = await actAt(scene.service, scene.venue, (work) =>
      addOccurrence(work, owner, scene.event, { ...typed, ...window }),
    )
    scene.date = row.id
    const early = await occurrence(row.id)
    assert.deepEqual(
      [early?.onSale, early?.onlineFrom, early?.onlineUntil],
      [false, '2026-10-07T13:00:00.000Z', '2026-10-19T22:00:00.000Z'],
    )
    assert.deepEqual(await scene.ask(), { kind: 'refused', not: { why: 'closed' } })
    const order = await scene.service.call('POST', '/api/v1/ticket-orders', {
      key: scene.venue.key,
      body: { occurrenceId: row.id, seats: 2, buyerEmail: 'maya@example.com', externalReference: 'shop-1' },
    })
    assert.deepEqual([order.status, order.body.reason], [409, 'sale-closed'])
    assert.match(order.body.error, /are sold online from .*9:00|09:00/)
    scene.service.setClock('2026-10-07T13:00:00Z')
    const id = await scene.made()
    // Pressed within it, paid after it.
    scene.service.setClock('2026-10-19T21:50:00Z')
    const last = await scene.opened()
    scene.service.setClock('2026-10-19T22:05:00Z')
    assert.deepEqual(await scene.ask(), { kind: 'refused', not: { why: 'closed' } })
    await scene.stripe.pay(await scene.sessionOf(last))
    await scene.sweep()
    assert.equal((await scene.row(last)).state, 'completed')
    assert.ok(id)
  })

  it('refuses a time of the sale that cannot be', async () => {
    const typed = { title: null, date: '2026-10-20', startTime: '19:00', capacity: 6, priceCents: 4_500 }
    const add = (more: object) =>
      actAt(scene.service, scene.venue, (work) =>
        addOccurrence(work, owner, scene.event, { ...typed, ...more }),
      )
    await assert.rejects(add({ onlineUntil: '2026-10-21T00:01' }), /must end on the day of the event/)
    await assert.rejects(
      add({ onlineFrom: '2026-10-19T10:00', onlineUntil: '2026-10-19T10:00' }),
      /must begin before it ends/,
    )
    await assert.rejects(add({ onlineFrom: 'soon' }), /must be a date with a time/)
    const { id, version } = await add({ onlineUntil: '2026-10-21T00:00' })
    const edited = await actAt(scene.service, scene.venue, (work) =>
      editOccurrence(work, owner, { id, seenVersion: version, ...typed }),
    )
    assert.deepEqual([edited.online_from, edited.online_until], [null, null])
  })

  it('an order names its currency, and the office’s form keeps the time of the sale', async () => {
    await scene.sold()
    const [order] = (await read('/ticket-orders')) as { currency: string }[]
    assert.equal(order?.currency, 'USD')
    const page = await scene.office.get(`/office/tickets/dates/${scene.date}/edit`)
    assert.match(page.html, /type="datetime-local"/)
    const saved = await scene.office.post(`/office/tickets/dates/${scene.date}/edit`, {
      ...{ version: '1', date: '2026-10-20', startTime: '19:00', capacity: '6', price: '45.00', title: '' },
      ...{ onlineFrom: '2026-10-01T08:30', onlineUntil: '' },
    })
    assert.equal(saved.status, 303, saved.words)
    const again = await scene.office.get(`/office/tickets/dates/${scene.date}/edit`)
    assert.match(again.html, /value="2026-10-01T08:30"/)
  })

  it('an owner chooses the currency while nothing has a price; what is shown and asked is in it', async () => {
    const choose = (currency: string) =>
      actAt(scene.service, scene.venue, (work) => chooseCurrency(work, owner, currency))
    await assert.rejects(choose('EUR'), /stays as it is/)
    await rowsOf(scene.service, 'update occurrence set price_cents = 0 where venue_id = $1', [scene.venue.id])
    await assert.rejects(choose('XXX'), /one of the currencies listed/)
    assert.match((await scene.office.get('/office/settings/payments')).html, /<option value="EUR"/)
    const saved = await scene.office.post('/office/settings/payments/currency', { currency: 'EUR' })
    assert.equal(saved.status, 303, saved.words)
    scene.date = await scene.newDate()
    await scene.sold()
    const [order] = (await read('/ticket-orders')) as { currency: string }[]
    assert.equal(order?.currency, 'EUR')
    const { text } = await guestAt(
      scene.service,
      `/v/${scene.venue.slug}/tickets/${scene.event}?date=${scene.date}&seats=2`,
    )
    assert.match(text, /€90\.00/)
    for (const path of ['orders', `dates/${scene.date}`, `events/${scene.event}`]) {
      const { words } = await scene.office.get(`/office/tickets/${path}`)
      assert.match(words, /€/, path)
      assert.doesNotMatch(words, /\$/, path)
    }
    await guarantees({})
    assert.equal(((await asked()) as { currency: string }).currency, 'EUR')
    await assert.rejects(choose('USD'), /stays as it is/)
    const page = await scene.office.get('/office/settings/payments')
    assert.match(page.words, /Euro \(EUR\)/)
    assert.doesNotMatch(page.html, /payments\/currency/)
  })
})
