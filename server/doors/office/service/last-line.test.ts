import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { staff } from '../../../book/reservations/test/book.ts'
import { erasePerson } from '../../../data/erasure/erase.ts'
import { hostAtTables } from '../../../test/host-at-book.ts'
import { madeBefore } from '../../../test/made-before.ts'
import { startService } from '../../../test/service.ts'

const live = { 'hx-request': 'true' }

describe('the undo in the last line', () => {
  const service = madeBefore(() => startService())

  const open = async () => {
    service.setClock('2026-10-06T23:00:00Z') // 19:00 in New York
    const tables = ['1', '2', '3'].map((label) => ({ label, most: 4 }))
    const { book, host } = await hostAtTables(service, tables)
    const party = (guestName: string) => book.booking('Confirmed', { guestName, partySize: 2, time: '19:00' })
    const press = async (id: number, move: string, status: string, headers: Record<string, string> = live) =>
      host.post(
        `/office/bookings/${id}/moves`,
        { version: String((await book.row(id)).version), status, move, back: '/office/floor' },
        headers,
      )
    /** What the last line says, with where its undo leads back to. */
    const lastLine = async (path: string): Promise<string> => {
      const { html } = await host.get(path)
      const line = /<div id="said"[^]*?<\/div><\/div>|<div id="said"[^>]*><\/div>/.exec(html)?.[0] ?? ''
      const back = /name="back" value="([^"]*)"/.exec(line)?.[1] ?? ''
      return `${line
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()} ${back}`.trim()
    }
    return { book, host, party, press, lastLine }
  }

  for (const [how, headers] of [
    ['with script', live],
    ['without script', {}],
  ] as const)
    it(`stays on all pages of the evening until the next press, ${how}`, async () => {
      const { party, press, lastLine } = await open()
      const [ana, bo] = [await party('Ana Costa'), await party('Bo Reyes')]
      await press(ana, 'seat', 'Confirmed', headers)
      const seated = /^Ana Costa, 2 guests: seated at \d\. Undo/
      for (const path of ['/office/floor', '/office/service', '/office/service', '/office/grid'])
        assert.match(await lastLine(path), seated, path)
      assert.match(await lastLine('/office/service'), /Undo \/office\/service$/, 'it comes back to this page')
      await press(bo, 'arrive', 'Confirmed', headers)
      for (const path of ['/office/floor', '/office/service'])
        assert.match(await lastLine(path), /^Bo Reyes, 2 guests: here\. Undo/, path)
    })

  it('is gone once it was pressed, and stays when a press did nothing', async () => {
    const { host, party, press, lastLine, book } = await open()
    const ana = await party('Ana Costa')
    await press(ana, 'seat', 'Confirmed')
    await press(ana, 'arrive', 'Confirmed')
    assert.match(await lastLine('/office/service'), /seated at \d\. Undo/, 'they sat already')
    const undo = { version: String((await book.row(ana)).version), status: 'Seated', move: 'undoSeat' }
    await host.post(`/office/bookings/${ana}/moves`, { ...undo, back: '/office/floor' }, live)
    assert.equal(await lastLine('/office/service'), '')
  })

  it('of “Not here yet” is as if it had not been pressed: they are here since they came', async () => {
    const { host, party, press, book } = await open()
    const ana = await party('Ana Costa')
    await press(ana, 'arrive', 'Confirmed')
    service.setClock('2026-10-06T23:20:00Z')
    await press(ana, 'undoArrive', 'Confirmed')
    const { html } = await host.get('/office/service')
    const [line = ''] = /<div id="said"[^]*?<\/form>/.exec(html) ?? []
    const fields = Array.from(
      line.matchAll(/name="([^"]+)" value="([^"]*)"/g),
      ([, name, value]) => [name as string, value as string] as const,
    )
    await host.post(`/office/bookings/${ana}/moves`, Object.fromEntries(fields), live)
    assert.equal((await book.row(ana)).checked_in_at, '2026-10-06T23:00:00.000Z')
    assert.match((await host.get('/office/service')).words, /Ana Costa , 2 guests, here for 20 minutes/)
  })

  it('is of this evening only', async () => {
    const { party, press, lastLine } = await open()
    await press(await party('Ana Costa'), 'seat', 'Confirmed')
    service.setClock('2026-10-07T03:30:00Z')
    assert.equal(await lastLine('/office/service'), '')
  })

  it('keeps nothing of a guest who is erased', async () => {
    const { press, book } = await open()
    const ana = await book.booking('Confirmed', {
      ...{ guestName: 'Ana Costa', partySize: 2, time: '19:00', email: 'ana@example.com' },
    })
    await press(ana, 'seat', 'Confirmed')
    const kept = () =>
      book.query(
        `select 1 from session where notice like '%Ana Costa%' and staff_id in (select id from staff where venue_id = $1)`,
        [book.venue.id],
      )
    assert.equal((await kept()).length, 1)
    await book.act((work) =>
      erasePerson(work, staff('owner'), { guestId: null, name: null, phone: null, email: 'ana@example.com' }),
    )
    assert.equal((await kept()).length, 0)
  })
})
