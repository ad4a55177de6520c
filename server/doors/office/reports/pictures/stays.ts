import { sizeClasses, staySizes } from '../../../../data/reports/figures-of-day.ts'
import { numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import {
  dayInWords,
  counted,
  fewestCases,
  parties,
  type Row,
  rowOf,
  meanOf,
  share,
  sizeWords,
  staySizeWords,
  oneDecimal,
  total,
} from '../../../../data/reports/in-words.ts'
import { daysInWords, percentShown, type Picture, rateCell, type Shown } from '../picture.ts'
import { type Line, type Lines, groupsDrawn, linesDrawn } from '../drawn/lines.ts'
import { type Judged, judgedTurns, step, turnOffers } from './turn-offers.ts'

/** How long parties really stay, next to how long their tables are held. */
export const staysPicture = (shown: Shown): Picture => {
  const stays = staysOf(shown)
  const bySize = staysBySize(shown)
  const judged = judgedTurns(shown)
  const far = judged.find(({ cases }) => cases >= fewestCases)
  const cases = stays.reduce((sum, one) => sum + one.cases, 0)
  const sentence =
    cases === 0
      ? `No stays to count on ${daysInWords(shown)}${total(shown.rows('parties')) === 0 ? '' : ': no party was marked seated when it sat down and closed when it left'}.`
      : far === undefined
        ? `There are too few stays of one kind to say more: ${parties(cases)} in all.`
        : farInWords(far, cases)
  return {
    ...{
      id: 'stays',
      title: 'Stays and turn times',
      of: ['stays', 'stays_by_size', 'stay_quarters'],
      sentence,
      cases: parties(cases),
    },
    isWide: stays.length > 0,
    drawn: stays.length === 0 ? undefined : groupsDrawn(linesOf({ judged, stays, bySize }), sentence),
    key: [
      ['mark', 'Turn time'],
      ['full', 'Minutes within which three quarters had left'],
    ],
    columns: [
      { key: 'sizes', name: 'Guests' },
      { key: 'part', name: 'Part of the day' },
      { key: 'median_minutes', name: 'Stay (median)' },
      { key: 'turn_minutes', name: 'Turn time' },
      { key: 'parties', name: 'Parties' },
      { key: 'quarter_left_by_minutes', name: 'A quarter had left by' },
      { key: 'three_quarters_left_by_minutes', name: 'Three quarters by' },
    ],
    rows: [
      ...judged.map((one) => [
        ...[one.sizes.replace('-', '–'), 'day and evening', null],
        ...[one.turn, one.cases, one.lower, one.upper],
      ]),
      ...[...stays, ...bySize].map(({ sizes, part, stay, turn, cases: of, lower, upper }) => [
        ...[sizes, part, stay, turn, of, lower ?? null, upper ?? null],
      ]),
    ],
    ...turnOffers(shown, judged),
  }
}

type Stay = {
  readonly sizes: string
  readonly part: string
  readonly stay: number
  readonly turn: number
  readonly cases: number
  /** Minutes within which a quarter, and three quarters, had left. */
  readonly lower: number | undefined
  readonly upper: number | undefined
}

/** Of the size whose press comes first, or else of the one that is furthest from its turn time. */
const farInWords = ({ sizes, turn, upper, cases, offered }: Judged, all: number): string => {
  const of = cases === all ? `all ${parties(all)}` : `${numberInWords(cases)} of ${parties(all)}`
  const what =
    offered === undefined
      ? `${staySizeWords(sizes)} are furthest from their turn time`
      : `another turn time would help most with ${staySizeWords(sizes)}`
  const than =
    offered === undefined
      ? upper > turn
        ? // It is judged below as well: that it fits.
          `, ${upper < turn + step ? 'which is close enough' : 'which may be chance'}`
        : ''
      : upper > turn
        ? ', so more than a quarter stay longer, beyond chance'
        : ', longer than most of them need it'
  return `Day and evening together, ${what} (${of}): three quarters leave within ${numberInWords(upper)} minutes; their table is held for ${numberInWords(turn)}${than}.`
}

/** Bars are as long as three quarters stay, which is what a turn time is judged by. */
const linesOf = ({
  judged,
  stays,
  bySize,
}: {
  readonly judged: readonly Judged[]
  readonly stays: readonly Stay[]
  readonly bySize: readonly Stay[]
}): readonly Lines[] =>
  [
    {
      name: 'Day and evening, by turn time · parties',
      lines: judged.map((one) => lineOf(one, sizeWords(one.sizes))),
    },
    {
      name: 'By part of the day (half had left · parties)',
      lines: stays.map((one) => lineOf(one, `${one.sizes}, ${one.part === 'day' ? 'day' : 'evening'}`)),
    },
    {
      name: 'Each size, day and evening (half had left · parties)',
      lines: bySize.map((one) => lineOf(one, sizeWords(one.sizes))),
    },
  ].filter(({ lines }) => lines.length > 0)

const lineOf = (
  { stay, upper, turn, cases }: Pick<Stay, 'upper' | 'turn' | 'cases'> & { readonly stay?: number },
  name: string,
): Line => {
  const [few, half] = [cases < fewestCases, stay === undefined ? '' : ` (${stay})`]
  return {
    name,
    value: few ? null : (upper ?? null),
    mark: turn,
    words: `${few || upper === undefined ? '' : `${upper} min${half} · `}${numberInWords(cases)}`,
  }
}

const staysBySize = (shown: Shown): Stay[] => {
  const rows = shown.rows('stays_by_size')
  return sizeClasses.flatMap(([size]) => stayOf(shown, rows, { size }, { sizes: size, part: 'all' }))
}

/** Of one kind, if there was any. */
const stayOf = (
  shown: Shown,
  rows: readonly Row[],
  key: Row['key'],
  named: Pick<Stay, 'sizes' | 'part'>,
): readonly Stay[] => {
  const [stay, turn] = ['stay', 'turn'].map((measure) => rowOf(rows, { ...key, measure }))
  const [lower, upper] = ['lower', 'upper'].map(
    (measure) => rowOf(shown.rows('stay_quarters'), { ...key, measure })?.value ?? undefined,
  )
  return stay && turn && stay.value !== null && turn.value !== null
    ? [{ ...named, stay: stay.value, turn: turn.value, cases: stay.d ?? 0, lower, upper }]
    : []
}

const staysOf = (shown: Shown): Stay[] => {
  const rows = shown.rows('stays')
  return staySizes.flatMap(([name]) =>
    ['day', 'evening'].flatMap((part) => {
      const key = { sizes: name, part }
      return stayOf(shown, rows, key, { sizes: name.replace('-', '–'), part })
    }),
  )
}

/** How right the quotes of today's line were, and who did not wait. */
export const waitsPicture = (shown: Shown): Picture | undefined => {
  const rows = shown.rows('waits')
  const of = (measure: string): Row | undefined => rowOf(rows, { measure })
  const [quoted, waited, within, left] = [of('quoted'), of('waited'), of('within_5'), of('left')]
  const [all, seated] = [left?.d ?? 0, waited?.d ?? 0]
  if (all === 0) return undefined
  const sentence = `${seated === 0 ? '' : `Half of those seated were quoted ${minutesOf(quoted)} or less, and half waited ${minutesOf(waited)} or less; ${share(within?.n ?? 0, within?.d ?? 0)} sat down within 5 minutes of their quote. `}Of all in line, ${share(left?.n ?? 0, all)} left or could not be reached.`
  return {
    ...{ id: 'waits', title: 'Waiting in line', of: ['waits'], sentence, cases: parties(all) },
    drawn:
      seated < fewestCases
        ? undefined
        : linesDrawn(
            [
              {
                lines: [
                  { name: 'Quoted', value: quoted?.value ?? 0, words: `${quoted?.value ?? 0} min` },
                  { name: 'Waited', value: waited?.value ?? 0, words: `${waited?.value ?? 0} min` },
                ],
              },
            ],
            sentence,
          ),
    columns: [
      { key: 'measure', name: 'Figure', shown: (measure) => waitWords[String(measure)] ?? String(measure) },
      { key: 'value', name: 'Now' },
      { key: 'of', name: 'Of' },
    ],
    rows: [
      ['quoted_minutes', quoted?.value ?? null, quoted?.d ?? 0],
      ['waited_minutes', waited?.value ?? null, seated],
      ['within_5', within?.n ?? 0, within?.d ?? 0],
      ['left', left?.n ?? 0, all],
    ],
  }
}

const minutesOf = (row: Row | undefined): string => counted(row?.value ?? 0, 'minute')

const waitWords: Record<string, string> = {
  quoted_minutes: 'Minutes quoted (median)',
  waited_minutes: 'Minutes waited (median)',
  within_5: 'Within 5 minutes of the quote',
  left: 'Left, or not reached',
}

/** With tables: how full they were, and how often they were used. */
export const tablesPicture = (shown: Shown): Picture | undefined => {
  const rows = shown.rows('tables')
  const [seats, turns, known] = ['seats', 'turns', 'parties'].map((measure) => rowOf(rows, { measure }))
  if (!seats || !turns || seats.d === null || turns.d === null || seats.d === 0) return undefined
  const sentence = `Parties filled ${seats.d < fewestCases ? share(seats.n ?? 0, seats.d) : `${share(seats.n ?? 0, seats.d)} of the`} seats at their tables; a table that was used had ${meanOf(turns.value ?? 0, 'party', 'parties')} a day on average.${knownInWords(known?.n ?? 0, total(shown.rows('parties')))} A party at joined tables counts at each.${tablesSince(shown)}`
  return {
    ...{ id: 'tables', title: 'Tables', of: ['tables', 'parties', 'tables_known'], sentence },
    cases: parties(known?.n ?? 0),
    columns: [
      {
        key: 'measure',
        name: 'Figure',
        shown: (measure) => tableWords[String(measure)] ?? String(measure),
      },
      { key: 'n', name: 'Counted' },
      { key: 'd', name: 'Of' },
      {
        key: 'value',
        name: 'Value',
        shown: (value, [measure]) =>
          typeof value !== 'number' ? '–' : measure === 'seats' ? percentShown(value) : oneDecimal(value),
      },
    ],
    rows: [
      ['seats', seats.n, seats.d, rateCell(seats.n ?? 0, seats.d)],
      ['turns', turns.n, turns.d, turns.value],
      ['parties', known?.n ?? 0, total(shown.rows('parties')), null],
    ],
  }
}

/** " 841 of the 848 parties served had a table on record, and only these count."; empty where all had one. */
const knownInWords = (known: number, served: number): string =>
  known === served
    ? ''
    : ` ${numberInWords(known)} of the ${parties(served)} served had a table on record, and only these count.`

/** " These figures begin on Mon, Sep 28, …"; empty where tables were known from the first party on. */
export const tablesSince = (shown: Shown): string => {
  const firstOf = (name: 'parties' | 'tables_known'): string | undefined =>
    shown
      .rows(name)
      .map(({ key }) => String(key['date']))
      .toSorted()[0]
  const [since, first] = [firstOf('tables_known'), firstOf('parties')]
  return since !== undefined && first !== undefined && since > first
    ? ` These figures begin on ${dayInWords(shown, since)}: before it, no party of this period had a table.`
    : ''
}

const tableWords: Record<string, string> = {
  seats: 'Seats taken',
  turns: 'Parties per table',
  parties: 'Parties with a known table',
}
