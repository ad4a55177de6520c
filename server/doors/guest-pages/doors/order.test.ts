import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import jsQR from 'jsqr'
import { staffOf as actorOf } from '../../../test/desk.ts'
import { actAt } from '../../../test/act.ts'
import { guestAt, setGuestPages } from '../../../test/guest.ts'
import { becomeCopy } from '../../../test/processes/restored-copy.ts'
import { startMailing } from '../../../test/mailing.ts'
import { atWork, hiddenIn } from '../../../test/office-forms.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestVenue, aTuesdayAfternoon } from '../../../test/service.ts'
import { guestLanguages } from '../../../platform/kernel/guest-language.ts'
import { wordsIn } from '../../../messages/guest-words/words.ts'
import { orderByKey } from '../../../tickets/by-key.ts'
import { addOccurrence, makeEvent } from '../../../tickets/events.ts'
import { cancelOrder, confirmPayment } from '../../../tickets/order-moves.ts'
import { soldOrder } from '../../../tickets/order-reads.ts'
import { recordRefund } from '../../../tickets/refunds.ts'
import { type Sale, sellTickets } from '../../../tickets/sell-tickets.ts'
import { orderLink, ownOrder } from '../../../tickets/admission/own-order.ts'
import { ticketsOfOrders } from '../../../tickets/admission/ticket-reads.ts'
import { codeInGroups } from '../../../tickets/admission/qr.ts'

describe('a buyer’s own page', () => {
  const { service, relay, mails, begin } = startMailing()
  const manager = actorOf('manager')
  let venue: TestVenue
  beforeEach(async () => {
    await begin(aTuesdayAfternoon)
    venue = await service.venue()
    await setGuestPages(service, venue, { staffMail: 'tables@blue.example.com' })
    relay.received.length = 0
  })

  const aDate = (startTime: string | null = '19:00', date = '2026-10-30') =>
    actAt(service, venue, async (work) => {
      const { id } = await makeEvent(work, manager, 'Wine <dinner>')
      return (
        await addOccurrence(work, manager, id, {
          title: null,
          date,
          startTime,
          capacity: 100,
          priceCents: 5_000,
        })
      ).id
    })
  const buyer = { firstName: 'Maya', lastName: 'Okafor', email: 'maya@example.com', phone: null }
  const sell = async (more: Partial<Sale> = {}): Promise<number> => {
    const occurrenceId = more.occurrenceId ?? (await aDate())
    return (
      await actAt(service, venue, (work) =>
        sellTickets(work, manager, { occurrenceId, seats: 2, method: 'cash', buyer, ...more }),
      )
    ).order.id
  }
  const linkTo = async (order: number): Promise<string> => {
    const own = await ownOrder(service.db, venue.id, order)
    assert.ok(own)
    return new URL(orderLink(service.context, venue.id, own)).pathname
  }
  const codesOf = async (order: number) =>
    (await ticketsOfOrders(service.db, venue.id, [order])).map(({ code }) => code)
  const versionOf = async (order: number) => (await soldOrder(service.db, venue.id, order))?.version ?? 0

  /** What a scanner reads on a page, picture by picture. */
  const scanned = (page: string): (string | undefined)[] =>
    [...page.matchAll(/<svg class="qr" viewBox="0 0 (\d+) [^]*?<path d="([^"]*)"/g)].map(
      ([, whole = '', path = '']) => {
        const scale = 4
        const side = Number(whole) * scale
        const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
        for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
          for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++)
            for (let at = Number(x) * scale; at < (Number(x) + Number(length)) * scale; at++)
              pixels.fill(0, (row * side + at) * 4, (row * side + at) * 4 + 3)
        return jsQR.default(pixels, side, side)?.data
      },
    )

  it('of after a backup leads to nobody else’s order on the copy that was restored from it', async () => {
    const occurrenceId = await aDate()
    const lost = await sell({ occurrenceId })
    const link = await linkTo(lost)
    assert.equal((await guestAt(service, link)).status, 200)
    // The backup is of before it: neither the order nor its number is in there.
    await rowsOf(service, `delete from ticket where order_id = $1`, [lost])
    await rowsOf(service, `delete from ticket_order where id = $1`, [lost])
    await rowsOf(service, `select setval(pg_get_serial_sequence('ticket_order', 'id'), $1, false)`, [lost])
    await becomeCopy(service)
    try {
      const next = await sell({ occurrenceId })
      assert.ok(next > lost + 999_999, String(next))
      const { status, text } = await guestAt(service, link)
      assert.deepEqual([status, text.includes('Maya')], [404, false])
      for (const table of ['reservation', 'waitlist_entry', 'subscriber', 'checkout', 'guest']) {
        const [row] = await rowsOf(service, `select nextval(pg_get_serial_sequence($1, 'id'))::int as id`, [
          table,
        ])
        assert.ok(Number(row?.id) > 1_000_000, table)
      }
    } finally {
      await service.context.hold.release()
    }
  })

  it('shows a code for each ticket that a scanner reads as just that code, and it works with all doors off', async () => {
    await setGuestPages(service, venue, { doors: [] })
    const order = await sell()
    const { status, text, headers } = await guestAt(service, await linkTo(order))
    assert.equal(status, 200)
    assert.deepEqual(scanned(text), await codesOf(order))
    assert.match(text, /Wine &lt;dinner&gt;/)
    assert.match(text, /Friday, October 30, 2026, 7:00 PM \(New York time\)/)
    assert.match(text, /fill="#ffffff"/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.match(headers.get('x-robots-tag') ?? '', /noindex/)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  })

  it('speaks every language, without a script', async () => {
    const link = await linkTo(await sell())
    await setGuestPages(service, venue, { languages: [...guestLanguages] })
    for (const language of guestLanguages) {
      const { text } = await guestAt(service, `${link}?lang=${language}`)
      assert.ok(text.includes(`<h1>${wordsIn(language).tickets.title}</h1>`), language)
      assert.doesNotMatch(text, /<script(?! type="application\/ld)/)
      const pdf = await guestAt(service, `${link}/tickets.pdf?lang=${language}`)
      assert.equal(pdf.headers.get('content-type'), 'application/pdf', language)
    }
  })

  it('has all valid tickets on paper, and the date for a calendar, at the venue’s time', async () => {
    const order = await sell({ seats: 4 })
    const link = await linkTo(order)
    const [first = '', , , last = ''] = await codesOf(order)
    await actAt(service, venue, async (work) =>
      recordRefund(work, manager, {
        ...{
          order,
          seenVersion: await versionOf(order),
          amountCents: 5_000,
          seats: 1,
          via: 'cash',
          outcome: 'succeeded',
        },
      }),
    )
    const pdf = (await guestAt(service, `${link}/tickets.pdf`)).text
    const said = (code: string) => pdf.includes(Buffer.from(codeInGroups(code), 'latin1').toString('hex'))
    assert.match(pdf, /^%PDF-1\.5/)
    assert.ok(said(first))
    assert.ok(!said(last), 'the seat that went back has none')
    const { text } = await guestAt(service, link)
    assert.match(text, /this seat was returned/)
    assert.equal(scanned(text).length, 3)
    const file = await guestAt(service, `${link}/event.ics`)
    assert.match(file.text, /DTSTART;TZID=America\/New_York:20261030T190000/)
    assert.match(file.text, /UID:tickets-\d+-\d+@/)
  })

  it('agrees with the mail and the calendar on the night the clocks go back', async () => {
    // 01:30 happens twice on November 1: a calendar gets it in UTC.
    const order = await sell({ occurrenceId: await aDate('01:30', '2026-11-01') })
    const link = await linkTo(order)
    assert.match((await guestAt(service, link)).text, /Sunday, November 1, 2026, 1:30 AM/)
    assert.match((await guestAt(service, `${link}/event.ics`)).text, /DTSTART:20261101T053000Z/)
    const [mail] = await mails()
    assert.match(mail?.text ?? '', /Sunday, November 1, 2026, 1:30 AM/)
  })

  it('has no calendar file for a date without a time', async () => {
    const link = await linkTo(await sell({ occurrenceId: await aDate(null) }))
    assert.doesNotMatch((await guestAt(service, link)).text, /event\.ics/)
    assert.equal((await guestAt(service, `${link}/event.ics`)).status, 404)
  })

  it('says that nothing is paid yet, that it was refunded, or cancelled, and shows no code then', async () => {
    const unpaid = await sell({ method: 'external' })
    const link = await linkTo(unpaid)
    assert.match((await guestAt(service, link)).text, /Not paid yet/)
    const free = await sell({ method: 'comp' })
    await actAt(service, venue, async (work) =>
      cancelOrder(work, manager, { order: free, seenVersion: await versionOf(free) }),
    )
    const page = await guestAt(service, await linkTo(free))
    assert.match(page.text, /This order was cancelled/)
    for (const { text } of [page, await guestAt(service, link)]) assert.deepEqual(scanned(text), [])
    assert.equal((await guestAt(service, `${link}/tickets.pdf`)).status, 404)
  })

  it('ends thirty days after the date, with a link of staff, and with an erasure', async () => {
    const order = await sell()
    const link = await linkTo(order)
    service.setClock('2026-11-29T12:00:00Z')
    assert.equal((await guestAt(service, link)).status, 200)
    service.setClock('2026-11-30T12:00:00Z')
    assert.equal((await guestAt(service, link)).status, 404)
    service.setClock(aTuesdayAfternoon)
    const { visitor } = await atWork(service, 'host', venue)
    const at = `/office/tickets/orders/${order}`
    const shown = await visitor.get(at)
    assert.match(shown.words, /Ticket 1 Not in yet/)
    for (const code of await codesOf(order)) assert.ok(!shown.html.includes(code))
    assert.equal((await visitor.post(`${at}/link`, { do: 'renew' })).status, 303)
    assert.equal((await guestAt(service, link)).status, 404)
    const next = await linkTo(order)
    assert.equal((await visitor.post(`${at}/link`, { do: 'open' })).to, next)
    assert.equal((await guestAt(service, next)).status, 200)
    await rowsOf(
      service,
      `update ticket_order set erased_at = now(), buyer_first_name = null, buyer_last_name = null, buyer_email = null,
         buyer_email_key = null where id = $1`,
      [order],
    )
    assert.equal((await guestAt(service, next)).status, 404)
  })

  it('is mailed with the tickets to the order’s address, and again on asking, once in ten minutes', async () => {
    const order = await sell()
    const link = await linkTo(order)
    const [mail, ...more] = await mails()
    assert.equal(more.length, 0)
    assert.equal(mail?.to?.[0]?.address, 'maya@example.com')
    assert.equal(mail?.subject, 'Your tickets: Wine <dinner>, Fri, Oct 30, 7:00 PM')
    assert.ok(mail?.text?.includes(link))
    assert.deepEqual(
      mail?.attachments.map(({ filename, mimeType }) => [filename, mimeType]),
      [
        ['tickets.pdf', 'application/pdf'],
        ['event.ics', 'text/calendar'],
      ],
    )
    for (let n = 0; n < 3; n++)
      assert.equal(
        (await guestAt(service, link, { form: { do: 'resend', email: 'other@example.com' } })).status,
        303,
      )
    const all = await mails()
    assert.deepEqual(
      all.map(({ to }) => to?.[0]?.address),
      ['maya@example.com', 'maya@example.com'],
    )
  })

  it('is not mailed by itself for an evening that is over, which is sold for the books', async () => {
    const order = await sell({ occurrenceId: await aDate('19:00', '2026-10-04') })
    assert.deepEqual(await mails(), [])
    await sell({ occurrenceId: await aDate('23:00', '2026-10-05') })
    assert.equal((await mails()).length, 1, 'last night’s may still go on')
    assert.equal((await guestAt(service, await linkTo(order))).status, 200)
  })

  it('is mailed to nobody by itself for what software sold; staff may send it', async () => {
    const occurrenceId = await aDate()
    const { order } = await actAt(service, venue, (work) =>
      orderByKey(work, { kind: 'key', id: 1 } as never, { occurrenceId, seats: 1, buyer, reference: 'W-7' }),
    )
    await actAt(service, venue, async (work) =>
      confirmPayment(work, manager, { order: order.id, seenVersion: await versionOf(order.id) }),
    )
    assert.deepEqual(await mails(), [])
    const { visitor } = await atWork(service, 'host', venue)
    const at = `/office/tickets/orders/${order.id}`
    assert.match((await visitor.get(at)).words, /Email the tickets/)
    await visitor.post(`${at}/link`, { do: 'mail' })
    assert.equal((await mails()).length, 1)
    assert.match((await visitor.get(at)).words, /Tickets sent .* Send again/)
  })

  it('loses the tickets that staff choose with a refund', async () => {
    const order = await sell({ seats: 3 })
    const { visitor } = await atWork(service, 'manager', venue)
    const at = `/office/tickets/orders/${order}`
    const shown = await visitor.get(at)
    assert.match(shown.words, /Tickets that become void/)
    const asked = {
      ...{ version: hiddenIn(shown, 'version'), amount: '50', seats: '1', via: 'cash', outcome: 'succeeded' },
      ticket: '2',
    }
    assert.equal((await visitor.post(`${at}/refunds`, asked)).status, 303)
    assert.match((await visitor.get(at)).words, /Ticket 1 Not in yet Ticket 2 Void Ticket 3 Not in yet/)
  })
})
