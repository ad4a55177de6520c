import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { staffOf, testPassword } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser } from '../browser.ts'
import { withBrowser } from '../with-browser.ts'

describe('somebody forgot their password', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
  })

  for (const script of [true, false]) {
    it(`gets a link from the owner, chooses another and is in${script ? '' : ', without script'}`, async () => {
      const venue = await service.venue()
      const owner = await browser.visitor(service, { javaScriptEnabled: script })
      const host = await browser.visitor(service, { javaScriptEnabled: script })
      const { email } = await staffOf(service, venue, 'host')
      await host.open('/office/sign-in')
      await host.page.getByText('Forgot your password?').click()
      await host.reads('An owner of your venue can create a password link')

      await owner.signIn((await staffOf(service, venue, 'owner')).email)
      await owner.open('/office/people')
      await owner.page.getByRole('link', { name: `Manage ${email}` }).click()
      const card = owner.page.locator('section', {
        has: owner.page.getByRole('heading', { name: 'Reset password' }),
      })
      await card.getByLabel('Your own password or a code').fill('not the password')
      await card.getByRole('button').click()
      await owner.reads('That password or code is not right.')
      await card.getByLabel('Your own password or a code').fill(testPassword)
      await card.getByRole('button').click()
      await owner.reads('it is shown only once')
      const link = new URL((await owner.page.locator('#link').textContent()) ?? '')

      await host.open(link.pathname)
      await host.page.getByLabel('New password').fill('another horse altogether')
      await host.press('Set password')
      await host.reads('Your password is set')
      await host.page.getByRole('link', { name: 'Sign in' }).click()
      await host.signIn(email, 'another horse altogether')
      assert.equal(new URL(host.page.url()).pathname, '/office/service')
      await host.open(link.pathname)
      await host.reads('This link was used')
    })
  }
})
