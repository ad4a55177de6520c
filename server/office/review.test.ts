import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../db/sql.ts'
import { addStaff } from '../staff/actions.ts'
import { testPassword, visitOffice } from '../test/office.ts'
import { type TestService, startService } from '../test/service.ts'
import { venueOfSlug } from '../venue/actions.ts'

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
    assert.match(empty.words, /Say why; the owner reads it\./)

    await first.post(path, { review: 'approve', why: '' })
    const stale = await second.post(path, { review: 'decline', why: 'Not <yet>' })
    assert.equal(stale.status, 409)
    assert.match(stale.html, /role="alert"/)
    assert.match(stale.words, /"approved"|&quot;approved&quot;/)
    assert.match(stale.words, /You wrote: “Not &lt;yet&gt;”\./)
    assert.match(stale.html, /name="why"[^>]*value="Not &lt;yet&gt;"/, 'and in the form that is there now')
    assert.match((await second.get('/operator/requests')).words, /With access 1/, 'the first answer stands')
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
    assert.match(stale.words, /This venue was changed meanwhile by somebody else; look again\./)
    const { plan, paused } = await venueOfSlug(service.db, venue.slug)
    assert.deepEqual([plan, paused], ['pro', true])
  })
})
