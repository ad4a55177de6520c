import type { OffSpan } from '../../../book/day/day-span.ts'

/** "2–4": the smallest and the largest party a table is given to. */
export const seatsOf = ({ least, most }: { readonly least: number; readonly most: number }): string =>
  least === most ? `${most}` : `${least}–${most}`

/** Why a table takes nobody. */
export const whyOff = ({ because, why }: Pick<OffSpan, 'because' | 'why'>): string =>
  because === 'room' ? 'room closed' : because === 'plan' ? 'closed by plan' : (why ?? 'out of order')
