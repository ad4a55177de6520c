import { numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import { type Row, counted, rowOf, total } from '../../../../data/reports/in-words.ts'
import { linesDrawn } from '../drawn/lines.ts'
import { type Picture, type Shown, areCountsCompared, markedBefore } from '../picture.ts'
import { mostLines } from './business.ts'

/** Which promo codes were used, the most first. */
export const codesPicture = (shown: Shown): Picture | undefined => {
  const used = (rows: readonly Row[]): Map<string, number> =>
    new Map(rows.flatMap(({ key, n }) => ('code' in key ? [[String(key['code']), n ?? 0] as const] : [])))
  const [now, before] = [used(shown.rows('ticket_money')), used(shown.before('ticket_money'))]
  const codes = [...now].toSorted(([, one], [, other]) => other - one)
  const [first] = codes
  if (first === undefined) return undefined
  const orders = codes.reduce((sum, [, n]) => sum + n, 0)
  const discounts = shown.rows('code_discounts')
  const offOf = (code: string): number => rowOf(discounts, { code })?.n ?? 0
  const off = total(discounts)
  const sentence = `${counted(orders, 'order')} used a promo code, most often ${first[0]}${off > 0 ? `; ${shown.money(off)} was taken off` : ''}.`
  const isCompared = areCountsCompared(shown)
  return {
    ...{
      id: 'codes',
      title: 'Promo codes',
      of: ['ticket_money', 'code_discounts'],
      sentence,
      cases: counted(orders, 'order'),
    },
    drawn: linesDrawn(
      [
        {
          lines: codes.slice(0, mostLines).map(([code, n]) => ({
            ...{ name: code, value: n, words: `${shown.money(offOf(code))} off · ${numberInWords(n)}` },
            mark: isCompared ? (before.get(code) ?? 0) : null,
          })),
        },
      ],
      sentence,
    ),
    key: isCompared ? markedBefore(shown) : [],
    columns: [
      { key: 'code', name: 'Code' },
      { key: 'orders', name: 'Orders' },
      { key: 'discounts_cents', name: 'Discounts', shown: (cents: unknown) => shown.money(Number(cents)) },
      ...(isCompared ? [{ key: 'orders_before', name: 'Before' }] : []),
    ],
    rows: codes.map(([code, n]) => [code, n, offOf(code), ...(isCompared ? [before.get(code) ?? 0] : [])]),
  }
}
