import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt, setGuestPages } from '../../test/guest.ts'
import { rowsOf } from '../../test/rows.ts'
import { sellingOnline } from '../../test/selling-online.ts'

describe('the page of an event', () => {
  const scene = sellingOnline()
  const page = (more = '') => `/v/${scene.venue.slug}/tickets/${scene.event}${more}`
  const shown = async (more?: string) => (await guestAt(scene.service, page(more))).text
  const capacity = (seats: number) =>
    rowsOf(scene.service, 'update occurrence set capacity = $3 where venue_id = $1 and id = $2', [
      ...[scene.venue.id, scene.date, seats],
    ])

  it('says that few are left below a tenth of the seats, not at it, and that none are', async () => {
    await capacity(20)
    for (const seats of [6, 6, 6]) await scene.made({ seats })
    // Two of 20 are a tenth.
    assert.doesNotMatch(await shown(), /left|Sold out/)
    await scene.made({ seats: 1 })
    assert.match(await shown(), / · Only 1 left/)
    await scene.made({ seats: 1 })
    assert.match(await shown(), / · Sold out/)
  })

  it('tells search engines of each date what they require: name, start, place, and an offer with its price', async () => {
    await scene.newDate({ date: '2026-11-05', startTime: null, priceCents: 0 })
    await scene.made({ seats: 6 })
    const [, text = ''] =
      /<script type="application\/ld\+json"[^>]*>([^]*?)<\/script>/.exec(await shown()) ?? []
    const facts = JSON.parse(text) as { '@context': string; '@graph': Record<string, unknown>[] }
    assert.equal(facts['@context'], 'https://schema.org')
    const wanted = [
      { startDate: '2026-10-20T19:00:00-04:00', price: '45.00', availability: 'https://schema.org/SoldOut' },
      { startDate: '2026-11-05', price: '0.00', availability: 'https://schema.org/InStock' },
    ]
    assert.equal(facts['@graph'].length, wanted.length)
    for (const [i, { startDate, price, availability }] of wanted.entries()) {
      const event = facts['@graph'][i] as Record<string, Record<string, unknown>>
      assert.deepEqual(
        [event['@type'], event['name'], event['startDate']],
        ['Event', 'Wine dinner', startDate],
      )
      const { location, offers } = event
      assert.equal(location?.['@type'], 'Place')
      assert.ok(location?.['name'])
      assert.deepEqual(
        [offers?.['@type'], offers?.['price'], offers?.['priceCurrency'], offers?.['availability']],
        ['Offer', price, 'USD', availability],
      )
      assert.ok(URL.canParse(String(offers?.['url'])))
    }
  })

  it('sells its free date without an account, and says of the others that the restaurant sells them', async () => {
    const free = await scene.newDate({ date: '2026-11-05', priceCents: 0 })
    await rowsOf(scene.service, 'update processor_account set ended_at = made_at where venue_id = $1', [
      scene.venue.id,
    ])
    await setGuestPages(scene.service, scene.venue, { doors: ['tickets'] })
    const text = await shown(`?date=${free}&seats=2`)
    assert.match(text, /Tickets are sold at the restaurant/)
    assert.ok(!text.includes(`<option value="${scene.date}"`), 'only what can be had is chosen from')
    const sent = await guestAt(scene.service, page(), { form: scene.formOn(text) })
    assert.equal(sent.status, 303, sent.text)
    assert.deepEqual(
      (await scene.orders()).map(({ status, total_cents }) => [status, total_cents]),
      [['paid', 0]],
    )
    assert.ok(!(await shown(`?date=${scene.date}&seats=2`)).includes('name="token"'))
  })
})
