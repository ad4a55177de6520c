import type { FigureName, Figures } from '@venue-data/contract/records/figures.ts'
import type { VenueRow } from '../../../core/venue/venues.ts'
import { nothingOpen } from '../../../data/reports/demand/demand.ts'
import {
  comparedDays,
  guestsCompared,
  leftOutOfMeans,
  usualDays,
} from '../../../data/reports/compared-days.ts'
import { differenceInWords } from '../../../data/reports/difference-in-words.ts'
import { type RulesInTime, isShutOn, openDaysOf } from '../../../data/reports/open-days.ts'
import { sizeClasses } from '../../../data/reports/figures-of-day.ts'
import {
  type Row,
  compared,
  counted,
  fewestCases,
  guests,
  limitsHitBy,
  limitsInWords,
  neverClosed,
  neverMarked,
  parties,
  perOpenDay,
  rowOf,
  share,
  sizeWords,
  sourceName,
  total,
} from '../../../data/reports/in-words.ts'
import { addDays, weekdayOf } from '../../../platform/kernel/time/calendar.ts'
import {
  dayInWords,
  dayOfMonthInWords,
  numberInWords,
  shortDayInWords,
} from '../../../platform/kernel/time/in-words.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { Letter, LetterTable } from '../letter.ts'
import { type Waiting, mostWaiting } from './waiting.ts'

/* What the letter about a week says: facts in, sentences out. Six figures, three tables with bars, and what lies ahead. */

export type WeekFacts = {
  readonly venue: Pick<VenueRow, 'name'>
  /** The first day of the week that runs: the letter is about the seven days before it, and those from it on. */
  readonly first: LocalDate
  readonly past: Figures
  readonly ahead: Figures
  readonly rules: RulesInTime
  /** The first day with a booking, of all there ever were. */
  readonly since: LocalDate | null
  readonly waiting: readonly Waiting[]
}

type Said = Pick<
  Letter,
  'subject' | 'preheader' | 'title' | 'paragraphs' | 'facts' | 'tables' | 'button' | 'link'
>

export const letterOf = (
  { venue, first, past, ahead, rules, since, waiting }: WeekFacts,
  publicUrl: string,
): Said => {
  const now = rowsIn(past.figures)
  const before = rowsIn(past.compared?.figures ?? [])
  const coming = daysAhead(rowsIn(ahead.figures)('booked'), first)
  const days = `${shortDayInWords(past.from)} – ${shortDayInWords(past.to)}`
  const report = `${publicUrl}/office/reports?from=${past.from}&to=${past.to}`
  const button = { words: 'Open the report', url: report }
  if (isQuiet(past) && coming.length === 0 && waiting.length === 0) {
    const nothing = `Nothing happened from ${days}, and nothing is booked for the week ahead.`
    const subject = `${venue.name}: a week without bookings`
    return { subject, preheader: nothing, title: days, paragraphs: [nothing], button }
  }
  const covers = total(now('covers'))
  const facts = { rules, today: first, since }
  const open = openDaysOf(now('covers'), past, facts)
  const openBefore = openDaysOf(before('covers'), past.compared ?? past, facts)
  const marks = neverMarked(now('open_ends'), now('parties'))
  const side = { days: past, open, openEnds: now('open_ends'), parties: now('parties') }
  const sideBefore = {
    ...{ days: past.compared ?? past, open: openBefore },
    ...{ openEnds: before('open_ends'), parties: before('parties') },
  }
  const pair = comparedDays(side, sideBefore)
  const usual = usualDays(side)
  // Where many were never marked, what came of the others is no news.
  const isCompared = marks === '' && total(pair.before.covers) >= fewestCases
  const why = isCompared ? differenceInWords(pair.now, pair.before, { firstWeekday: weekdayOf(first) }) : ''
  const both = { now: now('covers'), before: before('covers') }
  const { leftOut } = guestsCompared(both, pair, { words: wasOf, today: first })
  const isOfAll = marks === '' && leftOut === ''
  // As on the page: an evening that nobody marked makes no mean smaller.
  const mean = perOpenDay(usual.open, isOfAll ? usualDays(sideBefore).open : undefined)
  const isCountBeside = marks === '' && total(before('covers')) > 0
  const unmarked = marks === '' ? 0 : total(now('open_ends'))
  // "The week of" a Monday would be another one where weeks begin on Sunday.
  const week = `from ${dayOfMonthInWords(past.from)} to ${dayOfMonthInWords(past.to)}`
  const bars = [
    daysTable(now('covers'), past.from, rules),
    sourcesTable(now('sources')),
    sizesTable(now('sizes')),
  ]
  return {
    subject: `${venue.name}: ${unmarked === 0 ? `${guests(covers)} ${week}` : `${counted(unmarked, 'booking')} ${week} ${unmarked === 1 ? 'was' : 'were'} never marked`}`,
    preheader: `${days}: ${guests(covers)} in ${parties(total(now('parties')))}`,
    title: days,
    paragraphs: [
      marks,
      mean,
      mean === '' ? '' : leftOutOfMeans(isCountBeside ? [] : usual.unmarked, usual.shut, first),
      isCountBeside ? leftOut : '',
      why,
      turnedAway(now('refused')),
      unmarked === 0 ? neverClosed(now('open_ends')) : '',
    ]
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence !== ''),
    facts: sixFigures(
      now,
      {
        counts: isOfAll ? before : () => [],
        rates: marks === '' ? before : () => [],
        isMarked: marks === '',
      },
      coming,
    ),
    tables: [...bars, busyTable(coming), waitingTable(waiting, unmarked)].filter(
      ({ rows }) => rows.length > 0,
    ),
    button,
    ...(waiting[0] && {
      link: { words: 'See what needs an answer', url: publicUrl + waiting[0].path },
    }),
  }
}

type Rows = (name: FigureName) => readonly Row[]

const rowsIn = (figures: Figures['figures']): Rows => {
  const byName = new Map(figures.map(({ name, rows }) => [name, rows]))
  return (name) => byName.get(name) ?? []
}

/** Nobody came, and nobody was expected. */
const isQuiet = ({ figures }: Figures): boolean =>
  figures.every(({ rows }) => rows.every(({ n, d }) => (n ?? 0) === 0 && (d ?? 0) === 0))

/** "12 requests for a table were turned away, 9 of them for lack of room: your pacing limit."; empty without any. */
const turnedAway = (refused: readonly Row[]): string => {
  const reasons = refused.filter(({ key }) => 'reason' in key && key['reason'] !== nothingOpen)
  const all = total(reasons)
  const limits = limitsHitBy(reasons)
  const full = limits.reduce((sum, { n }) => sum + n, 0)
  if (all === 0) return ''
  const room = full === all ? '' : `, ${numberInWords(full)} of them`
  return `${counted(all, 'request')} for a table ${all === 1 ? 'was' : 'were'} turned away${full === 0 ? ', none' : room} for lack of room${full === 0 ? '' : `: ${limitsInWords(limits)}`}.`
}

const wasOf = 'the week before'

const sixFigures = (
  now: Rows,
  { isMarked, ...before }: { readonly counts: Rows; readonly rates: Rows; readonly isMarked: boolean },
  coming: readonly DayAhead[],
): NonNullable<Letter['facts']> => {
  const count = (name: 'covers' | 'parties'): string => {
    const [is, was] = [total(now(name)), total(before.counts(name))]
    return `${numberInWords(is)}${compared(is, was, wasOf)}`
  }
  const cancelled = countsOf(rowOf(now('cancelled'), { measure: 'guest' }))
  const rate = (name: 'no_shows' | 'cancelled', measure: string): string => {
    const [is, was] = [
      countsOf(rowOf(now(name), { measure })),
      countsOf(rowOf(before.rates(name), { measure })),
    ]
    return rateWords(is, was)
  }
  const back = (rows: readonly Row[]): Counts => {
    const [fresh, returning] = ['new', 'returning'].map((kind) => rowOf(rows, { kind })?.n ?? 0) as [
      number,
      number,
    ]
    return { n: returning, d: fresh + returning }
  }
  const booked = coming.reduce((sum, day) => sum + day.covers, 0)
  return [
    ['Guests', count('covers')],
    ['Parties', count('parties')],
    ['No-shows', rate('no_shows', 'parties')],
    // Of bookings that nobody marked it is not known whether they were kept: all others are no measure.
    ['Cancelled by guests', isMarked ? rate('cancelled', 'guest') : numberInWords(cancelled.n)],
    ['Had been here before', rateWords(back(now('guests')), back(before.rates('guests')))],
    ['Booked for this week', booked === 0 ? 'nobody yet' : guests(booked)],
  ]
}

type Counts = { readonly n: number; readonly d: number }

const countsOf = (row: Row | undefined): Counts => ({ n: row?.n ?? 0, d: row?.d ?? 0 })

/** "4% (9 of 231); the week before: 3%", "1 of 11", "none". */
const rateWords = (is: Counts, was: Counts): string => {
  if (is.d === 0) return 'none to count'
  if (is.d < fewestCases) return share(is.n, is.d)
  const cases = `${share(is.n, is.d)} (${numberInWords(is.n)} of ${numberInWords(is.d)})`
  return was.d < fewestCases ? cases : `${cases}; ${wasOf}: ${share(was.n, was.d)}`
}

type Line = { readonly label: string; readonly n: number; readonly words?: string }

/** Bars are as long as their share of the longest. */
const barsOf = (title: string, lines: readonly Line[]): LetterTable => {
  const longest = Math.max(1, ...lines.map(({ n }) => n))
  return {
    title,
    rows: lines.map(({ label, n, words }) => ({ label, words: words ?? numberInWords(n), bar: n / longest })),
  }
}

/** Each day of the week; one without a service is closed and not 0. */
const daysTable = (covers: readonly Row[], from: LocalDate, rules: RulesInTime): LetterTable => {
  const lines = Array.from({ length: 7 }, (_, at): Line => {
    const date = addDays(from, at)
    const n = total(covers.filter(({ key }) => key['date'] === date))
    const isClosed = n === 0 && isShutOn(rules, date)
    return { label: shortDayInWords(date), n, ...(isClosed && { words: 'closed' }) }
  })
  return barsOf('Guests by day', lines.some(({ n }) => n > 0) ? lines : [])
}

/** Series of a table, with what the rest is together. */
const mostSeries = 5

const sourcesTable = (sources: readonly Row[]): LetterTable => {
  const all = sources
    .filter(({ key, n }) => key['measure'] === 'promised' && (n ?? 0) > 0)
    .map(({ key, n }) => ({ label: sourceName(String(key['source'])), n: n ?? 0 }))
    .toSorted((one, other) => other.n - one.n)
  const first = all.length > mostSeries ? mostSeries - 1 : all.length
  const rest = all.slice(first).reduce((sum, { n }) => sum + n, 0)
  return barsOf('Where they come from', [
    ...all.slice(0, first),
    ...(rest > 0 ? [{ label: 'Other', n: rest }] : []),
  ])
}

const sizesTable = (sizes: readonly Row[]): LetterTable => {
  const lines = [...sizeClasses.map(([size]) => size), 'unknown']
    .map((size) => ({ label: sizeWords(size), n: rowOf(sizes, { size })?.n ?? 0 }))
    .filter(({ n }) => n > 0)
  return barsOf('Parties by size', lines)
}

type DayAhead = {
  readonly date: LocalDate
  readonly covers: number
  readonly parties: number
  readonly requested: number
}

/** The days of the week that begins on which anybody is booked. */
const daysAhead = (booked: readonly Row[], first: LocalDate): readonly DayAhead[] =>
  Array.from({ length: 7 }, (_, at) => {
    const date = addDays(first, at)
    const [covers, all, requested] = ['covers', 'parties', 'requested'].map(
      (measure) => rowOf(booked, { date, measure })?.n ?? 0,
    ) as [number, number, number]
    return { date, covers, parties: all, requested }
  }).filter((day) => day.parties > 0)

const mostBusy = 3

/** The busiest of them, in the order they come. */
const busyTable = (days: readonly DayAhead[]): LetterTable => ({
  title: 'Busiest days ahead',
  rows: days
    .toSorted((one, other) => other.covers - one.covers)
    .slice(0, mostBusy)
    .toSorted((one, other) => (one.date < other.date ? -1 : 1))
    .map((day) => ({
      label: dayInWords(day.date),
      words: `${guests(day.covers)} in ${parties(day.parties)}${day.requested > 0 ? `, including ${counted(day.requested, 'request')}` : ''}`,
    })),
})

const waitingTable = (waiting: readonly Waiting[], unmarked: number): LetterTable => ({
  title: 'Needs an answer',
  rows: [
    ...(unmarked > 0
      ? [{ label: 'Bookings never marked seated or no-show', words: numberInWords(unmarked) }]
      : []),
    ...waiting.map(({ what, count }) => ({
      label: what,
      words: count > mostWaiting ? `${mostWaiting}+` : numberInWords(count),
    })),
  ],
})
