import type { Figures } from '@venue-data/contract/records/figures.ts'
import type { Html } from '../../../platform/html/html.ts'
import type { CountedFigure } from '../../../data/reports/figure-names.ts'
import { type Row, dayInWords, fewestCases, outOf, share } from '../../../data/reports/in-words.ts'
import { type OpenDays, type RulesInTime, openDaysOf } from '../../../data/reports/open-days.ts'
import { daysToReturn } from '../../../data/reports/figures-of-day.ts'
import type { Days } from '../../../data/reports/report-reads.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { money, moneyOf } from '../parts/money.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'

/*
 * A report is pictures one below the other. Each says its sentence, is drawn, and has its table, which is also its file:
 * the drawing and the table are made of the same numbers.
 */

/** What a figure, or the word for it, is before the page and the file write it each in its own way. */
export type Cell = string | number | null

export type Column = {
  /** Its name in the file: stays as it is for good. */
  readonly key: string
  readonly name: string
  /** How a cell is written on the page; by itself as a number or as text. */
  readonly shown?: (value: Cell, row: readonly Cell[]) => string
  /** It says what the row is, where the first column does not. */
  readonly isName?: boolean
}

export type Picture = {
  readonly id: string
  readonly title: string
  /** Whose definitions it shows. */
  readonly of: readonly CountedFigure[]
  readonly sentence: string
  /** "241 parties": how much it is made of. */
  readonly cases: string
  /** Absent where there is nothing to draw. */
  readonly drawn?: Html | undefined
  /** What the marks of the drawing mean. */
  readonly key?: readonly (readonly [
    mark: 'before' | 'mark' | 'open' | 'closed' | 'dot' | 'full',
    words: string,
  ])[]
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** Over the whole width of the page. */
  readonly isWide?: boolean
  /** What the drawing leaves to the table, on paper, where a long table is left out. */
  readonly onPaper?: Html | undefined
  /** What is counted, of what the definitions of its figures do not say. */
  readonly counted?: string
  /** What can be done about it. */
  readonly action?: Html | undefined
  /** The press or link of it that is worth most; the top of the page has that of the picture whose is worth most. */
  readonly first?: Press | undefined
}

export type Press = {
  readonly press: Html
  /** How many guests it is about: who could come, who would not outstay their table, who stayed away. */
  readonly guests: number
  /** Comes before all others: what is wrong every week is worth more than the figure of what could be counted of it. */
  readonly isFirst?: boolean
}

/** What is advised of a limit; or why none is, though one turned parties away: on too few dates, or with all tables taken. */
export type WeeklyLimit =
  | { readonly advised: Press }
  | { readonly advised: undefined; readonly why: 'few' | 'full' }

/** What pictures are made of. */
export type Shown = {
  readonly figures: Figures
  readonly rows: (name: CountedFigure) => readonly Row[]
  /** Of the period it is compared with; none without one. */
  readonly before: (name: CountedFigure) => readonly Row[]
  /** "the week before"; undefined where nothing is compared. */
  readonly beforeWords: string | undefined
  /** An amount in hundredths of the venue's currency. */
  readonly money: (cents: number) => string
  /** The first day with a booking, where what came before it is too little to compare with; null: there is none. */
  readonly noPastBefore: LocalDate | null | undefined
  /** The first day with a booking, of all there ever were; null: there is none. */
  readonly since: LocalDate | null
  /** Campaigns whose seven days are not over, and when they are. */
  readonly countingUntil: ReadonlyMap<number, Temporal.Instant>
  readonly today: LocalDate
  readonly firstWeekday: number
  /** The period as an address has it, for presses that lead back to it. */
  readonly period: Record<string, string>
  readonly rules: RulesInTime
  readonly rulesVersion: string
  /** What the venue calls the tables that it has now. */
  readonly tables?: readonly string[]
  /** The names of the ticketed events on each date. */
  readonly eventsOn?: ReadonlyMap<LocalDate, readonly string[]>
  /** The name of a campaign. */
  readonly campaign: (id: number) => string
  /** The name of a key of the API. */
  readonly keyName: (id: number) => string
  /** Whether an account for test payments is or was connected: no figure counts what is paid there. */
  readonly hasTestPayments?: boolean
  /** The limit that fills a time in most weeks, though there were tables; or why none is advised. Undefined of days long past. */
  readonly weeklyLimit?: WeeklyLimit | undefined
  /** The days of the reader's weekly letter, where last week is about others. */
  readonly letterWeek?: Days | undefined
  /** What can be done about parties that were refused on days to come. */
  readonly openMore?: { readonly all: Html; readonly first?: Press } | undefined
}

export const shownOf = (
  figures: Figures,
  of: Omit<Shown, 'figures' | 'rows' | 'before' | 'money'>,
): Shown => {
  const byName = (list: Figures['figures']) =>
    new Map<string, readonly Row[]>(list.map(({ name, rows }) => [name, rows]))
  const [now, before] = [byName(figures.figures), byName(figures.compared?.figures ?? [])]
  const { currency } = figures
  return {
    ...of,
    figures,
    money: (cents) => (currency === null ? money(cents) : moneyOf(cents, currency)),
    rows: (name) => now.get(name) ?? [],
    before: (name) => before.get(name) ?? [],
  }
}

/** The open days that are over, of the period or of the one it is compared with. */
export const openDays = (shown: Shown, which: 'rows' | 'before'): OpenDays => {
  const known = openDaysBy.get(shown) ?? {}
  openDaysBy.set(shown, known)
  return (known[which] ??= openDaysIn(shown, which))
}

/** Most pictures ask for them, each of a year's days. */
const openDaysBy = new WeakMap<Shown, { rows?: OpenDays; before?: OpenDays }>()

const openDaysIn = (shown: Shown, which: 'rows' | 'before'): OpenDays => {
  const days = which === 'rows' ? shown.figures : shown.figures.compared
  return days === null ? { covers: [], dates: [], all: [] } : openDaysOf(shown[which]('covers'), days, shown)
}

/** Dates on which somebody came, or is booked. */
export const datesWithGuests = ({ rows }: Shown): ReadonlySet<LocalDate> =>
  new Set([...rows('covers'), ...rows('booked')].map(({ key }) => String(key['date'])))

/**
 * Of a period that begins when the book was young: guests who had come before it count as if they came for the first time, so
 * figures of first and return visits say more about the book than about the guests.
 */
export const youngBook = ({ since, today }: Shown, from: LocalDate, what: string): string =>
  since === null || from >= addDays(since, daysToReturn)
    ? ''
    : ` Read this with care: your book begins on ${dayInWords({ today }, since)}, and guests who had come before that count as new on their first visit after it, so in its first ${daysToReturn} days ${what}.`

/** After the sentence of a picture of money. */
export const testsLeftOut = ({ hasTestPayments }: Shown): string =>
  hasTestPayments === true ? ' Test payments move no money and are left out.' : ''

/** In place of a picture of money that has nothing to show: nothing, unless it leaves test payments out. */
export const noMoneyBut = (
  shown: Shown,
  of: Pick<Picture, 'id' | 'title' | 'of'>,
  none: string,
): Picture | undefined =>
  shown.hasTestPayments === true
    ? { ...of, sentence: `${none}${testsLeftOut(shown)}`, cases: 'none', columns: [], rows: [] }
    : undefined

/** A share as a column has it: nothing where there are too few cases for one. */
export const rateCell = (n: number, d: number): number | null => (d < fewestCases ? null : n / d)

/** The rate before, as a mark of a drawing: none of too few cases, and none next to days that are not over. */
export const rateBefore = (
  shown: Shown,
  { n, d }: { readonly n: number; readonly d: number },
): number | null => (areCountsCompared(shown) ? rateCell(n, d) : null)

/** A share as a line of a drawing. */
export const rateLine = (name: string, n: number, d: number) => ({
  name,
  value: rateCell(n, d),
  words: d < fewestCases ? share(n, d) : `${share(n, d)} · ${outOf(n, d)}`,
})

/** Halves go up, also those that a binary fraction holds a little too small. */
export const percentShown = (value: Cell): string =>
  typeof value === 'number' ? `${Math.floor(Math.round(value * 1e6) / 1e4 + 0.5)}%` : '–'

/** What a mark across a bar means; nothing where nothing is compared. */
export const markedBefore = ({ beforeWords }: Shown): NonNullable<Picture['key']> =>
  beforeWords === undefined ? [] : [['mark', capital(beforeWords)]]

/** Days for which a period may lead to an action: what is done is about now. */
export const recentDays = 56

export const isRecent = ({ figures, today }: Pick<Shown, 'figures' | 'today'>): boolean =>
  figures.to >= addDays(today, -recentDays)

/** Whether counts are compared: those of days that are not over would be with nothing as long. */
export const areCountsCompared = ({ figures, today }: Shown): boolean =>
  figures.compared !== null && figures.to < today

/** "these days", "this day": what a report is about, in its sentences. */
export const daysInWords = ({ figures: { from, to } }: Pick<Shown, 'figures'>): string =>
  from === to ? 'this day' : 'these days'

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
