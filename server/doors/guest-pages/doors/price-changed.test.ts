import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { guestAt, hiddenFieldsOn, setGuestPages } from '../../../test/guest.ts'
import { hiddenIn } from '../../../test/office-forms.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { sellingOnline } from '../../../test/selling-online.ts'

const deposit = { asks: 'deposit', amountCents: 2_000, per: 'guest', freeUntilHours: 24 }
const tasting = { key: 'tasting', name: 'Tasting menu', asks: 'prepaid', amountCents: 9_500 }
const dinner = { key: 'dinner', name: 'À la carte' }

describe('what changes while a guest has the form open', () => {
  const scene = sellingOnline()
  beforeEach(() => setGuestPages(scene.service, scene.venue, { doors: ['tickets', 'book'], confirmUpTo: 8 }))

  const asks = (more: object) => setRules(scene.service, scene.venue, everyEvening(more))
  /** Changes a form of the office, as staff do. */
  const change = async (path: string, fields: Record<string, string>): Promise<void> => {
    const version = hiddenIn(await scene.office.get(path), 'version')
    const { status, words } = await scene.office.post(path, { version, ...fields })
    assert.equal(status, 303, words)
  }
  const newPrice = (price: string) =>
    change(`/office/tickets/dates/${scene.date}/edit`, {
      ...{ date: '2026-10-20', startTime: '19:00', title: '', capacity: '6', price },
      ...{ onlineFrom: '', onlineUntil: '' },
    })
  const newFee = (fee: string) => change('/office/tickets/charges', { fee, taxRate: '0' })
  const event = () => `/v/${scene.venue.slug}/tickets/${scene.event}`
  const table = () => `/v/${scene.venue.slug}/book`

  /** The form that pays, as its page shows it, filled in. */
  const formOn = (text: string): Record<string, string> => {
    const names = ['token', 'date', 'seats', 'code', 'total', 'size', 'day', 'time', 'hold', 'experience']
    const shown = [...names, 'agreed'].filter((name) => text.includes(`name="${name}" value=`))
    return {
      ...hiddenFieldsOn(text, shown),
      ...{ first: 'Maya', last: 'Okafor', name: 'Maya Okafor', email: 'maya@example.com', tel: '' },
    }
  }
  const open = async (path: string): Promise<string> => (await guestAt(scene.service, path)).text
  const ticketsFor = (code = '') => open(`${event()}?date=${scene.date}&seats=2&code=${code}`)
  const tableFor = (more = '') => open(`${table()}?size=2&day=2026-10-16&time=19:30${more}`)

  const made = () =>
    rowsOf(
      scene.service,
      `select (select count(*) from checkout where venue_id = $1)::int as checkouts,
              (select count(*) from reservation where venue_id = $1)::int as bookings,
              (select count(*) from ticket_order where venue_id = $1)::int as orders,
              (select count(*) from booking_hold where venue_id = $1)::int as holds`,
      [scene.venue.id],
    )
  const nothing = [{ checkouts: 0, bookings: 0, orders: 0, holds: 0 }]
  const askedThere = () => [...scene.stripe.sessions.keys()].length

  /** Presses a form whose terms have changed: it comes back with the new ones, and nothing is made, held or asked for. */
  const isShownFirst = async (
    path: string,
    text: string,
    says: RegExp,
    shows: RegExp,
  ): Promise<Record<string, string>> => {
    const before = askedThere()
    const again = await guestAt(scene.service, path, { form: formOn(text) })
    assert.equal(again.status, 409, again.text)
    assert.match(again.text, says)
    assert.match(again.text, shows)
    assert.match(again.text, /value="maya@example\.com"/, 'what was typed stays')
    assert.deepEqual(await made(), nothing)
    assert.equal(askedThere(), before)
    return formOn(again.text)
  }
  /** The second press pays exactly what was shown by then. */
  const pays = async (path: string, form: Record<string, string>, cents: number): Promise<void> => {
    const { status, headers, text } = await guestAt(scene.service, path, { form })
    assert.equal(status, 303, text)
    const session = (headers.get('location') ?? '').replace(/^.*\/pay\//, '')
    assert.equal(scene.stripe.sessions.get(session)?.amount_total, cents)
    await scene.stripe.pay(session)
    await scene.sweep()
    const paid = await rowsOf(
      scene.service,
      'select amount_cents::int as cents, state from payment where venue_id = $1',
      [scene.venue.id],
    )
    assert.deepEqual(paid, [{ cents, state: 'succeeded' }])
  }

  for (const [what, rise, code, shown, cents] of [
    ['the price of a seat', () => newPrice('50.00'), '', /<b>\$100\.00<\/b>/, 10_000],
    ['the fee of a seat', () => newFee('2.50'), '', /<b>\$95\.00<\/b>/, 9_500],
    [
      'the discount of a code',
      async () => {
        const { id } = (
          await rowsOf(scene.service, 'select id from promo_code where venue_id = $1', [scene.venue.id])
        )[0] as { id: number }
        await change(`/office/tickets/codes/${id}`, { off: '10', kind: 'percent', usesMost: '', eventId: '' })
      },
      'CELLAR',
      /<b>\$81\.00<\/b>/,
      8_100,
    ],
  ] as const)
    it(`${what}: the new total is shown before anything is paid, and the next press pays that`, async () => {
      if (code !== '') {
        const coupon = {
          token: crypto.randomUUID(),
          code,
          off: '50',
          kind: 'percent',
          usesMost: '',
          eventId: '',
        }
        const { status, words } = await scene.office.post('/office/tickets/codes', coupon)
        assert.equal(status, 303, words)
      }
      const text = await ticketsFor(code)
      await rise()
      await pays(event(), await isShownFirst(event(), text, /The price has changed: it is now/, shown), cents)
    })

  const changed = /What is asked for has changed\. Please read it, then press the button again\./
  for (const [what, from, to, shows, cents] of [
    [
      'the deposit of a table',
      { guarantees: [deposit] },
      { guarantees: [{ ...deposit, amountCents: 3_000 }] },
      /You pay \$60\.00 in advance\.[^]*>Pay \$60\.00</,
      6_000,
    ],
    [
      'until when it comes back',
      { guarantees: [deposit] },
      { guarantees: [{ ...deposit, freeUntilHours: 48 }] },
      /Cancel by 7:30\sPM on Wednesday, October 14 and it all goes back/,
      4_000,
    ],
    [
      'a card that was asked for, now a deposit',
      { guarantees: [{ ...deposit, asks: 'card' }] },
      { guarantees: [deposit] },
      />Pay \$40\.00</,
      4_000,
    ],
    [
      'a table for which nothing was asked',
      {},
      { guarantees: [deposit] },
      /You pay \$40\.00 in advance/,
      4_000,
    ],
    [
      'the price of an experience',
      { experiences: [dinner, tasting] },
      { experiences: [dinner, { ...tasting, amountCents: 10_500, feeCents: 150 }] },
      /You pay \$213\.00 in advance\.[^]*>Pay \$213\.00</,
      21_300,
    ],
  ] as const)
    it(`${what}: what is asked now is shown before anything is paid, and the next press pays that`, async () => {
      await asks(from)
      const text = await tableFor('experiences' in from ? '&experience=tasting' : '')
      await asks(to)
      await pays(table(), await isShownFirst(table(), text, changed, shows), cents)
    })

  it('a table for which nothing is asked by now: that is shown first, and the next press books it without a payment', async () => {
    await asks({ guarantees: [deposit] })
    const text = await tableFor()
    await asks({})
    const form = await isShownFirst(table(), text, changed, /<button class="btn">Book this table</)
    const { status, headers } = await guestAt(scene.service, table(), { form })
    assert.equal(status, 303)
    assert.match(headers.get('location') ?? '', /^\/r\//)
    assert.deepEqual(await made(), [{ checkouts: 0, bookings: 1, orders: 0, holds: 0 }])
  })
})
