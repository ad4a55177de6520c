import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { allBookingRules } from '../../../book/rules/rules-store.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../../test/office.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'

const home = '/office/settings/experiences'

describe('the experiences of a venue, in the office', () => {
  let service: TestService
  let venue: TestVenue
  let office: OfficeVisitor
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  const open = async (place: object = {}) => {
    venue = await service.venue(place)
    await setRules(service, venue, everyEvening())
    office = visitOffice(service)
    await office.signIn((await staffOf(service, venue, 'manager')).email)
  }
  beforeEach(() => open())

  const seen = async () => /name="seen" value="([^"]*)"/.exec((await office.get(home)).html)?.[1] ?? ''
  const save = async (fields: Record<string, string>) => office.post(home, { ...fields, seen: await seen() })
  const kept = async () => (await allBookingRules(service.db, venue.id)).experiences
  const tasting = {
    ...{
      'name-0': 'Chef’s Tasting',
      'asks-0': 'prepaid',
      'amount-0': '95.00',
      'fee-0': '1.50',
      'tax-0': '8.875',
    },
    ...{ 'most-0': '6', 'day5-0': 'yes', 'day6-0': 'yes', 'services-0': 'Dinner', 'partyTo-0': '6' },
    ...{ 'text-en-0': 'Nine courses.', 'name-de-0': 'Menü', 'text-de-0': 'Neun Gänge.' },
  }

  it('managers write them down; a new one gets a name for programs, which stays when it is called otherwise', async () => {
    const { status, words } = await save(tasting)
    assert.equal(status, 303, words)
    assert.deepEqual(await kept(), [
      {
        ...{ key: 'chefs-tasting', name: 'Chef’s Tasting', services: ['Dinner'], weekdays: [5, 6] },
        texts: [
          { language: 'en', name: null, text: 'Nine courses.' },
          { language: 'de', name: 'Menü', text: 'Neun Gänge.' },
        ],
        ...{ from: null, to: null, partyFrom: 1, partyTo: 6, mostPerEvening: 6, asks: 'prepaid' },
        ...{ amountCents: 9_500, per: 'guest', freeUntilHours: 24, feeCents: 150, taxRate: 8_875 },
      },
    ])
    const again = {
      ...tasting,
      'key-0': 'chefs-tasting',
      'name-0': 'The long menu',
      'name-1': 'Chef’s tasting',
    }
    assert.equal((await save(again)).status, 303)
    assert.deepEqual(
      (await kept()).map(({ key, name }) => [key, name]),
      [
        ['chefs-tasting', 'The long menu'],
        ['chefs-tasting-2', 'Chef’s tasting'],
      ],
    )
    assert.equal((await save({ 'key-0': 'chefs-tasting', 'name-0': '' })).status, 303)
    assert.deepEqual(await kept(), [])
  })

  it('a price that no card is charged is refused, in whole units where the currency has no coins', async () => {
    const refused = await save({ ...tasting, 'amount-0': '0.30', 'fee-0': '', 'tax-0': '' })
    assert.equal(refused.status, 400)
    assert.match(
      refused.words,
      /“Chef’s Tasting” must ask for at least \$0\.50: less cannot be paid by card\./,
    )
    await open({ country: 'JP', timezone: 'Asia/Tokyo' })
    const coins = await save({ ...tasting, 'amount-0': '9500.50', 'fee-0': '' })
    assert.match(coins.words, /at least ¥50, in whole units/)
    assert.equal((await save({ ...tasting, 'amount-0': '9500', 'fee-0': '' })).status, 303)
  })

  it('a mistake is named in the words of the form, and nothing is changed', async () => {
    const wrong = await save({ ...tasting, 'partyFrom-0': '8' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.words, /The largest party must not be below the least/)
    const dates = await save({ ...tasting, 'from-0': '2026-12-02', 'to-0': '2026-12-01' })
    assert.match(dates.words, /“To” must not be before “From”/)
    assert.match((await save({ ...tasting, 'amount-0': 'a lot' })).words, /The amount must be an amount/)
    assert.deepEqual(await kept(), [])
  })

  it('says that those that ask are not offered while no account is connected', async () => {
    await save(tasting)
    assert.match((await office.get(home)).words, /not offered yet: connect a Stripe account/)
  })

  it('a change is in the activity in words', async () => {
    await save(tasting)
    await save({ ...tasting, 'key-0': 'chefs-tasting', 'most-0': '8' })
    const { words } = await office.get('/office/activity')
    assert.match(
      words,
      /experience[\s\S]*Chef’s Tasting, \$95\.00 a guest in advance, parties from 1 to 6, 8 parties an evening, Dinner, Friday, Saturday/,
    )
    assert.doesNotMatch(words, /mostPerEvening|feeCents/)
  })

  it('hosts do not set them', async () => {
    const host = visitOffice(service)
    await host.signIn((await staffOf(service, venue, 'host')).email)
    assert.equal((await host.get(home)).status, 403)
  })
})
