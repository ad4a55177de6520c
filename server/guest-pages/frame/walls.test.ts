import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '@venue-data/contract/limits.ts'
import { guestAt, hiddenOn } from '../../test/guest.ts'
import { staffOf, visitOffice } from '../../test/office.ts'
import { setRules } from '../../test/open-rules.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'

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
    for (let n = 0; n < limits.guestFormsOfNetwork; n++)
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

  const shown = async (from: string) => {
    const { text } = await guestAt(service, `/v/${venue.slug}/news`, { headers: { 'x-forwarded-for': from } })
    return hiddenOn(text, 'at')
  }
  const later = (duration: Temporal.DurationLike): void =>
    service.setClock(service.context.clock().add(duration).toString())
  const isKnown = async (email: string) =>
    (await rowsOf(service, `select 1 as is from subscriber where email_key = '${email}'`)).length === 1

  it('guest pages, check 8: a form sent too fast comes back with what was typed, and gets through a moment later', async () => {
    const at = await shown('203.0.113.20')
    const hasty = await send('hasty@example.com', '203.0.113.20', { at })
    assert.equal(hasty.status, 400)
    assert.match(
      hasty.text,
      /That did not work<\/h2>\s*<p>Please check the form and press the button once more/,
    )
    assert.doesNotMatch(hasty.text, /aria-invalid|href="#f-/, 'no field is wrong')
    assert.match(hasty.text, /value="hasty@example.com"/)
    assert.equal(hiddenOn(hasty.text, 'at'), at, 'the moment it was first shown')
    later({ seconds: 2 })
    assert.equal((await send('hasty@example.com', '203.0.113.20', { at })).status, 200)
    assert.ok(await isKnown('hasty@example.com'))
  })

  it('guest pages, check 8: a form kept for longer than a day is asked again, once', async () => {
    const at = await shown('203.0.113.21')
    later({ hours: 24, seconds: 1 })
    const late = await send('late@example.com', '203.0.113.21', { at })
    assert.equal(late.status, 400)
    assert.match(late.text, /value="late@example.com"/)
    const again = hiddenOn(late.text, 'at')
    assert.equal((await send('late@example.com', '203.0.113.21', { at: again })).status, 200)
  })

  it('guest pages, check 8: a moment that nobody here signed is none', async () => {
    const at = await shown('203.0.113.22')
    later({ minutes: 1 })
    for (const made of [
      '',
      'x',
      `${at}x`,
      at.replace(/^./, 'z'),
      at.replace(/.$/, at.endsWith('A') ? 'B' : 'A'),
    ])
      assert.equal((await send('forger@example.com', '203.0.113.22', { at: made })).status, 400, made)
    assert.equal(await isKnown('forger@example.com'), false)
    assert.equal((await send('forger@example.com', '203.0.113.22', { at })).status, 200)
  })

  it('guest pages, check 8: after the third write in ten minutes there is a plain question; what was typed stays', async () => {
    const from = '203.0.113.23'
    const at = await shown(from)
    later({ minutes: 1 })
    for (const name of ['one', 'two', 'three'])
      assert.equal((await send(`${name}@example.com`, from, { at })).status, 200)
    const asked = await send('four@example.com', from, { at })
    assert.equal(asked.status, 400)
    const [, one = '', other = ''] = /What is (\d) \+ (\d)\?/.exec(asked.text) ?? []
    assert.match(asked.text, /href="#f-sum"/)
    assert.match(asked.text, /value="four@example.com"/)
    for (const sum of ['', '1', 'four'])
      assert.equal((await send('four@example.com', from, { at, sum })).status, 400, sum)
    const mistaken = await send('four', from, { at, sum: '1' })
    assert.match(mistaken.text, /What is/, 'the question stays beside another mistake')
    assert.equal(await isKnown('four@example.com'), false)
    const answer = String(Number(one) + Number(other))
    const wide = answer.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
    assert.equal((await send('four@example.com', from, { at, sum: wide })).status, 200)
    assert.equal((await send('five@example.com', '203.0.113.24', { at })).status, 200, 'others are not asked')
    later({ minutes: 10 })
    assert.equal((await send('six@example.com', from, { at })).status, 200)
  })

  it('guest pages, check 8: a program that sends 120 forms at once gets 60 judged and 3 through; staff work on meanwhile', async () => {
    const from = '203.0.113.25'
    const at = await shown(from)
    later({ minutes: 1 })
    const { email } = await staffOf(service, venue, 'host')
    const office = visitOffice(service)
    await office.signIn(email)
    const inOffice = async () => (await office.get('/office/today')).status
    const flood = Array.from({ length: 120 }, (_, n) => send(`bot${n}@example.com`, from, { at }))
    const staff = Array.from({ length: 20 }, inOffice)
    assert.deepEqual(new Set(await Promise.all(staff)), new Set([200]))
    const kinds = Object.groupBy(await Promise.all(flood), ({ status }) => status)
    assert.deepEqual(
      [kinds[200]?.length, kinds[400]?.length, kinds[429]?.length],
      [
        limits.guestFormsUnasked,
        limits.guestFormsOfNetwork - limits.guestFormsUnasked,
        120 - limits.guestFormsOfNetwork,
      ],
    )
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
