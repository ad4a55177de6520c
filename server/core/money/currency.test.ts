import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { currencyOf } from './currency.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
const countries = letters.flatMap((one) => letters.map((other) => one + other))

describe('currencies of countries', () => {
  it('are those in which orders of before were written down: a country that is added here needs a migration for its own', () => {
    const text = readFileSync(
      new URL('../../platform/db/migrations/0112-checkouts-by-key.sql', import.meta.url),
      'utf8',
    )
    const written = new Map(
      [...text.matchAll(/when v\.country (?:in \(([^)]*)\)|= ('[A-Z]{2}')) then '([A-Z]{3})'/g)].flatMap(
        ([, several, one, currency]) =>
          [...(several ?? one ?? '').matchAll(/'([A-Z]{2})'/g)].map(
            ([, country]) => [country, currency] as const,
          ),
      ),
    )
    assert.ok(written.size > 20, 'the list was found')
    const here = countries.flatMap((country) => {
      const currency = currencyOf(country)
      return currency === undefined ? [] : [[country, currency] as const]
    })
    assert.deepEqual(Object.fromEntries(written), Object.fromEntries(here))
  })
})
