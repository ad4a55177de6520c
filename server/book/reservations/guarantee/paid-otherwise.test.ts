import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { actAt } from '../../../test/act.ts'
import { guestAt } from '../../../test/guest.ts'
import { atWork } from '../../../test/office-forms.ts'
import { securingTables } from '../../../test/securing-tables.ts'
import { bookedReservation } from '../../day/book-row.ts'
import { editReservation } from '../edits/edits.ts'
import { staff } from '../test/book.ts'
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

  it('is noted as given back by one press, which the booking, its guest, the feed and the task show', async () => {
    const id = await paidInCash()
    await scene.move('cancel', id, 'staff')
    const sheet = () => scene.office.get(`/office/bookings/${id}`)
    const guest = async () => (await guestAt(scene.service, await scene.mine(id))).text
    const owed = await sheet()
    assert.match(owed.words, /State To be refunded by you .*Refund \$50\.00 to the guest yourself/s)
    assert.match(owed.html, /\$50\.00 given back<\/button>/)
    assert.match(await guest(), /The restaurant itself gives \$50\.00 back to you/)
    await scene.pressCard(id, { do: 'given-back' })
    assert.deepEqual(await tasks(), [])
    const { body } = await scene.service.call('GET', `/api/v1/reservations/${id}`, { key: scene.venue.key })
    const { status, paidCents, refundedCents } = body.guarantee
    assert.deepEqual([status, paidCents, refundedCents], ['refunded', 5_000, 5_000])
    const [event] = await scene.rows(
      `select data::text as text from event where venue_id = $1 and name = 'reservation.guarantee_changed' order by id desc limit 1`,
    )
    assert.match(String(event?.['text']), /"refundedCents": ?5000/)
    const after = await sheet()
    assert.match(after.words, /State Refunded/)
    assert.doesNotMatch(after.html, /value="given-back"/)
    assert.match(await guest(), /The restaurant gave \$50\.00 back to you another way/)
    await scene.office.post(`/office/bookings/${id}/guarantee`, { do: 'given-back' })
    assert.match((await sheet()).words, /nothing left to give back by hand/)
    assert.equal((await scene.guarantee())['refunded_cents'], 5_000)
  })

  it('is given back by managers only, also where nothing gives it back by itself', async () => {
    const id = await paidInCash()
    assert.match((await scene.office.get(`/office/bookings/${id}`)).words, /\$50\.00 was paid another way/)
    const { visitor: host } = await atWork(scene.service, 'host', scene.venue)
    assert.doesNotMatch((await host.get(`/office/bookings/${id}`)).html, /value="given-back"/)
    await host.post(`/office/bookings/${id}/guarantee`, { do: 'given-back' })
    assert.equal((await scene.guarantee())['status'], 'paid')
    await scene.pressCard(id, { do: 'given-back' })
    assert.equal((await scene.guarantee())['status'], 'refunded')
    await scene.move('cancel', id, 'staff')
    assert.deepEqual(await tasks(), [], 'there is nothing left to hand back')
  })

  it('is a task for the part of guests who are taken off in time, which the undo takes back and one press notes', async () => {
    await scene.ask()
    const { body, text } = await scene.service.call('POST', '/api/v1/reservations', {
      key: scene.venue.key,
      body: {
        ...{ guestName: 'Maya Okafor', email: 'maya@example.com', date: '2026-10-09', time: '19:00' },
        partySize: 4,
      },
    })
    assert.ok(body.reservation, text)
    const id = Number(body.reservation.id)
    await scene.pressCard(id, {
      ...{ do: 'ask', asks: 'deposit', amount: '20', per: 'guest', hours: '24' },
      ...{ untilDate: '2026-10-07', untilTime: '19:00', note: '' },
    })
    await scene.pressCard(id, { do: 'paid-otherwise' })
    const edit = (partySize: number, press?: readonly number[]) =>
      actAt(scene.service, scene.venue, async (work) => {
        const row = await bookedReservation(work.db, work.venue.id, id)
        const more = press && { press, confirmed: ['*'] as never }
        const changes = { id, seenVersion: row?.version ?? 0, changes: { partySize }, ...more }
        const outcome = await editReservation(work, staff('host'), changes)
        assert.equal(outcome.kind, 'done')
        return (outcome.kind === 'done' && outcome.press) || []
      })
    const title = (sum: string) =>
      `Give back what was paid otherwise: the deposit of Maya Okafor, booking ${id} on 2026-10-09: ${sum}`
    const sums = async () => {
      const { status, amount_cents: amount, refunded_cents: back } = await scene.guarantee()
      return [status, amount, back]
    }
    await edit(3)
    const press = await edit(2)
    assert.deepEqual([await tasks(), await sums()], [[title('$40.00')], ['paid', 4_000, 0]])
    await edit(3, press)
    assert.deepEqual([await tasks(), await sums()], [[title('$20.00')], ['paid', 6_000, 0]], 'undone')
    assert.match(
      (await scene.office.get(`/office/bookings/${id}`)).words,
      /Refund \$20\.00 to the guest yourself/,
    )
    assert.match(
      (await guestAt(scene.service, await scene.mine(id))).text,
      /The restaurant itself gives \$20\.00 back to you/,
    )
    await scene.move('cancel', id, 'staff')
    assert.deepEqual(await tasks(), [title('$80.00')])
    await scene.move('undoCancel', id)
    assert.deepEqual(await tasks(), [title('$20.00')])
    await scene.pressCard(id, { do: 'given-back' })
    assert.deepEqual([await tasks(), await sums()], [[], ['partially_refunded', 6_000, 2_000]])
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
