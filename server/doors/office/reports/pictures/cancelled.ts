import { numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import {
  type Row,
  counted,
  fewestCases,
  guests,
  neverClosed,
  parties,
  rowOf,
  share,
} from '../../../../data/reports/in-words.ts'
import { linesDrawn } from '../drawn/lines.ts'
import {
  type Picture,
  type Shown,
  daysInWords,
  markedBefore,
  percentShown,
  rateBefore,
  rateCell,
  rateLine,
} from '../picture.ts'
import { type Counts, cellsBefore, columnsBefore, countsOf } from './no-shows.ts'

/** Bookings that were given up after they were confirmed. */
export const cancelledPicture = (shown: Shown): Picture => {
  const rows = shown.rows('cancelled')
  const of = (list: readonly Row[], measure: string): Counts => countsOf(rowOf(list, { measure }))
  const [guest, late] = [of(rows, 'guest'), of(rows, 'late')]
  const lateGuests = of(rows, 'late_covers').n
  const sentence =
    guest.d === 0
      ? `No bookings were promised for ${daysInWords(shown)}.`
      : `Guests cancelled ${guest.n === 0 ? 'none' : numberInWords(guest.n)} of ${counted(guest.d, 'confirmed booking')}${guest.d < fewestCases || guest.n === 0 ? '' : ` (${share(guest.n, guest.d)})`}${lateInWords(guest.n, late.n)}.${lateGuests === 0 ? '' : ` The late ${late.n === 1 ? 'one was' : 'ones were'} for ${guests(lateGuests)}.`}`
  const measures = ['guest', 'late', 'staff', 'unknown'].filter(
    (measure) => measure !== 'unknown' || of(rows, measure).n > 0,
  )
  return {
    ...{ id: 'cancelled', title: 'Cancellations', of: ['cancelled', 'no_shows', 'open_ends'] },
    sentence: `${sentence}${besideNoShows(late, countsOf(rowOf(shown.rows('no_shows'), { measure: 'parties' })).n)}${neverClosed(shown.rows('open_ends'))}`,
    cases: parties(guest.d),
    drawn:
      guest.d === 0
        ? undefined
        : linesDrawn(
            [
              {
                lines: measures.map((measure) => {
                  const [now, before] = [of(rows, measure), of(shown.before('cancelled'), measure)]
                  return {
                    ...rateLine(cancelledWords[measure] ?? measure, now.n, now.d),
                    mark: rateBefore(shown, before),
                  }
                }),
              },
            ],
            sentence,
          ),
    key: rateBefore(shown, of(shown.before('cancelled'), 'guest')) === null ? [] : markedBefore(shown),
    columns: [
      { key: 'cancelled_by', name: 'Cancelled', shown: (by) => cancelledWords[String(by)] ?? String(by) },
      { key: 'cancelled', name: 'Bookings' },
      { key: 'promised', name: 'Of' },
      { key: 'rate', name: 'Rate', shown: percentShown },
      { key: 'guests', name: 'Guests' },
      { key: 'guests_promised', name: 'Of guests' },
      ...columnsBefore(shown, ['cancelled', 'Bookings before'], ['promised', 'Of, before']),
    ],
    rows: measures.map((measure) => {
      const { n, d } = of(rows, measure)
      const covers = of(rows, `${measure}_covers`)
      return [
        measure,
        n,
        d,
        rateCell(n, d),
        covers.n,
        covers.d,
        ...cellsBefore(shown, of(shown.before('cancelled'), measure)),
      ]
    }),
  }
}

/** ", 14 of them less than 24 hours ahead". */
const lateInWords = (all: number, late: number): string =>
  all === 0
    ? ''
    : all === 1
      ? `, ${late === 0 ? '24 hours ahead or more' : 'less than 24 hours ahead'}`
      : `, ${late === 0 ? 'none' : late === all ? 'all' : numberInWords(late)} of them less than 24 hours ahead`

const cancelledWords: Record<string, string> = {
  guest: 'By the guest',
  late: 'Of these, late',
  staff: 'By you',
  unknown: 'By nobody known',
}

/** Out of the same bookings, so that the two shares can be compared: a no-show rate is one of those who were due. */
const besideNoShows = ({ n: late, d: promised }: Counts, missed: number): string =>
  missed === 0 || promised < fewestCases
    ? ''
    : ` Out of these ${numberInWords(promised)}, ${share(late, promised)} were cancelled that late and ${share(missed, promised)} were no-shows.`
