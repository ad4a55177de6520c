import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type App, anApp, askPath, exchange } from '../../../doors/oauth/test/an-app.ts'
import { staffOf, testPassword } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { faultsByAxe, lowTargets, outOfColumn, sidewaysScroll } from '../check-page.ts'
import { phone, pictureOf, wide } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'

/* From an app to the office and back, in a browser that judges where forms may lead. */
describe('an owner connects an app', () => {
  let service: TestService
  let browser: TestBrowser
  let elsewhere: Server
  let app: App
  withBrowser(
    () => startService({ PRACTICE: 'on' }),
    (opened) => {
      ;[service, browser] = opened
    },
  )
  before(async () => {
    elsewhere = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><link rel="icon" href="data:,"><title>Maple</title><p>Back at the app')
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const { port } = elsewhere.address() as AddressInfo
    app = await anApp(service, { redirects: [`http://127.0.0.1:${port}/callback`] })
  })
  after(() => {
    elsewhere.close()
    elsewhere.closeAllConnections()
  })

  /** What is wrong with the page as it is, at three widths, light and dark. */
  const faults = async ({ page }: Visitor, name: string): Promise<string[]> => {
    const found: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const viewport of [wide, { width: 820, height: 1180 }, phone]) {
        await page.setViewportSize(viewport)
        found.push(
          ...(await faultsByAxe(page)),
          ...(await sidewaysScroll(page)),
          ...(await outOfColumn(page)),
        )
        await pictureOf(page, `/${name}-${viewport.width}-${colorScheme}`)
      }
    }
    return [...found, ...(await lowTargets(page))]
  }

  const asksOnlyTheApp = (visitor: Visitor): void => {
    const others = visitor.complaints().filter((one) => !one.includes(`asks ${app.redirect}?`))
    assert.deepEqual(others, [], 'nothing is loaded from elsewhere')
  }

  for (const script of [true, false]) {
    it(`signs in, sees what it asks for, allows it, and is back at the app${script ? '' : ', without script'}`, async () => {
      const venue = await service.venue({ name: script ? 'Harbour Light' : 'Old Mill' })
      await service.call('POST', '/api/v1/guests', {
        key: venue.key,
        body: { name: 'Maya Okafor', email: 'maya@example.com' },
      })
      const { email } = await staffOf(service, venue, 'owner')
      const owner = await browser.visitor(service, { javaScriptEnabled: script })
      await owner.open(askPath(app))
      await owner.fill('Email', email)
      await owner.fill('Password', testPassword)
      await owner.press('Sign in')
      await owner.isIn()
      await owner.reads(`Connect Maple CRM to ${venue.name}?`)
      if (script) assert.deepEqual(await faults(owner, 'consent'), [])
      await owner.page.getByRole('button', { name: 'Show an example: Read guests' }).click()
      await owner.reads('Maya Okafor')
      if (script) assert.deepEqual(await faults(owner, 'consent-example'), [])
      await owner.page.getByLabel('Manage webhook endpoints').uncheck()
      await owner.press('Allow')
      await owner.reads('Back at the app')
      const code = new URL(owner.page.url()).searchParams.get('code') ?? ''
      const { body } = await exchange(service, app, code)
      assert.equal(body.scope, 'reservations:read guests:read')

      await owner.open('/office/integrations')
      await owner.reads('Connected apps')
      if (script) assert.deepEqual(await faults(owner, 'connected'), [])
      await owner.page.locator('li', { hasText: 'Maple CRM' }).getByRole('button', { name: 'Remove' }).click()
      await owner.reads('Maple CRM was removed')
      assert.equal((await service.call('GET', '/api/v1/me', { key: body.access_token })).status, 401)
      asksOnlyTheApp(owner)
    })
  }

  it('as a manager, cannot, and changes to the account that can', async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'manager')
    const manager = await browser.visitor(service)
    await manager.signIn(email)
    await manager.open(askPath(app))
    await manager.reads('Only an owner can connect Maple CRM')
    assert.deepEqual(await faults(manager, 'not-an-owner'), [])
    await manager.press('Use another account or venue')
    const owner = await staffOf(service, venue, 'owner')
    await manager.fill('Email', owner.email)
    await manager.fill('Password', testPassword)
    await manager.press('Sign in')
    await manager.isIn()
    await manager.reads(`Connect Maple CRM to ${venue.name}?`)
    await manager.press('Cancel')
    await manager.reads('Back at the app')
    asksOnlyTheApp(manager)
  })
})
