import { listInWords, weekdayName, weekdaysFrom } from '../../../../platform/kernel/time/calendar.ts'
import { counted, meanOf, oneDecimal, perDayOf } from '../../../../data/reports/in-words.ts'
import type { OpenDays } from '../../../../data/reports/open-days.ts'
import { linesDrawn } from '../drawn/lines.ts'
import { leftOutOfMeans } from '../../../../data/reports/compared-days.ts'
import { usualDaysOf } from '../how-many-came.ts'
import { type Cell, type Picture, type Shown, areCountsCompared, markedBefore } from '../picture.ts'

/** What an open day of each weekday brings: a day that was closed makes it no smaller. */
export const weekdaysPicture = (shown: Shown): Picture | undefined => {
  const isCompared = areCountsCompared(shown)
  const { open: openNow, unmarked, shut } = usualDaysOf(shown, 'rows')
  const before = usualDaysOf(shown, 'before')
  const openBefore = isCompared ? before.open : { covers: [], dates: [], all: [] }
  const means = weekdaysFrom(shown.firstWeekday)
    .map((weekday) => ({
      weekday,
      now: meanOfDay(openNow, weekday),
      before: meanOfDay(openBefore, weekday),
    }))
    .filter(({ now }) => now.days > 0)
  const all = perDayOf(openNow)
  const [most, ...others] = means.toSorted((a, b) => b.now.mean - a.now.mean)
  const least = others.at(-1)
  if (most === undefined || least === undefined || all.guests === 0) return undefined
  const isOneWeek = all.days === means.length
  const of = ({ now: { mean } }: typeof most) => means.filter(({ now }) => now.mean === mean)
  const [highest, lowest] = [of(most), of(least)]
  const names = (some: typeof means): string =>
    listInWords(some.map(({ weekday }) => `${weekdayName(weekday)}${isOneWeek ? '' : 's'}`))
  const each = (some: typeof means): string => (some.length === 1 ? '' : ' each')
  // Of several that are alike, each has its own number of days.
  const over = ([first, ...others]: typeof means): string =>
    isOneWeek || first === undefined || others.length > 0
      ? ''
      : ` over ${counted(first.now.days, 'open day')}`
  const [one, other] = [meanOf(most.now.mean, 'guest'), oneDecimal(least.now.mean)]
  const leftOut = leftOutOfMeans(
    [...(isCompared ? before.unmarked : []), ...unmarked],
    [...(isCompared ? before.shut : []), ...shut],
    shown.today,
  )
  const said =
    most.now.mean === least.now.mean
      ? `${names(highest)} ${isOneWeek ? 'brought' : 'bring'} ${one} each${isOneWeek ? '' : ' on average'}.`
      : `${names(highest)} ${isOneWeek ? 'brought' : 'bring'} the most, ${one}${each(highest)}${isOneWeek ? '' : ' on average'}${over(highest)}; ${names(lowest)} the fewest, ${other}${each(lowest)}${over(lowest)}.`
  const sentence = `${said}${leftOut}`
  return {
    ...{ id: 'weekdays', title: 'An average day', of: ['covers', 'parties', 'open_ends'], sentence },
    counted: whatIsOpen,
    cases: counted(all.days, 'open day'),
    drawn: linesDrawn(
      [
        {
          lines: means.map(({ weekday, now, before }) => ({
            name: weekdayName(weekday),
            value: now.mean,
            mark: before.days === 0 ? null : before.mean,
            words: `${oneDecimal(now.mean)} · ${counted(now.days, 'day')}`,
          })),
        },
      ],
      sentence,
    ),
    key: means.some(({ before }) => before.days > 0) ? markedBefore(shown) : [],
    columns: [
      { key: 'weekday', name: 'Weekday', shown: (weekday) => weekdayName(Number(weekday)) },
      { key: 'guests_per_open_day', name: 'Guests a day', shown: meanShown },
      { key: 'open_days', name: 'Open days' },
      { key: 'guests', name: 'Guests' },
      ...(isCompared
        ? [
            { key: 'guests_per_open_day_before', name: 'Guests a day before', shown: meanShown },
            { key: 'open_days_before', name: 'Open days before' },
          ]
        : []),
    ],
    rows: means.map(({ weekday, now, before }) => [
      ...[weekday, now.mean, now.days, now.guests],
      ...(isCompared ? [before.days === 0 ? null : before.mean, before.days] : []),
    ]),
  }
}

/** The question of most who read an average. */
const whatIsOpen =
  'An average is of the open days that are over. A day is open if it had a service by the weekly hours of that time and by closed days and blocks as they are now, or if somebody came on a weekday that had none. An open day without guests counts; a day that you closed or blocked for all bookings does not, even if somebody came, nor a day before your first booking. Days of which a tenth or more of the bookings were never marked are left out.'

const meanOfDay = (open: OpenDays, weekday: number) => {
  const { guests: came, days } = perDayOf(open, weekday)
  return { guests: came, days, mean: days === 0 ? 0 : came / days }
}

const meanShown = (value: Cell): string => (typeof value === 'number' ? oneDecimal(value) : '–')
