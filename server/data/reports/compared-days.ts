import { addDays, dayNumber, listInWords } from '../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import {
  type Row,
  areManyUnmarked,
  byDate,
  compared,
  counted,
  dayInWords,
  guests,
  total,
} from './in-words.ts'
import type { OpenDays } from './open-days.ts'
import type { Days } from './report-reads.ts'

/** A period, and by how many of its bookings it is known who came. */
export type Side = {
  readonly days: Days
  readonly open: OpenDays
  readonly openEnds: readonly Row[]
  readonly parties: readonly Row[]
}

/** Two periods, each without the days that are left out of both. */
export type ComparedDays = {
  readonly now: OpenDays
  readonly before: OpenDays
  /** The days that are the reason. */
  readonly unmarked: readonly LocalDate[]
  /** Whether each of them has a day next to it, so that both periods are without the same weekdays. */
  readonly isPaired: boolean
}

/**
 * An evening whose bookings were never marked looks like one on which few came: such a day is left out, and its match in
 * the other period with it, as a whole Friday is more than none.
 */
export const comparedDays = (now: Side, before: Side): ComparedDays => {
  const back = weeksBack(now.days, before.days)
  const [isOf, wasOf] = [unmarkedIn(now), unmarkedIn(before)]
  return {
    now: without(now.open, (date) => isOf.has(date) || wasOf.has(addDays(date, -back))),
    before: without(before.open, (date) => wasOf.has(date) || isOf.has(addDays(date, back))),
    unmarked: [...wasOf, ...isOf],
    isPaired:
      [...isOf].every((date) => isIn(before.days, addDays(date, -back))) &&
      [...wasOf].every((date) => isIn(now.days, addDays(date, back))),
  }
}

const isIn = ({ from, to }: Days, date: LocalDate): boolean => from <= date && date <= to

/** What means are made of. */
export type UsualDays = {
  /** The open days of which it is known who came. */
  readonly open: OpenDays
  /** Those of which it is not: in a mean they would be weak days. */
  readonly unmarked: readonly LocalDate[]
  /** Those that the venue had closed, with the guests who came nevertheless: they are no weak days of their weekday. */
  readonly shut: readonly { readonly date: LocalDate; readonly covers: number }[]
}

export const usualDays = (side: Side): UsualDays => {
  const unmarked = unmarkedIn(side)
  const served = byDate(side.open.covers)
  const shut = (side.open.shut ?? []).filter((date) => !unmarked.has(date))
  const isOut = new Set([...unmarked, ...shut])
  return {
    open: without(side.open, (date) => isOut.has(date)),
    unmarked: [...unmarked],
    shut: shut.map((date) => ({ date, covers: served.get(date) ?? 0 })),
  }
}

/**
 * " Fri, Oct 2 is left out, as a tenth or more of its bookings were never marked. Wed, Oct 7 is left out, as you had closed it for
 * bookings; 3 guests came."; empty without such a day.
 */
export const leftOutOfMeans = (
  unmarked: readonly LocalDate[],
  shut: UsualDays['shut'],
  today: LocalDate,
): string => {
  const left = (days: readonly LocalDate[], why: string): string =>
    days.length === 0
      ? ''
      : ` ${datesInWords(days, today)} ${days.length === 1 ? 'is' : 'are'} left out, as ${why}.`
  const its = unmarked.length === 1 ? 'its' : 'their'
  const came = shut.reduce((sum, { covers }) => sum + covers, 0)
  const closed = `you had closed ${shut.length === 1 ? 'it' : 'them'} for bookings; ${guests(came)} came${shut.length === 1 ? '' : ' in all'}`
  return (
    left(unmarked, `a tenth or more of ${its} bookings were never marked`) +
    left(
      shut.map(({ date }) => date),
      closed,
    )
  )
}

/**
 * How many days before a day its match is: days of somebody's own, which are not whole weeks, match the same weekday,
 * and some of them none.
 */
export const weeksBack = ({ from }: Days, before: Days): number =>
  Math.max(1, Math.round((dayNumber(from) - dayNumber(before.from)) / 7)) * 7

const unmarkedIn = ({ openEnds, parties }: Side): ReadonlySet<LocalDate> => {
  const served = byDate(parties)
  return new Set(
    [...byDate(openEnds)].flatMap(([date, open]) =>
      areManyUnmarked(open, served.get(date) ?? 0) ? [date] : [],
    ),
  )
}

const without = (
  { covers, dates, all, closed, shut }: OpenDays,
  isOut: (date: LocalDate) => boolean,
): OpenDays => ({
  covers: covers.filter(({ key }) => !isOut(String(key['date']))),
  dates: dates.filter((date) => !isOut(date)),
  all: all.filter((date) => !isOut(date)),
  ...(closed && { closed: new Map([...closed].filter(([date]) => !isOut(date))) }),
  ...(shut && { shut: shut.filter((date) => !isOut(date)) }),
})

/** How many guests came, compared: of all days; or, where some are left out, that, and what the others say. */
export const guestsCompared = (
  covers: { readonly now: readonly Row[]; readonly before: readonly Row[] },
  { now, before, unmarked, isPaired }: ComparedDays,
  { words, today }: { readonly words: string | undefined; readonly today: LocalDate },
): { readonly change: string; readonly leftOut: string; readonly isCompared: boolean } => {
  if (unmarked.length === 0) {
    const change = compared(total(covers.now), total(covers.before), words)
    return { change, leftOut: '', isCompared: change !== '' }
  }
  const came = total(now.covers)
  const change = isPaired ? compared(came, total(before.covers), words) : ''
  const [it, beside] = unmarked.length === 1 ? ['it', 'the day'] : ['them', 'the days']
  const others =
    change === ''
      ? ', so nothing is compared.'
      : `; without ${it} and ${beside} beside ${it}, ${guests(came)} came${change}.`
  const leftOut = ` A tenth or more of the bookings of ${datesInWords(unmarked, today)} were never marked${others}`
  return { change: '', leftOut, isCompared: change !== '' }
}

/** More are counted. */
const mostNamed = 3

const datesInWords = (dates: readonly LocalDate[], today: LocalDate): string =>
  dates.length > mostNamed
    ? counted(dates.length, 'day')
    : listInWords(dates.map((date) => dayInWords({ today }, date)))
