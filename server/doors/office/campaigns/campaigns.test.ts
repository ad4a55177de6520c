import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { limits } from '@venue-data/contract/limits.ts'
import { after, before, describe, it } from 'node:test'
import { saveTestAddresses, subscribe } from '../../../marketing/campaigns/test/list.ts'
import { makeLinkToken } from '../../../mail/link-token.ts'
import { atWork, followed, hiddenIn, idAt, make, wordsOf } from '../../../test/office-forms.ts'
import type { OfficeVisitor, Seen } from '../../../test/office.ts'
import { countOf, rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { timed } from '../../../test/run/timed.ts'

const home = '/office/campaigns'
const evil = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`

describe('campaigns in the office', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const words = {
    name: 'October oyster week',
    subject: 'Oysters, {{firstName|friends}}',
    preheader: 'Six kinds, a dozen for $24.',
    bodyFormat: 'guided',
    bodyHtml: '<h1>Oyster week</h1><p>Six kinds, from Tuesday to Sunday.</p>',
    bodyText: '',
    eventId: '',
    seriesKey: '',
    seriesStep: '',
    seriesTotal: '',
  }
  const begin = async (visitor: OfficeVisitor, more: Record<string, string> = {}): Promise<string> => {
    const made = await make(visitor, home, { name: words.name, subject: words.subject, ...more })
    assert.equal(made.status, 303, wordsOf(made))
    return (made.to as string).replace('/write', '')
  }
  const save = async (
    visitor: OfficeVisitor,
    path: string,
    more: Record<string, string> = {},
  ): Promise<Seen> =>
    visitor.post(`${path}/write`, {
      ...words,
      version: hiddenIn(await visitor.get(`${path}/write`), 'version'),
      ...more,
    })
  const build = async (visitor: OfficeVisitor, path: string, more: Record<string, string | string[]> = {}) =>
    visitor.post(`${path}/people`, {
      version: hiddenIn(await visitor.get(`${path}/people`), 'version'),
      ...more,
    })
  /** A campaign with a list and a test, that only waits to be sent. */
  const ready = async (people = 30, venue?: TestVenue) => {
    const work = await atWork(service, 'manager', venue)
    if (!venue) {
      await subscribe(service, work.venue, people)
      await saveTestAddresses(service, work.venue)
    }
    const path = await begin(work.visitor)
    await save(work.visitor, path)
    await build(work.visitor, path)
    assert.equal((await work.visitor.post(`${path}/test`)).status, 303)
    return { ...work, path, id: Number(path.slice(home.length + 1)) }
  }
  const rowOf = async (venue: TestVenue, id: number) =>
    (
      await rowsOf<{
        status: string
        segment: unknown
        scheduled_at: string
        version: number
        body_html: string
      }>(service, 'select * from campaign where venue_id = $1 and id = $2', [venue.id, id])
    )[0]

  it('are written, aimed, tested, sent and stopped', async () => {
    const { venue, visitor } = await atWork(service)
    await subscribe(service, venue, 30)
    await saveTestAddresses(service, venue)
    assert.ok(wordsOf(await visitor.get(home)).includes('No campaigns yet.'))
    const path = await begin(visitor)
    const shown = await followed(visitor, await save(visitor, path))
    assert.ok(wordsOf(shown).includes('Email saved.'))
    assert.ok(wordsOf(shown).includes('Oysters, Alex'), 'as a mail program shows it')
    assert.ok(wordsOf(shown).includes('Ready to send'))
    const people = await visitor.get(`${path}/people`)
    const counted = await visitor.post(`${path}/people/count`, { version: hiddenIn(people, 'version') })
    assert.ok(wordsOf(counted).includes('people will get it 30'))
    assert.equal(await countOf(service, 'recipient', venue.id), 0, 'counting writes nothing')
    const built = await build(visitor, path)
    assert.ok(wordsOf(built).includes('The list is built') && wordsOf(built).includes('30 people added'))
    const before = await visitor.get(`${path}/send`)
    assert.ok(wordsOf(before).includes('Send a test first.'))
    const tested = await followed(visitor, await visitor.post(`${path}/test`))
    assert.ok(wordsOf(tested).includes('The test went to test@example.com'))
    const sent = await visitor.post(`${path}/send`, { when: 'now', confirmCount: '30' })
    const report = await followed(visitor, sent)
    assert.ok(wordsOf(report).includes('Goes out October 6, 2026, 3:10 PM (New York time)'))
    const stopped = await followed(visitor, await visitor.post(`${path}/cancel`))
    assert.ok(wordsOf(stopped).includes('Stopped. Nobody was emailed.'))
    const again = await followed(visitor, await visitor.post(`${path}/cancel`))
    assert.ok(wordsOf(again).includes('This campaign was cancelled.'))
    assert.equal((await visitor.get(path)).to, `${path}/report`)
    const trail = wordsOf(await visitor.get('/office/activity'))
    for (const done of [
      `Added ${words.name} campaign`,
      `Changed ${words.name} campaign`,
      `Sent or scheduled ${words.name} campaign`,
      `Cancelled ${words.name} campaign`,
    ])
      assert.ok(trail.includes(done), done)
  })

  it('are for managers; hosts and strangers see nothing and change nothing', async () => {
    const { venue, path, id } = await ready()
    const { visitor: host } = await atWork(service, 'host', venue)
    const { visitor: owner } = await atWork(service, 'owner', venue)
    const gets = [
      home,
      `${home}/new`,
      ...['', '/write', '/preview', '/people', '/send', '/report'].map((one) => path + one),
    ]
    const posts = [
      home,
      ...[
        '/copy',
        '/write',
        '/preview',
        '/check',
        '/people',
        '/people/count',
        '/compose',
        '/test',
        '/send',
        '/cancel',
      ].map((one) => path + one),
    ]
    const settings = ['/office/settings/mail', '/office/subscribers/topics']
    for (const one of [...gets, ...settings]) {
      assert.equal((await host.get(one)).status, 403, one)
      assert.ok([200, 303].includes((await owner.get(one)).status), one)
    }
    for (const one of [...posts, '/office/settings/mail', '/office/subscribers/topics/1'])
      assert.equal((await host.post(one, { token: randomUUID(), ...words })).status, 403, one)
    // Another site's page, with the manager's own cookie.
    const { visitor } = await atWork(service, 'manager', venue).catch(() => ({ visitor: owner }))
    for (const one of posts) {
      const forged = await visitor.post(one, words, {
        'sec-fetch-site': 'cross-site',
        origin: 'https://evil.invalid',
      })
      assert.equal(forged.status, 403, one)
    }
    const { visitor: other } = await atWork(service)
    for (const one of gets.slice(2)) assert.equal((await other.get(one)).status, 404, one)
    for (const one of posts.slice(1)) {
      const answer = await other.post(one, {
        ...words,
        token: randomUUID(),
        version: '1',
        confirmCount: '30',
      })
      assert.equal(answer.status, 404, one)
    }
    const row = await rowOf(venue, id)
    assert.equal(row?.status, 'draft')
    assert.equal(await countOf(service, 'campaign', venue.id), 1)
  })

  it('keep what was typed where somebody else saved meanwhile, and overwrite nothing', async () => {
    const { venue, visitor, path, id } = await ready()
    const version = hiddenIn(await visitor.get(`${path}/write`), 'version')
    await save(visitor, path, { subject: 'Oysters, from the other' })
    const stale = await visitor.post(`${path}/write`, { ...words, version, subject: 'Oysters, from me' })
    assert.equal(stale.status, 409)
    assert.ok(stale.html.includes('value="Oysters, from me"'))
    assert.ok(wordsOf(stale).includes('It now says: Oysters, from the other'))
    assert.ok(wordsOf(stale).includes('just changed by someone else'))
    const stalePeople = await visitor.post(`${path}/people`, { version, birthday: '3' })
    assert.equal(stalePeople.status, 409)
    assert.ok(stalePeople.html.includes('<option value="3" selected>'), 'what was chosen stays')
    const row = await rowOf(venue, id)
    assert.deepEqual(row?.segment, { type: 'all' })
    const saved = await visitor.post(`${path}/write`, {
      ...words,
      subject: 'Oysters, from me',
      version: hiddenIn(stale, 'version'),
    })
    assert.equal(saved.status, 303, 'a second press puts it in place')
    assert.ok(
      wordsOf(await visitor.get(`${path}/send`)).includes('No test of this version has reached you yet.'),
    )
  })

  it('do not render an email that is out of bounds, and say why', async () => {
    const { visitor } = await atWork(service)
    const path = await begin(visitor)
    const version = hiddenIn(await visitor.get(`${path}/write`), 'version')
    const bodyHtml = '{{firstName}}'.repeat(limits.campaignMergeTags + 1)
    const sentence = 'The body has too many merge tags'
    const fields = { ...words, version, bodyHtml, preheader: 'Typed by hand' }
    for (const [address, status] of [
      ['write', 400],
      ['check', 200],
    ] as const) {
      const answer = await visitor.post(`${path}/${address}`, fields)
      assert.equal(answer.status, status)
      assert.ok(answer.html.includes(sentence), address)
      assert.doesNotMatch(answer.html, /class="card plain-mail"/, 'the part that shows it rendered')
    }
    const fit = await visitor.post(`${path}/check`, { ...fields, bodyHtml: words.bodyHtml })
    assert.match(fit.html, /class="card plain-mail"/)
  })

  it('say what is wrong with words, and keep them', async () => {
    const { visitor } = await atWork(service)
    const path = await begin(visitor)
    for (const [fields, sentence] of [
      [{ subject: ' ' }, 'The subject is missing.'],
      [{ subject: 'x'.repeat(201) }, 'The subject must have at most 200 characters.'],
      [{ name: '' }, 'The name is missing.'],
      [{ bodyFormat: 'word' }, 'The format must be one of guided, html.'],
      [{ eventId: 'one' }, 'Choose an event from the list.'],
      [
        { seriesKey: 'Oysters', seriesStep: '3', seriesTotal: '2' },
        'For a series, enter which email this is',
      ],
      [{ bodyHtml: 'a\u0000b' }, 'The body contains a character that cannot be stored.'],
    ] as const) {
      const refused = await save(visitor, path, { preheader: 'Typed by hand', ...fields })
      assert.equal(refused.status, 400, sentence)
      assert.ok(wordsOf(refused).includes(sentence), sentence)
      assert.ok(refused.html.includes('Typed by hand'), sentence)
    }
    assert.equal((await save(visitor, path, { eventId: '999999' })).status, 404)
    const series = await followed(
      visitor,
      await save(visitor, path, { seriesKey: 'Oysters', seriesStep: '2', seriesTotal: '3' }),
    )
    assert.ok(wordsOf(series).includes('series Oysters, 2 of 3'))
    const long = `<p>${'Oysters for less. '.repeat(50_000)}</p>`
    assert.equal((await save(visitor, path, { bodyHtml: long })).status, 303, 'nearly a megabyte')
    assert.ok(
      wordsOf(await visitor.get(`${path}/send`)).includes('102'),
      'and the page says that it is cut off',
    )
    const over = await save(visitor, path, { bodyHtml: long + long })
    assert.equal(over.status, 400)
    assert.ok(wordsOf(over).includes('The body is too long'))
  })

  it('show every text as text, and a mail in a frame without script, form or cookie', async () => {
    const { venue, visitor } = await atWork(service)
    await subscribe(service, venue, 3)
    const event = idAt(await make(visitor, '/office/tickets/events', { name: evil }))
    await make(visitor, '/office/subscribers', { email: 'a@example.com', where: 'Till', tag: 'Wine <b>' })
    const path = await begin(visitor, { name: evil, subject: evil })
    const bodyHtml = `<h1>Hello</h1>${evil}<form action="/office"><input name="q"></form><iframe src="/office"></iframe><a href="javascript:alert(3)" onclick="alert(4)">x</a>`
    await save(visitor, path, {
      ...{ name: evil, subject: evil, preheader: evil, bodyHtml, bodyText: evil, eventId: event },
      ...{ seriesKey: evil, seriesStep: '1', seriesTotal: '2' },
    })
    await build(visitor, path, {
      anyTags: ['Wine <b>', evil.slice(0, 40)],
      holdersOf: event,
      buyersOf: event,
    })
    await service.db.session((client) =>
      client.query(`update campaign set last_error = $2 where venue_id = $1`, [venue.id, evil]),
    )
    const pages = [home, ...['/write', '/people', '/send', '/report'].map((one) => path + one)]
    for (const status of ['draft', 'cancelled']) {
      await service.db.session((client) =>
        client.query(
          `update campaign set status = $2, finished_at = case when $2 = 'draft' then null else now() end where venue_id = $1`,
          [venue.id, status],
        ),
      )
      for (const one of pages) {
        const { status: answered, html } = await visitor.get(one)
        assert.equal(answered, 200, one)
        assert.doesNotMatch(html, /<script>|<img src=x|<b>"/, one)
        assert.ok(html.includes('&lt;script&gt;'), one)
      }
    }
    for (const preview of [
      await visitor.get(`${path}/preview`),
      await visitor.post(`${path}/preview`, { ...words, bodyHtml, subject: evil }),
      await visitor.post(`${path}/preview`, { ...words, bodyHtml, bodyFormat: 'html' }),
    ]) {
      assert.equal(preview.status, 200)
      assert.doesNotMatch(preview.html, /<script|<form|<iframe|<input|<[^>]*\son\w+=|javascript:/i)
      const policy = preview.headers.get('content-security-policy') ?? ''
      assert.match(policy, /^sandbox; default-src 'none';/)
      assert.match(policy, /frame-ancestors 'self'/)
      assert.equal(preview.headers.get('x-frame-options'), 'SAMEORIGIN')
      assert.equal(preview.headers.get('referrer-policy'), 'no-referrer')
    }
    const editor = await visitor.get(home)
    assert.match(
      editor.headers.get('content-security-policy') ?? '',
      /default-src 'none'; style-src 'self'; script-src 'self'/,
    )
  })

  it('make paragraphs of words without tags, and leave HTML and documents as they are', async () => {
    const { venue, visitor } = await atWork(service)
    const path = await begin(visitor)
    const id = Number(path.slice(home.length + 1))
    const bodyOf = async (fields: Record<string, string>) => {
      await save(visitor, path, fields)
      return (await rowOf(venue, id))?.body_html
    }
    const plain = 'Hello {{firstName|there}},\r\n\r\nfish & chips: 3 > 2\r\nwith peas.'
    assert.ok(
      (await visitor.post(`${path}/preview`, { ...words, bodyHtml: plain })).html.includes(
        'fish &amp; chips',
      ),
    )
    assert.equal(
      await bodyOf({ bodyHtml: plain }),
      '<p>Hello {{firstName|there}},</p>\n<p>fish &amp; chips: 3 &gt; 2<br />\nwith peas.</p>',
    )
    assert.equal(await bodyOf({ bodyHtml: '<p>One</p>\r\n\r\n<p>Two</p>' }), '<p>One</p>\n\n<p>Two</p>')
    assert.equal(await bodyOf({ bodyHtml: 'Only words', bodyFormat: 'html' }), 'Only words')
  })

  it('preview and check what is not saved yet', async () => {
    const { visitor } = await atWork(service)
    const path = await begin(visitor)
    const unsaved = { ...words, subject: 'Hi {{firstName|you}}', bodyHtml: '<p>Only typed {{lastName}}</p>' }
    assert.ok((await visitor.post(`${path}/preview`, unsaved)).html.includes('Only typed'))
    const checked = await visitor.post(`${path}/check`, unsaved)
    assert.ok(!checked.html.includes('<html'), 'a part of a page')
    assert.ok(checked.words.includes('Hi Alex') && checked.words.includes('lastName'))
    assert.ok(!(await visitor.get(`${path}/preview`)).html.includes('Only typed'), 'nothing of it is kept')
  })

  it('go to people by every condition there is', async () => {
    const { venue, visitor } = await atWork(service)
    await subscribe(service, venue, 5)
    await make(visitor, '/office/subscribers', { email: 'a@example.com', where: 'Till', tag: 'Wine' })
    const event = idAt(await make(visitor, '/office/tickets/events', { name: 'Burgundy Night' }))
    const other = (await begin(visitor)).slice(home.length + 1)
    const path = await begin(visitor)
    const id = Number(path.slice(home.length + 1))
    const cases: [Record<string, string | string[]>, unknown, string][] = [
      [{}, { type: 'all' }, 'people will get it 6'],
      [{ anyTags: 'Wine' }, { type: 'tag', anyOf: ['Wine'] }, 'person will get it 1'],
      [
        { allTagsMore: 'Wine\n Jazz \n' },
        { type: 'tag', allOf: ['Wine', 'Jazz'] },
        'One of the tags is not in use',
      ],
      [{ noTags: 'Wine' }, { type: 'tag', noneOf: ['Wine'] }, 'people will get it 5'],
      [{ birthday: 'now' }, { type: 'birthday' }, 'people will get it 0'],
      [{ birthday: '12' }, { type: 'birthday', month: 12 }, 'people will get it 0'],
      [
        { minVisits: '2', withinDays: '90' },
        { type: 'visited', withinDays: 90, minVisits: 2 },
        'people will get it 0',
      ],
      [
        { notSinceDays: '120', lapsedVisits: '1' },
        { type: 'lapsed', notSinceDays: 120, minVisits: 1 },
        'people will get it 0',
      ],
      [{ buyersOf: event }, { type: 'ticketBuyers', eventId: Number(event) }, 'people will get it 0'],
      [
        {
          anyTags: 'Wine',
          birthday: '3',
          holdersOf: event,
          outTags: 'Jazz',
          mailedDays: '7',
          outCampaigns: [other],
        },
        {
          type: 'and',
          of: [
            { type: 'tag', anyOf: ['Wine'] },
            { type: 'birthday', month: 3 },
          ],
          exclude: {
            ticketHoldersOf: Number(event),
            tags: ['Jazz'],
            mailedWithinDays: 7,
            campaigns: [Number(other)],
          },
        },
        'people will get it 0',
      ],
      [{ holdersOf: 'nobody' }, { type: 'all', exclude: { ticketHoldersOf: false } }, 'people will get it 6'],
    ]
    for (const [fields, segment, said] of cases) {
      const built = await build(visitor, path, fields)
      assert.equal(built.status, 200, wordsOf(built))
      assert.ok(wordsOf(built).includes(said), `${said}: ${wordsOf(built)}`)
      assert.deepEqual((await rowOf(venue, id))?.segment, segment)
      // What the form shows again is what it was given.
      const again = await visitor.get(`${path}/people`)
      for (const [name, value] of Object.entries(fields).filter(([key]) => !key.endsWith('More')))
        for (const one of [value].flat()) assert.match(again.html, shownIn(name, one), `${name}=${one}`)
    }
    for (const [fields, sentence] of [
      [{ minVisits: '0' }, 'The number of visits must be a whole number from 1 to 10000.'],
      [{ withinDays: 'many' }, 'The number of days they came within must be a whole number'],
      [{ lapsedVisits: '2' }, 'Enter how many days they have been away'],
      [
        { mailedDays: '99999' },
        'The number of days since the last email must be a whole number from 1 to 3650.',
      ],
      [{ buyersOf: 'x' }, 'Choose from the events offered'],
      [{ anyTags: Array.from({ length: 51 }, (_, i) => `t${i}`) }, 'Choose at most 50 tags at once.'],
    ] as const) {
      const refused = await build(visitor, path, fields)
      assert.equal(refused.status, 400, sentence)
      assert.ok(wordsOf(refused).includes(sentence), wordsOf(refused))
      const part = await visitor.post(`${path}/people/count`, fields, { 'hx-request': 'true' })
      assert.ok(part.status === 200 && part.words.includes(sentence), 'said next to the form, too')
    }
    await service.db.session((client) =>
      client.query(`update campaign set segment = $2 where id = $1`, [
        id,
        {
          type: 'and',
          of: [
            { type: 'birthday', month: 1 },
            { type: 'birthday', month: 2 },
          ],
        },
      ]),
    )
    assert.ok(
      wordsOf(await visitor.get(`${path}/people`)).includes(
        'Connected software set up an audience that this form cannot show: Subscribers with a birthday in January and with a birthday in February.',
      ),
    )
  })

  it('are sent only with a test, a list, the right number, room in the plan and a clean checklist', async () => {
    const { venue, visitor } = await atWork(service)
    await subscribe(service, venue, 12)
    const path = await begin(visitor)
    const id = Number(path.slice(home.length + 1))
    await save(visitor, path)
    const send = (more: Record<string, string> = {}) =>
      visitor.post(`${path}/send`, { when: 'now', confirmCount: '12', ...more })
    const noAddress = await visitor.get(`${path}/send`)
    assert.ok(
      noAddress.html.includes('href="/office/settings/venue"') &&
        wordsOf(noAddress).includes('No test addresses'),
    )
    assert.ok(
      wordsOf(await followed(visitor, await visitor.post(`${path}/test`))).includes('no test address'),
    )
    await saveTestAddresses(service, venue)
    const untested = await send()
    assert.equal(untested.status, 409)
    assert.ok(wordsOf(untested).includes('Send a test first'))
    await visitor.post(`${path}/test`)
    assert.ok(wordsOf(await send()).includes('the list was not built yet'))
    await build(visitor, path)
    const wrong = await send({ confirmCount: '11' })
    assert.equal(wrong.status, 409)
    assert.ok(
      wordsOf(wrong).includes('The list now has 12 people, not 11.') && wrong.html.includes('value="11"'),
    )
    assert.ok(wordsOf(await send({ confirmCount: '' })).includes('Type the number of people it goes to'))
    assert.ok(wordsOf(await send({ confirmCount: 'all' })).includes('Type the number of people it goes to'))
    await service.db.session((client) =>
      client.query(`update venue set monthly_emails = 5 where id = $1`, [venue.id]),
    )
    const over = await send()
    assert.equal(over.status, 402)
    assert.ok(wordsOf(over).includes('the plan has 5 left this month.') && wordsOf(over).includes('too few'))
    await service.db.session((client) =>
      client.query(`update venue set monthly_emails = 5000, postal_address = null where id = $1`, [venue.id]),
    )
    const blocked = await send()
    assert.equal(blocked.status, 409)
    assert.ok(wordsOf(blocked).includes('Blocks it') && /postal address/i.test(wordsOf(blocked)))
    assert.equal((await rowOf(venue, id))?.status, 'draft')
    await saveTestAddresses(service, venue)
    assert.equal((await send({ confirmCount: '12' })).status, 303)
    const twice = await send()
    assert.equal(twice.status, 409, 'a replay changes nothing')
    assert.ok(wordsOf(twice).includes('is scheduled already'))
    const late = await visitor.post(`${path}/write`, { ...words, version: '9' })
    assert.ok(wordsOf(await followed(visitor, late)).includes('This campaign is already on its way'))
  })

  it('are scheduled by the clock of the venue', async () => {
    const { venue, visitor, path, id } = await ready()
    const send = (more: Record<string, string>) =>
      visitor.post(`${path}/send`, { when: 'later', confirmCount: '30', ...more })
    for (const [fields, sentence] of [
      [{ date: '', time: '10:00' }, 'Choose the day to send it.'],
      [{ date: '2026-10-09', time: '' }, 'Enter the time to send it'],
      [{ date: '2026-10-09', time: 'noonish' }, 'The time must be a time'],
      [{ date: '2026-10-06', time: '14:59' }, 'That time has already passed.'],
      [{ date: '2027-03-14', time: '02:30' }, 'That time does not exist on that day'],
    ] as const) {
      const refused = await send(fields)
      assert.equal(refused.status, 400, sentence)
      assert.ok(wordsOf(refused).includes(sentence), sentence)
      assert.match(refused.html, /value="later" checked/)
    }
    const report = await followed(visitor, await send({ date: '2026-10-09', time: '10:00' }))
    assert.ok(wordsOf(report).includes('Goes out October 9, 2026, 10:00 AM (New York time)'))
    const [row] = await rowsOf<{ at: string; hold: string | null }>(
      service,
      'select scheduled_at::text as at, send_hold_until::text as hold from campaign where venue_id = $1 and id = $2',
      [venue.id, id],
    )
    assert.equal(row?.hold, null, 'a plain time has no hold next to it')
    assert.ok(wordsOf(await visitor.get(home)).includes('goes out October 9, 2026, 10:00 AM'))
    const shrunk = await visitor.post(`${path}/compose`)
    assert.ok(wordsOf(shrunk).includes('The list is built'))
    // Due, and held: by a pause of the venue, or after a restore.
    await rowsOf(
      service,
      `update campaign set scheduled_at = '2026-10-06T18:59:00Z', last_error = 'Sending is on hold.'
        where venue_id = $1 and id = $2`,
      [venue.id, id],
    )
    const held = wordsOf(await visitor.get(`${path}/report`))
    assert.ok(held.includes('Waiting') && held.includes('Sending is on hold.') && !held.includes('Goes out'))
  })

  it('are reported as they go: sent, failed, left out, bounced, left, and again for who missed it', async () => {
    const { venue, visitor, path, id } = await ready(200)
    await visitor.post(`${path}/send`, { when: 'now', confirmCount: '200' })
    const set = (text: string, values: unknown[] = []) =>
      service.db.session((client) => client.query(text, [venue.id, id, ...values]))
    await set(`update campaign set status = 'sending', started_at = '2026-10-06T19:00:00Z', send_hold_until = null,
                 sent_count = 120, version = version + 1 where venue_id = $1 and id = $2`)
    await set(`update recipient set state = 'sent', ended_at = '2026-10-06T19:00:00Z'
                where venue_id = $1 and campaign_id = $2 and subscriber_id in (
                  select subscriber_id from recipient where venue_id = $1 and campaign_id = $2 order by 1 limit 120)`)
    service.setClock('2026-10-06T19:02:00Z')
    const going = await visitor.get(`${path}/report`)
    assert.ok(
      wordsOf(going).includes('60 emails per minute.') && wordsOf(going).includes('80 people still to go'),
    )
    const seen = /report\?seen=([\w-]+)/.exec(going.html)?.[1] as string
    const look = (what: string) => fetchPart(visitor, `${path}/report?seen=${what}`)
    assert.equal((await look(seen)).status, 204, 'nothing changed, nothing is sent')
    await set(`update campaign set sent_count = 150, version = version + 1 where venue_id = $1 and id = $2`)
    service.setClock('2026-10-06T19:02:10Z')
    const next = await look(seen)
    assert.ok(next.status === 200 && next.words.includes('180 emails per minute.'), next.words)
    await set(
      `update campaign set last_error = $3, send_hold_until = '2026-10-06T19:10:00Z', version = version + 1
        where venue_id = $1 and id = $2`,
      ['The mail relay cannot be used (connect). Sending resumes by itself when it can.'],
    )
    const held = wordsOf(await visitor.get(`${path}/report`))
    assert.ok(held.includes('Waiting') && held.includes('Sending resumes October 6, 2026, 3:10 PM'))
    assert.ok(held.includes('The mail relay cannot be used (connect).'))

    await set(`update recipient set state = 'failed', ended_at = due_at,
                 why = (array['permanent','used-up','unknown'])[1 + subscriber_id % 3]
                where venue_id = $1 and campaign_id = $2 and state = 'waiting' and subscriber_id % 4 = 0`)
    await set(`update recipient set state = 'skipped', ended_at = due_at,
                 why = (array['unsubscribed','suppressed'])[1 + subscriber_id % 2]
                where venue_id = $1 and campaign_id = $2 and state = 'waiting'`)
    await set(`update recipient set left_at = ended_at where venue_id = $1 and campaign_id = $2 and subscriber_id in (
                 select subscriber_id from recipient where venue_id = $1 and campaign_id = $2 and state = 'sent' limit 3)`)
    await set(`update campaign c set status = 'sent', finished_at = '2026-10-06T19:12:00Z', last_error = 'Some missed it.',
                 version = version + 1,
                 sent_count = (select count(*) from recipient r where r.campaign_id = c.id and r.state = 'sent'),
                 failed_count = (select count(*) from recipient r where r.campaign_id = c.id and r.state = 'failed'),
                 skipped_count = (select count(*) from recipient r where r.campaign_id = c.id and r.state = 'skipped')
               where venue_id = $1 and id = $2`)
    await set(`insert into mail_bounce (venue_id, email_key, kind, source, campaign_id, subscriber_id, report_key, at)
               select $1, 'x', (array['hard','soft','complaint'])[n], 'dsn', $2::bigint, n, 'k' || n, '2026-10-06T19:00:00Z'
                 from generate_series(1, 3) n`)
    const done = await visitor.get(`${path}/report`)
    assert.ok(!done.html.includes('hx-trigger="every 2s"'), 'it has ended')
    assert.match(
      done.html,
      /href="\/office\/reports\?from=2026-10-06&(amp;)?to=2026-10-06&(amp;)?compare=none#campaigns">What it brought/,
    )
    const said = wordsOf(done)
    for (const words of [
      'Some missed it.',
      '120 Sent',
      'Rejected',
      'Gave up after a day of attempts',
      'Outcome unknown',
      'No longer on the list',
      'On the do-not-email list',
      'Unsubscribed from this email 3',
      'Bounced: no such mailbox 1',
      'Bounced: full or busy 1',
      'Reported as spam 1',
      'in 12 minutes',
    ])
      assert.ok(said.includes(words), `${words}: ${said}`)
    assert.match(
      done.html,
      /role="img"\s+aria-label="200 people on the list: Sent 120, Failed \d+, Left out on purpose \d+"/,
    )
    const missed = Number(/Send again to (\d+) people/.exec(said)?.[1])
    assert.ok(missed > 0)
    const form = await visitor.get(`${path}/send`)
    assert.ok(wordsOf(form).includes(`Send again to ${missed} people`))
    const again = await followed(
      visitor,
      await visitor.post(`${path}/send`, { when: 'now', confirmCount: String(missed) }),
    )
    assert.ok(wordsOf(again).includes('Scheduled'))
    service.setClock('2026-10-06T19:00:00Z')
  })

  it('are begun once by one form, and copied with words and people', async () => {
    const { venue, visitor } = await atWork(service)
    const token = randomUUID()
    const fields = { token, name: words.name, subject: words.subject }
    const [one, two] = await Promise.all([visitor.post(home, fields), visitor.post(home, fields)])
    assert.equal(one.status, 303)
    assert.equal(two.status, 303)
    assert.equal(await countOf(service, 'campaign', venue.id), 1)
    const path = ([one.to, two.to].find((to) => to?.endsWith('/write')) as string).replace('/write', '')
    await save(visitor, path, { seriesKey: 'Oysters', seriesStep: '1', seriesTotal: '2' })
    const copied = await make(visitor, `${path}/copy`, {})
    const page = await followed(visitor, copied)
    assert.ok(page.html.includes('value="Copy of October oyster week"') && page.html.includes('Oyster week'))
    const bad = await make(visitor, home, { name: '', subject: 'Oysters' })
    assert.equal(bad.status, 400)
    assert.ok(wordsOf(bad).includes('The name is missing.') && bad.html.includes('value="Oysters"'))
    assert.equal((await visitor.post(home, { name: 'x', subject: 'y' })).status, 400, 'without a token')
  })

  it('hold back the share that the settings say, and say so', async () => {
    const { venue, visitor } = await atWork(service)
    await subscribe(service, venue, 400)
    const settings = '/office/settings/mail'
    const version = hiddenIn(await visitor.get(settings), 'version')
    for (const percent of ['51', '-1', 'ten', '1.5']) {
      const refused = await visitor.post(settings, { version, holdoutPct: percent })
      assert.equal(refused.status, 400, percent)
      assert.ok(refused.html.includes(`value="${percent}"`))
    }
    const saved = await followed(visitor, await visitor.post(settings, { version, holdoutPct: '10' }))
    assert.ok(saved.html.includes('value="10"'))
    assert.equal((await visitor.post(settings, { version, holdoutPct: '20' })).status, 409)
    const path = await begin(visitor)
    const built = wordsOf(await build(visitor, path))
    assert.match(built, /Held back for comparison, 10% −\d+/)
    const takes = 'From 100 held back on, reports can say what a campaign brought: about 25% of 400 people.'
    assert.ok(wordsOf(saved).includes(`10% of your 400 subscribers is about 40. ${takes}`))
    assert.ok(built.includes(takes))
    assert.match(
      wordsOf(await visitor.get(`${path}/send`)),
      /\d+ people are held back for comparison\. From 100 held/,
    )
    const more = hiddenIn(await visitor.get(settings), 'version')
    const enough = await followed(visitor, await visitor.post(settings, { version: more, holdoutPct: '40' }))
    assert.ok(wordsOf(enough).includes('40% of your 400 subscribers is about 160.'))
    const pages = [enough, await build(visitor, path), await visitor.get(`${path}/send`)]
    for (const page of pages) assert.doesNotMatch(wordsOf(page), /From 100 held back on/)
    assert.ok(
      wordsOf(await visitor.get('/office/activity')).includes('Changed the email settings of the venue'),
    )
  })

  it('let guests choose topics that a manager shows them', async () => {
    const { venue, visitor } = await atWork(service)
    const subscriber = idAt(
      await make(visitor, '/office/subscribers', {
        email: 'maya@example.com',
        where: 'Till',
        tag: 'Wine evenings',
      }),
    )
    const token = makeLinkToken(service.context.secrets, 'preferences', {
      venue: venue.id,
      subscriber: Number(subscriber),
      campaign: 0,
    })
    const guestSees = async () =>
      (await (await fetch(`${service.url}/p/${token}`)).text()).includes('Wine evenings')
    assert.equal(await guestSees(), false)
    const page = await visitor.get('/office/subscribers/topics')
    const tag = /topics\/(\d+)"/.exec(page.html)?.[1]
    const on = await followed(
      visitor,
      await visitor.post(`/office/subscribers/topics/${tag}`, { topic: 'yes' }),
    )
    assert.ok(wordsOf(on).includes('Guests can now choose “Wine evenings”.'))
    assert.equal(await guestSees(), true)
    await visitor.post(`/office/subscribers/topics/${tag}`, { topic: 'no' })
    assert.equal(await guestSees(), false)
    const { visitor: other } = await atWork(service)
    assert.equal((await other.post(`/office/subscribers/topics/${tag}`, { topic: 'yes' })).status, 404)
    assert.ok(wordsOf(await visitor.get('/office/activity')).includes('Let guests choose a tag'))
  })

  it('are paged, newest first, 10,000 of them', async () => {
    const { venue, visitor } = await atWork(service)
    await service.db.session((client) =>
      client.query(
        `insert into campaign (venue_id, name, subject, body_html, status, finished_at, created_at, updated_at)
         select $1, 'Campaign ' || n, 'Subject', repeat('x', 2000), 'cancelled', '2026-10-01',
                timestamptz '2026-01-01' + (n / 3) * interval '1 minute', '2026-10-01' from generate_series(1, 10000) n`,
        [venue.id],
      ),
    )
    const found = new Set<string>()
    let path: string | undefined = home
    let pages = 0
    while (path !== undefined) {
      const here: string = path
      const page: Seen = await timed(here, 200, () => visitor.get(here))
      pages++
      for (const [, id] of page.html.matchAll(/href="\/office\/campaigns\/(\d+)"/g)) found.add(id as string)
      path = /rel="next" href="([^"]*)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&')
    }
    assert.equal(found.size, 10_000)
    assert.equal(pages, 200)
    assert.ok(wordsOf(await visitor.get(home)).includes('Campaign 10000'))
  })
})

const fetchPart = async (
  visitor: OfficeVisitor,
  path: string,
): Promise<{ status: number; words: string }> => {
  const { status, words } = await visitor.get(path, { 'hx-request': 'true' })
  return { status, words }
}

/** A field that holds a value: chosen, ticked or typed. */
const shownIn = (name: string, value: string): RegExp =>
  ['minVisits', 'withinDays', 'notSinceDays', 'lapsedVisits', 'mailedDays'].includes(name)
    ? new RegExp(`name="${name}"[^>]*value="${value}"`)
    : ['anyTags', 'allTags', 'noTags', 'outTags', 'outCampaigns'].includes(name)
      ? new RegExp(`name="${name}" value="${value}" checked`)
      : new RegExp(`<option value="${value}" selected`)
