import { linesDrawn } from '../drawn/lines.ts'
import { dayInWords, counted, rowOf } from '../../../../data/reports/in-words.ts'
import { type Picture, type Shown, noMoneyBut, testsLeftOut } from '../picture.ts'

/** Deposits and cards behind bookings, by service date; days without any are left out. */
export const guaranteesPicture = (shown: Shown): Picture | undefined => {
  const rows = shown.rows('guarantee_money')
  const { money } = shown
  const dates = [...new Set(rows.map(({ key }) => String(key['date'])))]
  const what = { id: 'guarantees', title: 'Deposits and cards', of: ['guarantee_money'] as const }
  const none =
    shown.rules.guarantees.length === 0
      ? 'No rule asks for deposits or cards, and none were paid.'
      : 'No deposits were paid, and no cards were charged.'
  if (dates.length === 0) return noMoneyBut(shown, what, none) ?? noneUnderPolicy(shown, what, none)
  const of = (date: string, measure: string): number => rowOf(rows, { date, measure })?.n ?? 0
  const sum = (measure: string): number => dates.reduce((all, date) => all + of(date, measure), 0)
  const offTheBill = sum('off_the_bill')
  const sentence = `Deposits of ${money(sum('taken'))} were paid and cards were charged ${money(sum('charged'))}; ${money(sum('refunded'))} went back or was lost to disputes, and ${money(sum('kept'))} was kept of no-shows and cancellations.${
    offTheBill > 0 ? ` ${money(offTheBill)} was taken off bills.` : ''
  }${testsLeftOut(shown)}`
  return {
    ...{ ...what, sentence },
    cases: counted(dates.length, 'day'),
    drawn: linesDrawn(
      [
        {
          lines: measures.map(([measure, name]) => ({
            name,
            value: sum(measure),
            words: money(sum(measure)),
          })),
        },
      ],
      sentence,
    ),
    columns: [
      { key: 'service_date', name: 'Day', shown: (date) => dayInWords(shown, String(date)) },
      ...measures.map(([measure, name]) => ({
        ...{ key: `${measure}_cents`, name },
        shown: (cents: unknown) => money(Number(cents)),
      })),
    ],
    rows: dates.map((date) => [date, ...measures.map(([measure]) => of(date, measure))]),
  }
}

/** Who asks for deposits wants to read that there were none. */
const noneUnderPolicy = (
  { rules }: Shown,
  what: Pick<Picture, 'id' | 'title' | 'of'>,
  sentence: string,
): Picture | undefined =>
  rules.guarantees.length === 0 ? undefined : { ...what, sentence, cases: 'none', columns: [], rows: [] }

const measures = [
  ['taken', 'Deposits'],
  ['charged', 'Cards charged'],
  ['refunded', 'Went back or lost to disputes'],
  ['kept', 'Kept'],
  ['off_the_bill', 'Off the bill'],
] as const
