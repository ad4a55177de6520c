import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { type DocumentRules, type ServicePeriod, defaultRules } from './booking-rules.ts'
import { overlapMistakes } from './hours-overlap.ts'
import { printRulesDocument, readRulesDocument } from './rules-document.ts'

/** A rules document as operators write it, with every kind of row. */
const published = JSON.parse(`
{ "minParty": 1, "maxParty": 8, "minNoticeMinutes": 60, "maxDaysAhead": 60, "sameDayCutoff": "16:00",
  "pacing": { "intervalMinutes": 15, "maxCovers": 10, "maxParties": null },
  "turnMinutes": [{ "upTo": 2, "minutes": 90 }, { "upTo": 99, "minutes": 120 }],
  "periods": [
    { "weekday": 2, "name": "Dinner", "opens": "17:00", "closes": "22:00", "lastArrival": "21:00" },
    { "weekday": 5, "name": "Dinner", "opens": "17:00", "closes": "02:00", "lastArrival": "01:00" },
    { "weekday": 7, "name": "Brunch", "opens": "10:00", "closes": "15:00", "seatings": ["10:00", "12:00", "13:30"], "minParty": 2 } ],
  "specialDays": [{ "date": "2026-10-12", "name": "Columbus Day", "periods": [{ "opens": "17:00", "closes": "21:00" }] }],
  "closures": [{ "from": "2026-12-24", "to": "2026-12-26", "name": "Christmas break" }],
  "blocks": [{ "serviceDate": "2026-10-08", "from": "18:00", "to": "19:30", "scope": "online", "publicNote": null }] }
`) as Record<string, unknown>

const rulesOf = (document: unknown): DocumentRules => {
  const read = readRulesDocument(document)
  assert.deepEqual(read.ok ? [] : read.mistakes, [])
  return read.ok ? read.rules : assert.fail()
}

const mistakesOf = (document: unknown): readonly string[] => {
  const read = readRulesDocument(document)
  return read.ok ? [] : read.mistakes
}

/** A document that is right but for one period. */
const withPeriod = (period: Record<string, unknown>) => ({
  periods: [{ weekday: 5, opens: '17:00', closes: '02:00', ...period }],
})

const blockAt = (from: string, to: string, nextDay?: boolean) => {
  const document = { ...withPeriod({}), blocks: [{ serviceDate: '2026-10-09', from, to, nextDay }] }
  const [block] = rulesOf(document).blocks
  return [block?.fromMinute, block?.toMinute]
}

const closedAs = (name: string) => ({
  periods: [],
  closures: [{ from: '2026-12-24', to: '2026-12-24', name }],
})

const periodMistakes = (changes: Record<string, unknown>) => mistakesOf(withPeriod(changes))

describe('rules document', () => {
  it('the published one is read, a close at or before its opening on the next day', () => {
    const rules = rulesOf(published)
    assert.equal(rules.sameDayCutoffMinute, 960)
    assert.deepEqual(rules.turnTimes, [
      { upTo: 2, minutes: 90 },
      { upTo: 99, minutes: 120 },
    ])
    const spans = rules.periods.map(({ startMinute, endMinute, lastArrivalMinute }) => [
      startMinute,
      endMinute,
      lastArrivalMinute,
    ])
    assert.deepEqual(spans, [
      [1020, 1320, 1260],
      [1020, 1560, 1500],
      [600, 900, null],
    ])
    assert.deepEqual(rules.periods[2]?.seatingMinutes, [600, 720, 810])
    assert.equal(rules.periods[2]?.minParty, 2)
    assert.equal(rules.specialDays[0]?.periods[0]?.name, null)
    assert.deepEqual(rules.blocks, [
      { serviceDate: '2026-10-08', fromMinute: 1080, toMinute: 1170, scope: 'online', publicNote: null },
    ])
  })

  it('the published one is printed as it was written', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(printRulesDocument(rulesOf(published)))), published)
  })

  it('everything but periods is optional; absent, null and "" are the same', () => {
    assert.deepEqual(rulesOf({ periods: [] }), defaultRules)
    const empty = {
      minParty: null,
      maxParty: '',
      sameDayCutoff: null,
      pacing: null,
      blocks: null,
      turnMinutes: '',
    }
    assert.deepEqual(rulesOf({ periods: [], ...empty }), defaultRules)
    assert.deepEqual(mistakesOf({}), ['periods is missing.'])
  })

  it('24 hours are written with one time, and midnight as 00:00', () => {
    const [day] = rulesOf(withPeriod({ opens: '00:00', closes: '00:00' })).periods
    assert.deepEqual([day?.startMinute, day?.endMinute], [0, 1440])
    const [evening] = rulesOf(withPeriod({ closes: '00:00' })).periods
    assert.equal(evening?.endMinute, 1440)
  })

  it('a service may set its own limits', () => {
    const pacing = { maxCovers: 4 }
    const [period] = rulesOf(withPeriod({ minParty: 2, maxParty: 6, sameDayCutoff: '12:00', pacing })).periods
    assert.deepEqual(
      { ...period, name: undefined },
      {
        weekday: 5,
        name: undefined,
        startMinute: 1020,
        endMinute: 1560,
        lastArrivalMinute: null,
        seatingMinutes: [],
        minParty: 2,
        maxParty: 6,
        sameDayCutoffMinute: 720,
        pacing: { intervalMinutes: null, maxCovers: 4, maxParties: null },
      },
    )
  })

  it("a block's time after midnight is the one its evening serves", () => {
    assert.deepEqual(blockAt('18:00', '19:30'), [1080, 1170])
    assert.deepEqual(blockAt('23:00', '01:00'), [1380, 1500])
    assert.deepEqual(blockAt('00:30', '01:00'), [1470, 1500])
    assert.deepEqual(blockAt('00:00', '17:01'), [0, 1021])
    assert.deepEqual(blockAt('02:00', '03:00'), [120, 180])
    assert.deepEqual(blockAt('00:00', '17:00'), [1440, 2460])
    assert.deepEqual(blockAt('02:00', '03:00', true), [1560, 1620])
    assert.deepEqual(blockAt('00:30', '01:00', false), [30, 60])
  })

  it('a block is printed with nextDay only where its times would be read otherwise', () => {
    const hours = rulesOf(withPeriod({}))
    const printed = (fromMinute: number, toMinute: number) => {
      const block = {
        serviceDate: '2026-10-09',
        fromMinute,
        toMinute,
        scope: 'all',
        publicNote: null,
      } as const
      const [{ from, to, nextDay } = {}] = printRulesDocument({ ...hours, blocks: [block] }).blocks
      return [from, to, nextDay]
    }
    assert.deepEqual(printed(1440, 1500), ['00:00', '01:00', undefined])
    assert.deepEqual(printed(0, 60), ['00:00', '01:00', false])
    assert.deepEqual(printed(1440, 2580), ['00:00', '19:00', true])
    assert.deepEqual(printed(1560, 1620), ['02:00', '03:00', true])
  })

  it('unknown fields are refused, so that a typo does not pass silently', () => {
    assert.deepEqual(
      mistakesOf({ periods: [], maxDayAhead: 60 }).map((sentence) => sentence.slice(0, 45)),
      ['maxDayAhead is not a field of the rules; know'],
    )
    const nested: readonly (readonly [unknown, string])[] = [
      [withPeriod({ lastArival: '01:00' }), 'periods[0].lastArival'],
      [withPeriod({ pacing: { covers: 4 } }), 'periods[0].pacing.covers'],
      [
        { periods: [], closures: [{ from: '2026-12-24', to: '2026-12-24', name: 'x', why: 1 }] },
        'closures[0].why',
      ],
      [{ periods: [], turnMinutes: [{ upTo: 2, minutes: 90, max: 1 }] }, 'turnMinutes[0].max'],
      [
        {
          periods: [],
          specialDays: [{ date: '2026-12-24', periods: [{ weekday: 1, opens: '17:00', closes: '18:00' }] }],
        },
        'specialDays[0].periods[0].weekday',
      ],
    ]
    for (const [document, field] of nested) {
      assert.equal(mistakesOf(document).length, 1)
      assert.match(mistakesOf(document)[0] ?? '', new RegExp(`^${RegExp.escape(field)} is not a field`))
    }
  })

  it('every mistake is named at once, in one plain sentence each', () => {
    const document = {
      minParty: 0,
      maxParty: 2.5,
      maxDaysAhead: '60',
      sameDayCutoff: '24:00',
      periods: [
        { weekday: 8, opens: '17:00', closes: '22:00' },
        { weekday: 1, opens: '7pm', closes: '22:00' },
        { weekday: 1, closes: '22:00', name: ' ' },
      ],
      closures: [
        { from: '2026-12-26', to: '2026-12-24', name: 'Christmas' },
        { from: '2026-02-30', to: '2026-03-01' },
      ],
      blocks: [{ serviceDate: '2026-10-08', from: '25:00', to: '24:00', nextDay: 1, scope: 'guests' }],
    }
    assert.deepEqual(mistakesOf(document), [
      'periods[0].weekday must be a whole number from 1 to 7.',
      'periods[1].opens must be a time written HH:MM, such as 19:00.',
      'periods[2].opens is missing.',
      'periods[2].name must be a text.',
      'minParty must be a whole number from 1 to 10000.',
      'maxParty must be a whole number from 1 to 10000.',
      'maxDaysAhead must be a whole number from 0 to 3650.',
      'sameDayCutoff must be a time written HH:MM, such as 19:00.',
      'closures[0].to must not be before from.',
      'closures[1].from must be a real day written YYYY-MM-DD.',
      'closures[1].name is missing.',
      'blocks[0].from must be a time written HH:MM, such as 19:00.',
      'blocks[0].to must be a time written HH:MM, such as 19:00.',
      'blocks[0].nextDay must be true or false.',
      'blocks[0].scope must be one of online, all.',
    ])
  })

  it('an entry that cannot be taken names its other mistakes, too', () => {
    const periods = [{ opens: '17:00', lastArrival: '9pm', seatings: ['18:00', null] }]
    assert.deepEqual(
      mistakesOf({ periods, tables: { tables: [{ room: 'Main', most: 2, online: 'yes' }] } }),
      [
        'periods[0].weekday is missing.',
        'periods[0].closes is missing.',
        'periods[0].lastArrival must be a time written HH:MM, such as 19:00.',
        'periods[0].seatings[1] is missing.',
        'tables.tables[0].label is missing.',
        'tables.tables[0].online must be true or false.',
      ],
    )
  })

  it('what is not an object or a list is refused', () => {
    for (const document of [null, 'rules', 7, []]) assert.ok(mistakesOf(document).length > 0)
    assert.deepEqual(mistakesOf({ periods: {} }), ['periods must be a list.'])
    assert.deepEqual(mistakesOf({ periods: [], pacing: 15 }), ['pacing must be a JSON object.'])
    assert.equal(mistakesOf({ periods: [5] })[0], 'periods[0] must be a JSON object.')
  })

  it('numbers, texts and lists have bounds', () => {
    assert.deepEqual(mistakesOf(closedAs('x'.repeat(100))), [])
    assert.deepEqual(mistakesOf(closedAs('x'.repeat(101))), [
      'closures[0].name must be at most 100 characters.',
    ])
    assert.deepEqual(mistakesOf(closedAs('a\nb')), ['closures[0].name must be one line of plain text.'])
    assert.deepEqual(mistakesOf({ periods: [], pacing: { intervalMinutes: 1440, maxCovers: 0 } }), [])
    assert.equal(mistakesOf({ periods: [], pacing: { intervalMinutes: 0, maxCovers: -1 } }).length, 2)
    const rows = Array.from({ length: 51 }, (_, row) => ({ upTo: row + 1, minutes: 90 }))
    const long = Array.from({ length: 201 }, () => ({ weekday: 1, opens: '17:00', closes: '18:00' }))
    assert.deepEqual(mistakesOf({ periods: [], turnMinutes: rows.slice(1) }), [])
    assert.deepEqual(mistakesOf({ periods: [], turnMinutes: rows }), [
      'turnMinutes must have at most 50 entries.',
    ])
    assert.deepEqual(mistakesOf({ periods: long }), ['periods must have at most 200 entries.'])
  })

  it('last arrivals and seatings lie within their service', () => {
    assert.deepEqual(periodMistakes({ lastArrival: '02:00' }), [])
    assert.deepEqual(periodMistakes({ lastArrival: '02:01' }), [
      'periods[0].lastArrival must lie within the service, 17:00 to 02:00.',
    ])
    assert.deepEqual(periodMistakes({ seatings: ['17:00', '01:59'] }), [])
    assert.deepEqual(periodMistakes({ seatings: ['02:00', '16:59', '18:00', '18:00'] }), [
      'periods[0].seatings[0] must lie within the service, 17:00 to 02:00, before the close.',
      'periods[0].seatings[1] must lie within the service, 17:00 to 02:00, before the close.',
      'periods[0].seatings[3] is listed twice.',
    ])
  })

  it('a smallest party above the largest is refused, with what a service inherits', () => {
    assert.deepEqual(mistakesOf({ periods: [], minParty: 5, maxParty: 4 }), [
      'minParty must not be above maxParty, for the venue.',
    ])
    assert.deepEqual(mistakesOf({ ...withPeriod({ name: 'Dinner', minParty: 5 }), maxParty: 4 }), [
      'minParty must not be above maxParty, for Dinner.',
    ])
    assert.deepEqual(mistakesOf({ periods: [], minParty: 4, maxParty: 4 }), [])
  })

  it('a special day or a turn time given twice is refused', () => {
    const day = { date: '2026-10-12', periods: [] }
    assert.deepEqual(mistakesOf({ periods: [], specialDays: [day, day] }), [
      'specialDays has 2026-10-12 twice.',
    ])
    const row = { upTo: 2, minutes: 90 }
    assert.deepEqual(mistakesOf({ periods: [], turnMinutes: [row, row] }), [
      'turnMinutes[1].upTo is listed twice.',
    ])
  })
})

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

const from = (least: number) => (most: number) => fc.integer({ min: least, max: most })

describe('rules document, there and back', () => {
  const days = from(0)(60).map((day) => addDays('2026-10-01', day))
  const load = orNull(from(0)(100))
  const period: fc.Arbitrary<ServicePeriod> = fc
    .record({
      name: orNull(fc.constantFrom('Dinner', 'Brunch', 'Menü "à la carte"')),
      startMinute: from(0)(1439),
      length: from(1)(1440),
      last: orNull(fc.double({ min: 0, max: 0.999, noNaN: true })),
      seatings: fc.uniqueArray(from(0)(1439), { maxLength: 4 }),
      sameDayCutoffMinute: orNull(from(0)(1439)),
      minParty: orNull(from(1)(4)),
      maxParty: orNull(from(4)(9)),
      pacing: fc.record({ intervalMinutes: orNull(from(1)(1440)), maxCovers: load, maxParties: load }),
    })
    .map(({ length, last, seatings, ...period }) => ({
      ...period,
      endMinute: period.startMinute + length,
      lastArrivalMinute: last === null ? null : period.startMinute + Math.floor(last * length),
      seatingMinutes: seatings
        .filter((offset) => offset < length)
        .map((offset) => period.startMinute + offset)
        .toSorted((a, b) => a - b),
    }))
  const someRules: fc.Arbitrary<DocumentRules> = fc.record({
    onlinePaused: fc.boolean(),
    minParty: from(1)(4),
    maxParty: orNull(from(4)(9)),
    minNoticeMinutes: from(0)(5000),
    maxDaysAhead: orNull(from(0)(3650)),
    sameDayCutoffMinute: orNull(from(0)(1439)),
    pacing: fc.record({ intervalMinutes: from(1)(1440), maxCovers: load, maxParties: load }),
    slotStepMinutes: from(1)(1440),
    turnTimes: fc
      .uniqueArray(fc.record({ upTo: from(1)(99), minutes: from(1)(1440) }), { selector: ({ upTo }) => upTo })
      .map((rows) => rows.toSorted((a, b) => a.upTo - b.upTo)),
    shortestStays: fc
      .uniqueArray(fc.record({ upTo: from(1)(99), minutes: from(0)(1440) }), { selector: ({ upTo }) => upTo })
      .map((rows) => rows.toSorted((a, b) => a.upTo - b.upTo)),
    guarantees: fc.array(
      fc.record({
        asks: fc.constantFrom('card', 'deposit'),
        amountCents: from(1)(50_000),
        per: fc.constantFrom('guest', 'party'),
        freeUntilHours: from(0)(720),
        partyFrom: from(1)(99),
        services: fc.uniqueArray(fc.constantFrom('Lunch', 'Dinner')),
        from: fc.constantFrom(null, '2026-01-01'),
        to: fc.constantFrom(null, '2026-12-31'),
      }),
      { maxLength: 3 },
    ),
    keepCardDays: from(0)(14),
    letGoUnsecured: fc.boolean(),
    experiences: fc.uniqueArray(
      fc.record({
        key: fc.constantFrom('counter', 'tasting-menu', '5-courses'),
        name: fc.constantFrom('Chef’s counter', 'Tasting'),
        texts: fc.constantFrom([], [{ language: 'de' as const, name: 'Küchentheke', text: null }]),
        services: fc.uniqueArray(fc.constantFrom('Lunch', 'Dinner')),
        weekdays: fc.uniqueArray(from(1)(7)),
        from: fc.constantFrom(null, '2026-01-01'),
        to: fc.constantFrom(null, '2026-12-31'),
        partyFrom: from(1)(4),
        partyTo: orNull(from(4)(9)),
        mostPerEvening: orNull(from(1)(40)),
        asks: fc.constant('prepaid' as const),
        amountCents: from(1)(50_000),
        per: fc.constant('guest' as const),
        freeUntilHours: from(0)(720),
        feeCents: from(0)(500),
        taxRate: from(0)(100_000),
      }),
      { maxLength: 3, selector: ({ key }) => key },
    ),
    periods: fc.array(
      fc.tuple(from(1)(7), period).map(([weekday, period]) => ({ weekday, ...period })),
      { maxLength: 3 },
    ),
    specialDays: fc.uniqueArray(
      fc.record({
        date: days,
        name: orNull(fc.constant('Holiday')),
        periods: fc.array(period, { maxLength: 1 }),
      }),
      { selector: ({ date }) => date, maxLength: 3 },
    ),
    closures: fc.array(fc.record({ from: days, to: fc.constant('2027-01-01'), name: fc.constant('Refit') })),
    pacingExceptions: fc.uniqueArray(
      fc.record({ serviceDate: days, fromMinute: from(0)(2879), maxCovers: load, maxParties: load }),
      { selector: ({ serviceDate, fromMinute }) => `${serviceDate} ${fromMinute}`, maxLength: 3 },
    ),
    blocks: fc.array(
      fc
        .record({ fromMinute: from(0)(2879), length: from(1)(1440) })
        .map(({ fromMinute, length }) => ({ fromMinute, toMinute: Math.min(fromMinute + length, 2880) }))
        .chain((span) =>
          fc.record({
            serviceDate: days,
            fromMinute: fc.constant(span.fromMinute),
            toMinute: fc.constant(span.toMinute),
            scope: fc.constantFrom('online', 'all'),
            publicNote: orNull(fc.constant('Wine fair')),
          }),
        ),
      { maxLength: 4 },
    ),
  })

  it('what is printed is read back to the same rules', () => {
    fc.assert(
      fc.property(someRules, (rules) => {
        fc.pre(overlapMistakes(rules).length === 0)
        const printed: unknown = JSON.parse(JSON.stringify(printRulesDocument(rules)))
        // fast-check makes objects without a prototype; a clone has the usual one.
        assert.deepEqual(rulesOf(printed), structuredClone(rules))
      }),
      { numRuns: 500 },
    )
  })

  it('any JSON at all is read or refused, never a crash', () => {
    const field = fc.constantFrom(
      'periods',
      'pacing',
      'blocks',
      'closures',
      'specialDays',
      'turnMinutes',
      'shortestStays',
      'guarantees',
      'experiences',
      'minParty',
    )
    fc.assert(
      fc.property(fc.dictionary(field, fc.jsonValue()), (document) => {
        const read = readRulesDocument(document)
        assert.ok(read.ok || read.mistakes.every((sentence) => sentence.endsWith('.')))
      }),
    )
  })
})
