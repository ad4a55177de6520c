import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestLanguages } from '../../../platform/kernel/guest-language.ts'
import { orderLink, ownOrder } from '../../../tickets/admission/own-order.ts'
import { addOccurrence, editEvent, makeEvent } from '../../../tickets/events.ts'
import { lookAtCheckouts } from '../../../core/money/sweep.ts'
import { askTickets } from '../../../tickets/online/ask-tickets.ts'
import { lookingAtTickets } from '../../../tickets/online/looking.ts'
import { refundOnline } from '../../../tickets/online/money-back/refund-online.ts'
import { press } from '../../../core/money/look.ts'
import { actAt } from '../../act.ts'
import { rowsOf } from '../../rows.ts'
import { testPassword } from '../../office.ts'
import { owner, signal } from '../../selling-online.ts'
import type { TestService, TestVenue } from '../../service.ts'
import type { StripeStandIn } from '../../stripe/stand-in.ts'
import type { TestBrowser } from '../browser.ts'
import { sidewaysScroll } from '../check-page.ts'
import { faultsOf, phone, wide } from '../look-at-pages.ts'
import { withPayments } from './with-payments.ts'

describe('seats that are returned', () => {
  let service: TestService
  let stripe: StripeStandIn
  let venue: TestVenue
  let browser: TestBrowser
  let email: string
  let event: number
  let page: string
  withPayments({ rules: {}, pages: { doors: ['tickets'] } }, async (opened) => {
    ;({ service, stripe, browser, venue, email } = opened)
    const date = await actAt(service, venue, async (work) => {
      const made = await makeEvent(work, owner, 'Wine dinner')
      event = made.id
      await editEvent(work, owner, {
        ...{ id: event, seenVersion: made.version, name: made.name, orderMost: 4 },
        ...{ text: 'Five courses.\nBring an appetite.', returnHours: 48, returnKeepsFee: false },
      })
      const typed = { title: null, date: '2026-10-20', startTime: '19:00', capacity: 60, priceCents: 4_500 }
      return (await addOccurrence(work, owner, event, typed)).id
    })
    const buyer = { firstName: 'Maya', lastName: 'Okafor', email: 'maya@example.com', phone: null }
    const asked = await actAt(service, venue, (work) =>
      askTickets(work, 'US', {
        ...{ occurrenceId: date, seats: 3, promoCode: '', language: 'en', title: '3 tickets', buyer },
      }),
    )
    const looking = lookingAtTickets(service.context)
    assert.equal(asked.kind, 'checkout')
    if (asked.kind === 'checkout') await press(looking, { ...venue, plan: 'pro' }, asked.checkout)
    await stripe.pay([...stripe.sessions.keys()].at(-1) ?? '')
    await lookAtCheckouts(looking, signal)
    const [order] = await rowsOf(service, 'select id from ticket_order where venue_id = $1', [venue.id])
    const own = await ownOrder(service.db, venue.id, Number(order?.['id']))
    assert.ok(own)
    page = new URL(orderLink(service.context, venue.id, own)).pathname
  })

  it('the buyer chooses how many, reads what comes back and presses, without a script and in every language', async () => {
    const guest = await browser.visitor(service, { viewport: phone, javaScriptEnabled: false })
    for (const language of guestLanguages)
      for (const path of [page, `${page}?return=2`]) {
        await guest.open(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`)
        assert.deepEqual(await sidewaysScroll(guest.page), [], language)
      }
    await guest.open(page)
    await guest.page.getByLabel('Seats').selectOption('2')
    await guest.page.getByRole('button', { name: 'See what comes back' }).click()
    await guest.page.getByText('2 tickets will no longer be valid, and $90.00 goes back').waitFor()
    await guest.page.getByRole('button', { name: 'Return now' }).click()
    await guest.page.getByText('$90.00 is on its way back to your card').waitFor()
  })

  it('its pages, the event’s and the office’s form have no faults', async () => {
    const guest = await browser.visitor(service, { viewport: phone })
    const shown = [page, `${page}?return=1`, `/v/${venue.slug}/tickets/${event}`]
    assert.deepEqual(await faultsOf(guest, shown), [])
    const visitor = await browser.visitor(service, { viewport: wide })
    await visitor.signIn(email, testPassword)
    assert.deepEqual(await faultsOf(visitor, [`/office/tickets/events/${event}`]), [])
  })

  it('whose refund came back from the bank: staff read before each press what it does, on a phone and at a desk', async () => {
    const [order] = await rowsOf(service, 'select id from ticket_order where venue_id = $1', [venue.id])
    const sheet = `/office/tickets/orders/${String(order?.['id'])}`
    stripe.refundsPend = true
    await refundOnline(service.context, signal)
    await stripe.endRefund([...stripe.refunds.keys()].at(-1) ?? '', 'failed')
    await rowsOf(service, 'update refund set look_at = made_at where venue_id = $1', [venue.id])
    await refundOnline(service.context, signal)
    for (const viewport of [wide, phone]) {
      const visitor = await browser.visitor(service, { viewport })
      await visitor.signIn(email, testPassword)
      assert.deepEqual(await faultsOf(visitor, [sheet]), [])
      await visitor.open(sheet)
      assert.deepEqual(await sidewaysScroll(visitor.page), [])
      visitor.answers('no')
      await visitor.press('Refunded another way')
      await visitor.reads('Failed')
    }
    const visitor = await browser.visitor(service, { viewport: phone })
    await visitor.signIn(email, testPassword)
    await visitor.open(sheet)
    await visitor.press('Refunded another way')
    await visitor.reads('$90.00 noted as refunded another way.')
  })
})
