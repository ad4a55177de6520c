import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { walkIn } from '../reservations/bookings.ts'
import { takeBackBooking } from '../reservations/delete-reservation.ts'
import { type MoveRequest, moveReservation } from '../reservations/moves.ts'
import { chooseTables, setPinned, swapTables } from './choose-tables.ts'
import { host, tableScene } from './test/scene.ts'
import { undoTableChoice } from '../reservations/undo-choice.ts'

/*
 * What an undo does when somebody did something at that table since the press. Tables 1 and 2 take four, everybody
 * stays for 90 minutes; Maya has table 1 at half past seven, and so has the party the other host is seating.
 */

const times = { at: '19:30', seconds: 5 }
type Outcome = Awaited<ReturnType<typeof moveReservation>>

describe('what another host did at a table between a press and its undo', () => {
  const scene = tableScene()
  const { service, made, held } = scene
  const act = <T>(work: Parameters<typeof scene.book.act<T>>[0]) => scene.book.act(work)
  const move = (id: number, name: MoveRequest['move'], more: Partial<MoveRequest> = {}) =>
    act((work) => moveReservation(work, host, { id, move: name, decidedBy: 'guest', ...more }))
  const done = (outcome: Outcome): readonly number[] => {
    assert.ok(outcome.kind === 'done', JSON.stringify(outcome))
    return outcome.press ?? []
  }
  const asked = (outcome: Outcome): string => {
    assert.ok(outcome.kind === 'needs override', JSON.stringify(outcome))
    return outcome.reasons.map(({ sentence }) => sentence).join(' ')
  }

  const open = async (labels = ['1', '2']): Promise<Record<string, number>> => {
    await scene.open(
      labels.map((label) => ({ label, most: 4 })),
      { turnMinutes: [{ upTo: 99, minutes: 90 }] },
    )
    return scene.ids()
  }
  const ends = async (id: number): Promise<string> => (await scene.book.row(id)).status

  /** Each press with its undo, at a moment at which it can be made. */
  const kinds = {
    cancel: { undo: 'undoCancel', clock: '2026-10-06T23:00:00Z', press: (id: number) => move(id, 'cancel') },
    'no-show': {
      undo: 'undoNoShow',
      clock: '2026-10-06T23:50:00Z',
      press: (id: number) => move(id, 'markNoShow'),
    },
    seat: {
      undo: 'undoSeat',
      clock: '2026-10-06T23:20:00Z',
      // At the other table, so that its own is free meanwhile.
      press: async (id: number) => {
        const { '2': two, '3': three } = await scene.ids()
        return move(id, 'seat', { tables: [(three ?? two) as number] })
      },
    },
    done: {
      undo: 'undoComplete',
      clock: '2026-10-06T23:40:00Z',
      press: async (id: number) => {
        done(await move(id, 'seat'))
        return move(id, 'complete')
      },
    },
  } as const satisfies Record<
    string,
    { undo: MoveRequest['move']; clock: string; press: (id: number) => Promise<Outcome> }
  >
  const back = { cancel: 'Confirmed', 'no-show': 'Confirmed', seat: 'Confirmed', done: 'Seated' } as const

  for (const [name, { undo, clock, press }] of Object.entries(kinds)) {
    const later = (await0: string) => Temporal.Instant.from(await0).add({ seconds: times.seconds }).toString()

    it(`${name}: nobody else acted, and all is as it was`, async () => {
      await open()
      const maya = await made(4, times.at)
      assert.deepEqual(await held(), { [maya]: '1' })
      service.setClock(clock)
      const rows = done(await press(maya))
      service.setClock(later(clock))
      done(await move(maya, undo, { press: rows }))
      assert.deepEqual([await held(), await ends(maya)], [{ [maya]: '1' }, back[name as keyof typeof back]])
    })

    it(`${name}: whom another host seated there stays, and is asked about by name`, async () => {
      const { '1': one } = await open(['1', '2', '3'])
      const maya = await made(4, times.at)
      const okafor = await made(4, '19:45')
      assert.deepEqual(await held(), { [maya]: '1', [okafor]: '2' })
      await act((work) => chooseTables(work, host, { id: okafor, tables: [] }))
      service.setClock(clock)
      const rows = done(await press(maya))
      service.setClock(later(clock))
      done(await move(okafor, 'seat', { tables: [one as number] }))
      const outcome = await move(maya, undo, { press: rows })
      assert.match(
        asked(outcome),
        /^Table 1 is taken by Okafor, 4 guests, from .* Okafor gets another table, or waits for one\.$/,
      )
      assert.equal((await held())[okafor], '1!')
      done(await move(maya, undo, { press: rows, confirmed: ['table-kept'] }))
      const now = await held()
      assert.equal(now[okafor], '1!', 'they sit there')
      assert.match(now[maya] ?? '', /^[23]$/)
      assert.deepEqual(await scene.clashes(), [])
    })

    it(`${name}: whom another host put there and keeps there is ${name === 'done' ? 'put elsewhere, and said to be' : 'asked about by name'}`, async () => {
      const { '1': one } = await open(['1', '2', '3'])
      const maya = await made(4, times.at)
      const okafor = await made(4, '19:45')
      service.setClock(clock)
      const rows = done(await press(maya))
      service.setClock(later(clock))
      done(await act((work) => chooseTables(work, host, { id: okafor, tables: [one as number] })))
      const outcome = await move(maya, undo, { press: rows })
      if (name === 'done') {
        // They never left it, so nobody is asked, and it is Okafor who is put elsewhere.
        done(outcome)
        const now = await held()
        assert.equal(now[maya], '1')
        assert.match(now[okafor] ?? '', /^[23]$/)
        assert.equal(outcome.kind === 'done' && outcome.elsewhere, `Okafor is now at table ${now[okafor]}`)
        return
      }
      assert.match(asked(outcome), /^Table 1 is taken by Okafor, 4 guests, from 19:45 to 21:15\. /)
      done(await move(maya, undo, { press: rows, confirmed: ['table-kept'] }))
      const now = await held()
      assert.equal(now[okafor], '1!')
      assert.match(now[maya] ?? '', /^[23]$/)
    })

    it(`${name}: a party booked there since is ${name === 'done' ? 'put elsewhere, and said to be' : 'asked about by name'}`, async () => {
      await open(['1'].concat(name === 'seat' ? ['2'] : []))
      const maya = await made(4, times.at)
      service.setClock(clock)
      const rows = done(await press(maya))
      service.setClock(later(clock))
      const { '1': one } = await scene.ids()
      const since = await made(4, '20:00', { tables: [one as number] })
      const outcome = await move(maya, undo, { press: rows })
      if (name === 'done') {
        done(outcome)
        assert.deepEqual(await held(), { [maya]: '1' })
        assert.equal(outcome.kind === 'done' && outcome.elsewhere, 'Okafor now waits for a table')
        return
      }
      const sentence = asked(outcome)
      assert.match(sentence, /^Table 1 is taken by Okafor, 4 guests, from 20:00 to 21:30\. /)
      assert.doesNotMatch(sentence, /There is no table/)
      done(await move(maya, undo, { press: rows, confirmed: ['table-kept'] }))
      const now = await held()
      if (name === 'seat') assert.deepEqual(now, { [since]: '1!', [maya]: '2' })
      else assert.deepEqual(now, { [since]: '1!' })
    })
  }

  it('a cancelled party comes back to a slot that was over its pace already, and is asked about once somebody came to it', async () => {
    await scene.open(
      [
        { label: '1', most: 4 },
        { label: '2', most: 4 },
        { label: '3', most: 4 },
      ],
      {
        turnMinutes: [{ upTo: 99, minutes: 90 }],
        pacing: { intervalMinutes: 30, maxCovers: 4, maxParties: null },
      },
    )
    service.setClock('2026-10-06T22:00:00Z')
    const over = { confirmed: ['pacing-covers-full'] } as const
    const maya = await made(4, times.at)
    const okafor = await made(4, times.at, over)
    const rows = done(await move(maya, 'cancel'))
    service.setClock('2026-10-06T22:00:01Z')
    done(await move(maya, 'undoCancel', { press: rows }))
    const again = done(await move(maya, 'cancel'))
    await made(2, '21:30')
    done(await move(maya, 'undoCancel', { press: again }))
    const third = done(await move(maya, 'cancel'))
    await made(2, times.at, over)
    assert.match(asked(await move(maya, 'undoCancel', { press: third })), /takes 4 guests/)
    assert.equal(await ends(okafor), 'Confirmed')
  })

  it('a party that a machine put there since, and that had no table before, is without one again', async () => {
    await open(['1'])
    const maya = await made(4, times.at)
    const without = await made(4, '19:45', { confirmed: ['tables-full'] })
    const rows = done(await move(maya, 'cancel'))
    await machineGives(without)
    done(await move(maya, 'undoCancel', { press: rows }))
    const now = await held()
    assert.deepEqual([now[maya], now[without]], ['1', undefined])
    const marks = await scene.book.query('select 1 from freed_place where venue_id = $1', [
      scene.book.venue.id,
    ])
    assert.ok(marks.length > 0, 'they get the next table that is free')
  })

  it('a party that had no table before and is here by now keeps the one it was given, and is asked about', async () => {
    await open(['1'])
    const maya = await made(4, times.at)
    const without = await made(4, '19:45', { confirmed: ['tables-full'] })
    service.setClock('2026-10-06T22:50:00Z')
    const rows = done(await move(maya, 'cancel'))
    await machineGives(without)
    done(await move(without, 'arrive'))
    assert.match(asked(await move(maya, 'undoCancel', { press: rows })), /^Table 1 is taken by Okafor/)
  })

  it('a party that was moved for the press goes back, pin and all; one that is here by now stays where it is', async () => {
    const { '2': two } = await open(['1', '2', '3'])
    const [maya, other] = [await made(4, times.at), await made(4, times.at)]
    assert.deepEqual(await held(), { [maya]: '1', [other]: '2' })
    await act((work) => setPinned(work, host, { id: other, pinned: true }))
    service.setClock('2026-10-06T23:20:00Z')
    const seat = () => move(maya, 'seat', { tables: [two as number], confirmed: ['table-kept'] })
    const first = done(await seat())
    assert.deepEqual(await held(), { [maya]: '2!', [other]: '1' })
    done(await move(maya, 'undoSeat', { press: first }))
    assert.deepEqual(await held(), { [maya]: '1', [other]: '2!' })

    const second = done(await seat())
    done(await move(other, 'arrive'))
    assert.match(asked(await move(maya, 'undoSeat', { press: second })), /^Table 1 is taken by Okafor/)
  })

  it('a table chosen, a swap and a pin are undone with everybody they moved', async () => {
    const { '2': two } = await open(['1', '2', '3'])
    const [maya, other] = [await made(4, times.at), await made(4, times.at)]
    const before = await held()
    const undone = async (rows: readonly number[]) =>
      done(await act((work) => undoTableChoice(work, host, { id: maya, press: rows })))
    const chosen = done(await act((work) => chooseTables(work, host, { id: maya, tables: [two as number] })))
    assert.deepEqual(await held(), { [maya]: '2!', [other]: '1' })
    await undone(chosen)
    assert.deepEqual(await held(), before)
    const swapped = done(await act((work) => swapTables(work, host, { ids: [maya, other] })))
    await undone(swapped)
    assert.deepEqual(await held(), before)
    const pinned = done(await act((work) => setPinned(work, host, { id: maya, pinned: true })))
    await undone(pinned)
    assert.deepEqual(await held(), before)
    const none = done(await act((work) => chooseTables(work, host, { id: maya, tables: [] })))
    await undone(none)
    assert.deepEqual(await held(), before)

    const again = done(await act((work) => chooseTables(work, host, { id: maya, tables: [two as number] })))
    await act((work) => chooseTables(work, host, { id: maya, tables: [] }))
    const late = await act((work) => undoTableChoice(work, host, { id: maya, press: again }))
    assert.ok(late.kind === 'refused')
    assert.match(late.sentence, /^Somebody else just took this party off its table/)
  })

  it('a walk-in that is taken back puts back whom it moved', async () => {
    const { '1': one } = await open()
    const maya = await made(4, '19:00')
    assert.deepEqual(await held(), { [maya]: '1' })
    service.setClock('2026-10-06T22:00:00Z')
    const nobody = { guestName: null, email: null, phone: null, notes: null, partySize: 4 }
    const walked = await act((work) => walkIn(work, host, { ...nobody, tables: [one as number] }))
    assert.ok(walked.kind === 'done')
    assert.deepEqual(await held(), { [maya]: '2', [walked.record.id]: '1!' })
    await act((work) => takeBackBooking(work, host, walked.record.id, 1))
    assert.deepEqual(await held(), { [maya]: '1' })
  })

  /** Half a minute later somebody books for later, and the party that has no table is given the one that is free. */
  const machineGives = async (id: number) => {
    service.setClock(service.context.clock().add({ seconds: 40 }).toString())
    await made(4, '21:30')
    assert.equal((await held())[id], '1')
  }
})
