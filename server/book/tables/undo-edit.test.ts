import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { editReservation } from '../reservations/edits/edits.ts'
import type { ConfirmedReason } from '../reservations/staff-reasons.ts'
import { type Seen, staffOf, visitOffice } from '../../test/office.ts'
import { joinWaitlist } from '../waitlist/actions.ts'
import { lookAtFreed } from '../waitlist/freed-job.ts'
import { bookFromWaitlist, recallParty, seatFromWaitlist } from '../waitlist/seat-party.ts'
import { setPinned } from './choose-tables.ts'
import { host, tableScene, tonight } from './test/scene.ts'

/*
 * The undo of a press that put a party at another time, date or table and moved others for it. Tables 1 to 3 take four,
 * everybody stays for 90 minutes.
 */

const tomorrow = '2026-10-07'
const ninety = { turnMinutes: [{ upTo: 99, minutes: 90 }] }

describe('the undo of an edit, a drag or a press on the waitlist that moved others', () => {
  const scene = tableScene()
  const { service, made, held } = scene
  const act = <T>(work: Parameters<typeof scene.book.act<T>>[0]) => scene.book.act(work)
  const open = async (labels = ['1', '2', '3']): Promise<Record<string, number>> => {
    await scene.open(
      labels.map((label) => ({ label, most: 4 })),
      ninety,
    )
    return scene.ids()
  }
  type Edit = {
    date?: string
    time?: string
    tables?: readonly number[]
    press?: readonly number[]
    confirmed?: readonly ConfirmedReason[]
    partySize?: number
  }
  const edit = async (id: number, { date = tonight, time, partySize, ...more }: Edit) => {
    const { version: seenVersion } = await scene.book.row(id)
    const changes = {
      ...(time !== undefined && { when: scene.book.when(date, time) }),
      ...(partySize !== undefined && { partySize }),
    }
    return act((work) => editReservation(work, host, { id, seenVersion, changes, ...more }))
  }
  const pressOf = (outcome: Awaited<ReturnType<typeof edit>>): readonly number[] => {
    assert.ok(outcome.kind === 'done', JSON.stringify(outcome))
    return outcome.press ?? []
  }
  const later = (seconds: number) =>
    service.setClock(
      service.context
        .clock()
        .add({ milliseconds: seconds * 1_000 })
        .toString(),
    )
  const look = async () => (await lookAtFreed({ ...service.context, db: service.context.workerDb })).tables

  it('another time, at a table that somebody had there: both are where they were, pin and all', async () => {
    const { '1': one } = await open()
    const maya = await made(4, '19:00')
    await act((work) => setPinned(work, host, { id: maya, pinned: true }))
    const other = await made(4, '21:00')
    const before = await held()
    assert.deepEqual(before, { [maya]: '1!', [other]: '1' })
    const press = pressOf(await edit(maya, { time: '21:00', tables: [one as number] }))
    assert.deepEqual(await held(), { [maya]: '1!', [other]: '2' })
    later(5)
    pressOf(await edit(maya, { time: '19:00', press }))
    assert.deepEqual(await held(), before)
  })

  it('a larger party, for which another moved', async () => {
    await scene.open(
      [
        { label: '1', most: 2 },
        { label: '2', most: 4 },
        { label: '3', most: 4 },
      ],
      ninety,
    )
    const [maya, small, third] = [await made(2, '19:00'), await made(2, '19:00'), await made(3, '19:00')]
    const before = await held()
    assert.deepEqual(before, { [maya]: '1', [small]: '2', [third]: '3' })
    const press = pressOf(await edit(maya, { partySize: 4 }))
    const moved = await held()
    assert.deepEqual([moved[small], moved[maya] !== before[maya]], ['1', true])
    later(0.2)
    pressOf(await edit(maya, { partySize: 2, press }))
    assert.deepEqual(await held(), before)
  })

  for (const seconds of [0.2, 5, 40]) {
    it(`another date, ${seconds} s later: both evenings are as they were`, async () => {
      const { '1': one } = await open()
      const maya = await made(4, '19:00')
      const other = await made(4, '19:00', { date: tomorrow })
      const beside = await made(4, '19:30', { date: tomorrow })
      const before = await held()
      assert.deepEqual(before, { [maya]: '1', [other]: '1', [beside]: '2' })
      const press = pressOf(await edit(maya, { date: tomorrow, time: '19:00', tables: [one as number] }))
      assert.deepEqual(await held(), { [maya]: '1', [other]: '3', [beside]: '2' })
      later(seconds)
      await look()
      pressOf(await edit(maya, { time: '19:00', press }))
      assert.deepEqual(await held(), before)
    })
  }

  it('another date: whom the machine put at their table meanwhile makes room; whom people booked there is asked about', async () => {
    const { '1': one } = await open(['1'])
    const maya = await made(4, '19:00')
    const zhao = await made(4, '19:30', { confirmed: ['tables-full'] })
    const press = pressOf(await edit(maya, { date: tomorrow, time: '19:00' }))
    later(29)
    assert.equal(await look(), 0)
    later(2)
    assert.equal(await look(), 1)
    assert.deepEqual(await held(), { [maya]: '1', [zhao]: '1' })
    pressOf(await edit(maya, { time: '19:00', press }))
    assert.deepEqual(await held(), { [maya]: '1' })

    const again = pressOf(await edit(maya, { date: tomorrow, time: '19:00' }))
    await made(4, '20:00', { tables: [one as number] })
    const outcome = await edit(maya, { time: '19:00', press: again })
    assert.ok(outcome.kind === 'needs override', JSON.stringify(outcome))
    const [reason, ...others] = outcome.reasons
    assert.deepEqual(others, [])
    assert.match(reason?.sentence ?? '', /^Table 1 is taken by Okafor, 4 guests, from 20:00 to 21:30\. /)
  })

  /** What the Undo of the last line sends. */
  const undoIn = ({ html }: Seen): Record<string, string> =>
    Object.fromEntries(
      Array.from(
        (/<form[^]*?Undo/.exec(html.slice(html.indexOf('id="said"')))?.[0] ?? '').matchAll(
          /name="([^"]+)"\s+value="([^"]*)"/g,
        ),
        ([, name, value]) => [name as string, value as string],
      ),
    )

  it('a block that was dragged to a table and a time', async () => {
    const { '1': one } = await open()
    const maya = await made(4, '19:00')
    const other = await made(4, '21:00')
    await act((work) => setPinned(work, host, { id: maya, pinned: true }))
    const before = await held()
    assert.deepEqual(before, { [maya]: '1!', [other]: '1' })
    const office = visitOffice(service)
    await office.signIn((await staffOf(service, scene.book.venue, 'host')).email)
    const drag = (fields: Record<string, string>) =>
      office.post('/office/grid/moves', fields, { 'hx-request': 'true' })
    const { version } = await scene.book.row(maya)
    const dragged = await drag({
      ...{ id: String(maya), version: String(version), back: '/office/grid' },
      ...{ shift: '120', longer: '0', to: String(one) },
    })
    const after = await held()
    assert.equal(after[maya], '1!')
    assert.notEqual(after[other], before[other])
    await drag(undoIn(dragged))
    assert.deepEqual(await held(), before)
    assert.equal((await scene.book.row(maya)).time, '19:00')
  })

  describe('a party of the waitlist', () => {
    const joined = async () => {
      const party = { guestName: 'Maya', partySize: 4, email: null, phone: null, notes: null }
      const { id } = await act((work) =>
        joinWaitlist(work, host, { ...party, windowStart: null, windowEnd: null }),
      )
      return id
    }

    it('that was seated where somebody was expected', async () => {
      const { '1': one } = await open()
      const other = await made(4, '19:30')
      await act((work) => setPinned(work, host, { id: other, pinned: true }))
      const before = await held()
      service.setClock('2026-10-06T22:30:00Z')
      const id = await joined()
      const seated = await act((work) =>
        seatFromWaitlist(work, host, { id, tables: [one as number], confirmed: ['table-kept'] }),
      )
      assert.equal(seated.kind, 'done')
      assert.equal((await held())[other], '2')
      later(5)
      assert.equal((await act((work) => recallParty(work, host, { id, isUndo: true }))).kind, 'done')
      assert.deepEqual(await held(), before)
    })

    it('that was booked for later where somebody was expected', async () => {
      const { '1': one } = await open()
      const other = await made(4, '21:00')
      const before = await held()
      service.setClock('2026-10-06T22:30:00Z')
      const id = await joined()
      const when = scene.book.when(tonight, '21:00')
      const booked = await act((work) => bookFromWaitlist(work, host, { id, when, tables: [one as number] }))
      assert.equal(booked.kind, 'done')
      assert.equal((await held())[other], '2')
      later(5)
      assert.equal((await act((work) => recallParty(work, host, { id, isUndo: true }))).kind, 'done')
      const { [other]: table } = await held()
      assert.equal(table, before[other])
    })
  })
})
