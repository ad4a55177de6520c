import { weekdayName, weekdaysFrom } from '../../../../platform/kernel/time/calendar.ts'
import { minuteInWords, numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import { type Dot, weekDrawn } from '../drawn/week.ts'
import { type Row, counted, meanOf, oneDecimal } from '../../../../data/reports/in-words.ts'
import { isMostlyMarked } from '../how-many-came.ts'
import { type Cell, type Picture, type Shown, daysInWords } from '../picture.ts'

/** When guests sit down, by weekday and quarter of an hour; of days to come alone, when they are booked. */
export const arrivalsPicture = (shown: Shown): Picture => {
  const quarters = quartersOf(shown.rows('arrivals'))
  const weekdays = weekdaysFrom(shown.firstWeekday)
  const days = weekdays.reduce(
    (sum, of) =>
      sum + Math.max(0, ...quarters.filter(({ weekday }) => weekday === of).map((one) => one.days)),
    0,
  )
  const sentence = sentenceOf(quarters, shown)
  // Imports do not say when anybody sat down: better when they were booked than nothing.
  const drawnOf = quarters.some(({ seated }) => seated > 0) ? 'seated' : 'booked'
  const dots: Dot[] = quarters
    .filter((one) => one[drawnOf] > 0)
    .map(({ weekday, quarter, seated, booked }) => ({
      ...{ weekday, quarter, value: drawnOf === 'seated' ? seated : booked },
      words: `${weekdayName(weekday)}${atTime(quarter)}: ${oneDecimal(seated)} seated, ${oneDecimal(booked)} booked`,
    }))
  return {
    id: 'arrivals',
    title: 'When they come',
    of: ['arrivals'],
    sentence,
    cases: counted(days, 'day with guests', 'days with guests'),
    drawn: dots.length === 0 ? undefined : weekDrawn(dots, weekdays, sentence),
    key:
      dots.length === 0
        ? []
        : [['dot', `The largest: ${counted(largestOf(dots), 'guest')} in a quarter of an hour`]],
    isWide: true,
    columns: [
      { key: 'weekday', name: 'Weekday', shown: (weekday) => weekdayName(Number(weekday)) },
      { key: 'time', name: 'Time', shown: timeShown },
      { key: 'guests_booked', name: 'Booked for then, including cancelled', shown: averageShown },
      { key: 'guests_seated', name: 'Seated', shown: averageShown },
      { key: 'open_days', name: 'Days with guests' },
    ],
    rows: weekdays.flatMap((of) =>
      quarters
        .filter(({ weekday }) => weekday === of)
        .map((one) => [one.weekday, timeOf(one.quarter), one.booked, one.seated, one.days]),
    ),
  }
}

const largestOf = (dots: readonly Dot[]): number =>
  Math.round(Math.max(...dots.map(({ value }) => value)) * 10) / 10

type Quarter = {
  readonly weekday: number
  readonly quarter: number
  /** Guests, on the average of the days that were open. */
  readonly booked: number
  readonly seated: number
  readonly days: number
}

const quartersOf = (rows: readonly Row[]): Quarter[] => {
  const found = new Map<string, Quarter>()
  for (const { key, d, value } of rows) {
    const [weekday, quarter] = [Number(key['weekday']), Number(key['quarter'])]
    // A weekday on which nobody was served has no days to divide by.
    if (value === null || d === null) continue
    const place = `${weekday} ${quarter}`
    const known = found.get(place) ?? { weekday, quarter, booked: 0, seated: 0, days: d }
    found.set(place, { ...known, [key['measure'] === 'seated' ? 'seated' : 'booked']: value })
  }
  return [...found.values()].toSorted((a, b) => a.quarter - b.quarter)
}

const sentenceOf = (quarters: readonly Quarter[], shown: Shown): string => {
  const busiest = (of: 'seated' | 'booked'): Quarter | undefined =>
    quarters.filter((one) => one[of] > 0).toSorted((a, b) => b[of] - a[of])[0]
  const [most, promised] = [busiest('seated'), busiest('booked')]
  if (most !== undefined) {
    // How many booked for it stays in the table: guests who sat down a little later are not lost, and nothing counts them.
    return `${busiestOf(quarters.filter(({ seated }) => oneDecimal(seated) === oneDecimal(most.seated)).length)}: ${whenOf(most)}, when ${meanOf(most.seated, 'guest')} sat down${overDays(most)}.`
  }
  if (promised === undefined)
    return `Nobody was ${isMostlyMarked(shown) ? '' : 'marked as '}seated on ${daysInWords(shown)}.`
  return `Nobody noted when guests sat down. By the times they booked, ${lower(busiestOf(quarters.filter(({ booked }) => oneDecimal(booked) === oneDecimal(promised.booked)).length))}: ${whenOf(promised)}, with ${meanOf(promised.booked, 'guest')}${overDays(promised)}.`
}

/** Of several that are alike by what is written of them, it is the first. */
const busiestOf = (alike: number): string =>
  alike === 1
    ? 'The busiest quarter of an hour'
    : `One of the ${numberInWords(alike)} busiest quarters of an hour`

const lower = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1)

const overDays = ({ days }: Quarter): string =>
  days === 1 ? '' : ` on average, over ${numberInWords(days)} days with guests`

const whenOf = ({ weekday, quarter, days }: Quarter): string =>
  `${weekdayName(weekday)}${atTime(quarter, days === 1 ? '' : 's')}`

const quartersOfDay = 96

/** "s at 7:00 PM", " nights at 12:30 AM": after midnight it is still the night of that weekday. */
const atTime = (quarter: number, plural = ''): string =>
  `${quarter < quartersOfDay ? plural : ` night${plural}`} at ${minuteInWords(quarter * 15)}`

/** A time of a service date: after midnight its hours go on, so that no two are the same. */
const timeOf = (quarter: number): string =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`

const timeShown = (time: Cell): string => {
  const [hours, minutes] = String(time).split(':')
  return minuteInWords(Number(hours) * 60 + Number(minutes))
}

const averageShown = (value: Cell): string => oneDecimal(Number(value))
