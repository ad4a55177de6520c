import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import {
  floorToMinute,
  isZoneName,
  momentOfWall,
  momentWallReaches,
  momentsOfWall,
  offsetFromUtc,
  wallTimeOf,
} from './venue-clock.ts'

const instant = (text: string) => Temporal.Instant.from(text)
const newYork = 'America/New_York'
const zones = [
  newYork,
  'Australia/Lord_Howe',
  'America/Santiago',
  'Europe/Berlin',
  'Pacific/Kiritimati',
  'UTC',
]

const reached = (date: string, time: string, zone: string) =>
  momentWallReaches({ date, time }, zone).toString()

describe('venue clock', () => {
  it('floors to the minute, also before 1970', () => {
    assert.equal(floorToMinute(instant('2026-10-05T19:00:59.999Z')).toString(), '2026-10-05T19:00:00Z')
    assert.equal(floorToMinute(instant('1969-12-31T23:59:01Z')).toString(), '1969-12-31T23:59:00Z')
  })

  it("shows the venue's date and time, regardless of the process's own zone", () => {
    const moment = instant('2026-10-06T02:30:45Z')
    assert.deepEqual(wallTimeOf(moment, newYork), { date: '2026-10-05', time: '22:30' })
    assert.deepEqual(wallTimeOf(moment, 'Pacific/Kiritimati'), { date: '2026-10-06', time: '16:30' })
  })

  it('knows the times the clocks jump over', () => {
    const gaps = [
      [newYork, '2026-03-08', '02:00', '02:59'],
      ['Australia/Lord_Howe', '2026-10-04', '02:00', '02:29'],
      ['America/Santiago', '2026-09-06', '00:00', '00:59'],
    ] as const
    for (const [zone, date, first, last] of gaps) {
      assert.equal(momentsOfWall({ date, time: first }, zone), undefined)
      assert.equal(momentsOfWall({ date, time: last }, zone), undefined)
      assert.equal(momentOfWall({ date, time: first }, zone, instant('2026-01-01T00:00Z')), undefined)
    }
    assert.ok(momentsOfWall({ date: '2026-03-08', time: '01:59' }, newYork))
    assert.ok(momentsOfWall({ date: '2026-03-08', time: '03:00' }, newYork))
    assert.ok(momentsOfWall({ date: '2026-10-04', time: '02:30' }, 'Australia/Lord_Howe'))
    assert.ok(momentsOfWall({ date: '2026-09-06', time: '01:00' }, 'America/Santiago'))
  })

  it('a time that happens twice is the earlier one, unless it has passed and the later one has not', () => {
    const twice = { date: '2026-11-01', time: '01:30' }
    const [earlier, later] = ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z']
    const chosenAt = (now: string) => momentOfWall(twice, newYork, instant(now))?.toString()
    assert.equal(chosenAt('2026-10-01T00:00:00Z'), earlier)
    assert.equal(chosenAt('2026-11-01T05:30:59Z'), earlier)
    assert.equal(chosenAt('2026-11-01T05:31:00Z'), later)
    assert.equal(chosenAt('2026-11-01T06:30:00Z'), later)
    assert.equal(chosenAt('2026-11-01T06:31:00Z'), earlier)
  })

  it('the overlap of half an hour in Lord Howe has two moments 30 minutes apart', () => {
    const moments = momentsOfWall({ date: '2026-04-05', time: '01:45' }, 'Australia/Lord_Howe')
    assert.ok(moments)
    assert.equal(moments.earlier.until(moments.later).total('minutes'), 30)
  })

  it('a deadline inside a jump comes as the clocks jump; one that happens twice comes the first time', () => {
    assert.equal(reached('2026-03-08', '02:30', newYork), '2026-03-08T07:00:00Z')
    assert.equal(reached('2026-09-06', '00:00', 'America/Santiago'), '2026-09-06T04:00:00Z')
    assert.equal(reached('2026-11-01', '01:30', newYork), '2026-11-01T05:30:00Z')
    assert.equal(reached('2026-10-06', '16:00', newYork), '2026-10-06T20:00:00Z')
  })

  it('says how far the wall is from UTC, as Temporal does', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones, 'Asia/Kathmandu', 'America/St_Johns'),
        fc.integer({ min: 0, max: 60 * 365 * 1440 }),
        (zone, minute) => {
          const moment = instant('1990-01-01T00:00:00Z').add({ minutes: minute })
          const { offset } = moment.toZonedDateTimeISO(zone)
          assert.equal(offsetFromUtc(wallTimeOf(moment, zone), moment), offset)
        },
      ),
    )
  })

  it('a day that a zone skipped as it crossed the date line has no moments', () => {
    for (const time of ['00:00', '12:00', '23:59']) {
      assert.equal(momentsOfWall({ date: '2011-12-30', time }, 'Pacific/Apia'), undefined)
      assert.equal(reached('2011-12-30', time, 'Pacific/Apia'), '2011-12-30T10:00:00Z')
    }
    assert.equal(
      momentsOfWall({ date: '2011-12-31', time: '00:00' }, 'Pacific/Apia')?.earlier.toString(),
      '2011-12-30T10:00:00Z',
    )
  })

  it('on every day the moments of a wall time are those that Temporal finds', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones, 'Africa/Cairo', 'America/Havana', 'Asia/Beirut'),
        fc.integer({ min: 0, max: 60 * 365 }),
        fc.integer({ min: 0, max: 1439 }),
        (zone, day, minute) => {
          const wall = Temporal.PlainDateTime.from('1990-01-01T00:00').add({ days: day, minutes: minute })
          const time = wall.toPlainTime().toString({ smallestUnit: 'minute' })
          const moments = momentsOfWall({ date: wall.toPlainDate().toString(), time }, zone)
          const [earlier, later] = (['earlier', 'later'] as const).map((disambiguation) =>
            wall.toZonedDateTime(zone, { disambiguation }),
          )
          const exists = earlier?.toPlainDateTime().equals(wall)
          assert.equal(moments?.earlier.toString(), exists ? earlier?.toInstant().toString() : undefined)
          assert.equal(moments?.later.toString(), exists ? later?.toInstant().toString() : undefined)
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('every instant is one of the moments of the wall time it shows', () => {
    const minutes = fc.integer({ min: 0, max: 80 * 365 * 1440 })
    fc.assert(
      fc.property(minutes, fc.constantFrom(...zones), (minute, zone) => {
        const moment = Temporal.Instant.fromEpochMilliseconds(minute * 60_000)
        const moments = momentsOfWall(wallTimeOf(moment, zone), zone)
        assert.ok(moments)
        assert.ok(moment.equals(moments.earlier) || moment.equals(moments.later))
      }),
    )
  })

  it('accepts the names of zones, current and older, and refuses offsets and abbreviations', () => {
    for (const name of [
      ...zones,
      'Asia/Kolkata',
      'Asia/Calcutta',
      'Europe/Kyiv',
      'America/Argentina/Salta',
    ]) {
      assert.equal(isZoneName(name), true, name)
    }
    const refused = [
      '',
      '+02:00',
      '-0500',
      'EST',
      'Etc/GMT+5',
      'america/new_york',
      'Mars/Base',
      'New York',
      ' UTC',
    ]
    for (const name of refused) assert.equal(isZoneName(name), false, name)
  })
})
