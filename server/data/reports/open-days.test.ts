import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultRules } from '../../book/rules/booking-rules.ts'
import { isOpenOn, isShutOn, openDaysOf } from './open-days.ts'

/* Thursday, October 1, 2026, and the days around it; today is Sunday, October 4. */
const thursday = '2026-10-01'
const lunch = { startMinute: 720, endMinute: 900, lastArrivalMinute: null }
const dinner = { startMinute: 1020, endMinute: 1380, lastArrivalMinute: 1290 }
const rulesOf = (services: readonly object[], more: object = {}) => ({
  ...defaultRules,
  periods: [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) => services.map((one) => ({ ...one, weekday }))) as never,
  ...more,
})
type Span = readonly [from: number, to: number, more?: object]
const blocked = (...spans: readonly Span[]) => ({
  blocks: spans.map(([fromMinute, toMinute, more]) => ({
    ...{ serviceDate: thursday, scope: 'all', publicNote: null, fromMinute, toMinute },
    ...more,
  })) as never,
})

describe('a date is shut', () => {
  const isShut = (services: readonly object[], ...spans: readonly Span[]): boolean =>
    isShutOn(rulesOf(services, blocked(...spans)), thursday)

  it('where blocks of all bookings leave no arrival of any of its services', () => {
    assert.equal(isShut([dinner]), false)
    assert.equal(isShut([dinner], [1020, 1380]), true)
    assert.equal(isShut([dinner], [1020, 1291]), true, 'until after the last arrival')
    assert.equal(isShut([dinner], [1020, 1290]), false, 'the last arrival is left')
    assert.equal(isShut([dinner], [1021, 1380]), false, 'the first one is left')
    assert.equal(isShut([lunch], [720, 900]), true)
    assert.equal(isShut([lunch], [720, 899]), false, 'without a last arrival its end counts')
    assert.equal(isShut([lunch, dinner], [1020, 1380]), false, 'lunch is left')
    assert.equal(isShut([lunch, dinner], [1020, 1380], [720, 900]), true)
  })

  it('where several blocks beside each other do, in any order, and not where they leave a gap', () => {
    assert.equal(isShut([dinner], [1200, 1380], [1020, 1200]), true)
    assert.equal(isShut([dinner], [1201, 1380], [1020, 1200]), false)
    assert.equal(isShut([dinner], [1020, 1380], [1020, 1100]), true, 'a short one within a long one')
    assert.equal(isShut([dinner], [1020, 1100], [1030, 1060], [1100, 1380]), true)
  })

  it('by no block of another date, nor one of online bookings alone', () => {
    assert.equal(isShut([dinner], [1020, 1380, { serviceDate: '2026-10-02' }]), false)
    assert.equal(isShut([dinner], [1020, 1380, { scope: 'online' }]), false)
  })

  it('where it has no service, or a closure', () => {
    assert.equal(isShut([]), true)
    const closures = [{ from: '2026-09-30', to: thursday, name: 'Holiday' }]
    assert.equal(isShutOn(rulesOf([dinner], { closures }), thursday), true)
    assert.equal(isShutOn(rulesOf([dinner], { closures }), '2026-10-02'), false)
  })
})

describe('a date is an open day', () => {
  const isOpen = (services: readonly object[], hasGuests: boolean, more: object = {}): boolean =>
    isOpenOn({ rules: rulesOf(services, more), since: null }, thursday, hasGuests)

  it('with a service, also if nobody comes; without one where somebody came; and never where the venue closed or blocked it', () => {
    const closures = [{ from: thursday, to: thursday, name: 'Fair' }]
    assert.deepEqual([isOpen([dinner], false), isOpen([dinner], true)], [true, true])
    assert.deepEqual([isOpen([], false), isOpen([], true)], [false, true])
    const closed = [isOpen([dinner], false, { closures }), isOpen([dinner], true, { closures })]
    assert.deepEqual(closed, [false, false])
    const block = blocked([1020, 1380])
    assert.deepEqual([isOpen([dinner], false, block), isOpen([dinner], true, block)], [false, false])
  })

  it('by the weekly hours of its time, and by closed days and blocks as they are now', () => {
    const hoursBefore = [
      { before: thursday, periods: [] },
      { before: '2026-10-02', periods: rulesOf([lunch]).periods },
    ]
    assert.equal(isOpen([], false, { hoursBefore }), true, 'it had lunch')
    assert.equal(isOpen([dinner], false, { hoursBefore, ...blocked([1020, 1380]) }), true)
    assert.equal(isOpen([dinner], true, { hoursBefore, ...blocked([720, 900]) }), false)
    assert.equal(isOpen([dinner], false, { hoursBefore: hoursBefore.slice(0, 1) }), true, 'changed that day')
    const closedThen = [{ before: '2026-10-02', periods: [] }]
    assert.equal(isOpen([dinner], false, { hoursBefore: closedThen }), false)
    assert.equal(
      isOpen([dinner], true, { hoursBefore: closedThen }),
      true,
      'guests of a weekday without hours',
    )
  })

  it('from the first booking on', () => {
    const isOpenFrom = (since: string, hasGuests: boolean): boolean =>
      isOpenOn({ rules: rulesOf([dinner]), since }, thursday, hasGuests)
    assert.deepEqual([isOpenFrom(thursday, false), isOpenFrom('2026-10-02', false)], [true, false])
    assert.equal(isOpenFrom('2026-10-02', true), true)
  })
})

describe('the open days of a period', () => {
  const days = { from: '2026-09-29', to: '2026-10-06' }
  const open = (covers: Readonly<Record<string, number>>, rules = rulesOf([dinner]), since?: string) =>
    openDaysOf(
      Object.entries(covers).map(([date, n]) => ({ key: { date }, n, d: null, value: n })),
      days,
      { rules, today: '2026-10-04', since: since ?? null },
    )

  it('are those that are over and had a service, or guests', () => {
    assert.deepEqual(open({}).dates, ['2026-09-29', '2026-09-30', thursday, '2026-10-02', '2026-10-03'])
    const closed = rulesOf([])
    assert.deepEqual(open({ [thursday]: 4, '2026-10-04': 9 }, closed).dates, [thursday])
  })

  it('leave out a day that the venue closed or blocked, and name it if somebody came anyway', () => {
    const closures = [{ from: '2026-10-02', to: '2026-10-02', name: 'Fair' }]
    for (const [shut, more] of [
      [thursday, blocked([1020, 1380])],
      ['2026-10-02', { closures }],
    ] as const) {
      const { covers, dates, shut: named } = open({ [shut]: 4 }, rulesOf([dinner], more))
      assert.deepEqual([dates.includes(shut), dates.length, named], [false, 4, [shut]])
      assert.equal(covers.length, 1, 'its guests are in the total')
      assert.deepEqual(open({}, rulesOf([dinner], more)).shut, [], 'nobody came')
    }
  })

  it('count no guest of today or a day to come', () => {
    const { covers } = open({ '2026-10-03': 4, '2026-10-04': 9, '2026-10-06': 2 })
    assert.deepEqual(
      covers.map(({ key }) => key['date']),
      ['2026-10-03'],
    )
  })

  it('begin with the first booking, but for guests that a file brought', () => {
    assert.deepEqual(open({}, rulesOf([dinner]), '2026-10-02').dates, ['2026-10-02', '2026-10-03'])
    assert.deepEqual(open({ '2026-09-30': 4 }, rulesOf([dinner]), '2026-10-03').dates, [
      '2026-09-30',
      '2026-10-03',
    ])
  })

  it('say why one that is over had a service less, in the words that guests were told', () => {
    const reasons = (more: object, services = [lunch, dinner]): (readonly [string, string])[] => [
      ...(open({}, rulesOf(services, more)).closed ?? []),
    ]
    assert.deepEqual(reasons({}), [])
    assert.deepEqual(reasons(blocked([720, 900])), [[thursday, '']])
    assert.deepEqual(
      reasons(blocked([720, 900], [1020, 1380, { publicNote: 'Private party' }])),
      [[thursday, 'private party']],
      'of the block that has words',
    )
    assert.deepEqual(reasons(blocked([720, 800, { publicNote: 'Short' }])), [], 'it has an arrival left')
    const closures = [
      { from: '2026-10-02', to: '2026-10-02', name: 'Fair' },
      { from: '2026-10-05', to: '2026-10-05', name: 'Not yet' },
    ]
    assert.deepEqual(reasons({ closures }), [['2026-10-02', 'Fair']])
    assert.deepEqual(reasons({ closures }, []), [], 'nothing was planned')
  })
})
