import type { bookingReasons } from '@venue-data/contract/reasons.ts'
import { capacityReasons } from '../../../../data/reports/demand/demand-reads.ts'
import { nothingOpen } from '../../../../data/reports/demand/demand.ts'
import { steps } from '../../../../data/reports/demand/steps.ts'
import { type GuestDoor, guestDoors } from '../../../../core/venue/guest-settings-rules.ts'
import { weekdayName } from '../../../../platform/kernel/time/calendar.ts'
import { clockTimeAt } from '../../../../platform/kernel/time/written-time.ts'
import { minuteInWords, numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import { type Lines, linesDrawn } from '../drawn/lines.ts'
import {
  type Row,
  counted,
  fewestCases,
  parties,
  rowOf,
  share,
  shareOf,
  total,
  sizeWords,
} from '../../../../data/reports/in-words.ts'
import { type Picture, type Shown, capital } from '../picture.ts'

/** Who asked for a table and was refused: when there was no room, for how many, and why. */
export const refusedPicture = (shown: Shown): Picture => {
  const rows = shown.rows('refused')
  const reasons = rows.filter(({ key }) => 'reason' in key)
  const days = total(reasons.filter(({ key }) => key['reason'] === nothingOpen))
  const all = total(reasons) - days
  const slots = slotsOf(rows)
  const sizes = rows.filter(({ key }) => 'size' in key && key['measure'] === 'full')
  const sentence = refusedSentence({ all, days, slots })
  const byReason = [...Map.groupBy(reasons, ({ key }) => String(key['reason']))]
    .map(([reason, of]) => ({ reason, n: total(of) }))
    .toSorted((a, b) => b.n - a.n)
  const groups: Lines[] = [
    {
      name: 'No room',
      lines: slots.slice(0, mostSlots).map(({ words, n, dates, of }) => ({
        ...{ name: words, value: n },
        words: `${numberInWords(n)} · ${share(dates, of)} ${of < fewestCases ? 'days' : 'of days'}`,
      })),
    },
    {
      name: 'For another reason',
      lines: byReason
        .filter(({ reason }) => !isCapacity(reason))
        .map(({ reason, n }) => ({
          name: reasonWords(reason),
          value: n,
          words: numberInWords(n),
        })),
    },
  ]
  return {
    ...{ id: 'refused', title: 'Turned away', of: ['refused'], sentence, cases: counted(all, 'request') },
    isTall: reasons.length > 0,
    drawn:
      reasons.length === 0
        ? undefined
        : linesDrawn(
            groups.filter(({ lines }) => lines.length > 0),
            sentence,
          ),
    columns: [
      { key: 'by', name: 'By', shown: (by) => capital(String(by)) },
      { key: 'of', name: 'Which', isName: true },
      { key: 'refused', name: 'Refused' },
      { key: 'days_full', name: 'Days full' },
      { key: 'days', name: 'Days' },
    ],
    rows: [
      ...slots.map(({ weekday, minute, n, dates, of }) => [
        ...['time', `${weekdayName(weekday)} ${clockTimeAt(minute)}`, n, dates, of],
      ]),
      ...sizes.map(({ key, n }) => ['size', sizeWords(String(key['size'])), n, null, null]),
      ...byReason.map(({ reason, n }) => ['reason', reasonWords(reason), n, null, null]),
    ],
    action: shown.openMore,
  }
}

const isCapacity = (reason: string): boolean => capacityReasons.some((one) => one === reason)

/** How many slots are drawn. */
const mostSlots = 8

type Slot = {
  readonly weekday: number
  readonly minute: number
  readonly words: string
  readonly n: number
  readonly dates: number
  readonly of: number
}

/** Times for which somebody was refused for want of room, those with the most first. */
const slotsOf = (rows: readonly Row[]): Slot[] =>
  rows
    .filter(({ key }) => 'weekday' in key && key['measure'] === 'full')
    .map(({ key, n }) => {
      const [weekday, minute] = [Number(key['weekday']), Number(key['minute'])]
      const dates = rowOf(rows, { weekday, minute, measure: 'dates' })
      return {
        ...{ weekday, minute, n: n ?? 0, dates: dates?.n ?? 0, of: dates?.d ?? 0 },
        words: `${weekdayName(weekday)} ${minuteInWords(minute)}`,
      }
    })
    .toSorted((a, b) => b.n - a.n || a.weekday - b.weekday || a.minute - b.minute)

const eveningFrom = 960

const refusedSentence = ({
  all,
  days,
  slots,
}: {
  readonly all: number
  readonly days: number
  readonly slots: readonly Slot[]
}): string => {
  const looked = days === 0 ? '' : ` ${timesInWords(days)} a guest chose a day on which no time was open.`
  if (all === 0) return `Nobody was refused a table in these days.${looked}`
  const [most] = slots
  const full = slots.reduce((sum, { n }) => sum + n, 0)
  const asked = `${counted(all, 'request')} for a table ${all === 1 ? 'was' : 'were'} refused`
  if (!most) return `${asked}, none for want of room.${looked}`
  const evenings = most.minute >= eveningFrom ? 'evenings' : 'days'
  return `${weekdayName(most.weekday)}s at ${minuteInWords(most.minute)} were full on ${shareOf(most.dates, most.of, evenings)} and ${parties(most.n)} ${most.n === 1 ? 'was' : 'were'} refused. In all, ${asked}, ${numberInWords(full)} of them for want of room.${looked}`
}

const timesInWords = (n: number): string => (n === 1 ? 'Once' : `${numberInWords(n)} times`)

/** A reason in a few words. */
const reasonWords = (reason: string): string =>
  reason === nothingOpen
    ? 'No open time on a day'
    : (shortReasons[reason as keyof typeof bookingReasons] ?? reason)

const shortReasons: Readonly<Record<keyof typeof bookingReasons, string>> = {
  'in-the-past': 'In the past',
  closed: 'Closed',
  'outside-hours': 'Outside the hours',
  blocked: 'Blocked',
  'same-day-cutoff': 'Closed for today',
  'party-too-small': 'Party too small',
  'party-too-large': 'Party too large',
  'too-short-notice': 'Too short notice',
  'too-far-ahead': 'Too far ahead',
  'after-last-arrival': 'After the last arrival',
  'not-a-seating-time': 'No seating time',
  'pacing-covers-full': 'Guests full',
  'pacing-parties-full': 'Parties full',
  'tables-full': 'Tables full',
  'experience-full': 'Experience full',
}

/** How far guests came on the venue's own pages, and where they came from. */
export const funnelPicture = (shown: Shown): Picture | undefined => {
  const rows = shown.rows('funnel')
  const doors = guestDoors.filter((door) => rows.some(({ key }) => key['door'] === door))
  const [first] = doors
  if (first === undefined) return undefined
  const of = (door: GuestDoor, step: string): number => rowOf(rows, { door, step })?.n ?? 0
  // Most venues ask nobody to pay first.
  const stepsShown = (door: GuestDoor) =>
    steps[door].filter((step) => step !== 'paying' || of(door, step) > 0)
  const views = total(rows.filter(({ key }) => Object.keys(key).length === 2))
  const parts = doors.flatMap((door) =>
    dimensionNames.map(([by, name]) => partOf(shown, rows, { door, by, name })),
  )
  const sentence = funnelSentence(shown, rows, first)
  return {
    ...{ id: 'funnel', title: 'Your guest pages', of: ['funnel'], sentence },
    cases: counted(views, 'page view'),
    isTall: true,
    drawn: linesDrawn(
      [
        ...doors.map((door) => ({
          name: doorWords[door],
          lines: stepsShown(door).map((step) => ({
            ...{ name: stepWords[step], value: of(door, step) },
            words: numberInWords(of(door, step)),
          })),
        })),
        ...parts
          .filter(
            ({ door, by, values }) =>
              door === first && ['from', 'campaign'].includes(by) && values.length > 0,
          )
          .map(({ name, values }) => ({
            name: `${doorWords[first]}, opened: ${name}`,
            lines: values.slice(0, mostDrawn).map(({ words, opened }) => ({
              ...{ name: words, value: opened, words: numberInWords(opened) },
            })),
          })),
      ],
      sentence,
    ),
    columns: [
      { key: 'door', name: 'Page', shown: (door) => doorWords[door as GuestDoor] },
      { key: 'step', name: 'Step', shown: (step) => stepWords[step as keyof typeof stepWords], isName: true },
      { key: 'by', name: 'By', shown: (by) => dimensionNames.find(([one]) => one === by)?.[1] ?? 'all' },
      { key: 'of', name: 'Which', shown: (words) => String(words) || 'all' },
      { key: 'views', name: 'Views' },
    ],
    rows: [
      ...doors.flatMap((door) => steps[door].map((step) => [door, step, '', '', of(door, step)])),
      ...parts.flatMap(({ door, by, values }) =>
        values.flatMap(({ words, opened, done }) => [
          [door, 'opened', by, words, opened],
          ...(done > 0 ? [[door, steps[door].at(-1) ?? '', by, words, done]] : []),
        ]),
      ),
    ],
  }
}

/** Values of a kind that are listed, and drawn; the rest is one line. */
const mostListed = 10
const mostDrawn = 5

/** A door's first and last step by one kind of value, those most opened first. */
const partOf = (
  shown: Shown,
  rows: readonly Row[],
  { door, by, name }: { readonly door: GuestDoor; readonly by: string; readonly name: string },
) => {
  const last = steps[door].at(-1)
  const own = rows.filter(({ key }) => key['door'] === door && by in key)
  const values = [...Map.groupBy(own, ({ key }) => String(key[by]))]
    .map(([value, of]) => {
      const at = (step: string | undefined): number => total(of.filter(({ key }) => key['step'] === step))
      return { words: valueInWords(shown, by, value), opened: at('opened'), done: at(last) }
    })
    .toSorted((a, b) => b.opened - a.opened || b.done - a.done)
  const [listed, rest] = [values.slice(0, mostListed), values.slice(mostListed)]
  const sum = (which: 'opened' | 'done'): number => rest.reduce((all, one) => all + one[which], 0)
  const others = rest.length > 0 ? [{ words: 'Other', opened: sum('opened'), done: sum('done') }] : []
  return { door, by, name, values: [...listed, ...others] }
}

const dimensionNames = [
  ['from', 'where from'],
  ['campaign', 'campaign'],
  ['language', 'language'],
  ['device', 'device'],
  ['site', 'site around it'],
] as const

const valueInWords = (shown: Shown, by: string, value: string): string => {
  if (by === 'campaign') {
    const [, id] = /^c(\d{1,15})$/.exec(value) ?? []
    return id === undefined ? value : shown.campaign(Number(id))
  }
  if (by === 'from' && value === 'direct') return 'Typed in, or not said'
  if (value === 'other') return 'Other'
  return by === 'device' ? capital(value) : value
}

const funnelSentence = (shown: Shown, rows: readonly Row[], door: GuestDoor): string => {
  const of = (step: string): number => rowOf(rows, { door, step })?.n ?? 0
  const [opened, done] = [of('opened'), of(steps[door].at(-1) ?? '')]
  const page = `The page “${doorWords[door]}” was opened ${opened === 1 ? 'once' : `${numberInWords(opened)} times`}`
  const ended = door === 'book' || door === 'tickets' ? 'booking' : 'form sent'
  const rate = opened >= fewestCases && done <= opened ? ` (${share(done, opened)})` : ''
  const none = of('none-open')
  const full = none > 0 ? ` ${timesInWords(none)} it showed a day without an open time.` : ''
  const from = partOf(shown, rows, { door, by: 'from', name: '' }).values.find(
    ({ words, opened: n }) => n > 0 && words !== valueInWords(shown, 'from', 'direct') && words !== 'Other',
  )
  return `${page}; ${counted(done, ended, door === 'book' || door === 'tickets' ? 'bookings' : 'forms sent')} came of it${rate}.${full}${from ? ` Most guests sent by another site came from ${from.words}.` : ''} Views, not people.`
}

const doorWords: Readonly<Record<GuestDoor, string>> = {
  book: 'Book a table',
  waitlist: 'Join the line',
  enquire: 'Inquire about an event',
  news: 'Sign up for news',
  tickets: 'Buy tickets',
}

const stepWords = {
  opened: 'Opened',
  times: 'Open times shown',
  'none-open': 'No open time',
  chosen: 'Time chosen',
  date: 'Date chosen',
  details: 'Details',
  paying: 'Led to pay',
  booked: 'Booked',
  done: 'Sent',
} as const
