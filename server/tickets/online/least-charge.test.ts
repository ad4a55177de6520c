import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestLanguages } from '../../platform/kernel/guest-language.ts'
import { wordsIn } from '../../messages/guest-words/words.ts'
import { actAt } from '../../test/act.ts'
import { guestAt } from '../../test/guest.ts'
import { hiddenIn, make } from '../../test/office-forms.ts'
import { rowsOf } from '../../test/rows.ts'
import { owner, sellingOnline } from '../../test/selling-online.ts'
import { makePromoCode } from '../promo-codes.ts'

describe('less than a card can pay', () => {
  const scene = sellingOnline()
  const fields = {
    ...{ date: '2026-10-20', startTime: '19:00', title: '', capacity: '6' },
    ...{ onlineFrom: '', onlineUntil: '' },
  }
  const add = (price: string) =>
    make(scene.office, `/office/tickets/events/${scene.event}/dates`, { ...fields, price })
  const edit = async (price: string, more: object = {}) => {
    const path = `/office/tickets/dates/${scene.date}/edit`
    const version = hiddenIn(await scene.office.get(path), 'version')
    return scene.office.post(path, { version, ...fields, ...more, price })
  }
  const prices = async () =>
    (
      await rowsOf(
        scene.service,
        'select price_cents::int as cents from occurrence where venue_id = $1 order by id',
        [scene.venue.id],
      )
    ).map(({ cents }) => cents)
  const inCurrency = (currency: string) =>
    rowsOf(scene.service, 'update venue set currency = $2 where id = $1', [scene.venue.id, currency])

  for (const [currency, little, least, sentence] of [
    ['USD', '0.49', '0.50', 'The price must be 0 or at least $0.50: less cannot be paid by card.'],
    ['JPY', '49', '50', 'The price must be 0 or at least ¥50: less cannot be paid by card.'],
    ['ISK', '99', '100', 'The price must be 0 or at least ISK 100: less cannot be paid by card.'],
  ] as const)
    it(`in ${currency} is refused as the price of a new date and of one there is, in a sentence; free and the least are not`, async () => {
      await inCurrency(currency)
      for (const refused of [await add(little), await edit(little)]) {
        assert.equal(refused.status, 400)
        assert.ok(refused.words.replaceAll(/\s/g, ' ').includes(sentence), refused.words)
        assert.ok(refused.html.includes(`value="${little}"`), 'what was typed stays')
      }
      assert.deepEqual(await prices(), [4_500])
      for (const saved of [await add('0'), await add(least), await edit(least)])
        assert.equal(saved.status, 303, saved.words)
      assert.deepEqual(await prices(), [Number(least) * 100, 0, Number(least) * 100])
    })

  it('stays as the price of a date of before while something else of it is edited', async () => {
    await rowsOf(scene.service, 'update occurrence set price_cents = 20 where venue_id = $1', [
      scene.venue.id,
    ])
    const saved = await edit('0.20', { capacity: '8' })
    assert.equal(saved.status, 303, saved.words)
  })

  it('is no price where the venue has no currency of payments', async () => {
    await rowsOf(scene.service, `update venue set country = 'ZA', currency = null where id = $1`, [
      scene.venue.id,
    ])
    assert.equal((await add('0.20')).status, 303)
  })

  it('is said by the page that shows the total, in place of the button, and by the press; nothing is made or asked for', async () => {
    await actAt(scene.service, scene.venue, (work) =>
      makePromoCode(work, owner, {
        ...{ code: 'ALMOST', discount: { percent: 99 }, eventId: null, usesMost: null },
        ...{ validFrom: null, validTo: null },
      }),
    )
    const event = `/v/${scene.venue.slug}/tickets/${scene.event}`
    const shown = (more: string) => guestAt(scene.service, `${event}?date=${scene.date}&${more}`)
    for (const language of guestLanguages) {
      const { text } = await shown(`seats=1&code=ALMOST&lang=${language}`)
      const [before = '', after = ''] = wordsIn(language).sale.small('«»').split('«»')
      for (const part of [before, after]) assert.ok(text.includes(part), `${language}: ${part}`)
      assert.ok(!text.includes('name="total"'), 'no button that would fail')
    }
    const pressed = await guestAt(scene.service, event, {
      form: {
        ...scene.formOn((await shown('seats=1')).text),
        ...{ code: 'ALMOST', total: '45' },
      },
    })
    assert.equal(pressed.status, 409)
    assert.match(pressed.text, /At least \$0\.50 can be paid online\. Please call the restaurant\./)
    assert.match(pressed.text, /value="ALMOST"/)
    assert.deepEqual(
      await rowsOf(scene.service, 'select id from checkout where venue_id = $1', [scene.venue.id]),
      [],
    )
    // Two of them can be paid.
    assert.match((await shown('seats=2&code=ALMOST')).text, /<b>\$0\.90<\/b>/)
  })
})
