import { addDays, dayNumber, listInWords } from '../../platform/kernel/time/calendar.ts'
import { dateInWords, shortDayInWords } from '../../platform/kernel/time/in-words.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { type Row, areManyUnmarked, byDate, compared, counted, guests, total } from './in-words.ts'
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
}

/**
 * An evening whose bookings were never marked looks like one on which few came: such a day is left out, and the day beside it in
 * the other period with it, as a whole Friday is more than none.
 */
export const comparedDays = (now: Side, before: Side): ComparedDays => {
  const back = weeksBack(now.days, before.days)
  const [isOf, wasOf] = [unmarkedIn(now), unmarkedIn(before)]
  return {
    now: without(now.open, (date) => isOf.has(date) || wasOf.has(addDays(date, -back))),
    before: without(before.open, (date) => wasOf.has(date) || isOf.has(addDays(date, back))),
    unmarked: [...wasOf, ...isOf],
  }
}

/**
 * How many days before a day the one beside it is: days of somebody's own, which are not whole weeks, are beside the same weekday,
 * and some of them beside none.
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
  { covers, dates, all, closed }: OpenDays,
  isOut: (date: LocalDate) => boolean,
): OpenDays => ({
  covers: covers.filter(({ key }) => !isOut(String(key['date']))),
  dates: dates.filter((date) => !isOut(date)),
  all: all.filter((date) => !isOut(date)),
  ...(closed && { closed: new Map([...closed].filter(([date]) => !isOut(date))) }),
})

/** How many guests came, compared: of all days; or, where some are left out, that, and what the others say. */
export const guestsCompared = (
  covers: { readonly now: readonly Row[]; readonly before: readonly Row[] },
  { now, before, unmarked }: ComparedDays,
  { words, today }: { readonly words: string | undefined; readonly today: LocalDate },
): { readonly change: string; readonly leftOut: string; readonly isCompared: boolean } => {
  if (unmarked.length === 0) {
    const change = compared(total(covers.now), total(covers.before), words)
    return { change, leftOut: '', isCompared: change !== '' }
  }
  const came = total(now.covers)
  const change = compared(came, total(before.covers), words)
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

const datesInWords = (dates: readonly LocalDate[], today: LocalDate): string => {
  const words = (date: LocalDate): string =>
    date.slice(0, 4) === today.slice(0, 4) ? shortDayInWords(date) : dateInWords(date)
  return dates.length > mostNamed ? counted(dates.length, 'day') : listInWords(dates.map(words))
}
