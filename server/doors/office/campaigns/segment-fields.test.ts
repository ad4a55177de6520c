import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Segment, SegmentPart } from '@venue-data/contract/records/segment.ts'
import fc from 'fast-check'
import { readSegment } from '../../../marketing/campaigns/audience/segments.ts'
import { percent } from './report-chart.ts'
import { perMinute, readLook } from './report-mark.ts'
import { segmentOfTyped, typedOfSegment } from './segment-fields.ts'
import { segmentWords } from './segment-words.ts'

const days = fc.integer({ min: 1, max: 3_650 })
const visits = fc.integer({ min: 1, max: 10_000 })
const id = fc.integer({ min: 1, max: 1_000_000 })
const tags = fc.uniqueArray(fc.constantFrom('Wine', 'Jazz', 'Brunch', 'Père Noël', '<b>'), { minLength: 1 })
const some = <T extends object>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(shape, { requiredKeys: [] })

const parts = fc.record(
  {
    tag: some({ anyOf: tags, allOf: tags, noneOf: tags }).filter((one) => Object.keys(one).length > 0),
    birthday: some({ month: fc.integer({ min: 1, max: 12 }) }),
    visited: some({ withinDays: days, minVisits: visits }),
    lapsed: fc.record({ notSinceDays: days, minVisits: visits }, { requiredKeys: ['notSinceDays'] }),
    ticketBuyers: fc.record({ eventId: id }),
  },
  { requiredKeys: [] },
)
const exclusions = some({
  ticketHoldersOf: fc.oneof(id, fc.constant(false)),
  tags,
  mailedWithinDays: days,
  campaigns: fc.uniqueArray(id, { minLength: 1, maxLength: 50 }),
})

/** A segment with at most one condition of a kind, in the order of the form. */
const segments = fc.tuple(parts, exclusions).map(([kinds, exclude]): Segment => {
  const of = Object.entries(kinds).map(([type, fields]) => ({ type, ...fields }) as SegmentPart)
  const [one = { type: 'all' } as const, ...more] = of
  return readSegment({
    ...(more.length > 0 ? { type: 'and', of } : one),
    ...(Object.keys(exclude).length > 0 && { exclude }),
  })
})

describe('who gets a campaign, in the form', () => {
  it('any segment comes back from the form unchanged', () => {
    fc.assert(
      fc.property(segments, (segment) => {
        const typed = typedOfSegment(segment)
        assert.ok(typed)
        const again = segmentOfTyped(typed)
        // "In the last 30 days" without a number is at least once; both mean the same people.
        const plain = (one: Segment) =>
          JSON.parse(JSON.stringify(one), (key, value) =>
            key === 'minVisits' && value === 1 ? undefined : value,
          )
        assert.deepEqual(plain(again), plain(segment))
      }),
    )
  })

  it('is described in plain sentences with no code', () => {
    fc.assert(
      fc.property(segments, (segment) => {
        const sentences = segmentWords(segment, (event) => `event ${event}`)
        assert.ok(sentences.length > 0)
        for (const one of sentences) assert.doesNotMatch(one, /undefined|null|NaN|\[object/)
      }),
    )
    assert.deepEqual(segmentWords({ type: 'all' }, String), ['Everybody who is subscribed.'])
    assert.deepEqual(
      segmentWords(
        {
          type: 'and',
          of: [
            { type: 'tag', anyOf: ['Wine', 'Jazz'] },
            { type: 'lapsed', notSinceDays: 90, minVisits: 2 },
          ],
          exclude: { mailedWithinDays: 1 },
        },
        String,
      ),
      [
        'Subscribers with one of the tags Wine or Jazz and who came at least twice but not in the last 90 days.',
        'Excluding those emailed in the last day.',
      ],
    )
  })

  it('is not guessed where the form cannot hold it', () => {
    const twice = readSegment({
      type: 'and',
      of: [
        { type: 'birthday', month: 1 },
        { type: 'birthday', month: 2 },
      ],
    })
    assert.equal(typedOfSegment(twice), undefined)
  })
})

describe('the figures of a report', () => {
  it('have as many digits as they need', () => {
    const said = [
      [0, 10],
      [1, 3],
      [1, 40],
      [3, 1_000],
      [1, 2_000],
      [1, 1_000_000],
      [999, 1_000],
      [1_000, 1_000],
      [5, 0],
    ].map(([count = 0, of = 0]) => percent(count, of))
    assert.deepEqual(said, ['0%', '33%', '2.5%', '0.3%', '0.05%', '0.01%', 'over 99%', '100%', '0%'])
  })

  it('tell the speed since the last look, else since the beginning', () => {
    const now = Temporal.Instant.from('2026-10-06T19:02:00Z')
    const row = { sent_count: 300, started_at: '2026-10-06T19:00:00.000Z' } as Parameters<typeof perMinute>[0]
    assert.equal(perMinute(row, now, undefined), 150)
    const last = { mark: 'x', sent: 280, at: now.subtract({ seconds: 2 }).epochMilliseconds }
    assert.equal(perMinute(row, now, last), 600)
    assert.equal(perMinute({ ...row, started_at: null }, now, undefined), undefined)
    for (const odd of [null, '', 'x', '1-2_3', '1-2_3_-4', `${'1'.repeat(200)}_1_1`])
      assert.equal(readLook(odd), undefined)
    assert.deepEqual(readLook('1-2-3_40_1700000000000'), { mark: '1-2-3', sent: 40, at: 1_700_000_000_000 })
  })
})
