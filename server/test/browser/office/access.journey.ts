import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addStaff } from '../../../core/staff/actions.ts'
import { eventually } from '../../eventually.ts'
import { staffOf, testPassword } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser } from '../browser.ts'
import { withBrowser } from '../with-browser.ts'

const reviewerEmail = 'reviewer@example.org'

describe('an owner connects software', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, async (opened) => {
    ;[service, browser] = opened
    const { context, db } = service
    await addStaff(context, db, null, { email: reviewerEmail, role: 'reviewer', password: testPassword })
  })

  for (const script of [true, false]) {
    it(`asks, is approved, makes a key that works, and loses it when access is withdrawn${script ? '' : ', without script'}`, async () => {
      const venue = await service.venue({ name: script ? 'Harbour Light' : 'Old Mill' })
      await service.db.session((client) =>
        client.query(`update venue set access = 'none' where id = ${venue.id}`),
      )
      const { email } = await staffOf(service, venue, 'owner')
      const owner = await browser.visitor(service, { javaScriptEnabled: script })
      const reviewer = await browser.visitor(service, { javaScriptEnabled: script })
      await owner.signIn(email)
      await owner.page.getByRole('link', { name: 'Integrations' }).click()
      await owner.reads('Not requested')
      await owner.page.getByLabel('What you will build').fill('Bookings from <b>our</b> own website.')
      await owner.press('Request access')
      await owner.reads('Pending review')

      await reviewer.signIn(reviewerEmail)
      await reviewer.reads('“Bookings from <b>our</b> own website.”')
      await reviewer.press('Approve')
      await reviewer.reads(`${venue.name}: approved.`)

      await owner.page.reload()
      await owner.reads('Approved')
      await owner.page.getByText('Create a key').first().click()
      await owner.fill('Name', 'Booking widget')
      await owner.fill('Your password or a code', testPassword)
      await owner.press('Create key')
      const shown = owner.page.getByText(/^\s*service_sk_[0-9A-Za-z]{40}\s*$/)
      const key = (await shown.innerText()).trim()
      const me = await service.call('GET', '/api/v1/me', { key })
      assert.equal(me.status, 200)
      assert.equal(me.body.venue.slug, venue.slug)
      await owner.open('/office/integrations')
      await owner.reads('Booking widget')
      assert.equal(await shown.count(), 0, 'a key is shown once')

      await reviewer.open('/operator/requests')
      await reviewer.page
        .locator('li', { hasText: venue.name })
        .getByLabel('Reason')
        .fill('The site was sold.')
      await reviewer.page
        .locator('li', { hasText: venue.name })
        .getByRole('button', { name: 'Withdraw' })
        .click()
      await reviewer.reads(`${venue.name}: access withdrawn, every key revoked.`)
      assert.equal((await service.call('GET', '/api/v1/me', { key })).status, 401, 'the key is dead')
      await owner.page.reload()
      await owner.reads('The site was sold.')
      await owner.reads('Request access')
    })
  }

  it('gives its buttons back when a question is answered no', async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'owner')
    const owner = await browser.visitor(service)
    await owner.signIn(email)
    await owner.open('/office/integrations')
    const revoke = owner.page.getByRole('button', { name: 'Revoke' }).first()
    owner.answers('no')
    await revoke.click()
    await eventually(() => revoke.isEnabled())
    assert.equal((await service.call('GET', '/api/v1/me', { key: venue.key })).status, 200)
    owner.answers('yes')
    await revoke.click()
    await owner.reads('1 revoked')
    assert.equal((await service.call('GET', '/api/v1/me', { key: venue.key })).status, 401)
  })
})
