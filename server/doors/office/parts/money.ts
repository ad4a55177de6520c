import { dollars, moneyOf } from '../../../platform/kernel/money.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { currencyRead } from '../../../platform/kernel/time/in-words.ts'
import type { Form } from '../frame/page.ts'

/** In the currency of the venue whose staff read: "$1,250.00"; "−$5.00". */
export const money = (cents: number): string => moneyOf(cents, currencyRead() ?? 'USD')

export { moneyOf }

/** An amount in cents, from what people type: "19", "19.5", "$1,250.00". */
export const centsField = (form: Form, name: string, what: string): number => {
  const text = form
    .text(name)
    .replaceAll(/[\s$€£¥]/g, '')
    .replaceAll(/,(?=\d{3}(?:\D|$))/g, '')
  const found = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text)
  if (!found) throw badRequest(`${what} must be an amount such as 19.50.`)
  return Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'))
}

/** An amount as shown in a field: "19.50". */
export const amountText = (cents: number): string => dollars(cents)

/** Thousandths of a percent as people write them: 8875 shows as "8.875". */
export const rateText = (rate: number): string => {
  const rest = rate % 1000
  return rest === 0
    ? String(rate / 1000)
    : `${(rate - rest) / 1000}.${String(rest).padStart(3, '0').replace(/0+$/, '')}`
}

export const rateIn = (form: Form, name: string): number => {
  const found = /^(\d{1,3})(?:\.(\d{1,3}))?$/.exec(form.text(name).replaceAll(/[\s%]/g, ''))
  if (!found) throw badRequest('The tax must be a percentage such as 8.875.')
  return Number(found[1]) * 1000 + Number((found[2] ?? '').padEnd(3, '0'))
}
