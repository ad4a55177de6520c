import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { guestAt } from '../../test/guest.ts'
import { setRules } from '../../test/open-rules.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import { guestWindow } from '../../venue/guest-window.ts'

describe('what keeps programs from filling a venue’s forms', () => {
  let service: TestService
  let venue: TestVenue
  before(async () => {
    service = await startService({ TRUST_PROXY: '1' })
    venue = await service.venue()
    await setRules(service, venue)
  })
  after(() => service.stop())

  const send = (email: string, from: string, more: Record<string, string> = {}) =>
    guestAt(service, `/v/${venue.slug}/news`, {
      form: { email, ...more },
      headers: { 'x-forwarded-for': from },
    })

  it('one network sends so many in ten minutes, of IPv6 a household; others are not kept waiting', async () => {
    for (let n = 0; n < guestWindow.most; n++)
      assert.equal((await send(`guest${n}@example.com`, `2001:db8:1:2::${n}`)).status, 200)
    const refused = await send('more@example.com', '2001:db8:1:2:ffff::1')
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('retry-after'), '600')
    assert.equal((await send('other@example.com', '2001:db8:1:3::1')).status, 200)
    service.setClock('2026-10-06T19:10:00Z')
    assert.equal((await send('more@example.com', '2001:db8:1:2::1')).status, 200)
    const [row] = await rowsOf(service, `select string_agg(network, ' ') as all from guest_window`)
    assert.doesNotMatch(String(row?.['all']), /2001/, 'no address is stored')
  })

  it('a field nobody sees that was filled in brings the form back with what was typed', async () => {
    const answer = await send('maya@example.com', '203.0.113.7', { website: 'https://spam.example' })
    assert.equal(answer.status, 400)
    assert.match(answer.text, /value="maya@example.com"/)
    assert.deepEqual(
      await rowsOf(service, `select 1 as is from subscriber where email_key = 'maya@example.com'`),
      [],
    )
  })
})
