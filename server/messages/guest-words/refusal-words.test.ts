import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BookingRules } from '../../book/rules/booking-rules.ts'
import { openTimes } from '../../book/reservations/rules/open-times.ts'
import { at, loadOf, newYork, onWeekday, someRules } from '../../book/reservations/test/venue.ts'
import { type GuestLanguage, guestLanguages } from '../../platform/kernel/guest-language.ts'
import { type GuestFormats, formatsFor } from './formats.ts'
import { refusalSentences } from './refusal-words.ts'
import { wordsIn } from './words.ts'

const lunch = onWeekday(3, { startMinute: 720, endMinute: 750, lastArrivalMinute: 735, minParty: 2 })
const dinner = onWeekday(3, { startMinute: 1020, endMinute: 1050 })

const plain = (text: string): string => text.replaceAll(/\s/g, ' ')
const formatsOf = (language: GuestLanguage) => formatsFor(language, { country: 'US', timezone: newYork })

type Asked = {
  readonly covers?: number
  readonly now?: Temporal.Instant
  readonly language?: GuestLanguage
}

/** What is said of the times of a Wednesday for two, at noon the day before. */
const said = (
  rules: Partial<BookingRules>,
  { covers = 0, now = at('2026-10-06', '12:00'), language = 'en' }: Asked = {},
): string[] => {
  const asked = { serviceDate: '2026-10-07', partySize: 2, door: 'online' } as const
  const { slots } = openTimes(someRules(rules), now, asked, loadOf({ covers }))
  return refusalSentences(slots, wordsIn(language), formatsOf(language)).map(plain)
}

const sameEvening = at('2026-10-07', '16:30')
const aWeekBefore = at('2026-09-30', '12:00')

type Setting = {
  readonly rules: Partial<BookingRules>
  readonly now?: Temporal.Instant
  /** What the sentence names. */
  readonly named: (formats: GuestFormats) => string
  readonly english: string
}

const settings: readonly Setting[] = [
  {
    rules: { maxParty: 1, periods: [dinner] },
    named: ({ number }) => number(1),
    english: 'This service takes parties of up to 1. Please call for more.',
  },
  {
    rules: { periods: [{ ...dinner, minParty: 3 }] },
    named: ({ number }) => number(3),
    english: 'This service takes parties of 3 or more.',
  },
  {
    rules: { periods: [{ ...dinner, sameDayCutoffMinute: 960 }] },
    now: sameEvening,
    named: ({ time }) => time('16:00'),
    english: 'Bookings for today closed at 4:00 PM.',
  },
  {
    rules: { minNoticeMinutes: 1_000, periods: [dinner] },
    now: sameEvening,
    named: ({ number }) => number(1_000),
    english: 'Bookings need at least 1,000 minutes’ notice.',
  },
  {
    rules: { maxDaysAhead: 5, periods: [dinner] },
    now: aWeekBefore,
    named: ({ number }) => number(5),
    english: 'Bookings open 5 days ahead.',
  },
  {
    rules: { periods: [{ ...dinner, lastArrivalMinute: 1020 }] },
    named: ({ time }) => time('17:00'),
    english: 'The last arrival is 5:00 PM.',
  },
]

describe('why times cannot be had, as guests read it', () => {
  it('names what the venue, or the service itself, has set', () => {
    for (const setting of settings) assert.deepEqual(said(setting.rules, setting), [setting.english])
  })

  it('names it in every language', () => {
    for (const language of guestLanguages)
      for (const setting of settings) {
        const [sentence = '', ...others] = said(setting.rules, { ...setting, language })
        const about = `${language}: ${setting.english} ${sentence}`
        assert.ok(sentence.includes(plain(setting.named(formatsOf(language)))), about)
        assert.deepEqual(others, [], about)
      }
  })

  it('says one sentence of the times of all services it is true of, however else they differ', () => {
    const pacing = { intervalMinutes: 15, maxCovers: 2, maxParties: null }
    const full = 'Fully booked: 12:00 PM, 12:15 PM, 5:00 PM, and 5:15 PM.'
    assert.deepEqual(said({ pacing, periods: [lunch, dinner] }, { covers: 2 }), [full])
  })

  it('says of each what is left where that is not the same', () => {
    const pacing = { intervalMinutes: 15, maxCovers: 2, maxParties: null }
    const roomier = { ...dinner, pacing: { ...dinner.pacing, maxCovers: 3 } }
    assert.deepEqual(said({ pacing, periods: [lunch, roomier] }, { covers: 2 }), [
      'Fully booked: 12:00 PM and 12:15 PM.',
      'Only 1 seat left at 5:00 PM and 5:15 PM.',
    ])
  })
})
