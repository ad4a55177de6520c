import { html } from '../../../../platform/html/html.ts'
import { leadStages } from '@venue-data/contract/records/lead.ts'
import { numberInWords, shortDayInWords } from '../../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../../platform/kernel/time/venue-clock.ts'
import { sourceWords } from '../../subscribers/words.ts'
import { type Lines, linesDrawn } from '../drawn/lines.ts'
import {
  dayInWords,
  type Row,
  counted,
  fewestCases,
  rowOf,
  share,
} from '../../../../data/reports/in-words.ts'
import { type Picture, type Shown, percentShown, rateCell } from '../picture.ts'

/** Lines of one picture; the table has them all. */
export const mostLines = 12

/** Who joined and left the email list. */
export const listPicture = (shown: Shown): Picture | undefined => {
  const rows = shown.rows('list')
  const bySource = rows.filter(({ key }) => 'source' in key)
  const sumOf = (of: readonly Row[], measure: string): number =>
    of
      .filter(({ key }) => key['measure'] === measure && 'date' in key)
      .reduce((sum, { n }) => sum + (n ?? 0), 0)
  const [joined, left, bounced] = ['joined', 'left', 'bounced'].map((measure) => sumOf(rows, measure)) as [
    number,
    number,
    number,
  ]
  if (joined + left + bounced === 0) return undefined
  const sources = [...new Set(bySource.map(({ key }) => String(key['source'])))]
  const of = (source: string, measure: string): number => rowOf(bySource, { source, measure })?.n ?? 0
  const first = sources.toSorted((a, b) => of(b, 'joined') - of(a, 'joined'))[0]
  const sentence = `${counted(joined, 'person', 'people')} joined the email list and ${left === 0 ? 'nobody' : numberInWords(left)} left.${
    joined > 1 && sources.filter((source) => of(source, 'joined') > 0).length > 1 && first !== undefined
      ? ` ${of(first, 'joined') * 2 > joined ? 'Most of them joined through' : 'More joined through'} ${nameOfSource(first)}${of(first, 'joined') * 2 > joined ? '' : ' than in any other way'}.`
      : ''
  }${bounced > 0 ? ` ${counted(bounced, 'email')} bounced.` : ''}`
  return {
    ...{ id: 'list', title: 'Email list', of: ['list'], sentence, cases: counted(joined + left, 'change') },
    drawn: linesDrawn(
      (['joined', 'left'] as const)
        .map((measure): Lines => ({
          name: measure === 'joined' ? 'Joined through' : 'Left, by how they had joined',
          lines: sources
            .filter((source) => of(source, measure) > 0)
            .map((source) => ({
              name: nameOfSource(source),
              value: of(source, measure),
              words: numberInWords(of(source, measure)),
            })),
        }))
        .filter(({ lines }) => lines.length > 0),
      sentence,
    ),
    columns: [
      { key: 'source', name: 'Joined through', shown: (source) => nameOfSource(String(source)) },
      { key: 'joined', name: 'Joined' },
      { key: 'left', name: 'Left' },
    ],
    rows: sources.map((source) => [source, of(source, 'joined'), of(source, 'left')]),
  }
}

/** Mail that came back, by day. */
export const bouncesPicture = (shown: Shown): Picture | undefined => {
  const days = shown
    .rows('list')
    .filter(({ key }) => key['measure'] === 'bounced' && 'date' in key)
    .map(({ key, n }) => ({ date: String(key['date']), mails: n ?? 0 }))
  const [worst] = days.toSorted((one, other) => other.mails - one.mails)
  if (worst === undefined) return undefined
  const mails = days.reduce((sum, day) => sum + day.mails, 0)
  const sentence = `${counted(mails, 'email')} bounced${days.length === 1 ? '' : `, the most on ${dayInWords(shown, worst.date)}`}.`
  return {
    ...{ id: 'bounces', title: 'Returned mail', of: ['list'], sentence, cases: counted(days.length, 'day') },
    drawn: linesDrawn(
      [
        {
          lines: days.slice(-mostLines).map(({ date, mails: n }) => ({
            ...{ name: dayInWords(shown, date), value: n, words: numberInWords(n) },
          })),
        },
      ],
      sentence,
    ),
    columns: [
      { key: 'date', name: 'Day', shown: (date) => dayInWords(shown, String(date)) },
      { key: 'mails', name: 'Mails' },
    ],
    rows: days.map(({ date, mails: n }) => [date, n]),
  }
}

const nameOfSource = (source: string): string => sourceWords[source] ?? source

/** What each campaign did, and what it brought beyond chance where some were held back. */
export const campaignsPicture = (shown: Shown): Picture | undefined => {
  const rows = shown.rows('campaigns')
  const ids = [...new Set(rows.map(({ key }) => Number(key['campaign'])))]
  if (ids.length === 0) return undefined
  const found = ids.map((campaign) => {
    const of = (measure: string): Row | undefined => rowOf(rows, { campaign, measure })
    const count = (measure: string): number => of(measure)?.n ?? 0
    return {
      name: shown.campaign(campaign),
      until: shown.countingUntil.get(campaign),
      cases: [of('sent_booked'), of('held_booked')].flatMap((row) => [row?.n ?? null, row?.d ?? null]),
      sent: count('sent'),
      failed: count('failed'),
      left: count('left'),
      complaints: count('complaints'),
      booked: of('sent_booked')?.value ?? null,
      held: of('held_booked')?.value ?? null,
      difference: of('difference')?.value ?? null,
      low: of('difference_low')?.value ?? null,
      high: of('difference_high')?.value ?? null,
      isTried: of('difference') !== undefined,
      asked: of('sent_booked')?.d ?? 0,
    }
  })
  const last = found.findLast(({ isTried }) => isTried) ?? found.at(-1)
  const which =
    found.length < 2
      ? ''
      : `, the last of ${numberInWords(found.length)} in the table${last === found.at(-1) ? '' : ' that held guests back'},`
  const sentence = last === undefined ? '' : campaignSentence({ ...last, which }, shown)
  return {
    ...{ id: 'campaigns', title: 'Campaigns', of: ['campaigns'], sentence },
    cases: counted(found.length, 'campaign'),
    isWide: true,
    ...(last?.isTried === false && { action: howToHoldBack }),
    columns: [
      { key: 'campaign', name: 'Campaign' },
      { key: 'sent', name: 'Sent' },
      { key: 'failed', name: 'Failed' },
      { key: 'left', name: 'Left' },
      { key: 'complaints', name: 'Complaints' },
      { key: 'sent_booked', name: 'Booked', shown: percentShown },
      { key: 'held_booked', name: 'Held back, booked', shown: percentShown },
      { key: 'difference', name: 'Difference', shown: pointsShown },
      { key: 'difference_low', name: 'At least', shown: pointsShown },
      { key: 'difference_high', name: 'At most', shown: pointsShown },
      { key: 'sent_booked_people', name: 'People who booked' },
      { key: 'sent_booked_of', name: 'Out of' },
      { key: 'held_booked_people', name: 'Held back who booked' },
      { key: 'held_booked_of', name: 'Out of, held back' },
    ],
    rows: found.map((one) => [
      ...[one.name, one.sent, one.failed, one.left, one.complaints],
      ...[one.booked, one.held, one.difference, one.low, one.high, ...one.cases],
    ]),
  }
}

const points = (share: number): string => `${Math.round(share * 1000) / 10}`.replace('-', '−')
const pointsOf = (share: number): string =>
  `${points(share)} ${['1', '−1'].includes(points(share)) ? 'point' : 'points'}`
const pointsShown = (value: unknown): string => (typeof value === 'number' ? pointsOf(value) : '–')

const campaignSentence = (
  one: {
    readonly name: string
    /** Which of several it is. */
    readonly which: string
    readonly sent: number
    readonly left: number
    readonly isTried: boolean
    readonly until: Temporal.Instant | undefined
    readonly difference: number | null
    readonly low: number | null
    readonly high: number | null
    /** To how many it went, of those whose bookings are counted. */
    readonly asked: number
  },
  { figures }: Shown,
): string => {
  const sent = `“${one.name}”${one.which} went to ${counted(one.sent, 'person', 'people')}; ${one.left === 0 ? 'nobody' : numberInWords(one.left)} then left the list.`
  if (!one.isTried) return `${sent} Nobody was held back, so what it brought cannot be told.`
  if (one.until !== undefined)
    return `${sent} Who books because of it is still being counted, until ${shortDayInWords(wallTimeOf(one.until, figures.timezone).date)}.`
  if (one.difference === null || one.low === null || one.high === null)
    return `${sent} Too few were sent to or held back to tell what it brought.`
  const span = `between ${moreOf(one.low)} and ${moreOf(one.high)}`
  if (one.high < 0)
    return `${sent} It cost bookings beyond chance: ${moreBooked(one.difference)} (${span}), about ${bookings(one.difference, one.asked)} lost.`
  return one.low > 0
    ? `${sent} It brought bookings beyond chance: ${moreBooked(one.difference)} (${span}), about ${bookings(one.difference, one.asked)} in all.`
    : `${sent} What it brought may be chance: ${moreBooked(one.difference)} (${span}).`
}

/** "30 bookings": one of each of the people more, or fewer, who booked. */
const bookings = (difference: number, asked: number): string =>
  counted(Math.round(Math.abs(difference) * asked), 'booking')

/** "1.6 more", "0.4 fewer": people of 100; "0" is neither. */
const moreOf = (share: number): string => {
  const people = points(Math.abs(share))
  return people === '0' ? people : `${people} ${share < 0 ? 'fewer' : 'more'}`
}

/** "of every 100 people who got it, 1.6 more booked than of every 100 who did not" */
const moreBooked = (difference: number): string =>
  points(Math.abs(difference)) === '0'
    ? 'as many booked of those who got it as of those who did not'
    : `of every 100 people who got it, ${moreOf(difference)} booked than of every 100 who did not`

const howToHoldBack = html`<p class="press-only"><a href="/office/settings/mail">How to hold guests back</a></p>`

/** "10% are", "3 of 11 are", "none of them is", "it is". */
const wonInWords = (n: number, d: number): string =>
  d === 1
    ? n === 0
      ? 'it is not'
      : 'it is'
    : n === 0
      ? 'none of them is'
      : `${share(n, d)} ${d < fewestCases && n === 1 ? 'is' : 'are'}`

/** Leads by where they are now. */
export const leadsPicture = (shown: Shown): Picture | undefined => {
  const rows = shown.rows('leads')
  const won = rowOf(rows, { measure: 'won' })
  const [n, d] = [won?.n ?? 0, won?.d ?? 0]
  if (d === 0) return undefined
  const of = (stage: string): number => rowOf(rows, { stage })?.n ?? 0
  const sentence = `${counted(d, 'lead')} came in; ${wonInWords(n, d)} booked or completed${n === 0 ? ' so far' : ''}.`
  return {
    ...{ id: 'leads', title: 'Leads', of: ['leads'], sentence, cases: counted(d, 'lead') },
    drawn: linesDrawn(
      [
        {
          lines: leadStages.map((stage) => ({
            name: stage,
            value: of(stage),
            words:
              d < fewestCases
                ? numberInWords(of(stage))
                : `${numberInWords(of(stage))} · ${share(of(stage), d)}`,
          })),
        },
      ],
      sentence,
    ),
    columns: [
      { key: 'stage', name: 'Stage' },
      { key: 'leads', name: 'Leads' },
      { key: 'share', name: 'Share', shown: percentShown },
    ],
    rows: leadStages.map((stage) => [stage, of(stage), rateCell(of(stage), d)]),
    action: undefined,
  }
}
