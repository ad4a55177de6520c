import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../../eventually.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser } from '../browser.ts'
import { withBrowser } from '../with-browser.ts'

const desk = { width: 1280, height: 1000 }
const phone = { width: 390, height: 844 }

describe('an integrator reads the documentation', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
  })

  it('and the contents mark the page and the part they are at, also in a low window', async () => {
    const { page, open } = await browser.visitor(service, { viewport: { ...desk, height: 480 } })
    const marked = page.locator('.side li li [aria-current]')
    for (const [address, part] of [
      ['/docs/reference/reservations', 'list-reservations'],
      ['/docs/reference/reservations#create-reservation', 'create-reservation'],
      ['/docs/errors#reason-closed', 'reasons'],
      ['/docs/guides/webhooks#verifying', 'verifying'],
    ] as const) {
      await open(address)
      const [path = ''] = address.split('#')
      await eventually(async () => (await marked.getAttribute('href')) === `${path}#${part}`)
      assert.equal(await page.locator('.side [aria-current=page]').getAttribute('href'), path)
    }
  })

  it('is led on from an anchor of the one page that it was, and without script by a link', async () => {
    const { page, open } = await browser.visitor(service, { viewport: desk })
    for (const [old, place] of [
      ['/docs#create-reservation', '/docs/reference/reservations#create-reservation'],
      ['/docs#reason-closed', '/docs/errors#reason-closed'],
      ['/docs/errors#record-guest', '/docs/reference/records#record-guest'],
      ['/docs#keeping-a-copy', '/docs/guides/keep-a-copy'],
    ] as const) {
      await open(old)
      await page.waitForURL(`**${place}`)
    }
    await open('/docs/errors#reason-closed')
    assert.ok(page.url().endsWith('/docs/errors#reason-closed'))

    const plain = await browser.visitor(service, { viewport: desk, javaScriptEnabled: false })
    await plain.open('/docs#create-reservation')
    await plain.page.locator(':target').click()
    await plain.page.waitForURL('**/docs/reference/reservations#create-reservation')
    await plain.page.getByRole('link', { name: 'Find by name' }).click()
    await plain.page.waitForURL('**/docs#by-name')
  })

  it('searches by the keyboard alone, and nothing on the page moves', async () => {
    const { page, open } = await browser.visitor(service, { viewport: phone })
    await open('/docs/guides/go-live')
    const place = () => page.locator('h1').boundingBox()
    const before = await place()
    await page.keyboard.press('/')
    await page.keyboard.type('cancel a reservation')
    const results = page.locator('.found a')
    await results.first().waitFor()
    assert.deepEqual(await place(), before)
    await page.keyboard.press('Escape')
    await results.first().waitFor({ state: 'hidden' })
    await page.keyboard.type('s')
    await results.first().waitFor()
    await page.keyboard.press('Backspace')
    await eventually(
      async () => (await results.first().getAttribute('href'))?.endsWith('#cancel-reservation') ?? false,
    )
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/reference/reservations#cancel-reservation')
  })

  it('chooses a language once for all requests, also on the next page, and each by itself without script', async () => {
    const { page, open } = await browser.visitor(service, { viewport: desk })
    await open('/docs/reference/reservations')
    const shown = (page: Page, language: string) =>
      page.locator(`pre[data-language=${language}]`).filter({ visible: true }).count()
    const all = await page.locator('.tabs').count()
    assert.deepEqual([await shown(page, 'curl'), await shown(page, 'typescript')], [all, 0])
    await page.getByRole('radio', { name: 'curl' }).first().focus()
    await page.keyboard.press('ArrowRight')
    assert.deepEqual([await shown(page, 'curl'), await shown(page, 'typescript')], [0, all])
    await page.keyboard.press('ArrowRight')
    assert.deepEqual([await shown(page, 'typescript'), await shown(page, 'python')], [0, all])
    await open('/docs/reference/account')
    assert.equal(await shown(page, 'curl'), 0)

    const plain = await browser.visitor(service, { viewport: desk, javaScriptEnabled: false })
    await plain.open('/docs/reference/reservations')
    await plain.page.locator('.tabs').getByText('TypeScript').first().click()
    assert.deepEqual([await shown(plain.page, 'curl'), await shown(plain.page, 'typescript')], [all - 1, 1])
  })

  it('copies the commands of an example without their answers', async () => {
    const { page, open } = await browser.visitor(service, {
      viewport: desk,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await open('/docs')
    await page.getByRole('button', { name: 'Copy' }).nth(1).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    assert.equal(copied, 'curl -s "$API/reservations?limit=2" -H "X-Service-Key: $KEY"')
  })

  it('gets the changelog as XML that a strict reader reads', async () => {
    const { page, open } = await browser.visitor(service)
    await open('/docs/changelog')
    const read = `fetch('/docs/changelog.atom').then((answer) => answer.text())
      .then((text) => new DOMParser().parseFromString(text, 'application/xml').documentElement.outerHTML)`
    const feed = await page.evaluate<string>(read)
    assert.match(feed, /^<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/)
    assert.doesNotMatch(feed, /parsererror/)
  })
})
