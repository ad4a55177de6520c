import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../platform/db/sql.ts'
import { addStaff } from '../../../core/staff/actions.ts'
import { testPassword, visitOffice } from '../../../test/office.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { venueOfSlug } from '../../../core/venue/actions.ts'
import { timed } from '../../../test/run/timed.ts'

describe('a reviewer answers', () => {
  let service: TestService
  before(async () => {
    service = await startService()
    const { context, db } = service
    for (const n of [1, 2]) {
      const email = `reviewer${n}@example.org`
      await addStaff(context, db, null, { email, role: 'reviewer', password: testPassword })
    }
  })
  after(() => service.stop())

  it('what another has answered meanwhile, or what says nothing, comes back with what was typed', async () => {
    const venue = await service.venue()
    await service.db.run(sql()`
      update venue set access = 'requested', access_description = 'A widget' where id = ${venue.id}`)
    const [first, second] = [visitOffice(service), visitOffice(service)]
    await first.signIn('reviewer1@example.org')
    await second.signIn('reviewer2@example.org')
    const path = `/operator/requests/${venue.slug}`
    const empty = await second.post(path, { review: 'decline', why: ' ' })
    assert.equal(empty.status, 400)
    assert.match(empty.words, /Give a reason; the owner will read it\./)

    await first.post(path, { review: 'approve', why: '' })
    const stale = await second.post(path, { review: 'decline', why: 'Not <yet>' })
    assert.equal(stale.status, 409)
    assert.match(stale.html, /role="alert"/)
    assert.match(stale.words, /"approved"|&quot;approved&quot;/)
    assert.match(stale.words, /You wrote: “Not &lt;yet&gt;”\./)
    assert.match(stale.html, /name="why"[^>]*value="Not &lt;yet&gt;"/, 'and in the form that is there now')
    assert.match(
      (await second.get('/operator/requests')).words,
      /With access or keys 1/,
      'the first answer is kept',
    )
  })

  it('access is withdrawn wherever there are live keys, also of a venue that never had it', async () => {
    const reviewer = visitOffice(service)
    await reviewer.signIn('reviewer1@example.org')
    const formOf = (html: string, slug: string): string | undefined =>
      new RegExp(`<form[^>]*action="/operator/requests/${slug}"[^>]*data-asks[^]*?</form>`).exec(html)?.[0]
    for (const [access, words] of [
      ['none', 'access never requested'],
      ['requested', 'access requested'],
      ['declined', 'access declined'],
    ] as const) {
      const venue = await service.venue()
      const idle = await service.venue()
      await service.db.run(sql()`
        update venue set access = ${access}, access_description = 'A widget', access_answer = 'No.'
         where id in (${venue.id}, ${idle.id})`)
      await service.db.run(sql()`delete from api_key where venue_id in (${venue.id}, ${idle.id})`)
      const { key } = await venue.makeKey('read', 'automation')
      const shown = await reviewer.get('/operator/requests')
      assert.match(formOf(shown.html, venue.slug) ?? '', /value="withdraw"/, access)
      assert.equal(formOf(shown.html, idle.slug), undefined, `${access}, without keys`)
      assert.ok(shown.words.includes(`1 key in use, ${words}`), access)

      assert.equal((await service.call('GET', '/api/v1/me', { key })).status, 200)
      const path = `/operator/requests/${venue.slug}`
      assert.equal((await reviewer.post(path, { review: 'withdraw', why: 'Odd calls.' })).status, 303)
      assert.equal((await service.call('GET', '/api/v1/me', { key })).status, 401)
      const after = await reviewer.get('/operator/requests')
      assert.equal(formOf(after.html, venue.slug), undefined, 'it has no more keys')
      await service.db.run(sql()`update venue set access = 'none' where id = ${idle.id}`)
    }
  })

  it('a request that was made again is not answered by a page that shows the old one', async () => {
    const venue = await service.venue()
    const ask = (description: string, at: string) =>
      service.db.run(sql()`
        update venue set access = 'requested', access_description = ${description}, access_changed_at = ${at}
         where id = ${venue.id}`)
    const reviewer = visitOffice(service)
    await reviewer.signIn('reviewer1@example.org')
    const path = `/operator/requests/${venue.slug}`
    const seenNow = async (): Promise<string> => {
      const { html } = await reviewer.get('/operator/requests')
      return (
        new RegExp(`action="${path}">\\s*<input type="hidden" name="seen" value="([^"]+)"`).exec(html)?.[1] ??
        ''
      )
    }
    await ask('A widget', '2026-10-06T10:00:00Z')
    const seen = await seenNow()
    assert.notEqual(seen, '')
    await ask('To sell the list', '2026-10-06T12:00:00Z')
    const stale = await reviewer.post(path, { review: 'approve', why: '', seen })
    assert.equal(stale.status, 409)
    assert.match(stale.words, /has submitted a new request; review it first\./)
    assert.match(stale.words, /To sell the list/)
    assert.equal(
      (await reviewer.post(path, { review: 'approve', why: '', seen: await seenNow() })).status,
      303,
    )
  })

  it('with 10,000 venues each list is paged and shows each venue once', async () => {
    await service.db.run(sql()`
      insert into venue (slug, name, timezone, plan, country, created_at, access, access_changed_at, access_description)
      select 'many-' || n, 'Many ' || n, 'America/New_York', 'pro', 'US', now(),
             (array['requested', 'approved', 'declined'])[n % 3 + 1], now(), 'A widget'
        from generate_series(1, 10000) n`)
    const reviewer = visitOffice(service)
    await reviewer.signIn('reviewer1@example.org')
    for (const path of ['/operator/requests', '/operator/venues', '/operator/venues?q=many%209999']) {
      assert.equal((await timed(path, 200, () => reviewer.get(path))).status, 200)
    }
    assert.match((await reviewer.get('/operator/venues?q=many%209999')).words, /Many 9999 many-9999/)
    for (const [first, list] of [
      ['/operator/venues?q=many-99', /<strong>Many [0-9]+<\/strong> <span class="soft">(many-99[0-9]*)</g],
      ['/operator/requests', /action="\/operator\/requests\/([\w-]+)"\s+data-asks/g],
    ] as const) {
      const seen: string[] = []
      let path: string | undefined = first
      for (let pages = 0; path !== undefined && pages < 3; pages++) {
        const { html } = await reviewer.get(path)
        seen.push(...[...html.matchAll(list)].map((found) => found[1] as string))
        path = /rel="next" href="([^"]+(?:given|after)=[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
      }
      assert.ok(seen.length > 100, `${first}: ${seen.length}`)
      assert.equal(new Set(seen).size, seen.length, first)
    }
    await service.db.run(sql()`delete from venue where slug like 'many-%'`)
  })

  it('a plan and a pause are not overwritten unseen', async () => {
    const venue = await service.venue()
    const [first, second] = [visitOffice(service), visitOffice(service)]
    await first.signIn('reviewer1@example.org')
    await second.signIn('reviewer2@example.org')
    const path = `/operator/venues/${venue.slug}`
    const seen = /name="seen" value="([^"]+)"/.exec((await first.get('/operator/venues')).html)?.[1] ?? ''
    assert.equal(seen, 'pro open')
    assert.equal((await first.post(path, { seen, plan: 'pro', paused: 'yes' })).status, 303)
    const stale = await second.post(path, { seen, plan: 'group' })
    assert.equal(stale.status, 409)
    assert.match(stale.words, /This venue was just changed by someone else; reload and try again\./)
    const { plan, paused } = await venueOfSlug(service.db, venue.slug)
    assert.deepEqual([plan, paused], ['pro', true])
  })
})
