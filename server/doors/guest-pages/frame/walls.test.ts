import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { limits } from '@venue-data/contract/limits.ts'
import { type KeyRing, readKeyRing } from '../../../platform/kernel/secrets.ts'
import { guestAt, hiddenOn, setGuestPages } from '../../../test/guest.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { type NamedNetwork, namedNetworks, networkNames } from './who.ts'

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
      asShown: 'token' in more,
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
    assert.doesNotMatch(String(row?.['all']), /2001:db8/, 'no address is stored')
  })

  const shown = async (from: string) => {
    const { text } = await guestAt(service, `/v/${venue.slug}/news`, { headers: { 'x-forwarded-for': from } })
    return hiddenOn(text, 'token')
  }
  const later = (duration: Temporal.DurationLike): void =>
    service.setClock(service.context.clock().add(duration).toString())
  const isKnown = async (email: string) =>
    (await rowsOf(service, `select 1 as is from subscriber where email_key = '${email}'`)).length === 1

  it('a form sent too fast comes back with what was typed, and gets through a moment later', async () => {
    const token = await shown('203.0.113.20')
    const hasty = await send('hasty@example.com', '203.0.113.20', { token })
    assert.equal(hasty.status, 400)
    assert.match(
      hasty.text,
      /That did not work<\/h2>\s*<p>Please check the form and press the button once more/,
    )
    assert.doesNotMatch(hasty.text, /aria-invalid|href="#f-/, 'no field is wrong')
    assert.match(hasty.text, /value="hasty@example.com"/)
    assert.equal(hiddenOn(hasty.text, 'token'), token, 'the moment it was first shown')
    later({ seconds: 2 })
    assert.equal((await send('hasty@example.com', '203.0.113.20', { token })).status, 200)
    assert.ok(await isKnown('hasty@example.com'))
  })

  it('a form kept for longer than a day is asked again, once', async () => {
    const token = await shown('203.0.113.21')
    later({ hours: 24, seconds: 1 })
    const late = await send('late@example.com', '203.0.113.21', { token })
    assert.equal(late.status, 400)
    assert.match(late.text, /value="late@example.com"/)
    const again = hiddenOn(late.text, 'token')
    assert.equal((await send('late@example.com', '203.0.113.21', { token: again })).status, 200)
  })

  it('a moment we did not sign is ignored', async () => {
    const token = await shown('203.0.113.22')
    const other = await service.venue()
    await setRules(service, other)
    later({ minutes: 1 })
    for (const made of [
      '',
      'x',
      `${token}x`,
      token.replace(/^./, 'z'),
      token.replace(/.$/, token.endsWith('A') ? 'B' : 'A'),
      // The token of another form under this one's signature, and the value of another venue's form.
      token.replace(/[0-9a-f-]{36}/, crypto.randomUUID()),
      hiddenOn((await guestAt(service, `/v/${other.slug}/news`)).text, 'token'),
    ])
      assert.equal((await send('forger@example.com', '203.0.113.22', { token: made })).status, 400, made)
    assert.equal(await isKnown('forger@example.com'), false)
    assert.equal((await send('forger@example.com', '203.0.113.22', { token })).status, 200)
  })

  it('after the third write in ten minutes there is a plain question; what was typed stays', async () => {
    const from = '203.0.113.23'
    const token = await shown(from)
    later({ minutes: 1 })
    for (const name of ['one', 'two', 'three'])
      assert.equal((await send(`${name}@example.com`, from, { token })).status, 200)
    const asked = await send('four@example.com', from, { token })
    assert.equal(asked.status, 400)
    const [, one = '', other = ''] = /What is (\d) \+ (\d)\?/.exec(asked.text) ?? []
    assert.match(asked.text, /href="#f-sum"/)
    assert.match(asked.text, /value="four@example.com"/)
    for (const sum of ['', '1', 'four'])
      assert.equal((await send('four@example.com', from, { token, sum })).status, 400, sum)
    const mistaken = await send('four', from, { token, sum: '1' })
    assert.match(mistaken.text, /What is/, 'the question stays along with another mistake')
    assert.equal(await isKnown('four@example.com'), false)
    const answer = String(Number(one) + Number(other))
    const wide = answer.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
    assert.equal((await send('four@example.com', from, { token, sum: wide })).status, 200)
    assert.equal(
      (await send('five@example.com', '203.0.113.24', { token })).status,
      200,
      'others are not asked',
    )
    later({ minutes: 10 })
    assert.equal((await send('six@example.com', from, { token })).status, 200)
  })

  it('a program that sends 120 forms at once gets 60 judged and 3 through; staff work on meanwhile', async () => {
    const from = '203.0.113.25'
    const token = await shown(from)
    later({ minutes: 1 })
    const { email } = await staffOf(service, venue, 'host')
    const office = visitOffice(service)
    await office.signIn(email)
    const inOffice = async () => (await office.get('/office/today')).status
    const flood = Array.from({ length: 120 }, (_, n) => send(`bot${n}@example.com`, from, { token }))
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

  it('a network has another name each day, which nobody finds by trying addresses; no limit begins again with the day', async () => {
    const from = '203.0.113.40'
    const names = async () =>
      (
        await rowsOf(
          service,
          `select network from guest_window where venue_id = ${venue.id} union
           select holder from booking_hold where venue_id = ${venue.id}`,
        )
      ).map(({ network }) => String(network))
    const hold = (slot: string) =>
      guestAt(service, `/v/${venue.slug}/book`, {
        form: { size: '2', slot },
        headers: { 'x-forwarded-for': from },
      })
    const isHeld = ({ headers }: { headers: Headers }) => /[?&]hold=/.test(headers.get('location') ?? '')
    service.setClock('2026-10-08T23:58:00Z')
    const earlier = await names()
    for (let n = 0; n < limits.holdsOfKey; n++) assert.ok(isHeld(await hold('2026-10-14 19:00')))
    for (let n = limits.holdsOfKey; n < limits.guestFormsOfNetwork; n++)
      assert.notEqual((await send('again@example.com', from)).status, 429, String(n))
    assert.equal((await send('again@example.com', from)).status, 429)
    const thatDay = (await names()).filter((name) => !earlier.includes(name))
    service.setClock('2026-10-09T00:00:30Z')
    assert.equal((await send('again@example.com', from)).status, 429, 'the window goes on past midnight')
    service.setClock('2026-10-09T00:01:00Z')
    await rowsOf(service, `delete from guest_window where venue_id = ${venue.id}`)
    assert.equal(isHeld(await hold('2026-10-14 19:00')), false, 'so do its holds')
    service.setClock('2026-10-09T00:10:00Z')
    assert.ok(isHeld(await hold('2026-10-14 19:00')))
    const nextDay = (await names()).filter((name) => ![...earlier, ...thatDay].includes(name))
    assert.equal(thatDay.length, 1)
    assert.equal(nextDay.length, 1)
    for (const name of [...thatDay, ...nextDay])
      for (const day of ['', '2026-10-08 ', '2026-10-09 '])
        for (const digest of ['base64url', 'hex', 'base64'] as const)
          assert.notEqual(name, createHash('sha256').update(`${day}${from}`).digest(digest))
  })

  it('while the secrets are exchanged, a network is known by its name under either', () => {
    const ring = readKeyRing(
      `b:${Buffer.alloc(32, 2).toString('base64')},a:${Buffer.alloc(32, 1).toString('base64')}`,
    )
    const [b, a] = ring as [(typeof ring)[0], (typeof ring)[0]]
    const of = (keys: KeyRing) =>
      networkNames({ ring: keys, from: '203.0.113.7', now: Temporal.Instant.from('2026-10-06T12:00:00Z') })
    assert.ok(of([b, a]).includes(of([a])[0]))
    assert.ok(of([a, b]).includes(of([b])[0]))
    assert.ok(!of([b]).includes(of([a])[0]), 'a name says nothing without its key')
  })

  it('a form that went through is answered as it was, however often it is sent: uncounted, and never with a question', async () => {
    service.setClock('2026-10-12T19:00:00Z')
    await setRules(service, venue, everyEvening({ pacing: { intervalMinutes: 15, maxCovers: 11 } }))
    await setGuestPages(service, venue, { lineOpensMinutes: 240 })
    const doors: readonly [string, Record<string, string>][] = [
      ['book', { size: '2', day: '2026-10-14', time: '19:00' }],
      ['waitlist', { size: '2', quote: '500', tel: '+1 646 555 0148' }],
      [
        'waitlist',
        { do: 'list', size: '12', date: '2026-10-15', from: '2026-10-15 18:00', to: '2026-10-15 20:00' },
      ],
      ['enquire', { size: '30' }],
    ]
    for (const [n, [door, more]] of doors.entries())
      for (const framed of ['', '?framed=']) {
        const headers = { 'x-forwarded-for': `203.0.113.${50 + 2 * n + (framed === '' ? 0 : 1)}` }
        const form = { token: crypto.randomUUID(), name: 'Maya', email: 'maya@example.com', ...more }
        const press = () =>
          guestAt(service, `/v/${venue.slug}/${door}${framed}`, { form: { ...form, sum: '' }, headers })
        const first = await press()
        assert.ok(first.status < 400, `${door}: ${first.status} ${first.text}`)
        // So many presses would have used up what the network may send.
        for (let again = 0; again < limits.guestFormsOfNetwork + 5; again++) {
          const answer = await press()
          assert.equal(answer.status, first.status, `${door}, press ${again}`)
          assert.equal(answer.headers.get('location'), first.headers.get('location'))
          assert.equal(answer.text, first.text)
        }
        const other = await guestAt(service, `/v/${venue.slug}/${door}${framed}`, {
          form: { ...form, token: crypto.randomUUID(), sum: '' },
          headers,
        })
        assert.ok(other.status < 400, `${door}: the next form of theirs is only the second: ${other.text}`)
      }
  })

  it('of presses at the same moment none is asked a question that another one of the same form answers', async () => {
    service.setClock('2026-10-12T19:00:00Z')
    const headers = { 'x-forwarded-for': '203.0.113.70' }
    const form = {
      size: '2',
      day: '2026-10-14',
      time: '20:00',
      name: 'Maya',
      email: 'maya@example.com',
      sum: '',
    }
    for (let n = 0; n < limits.guestFormsUnasked; n++) {
      const token = crypto.randomUUID()
      const answers = await Promise.all(
        Array.from({ length: 4 }, () =>
          guestAt(service, `/v/${venue.slug}/book`, { form: { ...form, token }, headers }),
        ),
      )
      const links = new Set(answers.map((one) => `${one.status} ${one.headers.get('location')}`))
      assert.equal(links.size, 1, [...links].join())
      assert.match([...links].join(), /^303 /)
    }
  })

  it('of IPv6, networks of 56 and 48 bits count as well, with four and sixteen times the room', async () => {
    service.setClock('2026-10-12T20:00:00Z')
    const { secrets, clock } = service.context
    for (const [n, room] of [1, 4, 16].entries()) {
      await rowsOf(service, `delete from guest_window where venue_id = ${venue.id}`)
      const first = `2001:db8:77:${n}::1`
      assert.equal((await send('six@example.com', first)).status, 200)
      const { names, times } = namedNetworks({ ring: secrets, from: first, now: clock() })[n] as NamedNetwork
      assert.equal(times, room)
      await rowsOf(
        service,
        `update guest_window set used = ${room * limits.guestFormsOfNetwork - 1}
          where venue_id = ${venue.id} and network = '${names[0]}'`,
      )
      // In the same network of that size, and in no narrower one.
      const beside = [first, '2001:db8:77:f2::1', '2001:db8:77:ff00::1'][n] as string
      assert.equal((await send('seven@example.com', beside)).status, 200)
      assert.equal((await send('eight@example.com', beside)).status, 429, `${room} times`)
      const outside = ['2001:db8:77:9::1', '2001:db8:77:1ff::1', '2001:db8:78::1'][n] as string
      assert.equal((await send('nine@example.com', outside)).status, 200)
    }
  })

  it('a form is good for one booking from any network: eight bookings need eight pages', async () => {
    service.setClock('2026-10-13T19:00:00Z')
    const { text } = await guestAt(service, `/v/${venue.slug}/book?size=2&day=2026-10-14&time=18:00`)
    const token = hiddenOn(text, 'token')
    later({ minutes: 1 })
    const answers: string[] = []
    for (let n = 0; n < 8; n++) {
      const { status, headers } = await guestAt(service, `/v/${venue.slug}/book`, {
        form: {
          ...{ token, size: '2', day: '2026-10-14', time: '18:00' },
          ...{ name: 'Maya', email: `maya${n}@example.com` },
        },
        headers: { 'x-forwarded-for': `203.0.113.${80 + n}` },
        asShown: true,
      })
      answers.push(`${status} ${headers.get('location')}`)
    }
    assert.equal(new Set(answers).size, 1, 'the one booking, shown again')
    assert.match(answers[0] ?? '', /^303 \/r\//)
  })

  it('the answer to the question follows from nothing that is hidden in the form', async () => {
    const from = '203.0.113.90'
    const values = await Promise.all(Array.from({ length: 12 }, () => shown(from)))
    later({ minutes: 1 })
    for (const name of ['one', 'two', 'three'])
      await send(`${name}.asked@example.com`, from, { token: values[0] ?? '' })
    const isGuessed = await Promise.all(
      values.map(async (token) => {
        const { text } = await send('four.asked@example.com', from, { token })
        const [, ...asked] = /What is (\d) \+ (\d)\?/.exec(text) ?? []
        const [issued = '', id = ''] = token.split('.')
        return [token, id, issued, `sum ${token}`, `sum ${id}`].map((hidden) => {
          const [one = 0, other = 0] = createHash('sha256').update(hidden).digest()
          return asked.join() === [2 + (one % 8), 2 + (other % 8)].join()
        })
      }),
    )
    for (const [way] of isGuessed[0]?.entries() ?? [])
      assert.ok(isGuessed.filter((ways) => ways[way]).length < 4, 'no better than by chance')
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
