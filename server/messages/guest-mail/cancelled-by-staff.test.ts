import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { Actor } from '../../core/activity/actor.ts'
import { moveReservation } from '../../book/reservations/moves.ts'
import { staff } from '../../book/reservations/test/book.ts'
import { actAt } from '../../test/act.ts'
import { bookByPage, guestAt, setGuestPages } from '../../test/guest.ts'
import { startMailing } from '../../test/mailing.ts'
import { everyEvening, setRules } from '../../test/open-rules.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestVenue, aTuesdayAfternoon } from '../../test/service.ts'

describe('the mail of a cancellation', () => {
  const { service, mails, begin } = startMailing()
  let venue: TestVenue
  beforeEach(async () => {
    await begin(aTuesdayAfternoon)
    venue = await service.venue()
    await setRules(service, venue, everyEvening())
    await setGuestPages(service, venue, { confirmUpTo: 4 })
  })

  const book = async (size = '2'): Promise<{ readonly id: number; readonly at: string }> => {
    const slot = '2026-10-08 19:00'
    const at = await bookByPage(service, venue, {
      slot,
      size,
      name: 'Maya Okafor',
      email: 'maya@example.com',
    })
    await mails()
    const [row] = await rowsOf(service, `select max(id) as id from reservation where venue_id = ${venue.id}`)
    return { id: Number(row?.['id']), at }
  }
  const move = async (id: number, name: 'cancel' | 'undoCancel', actor: Actor = staff('host')) => {
    const request = { id, move: name, ...(name === 'cancel' && { decidedBy: 'staff' as const }) }
    const outcome = await actAt(service, venue, (work) => moveReservation(work, actor, request))
    assert.ok(outcome.kind === 'done', JSON.stringify(outcome))
    return outcome.hears
  }
  const later = (seconds: number) => service.setClock(service.context.clock().add({ seconds }).toString())
  /** The subjects of the mails of cancellations that went out. */
  const cancellations = async () =>
    (await mails()).map(({ subject }) => subject ?? '').filter((subject) => subject.startsWith('Cancelled'))
  /** What each mail that went out says has happened, in order. */
  const heard = async () => (await mails()).map(({ subject }) => (subject ?? '').split(/:| by /, 1)[0])
  const kept = () =>
    rowsOf(
      service,
      `select state, answer from guest_mail
        where venue_id = ${venue.id} and kind like 'bookingCancelled%' order by id`,
    )

  it('waits after a press of staff as long as its Undo is on screen', async () => {
    const { id } = await book()
    await move(id, 'cancel')
    later(29)
    assert.deepEqual(await cancellations(), [])
    later(1)
    assert.equal((await cancellations()).length, 1)
    later(600)
    assert.equal((await cancellations()).length, 1)
  })

  it('is never sent of a cancellation that was undone meanwhile, and once of one that was made again', async () => {
    const { id } = await book()
    await move(id, 'cancel')
    later(10)
    await move(id, 'undoCancel')
    const dropped = { state: 'dropped', answer: 'the cancellation was undone' }
    assert.deepEqual(await kept(), [dropped])
    later(5)
    await move(id, 'cancel')
    later(29)
    assert.deepEqual(await cancellations(), [])
    later(1)
    assert.equal((await cancellations()).length, 1)
    assert.deepEqual(
      (await kept()).map(({ state }) => state),
      ['dropped', 'sent'],
    )
  })

  it('is sent at once of what a guest or connected software cancelled', async () => {
    const one = await book()
    await guestAt(service, one.at, { form: { do: 'cancel' } })
    assert.equal((await cancellations()).length, 1)
    later(7_200)
    const other = await book()
    await move(other.id, 'cancel', { kind: 'key', id: 1 })
    assert.equal((await cancellations()).length, 2)
  })

  it('stays with a mail that somebody has begun to send: what it says is judged by the booking as it is then', async () => {
    const { id } = await book()
    await move(id, 'cancel')
    later(30)
    // A worker took it and was killed.
    await rowsOf(
      service,
      `update guest_mail set tries = 1, due_at = due_at + interval '2 minutes'
        where venue_id = ${venue.id} and kind = 'bookingCancelled'`,
    )
    await move(id, 'undoCancel')
    later(180)
    assert.deepEqual(await cancellations(), [])
    assert.deepEqual(await kept(), [{ state: 'dropped', answer: 'the booking is Confirmed by now' }])
  })

  it('is followed by one that the booking is on, where its Undo comes after it went out', async () => {
    const { id } = await book()
    await move(id, 'cancel')
    later(40)
    assert.deepEqual(await heard(), ['Confirmed', 'Cancelled'])
    assert.equal(await move(id, 'undoCancel'), 'mail')
    assert.deepEqual(await heard(), ['Confirmed', 'Cancelled', 'Confirmed'])
  })

  it('is followed by none where its Undo comes in time, nor by a call', async () => {
    const { id } = await book()
    await move(id, 'cancel')
    later(20)
    assert.equal(await move(id, 'undoCancel'), undefined)
    later(600)
    assert.deepEqual(await heard(), ['Confirmed'])
  })

  it('is followed by one that the booking is on, where the guest had cancelled it', async () => {
    const { id, at } = await book()
    await guestAt(service, at, { form: { do: 'cancel' } })
    later(1)
    await mails()
    assert.equal(await move(id, 'undoCancel'), 'mail')
    assert.deepEqual(await heard(), ['Confirmed', 'Cancelled', 'Confirmed'])
  })

  it('of a request that was declined is followed by one that the request is there, where that is undone', async () => {
    const { id } = await book('5')
    await move(id, 'cancel')
    later(40)
    const [asked, declined] = await heard()
    assert.equal(await move(id, 'undoCancel'), 'mail')
    assert.deepEqual(await heard(), [asked, declined, asked])
  })

  it('leaves a call to staff, where the guest read it and no mail can say otherwise', async () => {
    const { id } = await book()
    await move(id, 'cancel')
    later(40)
    await mails()
    await rowsOf(service, `update reservation set email = null where id = ${id}`)
    assert.equal(await move(id, 'undoCancel'), 'call')
    later(600)
    assert.deepEqual(await heard(), ['Confirmed', 'Cancelled'])
  })

  it('leaves a call to staff, where the booked time has come', async () => {
    const { id } = await book()
    service.setClock('2026-10-08T22:59:00Z')
    await move(id, 'cancel')
    later(120)
    await mails()
    assert.equal(await move(id, 'undoCancel'), 'call')
  })

  it('leaves nobody to call, where it did not go out', async () => {
    const { id } = await book()
    await move(id, 'cancel')
    await rowsOf(
      service,
      `update guest_mail set state = 'failed', due_at = null, ended_at = now()
        where venue_id = ${venue.id} and kind = 'bookingCancelled'`,
    )
    later(40)
    assert.equal(await move(id, 'undoCancel'), undefined)
  })
})
