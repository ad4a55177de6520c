import { addDays, weekdayOf } from '../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../platform/kernel/time/written-time.ts'
import type { BookingRules } from '../book/rules/booking-rules.ts'
import { readRulesDocument } from '../book/rules/rules-document.ts'
import { secondTuesdayOfJanuary, thanksgiving } from './holidays.ts'
import { demoZone } from './venue-time.ts'

/*
 * How The Blue Door takes bookings, written as the operator's rules document: the hours can be read here, and
 * the demo's bookings are placed by the same evaluator as everybody's.
 */

export const demoPhone = '+1 212 555 0100'

export const demoRooms = ['The Cellar', 'Garden Room', 'Full house'] as const

/** Furthest day, from today, that guests can book. */
export const daysAhead = 60

export const houseRules = (today: LocalDate): BookingRules => {
  const read = readRulesDocument(houseRulesDocument(today))
  if (!read.ok) throw new Error(`The demo's booking rules are wrong: ${read.mistakes.join(' ')}`)
  return { ...read.rules, timezone: demoZone, phone: demoPhone, floor: null }
}

/** Evenings on which a private party has the dining room, about a month apart; two of them are still to come. */
export const buyoutDates = (today: LocalDate): LocalDate[] =>
  [-310, -251, -167, -118, -74, -19, 12, 34].map((days) => quietEvening(addDays(today, days)))

const houseRulesDocument = (today: LocalDate) => ({
  minParty: 1,
  maxParty: 8,
  minNoticeMinutes: 60,
  maxDaysAhead: daysAhead,
  pacing: { intervalMinutes: 15, maxCovers: 14 },
  turnMinutes: [
    { upTo: 2, minutes: 90 },
    { upTo: 4, minutes: 120 },
    { upTo: 6, minutes: 135 },
    { upTo: 99, minutes: 150 },
  ],
  periods: [
    { weekday: 2, name: 'Dinner', opens: '17:00', closes: '22:30', lastArrival: '21:45' },
    { weekday: 3, name: 'Dinner', opens: '17:00', closes: '22:30', lastArrival: '21:45' },
    { weekday: 4, name: 'Dinner', opens: '17:00', closes: '22:30', lastArrival: '21:45' },
    { weekday: 5, name: 'Dinner', opens: '17:00', closes: '02:00', lastArrival: '01:00', ...busy },
    { weekday: 6, name: 'Brunch', opens: '10:30', closes: '15:00', lastArrival: '14:15', ...brunch },
    { weekday: 6, name: 'Dinner', opens: '17:00', closes: '02:00', lastArrival: '01:00', ...busy },
    { weekday: 7, name: 'Brunch', opens: '10:00', closes: '15:00', ...brunch, ...sundayBrunch },
    { weekday: 7, name: 'Dinner', opens: '17:00', closes: '21:30', lastArrival: '20:45' },
  ],
  specialDays: yearsAround(today).flatMap((year) => [
    { date: `${year}-02-14`, name: "Valentine's Day", periods: [valentines] },
    { date: `${year}-12-24`, name: 'Christmas Eve', periods: [christmasEve] },
    { date: `${year}-12-31`, name: "New Year's Eve", periods: [newYearsEve] },
  ]),
  closures: yearsAround(today).flatMap((year) => [
    { from: `${year}-01-01`, to: `${year}-01-01`, name: "New Year's Day" },
    {
      from: secondTuesdayOfJanuary(year),
      to: addDays(secondTuesdayOfJanuary(year), 2),
      name: 'Winter maintenance',
    },
    { from: `${year}-07-04`, to: `${year}-07-04`, name: 'Independence Day' },
    { from: thanksgiving(year), to: thanksgiving(year), name: 'Thanksgiving' },
    { from: `${year}-12-25`, to: `${year}-12-26`, name: 'Christmas' },
  ]),
  blocks: [
    ...buyoutDates(today).map((serviceDate) => ({
      serviceDate,
      from: '17:00',
      to: '22:30',
      scope: 'all',
      publicNote: 'The dining room is taken by a private party.',
    })),
    // The best tables of two Saturdays are kept for regulars who call.
    ...[next(6, addDays(today, 1)), next(6, addDays(today, 8))].map((serviceDate) => ({
      serviceDate,
      from: '19:30',
      to: '20:00',
      scope: 'online',
    })),
  ],
  experiences: [newYearsMenu, ...onTuesdays],
})

/** On one evening everybody has it, so nobody is asked. */
const newYearsMenu = {
  ...{ key: 'new-years-menu', name: 'New Year’s menu', services: ["New Year's Eve dinner"] },
  texts: [
    { language: 'en', text: 'Five courses, and a glass at midnight.' },
    { language: 'es', name: 'Menú de Nochevieja', text: 'Cinco platos y una copa a medianoche.' },
  ],
}

/** On the quietest evening guests choose. */
const onTuesdays = [
  { key: 'a-la-carte', name: 'À la carte', services: ['Dinner'], weekdays: [2] },
  {
    ...{ key: 'chefs-counter', name: 'Chef’s counter', services: ['Dinner'], weekdays: [2] },
    ...{ partyTo: 4, mostPerEvening: 4 },
    texts: [
      { language: 'en', text: 'Seats at the pass, and whatever the kitchen is trying out.' },
      {
        language: 'es',
        name: 'La barra del chef',
        text: 'Asientos frente a la cocina, y lo que se esté probando esa noche.',
      },
    ],
  },
]

const busy = { pacing: { maxCovers: 18 } }
const brunch = { sameDayCutoff: '09:00' }
const sundayBrunch = { seatings: ['10:00', '11:45', '13:30'], minParty: 2, pacing: { maxCovers: 44 } }
const valentines = {
  name: "Valentine's dinner",
  opens: '17:00',
  closes: '00:00',
  lastArrival: '22:30',
  maxParty: 4,
  pacing: { maxCovers: 16 },
}
const christmasEve = { name: 'Dinner', opens: '16:00', closes: '21:00', lastArrival: '19:30' }
const newYearsEve = {
  name: "New Year's Eve dinner",
  opens: '17:30',
  closes: '02:00',
  seatings: ['18:00', '21:00'],
  pacing: { maxCovers: 46 },
}

const yearsAround = (today: LocalDate): number[] => [-1, 0, 1].map((more) => Number(today.slice(0, 4)) + more)

/** The weekday (ISO) on or after a date. */
export const next = (weekday: number, from: LocalDate): LocalDate =>
  addDays(from, (weekday - weekdayOf(from) + 7) % 7)

/** A Wednesday that is no holiday: the day a private party gets for less. */
const quietEvening = (from: LocalDate): LocalDate => {
  const day = next(3, from)
  return /-(01-0[1-9]|01-1[0-9]|02-14|07-04|12-2[4-9]|12-3[01])$/.test(day)
    ? quietEvening(addDays(day, 7))
    : day
}
