import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatsFor, moneyIn } from '../../../messages/guest-words/formats.ts'
import { wordsIn } from '../../../messages/guest-words/words.ts'
import { guestLanguages } from '../../../platform/kernel/guest-language.ts'
import { actAt } from '../../../test/act.ts'
import { guestAt } from '../../../test/guest.ts'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'
import { answerChange } from '../change/answer-change.ts'
import { staff } from '../test/book.ts'

describe('a guest who asks for fewer or more', () => {
  const scene = securingTables()
  const slot = '2026-10-09 19:00'
  const late = '2026-10-09T00:00:00Z'
  const asked = async (mine: string, size: string, language = 'en') => {
    const { status, text } = await guestAt(scene.service, `${mine}?lang=${language}`, {
      form: { do: 'ask', size, slot },
    })
    assert.equal(status, 200, text)
    return text
  }
  const sentBack = async () => {
    await scene.refund()
    return [...scene.stripe.refunds.values()].map(({ amount }) => amount)
  }
  const agreed = async () => {
    const { amount_cents: amount, asked_cents: due } = await scene.guarantee()
    return [amount, due]
  }

  it('reads before the press what of a deposit goes back, and that goes back', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure(slot, '4')
    assert.match(await asked(mine, '3'), /With this change, \$20\.00 goes back to your card/)
    assert.deepEqual(await sentBack(), [], 'nothing before the press')
    await scene.change(mine, '3', slot)
    assert.deepEqual(await sentBack(), [2_000])
  })

  it('reads past the limit what the restaurant keeps, and nothing goes back', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure(slot, '4')
    scene.service.setClock(late)
    const text = await asked(mine, '3')
    assert.match(text, /the restaurant keeps \$20\.00/)
    assert.doesNotMatch(text, /goes back/)
    await scene.change(mine, '3', slot)
    assert.deepEqual(await sentBack(), [])
  })

  it('reads past the limit what the card may be charged, before the press and on their page after it', async () => {
    await scene.ask(card)
    const mine = await scene.secure(slot, '4')
    const page = async () => (await guestAt(scene.service, mine)).text
    assert.doesNotMatch(await page(), /\$100\.00/, 'what stands in the sentence is enough')
    scene.service.setClock(late)
    assert.match(await asked(mine, '3'), /the restaurant may charge \$100\.00/)
    await scene.change(mine, '3', slot)
    assert.match(await page(), /is over: the restaurant may charge \$100\.00\./)
    assert.doesNotMatch(await page(), /at most/)
  })

  it('reads what is due for a larger party, and is asked for just that', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure(slot, '2')
    assert.match(
      await asked(mine, '3'),
      /With this change, \$20\.00 is due\. You pay it on your booking’s page/,
    )
    assert.deepEqual(await agreed(), [4_000, 0])
    await scene.change(mine, '3', slot)
    assert.deepEqual(await agreed(), [4_000, 0], 'while the venue has not answered')
    const [change] = await scene.rows('select id, reservation_id from reservation_change where venue_id = $1')
    const answered = await actAt(scene.service, scene.venue, (work) =>
      answerChange(work, staff('host'), {
        ...{ id: Number(change?.['reservation_id']), change: Number(change?.['id']), answer: 'accept' },
      }),
    )
    assert.equal(answered.kind, 'done')
    assert.deepEqual(await agreed(), [4_000, 2_000])
  })

  it('reads what their card may be charged at most, or what they are asked to agree to', async () => {
    await scene.ask(card)
    const mine = await scene.secure(slot, '4')
    assert.match(await asked(mine, '3'), /With this change, the restaurant may charge \$75\.00 at most/)
    assert.match(await asked(mine, '5'), /asks you to agree to \$125\.00 at most/)
    assert.doesNotMatch(await asked(mine, '4'), /With this change/)
    await scene.change(mine, '3', slot)
    assert.deepEqual(await agreed(), [7_500, 0])
    scene.service.setClock(late)
    assert.match(await asked(mine, '2'), /the restaurant may charge \$75\.00/)
  })

  it('reads no sum where it is for the whole party', async () => {
    await scene.ask({ ...deposit, per: 'party' })
    const mine = await scene.secure(slot, '4')
    for (const size of ['3', '5']) assert.doesNotMatch(await asked(mine, size), /With this change|\$/)
  })

  it('reads it in the language of their page', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure(slot, '4')
    for (const language of guestLanguages) {
      const { secure } = wordsIn(language)
      const money = (cents: number) => moneyIn(formatsFor(language, scene.venue), cents, 'USD')
      assert.ok((await asked(mine, '3', language)).includes(secure.changeBack(money(2_000))), language)
      assert.ok((await asked(mine, '5', language)).includes(secure.changeDue(money(2_000))), language)
    }
  })
})
