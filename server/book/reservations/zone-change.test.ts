import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { changeVenue } from '../../core/venue/actions.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import { followZone } from './zone-change.ts'

describe('a corrected time zone', () => {
  let service: TestService
  let venue: TestVenue
  const insert = (date: string | null, time: string | null, startsAt: string | null, times = 1) =>
    service.db.session((client) =>
      client.query(
        `insert into reservation (venue_id, party_size, date, time, starts_at, status, source, created_at, updated_at)
         select $1, 2, $2, $3, $4, 'Confirmed', 'staff', now(), now() from generate_series(1, $5::integer)`,
        [venue.id, date, time, startsAt, times],
      ),
    )
  const starts = () =>
    service.db.session(async (client) => {
      const { rows } = await client.query(
        `select to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at
           from reservation where venue_id = $1 order by id`,
        [venue.id],
      )
      return rows.map(({ at }) => at)
    })
  const correct = async (timezone: string) => {
    await changeVenue(service.db, venue.slug, { timezone })
    return followZone(service.context, venue.id, async () => undefined)
  }

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('leaves date and time and recomputes the moment of every reservation, past and ahead', async () => {
    venue = await service.venue({ timezone: 'America/New_York' })
    await insert('2026-07-01', '19:30', '2026-07-01T23:30:00Z')
    await insert('2026-12-24', '00:30', '2026-12-24T05:30:00Z')
    await insert(null, null, null)
    const other = await service.venue({ timezone: 'America/New_York' })
    assert.equal(await correct('Asia/Kolkata'), 2)
    assert.deepEqual(await starts(), ['2026-07-01 14:00', '2026-12-23 19:00', null])
    venue = other
    assert.equal(await correct('Asia/Kolkata'), 0)
  })

  it('is safe to repeat: nothing left to do, nothing written', async () => {
    venue = await service.venue({ timezone: 'America/New_York' })
    await insert('2026-07-01', '19:30', '2026-07-01T23:30:00Z')
    assert.deepEqual([await correct('America/Chicago'), await correct('America/Chicago')], [1, 0])
  })

  it('keeps the later moment of a time that happens twice if the new zone has it too', async () => {
    venue = await service.venue({ timezone: 'America/New_York' })
    await insert('2026-11-01', '01:30', '2026-11-01T05:30:00Z')
    await insert('2026-11-01', '01:30', '2026-11-01T06:30:00Z')
    assert.equal(await correct('America/Toronto'), 0)
    assert.deepEqual(await starts(), ['2026-11-01 05:30', '2026-11-01 06:30'])
  })

  it('moves a time that the new clocks skip to the moment of the change', async () => {
    venue = await service.venue({ timezone: 'Europe/London' })
    await insert('2026-03-08', '02:30', '2026-03-08T02:30:00Z')
    await correct('America/New_York')
    assert.deepEqual(await starts(), ['2026-03-08 07:00'])
  })

  it('handles more reservations than one batch holds', async () => {
    venue = await service.venue({ timezone: 'UTC' })
    await insert('2026-07-01', '19:30', '2026-07-01T19:30:00Z', 2_001)
    assert.equal(await correct('Europe/London'), 2_001)
    assert.deepEqual(new Set(await starts()), new Set(['2026-07-01 18:30']))
  })

  it('corrects what an in-flight request wrote with the old zone', async () => {
    venue = await service.venue({ timezone: 'UTC' })
    await changeVenue(service.db, venue.slug, { timezone: 'Europe/London' })
    const underWay = async () => {
      await insert('2026-07-01', '19:30', '2026-07-01T19:30:00Z')
    }
    assert.equal(await followZone(service.context, venue.id, underWay), 1)
    assert.deepEqual(await starts(), ['2026-07-01 18:30'])
  })
})
