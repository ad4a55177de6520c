import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Work } from '../../../context.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { staff } from '../../../book/reservations/test/book.ts'
import { takeOutTonight } from '../../../book/rules/floor/out-tonight.ts'
import { hostAtTables } from '../../../test/host-at-book.ts'
import { madeBefore } from '../../../test/made-before.ts'
import { startService } from '../../../test/service.ts'

describe('a table that breaks while the doors are open', () => {
  const service = madeBefore(() => startService())

  const open = async (rules: object = {}) => {
    service.setClock('2026-10-06T23:00:00Z') // 19:00 in New York
    const { book, host, table } = await hostAtTables(service, [{ label: '6', most: 4 }], rules)
    const path = `/office/tables/${table['6']}`
    const panel = async () => (await host.get(`${path}?back=/office/floor`)).words
    const press = async (what: string) => {
      await host.post(`${path}/out-of-order`, { back: '/office/floor', do: what })
      return (await host.get('/office/floor')).words
    }
    return { book, host, panel, press, path, table }
  }

  it('is taken out of order for tonight by a host in one press, which says who is to move, and put back in one', async () => {
    const { book, panel, press, host } = await open()
    await book.booking('Confirmed', { guestName: 'Layla Tehrani', partySize: 2, time: '20:00' })
    assert.match(await panel(), /Out of order tonight/)
    assert.match(
      await press('take'),
      /Table 6 is out of order until \d+:00\s[AP]M\. 1 booking to move\. Undo/,
    )
    assert.match((await host.get('/office/service?size=2')).words, /No table for 2 is open now/)
    assert.match(await panel(), /Use again tonight/)
    await press('take')
    assert.equal(
      (await book.query('select 1 from table_outage where venue_id = $1', [book.venue.id])).length,
      1,
    )
    assert.match(await press('use'), /Table 6 is in use again\. Undo/)
    assert.deepEqual(await book.query('select 1 from table_outage where venue_id = $1', [book.venue.id]), [])
    assert.match(await press('use'), /Table 6 was not taken out of order for tonight\. Nothing was done\./)
    const trail = await book.query(
      `select before, after from activity where venue_id = $1 and action = 'change the tables' and after ? 'out of order' or venue_id = $1 and before ? 'out of order' order by id`,
      [book.venue.id],
    )
    const told = { 'out of order': 'Table 6: tonight, 2026-10-06' }
    assert.deepEqual(
      trail.map(({ before, after }) => [before, after]),
      [
        [null, told],
        [told, null],
      ],
    )
  })

  it('is not taken out by an unknown button, nor by somebody at another venue, nor after the service', async () => {
    const { book, path, host, panel } = await open()
    assert.equal((await host.post(`${path}/out-of-order`, { do: 'break' })).status, 400)
    const other = await hostAtTables(service, [{ label: '6', most: 4 }])
    assert.equal((await other.host.post(`${path}/out-of-order`, { do: 'take' })).status, 404)
    assert.deepEqual(await book.query('select 1 from table_outage where venue_id = $1', [book.venue.id]), [])
    service.setClock('2026-10-06T15:00:00Z') // 11:00, before the doors open
    assert.match(await panel(), /Out of order tonight/)
    const lunch = { weekday: 2, name: 'Lunch', opens: '11:00', closes: '15:00' }
    const late = await open({ periods: [lunch] })
    assert.doesNotMatch(await late.panel(), /Out of order tonight/)
    assert.match(await late.press('take'), /Tonight’s service is over\. Nothing was done\./)
  })

  it('is out of order once, though two hosts press at once', async () => {
    const { book, table } = await open()
    const out = {
      table: { id: Number(table['6']), label: '6' },
      ...{ date: '2026-10-06' as LocalDate, endMinute: 26 * 60 },
    }
    const take = (work: Work) => takeOutTonight(work, staff('host'), out)
    await book.meanwhile(take, take)
    const rows = await book.query('select 1 from table_outage where venue_id = $1', [book.venue.id])
    assert.equal(rows.length, 1)
  })
})
