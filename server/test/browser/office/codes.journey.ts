import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codeAt } from '../../../core/staff/totp.ts'
import { staffOf, testPassword } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser } from '../browser.ts'
import { withBrowser } from '../with-browser.ts'

describe('signing in with a code', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
  })

  /** What the app shows, so many seconds from now. */
  const codeIn = (secret: string, seconds = 0): string =>
    codeAt(secret, Math.floor((service.context.clock().epochMilliseconds / 1000 + seconds) / 30))

  for (const script of [true, false]) {
    it(`is switched on with the app's first code and asked for from then on${script ? '' : ', without script'}`, async () => {
      const venue = await service.venue()
      const { email } = await staffOf(service, venue, 'owner')
      const owner = await browser.visitor(service, { javaScriptEnabled: script })
      const { page } = owner
      await owner.signIn(email)
      await owner.open('/office/account')
      await owner.fill('Your password', testPassword)
      await owner.press('Turn codes on')
      const secret = (await page.locator('p.code').innerText()).replaceAll(' ', '')
      assert.match(secret, /^[A-Z2-7]{32}$/, 'to be typed by hand')
      await owner.fill('Code', '000000' === codeIn(secret) ? '000001' : '000000')
      await owner.press('Turn on')
      await owner.reads('That code is not correct; wait for the next one.')
      const first = codeIn(secret)
      await owner.fill('Code', first)
      await owner.press('Turn on')
      await owner.reads(/^Codes are on. You will be asked for one when you sign in./)
      await owner.press('Sign out')
      await page.waitForURL(/sign-in/)

      await owner.fill('Email', email)
      await owner.fill('Password', testPassword)
      await owner.press('Sign in')
      const code = page.getByLabel('Code from your authenticator app')
      await code.waitFor()
      assert.equal(await page.locator('[name=email]').inputValue(), email)
      const tryWith = async (digits: string) => {
        await owner.fill('Password', testPassword)
        await code.fill(digits)
        await owner.press('Sign in')
      }
      await tryWith(first)
      // A code works once, that of the switch too.
      await owner.reads('That address, password or code is not right.')
      await tryWith(codeIn(secret, 30))
      await owner.isIn()
      assert.equal(new URL(page.url()).pathname, '/office/service')
    })
  }
})
