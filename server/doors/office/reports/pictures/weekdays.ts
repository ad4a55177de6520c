import { weekdayName, weekdaysFrom } from '../../../../platform/kernel/time/calendar.ts'
import { counted, meanOf, oneDecimal, perDayOf } from '../../../../data/reports/in-words.ts'
import type { OpenDays } from '../../../../data/reports/open-days.ts'
import { linesDrawn } from '../drawn/lines.ts'
import { leftOutOfMeans } from '../../../../data/reports/compared-days.ts'
import { markedOf } from '../how-many-came.ts'
import { type Cell, type Picture, type Shown, areCountsCompared, markedBefore } from '../picture.ts'

/** What an open day of each weekday brings: a day that was closed makes it no smaller. */
export const weekdaysPicture = (shown: Shown): Picture | undefined => {
  const isCompared = areCountsCompared(shown)
  const { open: openNow, unmarked } = markedOf(shown, 'rows')
  const before = markedOf(shown, 'before')
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
  const [one, other] = [meanOf(most.now.mean, 'guest'), oneDecimal(least.now.mean)]
  const [name, otherName] = [weekdayName(most.weekday), weekdayName(least.weekday)]
  const leftOut = leftOutOfMeans([...(isCompared ? before.unmarked : []), ...unmarked], shown.today)
  const said = isOneWeek
    ? `${name} brought the most, ${one}; ${otherName} the fewest, ${other}.`
    : `${name}s bring the most, ${one} on average over ${counted(most.now.days, 'open day')}; ${otherName}s the fewest, ${other} over ${counted(least.now.days, 'open day')}.`
  const sentence = `${said}${leftOut}`
  return {
    ...{ id: 'weekdays', title: 'An average day', of: ['covers', 'parties', 'open_ends'], sentence },
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

const meanOfDay = (open: OpenDays, weekday: number) => {
  const { guests: came, days } = perDayOf(open, weekday)
  return { guests: came, days, mean: days === 0 ? 0 : came / days }
}

const meanShown = (value: Cell): string => (typeof value === 'number' ? oneDecimal(value) : '–')
