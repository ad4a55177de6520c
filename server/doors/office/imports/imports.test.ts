import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runImports } from '../../../data/imports/run.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { chosenIn, guestsOf, importingOwner } from './test/importing-owner.ts'

describe('an owner imports data', () => {
  let service: TestService
  before(async () => {
    service = await startService({ PRACTICE: 'on' })
  })
  after(() => service.stop())

  const newOwner = () => importingOwner(service)
  const guests = (venue: TestVenue) => guestsOf(service, venue)

  it('logs each start and stop, with file and rows', async () => {
    const { owner, upload, bring } = await newOwner()
    const { to } = await bring('guests', 'Name,Email\nMaya,maya@example.com\n')
    await owner.post(`${to}/start`)
    const second = (await upload('guests', 'Name,Email\nOmar,omar@example.com\nAda,ada@example.com\n')).to
    await owner.post(`${second}/cancel`)
    await owner.post(`${second}/cancel`)
    const { words } = await owner.get('/office/activity')
    const told = [
      ...words.matchAll(/(Started|Stopped) import \d+ by owner file: guests.csv kind: guests rows: (\d)/g),
    ]
    assert.deepEqual(
      told.map(([, what, rows]) => [what, rows]),
      [
        ['Stopped', '2'],
        ['Started', '1'],
      ],
    )
  })

  describe('guests', () => {
    it('are mapped by their headings, previewed and imported; skipped rows are listed by line', async () => {
      const { venue, owner, upload } = await newOwner()
      const file = [
        '\uFEFFNachname;Vorname;E-Mail;Telefon;Besuche;Letzter Besuch;Bemerkungen',
        'Müller;Jürgen;juergen@example.com;+49 30 5550100;12;24.12.2025;"Mag; ""Fenster""\nund Ruhe"',
        ';Ohne;;12;;;',
        'Öz;Ayşe;ayse@@example;;;;',
        "Okafor;Maya;maya@example.com;'+1 212 555 0100;3;31.02.2026;",
        '"=HYPERLINK(""http://x"")";;formula@example.com;;;;',
        '',
      ].join('\r\n')
      const { to } = await upload('guests', file)
      assert.match(to ?? '', /^\/office\/data\/imports\/\d+$/)
      const shown = await owner.get(to as string)
      assert.ok(shown.html.includes('Jürgen'))
      assert.ok(shown.html.includes('New guest'))
      assert.ok(shown.html.includes('=HYPERLINK(&quot;http://x&quot;)'), 'shown as text')
      assert.equal((await guests(venue)).length, 0, 'nothing is written before the owner says so')

      await owner.post(`${to}/start`, chosenIn(shown.html))
      await runImports(service.context)
      const made = (await guests(venue)).toSorted((a: { id: number }, b: { id: number }) => a.id - b.id)
      assert.deepEqual(
        made.map(({ name, email, phone, visitCount, lastVisitDate }: Record<string, unknown>) => ({
          name,
          email,
          phone,
          visitCount,
          lastVisitDate,
        })),
        [
          {
            name: 'Jürgen Müller',
            email: 'juergen@example.com',
            phone: '+49 30 5550100',
            visitCount: 12,
            lastVisitDate: '2025-12-24',
          },
          {
            name: '=HYPERLINK("http://x")',
            email: 'formula@example.com',
            phone: null,
            visitCount: 0,
            lastVisitDate: null,
          },
        ],
      )
      const report = await owner.get(`${to}/skipped.csv`)
      assert.match(report.headers.get('content-disposition') ?? '', /attachment; filename="skipped-guests/)
      const lines = report.html.trim().split('\r\n')
      assert.deepEqual(
        lines.map((line) => line.split(',')[0]),
        ['line', '4', '5', '6'],
      )
      assert.match(lines[1] ?? '', /needs an email address or a phone number/)
      assert.match(lines[3] ?? '', /The last visit must be a real date/)
      assert.ok(!report.html.includes('ayse'), 'a report holds nobody’s details')
      assert.ok((await owner.get(to as string)).html.includes('Line 4'))
    })

    it('existing ones are filled in, and the same file again creates no duplicates', async () => {
      const { venue, bring } = await newOwner()
      await service.call('POST', '/api/v1/guests', {
        key: venue.key,
        body: { email: 'maya@example.com', name: 'Maya Okafor' },
      })
      const file =
        'name,email,phone,visitCount,notes\nM. Okafor,MAYA@example.com,212 555 0100,5,Likes the bar\nNia,nia@example.com,,,\n'
      const first = await bring('guests', file)
      assert.deepEqual([first.state, first.made, first.known], ['done', 1, 1])
      const before = await guests(venue)
      const maya = before.find(({ email }: { email: string }) => email === 'maya@example.com')
      assert.equal(maya.name, 'Maya Okafor')
      assert.equal(maya.phone, '212 555 0100')
      assert.equal(maya.visitCount, 5)
      const notes = async () =>
        (
          await rowsOf<{ n: string }>(service, 'select staff_notes as n from guest where venue_id = $1', [
            venue.id,
          ])
        )
          .map(({ n }) => n)
          .toSorted()
      const notesBefore = await notes()
      assert.ok(notesBefore.some((text) => text.includes('import: another name was given: M. Okafor')))

      service.setClock('2026-10-07T06:00:00Z')
      const second = await bring('guests', file).finally(() => service.setClock('2026-10-06T19:00:00Z'))
      assert.deepEqual([second.made, second.known], [0, 2])
      const unstamped = (all: Record<string, unknown>[]) => all.map((one) => ({ ...one, updatedAt: null }))
      assert.deepEqual(unstamped(await guests(venue)), unstamped(before))
      assert.deepEqual(await notes(), notesBefore)
    })

    it('emit one event each, complete, at half the contract’s pace and after live events', async () => {
      const { venue, bring } = await newOwner()
      await service.call('POST', '/api/v1/webhooks', {
        key: venue.key,
        body: { url: 'http://127.0.0.1:9/', events: ['guest.created'] },
      })
      const rows = Array.from({ length: 90 }, (_, i) => `g${i}@example.com,${i}`)
      const { told } = await bring('guests', `email,visits\n${rows.join('\n')}`)
      assert.equal(told, 90)
      await service.call('POST', '/api/v1/guests', { key: venue.key, body: { email: 'now@example.com' } })
      const due = await rowsOf<{ email: string; visits: number; s: number }>(
        service,
        `select e.data::jsonb ->> 'email' as email, (e.data::jsonb ->> 'visitCount')::int as visits,
                extract(epoch from d.due_at - d.occurred_at)::int as s
           from delivery d join event e on e.venue_id = d.venue_id and e.id = d.event_id
          where d.venue_id = $1 order by d.due_at, e.id`,
        [venue.id],
      )
      assert.equal(due.length, 91)
      assert.equal(due.find(({ email }) => email === 'now@example.com')?.s, 0)
      assert.equal(due.find(({ email }) => email === 'g89@example.com')?.s, 178)
      assert.equal(due.find(({ email }) => email === 'g89@example.com')?.visits, 89)
    })
  })

  describe('a file that cannot be imported is refused with a sentence, and nothing of it is kept', () => {
    const cases: [what: string, content: string | Buffer, said: RegExp][] = [
      [
        'half of a letter in UTF-16',
        Buffer.from('\uFEFFname,email\n', 'utf16le').subarray(0, -1),
        /neither UTF-8 nor/,
      ],
      [
        'Windows-1252',
        Buffer.from('name,email\nJ\xfcrgen,j@example.com\n', 'latin1'),
        /neither UTF-8 nor UTF-16/,
      ],
      ['an open quote', 'name,email\n"Maya,maya@example.com\n', /opened in line 2 is never closed/],
      ['nothing', '', /This file is empty|Choose a file/],
      ['only headings', 'name,email\n', /This file has headings but no rows/],
      ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2, 0xff]), /UTF-8|CSV file/],
    ]
    for (const [what, content, said] of cases) {
      it(what, async () => {
        const { venue, upload } = await newOwner()
        const answer = await upload('guests', content)
        assert.equal(answer.status, 400)
        assert.match(answer.html, said)
        const parts = await rowsOf(service, 'select 1 from data_import_part where venue_id = $1', [venue.id])
        assert.equal(parts.length, 0)
      })
    }

    it('an incomplete form comes back with the sentence and what was chosen and typed', async () => {
      const { owner, upload } = await newOwner()
      const { to } = await upload('subscribers', 'Word,Other\nmaya@example.com,x\n')
      const sent = {
        'column-email': '',
        'column-tag': '1',
        dates: 'day-first',
        evidenceSource: 'Paper & pen',
        evidenceStatement: 'I agree <b>',
        evidenceDate: '2027-01-01',
      }
      for (const action of ['start', 'plan']) {
        const again = await owner.post(`${to}/${action}`, sent)
        assert.equal(again.status, 400)
        assert.match(again.words, /The consent date is in the future\./)
        assert.equal(chosenIn(again.html)['column-tag'], '1')
        assert.equal(chosenIn(again.html)['dates'], 'day-first')
        assert.match(again.html, /name="evidenceSource"[^>]*value="Paper &amp; pen"/)
        assert.match(again.html, />I agree &lt;b&gt;<\/textarea/)
        assert.match(again.html, /value="2027-01-01"/)
      }
      const missing = await owner.post(`${to}/start`, { ...sent, evidenceDate: '2026-10-01' })
      assert.equal(missing.status, 400)
      assert.match(missing.words, /Choose the column for: Email\./)
      assert.equal(chosenIn(missing.html)['column-tag'], '1')
    })

    it('a form without a file, another form’s body, a forged origin, another role and another venue’s import', async () => {
      const { venue, owner, upload } = await newOwner()
      const post = (headers: Record<string, string>, body: string) =>
        fetch(`${service.url}/office/data/imports/guests`, {
          method: 'POST',
          body,
          redirect: 'manual',
          headers: { cookie: owner.cookie(), 'sec-fetch-site': 'same-origin', ...headers },
        })
      assert.equal(
        (await post({ 'content-type': 'multipart/form-data; boundary=x' }, '--x--\r\n')).status,
        400,
      )
      assert.equal((await post({ 'content-type': 'multipart/form-data' }, 'x')).status, 400)
      assert.equal(
        (await post({ 'content-type': 'application/x-www-form-urlencoded' }, 'file=x')).status,
        400,
      )
      const broken =
        '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname,email\n'
      assert.equal((await post({ 'content-type': 'multipart/form-data; boundary=x' }, broken)).status, 400)
      assert.equal(
        (await upload('guests', 'email\na@b.co\n', { 'sec-fetch-site': 'cross-site' })).status,
        403,
      )
      const { to } = await upload('guests', 'email\na@b.co\n')
      const stranger = await newOwner()
      assert.equal((await stranger.owner.get(to as string)).status, 404)
      assert.equal((await stranger.owner.post(`${to}/start`, {})).status, 404)
      assert.equal((await stranger.owner.post(`${to}/cancel`, {})).status, 404)
      const { email } = await staffOf(service, venue, 'host')
      const host = visitOffice(service)
      await host.signIn(email)
      for (const path of [
        '/office/data',
        '/office/data/export/guests.csv',
        '/office/data/person?q=a',
        to as string,
      ])
        assert.equal((await host.get(path)).status, 403, path)
      assert.equal((await owner.post(`${to}/start`, { 'column-email': '' })).status, 400)
      await owner.post(`${to}/cancel`)
      assert.equal((await owner.post(`${to}/start`, { 'column-email': '0' })).status, 409)
    })
  })
})
