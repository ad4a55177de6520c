import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { erasePerson } from '../erasure/erase.ts'
import { mergeGuests } from '../guests/merge.ts'
import { addDays } from '../kernel/calendar.ts'
import { answerChange } from '../reservations/answer-change.ts'
import { bookByStaff, walkIn } from '../reservations/bookings.ts'
import { deleteReservation } from '../reservations/delete-reservation.ts'
import { editReservation } from '../reservations/edits.ts'
import { keyAsHolder, newHoldId, placeHold } from '../reservations/holds.ts'
import { importReservations, reservationOfRow } from '../reservations/import-reservation.ts'
import { type MoveRequest, moveReservation } from '../reservations/moves.ts'
import type { ConfirmedReason } from '../reservations/staff-reasons.ts'
import { type TestBook, dinner, openBook, staff } from '../reservations/test/book.ts'
import { eventually } from '../test/eventually.ts'
import { startProcess } from '../test/process.ts'
import { type TestService, aTuesdayAfternoon, startService } from '../test/service.ts'
import { joinWaitlist } from '../waitlist/actions.ts'
import { recallParty, seatFromWaitlist } from '../waitlist/seat-party.ts'
import { chooseTables, setPinned, swapTables } from './choose-tables.ts'
import { eveningFloor, tableClashes, tablesAtDoor } from './reads.ts'
import { foreseeTables, giveTablesByDay, turnTablesOff, turnTablesOn } from './turn-on.ts'
import { heldTables, tablesOf, turnTablesOn as letTablesDecide } from './test/floor.ts'

/** Tuesday 6 October 2026, 15:00 in New York. */
const tonight = '2026-10-06'
const host = staff('host')

describe('tables', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  /** A venue with these tables, where tables decide. */
  const open = async (
    tables: readonly { label: string; most: number; [field: string]: unknown }[],
    { floor = {}, ...rules }: { floor?: object; [rule: string]: unknown } = {},
  ): Promise<void> => {
    book = await openBook(service, dinner({ ...tablesOf(tables, floor), ...rules }))
    await letTablesDecide(service, book.venue)
  }
  beforeEach(() => service.setClock(aTuesdayAfternoon))

  const post = (partySize: number, time = '19:00', more: object = {}) =>
    service.call('POST', '/api/v1/reservations', {
      key: book.venue.key,
      body: { guestName: 'Ada', date: tonight, time, partySize, ...more },
    })
  const taken = async (...asked: Parameters<typeof post>): Promise<number> => {
    const { status, body, text } = await post(...asked)
    assert.equal(status, 201, text)
    return body.reservation.id
  }
  const refusedWith = async (reason: string, ...asked: Parameters<typeof post>): Promise<string> => {
    const { status, body, text } = await post(...asked)
    assert.deepEqual([status, body.reason], [409, reason], text)
    return body.error
  }
  const held = () => heldTables(service, book.venue)
  const ids = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await book.query('select id, label from dining_table where venue_id = $1', [book.venue.id])).map(
        ({ id, label }) => [label, Number(id)],
      ),
    )
  const move = (
    id: number,
    name: MoveRequest['move'],
    confirmed?: readonly ConfirmedReason[],
    actor = staff('manager'),
  ) =>
    book.act((work) =>
      moveReservation(work, actor, {
        id,
        move: name,
        ...(confirmed && { confirmed }),
        ...(name === 'cancel' && { decidedBy: 'guest' }),
      }),
    )
  const booked = async (
    partySize: number,
    time = '19:00',
    more: { tables?: readonly number[]; confirmed?: readonly ConfirmedReason[]; date?: string } = {},
  ) => {
    const { date = tonight, ...rest } = more
    const outcome = await book.act((work) =>
      bookByStaff(work, host, {
        guestName: 'Okafor',
        email: null,
        phone: null,
        notes: null,
        partySize,
        ...book.when(date, time),
        ...rest,
      }),
    )
    return outcome
  }
  const made = async (...asked: Parameters<typeof booked>): Promise<number> => {
    const outcome = await booked(...asked)
    assert.ok(outcome.kind === 'done', JSON.stringify(outcome))
    return outcome.record.id
  }
  const reasonsOf = (outcome: Awaited<ReturnType<typeof move | typeof booked>>): string[] => {
    assert.equal(outcome.kind, 'needs override')
    return outcome.kind === 'needs override' ? outcome.reasons.map(({ reason }) => reason) : []
  }
  const four = [{ label: '1', most: 4 }]

  it('T1 with tables off nothing counts, whatever the venue has', async () => {
    book = await openBook(service, dinner(tablesOf(four)))
    for (let n = 0; n < 3; n++) await taken(4)
    const id = await made(9)
    assert.equal((await move(id, 'seat')).kind, 'done')
    assert.deepEqual(await held(), {})
    const path = `/api/v1/availability/check?date=${tonight}&time=19:00&partySize=9`
    const { body } = await service.call('GET', path, { key: book.venue.key })
    assert.ok(body.ok && !body.verdicts.some(({ rule }: { rule: string }) => rule === 'tables'))
  })

  it('T2 a request by API holds no row, and the next one counts it', async () => {
    await open(four)
    await taken(2)
    assert.deepEqual(await held(), {})
    assert.equal(await refusedWith('tables-full', 3), 'There is no table for 3 at 19:00.')
    await taken(3, '21:00')
    const path = `/api/v1/availability/check?date=${tonight}&time=20:00&partySize=2`
    const { body } = await service.call('GET', path, { key: book.venue.key })
    assert.equal(body.verdicts.length, 13)
    assert.deepEqual(body.verdicts.at(-1), {
      rule: 'tables',
      ok: false,
      reason: 'tables-full',
      sentence: 'There is no table for 2 at 20:00.',
    })
  })

  it('T3 of 200 requests at once for the last table one gets it', async () => {
    await open([...four, { label: '2', most: 2 }])
    await made(2)
    /** Who is told that the venue is busy tries again. */
    const insistent = async (tries = 20): Promise<Awaited<ReturnType<typeof post>>> => {
      const answer = await post(4)
      return answer.status === 503 && tries > 0 ? insistent(tries - 1) : answer
    }
    const answers = await Promise.all(Array.from({ length: 200 }, () => insistent()))
    const kinds = Object.groupBy(answers, ({ status, body }) => `${status} ${body.reason ?? ''}`)
    assert.deepEqual(Object.fromEntries(Object.entries(kinds).map(([kind, all]) => [kind, all?.length])), {
      '201 ': 1,
      '409 tables-full': 199,
    })
  })

  it('T4 where the slot is full and the tables are too, the slot is named', async () => {
    await open(four, { pacing: { intervalMinutes: 15, maxCovers: 4, maxParties: null } })
    await taken(4)
    await refusedWith('pacing-covers-full', 2)
  })

  it('T5 a combination that is booked refuses its members, and a member the combination', async () => {
    const pair = [
      { label: '1', most: 4 },
      { label: '2', most: 4 },
    ]
    const floor = { combinations: [{ tables: ['1', '2'], least: 5, most: 8 }] }
    await open(pair, { floor })
    const large = await made(7)
    assert.deepEqual(await held(), { [large]: '1+2' })
    await refusedWith('tables-full', 2)
    await open(pair, { floor })
    await taken(2)
    await refusedWith('tables-full', 7)
    await taken(4)
  })

  it('T6 a table that is held until 21:00 is taken again at 21:00 and not at 20:59, and later after a gap', async () => {
    await open([{ label: '14', most: 4 }])
    await made(4)
    await refusedWith('tables-full', 2, '20:59')
    await taken(2, '21:00')
    await open([{ label: '14', most: 4 }], { floor: { turnoverMinutes: 15 } })
    await made(4)
    await refusedWith('tables-full', 2, '21:10')
    await taken(2, '21:15')
  })

  const twoServices = {
    periods: [
      { weekday: 2, name: 'Dinner', opens: '17:00', closes: '23:45' },
      { weekday: 3, name: 'Night', opens: '00:00', closes: '04:00' },
    ],
  }

  it('T7 who stays into the next service is seen there, and the other way round', async () => {
    await open(four, twoServices)
    await made(4, '23:30')
    await refusedWith('tables-full', 2, '00:00', { date: '2026-10-07' })
    await refusedWith('tables-full', 2, '01:29', { date: '2026-10-07' })
    await taken(2, '01:30', { date: '2026-10-07' })
    await open(four, twoServices)
    await taken(2, '00:00', { date: '2026-10-07' })
    await refusedWith('tables-full', 4, '23:30')
    await taken(4, '22:00')
  })

  it('T7 of two requests at once from both sides of midnight one gets the table, every time', async () => {
    for (let round = 0; round < 15; round++) {
      await open(four, twoServices)
      const answers = await Promise.all([
        post(4, '23:30'),
        post(4, '00:00', { date: '2026-10-07' }),
        post(4, '23:15'),
        post(4, '00:30', { date: '2026-10-07' }),
      ])
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [201, 409, 409, 409],
      )
    }
  })

  it('T8 on the night the clocks go back both 01:30 can be booked', async () => {
    await open(four, {
      periods: [{ weekday: 6, name: 'Late', opens: '22:00', closes: '03:00' }],
      turnMinutes: [{ upTo: 8, minutes: 60 }],
    })
    const at = (startsAt: string) => post(2, undefined, { date: null, time: null, startsAt })
    for (const startsAt of ['2026-11-01T01:30:00-04:00', '2026-11-01T01:30:00-05:00']) {
      const { status, body } = await at(startsAt)
      assert.deepEqual([status, body.reservation?.time], [201, '01:30'])
    }
    assert.equal((await at('2026-11-01T01:30:00-05:00')).body.reason, 'tables-full')
  })

  it('T9 cancelling frees the table at once, and restoring asks once it is sold', async () => {
    await open(four)
    const first = await made(4)
    await refusedWith('tables-full', 2)
    assert.equal((await move(first, 'cancel')).kind, 'done')
    assert.deepEqual(await held(), { [first]: '1' }, 'history keeps it')
    const second = await made(2)
    assert.deepEqual(reasonsOf(await move(first, 'undoCancel')), ['tables-full'])
    assert.equal((await move(first, 'undoCancel', ['tables-full'])).kind, 'done')
    assert.deepEqual(await held(), { [second]: '1' }, 'without a table')
    assert.equal((await move(second, 'cancel')).kind, 'done')
    await move(first, 'cancel')
    assert.equal((await move(first, 'undoCancel')).kind, 'done')
    assert.equal((await held())[first], '1')
  })

  it('T9 cancelling takes no lock of the day', async () => {
    await open(four)
    const id = await made(4)
    const [, outcome] = await book.meanwhile(
      async ({ db, venue }) => {
        const { lockBookingDay } = await import('../reservations/writes.ts')
        await lockBookingDay(db, venue.id, tonight)
      },
      (work) => moveReservation(work, host, { id, move: 'cancel', decidedBy: 'guest' }),
    )
    assert.equal(outcome.kind, 'done')
  })

  it('T10 a no-show that is undone asks once its table is sold, and gets its old one where it is free', async () => {
    await open([...four, { label: '2', most: 4 }])
    const [first, other] = [await made(4), await made(4)]
    assert.deepEqual(await held(), { [first]: '1', [other]: '2' })
    service.setClock('2026-10-06T23:20:00Z')
    for (const id of [first, other]) assert.equal((await move(id, 'markNoShow')).kind, 'done')
    assert.equal((await move(other, 'undoNoShow')).kind, 'done')
    assert.equal((await held())[other], '2', 'the old one, though the first is free')
    const walked = await book.act((work) =>
      walkIn(work, host, { guestName: null, email: null, phone: null, notes: null, partySize: 3 }),
    )
    assert.equal(walked.kind, 'done')
    assert.deepEqual(reasonsOf(await move(first, 'undoNoShow')), ['tables-full'])
    assert.deepEqual(reasonsOf(await move(first, 'seatLate')), ['tables-full'])
    assert.equal((await move(first, 'seatLate', ['tables-full'])).kind, 'done')
  })

  /** Every booking that counts, with who holds what from when to when. */
  const clashes = async (): Promise<unknown[]> =>
    book.query(
      `select a.reservation_id, b.reservation_id
         from reservation_table a
         join reservation_table b on b.venue_id = a.venue_id and b.table_id = a.table_id and b.reservation_id > a.reservation_id
         join reservation r on r.venue_id = a.venue_id and r.id = a.reservation_id
         join reservation s on s.venue_id = b.venue_id and s.id = b.reservation_id
        where a.venue_id = $1 and r.status in ('Confirmed', 'Seated') and s.status in ('Confirmed', 'Seated')
          and r.starts_at < s.starts_at + make_interval(mins => s.duration_minutes)
          and s.starts_at < r.starts_at + make_interval(mins => r.duration_minutes)`,
      [book.venue.id],
    )

  it('T11 a pin stays through 100 bookings; those a machine gave move, and nobody loses a table', async () => {
    const sizes = [2, 2, 2, 4, 4, 4, 6, 8]
    await open(
      sizes.map((most, n) => ({ label: String(n + 1), most })),
      { floor: { combinations: [{ tables: ['4', '5'], least: 5, most: 8 }] } },
    )
    const known = await ids()
    const pinned = await made(2, '19:00', { tables: [known['8'] as number] })
    const withTable = new Set<number>([pinned])
    let moved = 0
    let [refused, seed] = [0, 7]
    const random = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most
    for (let n = 0; n < 100; n++) {
      const before = await held()
      const time = `${17 + random(6)}:${['00', '15', '30', '45'][random(4)]}`
      const outcome = await booked(1 + random(7), time)
      if (outcome.kind !== 'done') refused++
      else withTable.add(outcome.record.id)
      const now = await held()
      assert.equal(now[pinned], '8!')
      for (const id of withTable) assert.ok(now[id], `${id} has a table`)
      moved += Object.keys(before).filter((id) => before[Number(id)] !== now[Number(id)]).length
      assert.deepEqual(await clashes(), [])
    }
    assert.ok(moved > 0 && refused > 0 && withTable.size > 15, `${moved} ${refused} ${withTable.size}`)
  })

  it('T12 confirming without a table left asks, and then it is without a table', async () => {
    await open(four)
    const [first] = [await taken(4)]
    const other = await made(4, '19:00', { confirmed: ['tables-full'] })
    assert.deepEqual(await held(), {})
    const third = await made(4, '19:30', { tables: [(await ids())['1'] as number] })
    assert.deepEqual(reasonsOf(await move(first, 'confirm')), ['tables-full'])
    assert.equal((await move(first, 'confirm', ['tables-full'])).kind, 'done')
    assert.deepEqual(await held(), { [third]: '1!' })
    assert.equal((await book.row(first)).status, 'Confirmed')
    assert.ok(other)
  })

  it('T12 confirming gives a table', async () => {
    await open(four)
    const id = await taken(4)
    assert.equal((await move(id, 'confirm')).kind, 'done')
    assert.deepEqual(await held(), { [id]: '1' })
  })

  it('T13 a hold takes a table until it expires, with no worker running', async () => {
    await open(four)
    const hold = await book.act((work) =>
      placeHold(work, {
        ...book.when(tonight, '19:30'),
        id: newHoldId(randomBytes),
        partySize: 2,
        by: { holder: keyAsHolder(1) },
      }),
    )
    assert.equal(hold.kind, 'held')
    await refusedWith('tables-full', 4)
    service.setClock('2026-10-06T19:05:00Z')
    await taken(4)
  })

  it('T14 a change that is asked for holds a table at the new time, and the booking keeps its own', async () => {
    await open(four)
    const id = await made(4)
    const read = await service.call('GET', `/api/v1/reservations/${id}`, { key: book.venue.key })
    const asked = await service.call('PATCH', `/api/v1/reservations/${id}`, {
      key: book.venue.key,
      body: { time: '20:00' },
      headers: { 'if-match': read.headers.get('etag') as string },
    })
    assert.equal(asked.status, 202, asked.text)
    assert.deepEqual(await held(), { [id]: '1' })
    await refusedWith('tables-full', 2, '19:00')
    await refusedWith('tables-full', 2, '21:30')
    await taken(2, '17:00')
    const change = asked.body.change.id
    const outcome = await book.act((work) => answerChange(work, host, { id, change, answer: 'accept' }))
    assert.equal(outcome.kind, 'done')
    assert.deepEqual(await held(), { [id]: '1' })
    await refusedWith('tables-full', 2, '21:30')
  })

  it('T15 of two hosts who want one table the second learns who is there, 100 times', async () => {
    await open([
      { label: '1', most: 4 },
      { label: '2', most: 4 },
      { label: '3', most: 4 },
    ])
    const [one, other] = [await made(2), await made(2)]
    const known = await ids()
    for (let round = 0; round < 100; round++) {
      const table = known['3'] as number
      await book.query('delete from reservation_table where venue_id = $1', [book.venue.id])
      const outcomes = await Promise.all(
        [one, other].map((id) => book.act((work) => chooseTables(work, host, { id, tables: [table] }))),
      )
      assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['done', 'refused'])
      const late = outcomes.find((outcome) => outcome.kind === 'refused')
      assert.ok(late?.kind === 'refused')
      assert.equal(late.sentence, 'Table 3 is taken by Okafor, 2 guests, from 19:00 to 21:00.')
    }
  })

  it('T16 a table for staff only is theirs to give, and no request gets it', async () => {
    await open([{ label: '1', most: 4, online: false }])
    await refusedWith('tables-full', 2)
    const id = await made(2)
    assert.deepEqual(await held(), { [id]: '1' })
    const hold = await book.act((work) =>
      placeHold(work, {
        ...book.when(tonight, '22:00'),
        id: newHoldId(randomBytes),
        partySize: 2,
        by: { holder: keyAsHolder(1) },
      }),
    )
    assert.equal(hold.kind, 'refused')
  })

  it('T17 recalling and deleting take the rows along, merging and erasing leave them with the booking', async () => {
    await open([...four, { label: '2', most: 4 }, { label: '3', most: 4 }])
    const orphans = () =>
      book.query(
        `select from reservation_table t where venue_id = $1 and not exists (
           select from reservation r where r.venue_id = t.venue_id and r.id = t.reservation_id)`,
        [book.venue.id],
      )
    const guests: { id: number; seenVersion: number }[] = []
    const bookings: number[] = []
    for (const email of ['a@example.com', 'b@example.com']) {
      const id = await taken(2, '19:00', { email })
      await move(id, 'confirm')
      bookings.push(id)
      const guest = (await book.row(id)).guest_id as number
      const [row] = await book.query('select version from guest where venue_id = $1 and id = $2', [
        book.venue.id,
        guest,
      ])
      guests.push({ id: guest, seenVersion: Number(row?.['version']) })
    }
    const before = await held()
    assert.equal(Object.keys(before).length, 2)
    const [one, other] = guests
    assert.ok(one && other)
    await book.act((work) => mergeGuests(work, staff('manager'), one, other))
    assert.deepEqual(await held(), before)
    const person = { guestId: null, email: 'a@example.com', phone: null, name: 'Ada' }
    await book.act((work) => erasePerson(work, staff('owner'), person))
    assert.deepEqual(await held(), before)

    service.setClock('2026-10-06T23:00:00Z')
    const party = { guestName: 'Maya', partySize: 2, email: null, phone: null, notes: null }
    const { id: entry } = await book.act((work) =>
      joinWaitlist(work, host, { ...party, windowStart: null, windowEnd: null }),
    )
    const seated = await book.act((work) => seatFromWaitlist(work, host, { id: entry }))
    assert.equal(seated.kind, 'done')
    assert.equal(Object.keys(await held()).length, 3)
    assert.equal((await book.act((work) => recallParty(work, host, { id: entry }))).kind, 'done')
    assert.deepEqual(await held(), before)
    assert.deepEqual(await orphans(), [])

    const [first = 0, second = 0] = bookings
    await book.act((work) => deleteReservation(work, staff('manager'), first))
    assert.deepEqual(Object.keys(await held()), [String(second)])
    assert.deepEqual(await orphans(), [])
  })

  it('a dry run tells of a table that is free or not, and takes none', async () => {
    await open([{ label: '1', most: 4 }])
    const dry = async (time: string) => {
      const body = { guestName: 'Ada', date: tonight, time, partySize: 4 }
      const tried = { method: 'POST', path: '/api/v1/reservations', body }
      const {
        status,
        body: answer,
        text,
      } = await service.call('POST', '/api/v1/dry-run', {
        key: book.venue.key,
        body: tried,
      })
      assert.equal(status, 200, text)
      const { wouldAnswer } = answer
      return [wouldAnswer.status, wouldAnswer.body.reason ?? null]
    }
    assert.deepEqual(await dry('19:00'), [201, null])
    assert.deepEqual(await dry('19:00'), [201, null], 'the first one took nothing')
    const id = await made(4)
    assert.deepEqual(await dry('20:00'), [409, 'tables-full'])
    assert.deepEqual(await dry('21:00'), [201, null])
    assert.deepEqual(await held(), { [id]: '1' })
  })

  it('from the waitlist a party gets the table staff choose, or is asked about where there is none', async () => {
    await open([
      { label: '1', most: 4 },
      { label: '2', most: 4 },
    ])
    service.setClock('2026-10-06T23:00:00Z')
    const known = await ids()
    const party = { partySize: 4, email: null, phone: null, notes: null, windowStart: null, windowEnd: null }
    const waits = async (guestName: string) =>
      (await book.act((work) => joinWaitlist(work, host, { ...party, guestName }))).id
    const [first, second, third] = [await waits('Ana'), await waits('Ben'), await waits('Cleo')]
    const seat = (
      id: number,
      more: { tables?: readonly number[]; confirmed?: readonly ConfirmedReason[] } = {},
    ) => book.act((work) => seatFromWaitlist(work, host, { id, ...more }))
    assert.equal((await seat(first, { tables: [known['2'] as number] })).kind, 'done')
    assert.equal((await seat(second)).kind, 'done')
    assert.deepEqual(Object.values(await held()), ['2!', '1'])
    const asked = await seat(third)
    assert.ok(asked.kind === 'needs override')
    assert.deepEqual(
      asked.reasons.map(({ reason, sentence }) => [reason, sentence]),
      [['tables-full', 'There is no table for 4 at 19:00.']],
    )
    assert.equal((await seat(third, { confirmed: ['tables-full'] })).kind, 'done')
    assert.deepEqual(Object.values(await held()), ['2!', '1'], 'without a table')
    const fourth = await waits('Dora')
    await assert.rejects(seat(fourth, { tables: [known['2'] as number] }), /Table 2 is taken by Ana/)
  })

  it('T20 what the picker shows is what a request gets, 500 times', async () => {
    await open(
      [
        { label: '1', most: 2 },
        { label: '2', most: 2 },
        { label: '3', most: 4 },
        { label: '4', most: 6, least: 3 },
        { label: '5', most: 4, online: false },
      ],
      {
        floor: {
          turnoverMinutes: 10,
          combinations: [{ tables: ['1', '2'], least: 3, most: 4 }],
          plans: [{ table: '3', weekdays: [4] }],
          outOfOrder: [
            {
              table: '4',
              fromDate: '2026-10-09',
              fromTime: '20:00',
              untilDate: '2026-10-10',
              untilTime: '18:00',
            },
          ],
        },
        slotStepMinutes: 45,
      },
    )
    let seed = 11
    const random = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most
    const counts = { open: 0, refused: 0 }
    for (let n = 0; n < 500;) {
      const date = addDays(tonight, random(5))
      const partySize = 1 + random(6)
      const { body } = await service.call(
        'GET',
        `/api/v1/availability?date=${date}&days=2&partySize=${partySize}&show=all`,
        { key: book.venue.key },
      )
      const slots = body.days.flatMap(({ slots }: { slots: unknown[] }) => slots)
      for (let k = 0; k < 10 && n < 500; k++, n++) {
        const slot = slots[random(slots.length)]
        const { status, body: answer, text } = await post(partySize, slot.time, { date: slot.date })
        assert.deepEqual(
          [status === 201, answer.reason ?? null, answer.error ?? null],
          [slot.open, slot.reason, slot.sentence],
          text,
        )
        counts[slot.open ? 'open' : 'refused']++
        // What was taken stays now and then, so that the book fills; it has changed, so the picker is asked again.
        if (status !== 201) continue
        if (random(3) > 0) {
          await book.query('delete from reservation where venue_id = $1 and id = $2', [
            book.venue.id,
            answer.reservation.id,
          ])
        } else {
          if (random(2)) await move(answer.reservation.id, 'confirm')
          break
        }
      }
    }
    assert.ok(counts.open > 50 && counts.refused > 50, JSON.stringify(counts))
  })

  it('T18 turned on over a full book: whoever fits has a table, the rest were listed first and wait for one', async () => {
    book = await openBook(
      service,
      dinner(tablesOf([...four, { label: '2', most: 2 }, { label: '3', most: 6, least: 3 }])),
    )
    const owner = staff('owner')
    const on = (date: string, sizes: readonly number[]) =>
      Promise.all(sizes.map((partySize) => booked(partySize, '19:00', { date })))
    await on(tonight, [2, 2, 4, 6])
    await on('2026-10-08', [4, 2])
    await on('2026-12-05', [2, 4, 2])
    const far = await made(5, '19:00', { date: '2027-01-30' })
    await on('2026-10-05', [])
    const foreseen = await book.act((work) => foreseeTables(work))
    assert.deepEqual(
      foreseen.map(({ serviceDate }) => serviceDate),
      [tonight],
      'on 5 December three tables are enough for 2, 4 and 2',
    )
    await assert.rejects(book.act((work) => turnTablesOn(work, host)))
    await book.act((work) => turnTablesOn(work, owner))
    // From this moment on everybody who is booked counts, with a table or without.
    await refusedWith('tables-full', 2)
    await taken(3, '19:00', { date: '2026-10-08' })
    assert.deepEqual(await held(), {})
    const giveAll = async (): Promise<void> => {
      const days = await Promise.all([giveTablesByDay(service.context), giveTablesByDay(service.context)])
      if (days.some((count) => count > 0)) return giveAll()
    }
    await giveAll()
    const now = await held()
    assert.equal(Object.keys(now).length, 3 + 2 + 3 + 1)
    assert.equal(now[far], '3')
    assert.deepEqual(await clashes(), [])
    const floor = await book.act((work) => eveningFloor(work, tonight))
    assert.deepEqual(
      floor.withoutTable.map(({ id }) => id),
      foreseen.map(({ reservation }) => reservation),
    )
    assert.deepEqual(
      floor.tables.map(({ label, next }) => [label, next !== undefined]),
      [
        ['1', true],
        ['2', true],
        ['3', true],
      ],
    )
    await book.act((work) => turnTablesOff(work, owner))
    assert.deepEqual(await held(), now)
    await taken(9)
    await book.act((work) => turnTablesOn(work, owner))
    await giveAll()
    assert.deepEqual(await held(), now)
  })

  it('T18 killed in the middle of an evening, whoever goes on loses nobody and gives no table twice', async () => {
    book = await openBook(service, dinner(tablesOf([...four, { label: '2', most: 2 }])))
    const dates = Array.from({ length: 12 }, (_, n) => addDays('2026-10-07', n))
    for (const date of dates) for (const size of [2, 4]) await booked(size, '19:00', { date })
    await book.act((work) => turnTablesOn(work, staff('owner')))
    const stuckOn = dates[5] as string
    const { promise: letGo, resolve } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
    const holding = service.db.session(async (client) => {
      await client.query('begin')
      // What the job writes in the middle of this evening has to wait.
      await client.query(
        `select from reservation where venue_id = $1 and date = $2 order by id desc limit 1 for update`,
        [book.venue.id, stuckOn],
      )
      hold()
      await letGo
      await client.query('rollback')
    })
    await isHeld
    const doomed = await startProcess({
      DATABASE_URL: service.databaseUrl,
      SECRETS: service.context.config.secrets as string,
    })
    await eventually(async () => {
      const [row] = await book.query(
        `select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query ilike '%reservation_table%'`,
      )
      return row?.['waiting'] === 1
    }).finally(() => doomed.signal('SIGKILL'))
    assert.equal(await doomed.ended, 'SIGKILL')
    assert.equal(
      Object.keys(await held()).length,
      2 * dates.indexOf(stuckOn),
      'whole evenings, and no part of one',
    )
    resolve()
    await holding

    await giveTablesByDay(service.context)
    assert.equal(Object.keys(await held()).length, 2 * dates.length)
    assert.deepEqual(await clashes(), [])
  })

  it('T21 a booking that staff put at another table is told to nobody, and its revision stays', async () => {
    await open([...four, { label: '2', most: 4 }])
    const id = await made(2)
    await book.toldAll()
    const before = await service.call('GET', `/api/v1/reservations/${id}`, { key: book.venue.key })
    const known = await ids()
    const outcome = await book.act((work) =>
      chooseTables(work, host, { id, tables: [known['2'] as number], seen: [known['1'] as number] }),
    )
    assert.equal(outcome.kind, 'done')
    assert.deepEqual(await held(), { [id]: '2!' })
    const after = await service.call('GET', `/api/v1/reservations/${id}`, { key: book.venue.key })
    assert.deepEqual([after.text, after.headers.get('etag')], [before.text, before.headers.get('etag')])
    assert.deepEqual(await book.toldAll(), [])
    const [row] = await book.query(
      `select action, before, after from activity where venue_id = $1 order by id desc limit 1`,
      [book.venue.id],
    )
    assert.deepEqual(row, { action: 'chooseTables', before: { tables: '1' }, after: { tables: '2' } })
  })

  it('two parties trade tables, join and split them, and are let go of', async () => {
    await open([...four, { label: '2', most: 2 }, { label: '3', most: 2 }])
    const known = await ids()
    const table = (label: string) => known[label] as number
    const [large, small] = [await made(4), await made(2)]
    assert.deepEqual(await held(), { [large]: '1', [small]: '2' })
    const swapped = await book.act((work) => swapTables(work, host, { ids: [large, small] }))
    assert.equal(swapped.kind, 'done')
    assert.deepEqual(await held(), { [large]: '2!', [small]: '1!' })
    const joined = [table('2'), table('3')]
    assert.equal(
      (await book.act((work) => chooseTables(work, host, { id: large, tables: joined }))).kind,
      'done',
    )
    assert.deepEqual(await held(), { [large]: '2!+3!', [small]: '1!' })
    const late = await book.act((work) =>
      chooseTables(work, host, { id: large, tables: [table('2')], seen: [table('1')] }),
    )
    assert.ok(late.kind === 'refused')
    assert.equal(late.sentence, 'Somebody else just put this party at table 2+3.')
    const unpinned = await book.act((work) => setPinned(work, host, { id: large, pinned: false }))
    assert.equal(unpinned.kind, 'done')
    assert.equal((await book.act((work) => chooseTables(work, host, { id: large, tables: [] }))).kind, 'done')
    assert.deepEqual(await held(), { [small]: '1!' })
    assert.deepEqual(await book.toldAll().then((told) => told.map(({ names }) => names.join())), [
      'reservation.created',
      'reservation.created',
    ])
  })

  it('a walk-in is shown the best table and until when, and gets the one staff choose', async () => {
    await open([...four, { label: '2', most: 2 }])
    const known = await ids()
    await made(2, '19:30', { tables: [known['2'] as number] })
    service.setClock('2026-10-06T21:00:00Z')
    const offered = async () =>
      (await book.act((work) => tablesAtDoor(work, 2)))?.map(({ tables, until }) => [
        tables.map(({ label }) => label).join('+'),
        until?.toString() ?? null,
      ])
    assert.deepEqual(await offered(), [
      ['2', '2026-10-06T23:30:00Z'],
      ['1', null],
    ])
    const seated = await book.act((work) =>
      walkIn(work, host, {
        guestName: null,
        email: null,
        phone: null,
        notes: null,
        partySize: 2,
        tables: [known['1'] as number],
      }),
    )
    assert.ok(seated.kind === 'done')
    assert.equal((await held())[seated.record.id], '1!')
    const floor = await book.act((work) => eveningFloor(work, tonight))
    assert.deepEqual(
      floor.tables.map(({ label, now, next }) => [label, now.length, next?.partySize ?? null]),
      [
        ['1', 1, null],
        ['2', 0, 2],
      ],
    )
    await assert.rejects(
      book.act((work) =>
        walkIn(work, host, {
          guestName: null,
          email: null,
          phone: null,
          notes: null,
          partySize: 2,
          tables: [known['1'] as number],
        }),
      ),
      { message: 'Table 1 is taken by a party without a name, 2 guests, from 17:00 to 19:00.' },
    )
  })

  it('an import brings the tables along that the venue has, unjudged and pinned', async () => {
    await open([...four, { label: 'T2', most: 2 }])
    const at = service.context.clock()
    const row = (line: number, tables: string) => ({
      ...reservationOfRow(
        {
          reference: String(line),
          guestName: 'Ada',
          email: null,
          phone: null,
          partySize: 6,
          date: tonight,
          time: '19:00',
          durationMinutes: null,
          tables,
          status: '',
          cancelledAt: null,
          cancelledBy: '',
          bookingType: null,
          notes: null,
          createdAt: null,
        },
        book.venue.timezone,
        at,
      ),
      key: `file ${line}`,
    })
    await book.act((work) => importReservations(work, [row(1, '1 + t2'), row(2, '99'), row(3, '1,98')]))
    const rows = await book.query('select id from reservation where venue_id = $1 order by id', [
      book.venue.id,
    ])
    const [one, other, third] = rows.map(({ id }) => Number(id))
    assert.deepEqual(await held(), { [one as number]: '1!+T2!', [third as number]: '1!' })
    const floor = await book.act((work) => eveningFloor(work, tonight))
    assert.deepEqual(
      floor.withoutTable.map(({ id }) => id),
      [other],
    )
    const met = await book.act(({ db, venue }) => tableClashes(db, venue, tonight, tonight))
    assert.deepEqual(
      met.map((clash) => [clash.label, clash.one, clash.other]),
      [['1', one, third]],
    )
  })

  it('another time or size keeps the table where it fits, takes another where not, and drops a pin that does not fit', async () => {
    await open([
      { label: '1', most: 2 },
      { label: '2', most: 4 },
      { label: '3', most: 6 },
    ])
    const known = await ids()
    const id = await made(2, '19:00', { tables: [known['2'] as number] })
    const edit = async (changes: object) => {
      const { version } = await book.row(id)
      return book.act((work) => editReservation(work, host, { id, seenVersion: version, changes }))
    }
    assert.equal((await edit({ partySize: 4 })).kind, 'done')
    assert.deepEqual(await held(), { [id]: '2!' })
    assert.equal((await edit({ when: book.when(tonight, '20:00') })).kind, 'done')
    assert.deepEqual(await held(), { [id]: '2!' })
    assert.equal((await edit({ partySize: 6 })).kind, 'done')
    assert.deepEqual(await held(), { [id]: '3' })
    assert.equal((await edit({ partySize: 7 })).kind, 'needs override')
    assert.equal((await edit({ when: book.when('2026-10-07', '20:00') })).kind, 'done')
    assert.deepEqual(await held(), { [id]: '3' })
  })
})
