import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wordsIn } from '../../../messages/guest-words/words.ts'
import { guestLanguages } from '../../../platform/kernel/guest-language.ts'
import { guestAt } from '../../../test/guest.ts'
import { rowsOf } from '../../../test/rows.ts'
import { sellingOnline } from '../../../test/selling-online.ts'
import { ticketsOfOrders } from '../../admission/ticket-reads.ts'

describe('tickets whose payment the buyer’s bank took back', () => {
  const scene = sellingOnline()
  const { sold, later, heard, refund, askRefund, buyersPage } = scene
  const loseDispute = async () => {
    const intent = [...scene.stripe.intents.keys()].at(-1) ?? ''
    for (const state of ['needs_response', 'lost'] as const) {
      await scene.stripe.dispute(intent, state)
      await heard()
    }
  }
  const codes = async () => {
    const [row] = await rowsOf(scene.service, 'select id from ticket_order where venue_id = $1', [
      scene.venue.id,
    ])
    const tickets = await ticketsOfOrders(scene.service.db, scene.venue.id, [Number(row?.['id'])])
    return tickets.map(({ code }) => code)
  }
  /** What each ticket says, on the buyer's page and to who scans it. */
  const said = async (): Promise<{ page: string[]; door: string[] }> => {
    const page = (await guestAt(scene.service, await buyersPage())).text
    const door: string[] = []
    for (const code of await codes()) {
      const form = { typed: code, door: 'Door 1' }
      const { words } = await scene.office.post(`/office/tickets/door/${scene.date}`, form)
      const [, why = words] = /Void Ticket \d of 2 · Maya Okafor · \S+ ([^.]*\.)/.exec(words) ?? []
      door.push(why)
    }
    const { void: returned, voidTaken: taken } = wordsIn('en').tickets
    const found = page.match(new RegExp(`${returned}|${taken}`, 'g'))
    return { page: found ?? [], door }
  }
  const taken = {
    page: 'No longer valid: the payment for this seat was taken back',
    door: 'The payment for this seat was taken back by the buyer’s bank.',
  }
  const returned = { page: 'No longer valid: this seat was returned', door: 'This seat was returned.' }

  it('say so, to their buyer in every language and at the door, and not that a seat was returned', async () => {
    await sold()
    const page = await buyersPage()
    await guestAt(scene.service, page)
    await loseDispute()
    assert.deepEqual(await said(), { page: [taken.page, taken.page], door: [taken.door, taken.door] })
    for (const language of guestLanguages) {
      const { text } = await guestAt(scene.service, `${page}?lang=${language}`)
      const { void: others, voidTaken } = wordsIn(language).tickets
      assert.deepEqual([text.split(voidTaken).length, text.includes(others)], [3, false], language)
    }
  })

  it('are told apart from one that was returned before', async () => {
    await sold()
    await guestAt(scene.service, await buyersPage())
    await askRefund('45.00', '1')
    await refund()
    await refund()
    later(60)
    await loseDispute()
    assert.deepEqual(await said(), { page: [taken.page, returned.page], door: [taken.door, returned.door] })
  })

  it('are none where a seat was returned and no bank took anything', async () => {
    await sold()
    await guestAt(scene.service, await buyersPage())
    await askRefund('45.00', '1')
    await refund()
    await refund()
    const { page, door } = await said()
    assert.deepEqual(page, [returned.page])
    assert.match(door[0] ?? '', /In Ticket 1 of 2/)
    assert.equal(door[1], returned.door)
  })
})
