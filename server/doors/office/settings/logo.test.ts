import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import PostalMime from 'postal-mime'
import { sendGuestMails } from '../../../messages/guest-mail/send-due-mails.ts'
import { type TestRelay, startTestRelay } from '../../../mail/test/relay.ts'
import { bookByPage, guestAt, setGuestPages } from '../../../test/guest.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../../test/office.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, aTuesdayAfternoon, startService } from '../../../test/service.ts'
import { pngOf, svgOf } from '../../../core/venue/logo/test/pictures.ts'

const settings = '/office/settings/guest-pages'

describe('the logo of a venue’s pages', () => {
  let service: TestService
  let relay: TestRelay
  let venue: TestVenue
  let manager: OfficeVisitor
  before(async () => {
    relay = await startTestRelay()
    service = await startService({ SMTP_URL: relay.url, PUBLIC_URL: 'https://data.example.com' })
  })
  beforeEach(async () => {
    service.setClock(aTuesdayAfternoon)
    await send()
    relay.received.length = 0
    venue = await service.venue()
    await setRules(service, venue, everyEvening())
    manager = visitOffice(service)
    await manager.signIn((await staffOf(service, venue, 'manager')).email)
  })
  after(async () => {
    await service.stop()
    await relay.stop()
  })

  const send = () => sendGuestMails({ ...service.context, db: service.context.workerDb })
  const upload = (bytes: Buffer | string, name = 'logo.png', visitor = manager) =>
    visitor.upload(`${settings}/logo`, { name, bytes })
  const pathIn = (text: string): string | undefined => /src="(\/v\/[^"]+\/logo\/[^"]+)"/.exec(text)?.[1]
  const shown = async (path = `/v/${venue.slug}/book`) => pathIn((await guestAt(service, path)).text)
  const wide = pngOf(240, 60)

  it('is next to the name on every page, sized so that nothing moves, and in the preview', async () => {
    assert.equal(await shown(), undefined)
    assert.equal((await upload(wide)).status, 303)
    const { html, words } = await manager.get(settings)
    assert.match(words, /Logo saved\. Your pages show it now\./)
    assert.match(html, /<img src="[^"]+\.png" width="216" height="54" alt="Your logo"/)
    const link = await bookByPage(service, venue, {
      slot: '2026-10-06 19:00',
      name: 'Maya',
      email: 'maya@example.com',
    })
    for (const path of [`/v/${venue.slug}/book`, `/v/${venue.slug}/news`, link]) {
      const { text, headers } = await guestAt(service, path)
      assert.match(text, /<img src="[^"]+\.png" width="132" height="33" alt=""\s*\/>The Blue Door<\/a/, path)
      assert.match(headers.get('content-security-policy') ?? '', /img-src 'self' data:;/)
    }
    assert.match(
      (await guestAt(service, `/v/${venue.slug}`)).text,
      /<img src="[^"]+" width="216" height="54" alt=""/,
    )
    const preview = await manager.get(`${settings}/preview`)
    assert.equal(pathIn(preview.html), await shown())
    const { text } = await guestAt(service, `/v/${venue.slug}`)
    assert.match(text, /property="og:image" content="https:\/\/data\.example\.com\/v\/[^"]+\.png"/)
    assert.match(text, /property="og:image:alt" content="The Blue Door"/)
  })

  it('is cached for good under an address that names its content, and can be nothing but a picture', async () => {
    await upload(
      svgOf('<script>alert(1)</script><rect width="9" height="9" onclick="alert(2)"/>'),
      'logo.png',
    )
    const path = (await shown()) ?? ''
    assert.match(path, /\.svg$/, 'by what it holds, not by what it is called')
    const { status, headers, text } = await guestAt(service, path)
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml'])
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; .*sandbox/)
    assert.equal(headers.get('set-cookie'), null)
    assert.doesNotMatch(text, /alert|script|onclick/)
    await upload(wide)
    const next = (await shown()) ?? ''
    assert.notEqual(next, path)
    assert.equal((await guestAt(service, path)).status, 404, 'the old picture is gone')
    assert.equal((await guestAt(service, next)).headers.get('content-type'), 'image/png')
  })

  it('goes with private links while all doors are off, and is nobody else’s', async () => {
    await upload(wide)
    const path = (await shown()) ?? ''
    await setGuestPages(service, venue, { doors: [] })
    assert.equal((await guestAt(service, path)).status, 200)
    const other = await service.venue()
    const tag = path.split('/').at(-1) ?? ''
    for (const none of [
      `/v/${other.slug}/logo/${tag}`,
      `/v/nobody/logo/${tag}`,
      path.replace('.png', '.svg'),
      `/v/${venue.slug}/logo/x`,
    ])
      assert.equal((await guestAt(service, none)).status, 404, none)
    assert.equal(await shown(`/v/${other.slug}`), undefined)
  })

  it('a file that is no logo is refused with a sentence, and the logo there is stays', async () => {
    await upload(wide)
    const path = await shown()
    const refused: readonly (readonly [Buffer | string, RegExp])[] = [
      [
        '<html><script>alert(1)</script></html>',
        /must be a PNG, JPEG or SVG file\. The logo was not changed\./,
      ],
      [Buffer.alloc(600 * 1024, 1), /at most 512 KB/],
      [pngOf(5_000, 20), /16 to 4096 pixels/],
      [wide.subarray(0, 60), /damaged/],
      [svgOf('<image href="https://evil.example/a.png"/>'), /no picture of shapes/],
      ['', /empty|Choose a file/],
    ]
    for (const [file, sentence] of refused) {
      const answer = await upload(file)
      assert.equal(answer.status, 303)
      assert.match((await manager.get(settings)).words, sentence)
      assert.equal(await shown(), path)
    }
  })

  it('is taken off again; hosts can do neither; the activity says who did', async () => {
    await upload(wide)
    const host = visitOffice(service)
    await host.signIn((await staffOf(service, venue, 'host')).email)
    assert.equal((await upload(wide, 'logo.png', host)).status, 403)
    assert.equal((await host.post(`${settings}/logo/remove`, {})).status, 403)
    const path = (await shown()) ?? ''
    assert.equal((await manager.post(`${settings}/logo/remove`, {})).status, 303)
    assert.equal(await shown(), undefined)
    assert.equal((await guestAt(service, path)).status, 404)
    assert.doesNotMatch((await manager.get(settings)).html, /alt="Your logo"/)
    const { words } = await manager.get('/office/activity')
    assert.match(words, /logo: png/)
    assert.deepEqual(await rowsOf(service, `select tag from venue_logo where venue_id = ${venue.id}`), [])
  })

  it('is in mail by its public address; an SVG is not, because mail programs do not show it', async () => {
    const mailed = async (slot: string) => {
      await bookByPage(service, venue, { slot, name: 'Maya', email: 'maya@example.com' })
      await send()
      const last = relay.received.findLast(({ to }) => to === 'maya@example.com')
      return (await PostalMime.parse(last?.bytes ?? '')).html ?? ''
    }
    await upload(wide)
    const html = await mailed('2026-10-06 19:00')
    assert.ok(
      html.includes(`<img src="https://data.example.com${await shown()}" width="132" height="33" alt=""`),
    )
    await upload(svgOf('<rect width="9" height="9"/>'))
    assert.doesNotMatch(await mailed('2026-10-06 20:00'), /<img/)
  })
})
