import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { OfficeVisitor } from '../../../test/office.ts'
import { atWork, followed, hiddenIn, idAt, make, wordsOf } from '../../../test/office-forms.ts'
import { countOf, rowsOf } from '../../../test/rows.ts'
import { type TestService, startService } from '../../../test/service.ts'

const home = '/office/tickets'

describe('tickets in the office', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  /** An event with one date. */
  const onSale = async (manager: OfficeVisitor, more: Record<string, string> = {}) => {
    const event = idAt(await make(manager, `${home}/events`, { name: 'Burgundy Night' }))
    const page = await followed(
      manager,
      await make(manager, `${home}/events/${event}/dates`, {
        date: '2026-11-14',
        startTime: '8:30 pm',
        capacity: '10',
        price: '95',
        ...more,
      }),
    )
    const date = /tickets\/dates\/(\d+)"/.exec(page.html)?.[1] ?? ''
    return { event, date, page }
  }
  const sell = (visitor: OfficeVisitor, date: string, fields: Record<string, string> = {}) =>
    make(visitor, `${home}/dates/${date}/sales`, {
      seats: '2',
      method: 'cash',
      shownTotalCents: '19000',
      ...fields,
    })

  it('are planned by a manager: an event, its dates with capacity and price, all changeable', async () => {
    const { visitor } = await atWork(service)
    assert.ok(wordsOf(await visitor.get(home)).includes('Nothing is on sale.'))
    const { event, date, page } = await onSale(visitor)
    assert.ok(wordsOf(page).includes('Saturday, November 14, 2026, 8:30 PM'))
    assert.ok(wordsOf(page).includes('$95.00 a seat'))
    const path = `${home}/dates/${date}/edit`
    const version = hiddenIn(await visitor.get(path), 'version')
    const fields = { date: '2026-11-15', startTime: '', capacity: '12', price: '$1,095.50', title: 'Late' }
    const saved = await followed(visitor, await visitor.post(path, { version, ...fields }))
    assert.ok(wordsOf(saved).includes('Sunday, November 15, 2026 · Late'))
    assert.ok(wordsOf(saved).includes('$1,095.50 a seat'))
    const stale = await visitor.post(path, { version, ...fields, capacity: '40' })
    assert.equal(stale.status, 409)
    assert.ok(wordsOf(stale).includes('It now says: 12'))
    const dear = await visitor.post(path, { version: '2', ...fields, price: 'ninety' })
    assert.ok(wordsOf(dear).includes('The price must be an amount such as 19.50.'))
    const renamed = await visitor.post(`${home}/events/${event}/edit`, {
      version: '1',
      name: 'Bordeaux Night',
    })
    assert.ok(wordsOf(await followed(visitor, renamed)).includes('Bordeaux Night'))
    const kept = await followed(visitor, await visitor.post(`${home}/events/${event}/delete`))
    assert.ok(wordsOf(kept).includes('This event has dates; remove those first.'))
    await visitor.post(`${home}/dates/${date}/delete`)
    await visitor.post(`${home}/events/${event}/delete`)
    assert.ok(wordsOf(await visitor.get(`${home}/events`)).includes('No events yet.'))
  })

  it('are sold at the box office: the total is shown first, then it is sold, once however often it is pressed', async () => {
    const { venue, visitor } = await atWork(service)
    const { date } = await onSale(visitor)
    const { visitor: host } = await atWork(service, 'host', venue)
    const token = hiddenIn(await host.get(`${home}/dates/${date}`), 'token')
    const fields = { token, seats: '3', method: 'cash', firstName: 'Maya', lastName: 'Okafor' }
    const asked = await host.post(`${home}/dates/${date}/sales`, fields)
    assert.equal(asked.status, 200)
    assert.ok(wordsOf(asked).includes('3 seats $285.00'))
    assert.ok(asked.html.includes('value="Okafor"'))
    assert.equal(await countOf(service, 'ticket_order', venue.id), 0, 'nothing is sold by looking')
    const shown = { ...fields, shownTotalCents: hiddenIn(asked, 'shownTotalCents') }
    const press = () => host.post(`${home}/dates/${date}/sales`, shown)
    const [sold, ...others] = await Promise.all([press(), ...Array.from({ length: 9 }, press)])
    const order = idAt(sold)
    assert.deepEqual(new Set(others.map(idAt)), new Set([order]))
    assert.equal(await countOf(service, 'ticket_order', venue.id), 1)
    assert.ok(wordsOf(await followed(host, sold)).includes('Sold. Take $285.00 in cash.'))
    const twice = await press()
    assert.equal(idAt(twice), order)
    assert.ok(wordsOf(await followed(host, twice)).includes('Sold. Take $285.00 in cash.'))
    const seats = await host.get(`${home}/dates/${date}`)
    assert.ok(seats.html.includes('3 of 10 seats sold, 7 left'))
    const number = /[A-Z0-9]{2}-[0-9A-Z]{6}/.exec(sold.html + (await host.get(sold.to ?? '')).html)?.[0] ?? ''
    assert.equal((await host.get(`${home}/orders?q=${number.toLowerCase()}`)).to, `${home}/orders/${order}`)
    assert.equal((await host.get(`${home}/orders?q=${number.slice(3)}`)).to, `${home}/orders/${order}`)
    const price = await host.get(`${home}/dates/${date}/price?seats=4&method=cash&promoCode=`)
    assert.ok(price.html.includes('$380.00') && !price.html.includes('<html'))
  })

  it('tell what cannot be sold, on the form as it was', async () => {
    const { visitor } = await atWork(service)
    const { date } = await onSale(visitor)
    for (const [fields, status, sentence] of [
      [{ seats: '11', shownTotalCents: '104500' }, 409, 'There are only 10 seats left.'],
      [{ shownTotalCents: '1' }, 409, 'The price has changed'],
      [{ promoCode: 'NOPE' }, 409, 'That code does not exist.'],
      [{ seats: 'two' }, 400, 'The number of seats must be a whole number'],
      [{ email: 'maya@' }, 400, 'The email must be'],
      [{ method: 'processor_link' }, 400, 'The payment method must be one of'],
    ] as const) {
      const refused = await sell(visitor, date, { lastName: 'Okafor', ...fields })
      assert.equal(refused.status, status, sentence)
      assert.ok(wordsOf(refused).includes(sentence), sentence)
      assert.ok(refused.html.includes('value="Okafor"'), sentence)
    }
    assert.equal(
      (await visitor.post(`${home}/dates/${date}/sales`, { seats: '1' })).status,
      400,
      'without a token',
    )
  })

  it('are never oversold through the form, however many press at once', async () => {
    const { venue, visitor } = await atWork(service)
    const { date } = await onSale(visitor)
    const { visitor: other } = await atWork(service, 'host', venue)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => sell(i % 2 === 0 ? visitor : other, date)),
    )
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 303).length, 5, statuses.join())
    assert.equal(statuses.filter((status) => status === 409).length, 11)
    assert.ok(
      wordsOf(answers.find(({ status }) => status === 409) as never).includes('This date is sold out.'),
    )
    const [{ seats } = { seats: 0 }] = await rowsOf<{ seats: number }>(
      service,
      'select sum(seats)::int as seats from ticket_order where venue_id = $1',
      [venue.id],
    )
    assert.equal(seats, 10)
    assert.ok(wordsOf(await visitor.get(`${home}/dates/${date}`)).includes('Sold out.'))
  })

  it('by card machine or transfer await payment; a host records it, or cancels', async () => {
    const { venue, visitor } = await atWork(service)
    const { date } = await onSale(visitor)
    const { visitor: host } = await atWork(service, 'host', venue)
    const order = idAt(await sell(host, date, { method: 'external' }))
    const page = await host.get(`${home}/orders/${order}`)
    assert.ok(wordsOf(page).includes('Awaiting payment'))
    const version = hiddenIn(page, 'version')
    const paid = await followed(host, await host.post(`${home}/orders/${order}/paid`, { version }))
    assert.ok(wordsOf(paid).includes('Payment recorded.'))
    const twice = await followed(host, await host.post(`${home}/orders/${order}/paid`, { version }))
    assert.ok(wordsOf(twice).includes('This order was just changed by someone else'))
    const other = idAt(await sell(host, date, { method: 'external' }))
    await host.post(`${home}/orders/${other}/cancel`, { version: '1' })
    assert.ok((await host.get(`${home}/dates/${date}`)).html.includes('2 of 10 seats sold'))
    const atOnce = idAt(await sell(host, date, { method: 'external', received: 'yes' }))
    assert.ok(wordsOf(await host.get(`${home}/orders/${atOnce}`)).includes('Paid'))
    const listed = await host.get(`${home}/orders?status=cancelled`)
    assert.ok(listed.html.includes(`orders/${other}"`) && !listed.html.includes(`orders/${order}"`))
  })

  it('are refunded by a manager partly or fully, each attempt with its result', async () => {
    const { venue, visitor } = await atWork(service)
    const { date } = await onSale(visitor)
    const order = idAt(await sell(visitor, date))
    const path = `${home}/orders/${order}`
    const { visitor: host } = await atWork(service, 'host', venue)
    assert.equal((await host.post(`${path}/refunds`, { version: '1', amount: '10' })).status, 403)
    const refund = async (fields: Record<string, string>) =>
      visitor.post(`${path}/refunds`, {
        version: hiddenIn(await visitor.get(path), 'version'),
        via: 'external',
        outcome: 'succeeded',
        ...fields,
      })
    const much = await refund({ amount: '190.01', answer: 'My words' })
    assert.equal(much.status, 409)
    assert.ok(wordsOf(much).includes('At most $190.00 can be refunded.') && much.html.includes('My words'))
    const part = await followed(visitor, await refund({ amount: '95', seats: '1' }))
    assert.ok(wordsOf(part).includes('$95.00 refunded.'))
    assert.ok(wordsOf(part).includes('Partly refunded'))
    assert.ok(wordsOf(part).includes('Seats 1 of 2 is free again; $95.00 was refunded'))
    assert.ok((await visitor.get(`${home}/dates/${date}`)).html.includes('1 of 10 seats sold'))
    const failed = await followed(
      visitor,
      await refund({ amount: '5', outcome: 'failed', answer: 'Card closed' }),
    )
    assert.ok(wordsOf(failed).includes('Refund failed') && wordsOf(failed).includes('“Card closed”'))
    const attempt = /refunds\/(\d+)"/.exec(failed.html)?.[1]
    const version = hiddenIn(failed, 'version')
    await visitor.post(`${path}/refunds/${attempt}`, { version, do: 'retry' })
    const stale = await followed(
      visitor,
      await visitor.post(`${path}/refunds/${attempt}`, { version, do: 'dismiss' }),
    )
    assert.ok(wordsOf(stale).includes('This order was just changed by someone else'))
    const going = await followed(visitor, await refund({ amount: '90', outcome: 'pending' }))
    assert.ok(wordsOf(going).includes('Pending'))
    const pending = /refunds\/(\d+)"/.exec(going.html)?.[1]
    const all = await visitor.post(`${path}/refunds/${pending}`, {
      version: hiddenIn(going, 'version'),
      do: 'succeeded',
    })
    const whole = await followed(visitor, all)
    assert.ok(wordsOf(whole).includes('Refunded −$190.00'))
    assert.ok(wordsOf(whole).includes('Seats All 2 are free again; $190.00 was refunded'))
    assert.ok((await visitor.get(`${home}/dates/${date}`)).html.includes('0 of 10 seats sold'))
    const listed = await service.call('GET', '/api/v1/ticket-orders', { key: venue.key })
    assert.equal(listed.body[0].status, 'refunded')
    assert.equal(listed.body[0].refundedCents, 19_000)
  })

  it('take codes, a fee and tax, by rules a manager sets', async () => {
    const { visitor } = await atWork(service)
    const { date, event } = await onSale(visitor)
    await make(visitor, `${home}/codes`, {
      code: 'cellar10',
      kind: 'percent',
      off: '10',
      event,
      usesMost: '1',
    })
    const again = await make(visitor, `${home}/codes`, { code: 'CELLAR10', kind: 'percent', off: '5' })
    assert.equal(again.status, 409)
    assert.ok(wordsOf(again).includes('There is already a code CELLAR10.'))
    const saved = await visitor.post(`${home}/charges`, {
      version: '0',
      fee: '1.50',
      taxRate: '8.875',
      feeAtBoxOffice: 'yes',
    })
    assert.ok((await followed(visitor, saved)).html.includes('value="8.875"'))
    assert.equal(
      (await visitor.post(`${home}/charges`, { version: '0', fee: '2', taxRate: '0' })).status,
      409,
    )
    // 190.00 − 19.00 = 171.00, tax 15.18, fee 3.00.
    const sold = await sell(visitor, date, { promoCode: 'Cellar10', shownTotalCents: '18918' })
    const page = wordsOf(await followed(visitor, sold))
    assert.ok(page.includes('Code CELLAR10 −$19.00') && page.includes('Total $189.18'))
    const spent = await sell(visitor, date, { promoCode: 'CELLAR10' })
    assert.ok(wordsOf(spent).includes('The code CELLAR10 has been used up.'))
    const code = /codes\/(\d+)"/.exec((await visitor.get(`${home}/codes`)).html)?.[1]
    const off = await visitor.post(`${home}/codes/${code}`, {
      version: '1',
      kind: 'amount',
      off: '5.00',
      event: '',
      usesMost: '',
      switchedOff: 'yes',
    })
    assert.ok(wordsOf(await followed(visitor, off)).includes('$5.00 off · all events'))
    const stale = await visitor.post(`${home}/codes/${code}`, { version: '1', kind: 'percent', off: '20' })
    assert.equal(stale.status, 409)
    assert.ok(wordsOf(stale).includes('It now says: 5.00'))
  })

  it('given away are complimentary, of a free event free', async () => {
    const { visitor } = await atWork(service)
    const { date } = await onSale(visitor)
    const comp = await followed(visitor, await sell(visitor, date, { method: 'comp', shownTotalCents: '0' }))
    assert.ok(wordsOf(comp).includes('Complimentary') && wordsOf(comp).includes('Cancel order'))
    const { date: open } = await onSale(visitor, { price: '0' })
    const free = await followed(
      visitor,
      await sell(visitor, open, { shownTotalCents: '0', token: randomUUID() }),
    )
    assert.ok(wordsOf(free).includes('Paid by Free'))
  })
})
