import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { jpegOf, pngOf, svgOf } from '../../../core/venue/logo/test/pictures.ts'
import { guestAt } from '../../../test/guest.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { rowsOf } from '../../../test/rows.ts'
import { sellingOnline } from '../../../test/selling-online.ts'

describe('the picture of an event', () => {
  const scene = sellingOnline()
  const home = () => `/office/tickets/events/${scene.event}`
  const upload = (bytes: Buffer | string, visitor = scene.office, name = 'dinner.png') =>
    visitor.upload(`${home()}/picture`, { name, bytes })
  const page = async () =>
    (await guestAt(scene.service, `/v/${scene.venue.slug}/tickets/${scene.event}`)).text
  const shown = async () => /<img class="event-picture"\s+src="([^"]+)"/.exec(await page())?.[1]

  it('is on its page with its size and name, in what search engines read and in what is shared', async () => {
    assert.equal(await shown(), undefined)
    assert.equal((await upload(pngOf(1_200, 630))).status, 303)
    const text = await page()
    const path = (await shown()) ?? ''
    assert.match(
      text,
      /<img class="event-picture"\s+src="[^"]+\.png"\s+width="1200"\s+height="630"\s+alt="Wine dinner"/,
    )
    const whole = `${scene.service.context.config.publicUrl}${path}`
    assert.ok(text.includes(`property="og:image" content="${whole}"`))
    assert.ok(text.includes('property="og:image:alt" content="Wine dinner"'))
    assert.ok(text.includes('content="summary_large_image"'))
    const [, facts = ''] = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(text) ?? []
    const events = JSON.parse(facts) as { '@graph': { image?: string }[] }
    assert.deepEqual(
      events['@graph'].map(({ image }) => image),
      [whole],
    )
    const { status, headers } = await guestAt(scene.service, path)
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/png'])
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; .*sandbox/)
    assert.match((await scene.office.get(home())).html, /alt="The picture of the event’s page"/)
  })

  it('is replaced under another address, taken off, and is nobody else’s', async () => {
    await upload(pngOf(640, 320))
    const first = (await shown()) ?? ''
    await upload(jpegOf(640, 320), scene.office, 'dinner.jpg')
    const next = (await shown()) ?? ''
    assert.match(next, /\.jpg$/)
    assert.equal((await guestAt(scene.service, first)).status, 404)
    const other = await scene.service.venue()
    assert.equal((await guestAt(scene.service, next.replace(scene.venue.slug, other.slug))).status, 404)
    assert.equal((await scene.office.post(`${home()}/picture/remove`)).status, 303)
    assert.equal(await shown(), undefined)
    assert.equal((await guestAt(scene.service, next)).status, 404)
    assert.match((await scene.office.get('/office/activity')).words, /picture: jpg/)
  })

  it('is a PNG or JPEG of the size of a logo at most, by a manager; anything else is said and changes nothing', async () => {
    await upload(pngOf(640, 320))
    const path = await shown()
    for (const [file, sentence] of [
      [
        svgOf('<rect width="9" height="9"/>'),
        /The picture must be a PNG or JPEG file\. The picture was not changed\./,
      ],
      [Buffer.alloc(600 * 1024, 1), /The picture must have at most 512 KB/],
      [pngOf(5_000, 20), /Each side of the picture must have 16 to 4096 pixels/],
    ] as const) {
      assert.equal((await upload(file)).status, 303)
      assert.match((await scene.office.get(home())).words, sentence)
      assert.equal(await shown(), path)
    }
    const host = visitOffice(scene.service)
    await host.signIn((await staffOf(scene.service, scene.venue, 'host')).email)
    assert.equal((await upload(pngOf(640, 320), host)).status, 403)
    const foreign = await scene.office.upload('/office/tickets/events/999999/picture', {
      ...{ name: 'a.png', bytes: pngOf(640, 320) },
    })
    assert.equal(foreign.status, 404)
  })

  it('goes with its event', async () => {
    await upload(pngOf(640, 320))
    await rowsOf(scene.service, 'delete from occurrence where venue_id = $1', [scene.venue.id])
    assert.equal((await scene.office.post(`${home()}/delete`)).status, 303)
    assert.deepEqual(
      await rowsOf(scene.service, 'select tag from event_picture where venue_id = $1', [scene.venue.id]),
      [],
    )
  })
})
