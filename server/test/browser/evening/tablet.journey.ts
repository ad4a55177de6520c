import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { type TestBook, openBook } from '../../../book/reservations/test/book.ts'
import { bookByPage, setGuestPages } from '../../guest.ts'
import { staffOf } from '../../office.ts'
import { type TestService, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { faultsOf, phone } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'

/** Tuesday 6 October 2026, 19:40 in New York. */
const evening = '2026-10-06T23:40:00Z'

describe('the tablet at the door', () => {
  let service: TestService
  let browser: TestBrowser
  withBrowser(startService, (opened) => {
    ;[service, browser] = opened
    service.setClock(evening)
  })

  const host = async (book: TestBook, options = {}): Promise<Visitor> => {
    const visitor = await browser.visitor(service, options)
    // What the browser is asked for, as the browser hears it.
    await visitor.page.addInitScript(`
      window.asked = { locks: 0, tones: 0 }
      const lock = navigator.wakeLock.request.bind(navigator.wakeLock)
      navigator.wakeLock.request = (type) => { asked.locks += 1; return lock(type) }
      const start = OscillatorNode.prototype.start
      OscillatorNode.prototype.start = function (when) { asked.tones += 1; return start.call(this, when) }
    `)
    await visitor.signIn((await staffOf(service, book.venue, 'host')).email)
    return visitor
  }
  const asked = ({ page }: Visitor) => page.evaluate<{ locks: number; tones: number }>('window.asked')
  /** A table that a guest books on the booking page. */
  const byGuest = async ({ venue, query }: TestBook, name: string): Promise<number> => {
    await setGuestPages(service, venue, { doors: ['book'] })
    const typed = { name, email: `${name.replaceAll(/\W/g, '')}@example.com` }
    await bookByPage(service, venue, { slot: '2026-10-06 20:30', size: '4', ...typed })
    const [row] = await query(`select max(id)::int as id from reservation where venue_id = $1`, [venue.id])
    return row?.id as number
  }

  it('has the office on its home screen, with the venue’s name, and the browser finds nothing wrong with it', async () => {
    const book = await openBook(service)
    const visitor = await host(book)
    await visitor.open('/office/service')
    const devtools = await visitor.page.context().newCDPSession(visitor.page)
    const { data, errors } = await devtools.send('Page.getAppManifest')
    assert.deepEqual(errors, [])
    const manifest = JSON.parse(data ?? '')
    assert.equal(manifest.name, book.venue.name)
    assert.deepEqual([manifest.display, manifest.start_url], ['fullscreen', '/office'])
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    // A tab that keeps nothing, as every one here, cannot install anything.
    assert.deepEqual(
      installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'),
      [],
    )
  })

  it('keeps its screen on and says what guests just did where it was asked to, and stores no guest', async () => {
    const book = await openBook(service)
    const visitor = await host(book)
    await visitor.open('/office/service')
    assert.deepEqual(await asked(visitor), { locks: 0, tones: 0 })
    await byGuest(book, 'Olga Brandt')
    await visitor.reads('Olga Brandt')
    assert.equal(await visitor.page.locator('#heard').textContent(), '', 'off at first')

    await visitor.open('/office/account')
    await visitor.page.getByLabel(/^Keep the screen on/).check()
    await visitor.page.getByLabel(/^Show a line and play a sound/).check()
    await visitor.open('/office/service')
    assert.deepEqual(await asked(visitor), { locks: 1, tones: 0 }, 'what was there before is no news')
    await visitor.page.getByRole('heading', { name: 'Arriving' }).click()
    const made = await byGuest(book, 'Imre Nagy')
    await visitor.page
      .locator('#heard', { hasText: /^New request: Imre Nagy, 4 guests at 8:30\sPM$/ })
      .waitFor()
    assert.deepEqual(await asked(visitor), { locks: 1, tones: 2 })
    await book.act((work) => moveReservation(work, { kind: 'guest' }, { id: made, move: 'cancel' }))
    await visitor.page.locator('#heard', { hasText: 'Cancelled by the guest: Imre Nagy' }).waitFor()
    assert.deepEqual(await visitor.page.evaluate('({ ...localStorage })'), { awake: 'on', news: 'on' })

    await visitor.open('/office/guests')
    assert.deepEqual(await asked(visitor), { locks: 0, tones: 0 }, 'elsewhere nothing')
  })

  it('what it says is to be read on a phone, too, and the choice is accessible', async () => {
    const book = await openBook(service)
    const visitor = await host(book)
    await visitor.open('/office/account')
    await visitor.page.getByLabel(/^Show a line and play a sound/).check()
    await visitor.page.setViewportSize(phone)
    await visitor.open('/office/service')
    await byGuest(book, 'Maximiliana von Hohenfels-Wittgenstein')
    const line = visitor.page.locator('#heard')
    await line.filter({ visible: true, hasText: 'Maximiliana' }).waitFor()
    const box = await line.boundingBox()
    assert.ok(box && box.x >= 0 && box.x + box.width <= phone.width, JSON.stringify(box))
    assert.deepEqual(await faultsOf(visitor, ['/office/account']), [])
  })
})
