import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../eventually.ts'
import { type TestService, startService } from '../service.ts'
import { type TestBrowser, openBrowser } from './browser.ts'

describe('an integrator reads the reference', () => {
  let service: TestService
  let browser: TestBrowser
  before(async () => {
    ;[service, browser] = await Promise.all([startService(), openBrowser()])
  })
  after(async () => {
    try {
      await browser.stop()
    } finally {
      await service.stop()
    }
  })

  it('and the contents mark the part they are at, also at the heading of a group and in a low window', async () => {
    for (const height of [1000, 480]) {
      const { page, open } = await browser.visitor(service, { viewport: { width: 1280, height } })
      await open('/docs')
      const marked = page.locator('.side [aria-current]')
      const isMarked = async (href: string) =>
        eventually(async () => (await marked.getAttribute('href')) === `#${href}`)
      await isMarked('introduction')
      for (const [target, part] of [
        ['errors', 'errors'],
        ['group-reservations', 'list-reservations'],
        ['create-reservation', 'create-reservation'],
        ['event-samples', 'event-reservation.created'],
        ['group-webhook-endpoints', 'list-webhooks'],
        ['reasons', 'reasons'],
        ['reason-closed', 'reasons'],
        ['top', 'introduction'],
      ] as const) {
        await open(`/docs#${target}`)
        await isMarked(part)
        assert.equal(await marked.count(), 1)
      }
    }
  })
})
