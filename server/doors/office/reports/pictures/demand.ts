import type { BookingReason } from '@venue-data/contract/reasons.ts'
import { isForWantOfRoom } from '../../../../data/reports/demand/demand-reads.ts'
import { nothingOpen } from '../../../../data/reports/demand/demand.ts'
import { datesIn } from '../../../../data/reports/days-to-count.ts'
import { isOpenOn } from '../../../../data/reports/open-days.ts'
import { staffLabels } from '../../../../book/reservations/staff-sentences.ts'
import { addDays, weekdayName, weekdayOf } from '../../../../platform/kernel/time/calendar.ts'
import { clockTimeAt } from '../../../../platform/kernel/time/written-time.ts'
import { minuteInWords, numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import { type Html, html } from '../../../../platform/html/html.ts'
import { type Lines, groupsDrawn } from '../drawn/lines.ts'
import {
  type Row,
  counted,
  fewestCases,
  isMostlyPaced,
  limitsHitBy,
  limitsInWords,
  parties,
  rowOf,
  share,
  shareOf,
  total,
  sizeWords,
} from '../../../../data/reports/in-words.ts'
import { fewestWeeks, limitLink } from '../weekly-limit.ts'
import { type Picture, type Shown, capital, datesWithGuests, daysInWords, isRecent } from '../picture.ts'

/** Who asked for a table and was refused: when there was no room, for how many, and why. */
export const refusedPicture = (shown: Shown): Picture => {
  const rows = shown.rows('refused')
  const reasons = rows.filter(({ key }) => 'reason' in key)
  const days = total(reasons.filter(({ key }) => key['reason'] === nothingOpen))
  const all = total(reasons) - days
  const slots = slotsOf(shown, rows)
  const sizes = rows.filter(({ key }) => 'size' in key && key['measure'] === 'full')
  const limitsHit = limitsHitBy(reasons)
  const sentence = refusedSentence({ all, days, slots, limitsHit, onDays: daysInWords(shown) })
  const byReason = [...Map.groupBy(reasons, ({ key }) => String(key['reason']))]
    .map(([reason, of]) => ({ reason, n: total(of) }))
    .toSorted((a, b) => b.n - a.n)
  const weekdays = weekdaysOf(shown)
  const full = fullMostWeeks(slots)
  const groups: Lines[] = [
    {
      name: 'No room',
      lines: slots.slice(0, mostSlots).map(({ words, n, dates, of, open }) => ({
        ...{ name: words, value: n },
        words: of === 1 ? numberInWords(n) : `${numberInWords(n)} · ${daysShown(dates, open)}`,
      })),
    },
    {
      name: 'Which limit left no room',
      lines: limitsHit.map(({ name, n }) => ({ name: capital(name), value: n, words: numberInWords(n) })),
    },
    {
      name: 'By weekday',
      lines: weekdays.map(({ weekday, n, full }) => ({
        ...{ name: weekdayName(weekday), value: n },
        words: `${numberInWords(n)} · no room ${numberInWords(full)}`,
      })),
    },
    {
      name: 'For another reason',
      lines: byReason
        .filter(({ reason }) => reason !== nothingOpen && !isForWantOfRoom(reason))
        .map(({ reason, n }) => ({
          name: reasonWords(reason),
          value: n,
          words: numberInWords(n),
        })),
    },
    {
      name: 'No request: no time was open',
      lines: days === 0 ? [] : [{ name: 'Chose such a day', value: days, words: numberInWords(days) }],
    },
  ]
  return {
    ...{
      id: 'refused',
      title: 'Turned away',
      of: ['refused', 'refused_by_weekday'],
      sentence,
      cases: counted(all, 'request'),
    },
    isWide: reasons.length > 0,
    drawn:
      reasons.length === 0
        ? undefined
        : groupsDrawn(
            groups.filter(({ lines }) => lines.length > 0),
            sentence,
          ),
    columns: [
      { key: 'by', name: 'By', shown: (by) => capital(String(by).replaceAll('_', ' ')) },
      { key: 'of', name: 'Which', isName: true, shown: (of) => timeShown(String(of)) },
      { key: 'refused', name: 'Refused' },
      { key: 'days_full', name: 'Days without room for them' },
      { key: 'days', name: 'Days of the period' },
      { key: 'open_days', name: 'Open days' },
    ],
    rows: [
      ...slots.map(({ weekday, minute, n, dates, of, open }) => [
        ...['time', `${weekdayName(weekday)} ${clockTimeAt(minute)}`, n, dates, of, open],
      ]),
      ...sizes.map(({ key, n }) => ['size', sizeWords(String(key['size'])), n, null, null, null]),
      ...byReason.map(({ reason, n }) => [
        ...[reason === nothingOpen ? 'no_request' : 'reason', reasonWords(reason), n, null, null, null],
      ]),
      ...weekdays.flatMap(({ weekday, n, reasons: why }) => [
        ['weekday', weekdayName(weekday), n, null, null, null],
        ...why.map((one) => [
          ...[
            one.reason === nothingOpen ? 'weekday_and_no_request' : 'weekday_and_reason',
            `${weekdayName(weekday)}: ${reasonWords(one.reason)}`,
            one.n,
            null,
            null,
            null,
          ],
        ]),
      ]),
    ],
    onPaper: weekdays.length === 0 ? undefined : html`${weekdays.map(weekdayOnPaper)}`,
    action: html`${shown.openMore?.all}${shown.weeklyLimit?.advised?.press ?? (full && isMostlyPaced(limitsHit) && isRecent(shown) && limitLink(shown.rules, full))}`,
    // What is full week after week is about more than one day to come.
    first: shown.weeklyLimit?.advised ?? shown.openMore?.first,
  }
}

/** The time for which most were refused, if it was full on half of the evenings of its weekday or more. */
const fullMostWeeks = (slots: readonly Slot[]): Slot | undefined => {
  const most = slots.find(({ isOpen }) => isOpen)
  return most !== undefined && most.open >= fewestWeeks && most.dates * 2 >= most.open ? most : undefined
}

/** Requests that were refused for each weekday, and why, the most first; days that nobody could choose are no request. */
const weekdaysOf = ({ rows, firstWeekday }: Shown) =>
  [...Map.groupBy(rows('refused_by_weekday'), ({ key }) => Number(key['weekday']))]
    .map(([weekday, of]) => {
      const reasons = of
        .map(({ key, n }) => ({ reason: String(key['reason']), n: n ?? 0 }))
        .toSorted((a, b) => b.n - a.n || (a.reason < b.reason ? -1 : 1))
      const sum = (is: (reason: string) => boolean): number =>
        reasons.reduce((all, { reason, n }) => all + (is(reason) ? n : 0), 0)
      return { weekday, reasons, n: sum((reason) => reason !== nothingOpen), full: sum(isForWantOfRoom) }
    })
    .toSorted((a, b) => ((a.weekday - firstWeekday + 7) % 7) - ((b.weekday - firstWeekday + 7) % 7))

/** "Friday: 6 requests. Your pacing limit (guests) 5, Closed 1. 7 times a guest chose such a day and no time was open." */
const weekdayOnPaper = ({ weekday, n, reasons }: ReturnType<typeof weekdaysOf>[number]): Html => {
  const why = reasons.filter(({ reason }) => reason !== nothingOpen)
  const looks = reasons.find(({ reason }) => reason === nothingOpen)?.n ?? 0
  return html`<p><b>${weekdayName(weekday)}: ${counted(n, 'request')}.</b> ${why.length > 0 && `${why.map((one) => `${reasonWords(one.reason)} ${numberInWords(one.n)}`).join(', ')}.`} ${looks > 0 && `${timesInWords(looks)} a guest chose such a day and no time was open.`}</p>`
}

/** "3 of 11 days", "45% of days", "all 26 days". */
const daysShown = (dates: number, open: number): string =>
  isEach(dates, open)
    ? `all ${numberInWords(open)} days`
    : `${share(dates, open)} ${open < fewestCases ? 'days' : 'of days'}`

const isEach = (dates: number, open: number): boolean => open >= fewestCases && dates === open

/** How many slots are drawn. */
const mostSlots = 8

type Slot = {
  readonly weekday: number
  readonly minute: number
  readonly words: string
  readonly n: number
  readonly dates: number
  /** All dates of that weekday in the period, as programs get it. */
  readonly of: number
  /** Those that were not closed: an evening on which nobody could come was not full, and had no room either. */
  readonly open: number
  /** False of a weekday that was closed all the time, such as the only Thursday being a holiday. */
  readonly isOpen: boolean
  /** Of the only day of that weekday: it is still to come. */
  readonly isAhead: boolean
}

/** Dates of a weekday in the period: those that count as open, and the others. */
const datesOf = (shown: Shown, weekday: number) => {
  const came = datesWithGuests(shown)
  const all = datesIn(shown.figures).filter((date) => weekdayOf(date) === weekday)
  const open = all.filter((date) => isOpenOn(shown, date, came.has(date))).length
  return { shut: all.length - open, open }
}

/** Whether a day of that weekday in the period is over. */
const isOver = ({ figures: { from }, today }: Shown, weekday: number): boolean =>
  addDays(from, (weekday - weekdayOf(from) + 7) % 7) < today

/** Times for which somebody was refused for lack of room, those with the most first. */
const slotsOf = (shown: Shown, rows: readonly Row[]): Slot[] =>
  rows
    .filter(({ key }) => 'weekday' in key && key['measure'] === 'full')
    .map(({ key, n }) => {
      const [weekday, minute] = [Number(key['weekday']), Number(key['minute'])]
      const dates = rowOf(rows, { weekday, minute, measure: 'dates' })
      const { shut, open } = datesOf(shown, weekday)
      return {
        ...{ weekday, minute, n: n ?? 0, dates: dates?.n ?? 0 },
        of: dates?.d ?? 0,
        // One that was closed after somebody had been refused was open then.
        open: Math.max((dates?.d ?? 0) - shut, dates?.n ?? 0),
        isOpen: open > 0,
        isAhead: dates?.d === 1 && !isOver(shown, weekday),
        words: `${weekdayName(weekday)} ${minuteInWords(minute)}`,
      }
    })
    .toSorted((a, b) => b.n - a.n || a.weekday - b.weekday || a.minute - b.minute)

/** The file has hours that sort; the page has those that its readers use. */
const timeShown = (of: string): string =>
  of.replace(
    / (\d\d):(\d\d)$/,
    (_, hours: string, minutes: string) => ` ${minuteInWords(Number(hours) * 60 + Number(minutes))}`,
  )

const eveningFrom = 960

const refusedSentence = ({
  all,
  days,
  slots,
  limitsHit,
  onDays,
}: {
  readonly all: number
  readonly days: number
  readonly slots: readonly Slot[]
  readonly limitsHit: ReturnType<typeof limitsHitBy>
  readonly onDays: string
}): string => {
  const looked =
    days === 0
      ? ''
      : ` ${timesInWords(days)} a guest chose ${onDays === 'this day' ? onDays : `one of ${onDays}`} and no time was open, each guest counted once an hour. “Your guest pages” counts every look at a day.`
  if (all === 0) return `Nobody was refused a table on ${onDays}.${looked}`
  const most = slots.find(({ isOpen }) => isOpen)
  const full = slots.reduce((sum, { n }) => sum + n, 0)
  const asked = `${counted(all, 'request')} for a table ${all === 1 ? 'was' : 'were'} refused`
  if (full === 0) return `${asked}, none for lack of room.${looked}`
  const room = full === all ? 'all' : numberInWords(full)
  const inAll = `${asked}, ${room} for lack of room: ${limitsInWords(limitsHit)}.${looked}`
  if (!most) return inAll
  const [away, at] = [`${most.n === 1 ? 'was' : 'were'} turned away`, minuteInWords(most.minute)]
  if (most.isAhead)
    return `For ${weekdayName(most.weekday)} at ${at}, ${parties(most.n)} ${most.n === 1 ? 'has' : 'have'} been turned away so far. In all, ${inAll}`
  if (most.open === 1)
    return `On ${weekdayName(most.weekday)} at ${at}, ${parties(most.n)} ${away}. In all, ${inAll}`
  const evenings = `${weekdayName(most.weekday)} ${most.minute >= eveningFrom ? 'evenings' : 'days'}`
  return `On ${weekdayName(most.weekday)}s at ${at}, ${parties(most.n)} ${away}, on ${isEach(most.dates, most.open) ? `all ${numberInWords(most.open)} ${evenings}` : shareOf(most.dates, most.open, evenings, evenings)}. In all, ${inAll}`
}

export const timesInWords = (n: number): string => (n === 1 ? 'Once' : `${numberInWords(n)} times`)

/** A reason in a few words; of what left no room, by the name that the sentence and the bars have. */
const reasonWords = (reason: string): string =>
  reason === nothingOpen
    ? 'No open time'
    : (limitWords[reason] ?? staffLabels[reason as BookingReason] ?? reason)

const limitWords: Readonly<Record<string, string>> = {
  'pacing-covers-full': 'Your pacing limit (guests)',
  'pacing-parties-full': 'Your pacing limit (parties)',
  'tables-full': 'No free table',
}
