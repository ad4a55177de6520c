import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { answerChange } from '../reservations/change/answer-change.ts'
import { editReservation } from '../reservations/edits/edits.ts'
import { keyAsHolder, newHoldId, placeHold } from '../reservations/holds/holds.ts'
import { importReservations, reservationOfRow } from '../reservations/import-reservation.ts'
import { moveReservation } from '../reservations/moves.ts'
import { dinner } from '../reservations/test/book.ts'
import { guestAt, setGuestPages } from '../../test/guest.ts'
import { eveningFloor } from './reads.ts'
import { tableClashes } from './to-settle.ts'
import { tablesOf } from './test/floor.ts'
import { four, host, tableScene, tonight } from './test/scene.ts'

describe('tables', () => {
  const scene = tableScene()
  const { service, open, openUndecided, post, taken, refusedWith, held, ids, move, made, reasonsOf } = scene

  const twoServices = {
    periods: [
      { weekday: 2, name: 'Dinner', opens: '17:00', closes: '23:45' },
      { weekday: 3, name: 'Night', opens: '00:00', closes: '04:00' },
    ],
  }

  it('with tables off the venue’s tables do not count', async () => {
    await openUndecided(dinner(tablesOf(four)))
    for (let n = 0; n < 3; n++) await taken(4)
    const id = await made(9)
    assert.equal((await move(id, 'seat')).kind, 'done')
    assert.deepEqual(await held(), {})
    const path = `/api/v1/availability/check?date=${tonight}&time=19:00&partySize=9`
    const { body } = await service.call('GET', path, { key: scene.book.venue.key })
    assert.ok(body.ok && !body.verdicts.some(({ rule }: { rule: string }) => rule === 'tables'))
  })

  it('a request by API holds no row, and the next one counts it', async () => {
    await open(four)
    const id = await taken(2)
    assert.equal((await scene.book.row(id)).status, 'Requested')
    assert.deepEqual(await held(), {})
    assert.equal(await refusedWith('tables-full', 3), 'There is no table for 3 at 19:00.')
    await taken(3, '21:00')
    const path = `/api/v1/availability/check?date=${tonight}&time=20:00&partySize=2`
    const { body } = await service.call('GET', path, { key: scene.book.venue.key })
    assert.equal(body.verdicts.length, 13)
    assert.deepEqual(body.verdicts.at(-1), {
      rule: 'tables',
      ok: false,
      reason: 'tables-full',
      sentence: 'There is no table for 2 at 20:00.',
    })
  })

  /** What each door for guests answers to a party of 3 at 19:00: the API, its hold, its dry run, the guest page. */
  const everyDoor = async (): Promise<Record<string, unknown>> => {
    const { key, slug } = scene.book.venue
    const body = { date: tonight, time: '19:00', partySize: 3 }
    const request = { guestName: 'Ada', ...body }
    const hold = await service.call('POST', '/api/v1/holds', { key, body })
    const dry = await service.call('POST', '/api/v1/dry-run', {
      key,
      body: { method: 'POST', path: '/api/v1/reservations', body: request },
    })
    const query = `date=${tonight}&days=1&partySize=3&show=all`
    const picker = await service.call('GET', `/api/v1/availability?${query}`, { key })
    const slots: { time: string; reason: string | null }[] = picker.body.days[0].slots
    const form = { size: '3', slot: `${tonight} 19:00` }
    const page = await guestAt(service, `/v/${slug}/book`, { form })
    const posted = await post(3)
    return {
      hold: hold.body.reason,
      dryRun: dry.body.wouldAnswer.body.reason,
      picker: slots.find(({ time }) => time === '19:00')?.reason,
      page: new URL(page.headers.get('location') ?? '', service.url).searchParams.get('taken'),
      post: posted.body.reason,
    }
  }
  const refusedAtEveryDoor = {
    hold: 'tables-full',
    dryRun: 'tables-full',
    picker: 'tables-full',
    page: '19:00',
    post: 'tables-full',
  }

  it('a request that holds no row is counted at every door', async () => {
    await open(four)
    await setGuestPages(service, scene.book.venue, { doors: ['book'] })
    await taken(2)
    assert.deepEqual(await everyDoor(), refusedAtEveryDoor)
    assert.deepEqual(await held(), {})
  })

  it('a staff-only table: staff yes, the API and the pages no', async () => {
    await open([{ label: '1', most: 4, online: false }])
    await setGuestPages(service, scene.book.venue, { doors: ['book'] })
    assert.deepEqual(await everyDoor(), refusedAtEveryDoor)
    const id = await made(3)
    assert.deepEqual(await held(), { [id]: '1' })
  })

  it('of 200 requests at once for the last table one gets it', async () => {
    await open([...four, { label: '2', most: 2 }])
    await made(2)
    /** Tries again when the answer is that the venue is busy. */
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

  it('where the slot is full and the tables are too, the slot is named', async () => {
    await open(four, { pacing: { intervalMinutes: 15, maxCovers: 4, maxParties: null } })
    await taken(4)
    await refusedWith('pacing-covers-full', 2)
  })

  it('a combination that is booked refuses its members, and a member the combination', async () => {
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

  it('a table that is held until 21:00 is taken again at 21:00 and not at 20:59, and later after a gap', async () => {
    await open([{ label: '14', most: 4 }])
    await made(4)
    await refusedWith('tables-full', 2, '20:59')
    await taken(2, '21:00')
    await open([{ label: '14', most: 4 }], { floor: { turnoverMinutes: 15 } })
    await made(4)
    await refusedWith('tables-full', 2, '21:10')
    await taken(2, '21:15')
  })

  it('who stays into the next service is seen there, and the other way round', async () => {
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

  it('of two requests at once from both sides of midnight one gets the table, every time', async () => {
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

  it('on the night the clocks go back both 01:30 can be booked', async () => {
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

  it('cancelling frees the table at once, and restoring asks once it is sold', async () => {
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

  it('cancelling takes no lock of the day', async () => {
    await open(four)
    const id = await made(4)
    const [, outcome] = await scene.book.meanwhile(
      async ({ db, venue }) => {
        const { lockBookingDay } = await import('../day/open-day.ts')
        await lockBookingDay(db, venue.id, tonight)
      },
      (work) => moveReservation(work, host, { id, move: 'cancel', decidedBy: 'guest' }),
    )
    assert.equal(outcome.kind, 'done')
  })

  it('a hold takes a table until it expires, with no worker running', async () => {
    await open(four)
    const hold = await scene.book.act((work) =>
      placeHold(work, {
        ...scene.book.when(tonight, '19:30'),
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

  it('a change that is asked for holds a table at the new time, and the booking keeps its own', async () => {
    await open(four)
    const id = await made(4)
    const read = await service.call('GET', `/api/v1/reservations/${id}`, { key: scene.book.venue.key })
    const asked = await service.call('PATCH', `/api/v1/reservations/${id}`, {
      key: scene.book.venue.key,
      body: { time: '20:00' },
      headers: { 'if-match': read.headers.get('etag') as string },
    })
    assert.equal(asked.status, 202, asked.text)
    assert.deepEqual(await held(), { [id]: '1' })
    await refusedWith('tables-full', 2, '19:00')
    await refusedWith('tables-full', 2, '21:30')
    await taken(2, '17:00')
    const change = asked.body.change.id
    const outcome = await scene.book.act((work) => answerChange(work, host, { id, change, answer: 'accept' }))
    assert.equal(outcome.kind, 'done')
    assert.deepEqual(await held(), { [id]: '1' })
    await refusedWith('tables-full', 2, '21:30')
  })

  it('a dry run says whether a table is free, and takes none', async () => {
    await open([{ label: '1', most: 4 }])
    const dry = async (time: string) => {
      const body = { guestName: 'Ada', date: tonight, time, partySize: 4 }
      const tried = { method: 'POST', path: '/api/v1/reservations', body }
      const {
        status,
        body: answer,
        text,
      } = await service.call('POST', '/api/v1/dry-run', {
        key: scene.book.venue.key,
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

  it('what the picker shows is what a request gets, 500 times', async () => {
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
        { key: scene.book.venue.key },
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
          await scene.book.query('delete from reservation where venue_id = $1 and id = $2', [
            scene.book.venue.id,
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

  it('an import brings the tables along that the venue has, pinned, and puts no second party at one', async () => {
    await open([...four, { label: 'T2', most: 2 }, { label: 'T3', most: 2 }])
    const at = service.context.clock()
    const row = (line: number, tables: string, time = '19:00') => ({
      ...reservationOfRow(
        {
          reference: String(line),
          guestName: 'Ada',
          email: null,
          phone: null,
          partySize: 6,
          date: tonight,
          time,
          durationMinutes: null,
          tables,
          status: '',
          cancelledAt: null,
          cancelledBy: '',
          bookingType: null,
          notes: null,
          createdAt: null,
        },
        scene.book.venue.timezone,
        at,
      ),
      key: `file ${line}`,
    })
    const outcomes = await scene.book.act((work) =>
      importReservations(work, [
        row(1, '1 + t2'),
        row(2, '99'),
        row(3, '1,98'),
        row(4, 'T3,98'),
        row(5, 't3', '22:00'),
        row(6, 'T3', '23:00'),
      ]),
    )
    const rows = await scene.book.query('select id from reservation where venue_id = $1 order by id', [
      scene.book.venue.id,
    ])
    const [one, other, third, fourth, fifth, sixth] = rows.map(({ id }) => Number(id))
    assert.deepEqual(await held(), {
      [one as number]: '1!+T2!',
      [fourth as number]: 'T3!',
      [fifth as number]: 'T3!',
    })
    assert.deepEqual(
      outcomes.map(({ remark }) => remark),
      [
        undefined,
        'Its table is not one of yours: the booking is imported without a table.',
        'Table 1 is taken at that time: the booking is imported without a table.',
        'One of its tables is not one of yours: it has only the others.',
        'Table T3 seats 2 at most, and the party is larger: it is imported at that table.',
        'Table T3 is taken at that time: the booking is imported without a table.',
      ],
    )
    const floor = await scene.book.act((work) => eveningFloor(work, tonight))
    assert.deepEqual(
      floor.withoutTable.map(({ id }) => id),
      [other, third, sixth],
    )
    await scene.book.query(
      `insert into reservation_table (venue_id, reservation_id, table_id, pinned)
       select venue_id, $2, table_id, true from reservation_table where venue_id = $1 and reservation_id = $3
        order by table_id limit 1`,
      [scene.book.venue.id, third, one],
    )
    const met = await scene.book.act(({ db, venue }) => tableClashes(db, venue, tonight, tonight))
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
      const { version } = await scene.book.row(id)
      return scene.book.act((work) => editReservation(work, host, { id, seenVersion: version, changes }))
    }
    assert.equal((await edit({ partySize: 4 })).kind, 'done')
    assert.deepEqual(await held(), { [id]: '2!' })
    assert.equal((await edit({ when: scene.book.when(tonight, '20:00') })).kind, 'done')
    assert.deepEqual(await held(), { [id]: '2!' })
    assert.equal((await edit({ partySize: 6 })).kind, 'done')
    assert.deepEqual(await held(), { [id]: '3' })
    assert.equal((await edit({ partySize: 7 })).kind, 'needs override')
    assert.equal((await edit({ when: scene.book.when('2026-10-07', '20:00') })).kind, 'done')
    assert.deepEqual(await held(), { [id]: '3' })
  })
})
