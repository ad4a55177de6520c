import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { clockTimeAt, minuteOfDay, readDate, readMoment, readQueryMoment, readTime } from './written-time.ts'

describe('written dates', () => {
  it('are exactly YYYY-MM-DD and a real day', () => {
    for (const date of ['2026-10-05', '2028-02-29', '0001-01-01', '9999-12-31'])
      assert.equal(readDate(date), date)
  })

  it('are refused in any other form', () => {
    const refused = [
      '20260210',
      '2026-02-10T10:00',
      '+002026-02-10',
      '2026-02-10[u-ca=gregory]',
      '2026-02-31',
      '2027-02-29',
      '2026-13-01',
      '2026-00-10',
      '0000-01-01',
      '2026-2-10',
      ' 2026-02-10',
      '2026-02-10\n',
      '10/02/2026',
      '２０２６-02-10',
      '',
    ]
    for (const text of refused) assert.equal(readDate(text), undefined, JSON.stringify(text))
  })
})

describe('written times', () => {
  const accepted: Record<string, readonly string[]> = {
    '19:00': [
      '19:00',
      '19.00',
      '19h00',
      '19H00',
      '1900',
      '19:00:45',
      '7:00 PM',
      '7pm',
      '7 pm',
      '7p',
      '7 P.M.',
      '07:00pm',
      '700pm',
      '0700 p.m.',
    ],
    '19:30': ['730pm', '0730pm', '730 PM', '0730p', '7:30pm', '07.30 p.m.'],
    '13:12': ['112pm', '0112pm', '1:12pm'],
    '23:12': ['1112pm', '11:12pm'],
    '07:00': [
      '7:00',
      '07:00',
      '7.00',
      '7h00',
      '0700',
      '7am',
      '7 a.m.',
      '7 a',
      '7:00\u202fAM',
      '7:00\u00a0am',
      '７：００',
    ],
    '07:30': ['0730', '7.30 am', '7:30a', '  7:30  ', `7:30${' '.repeat(36)}`, '7:30\tam'],
    '12:30': ['1230', '12:30', '12:30 pm', '12.30pm', '1230pm'],
    '12:00': ['noon', 'Midday', '12 NOON', '12 noon', '12pm', '12:00'],
    '00:00': ['00:00', '0:00', '0000', '12am', '12:00 AM', '1200am'],
    '00:30': ['12:30am', '0:30', '0030'],
    '23:59': ['23:59', '11:59 pm', '2359', '23:59:59'],
  }
  for (const [time, forms] of Object.entries(accepted)) {
    it(`${time} may be written ${forms.length} ways`, () => {
      for (const form of forms) assert.equal(readTime(form), time, JSON.stringify(form))
    })
  }

  it('are refused where they could mean two things, name a zone, or are no time at all', () => {
    const refused = [
      ['7', '19', '730', '24:00', '2400', 'midnight', '12 midnight', '13pm', '0:30am', '00:30am', '0pm'],
      ['19:00 PM', '1900pm', '19:00+02:00', '19:00Z', '19:00 EST', '2026-10-05T19:00', '19:60', '1960'],
      [
        '7:60pm',
        '7:5pm',
        '19:0',
        '19:00:60',
        '19:00:5',
        '7:00:00 pm',
        '19h',
        '19:00h',
        '-1:00',
        '7pmm',
        '7.pm',
      ],
      // Twelve hours and no more, also without a separator, and two digits of minutes.
      ['1330pm', '1300pm', '0030am', '000am', '760pm', '1260am', '73pm', '00730pm', '07300pm', '7 30pm'],
      ['', ' ', 'seven', '7 o’clock', '12 midday', '7p.m', '19::00', '019:00', `${' '.repeat(36)}19:00`],
    ].flat()
    for (const text of refused) assert.equal(readTime(text), undefined, JSON.stringify(text))
  })

  it('a printed time reads back, and minutes and times are the same thing twice', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1439 }), (minute) => {
        const time = clockTimeAt(minute)
        assert.equal(readTime(time), time)
        assert.equal(minuteOfDay(time), minute)
        assert.equal(clockTimeAt(minute + 1440), time)
      }),
    )
  })

  it('what it reads is always a time the contract can print, and anything else is undefined', () => {
    const characters = fc.string({ unit: fc.constantFrom(...'0123456789:.h apmn\u202f'.split('')) })
    fc.assert(
      fc.property(fc.oneof(characters, fc.string()), (text) => {
        assert.match(readTime(text) ?? '00:00', /^([01]\d|2[0-3]):[0-5]\d$/)
      }),
    )
  })
})

describe('written moments', () => {
  it('are a date, a time and an offset', () => {
    const accepted: Record<string, string> = {
      '2026-10-05T19:00:00Z': '2026-10-05T19:00:00Z',
      '2026-10-05t19:00z': '2026-10-05T19:00:00Z',
      '2026-10-05 19:00:00.123456789-04:00': '2026-10-05T23:00:00.123456789Z',
      '2026-10-05T19:00:00,5+02': '2026-10-05T17:00:00.5Z',
      '2026-10-05T19:00:00-0500': '2026-10-06T00:00:00Z',
      '2026-10-05T19:00-05': '2026-10-06T00:00:00Z',
      '2026-10-05T19:00+0530[Asia/Kolkata]': '2026-10-05T13:30:00Z',
      // The offset wins over the zone behind it.
      '2026-10-05T19:00-04:00[Europe/Berlin]': '2026-10-05T23:00:00Z',
      '2026-10-05T19:00Z[America/New_York]': '2026-10-05T19:00:00Z',
      '0001-01-01T00:00:00Z': '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999999999Z': '9999-12-31T23:59:59.999999999Z',
    }
    for (const [text, moment] of Object.entries(accepted))
      assert.equal(readMoment(text)?.toString(), moment, text)
  })

  it('are refused without an offset, in other forms, and beyond the years 1 to 9999', () => {
    const refused = [
      ['2026-10-05', '2026-10-05T19:00', '2026-10-05T19:00[America/New_York]', '1759690800', '19:00Z', ''],
      ['Mon, 05 Oct 2026 19:00:00 GMT', '20261005T190000Z', '2026-10-05T19Z', '2026-10-05T19:00+020'],
      ['2026-10-05T19:00+2:00', '2026-10-05T19:00+02000', '2026-10-05T19:00-2500', '2026-10-05T19:00-05:'],
      ['2026-02-31T19:00Z', '2026-10-05T24:00Z', '2026-10-05T19:60Z', '2026-10-05T19:00:00.1234567891Z'],
      ['+002026-10-05T19:00Z', '0000-01-01T00:00Z', '0001-01-01T00:00+14:00', '9999-12-31T23:00-02:00'],
      [' 2026-10-05T19:00Z', '2026-10-05T19:00Z ', '2026-10-05T19:00Z\n', '2026-10-05T19:00 02:00'],
    ].flat()
    for (const text of refused) assert.equal(readMoment(text), undefined, JSON.stringify(text))
  })

  it('in a query, a raw + that arrived as a space is read as +', () => {
    assert.equal(readQueryMoment('2026-10-05T19:00:00 02:00')?.toString(), '2026-10-05T17:00:00Z')
    assert.equal(readQueryMoment('2026-10-05T19:00:00 0200')?.toString(), '2026-10-05T17:00:00Z')
    assert.equal(readQueryMoment('2026-10-05 19:00 02')?.toString(), '2026-10-05T17:00:00Z')
    assert.equal(readQueryMoment('2026-10-05 19:00Z')?.toString(), '2026-10-05T19:00:00Z')
    assert.equal(readQueryMoment('2026-10-05 19:00'), undefined)
    assert.equal(readQueryMoment('2026-10-05T19:00 '), undefined)
  })

  it('a printed instant reads back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (milliseconds) => {
        const instant = Temporal.Instant.fromEpochMilliseconds(milliseconds)
        assert.ok(readMoment(instant.toString())?.equals(instant))
      }),
    )
  })
})
