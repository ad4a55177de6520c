import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt, hiddenOn } from '../../../../test/guest.ts'
import { securingTables } from '../../../../test/securing-tables.ts'
import { cardDeleted, cardsDue } from '../guarantee-store.ts'

describe('what staff ask for, in its sentence and its sum', () => {
  const scene = securingTables()
  const { bookedByKey: booked } = scene
  const ask = async (id: number, more: Record<string, string> = {}) => {
    const { headers } = await scene.office.post(`/office/bookings/${id}/guarantee`, {
      ...{ do: 'ask', asks: 'deposit', amount: '50', per: 'party', hours: '24' },
      ...{ untilDate: '2026-10-07', untilTime: '19:00', note: '', ...more },
    })
    return (await scene.office.get(headers.get('location') ?? '')).words
  }
  const press = async (id: number) => scene.agree(await scene.mine(id))

  describe('asked again on other terms', () => {
    const askedTwice = async (first: Record<string, string>, second: Record<string, string>) => {
      await scene.ask()
      const id = await booked()
      await ask(id, first)
      const before = await press(id)
      await scene.pressCard(id, { do: 'waive' })
      scene.service.setClock('2026-10-06T14:01:00Z')
      await ask(id, second)
      return { id, before }
    }

    it('leads to a page of its own, and keeps the sentence that was shown', async () => {
      const { id, before } = await askedTwice({ asks: 'card' }, { asks: 'card', hours: '72' })
      const again = await press(id)
      assert.notEqual(again, before)
      assert.equal(await press(id), again, 'the same terms are one page')
      scene.service.setClock('2026-10-06T14:01:09Z')
      await scene.payOn(again)
      const { status, sentence, free_until } = await scene.guarantee()
      assert.equal(status, 'held')
      assert.match(String(sentence), /Cancel by 7:00 PM on Tuesday, October 6 and nothing is charged/)
      assert.equal(new Date(String(free_until)).toISOString(), '2026-10-06T23:00:00.000Z')
    })

    it('a deposit of the same sum is not the page of the card', async () => {
      const { id, before } = await askedTwice({ asks: 'card' }, {})
      const again = await press(id)
      assert.notEqual(again, before)
      assert.deepEqual(
        (await scene.rows('select mode from checkout where venue_id = $1 order by id')).map(
          ({ mode }) => mode,
        ),
        ['setup', 'payment'],
      )
    })

    it('secures nothing by the page of before, whose money goes back', async () => {
      const { id, before } = await askedTwice({}, { hours: '72' })
      assert.match((await scene.pay(before)).text, /The restaurant no longer asks for this/)
      await scene.refund()
      assert.deepEqual(
        [...scene.stripe.refunds.values()].map(({ amount }) => amount),
        [5_000],
      )
      const [row] = await scene.rows(
        `select status, paid_cents from guarantee where venue_id = $1 and reservation_id = ${id}`,
      )
      assert.deepEqual(row, { status: 'asked', paid_cents: 0 })
      await scene.payOn(await press(id))
    })
  })

  it('is forgotten with what was typed once it was done: only the booking has it', async () => {
    await scene.ask()
    const id = await booked()
    await ask(id)
    await scene.payOn(await press(id))
    assert.deepEqual(
      await scene.rows('select state, form, buyer_email_key from checkout where venue_id = $1'),
      [{ state: 'completed', form: null, buyer_email_key: null }],
    )
  })

  it('a worker that was long about deleting a card does not take the next one with it', async () => {
    await scene.ask()
    const id = await booked()
    await ask(id, { asks: 'card' })
    await scene.payOn(await press(id))
    await scene.pressCard(id, { do: 'waive' })
    const db = scene.service.db.within(scene.venue.id)
    const due = await cardsDue.take(db, scene.venue.id, Temporal.Instant.from('2026-10-06T14:00:30Z'))
    assert.ok(due)
    scene.service.setClock('2026-10-06T14:02:30Z')
    await scene.cards()
    assert.equal(scene.stripe.customers.size, 0, 'another worker was quicker')
    await ask(id, { asks: 'card' })
    await scene.payOn(await press(id))
    await cardDeleted(db, scene.venue.id, due, Temporal.Instant.from('2026-10-06T14:03:00Z'))
    const { status, customer_ref } = await scene.guarantee()
    assert.deepEqual([status, [...scene.stripe.customers.keys()]], ['held', [customer_ref]])
  })

  describe('where there are no coins below the unit', () => {
    const askedInYen = async () => {
      await scene.open({ country: 'JP', timezone: 'Asia/Tokyo' })
      await scene.ask()
      return booked(4)
    }

    it('asks no part of one of a guest, here or by the page that asks by itself', async () => {
      const id = await askedInYen()
      assert.match(await ask(id, { amount: '150.50', per: 'guest' }), /nobody can pay a part of one in JPY/)
      assert.deepEqual(await scene.rows('select id from guarantee where venue_id = $1'), [])
      const { status, words } = await scene.office.post('/office/settings/guarantees', {
        ...{
          'asks-0': 'deposit',
          'amount-0': '150.50',
          'per-0': 'guest',
          'hours-0': '24',
          'partyFrom-0': '4',
        },
        seen: hiddenOn((await scene.office.get('/office/settings/guarantees')).html, 'seen'),
      })
      assert.equal(status, 400, words)
      assert.match(words, /in whole coins/)
    })

    it('is whole at the processor, on the guest’s page, in what goes back, what is kept, and in the figures', async () => {
      const id = await askedInYen()
      const { service, stripe, venue } = scene
      await ask(id, { amount: '151', per: 'guest' })
      const session = await press(id)
      assert.equal(stripe.sessions.get(session)?.amount_total, 604, 'the processor takes yen')
      await scene.payOn(session)
      const shown = async () => (await guestAt(service, await scene.mine(id))).text
      assert.match(await shown(), /[¥￥]604(?![.\d])/)
      await scene.resize(id, 3)
      service.setClock('2026-10-06T14:02:00Z')
      await scene.refund()
      assert.deepEqual(
        [...stripe.refunds.values()].map(({ amount }) => amount),
        [151],
      )
      // 19:00 in Tokyo, and half an hour.
      await scene.later('2026-10-09T10:30:00Z')
      for (const move of ['confirm', 'markNoShow'] as const) {
        const moved = await scene.move(move, id)
        assert.equal(moved.kind, 'done', JSON.stringify(moved))
      }
      await scene.rows('update processor_account set live = true where venue_id = $1')
      const day = 'from=2026-10-09&to=2026-10-09'
      const { words } = await scene.office.get(`/office/reports?${day}`)
      assert.match(
        words,
        /Deposits of ¥604 were paid and cards were charged ¥0; ¥151 went back or was lost to disputes, and ¥453 was kept of no-shows and cancellations\./,
      )
      const { status, body } = await service.call('GET', `/api/v1/figures?${day}&names=guarantee_money`, {
        key: (await venue.makeKey('read_write')).key,
      })
      assert.equal(status, 200)
      assert.equal(body.currency, 'JPY')
      const amounts = body.figures[0].rows.map(({ n }: { n: number }) => n)
      for (const n of [60_400, 15_100, 45_300]) assert.ok(amounts.includes(n), JSON.stringify(amounts))
      assert.deepEqual(
        amounts.filter((n: number) => n % 100 !== 0),
        [],
      )
    })

    it('a refund that no coin can pay fails, for somebody to look at, and is not tried for ever', async () => {
      const id = await askedInYen()
      await ask(id, { amount: '150', per: 'guest' })
      await scene.payOn(await press(id))
      await scene.resize(id, 3)
      await scene.rows('update refund set amount_cents = 15050 where venue_id = $1')
      scene.service.setClock('2026-10-06T14:02:00Z')
      await scene.refund()
      assert.deepEqual(await scene.rows('select state from refund where venue_id = $1'), [
        { state: 'failed' },
      ])
      assert.equal(scene.stripe.refunds.size, 0)
    })
  })

  describe('with words of staff', () => {
    it('takes as many as fit beside the button of the processor, with the sentence', async () => {
      await scene.ask()
      const id = await booked()
      assert.match(await ask(id, { note: 'x'.repeat(801) }), /Your words must be at most 800 characters/)
      await ask(id, { note: 'x'.repeat(800) })
      await scene.payOn(await press(id))
      assert.equal((await scene.guarantee())['status'], 'paid')
    })

    it('longer ones of before are shortened there to their end, and kept whole here', async () => {
      await scene.ask()
      const id = await booked()
      await ask(id, { note: 'short' })
      await scene.rows(`update guarantee set ask_note = repeat('x', 1300) where venue_id = $1`)
      await scene.payOn(await press(id))
      const { sent } = scene.stripe.calls.findLast(({ what }) => what === 'POST /v1/checkout/sessions') ?? {}
      const { message } = (sent as { custom_text: { submit: { message: string } } }).custom_text.submit
      assert.equal(message.length, 1_200)
      assert.match(message, /^…x+ You pay \$50\.00 in advance.*keeps it\.$/)
      assert.match(String((await scene.guarantee())['sentence']), /^x{1300} You pay/)
    })
  })
})
