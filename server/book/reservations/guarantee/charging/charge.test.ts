import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt } from '../../../../test/guest.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../../../test/office.ts'
import { card, securingTables } from '../../../../test/securing-tables.ts'

describe('charging a card, by managers', () => {
  const scene = securingTables()

  const managers = async () => {
    const manager = visitOffice(scene.service)
    await manager.signIn((await staffOf(scene.service, scene.venue, 'manager')).email)
    return manager
  }
  const press = (who: OfficeVisitor, id: number, form: Record<string, string>) =>
    who.post(`/office/bookings/${id}/guarantee`, form)
  const statesThere = () =>
    [...scene.stripe.intents.values()]
      .filter(({ customer }) => customer !== undefined)
      .map(({ status }) => status)

  it('is done once by two managers at the same time, not by a host, and by nobody above what was agreed on', async () => {
    const id = await scene.absent()
    const host = visitOffice(scene.service)
    await host.signIn((await staffOf(scene.service, scene.venue, 'host')).email)
    assert.equal((await press(host, id, { do: 'charge', amount: '50' })).status, 403)
    const [one, other] = [await managers(), scene.office]
    await press(one, id, { do: 'charge', amount: '50.01' })
    await press(one, id, { do: 'charge', amount: '0.10' })
    await scene.charges()
    assert.deepEqual(scene.charged(), [])
    await Promise.all([one, other].map((who) => press(who, id, { do: 'charge', amount: '50' })))
    await scene.charges()
    await press(other, id, { do: 'charge', amount: '50' })
    await scene.charges()
    assert.deepEqual(scene.charged(), [5_000])
    assert.deepEqual(
      (await scene.guarantees()).map(({ status, paid_cents }) => [status, paid_cents]),
      [['charged', 5_000]],
    )
    assert.deepEqual((await scene.mails()).at(-1), 'tableCharged')
  })

  it('is given back by a manager once the no-show is undone', async () => {
    const id = await scene.absent()
    const manager = await managers()
    await press(manager, id, { do: 'charge', amount: '25' })
    await scene.charges()
    await scene.move('undoNoShow', id)
    const sheet = await manager.get(`/office/bookings/${id}`)
    assert.match(sheet.words, /Up to \$25\.00\. Stripe keeps its fee/)
    await press(manager, id, { do: 'refund' })
    await scene.refund()
    assert.deepEqual(
      (await scene.guarantees()).map(({ status, refunded_cents }) => [status, refunded_cents]),
      [['refunded', 2_500]],
    )
  })

  it('fails where the bank wants the guest or the card is refused: nothing is taken, and three tries are the most', async () => {
    const id = await scene.absent()
    const manager = await managers()
    scene.stripe.declines = 'authentication_required'
    await press(manager, id, { do: 'charge', amount: '50' })
    await scene.charges()
    assert.deepEqual(statesThere(), ['canceled'])
    const { words } = await manager.get(`/office/bookings/${id}`)
    assert.match(words, /State The bank needs the guest’s approval/)
    assert.doesNotMatch(words, /The card was refused/)
    assert.match(
      words,
      /The guest’s bank needs their approval for this payment\. They were emailed a link to pay it themselves/,
    )
    scene.stripe.declines = 'card_declined'
    for (let n = 0; n < 3; n++) {
      await press(manager, id, { do: 'charge', amount: '50' })
      await scene.charges()
    }
    assert.equal(scene.charged().length, 3)
    const after = await manager.get(`/office/bookings/${id}`)
    assert.match(after.words, /The card was refused 3 times, so it is not tried again/)
    assert.doesNotMatch(after.words, /Charge the card, up to|You can try again/)
    assert.doesNotMatch(after.html, /value="charge"/)
    assert.equal((await scene.guarantees())[0]?.['status'], 'charge_failed')
  })

  it('is not for a guest who is expected, cancelled in time or came, nor after the card is gone', async () => {
    await scene.ask(card)
    const booked = async (time: string) => {
      await scene.secure(`2026-10-09 ${time}`)
      return Math.max(...(await scene.bookings()).map(({ id }) => id))
    }
    const [one, other, third] = [await booked('19:00'), await booked('20:00'), await booked('20:30')]
    const { email } = await staffOf(scene.service, scene.venue, 'manager')
    const pressed = async (id: number) => {
      // Days later a session is over.
      const manager = visitOffice(scene.service)
      await manager.signIn(email)
      const { headers } = await press(manager, id, { do: 'charge', amount: '50' })
      await scene.charges()
      return [scene.charged().length, headers.get('location')?.startsWith(`/office/bookings/${id}`)]
    }
    assert.deepEqual(await pressed(one), [0, true])
    scene.service.setClock('2026-10-08T22:59:00Z')
    await scene.move('cancel', one, 'guest')
    assert.equal((await scene.guarantees())[0]?.['status'], 'released')
    assert.deepEqual(await pressed(one), [0, true])
    scene.service.setClock('2026-10-10T01:00:00Z')
    await scene.move('seat', other)
    await scene.move('markNoShow', third)
    assert.deepEqual(await pressed(other), [0, true])
    scene.service.setClock('2026-10-13T08:00:00Z')
    await scene.cards()
    assert.deepEqual(await pressed(third), [0, true])
    const states = (await scene.guarantees()).map(({ status }) => status)
    assert.deepEqual(states, ['released', 'released', 'released'])
  })

  it('is for a guest who cancels late, with the sentence to them, and the sheet asks first', async () => {
    await scene.ask(card)
    const mine = await scene.secure('2026-10-09 19:00')
    scene.service.setClock('2026-10-09T12:00:00Z')
    assert.match(
      (await guestAt(scene.service, `${mine}?do=cancel`)).text,
      /The time to cancel free of charge is over: the restaurant may charge \$50\.00\./,
    )
    await guestAt(scene.service, mine, { form: { do: 'cancel' } })
    const [booking] = await scene.bookings()
    const manager = await managers()
    const sheet = await manager.get(`/office/bookings/${booking?.id}`)
    assert.match(sheet.html, /data-asks="Charge this card\? Cancel by 7:00/)
    assert.match(
      sheet.html,
      /aria-label="Moves"[^]*<a href="#guarantee">Charge the card, up to \$50\.00<\/a>[^]*id="change"/,
    )
    await press(manager, booking?.id ?? 0, { do: 'charge', amount: '50' })
    await scene.charges()
    assert.equal(scene.charged().length, 1)
    assert.match((await guestAt(scene.service, mine)).text, /\$50\.00 was charged\./)
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
    const id = await scene.absent()
    await press(await managers(), id, { do: 'charge', amount: '50' })
    scene.stripe.trouble = { at: 'POST /v1/payment_intents', how: 'closed' }
    await scene.charges()
    scene.service.setClock('2026-10-10T01:05:00Z')
    await scene.charges()
    assert.equal(scene.charged().length, 1)
    assert.equal((await scene.guarantees())[0]?.['status'], 'charged')
  })
})
