import { datesIn, lengthOf } from '../../../../data/reports/days-to-count.ts'
import { leftOutOfMeans, weeksBack } from '../../../../data/reports/compared-days.ts'
import { isOpenOn, isShutOn, shutWords } from '../../../../data/reports/open-days.ts'
import {
  addDays,
  dayNumber,
  firstOfWeek,
  weekdayName,
  weekdayOf,
} from '../../../../platform/kernel/time/calendar.ts'
import {
  dateInWords,
  dayInWords as fullDayInWords,
  monthInWords,
} from '../../../../platform/kernel/time/in-words.ts'
import type { LocalDate } from '../../../../platform/kernel/time/written-time.ts'
import { type Column, columnsDrawn } from '../drawn/columns.ts'
import {
  dayInWords,
  byDate,
  counted,
  guests,
  neverClosed,
  parties,
  perOpenDay,
  total,
} from '../../../../data/reports/in-words.ts'
import {
  comingOf,
  howManyCame,
  inBrackets,
  isMostlyMarked,
  thoughClosed,
  usualDaysOf,
} from '../how-many-came.ts'
import { type Cell, type Picture, type Shown, capital, datesWithGuests, daysInWords } from '../picture.ts'
import { unmarkedLinks } from '../unmarked-links.ts'

/** Days up to which each has a column of its own; of more, each week has one. */
const mostDays = 62

/** Guests of each day: those served, and of today and days to come those booked. */
export const coversPicture = (shown: Shown): Picture => {
  const isByWeek = lengthOf(shown.figures) > mostDays
  const days = daysOf(shown, isByWeek)
  const isCompared = shown.figures.compared !== null
  const spans = isByWeek ? weeksOf(days, shown.firstWeekday) : days
  const sentence = sentenceOf(shown, days)
  // An axis without anything at it says nothing.
  const isNothing = spans.every(({ covers, coming, before }) => covers + coming + (before ?? 0) === 0)
  return {
    id: 'covers',
    title: 'Guests and parties',
    of: ['covers', 'parties', 'booked', 'open_ends'],
    sentence,
    cases: parties(total(shown.rows('parties'))),
    drawn: isNothing
      ? undefined
      : columnsDrawn(
          spans.map((span, at) =>
            columnOf(span, isByWeek ? weekTick(span, spans[at - 1]) : dayTick(span, days.length)),
          ),
          sentence,
        ),
    key: isNothing
      ? []
      : [
          ...(isCompared && spans.some(({ before }) => before !== null)
            ? [['before', capital(shown.beforeWords ?? '')] as const]
            : []),
          ...(spans.some((span) => span.coming > 0) ? [['open', 'Still to come'] as const] : []),
          ...(spans.some((span) => span.isClosed && span.covers === 0)
            ? [['closed', 'Closed'] as const]
            : []),
        ],
    isWide: true,
    // Where they are many, the top of the page has them.
    action: isMostlyMarked(shown) ? unmarkedLinks(shown) : undefined,
    columns: [
      isByWeek
        ? { key: 'week_from', name: 'Week from', shown: (date) => dateInWords(String(date)) }
        : { key: 'date', name: 'Day', shown: (date) => dayInWords(shown, String(date)) },
      { key: 'parties', name: 'Parties' },
      { key: 'guests', name: 'Guests' },
      { key: 'guests_to_come', name: 'Still to come' },
      ...(isCompared ? [{ key: 'guests_before', name: 'Before' }] : []),
      ...(isByWeek
        ? [
            { key: 'open_days', name: 'Open days' },
            { key: 'days', name: 'Days' },
          ]
        : [{ key: 'open_days', name: 'Open', shown: (open: Cell) => (open === 0 ? 'Closed' : 'Open') }]),
    ],
    rows: spans.map((span) => [
      ...[span.date, span.parties, span.covers, span.coming],
      ...(isCompared ? [span.before] : []),
      ...(isByWeek ? [span.openDays, span.days] : [isBeforeBook(shown, span) ? null : span.openDays]),
    ]),
  }
}

/** A day, or the days of a week from its first one on. */
type Span = {
  readonly date: LocalDate
  readonly parties: number
  readonly covers: number
  readonly coming: number
  readonly before: number | null
  readonly isClosed: boolean
  readonly words: string
  readonly days: number
  readonly openDays: number
}

const daysOf = (shown: Shown, isByWeek: boolean): Span[] => {
  const { figures, rows, before, rules, today } = shown
  const came = datesWithGuests(shown)
  const { compared: earlier } = figures
  const back =
    earlier === null
      ? undefined
      : // Weeks have one of each weekday, wherever they begin.
        isByWeek
        ? dayNumber(figures.from) - dayNumber(earlier.from)
        : weeksBack(figures, earlier)
  const [served, covers, booked, past] = [
    byDate(rows('parties')),
    byDate(rows('covers')),
    byDate(rows('booked').filter(({ key }) => key['measure'] === 'covers')),
    byDate(before('covers')),
  ]
  // Before anybody was ever served, there is nothing to compare with.
  const since = [...past.keys()].reduce((first, date) => (date < first ? date : first), '9999-12-31')
  return datesIn(figures).map((date) => {
    const here = covers.get(date) ?? 0
    const beside = back === undefined ? undefined : addDays(date, -back)
    const earlierDate =
      earlier && beside !== undefined && earlier.from <= beside && beside <= earlier.to ? beside : undefined
    const was = earlierDate === undefined ? 0 : (past.get(earlierDate) ?? 0)
    const [coming, isClosed] = [Math.max(0, (booked.get(date) ?? 0) - here), isShutOn(rules, date)]
    return {
      date,
      parties: served.get(date) ?? 0,
      covers: here,
      coming,
      // A gap in the line, not a fall to 0.
      before:
        earlierDate === undefined || earlierDate < since || (was === 0 && isShutOn(rules, earlierDate))
          ? null
          : was,
      isClosed,
      words: dayInWords({ today }, date),
      days: 1,
      openDays: isOpenOn(shown, date, came.has(date)) ? 1 : 0,
    }
  })
}

/** Nobody could say whether it was open or closed: in open days it is none. */
const isBeforeBook = ({ since }: Shown, { date, covers, coming }: Span): boolean =>
  date < (since ?? date) && covers + coming === 0

const weeksOf = (days: readonly Span[], firstWeekday: number): Span[] =>
  [...Map.groupBy(days, ({ date }) => firstOfWeek(date, firstWeekday)).values()].flatMap((week) => {
    const [first] = week
    if (!first) return []
    const sum = (of: (day: Span) => number): number => week.reduce((all, day) => all + of(day), 0)
    return {
      date: first.date,
      parties: sum((day) => day.parties),
      covers: sum((day) => day.covers),
      coming: sum((day) => day.coming),
      before: week.every((day) => day.before === null) ? null : sum((day) => day.before ?? 0),
      isClosed: week.every((day) => day.isClosed),
      words: `${week.length === 7 ? 'Week' : counted(week.length, 'day')} from ${dateInWords(first.date)}`,
      days: week.length,
      openDays: sum((day) => day.openDays),
    }
  })

const columnOf = ({ words, covers, coming, before, isClosed }: Span, tick: string): Column => ({
  tick,
  words: `${words}: ${
    isClosed && covers + coming === 0
      ? 'closed'
      : guests(covers) + (coming > 0 ? `, ${guests(coming)} still to come` : '')
  }${before === null ? '' : `; before: ${guests(before)}`}`,
  value: covers + coming,
  ...{ coming, before, isClosed },
})

const dayTick = ({ date }: Span, days: number): string =>
  days <= 7 ? weekdayName(weekdayOf(date)).slice(0, 3) : String(Number(date.slice(8)))

/** The month, where it begins. */
const weekTick = ({ date }: Span, last: Span | undefined): string =>
  last?.date.slice(0, 7) === date.slice(0, 7) ? '' : monthInWords(date).slice(0, 3)

/** "Closed on Thursday, November 26 (Thanksgiving)."; undefined where any of the days was open. */
const closedInWords = (shown: Shown, days: readonly Span[]): string | undefined => {
  const [first, ...others] = days
  // Of a venue that has not said its hours, nothing is closed.
  if (first === undefined || shown.rules.periods.length === 0 || days.some(({ isClosed }) => !isClosed))
    return undefined
  if (others.length > 0) return `Closed on all of these ${days.length} days.`
  return `Closed on ${fullDayInWords(first.date)}${inBrackets(shutWords(shown.rules, first.date))}.`
}

const sentenceOf = (shown: Shown, days: readonly Span[]): string => {
  const [covers, served] = [total(shown.rows('covers')), total(shown.rows('parties'))]
  const coming = comingOf(shown)
  const open = neverClosed(shown.rows('open_ends'))
  const ahead =
    coming > 0
      ? ` ${counted(coming, covers > 0 ? 'more guest' : 'guest')} ${coming === 1 ? 'is' : 'are'} booked.`
      : ''
  if (covers === 0 && coming > 0) return `Nobody was served yet.${ahead}${open}`
  if (covers === 0)
    return `${closedInWords(shown, days) ?? `Nobody was ${isMostlyMarked(shown) ? '' : 'marked as '}served on ${daysInWords(shown)}.`}${open}`
  const { change, leftOut } = howManyCame(shown)
  const busiest = days.toSorted((a, b) => b.covers - a.covers)[0]
  // Of the only day that has begun, it says nothing.
  const alike = days.filter(({ covers: came }) => came === busiest?.covers).length
  const most =
    days.filter(({ parties: served }) => served > 0).length > 1 && busiest
      ? ` ${alike === 1 ? 'The busiest day' : `One of the ${alike} busiest days`} was ${fullDayInWords(busiest.date)}, with ${guests(busiest.covers)}.`
      : ''
  const usual = usualDaysOf(shown, 'rows')
  const mean = perOpenDay(usual.open, change === '' ? undefined : usualDaysOf(shown, 'before').open)
  const without =
    mean === ''
      ? leftOut
      : leftOutOfMeans(leftOut === '' ? usual.unmarked : [], usual.shut, shown.today) + leftOut
  return `${thoughClosed(shown)}${guests(covers)} came${change}${change === '' ? '' : ','} in ${parties(served)}.${most}${mean}${without}${besideClosed(shown)}${ahead}${open}`
}

/** " The Wednesday before was closed (Thanksgiving), so nothing is compared."; empty where it was open, or of several days. */
const besideClosed = ({ figures: { compared: earlier }, before, rules, beforeWords }: Shown): string => {
  if (earlier === null || earlier.from !== earlier.to || beforeWords === undefined) return ''
  if (total(before('covers')) > 0 || rules.periods.length === 0 || !isShutOn(rules, earlier.from)) return ''
  return ` ${capital(beforeWords)} was closed${inBrackets(shutWords(rules, earlier.from))}, so nothing is compared.`
}
