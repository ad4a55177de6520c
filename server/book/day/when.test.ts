import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { type WrittenWhen, readWhen } from './when.ts'

const newYork = 'America/New_York'
const now = Temporal.Instant.from('2026-01-05T12:00:00Z')

const read = (written: Partial<WrittenWhen>, zone = newYork, at = now) => {
  const when = readWhen({ date: undefined, time: undefined, startsAt: undefined, ...written }, zone, at)
  return { ...when, startsAt: when.startsAt.toString() }
}

const refusedWith = (written: Partial<WrittenWhen>, sentence: string | RegExp, zone = newYork) => {
  assert.throws(
    () => read(written, zone),
    (error: unknown) => {
      assert.ok(error instanceof Refusal)
      assert.equal(error.status, 400)
      assert.equal(error.reason, undefined)
      if (typeof sentence === 'string') assert.equal(error.message, sentence)
      else assert.match(error.message, sentence)
      return true
    },
  )
}

describe('when a request is for', () => {
  const dinner = { date: '2026-10-05', time: '19:00', startsAt: '2026-10-05T23:00:00Z' }

  it("a date and a time are the venue's", () => {
    assert.deepEqual(read({ date: '2026-10-05', time: '7pm' }), dinner)
  })

  it("startsAt is converted to the venue's clock and floored to the minute", () => {
    assert.deepEqual(read({ startsAt: '2026-10-06T01:00:59.9+02:00' }), dinner)
    assert.deepEqual(read({ startsAt: '2026-10-05T23:00:00Z', date: '', time: '' }), dinner)
  })

  it('omitting both is 400, never today or opening time', () => {
    refusedWith({}, 'Send a date and a time, or startsAt.')
    refusedWith({ date: '', time: '', startsAt: '' }, 'Send a date and a time, or startsAt.')
  })

  it('one without the other is 400 and names the missing one', () => {
    refusedWith({ date: '2026-10-05' }, /^The time is missing/)
    refusedWith({ time: '19:00' }, /^The date is missing/)
  })

  it('startsAt with a date and a time is accepted only if they name the same minute', () => {
    const startsAt = '2026-10-05T19:00:30-04:00'
    assert.deepEqual(read({ startsAt, date: '2026-10-05', time: '19:00' }), dinner)
    refusedWith({ startsAt, date: '2026-10-05', time: '19:01' }, /19:00 on 2026-10-05 at the venue/)
    refusedWith({ startsAt, date: '2026-10-06', time: '19:00' }, /otherwise/)
    refusedWith({ startsAt, date: '2026-10-06' }, /otherwise/)
    refusedWith({ startsAt, time: '18:00' }, /otherwise/)
    refusedWith({ startsAt, time: 'sevenish' }, /^The time cannot be read/)
  })

  it('anything unreadable is 400', () => {
    refusedWith({ date: '2026-02-31', time: '19:00' }, /^The date must be/)
    refusedWith({ date: '2026-10-05', time: 'midnight' }, /^The time cannot be read/)
    refusedWith({ startsAt: '2026-10-05T19:00' }, /with a zone offset/)
    // Moments whose UTC or venue date has no four-digit year.
    refusedWith({ date: '9999-12-31', time: '23:00' }, /^The date must be/)
    refusedWith({ startsAt: '9999-12-31T23:00:00Z' }, /with a zone offset/, 'Pacific/Kiritimati')
  })

  it('a time the clocks skip is 400 and names the moment', () => {
    refusedWith(
      { date: '2026-03-08', time: '2:30' },
      '02:30 does not exist on 8 March 2026 at the venue: the clocks go forward.',
    )
    refusedWith(
      { date: '2026-09-06', time: '00:30' },
      '00:30 does not exist on 6 September 2026 at the venue: the clocks go forward.',
      'America/Santiago',
    )
    refusedWith({ date: '2026-10-04', time: '02:15' }, /^02:15 does not exist/, 'Australia/Lord_Howe')
  })

  it('a time that happens twice is the earlier one, unless only the later one is still to come', () => {
    const twice = { date: '2026-11-01', time: '01:30' }
    assert.equal(read(twice).startsAt, '2026-11-01T05:30:00Z')
    const between = Temporal.Instant.from('2026-11-01T06:00:00Z')
    assert.equal(read(twice, newYork, between).startsAt, '2026-11-01T06:30:00Z')
  })

  it('startsAt picks its own occurrence, and both show the same time', () => {
    const first = read({ startsAt: '2026-11-01T01:30-04:00' })
    const second = read({ startsAt: '2026-11-01T01:30-05:00', date: '2026-11-01', time: '01:30' })
    assert.deepEqual([first.time, second.time], ['01:30', '01:30'])
    assert.deepEqual([first.startsAt, second.startsAt], ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'])
  })
})
