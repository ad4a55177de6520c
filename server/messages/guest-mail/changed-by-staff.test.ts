import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { moveReservation } from '../../book/reservations/moves.ts'
import { readWhen } from '../../book/day/when.ts'
import { editReservation } from '../../book/reservations/edits/edits.ts'
import { bookedReservation } from '../../book/day/book-row.ts'
import { staff } from '../../book/reservations/test/book.ts'
import { actAt } from '../../test/act.ts'
import { bookByPage, setGuestPages } from '../../test/guest.ts'
import { startMailing } from '../../test/mailing.ts'
import { everyEvening, setRules } from '../../test/open-rules.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestVenue, aTuesdayAfternoon } from '../../test/service.ts'

describe('the mail of another time or size that staff gave', () => {
  const { service, mails, begin } = startMailing()
  let venue: TestVenue
  let id: number
  beforeEach(async () => {
    await begin(aTuesdayAfternoon)
    venue = await service.venue()
    await setRules(service, venue, everyEvening())
    await setGuestPages(service, venue, { confirmUpTo: 4 })
    const slot = '2026-10-08 19:00'
    await bookByPage(service, venue, { slot, name: 'Maya Okafor', email: 'maya@example.com' })
    const [row] = await rowsOf(service, `select max(id) as id from reservation where venue_id = ${venue.id}`)
    id = Number(row?.['id'])
  })

  /** Gives the booking another time, or its old one by the undo of a press. */
  const move = async (
    time: string,
    press?: readonly number[],
    date = '2026-10-08',
  ): Promise<readonly number[]> => {
    const outcome = await actAt(service, venue, async (work) => {
      const seen = await bookedReservation(work.db, work.venue.id, id)
      const when = readWhen({ date, time, startsAt: undefined }, work.venue.timezone, work.now())
      const confirmed = ['in-the-past'] as const
      const edit = {
        id,
        seenVersion: seen?.version ?? 0,
        changes: { when },
        confirmed,
        ...(press && { press }),
      }
      return editReservation(work, staff('host'), edit)
    })
    assert.ok(outcome.kind === 'done', JSON.stringify(outcome))
    return outcome.press ?? []
  }
  const later = (seconds: number) => service.setClock(service.context.clock().add({ seconds }).toString())
  /** The times that the mails about changes name. */
  const changes = async () =>
    (await mails())
      .map(({ subject }) => subject ?? '')
      .filter((subject) => /chang/i.test(subject))
      .map((subject) => /\d+:\d\d/.exec(subject)?.[0])

  it('waits as long as the Undo is on screen, and says the time of then', async () => {
    await move('20:00')
    later(29)
    assert.deepEqual(await changes(), [])
    later(1)
    assert.deepEqual(await changes(), ['8:00'])
  })

  it('is never sent of a slip that was undone, and neither is one about the Undo', async () => {
    const press = await move('20:00')
    later(10)
    await move('19:00', press)
    later(600)
    assert.deepEqual(await changes(), [])
    assert.deepEqual(
      await rowsOf(
        service,
        `select state, answer from guest_mail where venue_id = ${venue.id} and kind = 'bookingChanged'`,
      ),
      [{ state: 'dropped', answer: 'the change was undone' }],
    )
  })

  it('is not queued once the booked time has come: there is none that fails', async () => {
    service.setClock('2026-10-08T23:10:00Z') // 19:10 in New York
    await move('19:05')
    await move('19:10')
    later(600)
    assert.deepEqual(await changes(), [])
    const queued = await rowsOf(
      service,
      `select state from guest_mail where venue_id = ${venue.id} and kind = 'bookingChanged'`,
    )
    assert.deepEqual(queued, [])
    await move('20:30')
    later(60)
    assert.deepEqual(await changes(), ['8:30'], 'to a time that is ahead it is')
  })

  it('leaves no reminder by the old time, nor one that comes after the meal began', async () => {
    const reminders = () =>
      rowsOf(
        service,
        `select state, answer from guest_mail where venue_id = ${venue.id} and kind = 'bookingReminder' order by id`,
      )
    await move('20:00', undefined, '2026-10-06')
    assert.deepEqual(await reminders(), [{ state: 'dropped', answer: 'the booking was moved' }])
    service.setClock('2026-10-08T00:00:00Z')
    assert.deepEqual(await mails(), [], 'what was queued before says nothing of a meal that is over')
    service.setClock(aTuesdayAfternoon)
    await move('20:00', undefined, '2026-10-09')
    assert.equal(
      (await reminders()).at(-1)?.['state'],
      'waiting',
      'to a day that is far enough it is planned again',
    )
    await rowsOf(
      service,
      `update guest_mail set due_at = null, state = 'dropped', answer = 'set aside', ended_at = now()
      where venue_id = ${venue.id} and kind <> 'bookingReminder' and state = 'waiting'`,
    )
    service.setClock('2026-10-09T00:01:00Z')
    assert.match((await mails())[0]?.subject ?? '', /8:00/)
  })

  it('of a change that stays is sent though a second one was undone', async () => {
    await move('20:00')
    later(5)
    const press = await move('21:00')
    later(5)
    await move('20:00', press)
    later(600)
    assert.deepEqual(await changes(), ['8:00'])
  })

  it('is sent of an Undo that came after it, and of a change that was made again', async () => {
    const press = await move('20:00')
    later(40)
    assert.deepEqual(await changes(), ['8:00'])
    const undone = await move('19:00', press)
    later(5)
    await move('20:00', undone)
    later(600)
    assert.deepEqual(await changes(), ['8:00'], 'taken back before the guest read of it')
    const again = await move('19:00')
    later(5)
    const back = await move('20:00', again)
    later(5)
    await move('19:00', back)
    later(600)
    assert.deepEqual(await changes(), ['8:00', '7:00'])
  })

  it('is one of two changes in a row, as long after the second as its Undo is on screen', async () => {
    await move('20:00')
    later(20)
    await move('20:15')
    later(29)
    assert.deepEqual(await changes(), [])
    later(1)
    assert.deepEqual(await changes(), ['8:15'])
    later(600)
    assert.deepEqual(await changes(), ['8:15'])
  })

  it('says what the first of three in a row left, where the others were undone', async () => {
    await move('20:00')
    const second = await move('20:15')
    later(5)
    const undone = await move('20:00', second)
    later(5)
    const again = await move('20:15', undone)
    later(5)
    await move('20:00', again)
    later(600)
    assert.deepEqual(await changes(), ['8:00'])
  })

  it('is not sent of a booking that staff gave its old time by hand before the guest read of another', async () => {
    await move('20:00')
    later(10)
    await move('20:30')
    later(10)
    await move('19:00')
    later(600)
    assert.deepEqual(await changes(), [])
  })

  it('is sent of its old time, where the guest had read of another', async () => {
    await move('20:00')
    later(30)
    assert.deepEqual(await changes(), ['8:00'])
    await move('19:00')
    later(600)
    assert.deepEqual(await changes(), ['8:00', '7:00'])
  })

  it('is not sent besides that of a cancellation, and is sent where the cancellation is undone', async () => {
    const press = async (name: 'cancel' | 'undoCancel') => {
      const request = { id, move: name, ...(name === 'cancel' && { decidedBy: 'staff' as const }) }
      const { kind } = await actAt(service, venue, (work) => moveReservation(work, staff('host'), request))
      assert.equal(kind, 'done')
    }
    await move('20:00')
    later(20)
    await press('cancel')
    later(20)
    assert.deepEqual(await changes(), [])
    await press('undoCancel')
    later(600)
    assert.deepEqual(await changes(), ['8:00'])
    await move('20:30')
    await press('cancel')
    later(600)
    assert.deepEqual(await changes(), ['8:00'])
  })

  it('is not sent besides that of a confirmation, which says the time', async () => {
    const slot = '2026-10-08 18:00'
    await bookByPage(service, venue, { slot, size: '5', name: 'Abena Adeyemi', email: 'abena@example.com' })
    const [row] = await rowsOf(service, `select max(id) as id from reservation where venue_id = ${venue.id}`)
    id = Number(row?.['id'])
    await move('18:30')
    later(5)
    const { kind } = await actAt(service, venue, (work) =>
      moveReservation(work, staff('host'), { id, move: 'confirm' }),
    )
    assert.equal(kind, 'done')
    later(600)
    assert.deepEqual(await changes(), [])
  })
})
