import { weekdayName } from '../../../platform/kernel/time/calendar.ts'
import { dayAndYearInWords, spanInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { money } from '../parts/money.ts'
import { minuteOfDay, minutesPerDay } from '../../../platform/kernel/time/written-time.ts'
import { counted } from '../parts/pager.ts'
import { limitInWords, limitRows, serviceLimitRows } from '../settings/limits/limit-rows.ts'

/*
 * A change of the booking rules in words. The activity keeps the changed parts of the rules document, whole, before and
 * after; a manager wants to know which closed day was added, not how all of them are written down.
 */

/** The change of one thing: with only `was` it was removed, with only `is` it was added. */
export type RuleChange = { readonly label: string; readonly was?: string; readonly is?: string }

/**
 * The changes of one part of the rules document, such as `closures`, from its two stored texts; undefined where the part is
 * none of the rules, or its text cannot be read.
 */
export const ruleChanges = (part: string, before: unknown, after: unknown): RuleChange[] | undefined => {
  const [was, is] = [parsed(before), parsed(after)]
  if (was === undefined || is === undefined) return undefined
  const list = lists[part]
  if (list) return listChanges(list, entriesOf(was), entriesOf(is))
  const words = values[part]
  if (!words) return undefined
  const [old, fresh] = [words(was), words(is)]
  return Object.keys({ ...old, ...fresh }).flatMap((label) =>
    old[label] === fresh[label]
      ? []
      : [{ label, was: old[label] ?? 'nothing', is: fresh[label] ?? 'nothing' }],
  )
}

type Entry = Readonly<Record<string, unknown>>

/** How the entries of a list are named, matched and described. */
type ListWords = {
  readonly label: string
  readonly key: (entry: Entry) => string
  readonly words: (entry: Entry) => string
}

const parsed = (text: unknown): unknown => {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const entriesOf = (list: unknown): Entry[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : []

const listChanges = ({ label, key, words }: ListWords, before: Entry[], after: Entry[]): RuleChange[] => {
  const only = (some: Entry[], others: Entry[]): Entry[] => {
    const said = others.map(words)
    return some.filter((one) => {
      const place = said.indexOf(words(one))
      if (place >= 0) said.splice(place, 1)
      return place < 0
    })
  }
  const gone = only(before, after)
  const fresh = only(after, before)
  const changes: RuleChange[] = []
  for (const one of gone) {
    const place = fresh.findIndex((other) => key(other) === key(one))
    const [other] = place >= 0 ? fresh.splice(place, 1) : []
    changes.push(
      other ? { label, was: words(one), is: words(other) } : { label: `${label} removed`, was: words(one) },
    )
  }
  return [...changes, ...fresh.map((one) => ({ label: `${label} added`, is: words(one) }))]
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const isSet = (value: unknown): boolean => value !== null && value !== undefined && value !== ''
const quoted = (value: unknown): string => (isSet(value) ? ` “${text(value)}”` : '')
const day = (value: unknown): string => dayAndYearInWords(text(value))
const time = (value: unknown): string => timeInWords(text(value))
const limit = (value: unknown): string => (isSet(value) ? String(value) : 'no limit')
const minutes = (value: unknown): string => `${String(value)} minutes`

const span = (from: unknown, to: unknown): string => {
  const [start, end] = [minuteOfDay(text(from)), minuteOfDay(text(to))]
  return spanInWords(start, end > start ? end : end + minutesPerDay)
}

/** "Dinner 5:00 – 10:00 PM, last arrival 9:00 PM". */
const service = ({ name, opens, closes, lastArrival, seatings, pacing, ...limits }: Entry) =>
  [
    `${isSet(name) ? text(name) : 'open'} ${span(opens, closes)}`,
    ...(isSet(lastArrival) ? [`last arrival ${time(lastArrival)}`] : []),
    ...(Array.isArray(seatings) && seatings.length > 0 ? [`seatings ${seatings.map(time).join(', ')}`] : []),
    ...serviceLimitRows.flatMap((row) =>
      isSet(limits[row.name]) ? [`${row.inTrail} ${limitInWords(row, limits[row.name])}`] : [],
    ),
    ...Object.entries(pacingInWords(pacing, true)).map(([label, words]) => `${label} ${words}`),
  ].join(', ')

const pacingInWords = (pacing: unknown, onlySet = false): Record<string, string> => {
  const { intervalMinutes, maxCovers, maxParties } = (pacing ?? {}) as Entry
  const all = [
    ['slot length', intervalMinutes, minutes],
    ['guests per slot', maxCovers, limit],
    ['parties per slot', maxParties, limit],
  ] as const
  return Object.fromEntries(
    all.flatMap(([label, value, words]) => (onlySet && !isSet(value) ? [] : [[label, words(value)]])),
  )
}

const weekdayOfEntry = ({ weekday }: Entry): string => `${weekdayName(Number(weekday))}s`

const lists: Readonly<Record<string, ListWords>> = {
  periods: {
    label: 'hours',
    key: (one) => `${weekdayOfEntry(one)} ${text(one.name)}`,
    words: (one) => `${weekdayOfEntry(one)}, ${service(one)}`,
  },
  specialDays: {
    label: 'special day',
    key: ({ date }) => text(date),
    words: ({ date, name, periods }) => {
      const services = entriesOf(periods)
      return `${day(date)}${quoted(name)}: ${services.length === 0 ? 'closed' : services.map(service).join('; ')}`
    },
  },
  closures: {
    label: 'closed days',
    key: ({ from, to }) => `${text(from)} ${text(to)}`,
    words: ({ from, to, name }) => `${day(from)}${from === to ? '' : ` to ${day(to)}`}${quoted(name)}`,
  },
  blocks: {
    label: 'block',
    key: ({ serviceDate, from, to, scope }) => [serviceDate, from, to, scope].map(text).join(' '),
    words: ({ serviceDate, from, to, scope, publicNote }) =>
      `${day(serviceDate)}, ${span(from, to)}, ${scope === 'online' ? 'online only' : 'all bookings'}${quoted(publicNote)}`,
  },
  pacingExceptions: {
    label: 'slot',
    key: ({ serviceDate, at }) => `${text(serviceDate)} ${text(at)}`,
    words: ({ serviceDate, at, maxCovers, maxParties }) =>
      [
        `${day(serviceDate)}, ${time(at)}`,
        ...(isSet(maxCovers) ? [`takes ${counted(Number(maxCovers), 'cover')}`] : []),
        ...(isSet(maxParties) ? [`takes ${counted(Number(maxParties), 'party', 'parties')}`] : []),
      ].join(' '),
  },
  turnMinutes: {
    label: 'turn time',
    key: ({ upTo }) => String(upTo),
    words: (one) => `party of up to ${String(one.upTo)}: ${minutes(one.minutes)}`,
  },
  shortestStays: {
    label: 'shortest stay',
    key: ({ upTo }) => String(upTo),
    words: (one) => `party of up to ${String(one.upTo)}: ${minutes(one.minutes)}`,
  },
  guarantees: {
    label: 'card or deposit',
    key: ({ asks, partyFrom, services, from, to }) =>
      [asks, partyFrom, ...(Array.isArray(services) ? services : []), from, to].map(text).join(' '),
    words: ({ asks, amountCents, per, freeUntilHours, partyFrom, services, from, to }) =>
      [
        `${asks === 'card' ? 'a card' : 'a deposit'} of ${money(Number(amountCents))} for each ${text(per)}`,
        `parties from ${String(partyFrom)}`,
        ...(Array.isArray(services) && services.length > 0 ? [services.map(text).join(', ')] : []),
        ...(isSet(from) || isSet(to) ? [`${text(from)} to ${text(to)}`] : []),
        `free to cancel until ${String(freeUntilHours)} hours before`,
      ].join(', '),
  },
  experiences: {
    label: 'experience',
    key: ({ key }) => text(key),
    words: (one) =>
      [
        text(one['name']),
        askedInWords(one),
        `parties from ${String(one['partyFrom'])}${isSet(one['partyTo']) ? ` to ${String(one['partyTo'])}` : ''}`,
        ...(isSet(one['mostPerEvening'])
          ? [`${counted(Number(one['mostPerEvening']), 'party', 'parties')} an evening`]
          : []),
        ...namesIn(one['services']),
        ...(Array.isArray(one['weekdays']) ? one['weekdays'].map((day) => weekdayName(Number(day))) : []),
        ...(isSet(one['from']) || isSet(one['to']) ? [`${text(one['from'])} to ${text(one['to'])}`] : []),
        ...(one['asks'] === 'nothing'
          ? []
          : [`free to cancel until ${String(one['freeUntilHours'])} hours before`]),
        ...(Number(one['feeCents']) > 0 ? [`a fee of ${money(Number(one['feeCents']))}`] : []),
        ...(Number(one['taxRate']) > 0 ? [`${String(Number(one['taxRate']) / 1_000)}% tax`] : []),
        ...textsIn(one['texts']),
      ].join(', '),
  },
}

const namesIn = (value: unknown): readonly string[] =>
  Array.isArray(value) && value.length > 0 ? [value.map(text).join(', ')] : []

/** The words for guests, each with its language, so that another text shows as a change. */
const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.map(
        (one: Entry) =>
          `${text(one['language'])}: ${[one['name'], one['text']].filter(isSet).map(text).join('. ')}`,
      )
    : []

/** What an experience asks for, in words. */
const askedInWords = ({ asks, amountCents, per }: Entry): string => {
  const amount = money(Number(amountCents))
  if (asks === 'prepaid') return `${amount} a guest in advance`
  return asks === 'nothing'
    ? 'asks for nothing'
    : `${asks === 'card' ? 'a card' : 'a deposit'} of ${amount} for each ${text(per)}`
}

const values: Readonly<Record<string, (value: unknown) => Record<string, string>>> = {
  ...Object.fromEntries(
    limitRows.map((row) => [row.name, (value: unknown) => ({ [row.inTrail]: limitInWords(row, value) })]),
  ),
  pacing: (value) => pacingInWords(value),
  // The document leaves out what is as usual.
  slotStepMinutes: (value) => ({ 'times offered every': minutes(value ?? 15) }),
  letGoUnsecured: (value) => ({
    'bookings that were not secured in time': value === true ? 'let go' : 'kept',
  }),
  keepCardDays: (value) => ({ 'days a card is kept': String(Number(value ?? 3)) }),
  onlinePaused: (value) => ({ 'online booking paused': value === true ? 'yes' : 'no' }),
}
