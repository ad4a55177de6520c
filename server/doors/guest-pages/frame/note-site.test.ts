import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { guestAt, setGuestPages } from '../../../test/guest.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { forgetFrameSites, frameSiteLimits, frameSitesOf } from '../../../core/venue/frame-sites.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'

const wordsOn = (page: string): string => page.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

describe('which sites show a venue’s pages in a frame', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const ours = 'https://www.example.com'
  const atVenue = async () => {
    const venue = await service.venue()
    await setRules(service, venue, everyEvening())
    await setGuestPages(service, venue, { frameSites: [ours] })
    const { email } = await staffOf(service, venue, 'manager')
    const manager = visitOffice(service)
    await manager.signIn(email)
    /** As a browser asks for a frame on a page of that site. */
    const ask = (site: string, headers: Record<string, string> = {}, path = '/book') =>
      guestAt(service, `/v/${venue.slug}${path}`, {
        headers: { referer: `${site}/`, 'sec-fetch-dest': 'iframe', ...headers },
      })
    const heard = async () =>
      (await frameSitesOf(service.db, venue.id)).map(({ site, listed }) => [site, listed] as const)
    const shown = async () => wordsOn((await manager.get('/office/settings/guest-pages')).html)
    return { venue, manager, ask, heard, shown }
  }
  const later = (more: Temporal.DurationLike) =>
    service.setClock(service.context.clock().add(more).toString())

  it('the settings say when each listed site last showed a page, and offer to add one that was refused', async () => {
    const { venue, manager, ask, shown } = await atVenue()
    assert.match(await shown(), /www\.example\.com No frame asked for a page in the last 90 days\./)
    await ask(ours)
    await ask('https://shop.example.org')
    const text = await shown()
    assert.match(text, /www\.example\.com Last showed a page on October 6, 2026, /)
    assert.match(
      text,
      /shop\.example\.org Not on the list\. It asked for a page on October 6, 2026, [^.]+, and got none\./,
    )
    const { to } = await manager.post('/office/settings/guest-pages/sites', {
      site: 'https://shop.example.org',
    })
    assert.equal(to, '/office/settings/guest-pages')
    assert.deepEqual((await guestSettingsOf(service.db, venue.id)).settings.frameSites, [
      ours,
      'https://shop.example.org',
    ])
    assert.match(
      await shown(),
      /shop\.example\.org Asked for a page on [^.]+, before it was on the list\. Not heard from since\./,
    )
    later({ minutes: 10 })
    const answer = await ask('https://shop.example.org')
    assert.match(
      answer.headers.get('content-security-policy') ?? '',
      /frame-ancestors [^;]*https:\/\/shop\.example\.org/,
    )
    assert.match(await shown(), /shop\.example\.org Last showed a page on /)
    await setGuestPages(service, venue, { frameSites: [] })
    assert.match(
      await shown(),
      /www\.example\.com Last showed a page on [^.]+\. It is no longer on the list\./,
    )
  })

  it('a site that cannot be listed is refused, and one that is listed already stays once', async () => {
    const { venue, manager } = await atVenue()
    const wrong = await manager.post('/office/settings/guest-pages/sites', { site: `https://'none'` })
    assert.equal(wrong.status, 400)
    await manager.post('/office/settings/guest-pages/sites', { site: ours })
    assert.deepEqual((await guestSettingsOf(service.db, venue.id)).settings.frameSites, [ours])
  })

  it('only frames on other sites are noted, by their origin and nothing more', async () => {
    const { ask, heard } = await atVenue()
    await ask(`${ours}/menu?guest=maya@example.com`)
    await ask('https://a.example', { 'sec-fetch-dest': 'document' })
    await ask(service.url)
    await ask('about:blank')
    await ask('not an address')
    await ask(`https://${'a'.repeat(190)}.example`)
    assert.deepEqual(await heard(), [[ours, true]])
  })

  it('a browser that does not say what it asks for is believed where the address says it is framed', async () => {
    const { venue, heard } = await atVenue()
    const old = (path: string) =>
      guestAt(service, `/v/${venue.slug}${path}`, { headers: { referer: 'https://old.example/' } })
    await old('/book')
    assert.deepEqual(await heard(), [])
    await old('/book?framed=')
    assert.deepEqual(await heard(), [['https://old.example', false]])
  })

  it('sites that somebody makes up push out only each other, and slowly', async () => {
    const { ask, heard } = await atVenue()
    await ask(ours)
    await Promise.all(Array.from({ length: 10 }, (_, n) => ask(`https://at-once-${n}.example`)))
    assert.equal((await heard()).length, 2, 'one a second')
    for (let n = 0; n < frameSiteLimits.unlisted + 5; n++) {
      later({ seconds: 1 })
      await ask(`https://made-up-${n}.example`)
    }
    const sites = await heard()
    assert.equal(sites.length, frameSiteLimits.unlisted + 1)
    assert.ok(sites.some(([site, listed]) => site === ours && listed))
    assert.equal(sites[0]?.[0], `https://made-up-${frameSiteLimits.unlisted + 4}.example`)
  })

  it('a quiet site is forgotten; another venue learns of none', async () => {
    const { ask, heard } = await atVenue()
    const other = await atVenue()
    await ask(ours)
    assert.deepEqual(await other.heard(), [])
    later({ hours: 24 * frameSiteLimits.days })
    await other.ask(ours)
    await forgetFrameSites(service.context)
    assert.deepEqual(await heard(), [])
    assert.deepEqual(await other.heard(), [[ours, true]])
  })
})
