import { type Step, steps } from '../../../../data/reports/demand/steps.ts'
import { type GuestDoor, guestDoors } from '../../../../core/venue/guest-settings-rules.ts'
import { numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import { groupsDrawn } from '../drawn/lines.ts'
import { type Row, counted, fewestCases, rowOf, share, total } from '../../../../data/reports/in-words.ts'
import { type Picture, type Shown, capital } from '../picture.ts'

import { timesInWords } from './demand.ts'

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
    isWide: true,
    drawn: groupsDrawn(
      [
        ...doors.flatMap((door) =>
          partsOfDoor(stepsShown(door)).map(([name, own]) => ({
            name: name === undefined ? doorWords[door] : `${doorWords[door]}: ${name}`,
            lines: own.map((step) => ({
              ...{ name: stepWords[step], value: of(door, step) },
              words: numberInWords(of(door, step)),
            })),
          })),
        ),
        ...parts
          .filter(
            ({ door, by, values }) =>
              door === first && ['from', 'campaign'].includes(by) && values.length > 0,
          )
          .map(({ name, values }) => ({
            name: `${doorWords[first]}, opened: ${name}`,
            lines: values
              .filter((one) => one.opened > 0)
              .slice(0, mostDrawn)
              .map(({ words, opened }) => ({
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

/** Each look at another day counts, so those are more than the visits, and no step on the way from one bar to the next. */
const looks: ReadonlySet<Step> = new Set(['times', 'none-open'])
const partsOfDoor = (own: readonly Step[]): (readonly [name: string | undefined, own: readonly Step[]])[] => {
  const looked = own.filter((step) => looks.has(step))
  const onTheWay = [undefined, own.filter((step) => !looks.has(step))] as const
  return looked.length === 0 ? [onTheWay] : [onTheWay, ['each day looked at', looked]]
}

/** " The largest share leaves after “Opened”: 9 of 40 went on to “Time chosen”." Nothing, where too few came to say so. */
const mostLost = (door: GuestDoor, of: (step: string) => number): string => {
  const way = steps[door].filter((step) => !looks.has(step) && (step !== 'paying' || of(step) > 0))
  const [worst] = way
    .slice(1)
    .map((step, at) => ({ from: way[at] ?? step, step, n: of(step), d: of(way[at] ?? step) }))
    .filter(({ n, d }) => d >= fewestCases && n < d && n > 0)
    .toSorted((a, b) => a.n / a.d - b.n / b.d)
  return worst === undefined || way.length < 3
    ? ''
    : ` The largest share leaves after “${stepWords[worst.from]}”: ${share(worst.n, worst.d)} went on to “${stepWords[worst.step]}”.`
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
  const values = [...Map.groupBy(own, ({ key }) => valueInWords(shown, by, String(key[by])))]
    .map(([words, of]) => {
      const at = (step: string | undefined): number => total(of.filter(({ key }) => key['step'] === step))
      return { words, opened: at('opened'), done: at(last) }
    })
    .toSorted((a, b) => b.opened - a.opened || b.done - a.done)
  const [listed, rest] = [values.slice(0, mostListed), values.slice(mostListed)]
  const sum = (which: 'opened' | 'done'): number => rest.reduce((all, one) => all + one[which], 0)
  const others = rest.length > 0 ? [{ words: 'Other', opened: sum('opened'), done: sum('done') }] : []
  const known = [...listed, ...others]
  // Who comes back from paying has no site or campaign with them, and most pages are opened without a campaign.
  const left = (step: string | undefined, which: 'opened' | 'done'): number =>
    Math.max(
      0,
      (rowOf(rows, { door, step: step ?? '' })?.n ?? 0) - known.reduce((all, one) => all + one[which], 0),
    )
  const none = {
    words: noneWords[by] ?? 'Not known',
    opened: left('opened', 'opened'),
    done: left(last, 'done'),
  }
  return {
    door,
    by,
    name,
    values: known.length > 0 && none.opened + none.done > 0 ? [...known, none] : known,
  }
}

/** What the rest of all views is called, so that the parts add up to the whole. */
const noneWords: Readonly<Record<string, string>> = {
  campaign: 'No campaign, or not known',
  site: 'No site around it, or not known',
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
  if (by === 'from' && value === 'direct') return 'Direct or unknown'
  if (value === 'other') return 'Other'
  // A site's own forwarding and phone pages are the same site.
  if (by === 'from') return value.replace(/^(?:www|m|l|lm)\./, '')
  return by === 'device' ? capital(value) : value
}

const funnelSentence = (shown: Shown, rows: readonly Row[], door: GuestDoor): string => {
  const of = (step: string): number => rowOf(rows, { door, step })?.n ?? 0
  const [opened, done] = [of('opened'), of(steps[door].at(-1) ?? '')]
  const page = `The page “${doorWords[door]}” was opened ${opened === 1 ? 'once' : `${numberInWords(opened)} times`}`
  const ended = door === 'book' || door === 'tickets' ? 'booking' : 'form sent'
  const rate = opened >= fewestCases && done <= opened ? ` (${share(done, opened)})` : ''
  const none = of('none-open')
  const full =
    none > 0
      ? ` ${timesInWords(none)} a guest looked at a day without an open time. That counts every look, also at days after this report; “Turned away” has the days of this report, each guest once an hour.`
      : ''
  const from = partOf(shown, rows, { door, by: 'from', name: '' }).values.find(
    ({ words, opened: n }) =>
      n > 0 && ![valueInWords(shown, 'from', 'direct'), 'Other', 'Not known'].includes(words),
  )
  return `${page}; it led to ${counted(done, ended, door === 'book' || door === 'tickets' ? 'bookings' : 'forms sent')}${rate}.${mostLost(door, of)}${full}${from ? ` Of other sites, ${from.words} sent the most guests.` : ''} Views, not people.`
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
