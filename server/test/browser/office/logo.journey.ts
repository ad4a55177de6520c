import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pngOf, svgOf } from '../../../core/venue/logo/test/pictures.ts'
import { staffOf } from '../../office.ts'
import { everyEvening, setRules } from '../../open-rules.ts'
import { type TestService, type TestVenue, startService } from '../../service.ts'
import { type TestBrowser, type Visitor, openBrowser } from '../browser.ts'
import { faultsOf, pictureOf, phone } from '../look-at-pages.ts'

const settings = '/office/settings/guest-pages'

/** A door, with all that a picture must not do. */
const door = svgOf(
  '<script>parent.document.title = "hacked"; document.documentElement.setAttribute("data-hacked", "1")</script>' +
    '<rect width="40" height="40" rx="6" fill="#1c5878" onclick="alert(1)"/>' +
    '<foreignObject width="40" height="40"><img xmlns="http://www.w3.org/1999/xhtml" src="http://127.0.0.1:9/x.png"/></foreignObject>' +
    '<style>.door{fill:#f6f4f0}</style><path class="door" d="M12 8h16v26H12z"/><circle cx="24" cy="22" r="2" fill="#1c5878"/>',
  'viewBox="0 0 40 40"',
)

/** How far things moved since the page was opened. */
const shifts = `new Promise((resolve) => {
  let sum = 0
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (sum += value)))
    .observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
})`

/** How wide a picture is once it is loaded, which a page does not wait for. */
const drawnWidth = async (picture: Picture): Promise<number> => {
  await picture.decode()
  return picture.naturalWidth
}
type Picture = { readonly decode: () => Promise<void>; readonly naturalWidth: number }

describe('the logo, in a browser', () => {
  let service: TestService
  let venue: TestVenue
  let browser: TestBrowser
  before(async () => {
    ;[service, browser] = await Promise.all([startService(), openBrowser()])
    venue = await service.venue({ slug: 'the-blue-door', phone: '+1 212 555 0100' })
    await setRules(service, venue, everyEvening())
    await staffOf(service, venue, 'manager', 'manager@bluedoor.example.com')
  })
  after(async () => {
    try {
      await browser.stop()
    } finally {
      await service.stop()
    }
  })

  const signIn = async (options = {}): Promise<Visitor> => {
    const manager = await browser.visitor(service, options)
    await manager.signIn('manager@bluedoor.example.com')
    return manager
  }
  const upload = async (manager: Visitor, bytes: Buffer | string, name: string, button: string | RegExp) => {
    await manager.open(settings)
    const buffer = Buffer.from(bytes)
    await manager.page
      .getByLabel('Logo', { exact: false })
      .first()
      .setInputFiles({ name, mimeType: 'image/png', buffer })
    await manager.press(button)
  }
  const logoAt = async (guest: Visitor, path: string) => {
    await guest.open(path)
    return guest.page.locator('.top img, .hero img').first()
  }

  it('is uploaded, shown in the preview and to guests, and taken off, on a phone and without script', async () => {
    for (const options of [{}, { viewport: phone, javaScriptEnabled: false }]) {
      const manager = await signIn(options)
      await upload(manager, door, 'door.svg', 'Upload the logo')
      await manager.reads('Logo saved. Your pages show it now.')
      const inPreview = manager.page.frameLocator('iframe[name=preview]').locator('.hero img')
      assert.equal(await inPreview.evaluate(drawnWidth), 40)
      await pictureOf(manager.page, `${settings}-${options.viewport ? '390' : '1280'}`)
      await upload(manager, '<html>', 'page.png', 'Replace the logo')
      await manager.reads('The logo must be a PNG, JPEG or SVG file. The logo was not changed.')
      const guest = await browser.visitor(service)
      const logo = await logoAt(guest, `/v/${venue.slug}/book`)
      assert.deepEqual(await logo.boundingBox().then((box) => [box?.width, box?.height]), [44, 44])
      assert.equal(await logo.evaluate(drawnWidth), 40, 'it is drawn')
      await manager.press('Remove the logo')
      await manager.reads('Logo removed.')
      await guest.open(`/v/${venue.slug}`)
      assert.equal(await guest.page.locator('.hero img').count(), 0)
    }
  })

  it('opened by itself an SVG runs nothing, and nothing of it asks anybody else', async () => {
    const manager = await signIn()
    await upload(manager, door, 'door.svg', /the logo$/)
    const guest = await browser.visitor(service)
    const path = await (await logoAt(guest, `/v/${venue.slug}`)).getAttribute('src')
    await guest.open(path ?? '')
    const root = guest.page.locator('svg')
    assert.equal(await root.getAttribute('data-hacked'), null)
    assert.equal(await root.locator('script, foreignObject, [onclick]').count(), 0)
    assert.deepEqual(guest.complaints(), [])
  })

  it('pages with it are accessible, do not move while it loads, and fit a phone', async () => {
    const manager = await signIn()
    const paths = [`/v/${venue.slug}`, `/v/${venue.slug}/book?size=4`, `/v/${venue.slug}/news?lang=de`]
    for (const [bytes, name] of [
      [door, 'door.svg'],
      [pngOf(900, 90), 'wide.png'],
      [pngOf(90, 900), 'high.png'],
    ] as const) {
      await upload(manager, bytes, name, /the logo$/)
      await manager.reads('Logo saved.')
      const guest = await browser.visitor(service, { viewport: phone })
      assert.deepEqual(await faultsOf(guest, paths), [], name)
      // At one size, from the start.
      const fresh = await browser.visitor(service, { viewport: phone })
      await fresh.open(paths[0] ?? '')
      const moved = await fresh.page.evaluate(shifts)
      assert.equal(moved, 0, name)
    }
    assert.deepEqual(await faultsOf(manager, [settings]), [])
  })
})
