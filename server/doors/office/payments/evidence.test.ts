import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { linesOf } from '../../../messages/guest-mail/pdf-file.ts'
import { guestAt, hiddenOn } from '../../../test/guest.ts'
import { rowsOf } from '../../../test/rows.ts'
import { letterOf } from '../../../test/letter-of.ts'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'
import { sellingOnline, signal } from '../../../test/selling-online.ts'
import { lookAtCalls } from '../../../tickets/online/money-back/called-about.ts'
import { agreementsOf } from './evidence.ts'

/** The lines of a PDF, and the fonts that they are in. */
const linesIn = (pdf: string): { readonly font: string; readonly text: string }[] =>
  Array.from(pdf.matchAll(/BT \/(F\d) [^<]*<([\da-f]+)> Tj/g), ([, font = '', hex = '']) => ({
    font,
    text: Buffer.from(hex, 'hex').toString('latin1'),
  }))

describe('the evidence about a booking whose payment is disputed', () => {
  const scene = securingTables()
  const secureMore = async (mine: string) => {
    const asked = hiddenOn((await guestAt(scene.service, mine)).text, 'asked')
    const { headers } = await guestAt(scene.service, mine, { form: { do: 'secure', asked } })
    return (headers.get('location') ?? '').replace(/^.*\/pay\//, '')
  }
  const evidence = async () => {
    await scene.stripe.dispute([...scene.stripe.intents.keys()].at(-1) ?? '', 'needs_response')
    await lookAtCalls(scene.service.context, signal)
    const [dispute] = await scene.rows(`select id from money_matter where venue_id = $1 and kind = 'dispute'`)
    const { html } = await scene.office.get(
      `/office/payments/matters/${String(dispute?.['id'])}/evidence.pdf`,
    )
    return linesIn(html)
  }

  it('names each mail about money, each agreement with its own moment, and what was done in whole sentences', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    const id = await scene.bookingId()
    await scene.later('2026-10-06T15:00:00Z')
    await scene.resize(id, 4)
    await scene.later('2026-10-06T16:30:00Z')
    await scene.payOn(await secureMore(mine))
    const lines = await evidence()
    const written = lines.map(({ text }) => text).join('\n')
    for (const line of [
      /Asked for a card or a payment: goes out October 6, 2026/,
      /Table secured: goes out October 6, 2026/,
      /: The guest agreed to what was asked for\./,
    ])
      assert.match(written, line)
    const moments = Array.from(written.matchAll(/Agreed on by the guest at (.*)/g), ([, at]) => at)
    assert.equal(moments.length, 2)
    assert.match(moments[0] ?? '', /10:00/)
    assert.match(moments[1] ?? '', /12:30/)
    assert.ok(!written.includes('(the '), 'no words in brackets in place of a sentence')
    assert.ok(lines.every(({ font }) => font === 'F1' || font === 'F2'))
  })

  it('has what went back to the guest, and says so where nothing did', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure('2026-10-09 19:00', '3')
    const nothing = (await evidence()).map(({ text }) => text)
    assert.equal(nothing[nothing.indexOf('Refunds to the guest') + 1], 'None.')
    await lookAtCalls(scene.service.context, signal)
    await scene.open()
    await scene.ask(deposit)
    const other = await scene.secure('2026-10-09 19:00', '3')
    assert.notEqual(mine, other)
    await scene.change(other, '2', '2026-10-09 19:00')
    await scene.refund()
    const written = (await evidence()).map(({ text }) => text).join('\n')
    assert.match(written, /\$20\.00 went back to the card on October 6, 2026/)
  })

  it('names the charge of a card', async () => {
    const id = await scene.absent()
    await scene.pressCard(id, { do: 'charge', amount: '50.00' })
    await scene.charges()
    const written = (await evidence()).map(({ text }) => text).join('\n')
    assert.match(written, /Charge of the card: goes out/)
    assert.match(written, /: The venue started a charge of the card\./)
    assert.match(written, /\$50\.00 was charged to the card that the guest had left; known here at/)
    const sheet = await scene.office.get(`/office/bookings/${id}`)
    assert.match(sheet.words, /Charge of the card goes out/)
  })

  it('does not say that a card was charged whose guest paid the fee themselves', async () => {
    const id = await scene.absent()
    const mine = await scene.mine(id)
    scene.stripe.declines = 'authentication_required'
    await scene.pressCard(id, { do: 'charge', amount: '50.00' })
    await scene.charges()
    scene.stripe.declines = undefined
    await scene.payOn(await secureMore(mine))
    const written = (await evidence()).map(({ text }) => text).join('\n')
    assert.match(written, /\$50\.00 was paid by the guest on Stripe.s page; known here at October 9, 2026/)
    assert.match(written, /Asked for a card or a payment: goes out/)
    assert.doesNotMatch(written, /charged (?:to )?the card/)
  })

  it('says of a card of a party that grew each agreement, and everywhere else the sentence once', async () => {
    await scene.ask(card)
    const mine = await scene.secure()
    const id = await scene.bookingId()
    await scene.later('2026-10-06T15:00:00Z')
    await scene.resize(id, 4)
    await scene.later('2026-10-06T16:30:00Z')
    await secureMore(mine)
    const once = (text: string): void => assert.equal(text.split('Cancel by').length - 1, 1, text)
    once((await guestAt(scene.service, mine)).text.replace(/<title>[^]*?<\/head>/, ''))
    await scene.later('2026-10-10T01:00:00Z')
    await scene.move('markNoShow', id)
    const sheet = await scene.office.get(`/office/bookings/${id}`)
    once(sheet.words)
    assert.match(sheet.html, /data-asks="Charge this card\? Cancel by (?!.*Cancel by)/)
    await scene.pressCard(id, { do: 'charge', amount: '100.00' })
    await scene.charges()
    const letter = await letterOf(scene, 'tableCharged')
    once(String(letter.paragraphs))
    once(letter.preheader ?? '')
    once((await scene.office.get('/office/data/export/guarantees.csv')).html)
    const written = (await evidence()).map(({ text }) => text).join('\n')
    assert.deepEqual(
      Array.from(written.matchAll(/Agreed on by the guest at .*?(\d+:\d+)/g), ([, at]) => at),
      ['10:00', '12:30'],
    )
  })

  it('gives each of three sentences about one card its moment', () => {
    const sentence = ['$25 a guest.', '$25 a guest.', '$25 a guest, from now on.'].join('\n')
    const [first, second, third] = ['2026-10-06T14:00:00Z', '2026-10-07T14:00:00Z', '2026-10-08T14:00:00Z']
    const history = [
      { action: 'secure', at: '2026-10-08T14:00:00.004Z' },
      { action: 'edit', at: '2026-10-07T15:00:00Z' },
      { action: 'secure', at: second },
    ] as never
    assert.deepEqual(
      agreementsOf(
        { sentence, agreed_at: third } as never,
        [{ sentence: '$25 a guest.', made_at: first }] as never,
        history,
      ).map(({ at }) => at),
      [first, second, third],
    )
  })
})

describe('a text on paper', () => {
  it('keeps its own lines, each in the font of its letters', () => {
    assert.deepEqual(linesOf('One sentence.\nAnother one.', 10, 500), ['One sentence.', 'Another one.'])
  })
})

describe('the evidence about an order', () => {
  const scene = sellingOnline()

  it('counts its seats in plain words, and has what was refunded by card and in cash', async () => {
    const id = await scene.opened({ seats: 1 })
    await scene.stripe.pay(await scene.sessionOf(id))
    await scene.sweep()
    await scene.askRefund('10.00')
    await scene.refund()
    const [order] = await rowsOf(scene.service, 'select id, version from ticket_order where venue_id = $1', [
      scene.venue.id,
    ])
    const { status } = await scene.office.post(`/office/tickets/orders/${String(order?.['id'])}/refunds`, {
      ...{ version: String(order?.['version']), amount: '5.00', seats: '0' },
      ...{ via: 'cash', outcome: 'succeeded', answer: '' },
    })
    assert.equal(status, 303)
    await scene.stripe.dispute([...scene.stripe.intents.keys()].at(-1) ?? '', 'needs_response')
    await scene.heard()
    const [dispute] = await rowsOf(scene.service, 'select id from money_matter where venue_id = $1', [
      scene.venue.id,
    ])
    const { html } = await scene.office.get(
      `/office/payments/matters/${String(dispute?.['id'])}/evidence.pdf`,
    )
    const written = linesIn(html)
      .map(({ text }) => text)
      .join('\n')
    assert.match(written, /^1 seat$/m)
    assert.match(written, /\$10\.00 went back to the card on October 6, 2026/)
    assert.match(written, /\$5\.00 was refunded in cash on October 6, 2026/)
  })
})

describe('the mails about an order', () => {
  const scene = sellingOnline()

  it('are on its page, also the one about a refund', async () => {
    await scene.sold()
    await scene.askRefund('40.00')
    await scene.refund()
    const [order] = await rowsOf(scene.service, 'select id from ticket_order where venue_id = $1', [
      scene.venue.id,
    ])
    const { words } = await scene.office.get(`/office/tickets/orders/${String(order?.['id'])}`)
    assert.match(words, /Tickets goes out/)
    assert.match(words, /Money that went back goes out/)
  })
})
