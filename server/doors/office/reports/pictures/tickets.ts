import { linesDrawn } from '../drawn/lines.ts'
import { dayInWords, counted, rowOf, total } from '../../../../data/reports/in-words.ts'
import { type Picture, type Shown, noMoneyBut, testsLeftOut } from '../picture.ts'
import { mostLines } from './business.ts'

/** Ticket orders by the date of their event, with the names of what was on; days without any are left out. */
export const ticketsPicture = (shown: Shown): Picture | undefined => {
  const rows = shown.rows('ticket_money')
  const { money } = shown
  const dates = [...new Set(rows.flatMap(({ key }) => ('date' in key ? [String(key['date'])] : [])))]
  const what = { id: 'tickets', title: 'Tickets', of: ['ticket_money', 'code_discounts'] as const }
  if (dates.length === 0) return noMoneyBut(shown, what, 'No tickets were paid for.')
  const of = (date: string, measure: string): number => rowOf(rows, { date, measure })?.n ?? 0
  const sum = (measure: string): number => dates.reduce((all, date) => all + of(date, measure), 0)
  const unconfirmed = sum('unconfirmed')
  const namesOn = (date: string): readonly string[] => shown.eventsOn?.get(date) ?? []
  const sentence = `Tickets for events on ${counted(dates.length, 'date')} brought in ${money(sum('net'))} for ${counted(sum('seats'), 'seat')}${sum('refunded') === 0 ? '' : `, after ${money(sum('refunded'))} was refunded or lost to disputes`}${discountsInWords(sum('discounts'), total(shown.rows('code_discounts')), money)}.${sum('taxes') > 0 ? ` Of the total before refunds, ${money(sum('taxes'))} was tax.` : ''}${
    unconfirmed > 0 ? ` ${money(unconfirmed)} more is not confirmed yet.` : ''
  }${testsLeftOut(shown)}`
  return {
    ...{ ...what, sentence },
    cases: `${counted(dates.length, 'date')}${dates.length > mostLines ? `, the last ${mostLines} drawn` : ''}`,
    drawn: linesDrawn(
      [
        {
          lines: dates.slice(-mostLines).map((date) => ({
            name: [dayInWords(shown, date), ...namesOn(date)].join(' · '),
            value: Math.max(0, of(date, 'net')),
            words: money(of(date, 'net')),
          })),
        },
      ],
      sentence,
    ),
    columns: [
      {
        key: 'event_date',
        name: 'Date',
        shown: (date) => (date === inTotal ? 'Total' : dayInWords(shown, String(date))),
      },
      { key: 'events', name: 'Event' },
      { key: 'seats', name: 'Seats' },
      ...moneyColumns.map(([key, name]) => ({
        ...{ key: `${key}_cents`, name },
        shown: (cents: unknown) => money(Number(cents)),
      })),
    ],
    rows: [
      ...dates.map((date) => [
        date,
        namesOn(date).join(', '),
        of(date, 'seats'),
        ...moneyColumns.map(([key]) => of(date, key)),
      ]),
      ...(dates.length > 1 ? [[inTotal, '', sum('seats'), ...moneyColumns.map(([key]) => sum(key))]] : []),
    ],
  }
}

/** The last row, of all dates together. */
const inTotal = 'total'

/** Orders without a code have a discount where they were given for free. */
const discountsInWords = (all: number, byCode: number, money: (cents: number) => string): string => {
  if (all === 0) return ''
  const given = all - byCode
  if (given <= 0) return `; ${money(all)} was taken off by promo codes`
  return byCode === 0
    ? `; tickets worth ${money(given)} were complimentary`
    : `; ${money(byCode)} was taken off by promo codes, and tickets worth ${money(given)} were complimentary`
}

const moneyColumns = [
  ['gross', 'Total'],
  ['discounts', 'Discounts and complimentary'],
  ['fees', 'Fees before refunds'],
  ['taxes', 'Tax before refunds'],
  ['refunded', 'Refunded or lost to disputes'],
  ['net', 'Net'],
  ['unconfirmed', 'Not confirmed'],
] as const
