import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lookAtCheckouts } from '../../../core/money/sweep.ts'
import { deleteCards } from '../../../book/reservations/guarantee/jobs.ts'
import { lookingAtPaid } from '../../../marketing/subscribers/looking-at-paid.ts'
import { removeAccounts } from '../../../tickets/online/removing/remove-account.ts'
import { guestAt } from '../../guest.ts'
import { testPassword } from '../../office.ts'
import { signal } from '../../selling-online.ts'
import type { TestService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { faultsByAxe, firstVisitBytes, lowTargets, outOfColumn, sidewaysScroll } from '../check-page.ts'
import { faultsOf, phone, pictureOf, wide } from '../look-at-pages.ts'
import { beginCheckout, deposits, site, withPayments } from '../guests/with-payments.ts'

describe('a former account', () => {
  let service: TestService
  let browser: TestBrowser
  let email = ''
  const settings = '/office/settings/payments'
  const cards = [{ asks: 'card', amountCents: 2_500, per: 'guest', freeUntilHours: 24 }]
  const guarantees = [{ ...deposits[0], partyFrom: 4 }, ...cards]
  let paid: { readonly id: number; readonly partySize: number }[] = []
  withPayments({ rules: { guarantees }, pages: { doors: ['book'], frameSites: [site] } }, async (opened) => {
    ;({ service, browser, email } = opened)
    const { venue, stripe } = opened
    const { key } = await venue.makeKey('read_write', 'api', {
      scopes: ['checkouts:create', 'reservations:read'],
    })
    for (const [time, partySize] of [
      ['19:00', 2],
      ['20:00', 4],
    ] as const) {
      const guest = { guestName: 'Maya Okafor', email: 'maya@example.com' }
      const path = await beginCheckout(service, key, { date: '2026-10-09', time, partySize, ...guest })
      const { headers } = await guestAt(service, path, { form: { do: 'pay' } })
      await stripe.pay((headers.get('location') ?? '').replace(/^.*\/pay\//, ''))
      await lookAtCheckouts(lookingAtPaid(service.context), signal)
    }
    paid = (await service.call('GET', '/api/v1/reservations', { key })).body as typeof paid
    assert.equal(paid.length, 2)
  })

  /** What is wrong with the page as it is, at every width, in light and dark. */
  const faultsNow = async ({ page }: Visitor, name: string): Promise<string[]> => {
    const found: string[] = []
    for (const width of [1_280, 820, 390]) {
      await page.setViewportSize({ width, height: 844 })
      found.push(...(await sidewaysScroll(page)), ...(await outOfColumn(page)), ...(await faultsByAxe(page)))
      if (width === 390) found.push(...(await lowTargets(page)))
      await pictureOf(page, `/${name}.${width}`)
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    found.push(...(await faultsByAxe(page, 'contrast')))
    await page.emulateMedia({ colorScheme: 'light' })
    return found
  }

  for (const script of [true, false])
    it(`is removed by its owner, who reads first what ends with it${script ? '' : ', without script'}`, async () => {
      const owner = await browser.visitor(service, { viewport: wide, javaScriptEnabled: script })
      await owner.signIn(email, testPassword)
      await owner.open(settings)
      if (script) {
        await owner.press('Disconnect…')
        await owner.press('Disconnect')
        await owner.reads('Disconnected.')
        assert.deepEqual(await faultsOf(owner, [settings]), [])
        await owner.page.setViewportSize(wide)
        await owner.open(settings)
      }
      await owner.press('Remove…')
      await owner.reads('Remove this account?')
      await owner.reads('$80.00 of 1 payment could still be refunded here.')
      await owner.reads('1 card kept on file: it is deleted at Stripe and')
      if (script) assert.deepEqual(await faultsNow(owner, 'remove-account'), [])
      assert.ok((await firstVisitBytes(owner.page)) < 60 * 1024)
      await owner.page.setViewportSize(phone)
      await owner.page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
      await owner.reads('The account is being removed.')
      await removeAccounts(service.context, signal)
      if (!script) return
      await owner.open(settings)
      await owner.reads('It waits for 1 card to be deleted.')
      assert.deepEqual(await faultsNow(owner, 'being-removed'), [])
      // The card is released by then, and deleted by its own job.
      await owner.page.setViewportSize(wide)
      await owner.press('Keep it after all')
      await owner.reads('Kept.')
    })

  it('is forgotten then, and its deposit is for the venue to hand back', async () => {
    await deleteCards(service.context, signal)
    service.setClock(service.context.clock().add({ seconds: 10 }).toString())
    await removeAccounts(service.context, signal)
    const owner = await browser.visitor(service, { viewport: wide })
    await owner.signIn(email, testPassword)
    await owner.open(settings)
    assert.equal(await owner.page.getByText('Former accounts').count(), 0)
    for (const { id, partySize } of paid) {
      await owner.open(`/office/bookings/${id}`)
      await owner.reads(partySize === 4 ? 'Paid through an account that was removed' : 'Card deleted')
      assert.deepEqual(await faultsNow(owner, `booking-${id}`), [])
    }
    await owner.open('/office/activity')
    assert.deepEqual(await faultsNow(owner, 'activity'), [])
  })
})
