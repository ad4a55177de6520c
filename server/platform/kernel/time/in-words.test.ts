import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  dateInWords,
  dayAndYearInWords,
  dayInWords,
  dayOfMonthInWords,
  minuteInWords,
  momentInWords,
  monthInWords,
  numberInWords,
  readBy,
  shortDayInWords,
  spanInWords,
  timeInWords,
  timeOf,
  timeParts,
} from './in-words.ts'
import { type Moment, toInstant } from './moment.ts'

const day = '2026-11-21'
const moment = '2026-11-22T00:40:00.000Z' as Moment
const zone = 'America/New_York'

const everything = (): string[] => [
  timeInWords('19:40'),
  dayInWords(day),
  shortDayInWords(day),
  dayOfMonthInWords(day),
  dateInWords(day),
  dayAndYearInWords(day),
  monthInWords(day),
  momentInWords(moment, zone),
  timeOf(toInstant(moment), zone),
  spanInWords(1_020, 1_380),
  numberInWords(12_400),
]

/** With plain spaces, where Intl or the office has others. */
const plain = (texts: readonly string[]): string[] => texts.map((text) => text.replaceAll(/\s/g, ' '))

const readIn = (country: string, clockHours: 12 | 24 | null = null): string[] =>
  plain(readBy({ country, clockHours }, everything))

const times = (): string[] => ['00:00', '00:05', '09:00', '12:00', '12:30', '19:40'].map(timeInWords)

describe('words of dates, times and numbers', () => {
  it('nothing below zero is zero', () => {
    assert.equal(numberInWords(-0), '0')
    assert.equal(
      readBy({ country: 'DE', clockHours: null }, () => numberInWords(-0)),
      '0',
    )
  })

  it('are the contract’s own where no staff reads', () => {
    const contract = [
      '19:40',
      'Saturday 21 November',
      'Sat 21 Nov',
      '21 November',
      '21 November 2026',
      'Saturday 21 November 2026',
      'November 2026',
      '21 November 2026, 19:40',
      '19:40',
      '17:00–23:00',
      '12,400',
    ]
    assert.deepEqual(everything(), contract)
    assert.deepEqual(readBy(undefined, everything), contract)
    assert.deepEqual(times(), ['00:00', '00:05', '09:00', '12:00', '12:30', '19:40'])
  })

  it('are as the venue’s country writes them', () => {
    assert.deepEqual(readIn('US'), [
      '7:40 PM',
      'Saturday, November 21',
      'Sat, Nov 21',
      'November 21',
      'November 21, 2026',
      'Saturday, November 21, 2026',
      'November 2026',
      'November 21, 2026, 7:40 PM',
      '7:40 PM',
      '5:00 – 11:00 PM',
      '12,400',
    ])
    const british = readIn('GB')
    assert.deepEqual(british.slice(0, 6), [
      '19:40',
      'Saturday 21 November',
      'Sat 21 Nov',
      '21 November',
      '21 November 2026',
      'Saturday 21 November 2026',
    ])
    const german = readIn('DE')
    assert.deepEqual([german[0], german[4], german.at(-1)], ['19:40', '21 November 2026', '12.400'])
  })

  it('name midnight and noon, and never break before PM', () => {
    const us = readBy({ country: 'US', clockHours: null }, times)
    assert.deepEqual(plain(us), ['12:00 AM', '12:05 AM', '9:00 AM', '12:00 PM', '12:30 PM', '7:40 PM'])
    for (const text of us) assert.match(text, /^\d+:\d\d\u00a0[AP]M$/)
  })

  it('follow the setting before the country', () => {
    assert.deepEqual([readIn('US', 24)[0], readIn('US', 24)[1]], ['19:40', 'Saturday, November 21'])
    assert.deepEqual([readIn('GB', 12)[0], readIn('GB', 12)[1]], ['7:40 pm', 'Saturday 21 November'])
    assert.equal(readBy({ country: 'JP', clockHours: 12 }, times)[3]?.replace(/\s/, ' '), '12:00 PM')
    assert.equal(readBy({ country: 'US', clockHours: 24 }, times)[0], '00:00')
  })

  it('part from the half of the day where a list makes it plain', () => {
    const parts = readBy({ country: 'US', clockHours: null }, () => timeParts('22:30'))
    assert.deepEqual([parts.clock, plain([parts.half])[0]], ['10:30', ' PM'])
    assert.deepEqual(
      readBy({ country: 'GB', clockHours: null }, () => timeParts('22:30')),
      { clock: '22:30', half: '' },
    )
  })

  it('stay with the work they were given for, however it waits', async () => {
    const later = async (): Promise<string> => {
      await Promise.resolve()
      await new Promise((resolve) => setImmediate(resolve))
      return minuteInWords(1_180)
    }
    const [us, none, gb] = await Promise.all([
      readBy({ country: 'US', clockHours: null }, later),
      later(),
      readBy({ country: 'GB', clockHours: null }, later),
    ])
    assert.deepEqual(plain([us, none, gb]), ['7:40 PM', '19:40', '19:40'])
    assert.equal(timeInWords('19:40'), '19:40')
  })
})
