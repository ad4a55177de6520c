import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setChangesByApi } from '../../rules/changes-by-api.ts'
import { actAt } from '../../../test/act.ts'
import { guestAt } from '../../../test/guest.ts'
import { setRules } from '../../../test/open-rules.ts'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'
import { answerChange } from '../change/answer-change.ts'
import { staff } from '../test/book.ts'

describe('another size or time of a table behind a card or a deposit', () => {
  const scene = securingTables()

  const terms = async () => {
    const [row] = await scene.rows(
      'select amount_cents, free_until, delete_at from guarantee where venue_id = $1',
    )
    return row
  }
  const moment = (text: string) => new Date(text).toISOString()
  /** The venue takes the change that waits. */
  const accept = async () => {
    const [asked] = await scene.rows(
      `select id, reservation_id from reservation_change where venue_id = $1 and status = 'pending'`,
    )
    await actAt(scene.service, scene.venue, (work) =>
      answerChange(work, staff('manager'), {
        ...{ id: Number(asked?.['reservation_id']), change: Number(asked?.['id']), answer: 'accept' },
      }),
    )
  }

  it('sends the part of a guest back who was taken off in time, and asks nothing of one whom the venue takes along', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure('2026-10-09 19:00', '4')
    await scene.change(mine, '3', '2026-10-09 19:00')
    const [booking] = await scene.bookings()
    assert.match(
      (await scene.office.get(`/office/bookings/${booking?.id}`)).words,
      /If the guest cancels now, the deposit of \$60\.00 is refunded\./,
      'not what is on its way already',
    )
    await scene.refund()
    await scene.change(mine, '5', '2026-10-09 19:00')
    await accept()
    await scene.refund()
    const shown = (await scene.guarantees()).map((row) => [
      row['status'],
      row['amount_cents'],
      row['refunded_cents'],
    ])
    assert.deepEqual(shown, [['partially_refunded', 6_000, 2_000]])
    scene.service.setClock('2026-10-09T14:00:00Z')
    await scene.change(mine, '2', '2026-10-09 19:00')
    await scene.refund()
    assert.equal((await scene.guarantees())[0]?.['refunded_cents'], 2_000, 'too late for more')
  })

  it('asks the venue first where its page would ask for more than is behind the booking', async () => {
    await scene.ask({ ...deposit, partyFrom: 6 })
    const free = await scene.book('2026-10-09 18:00', '5')
    const asking = { do: 'ask', size: '8', slot: '2026-10-09 18:00' }
    assert.match((await guestAt(scene.service, free, { form: asking })).text, /class="note wait"/)
    await scene.change(free, '8', '2026-10-09 18:00')
    const paid = await scene.secure('2026-10-09 20:00', '8')
    await scene.rules([deposit])
    await scene.change(paid, '1', '2026-10-09 20:00')
    await scene.change(paid, '8', '2026-10-09 20:00')
    const sizes = async () => (await scene.bookings()).map(({ partySize }) => partySize)
    assert.deepEqual(new Set(await sizes()), new Set([1, 5]))
  })

  it('changes at once what is asked for no more than its place was, also under a later policy', async () => {
    await setRules(scene.service, scene.venue)
    await scene.connect()
    const mine = await scene.book('2026-10-09 18:00', '2')
    await scene.rules([deposit])
    await scene.change(mine, '2', '2026-10-09 18:30')
    assert.deepEqual(
      (await scene.bookings()).map(({ time, partySize }) => [time, partySize]),
      [['18:30', 2]],
    )
    await scene.change(mine, '3', '2026-10-09 18:30')
    assert.deepEqual(
      (await scene.bookings()).map(({ time, partySize }) => [time, partySize]),
      [['18:30', 2]],
    )
  })

  it('moves the limit along if it was asked for before it, and nobody gets around it by moving first', async () => {
    await scene.ask(card)
    const mine = await scene.secure('2026-10-09 19:00')
    await scene.change(mine, '2', '2026-10-10 19:00')
    assert.deepEqual(await terms(), {
      amount_cents: 5_000,
      free_until: moment('2026-10-09T23:00:00Z'),
      delete_at: moment('2026-10-14T08:00:00Z'),
    })
    scene.service.setClock('2026-10-10T12:00:00Z')
    await scene.change(mine, '2', '2026-10-16 19:00')
    assert.deepEqual(await terms(), {
      amount_cents: 5_000,
      free_until: moment('2026-10-09T23:00:00Z'),
      delete_at: moment('2026-10-20T08:00:00Z'),
    })
    assert.match(
      (await guestAt(scene.service, `${mine}?do=cancel`)).text,
      /The time to cancel free of charge is over/,
    )
  })

  it('the limit is never earlier than the sentence says without its guest, and the page says a new one before the press', async () => {
    await scene.ask(card)
    const mine = await scene.secure('2026-10-10 19:00')
    const limit = async () =>
      (await scene.rows('select free_until from guarantee where venue_id = $1'))[0]?.['free_until']
    const agreed = await limit()
    assert.doesNotMatch((await guestAt(scene.service, mine)).text, /Free cancellation/)
    await actAt(scene.service, scene.venue, (work) => setChangesByApi(work, { kind: 'service' }, 'direct'))
    const [booking] = await scene.bookings()
    const moved = await scene.service.call('PATCH', `/api/v1/reservations/${booking?.id}`, {
      ...{ key: scene.venue.key, body: { date: '2026-10-09', time: '18:00' }, headers: { 'if-match': '*' } },
    })
    assert.deepEqual([moved.status, await limit()], [200, agreed], moved.text)
    assert.doesNotMatch((await guestAt(scene.service, mine)).text, /Free cancellation/)
    const other = await scene.secure('2026-10-10 20:00')
    const asking = { size: '2', slot: '2026-10-08 20:00' }
    const said = /Free cancellation until 8:00\sPM on Wednesday, October 7\./
    assert.match((await guestAt(scene.service, other, { form: { do: 'ask', ...asking } })).text, said)
    await guestAt(scene.service, other, { form: { do: 'change', ...asking } })
    assert.match((await guestAt(scene.service, other)).text, said)
  })
})
