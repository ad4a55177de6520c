import { dollars } from '../../platform/kernel/money.ts'

/*
 * Amounts are hundredths of the unit in every currency: 1,500 yen are 150,000. What a processor calls the same amount is
 * its own matter, settled here by a table: its list of whole-unit currencies is not that of `Intl`.
 */

const euro = 'AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC MT NL PT SI SK SM VA'

/** Currencies of countries, of those whose tickets can be paid online. */
const currencies: Readonly<Record<string, string>> = {
  ...Object.fromEntries(euro.split(' ').map((country) => [country, 'EUR'])),
  ...{ US: 'USD', PR: 'USD', CA: 'CAD', MX: 'MXN', BR: 'BRL', GB: 'GBP', CH: 'CHF', LI: 'CHF' },
  ...{ SE: 'SEK', NO: 'NOK', DK: 'DKK', IS: 'ISK', PL: 'PLN', CZ: 'CZK', HU: 'HUF', RO: 'RON' },
  ...{ JP: 'JPY', SG: 'SGD', HK: 'HKD', MY: 'MYR', TH: 'THB', AE: 'AED', AU: 'AUD', NZ: 'NZD' },
}

/** What an owner may choose from, in the order of the alphabet. */
export const currenciesOffered: readonly string[] = [...new Set(Object.values(currencies))].toSorted()

/** Undefined: tickets are not sold online there yet. */
export const currencyOf = (country: string): string | undefined => currencies[country]

/** Currencies that have no coins below their unit. */
const whole: ReadonlySet<string> = new Set(['ISK', 'JPY'])

/** The least amount that exists, in hundredths. */
export const leastCoin = (currency: string): number => (whole.has(currency) ? 100 : 1)

/** Those that the processor takes in whole units. It takes ISK in hundredths, though nobody pays any. */
const wholeAtProcessor: ReadonlySet<string> = new Set(['JPY'])

/** Whether there are coins for it. */
export const isWhole = (cents: number, currency: string): boolean => cents % leastCoin(currency) === 0

/** A sum in a file, with as many decimals as its currency has: "-30.00"; of yen "1500". Without a currency, as in dollars. */
export const amountInFile = (cents: number, currency: string | null): string =>
  currency !== null && whole.has(currency) && isWhole(cents, currency) ? String(cents / 100) : dollars(cents)

export const toProcessor = (cents: number, currency: string): number => {
  if (!isWhole(cents, currency)) throw new RangeError(`There is no such amount of ${currency}.`)
  return wholeAtProcessor.has(currency) ? cents / 100 : cents
}

export const fromProcessor = (amount: number, currency: string): number =>
  wholeAtProcessor.has(currency) ? amount * 100 : amount

/** The processor's least charges, in hundredths. */
const leastCharges: Readonly<Record<string, number>> = {
  ...{ USD: 50, EUR: 50, GBP: 30, CAD: 50, AUD: 50, NZD: 50, CHF: 50, SGD: 50, BRL: 50, MXN: 1_000 },
  ...{ SEK: 300, NOK: 300, DKK: 250, PLN: 200, CZK: 1_500, HUF: 17_500, RON: 200, ISK: 10_000 },
  ...{ JPY: 5_000, HKD: 400, MYR: 200, THB: 1_000, AED: 200 },
}

/** Less than this cannot be paid online. */
export const leastCharge = (currency: string): number => leastCharges[currency] ?? 100
