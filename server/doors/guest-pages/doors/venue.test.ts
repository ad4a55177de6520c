import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { guestAt, setGuestPages } from '../../../test/guest.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { type TestService, type TestVenue, aTuesdayAfternoon, startService } from '../../../test/service.ts'

describe('the venue’s page for guests', () => {
  let service: TestService
  let venue: TestVenue
  before(async () => {
    service = await startService()
    venue = await service.venue({ name: 'Tom & <b>Ann</b>’s', phone: '+1 212 555 0100' })
    await setRules(service, venue)
  })
  after(() => service.stop())

  const change = (text: string, values: unknown[]) =>
    service.db.session((client) => client.query(text, values))

  it('says what it is, whether it is open, its hours, its address and its phone', async () => {
    await change(`update venue set postal_address = $2 where id = $1`, [
      venue.id,
      '214 West 10th Street\nNew York, NY 10014',
    ])
    const { status, text, headers } = await guestAt(service, `/v/${venue.slug}`)
    assert.equal(status, 200)
    assert.match(text, /<h1>Tom &amp; &lt;b&gt;Ann&lt;\/b&gt;’s<\/h1>/)
    assert.match(text, /Closed now\. Opens today at 5:00\sPM/)
    assert.equal(text.match(/5:00\s–\s10:00\sPM/g)?.length, 7, 'seven days')
    assert.match(text, /Tue, Oct 6 \(today\)/)
    assert.match(text, /214 West 10th Street<br \/>New York, NY 10014/)
    assert.match(text, /href="tel:\+12125550100"/)
    assert.match(text, /All times are New York time\./)
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'self';/)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'$/)
    const facts = JSON.parse(/application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? '')
    assert.equal(facts.name, 'Tom & <b>Ann</b>’s')
  })

  it('an address typed with a slash at its end leads to the page', async () => {
    for (const path of ['', '/book', '/waitlist', '/tickets']) {
      const { status, headers } = await guestAt(service, `/v/${venue.slug}${path}/?lang=fr&size=2`)
      assert.deepEqual(
        [status, headers.get('location')],
        [308, `/v/${venue.slug}${path}?lang=fr&size=2`],
        path,
      )
    }
    assert.equal((await guestAt(service, `/v/${venue.slug}/`)).headers.get('location'), `/v/${venue.slug}`)
    assert.equal((await guestAt(service, `/v/${venue.slug}//`)).status, 404)
    for (const lost of ['/v/', '/v/%zz', '/b/', '/b'])
      assert.match((await guestAt(service, lost)).text, /<title>/, lost)
  })

  it('an impossible venue address is a 404, even if PostgreSQL would reject it', async () => {
    const impossible = [
      '%ff',
      '%ed%a0%80',
      '%00',
      'blue%00door',
      'Blue-Door',
      '-',
      'a'.repeat(64),
      '%f0%9f%8d%95',
      'a%20b',
    ]
    for (const slug of impossible) {
      for (const path of ['', '/book', '/waitlist', '/enquire', '/news', '/logo/abcdefghijklmnop.png'])
        assert.equal((await guestAt(service, `/v/${slug}${path}`)).status, 404, `${slug}${path}`)
      for (const door of ['book', 'waitlist', 'enquire', 'news'])
        assert.equal(
          (await guestAt(service, `/v/${slug}/${door}`, { form: { name: 'Maya' } })).status,
          404,
          slug,
        )
      for (const path of ['status', 'replies'])
        assert.equal(
          (await guestAt(service, `/texts/${slug}/${path}`, { form: { Body: 'STOP' } })).status,
          404,
          slug,
        )
    }
  })

  it('an address that cannot be decoded is a page that says nothing is there, as in the office', async () => {
    for (const path of ['/v/%ff', '/v/%zz/book', `/v/${venue.slug}/%E0%A4%A`, '/u/%ff', '/office/%zz']) {
      const answer = await fetch(`${service.url}${path}?from=%zz`)
      assert.deepEqual(
        [answer.status, answer.headers.get('content-type')],
        [404, 'text/html; charset=utf-8'],
        path,
      )
      assert.match(await answer.text(), /<title>/, path)
    }
    const called = await fetch(`${service.url}/api/v1/%ff`)
    assert.deepEqual(
      [called.status, await called.json()],
      [400, { error: 'The address of the request cannot be read.' }],
    )
  })

  it('a form with characters that no text has is a mistake of its sender, never ours', async () => {
    const odd = 'a\0b\ud800c'
    for (const door of ['book', 'waitlist', 'enquire', 'news'])
      for (const field of [
        'token',
        'at',
        'name',
        'email',
        'tel',
        'size',
        'slot',
        'day',
        'time',
        'hold',
        'do',
        'note',
        'words',
        'given',
        't',
        'bday',
      ]) {
        const form = {
          token: crypto.randomUUID(),
          name: 'Maya',
          email: 'maya@example.com',
          size: '2',
          day: '2026-10-07',
          time: '19:00',
          [field]: odd,
        }
        const { status } = await guestAt(
          service,
          `/v/${venue.slug}/${door}?hold=${encodeURIComponent('\0')}&from=%00`,
          { form },
        )
        assert.ok(status < 500, `${door}, ${field}: ${status}`)
      }
  })

  it('gives search engines the hours, the address in parts, the menu, the cuisine, a picture and where to book', async () => {
    const found = await service.venue({ name: 'The Blue Door' })
    await setRules(service, found, {
      periods: [
        ...[4, 5].map((weekday) => ({ weekday, name: 'Late', opens: '18:00', closes: '02:00' })),
        { weekday: 7, name: 'All day', opens: '00:00', closes: '00:00' },
      ],
      specialDays: [
        {
          date: '2026-10-12',
          name: 'Columbus Day',
          periods: [{ name: 'Lunch', opens: '12:00', closes: '15:00' }],
        },
      ],
      closures: [{ from: '2026-10-20', to: '2026-10-22', name: 'Painting' }],
    })
    const factsOf = async () => {
      const { text } = await guestAt(service, `/v/${found.slug}`)
      return { text, facts: JSON.parse(/application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? '') }
    }
    const plain = await factsOf()
    for (const name of ['hasMenu', 'servesCuisine', 'image', 'address'])
      assert.equal(name in plain.facts, false, `nothing is made up: ${name}`)
    assert.doesNotMatch(plain.text, /og:image/)
    const picture = 'https://www.example.com/room.jpg'
    await setGuestPages(service, found, {
      menuUrl: 'https://www.example.com/menu',
      pictureUrl: picture,
      cuisines: ['Italian', 'Wine bar'],
      address: { street: '214 West 10th Street', city: 'New York', region: 'NY', postalCode: '10014' },
    })
    const { text, facts } = await factsOf()
    const { publicUrl } = service.context.config
    assert.deepEqual(facts.address, {
      '@type': 'PostalAddress',
      streetAddress: '214 West 10th Street',
      addressLocality: 'New York',
      addressRegion: 'NY',
      postalCode: '10014',
      addressCountry: 'US',
    })
    assert.deepEqual(
      [facts.hasMenu, facts.servesCuisine, facts.image],
      ['https://www.example.com/menu', ['Italian', 'Wine bar'], picture],
    )
    assert.match(text, new RegExp(`<meta property="og:image" content="${picture}" />`))
    const day = '@type'
    const hours = { [day]: 'OpeningHoursSpecification' }
    assert.deepEqual(facts.openingHoursSpecification, [
      { ...hours, dayOfWeek: ['Thursday', 'Friday'], opens: '18:00', closes: '02:00' },
      { ...hours, dayOfWeek: ['Sunday'], opens: '00:00', closes: '23:59' },
      { ...hours, opens: '12:00', closes: '15:00', validFrom: '2026-10-12', validThrough: '2026-10-12' },
      { ...hours, opens: '00:00', closes: '00:00', validFrom: '2026-10-20', validThrough: '2026-10-22' },
    ])
    assert.equal(facts.potentialAction[day], 'ReserveAction')
    assert.equal(facts.potentialAction.target.urlTemplate, `${publicUrl}/v/${found.slug}/book`)
    await setGuestPages(service, found, { doors: ['news'] })
    assert.equal((await factsOf()).facts.potentialAction, undefined)
    for (const wrong of [{ menuUrl: 'menu.pdf' }, { pictureUrl: 'javascript:alert(1)' }, { cuisines: [''] }])
      await assert.rejects(setGuestPages(service, found, wrong), /must (?:be a web address|have 1 to 50)/)
  })

  it('is open until the service that began yesterday ends', async () => {
    const late = await service.venue()
    const bar = { name: 'Bar', opens: '17:00', closes: '02:00' }
    await setRules(service, late, { periods: [{ weekday: 2, ...bar }] })
    service.setClock('2026-10-07T04:30:00Z')
    try {
      const { text } = await guestAt(service, `/v/${late.slug}`)
      assert.match(text, /Open now, until 2:00\sAM/)
      assert.match(text, /aria-current="date"[\s\S]*?Tue, Oct 6 \(today\)[\s\S]*?5:00\sPM\s–\s2:00\sAM/)
    } finally {
      service.setClock(aTuesdayAfternoon)
    }
  })

  it('speaks the language that is asked for, else the browser’s, else the venue’s', async () => {
    const spanish = /Cerrado ahora\. Abre hoy a las 5:00\s?p\.\s?m\./
    const at = async (query: string, wanted: string) =>
      (await guestAt(service, `/v/${venue.slug}${query}`, { headers: { 'accept-language': wanted } })).text
    assert.match(await at('?lang=es', 'en'), spanish)
    assert.match(await at('?lang=es', 'en'), /<html lang="es">/)
    assert.match(await at('', 'sv;q=0.9, es-MX;q=0.8, en;q=0.2'), spanish)
    assert.match(await at('', 'sv'), /Closed now/)
    assert.match(await at('?lang=xx', 'sv'), /Closed now/)
    const own = await service.venue()
    await setRules(service, own)
    await setGuestPages(service, own, { language: 'es' })
    assert.match(
      (await guestAt(service, `/v/${own.slug}`, { headers: { 'accept-language': 'sv' } })).text,
      spanish,
    )
  })

  it('a door that is off and an unknown venue are the same plain 404', async () => {
    const shut = await service.venue()
    await setRules(service, shut)
    await setGuestPages(service, shut, { doors: ['news'] })
    const unknown = await guestAt(service, '/v/nobody-has-this')
    assert.equal(unknown.status, 404)
    assert.match(unknown.text, /There is nothing here/)
    assert.equal((await guestAt(service, `/v/${shut.slug}`)).status, 200)
    const door = await guestAt(service, `/v/${shut.slug}/book`)
    assert.deepEqual([door.status, door.text], [404, unknown.text])
    await setGuestPages(service, shut, { doors: [] })
    const off = await guestAt(service, `/v/${shut.slug}`)
    assert.deepEqual([off.status, off.text], [404, unknown.text])
  })

  it('a paused venue, and one without hours, show the phone and no door', async () => {
    const paused = await service.venue({ phone: '(212) 555-0177' })
    const without = await guestAt(service, `/v/${paused.slug}`)
    await setRules(service, paused)
    assert.match((await guestAt(service, `/v/${paused.slug}`)).text, /class="doors"/)
    await setRules(service, paused, everyEvening({ onlinePaused: true }))
    const online = await guestAt(service, `/v/${paused.slug}`)
    await setRules(service, paused)
    await change('update venue set paused = true where id = $1', [paused.id])
    const account = await guestAt(service, `/v/${paused.slug}`)
    for (const { status, text } of [without, online, account]) {
      assert.equal(status, 200)
      assert.match(text, /href="tel:\+12125550177">Call \(212\) 555-0177/)
      assert.doesNotMatch(text, /class="doors"|<form/)
    }
  })

  it('a venue of before there were pages has all doors off; a new one has all on', async () => {
    const old = await service.venue()
    await setRules(service, old)
    assert.equal((await guestAt(service, `/v/${old.slug}`)).status, 200)
    await change('delete from guest_pages where venue_id = $1', [old.id])
    assert.equal((await guestAt(service, `/v/${old.slug}`)).status, 404)
  })

  it('may be framed by the sites the venue lists, and by no other', async () => {
    const framed = await service.venue()
    await setGuestPages(service, framed, { frameSites: ['https://www.example.com'] })
    const { headers } = await guestAt(service, `/v/${framed.slug}`)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors https:\/\/www\.example\.com$/)
    for (const site of [
      'https://a.example/path',
      'javascript:alert(1)',
      "https://a.example; script-src 'unsafe-inline'",
    ])
      await assert.rejects(setGuestPages(service, framed, { frameSites: [site] }), /address without a path/)
  })

  it('its colors come as a stylesheet of their own, which is kept for ever', async () => {
    const { text, headers } = await guestAt(service, '/accent/ffd400.css')
    assert.match(text, /^:root\{--fill:#ffd400;--on-fill:#000000;/)
    assert.match(headers.get('cache-control') ?? '', /immutable/)
    assert.equal((await guestAt(service, '/accent/javascript.css')).text, '')
  })
})
