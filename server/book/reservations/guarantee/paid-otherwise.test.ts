import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { securingTables } from '../../../test/securing-tables.ts'
import { giveBackUnanswered } from './give-back-unanswered.ts'

describe('a deposit that was paid otherwise than by the processor', () => {
  const scene = securingTables()
  const paidInCash = async () => {
    await scene.ask()
    const { status, body, text } = await scene.service.call('POST', '/api/v1/reservations', {
      key: scene.venue.key,
      body: {
        ...{ guestName: 'Maya Okafor', email: 'maya@example.com', date: '2026-10-09', time: '19:00' },
        partySize: 2,
      },
    })
    assert.equal(status, 201, text)
    const id = Number(body.reservation.id)
    await scene.pressCard(id, {
      ...{ do: 'ask', asks: 'deposit', amount: '50', per: 'party', hours: '24' },
      ...{ untilDate: '2026-10-07', untilTime: '19:00', note: '' },
    })
    await scene.pressCard(id, { do: 'paid-otherwise' })
    return id
  }
  const tasks = async () =>
    (await scene.rows('select title from task where venue_id = $1 and not done')).map(({ title }) => title)

  it('goes back by hand, and the office says so before the press and lists it as a task after', async () => {
    const id = await paidInCash()
    const says =
      /If the guest cancels now, you refund \$50\.00 yourself, as it was paid another way\. (?!.*is refunded)/
    assert.match((await scene.office.get(`/office/bookings/${id}`)).words, says)
    assert.match((await scene.office.get('/office/today?date=2026-10-09')).words, says)
    await scene.move('cancel', id, 'staff')
    const title = `Give back what was paid otherwise: the deposit of Maya Okafor, booking ${id} on 2026-10-09: $50.00`
    assert.deepEqual(await tasks(), [title])
    await scene.move('undoCancel', id)
    assert.deepEqual(await tasks(), [], 'the booking is there again')
    await scene.move('cancel', id, 'guest')
    assert.deepEqual(await tasks(), [title])
  })

  it('stays with the venue after a late cancellation by the guest, without a task', async () => {
    const id = await paidInCash()
    await scene.move('confirm', id)
    await scene.later('2026-10-09T12:00:00Z')
    assert.match(
      (await scene.office.get(`/office/bookings/${id}`)).words,
      /you keep the deposit of \$50\.00\. If you cancel, you refund \$50\.00 yourself/,
    )
    await scene.move('cancel', id, 'guest')
    assert.deepEqual(await tasks(), [])
  })

  it('is a task, once, where nobody confirmed the request until its service was over', async () => {
    const id = await paidInCash()
    await scene.rows(`update reservation set status = 'Requested' where venue_id = $1`)
    const after = async (clock: string) => {
      scene.service.setClock(clock)
      await giveBackUnanswered(scene.service.context)
      return tasks()
    }
    assert.deepEqual(await after('2026-10-10T00:30:00Z'), [], 'it may still be confirmed')
    const title = `Give back what was paid otherwise: the deposit of Maya Okafor, booking ${id} on 2026-10-09: $50.00`
    assert.deepEqual(await after('2026-10-10T12:00:00Z'), [title])
    await scene.rows('update task set done = true where venue_id = $1')
    const lastHeld = () => scene.rows('select xmax::text as by from guarantee where venue_id = $1')
    const before = await lastHeld()
    assert.deepEqual(await after('2026-10-10T12:01:00Z'), [])
    assert.deepEqual(await lastHeld(), before, 'nor is it looked at again and again')
    assert.equal((await scene.guarantee())['status'], 'paid')
  })
})
