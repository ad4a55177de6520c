import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runImports } from '../../imports/run.ts'
import { sql } from '../../db/sql.ts'
import { erasedAddress } from '../../subscribers/erased-address.ts'
import { growthByMonth } from '../../subscribers/growth.ts'
import { staffOf, visitOffice } from '../../test/office.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'

describe('an owner imports data', () => {
  let service: TestService
  before(async () => {
    service = await startService({ PRACTICE: 'on' })
  })
  after(() => service.stop())

  const newOwner = async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'owner')
    const owner = visitOffice(service)
    await owner.signIn(email)
    const upload = (kind: string, bytes: string | Buffer, headers = {}) =>
      owner.upload(`/office/data/imports/${kind}`, { name: `${kind}.csv`, bytes }, headers)
    /** Uploads, starts with the columns that were guessed and those given, and runs to the end. */
    const bring = async (kind: string, text: string, more: Record<string, string> = {}) => {
      const { to, html } = await upload(kind, text)
      assert.ok(to, html)
      const shown = await owner.get(to)
      const fields = { ...chosenIn(shown.html), ...more }
      const started = await owner.post(`${to}/start`, fields)
      assert.equal(started.status, 303, started.html)
      await runImports(service.context)
      return { to, ...(await counts(venue, to)) }
    }
    return { venue, owner, upload, bring }
  }

  const counts = async (venue: TestVenue, to: string) =>
    service.db.one(
      sql({ state: 'text', made: 'int4', known: 'int4', refused: 'int4', told: 'int4', problem: 'text?' })`
        select state, made, known, refused, told, problem from data_import
         where venue_id = ${venue.id} and id = ${Number(to.split('/').at(-1))}`,
    )

  const guests = async (venue: TestVenue) =>
    (await service.call('GET', '/api/v1/guests?limit=100', { key: venue.key })).body

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
    it('are mapped by their headings, previewed, imported, and refused rows are told by line', async () => {
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
      const report = await owner.get(`${to}/refused.csv`)
      assert.match(report.headers.get('content-disposition') ?? '', /attachment; filename="refused-guests/)
      const lines = report.html.trim().split('\r\n')
      assert.deepEqual(
        lines.map((line) => line.split(',')[0]),
        ['line', '4', '5', '6'],
      )
      assert.match(lines[1] ?? '', /needs an email address or a phone number/)
      assert.match(lines[3] ?? '', /The last visit must be a real date/)
      assert.ok(!report.html.includes('ayse'), 'a report holds nobody’s details')
      assert.ok((await owner.get(to as string)).html.includes('Line 4'))
      const parts = await rowsOf(service, 'select 1 from data_import_part where venue_id = $1', [venue.id])
      assert.equal(parts.length, 0, 'the file is thrown away when it was imported')
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

  describe('subscribers', () => {
    it('come with evidence by column or for the whole file; who left or must not be mailed is not added', async () => {
      const { venue, owner, bring } = await newOwner()
      const key = venue.key
      const consent = { source: 'Form', at: '2026-01-02T00:00:00Z' }
      await service.call('POST', '/api/v1/subscribers', { key, body: { email: 'left@example.com', consent } })
      await service.db.run(sql()`
        update subscriber set status = 'unsubscribed' where venue_id = ${venue.id} and email_key = 'left@example.com'`)
      await service.db.run(sql()`
        insert into suppression (venue_id, email_key, reason, created_at)
        values (${venue.id}, 'bounced@example.com', 'bounced', ${service.context.clock()})`)
      const file = [
        'Email Address,First Name,Birthday,Tags,OPTIN_TIME,Status',
        'a@example.com,Ana,04/23,Regulars,2024-05-06,subscribed',
        'b@example.com,Ben,,,,subscribed',
        'left@example.com,,,,2024-05-06,subscribed',
        'bounced@example.com,,,,2024-05-06,subscribed',
        'gone@example.com,,,,2024-05-06,unsubscribed',
      ].join('\n')
      const without = await bring('subscribers', file)
      assert.deepEqual([without.made, without.refused], [1, 4], 'nobody is added without where and when')
      const evidence = {
        evidenceSource: 'Sheet at the bar',
        evidenceDate: '2026-03-01',
        evidenceStatement: 'Send me news',
      }
      const first = await bring('subscribers', file, evidence)
      assert.deepEqual([first.made, first.known, first.refused], [2, 1, 2])
      const report = (await owner.get(`${first.to}/refused.csv`)).html
      assert.match(report, /4,They are unsubscribed and can only sign up again themselves\./)
      assert.match(report, /5,This address is on the do-not-email list/)
      const { body } = await service.call('GET', '/api/v1/subscribers', { key })
      const ana = body.find(({ email }: { email: string }) => email === 'a@example.com')
      assert.deepEqual(
        [ana.source, ana.status, ana.consentAt, ana.birthMonth, ana.birthDay, ana.firstName],
        ['import', 'subscribed', '2024-05-06T04:00:00.000Z', 4, 23, 'Ana'],
      )
      const consents = () =>
        rowsOf(service, "select 1 from consent where venue_id = $1 and recorded_via = 'import'", [venue.id])
      assert.equal((await consents()).length, 2)
      const again = await bring('subscribers', file, evidence)
      assert.deepEqual([again.made, again.known, again.refused], [0, 3, 2])
      assert.equal((await consents()).length, 2)
    })
  })

  describe('objections', () => {
    const subscribe = async (venue: TestVenue, email: string, at: string) => {
      const body = { email, consent: { source: 'Form', at } }
      const answer = await service.call('POST', '/api/v1/subscribers', { key: venue.key, body })
      assert.equal(answer.status, 201, answer.text)
    }
    /** Everybody of the list by address, with the status and the moment they left. */
    const people = async (venue: TestVenue) => {
      const { body } = await service.call('GET', '/api/v1/subscribers?limit=100', { key: venue.key })
      const shown = body.map((one: Record<string, unknown>) => [
        one['email'],
        [one['status'], one['unsubscribedAt']],
      ])
      return Object.fromEntries(shown)
    }
    const doNotEmail = async (venue: TestVenue) => {
      const rows = await rowsOf<{ email: string; reason: string; at: string }>(
        service,
        `select email_key as email, reason, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at
           from suppression where venue_id = $1 order by 1`,
        [venue.id],
      )
      return Object.fromEntries(rows.map(({ email, reason, at }) => [email, `${reason} ${at}`]))
    }
    const told = async (venue: TestVenue) =>
      (
        await rowsOf<{ name: string; email: string; status: string }>(
          service,
          `select name, data::jsonb ->> 'email' as email, data::jsonb ->> 'status' as status
             from event where venue_id = $1 and name like 'subscriber.%' order by id`,
          [venue.id],
        )
      ).map(({ name, email, status }) => `${name} ${email} ${status}`)
    const now = '2026-10-06T19:00:00.000Z'

    it('are known by the columns of other programs, with a word, a yes or a date', async () => {
      const evidence = { evidenceSource: 'Our shop', evidenceDate: '2026-03-01' }
      const files: [file: string, statuses: Record<string, string>][] = [
        [
          'Email,Email Marketing Consent\na@example.com,SUBSCRIBED\nb@example.com,UNSUBSCRIBED\nc@example.com,NEVER_SUBSCRIBED\n',
          { a: 'subscribed', b: 'unsubscribed' },
        ],
        ['Email,Accepts Email Marketing\na@example.com,yes\nb@example.com,no\n', { a: 'subscribed' }],
        [
          'Email,Unsubscribed\na@example.com,false\nb@example.com,TRUE\nc@example.com,2026-04-01\nd@example.com,\n',
          { a: 'subscribed', b: 'unsubscribed', c: 'unsubscribed', d: 'subscribed' },
        ],
        [
          'Email,Opted out,Bounced\na@example.com,No,0\nb@example.com,Yes,0\nc@example.com,No,1\n',
          { a: 'subscribed', b: 'unsubscribed' },
        ],
      ]
      for (const [file, expected] of files) {
        const { venue, bring } = await newOwner()
        await bring('subscribers', file, evidence)
        const statuses = Object.entries<[string]>(await people(venue)).map(([email, [status]]) => [
          email.slice(0, 1),
          status,
        ])
        assert.deepEqual(Object.fromEntries(statuses), expected, file)
        const bounced = file.includes('Bounced') ? ['c@example.com'] : []
        assert.deepEqual(Object.keys(await doNotEmail(venue)), bounced)
      }
    })

    it('of somebody new are kept, as an unsubscribed person or on the do-not-email list, and emit nothing', async () => {
      const { venue, bring } = await newOwner()
      const file = [
        'Email,First name,Status,Unsubscribed at,Bounced at',
        'left@example.com,Lee,Unsubscribed,2025-03-04T10:00:00Z,',
        'day@example.com,,opted-out,2025-03-04,',
        'odd@example.com,,UNSUBSCRIBED,not a date,',
        'ahead@example.com,,Unsubscribed,2030-01-01T00:00:00Z,',
        'gone@example.com,,Cleaned,,2025-05-06T10:00:00Z',
        'angry@example.com,,Complained,2025-07-08T10:00:00Z,',
        'staff@example.com,,Do not email,,',
        'waits@example.com,,pending,,',
        'strange@example.com,,golden,,',
        'nobody,,unsubscribed,,',
      ].join('\n')
      const first = await bring('subscribers', file)
      assert.deepEqual([first.made, first.known, first.refused, first.told], [7, 0, 3, 0])
      assert.deepEqual(await people(venue), {
        'left@example.com': ['unsubscribed', '2025-03-04T10:00:00.000Z'],
        'day@example.com': ['unsubscribed', '2025-03-05T04:59:59.999Z'],
        'odd@example.com': ['unsubscribed', now],
        'ahead@example.com': ['unsubscribed', now],
      })
      const list = {
        'angry@example.com': 'spam_report 2025-07-08 10:00',
        'gone@example.com': 'bounced 2025-05-06 10:00',
        'staff@example.com': 'staff_removal 2026-10-06 19:00',
      }
      assert.deepEqual(await doNotEmail(venue), list)
      assert.deepEqual(await told(venue), [])
      const { body } = await service.call('GET', '/api/v1/subscribers', { key: venue.key })
      assert.ok(
        body.every((one: Record<string, unknown>) => one['source'] === 'import' && one['consentAt'] === null),
      )
      const growth = await growthByMonth(service.db, venue.id, venue.timezone, '2025-01-01')
      assert.deepEqual(growth, { before: 0, months: [] }, 'who never was on this list did not leave it')

      const again = await bring('subscribers', file)
      assert.deepEqual([again.made, again.known], [0, 7])
      assert.deepEqual(await doNotEmail(venue), list)
      for (const [email, status] of [
        ['left@example.com', 'unsubscribed'],
        ['gone@example.com', 'suppressed'],
      ]) {
        const answer = await service.call('POST', '/api/v1/subscribers', {
          key: venue.key,
          body: { email, consent: { source: 'Form' } },
        })
        assert.deepEqual([answer.status, answer.body.added, answer.body.status], [200, false, status])
      }
    })

    it('of somebody subscribed here move them, with the event, unless the file dates the objection before their consent', async () => {
      const { venue, owner, upload } = await newOwner()
      await service.call('POST', '/api/v1/webhooks', {
        key: venue.key,
        body: { url: 'http://127.0.0.1:9/', events: ['subscriber.unsubscribed'] },
      })
      const agreed = '2026-05-01T16:00:00Z'
      for (const name of [
        'later',
        'sameday',
        'undated',
        'before',
        'angry',
        'angrybefore',
        'bounced',
        'waits',
      ]) {
        await subscribe(venue, `${name}@example.com`, agreed)
      }
      // Evidence that came later counts as well.
      await subscribe(venue, 'renewed@example.com', '2024-01-01T00:00:00Z')
      await service.call('POST', '/api/v1/subscribers', {
        key: venue.key,
        body: { email: 'renewed@example.com', consent: { source: 'Form', at: '2026-02-01T00:00:00Z' } },
      })
      await service.db.run(sql()`
        update subscriber set status = 'pending' where venue_id = ${venue.id} and email_key = 'waits@example.com'`)
      const before = (await told(venue)).length
      const file = [
        'Email,Status,Unsubscribed at',
        'later@example.com,unsubscribed,2026-05-02T00:00:00Z',
        'before@example.com,unsubscribed,2026-04-30T00:00:00Z',
        'angry@example.com,complained,2026-06-01',
        'bounced@example.com,bounced,',
        'waits@example.com,unsubscribed,',
        'renewed@example.com,unsubscribed,2025-01-01',
        'sameday@example.com,unsubscribed,2026-05-01',
        'angrybefore@example.com,spam,2026-04-01',
        'undated@example.com,unsubscribed,',
      ].join('\n')
      const { to } = await upload('subscribers', file)
      const ready = await owner.get(to as string)
      for (const words of [
        /2 Removed from your list later@/,
        /3 Stays on your list: they agreed after the date in the file before@/,
        /4 Added to the do-not-email list and removed from your list angry@/,
        /5 Added to the do-not-email list bounced@/,
        /6 Removed from your list waits@/,
        /9 of the first 9 rows are marked unsubscribed, bounced or complained/,
        /each subscriber added to or removed from your list/,
      ]) {
        assert.match(ready.words, words)
      }
      const run = async () => {
        await owner.post(`${to}/start`, chosenIn(ready.html))
        await runImports(service.context)
        return counts(venue, to as string)
      }
      const done = await run()
      assert.deepEqual([done.made, done.known, done.refused, done.told], [6, 3, 0, 5])
      assert.deepEqual(await people(venue), {
        'later@example.com': ['unsubscribed', now],
        'before@example.com': ['subscribed', null],
        'angry@example.com': ['unsubscribed', now],
        'bounced@example.com': ['subscribed', null],
        'waits@example.com': ['unsubscribed', now],
        'renewed@example.com': ['subscribed', null],
        'sameday@example.com': ['unsubscribed', now],
        'angrybefore@example.com': ['subscribed', null],
        'undated@example.com': ['unsubscribed', now],
      })
      assert.deepEqual(Object.keys(await doNotEmail(venue)), ['angry@example.com', 'bounced@example.com'])
      const events = (await told(venue)).slice(before)
      assert.deepEqual(
        events,
        ['later', 'angry', 'waits', 'sameday', 'undated'].map(
          (name) => `subscriber.unsubscribed ${name}@example.com unsubscribed`,
        ),
      )
      const { words } = await owner.get('/office/activity')
      assert.match(words, /Unsubscribed subscriber \d+ by owner /)
      assert.match(words, /Ended the sign-up for subscriber \d+ by owner /)
    })

    it('say so by their dates where a file has no status', async () => {
      const { venue, bring } = await newOwner()
      const evidence = { evidenceSource: 'Sheet at the bar' }
      const left =
        'Email Address,OPTIN_TIME,UNSUB_TIME\na@example.com,2024-01-01 10:00:00,2025-01-02 10:00:00\n'
      const cleaned =
        'Email Address,OPTIN_TIME,CLEAN_TIME\nb@example.com,2024-01-01 10:00:00,2025-01-02 10:00:00\n'
      for (const file of [left, cleaned]) {
        const { made, refused } = await bring('subscribers', file, evidence)
        assert.deepEqual([made, refused], [1, 0])
      }
      assert.deepEqual(await people(venue), { 'a@example.com': ['unsubscribed', '2025-01-03T04:59:59.999Z'] })
      assert.deepEqual(await doNotEmail(venue), { 'b@example.com': 'bounced 2025-01-03 04:59' })
      assert.deepEqual(await told(venue), [])
    })

    it('the own exports bring them to another venue, and nothing twice to the same one', async () => {
      const { venue, owner, bring } = await newOwner()
      await subscribe(venue, 'stays@example.com', '2026-01-01T00:00:00Z')
      await subscribe(venue, 'left@example.com', '2026-01-01T00:00:00Z')
      await bring('subscribers', 'email,status,unsubscribedAt\nleft@example.com,unsubscribed,\n')
      await bring(
        'do-not-email',
        'Email,Reason,Date\nAda@example.com,spam_report,2025-01-02T03:04:05Z\nbo@example.com,bounced,\ncy@example.com,wrote to us,\n',
      )
      await service.db.run(sql()`
        insert into suppression (venue_id, email_key, reason, created_at)
        values (${venue.id}, ${erasedAddress(venue.id, 'erased@example.com')}, 'staff_removal', ${service.context.clock()})`)
      const list = await doNotEmail(venue)
      const exported = async (kind: string) => (await owner.get(`/office/data/export/${kind}.csv`)).html
      const [subscribers, doNotMail] = [await exported('subscribers'), await exported('do-not-email')]

      const events = await told(venue)
      const same = await bring('do-not-email', doNotMail)
      assert.deepEqual([same.made, same.known, same.refused], [0, 3, 1])
      assert.match(
        (await owner.get(`${same.to}/refused.csv`)).html,
        /This person was erased\. The entry has no address/,
      )
      const sameAgain = await bring('subscribers', subscribers)
      assert.deepEqual([sameAgain.made, sameAgain.known], [0, 2])
      const erased = await bring('subscribers', 'email,status\nerased@example.com,unsubscribed\n')
      assert.deepEqual([erased.made, erased.known], [0, 1])
      assert.deepEqual([await doNotEmail(venue), await told(venue)], [list, events])

      const other = await newOwner()
      await subscribe(other.venue, 'ada@example.com', '2024-01-01T00:00:00Z')
      const there = await other.bring('do-not-email', doNotMail)
      assert.deepEqual([there.made, there.refused], [3, 1])
      const { [Object.keys(list).find((email) => email.startsWith('erased:')) ?? '']: _, ...plain } = list
      assert.deepEqual(await doNotEmail(other.venue), plain)
      assert.equal((await told(other.venue)).at(-1), 'subscriber.unsubscribed ada@example.com unsubscribed')
      await other.bring('subscribers', subscribers, { evidenceSource: 'Brought', evidenceDate: '2026-01-01' })
      const { 'left@example.com': gone, 'stays@example.com': stays } = await people(other.venue)
      assert.deepEqual(
        [gone, stays],
        [
          ['unsubscribed', now],
          ['subscribed', null],
        ],
      )
    })

    it('a list in the wrong place subscribes nobody and removes nobody', async () => {
      const { venue, bring } = await newOwner()
      await subscribe(venue, 'stays@example.com', '2026-01-01T00:00:00Z')
      const subscribers = await bring('do-not-email', 'email,status\nstays@example.com,subscribed\n')
      assert.deepEqual([subscribers.made, subscribers.refused], [0, 1])
      const doNotMail = await bring(
        'subscribers',
        'id,email,reason,createdAt\n1,ada@example.com,staff_removal,2026-01-01T00:00:00.000Z\n',
        { evidenceSource: 'Sheet', evidenceDate: '2026-01-01' },
      )
      assert.equal(doNotMail.made, 1)
      assert.deepEqual(await people(venue), { 'stays@example.com': ['subscribed', null] })
      assert.deepEqual(Object.keys(await doNotEmail(venue)), ['ada@example.com'])
    })
  })

  describe('reservations', () => {
    const file = [
      'Reservation date,Reservation time,Party,Guest name,Email,Status',
      '10/02/2026,7:30 PM,4,Maya Okafor,maya@example.com,Done',
      '9/25/2026,19:00,2,Maya Okafor,maya@example.com,No Show',
      '9/26/2026,19:00,2,Maya Okafor,maya@example.com,Cancelled by guest',
      '10/20/2026,18:00,6,Nia Berg,nia@example.com,Confirmed',
      '10/02/2026,20:00,2,,,Completed',
      '10/02/2026,20:00,2,,,Completed',
      '10/21/2026,18:00,2,Too Early,early@example.com,Completed',
      '3/14/2027,2:30,2,Nobody,nobody@example.com,Confirmed',
    ].join('\n')

    it('history and future: counted for their guests, told only where still to come, nothing twice', async () => {
      const { venue, owner, bring } = await newOwner()
      await service.call('POST', '/api/v1/webhooks', {
        key: venue.key,
        body: { url: 'http://127.0.0.1:9/', events: ['guest.created', 'reservation.created'] },
      })
      const first = await bring('reservations', file)
      assert.deepEqual([first.made, first.known, first.refused], [6, 0, 2])
      const report = (await owner.get(`${first.to}/refused.csv`)).html
      assert.match(report, /8,"The status is Completed, but the booking is still to come\."/)
      assert.match(report, /9,"2:30\sAM does not exist on March 14, 2027/)
      const maya = (
        await service.call('GET', '/api/v1/guests/find?email=maya@example.com', { key: venue.key })
      ).body
      const one = Array.isArray(maya) ? maya[0] : (maya.guest ?? maya)
      assert.deepEqual(
        [one.visitCount, one.noShowCount, one.cancellationCount, one.lastVisitDate],
        [1, 1, 1, '2026-10-02'],
      )
      const told = await rowsOf<{ name: string; count: string }>(
        service,
        'select name, count(*) from event where venue_id = $1 group by name order by name',
        [venue.id],
      )
      assert.deepEqual(
        told.map(({ name, count }) => [name, Number(count)]),
        [
          ['guest.created', 2],
          ['reservation.created', 1],
        ],
      )
      const { body } = await service.call('GET', '/api/v1/reservations', { key: venue.key })
      assert.equal(body[0].guestName, 'Nia Berg', 'what is still to come is new, history is not')
      assert.equal(body[0].source, 'import')
      assert.equal(body[0].createdAt, '2026-10-06T19:00:00.000Z')
      const again = await bring('reservations', file)
      assert.deepEqual([again.made, again.known, again.refused], [0, 6, 2])
    })

    it('guest.created of an import carries the counters as they then are', async () => {
      const { venue, bring } = await newOwner()
      await bring('reservations', file)
      const told = await rowsOf<{ name: string; data: Record<string, unknown> }>(
        service,
        'select name, data::jsonb as data from event where venue_id = $1 order by id',
        [venue.id],
      )
      assert.deepEqual(
        told.map(({ name, data }) => [name, data['name'] ?? data['guestName']]),
        [
          ['guest.created', 'Maya Okafor'],
          ['guest.created', 'Nia Berg'],
          ['reservation.created', 'Nia Berg'],
        ],
        'guests before the bookings they came with',
      )
      const find = async (email: string) =>
        (await service.call('GET', `/api/v1/guests/find?email=${email}`, { key: venue.key })).body[0]
      assert.deepEqual(told[0]?.data, await find('maya@example.com'))
      assert.deepEqual(told[1]?.data, await find('nia@example.com'))
      const { visitCount, noShowCount, cancellationCount, lastVisitDate } = told[0]?.data ?? {}
      assert.deepEqual([visitCount, noShowCount, cancellationCount, lastVisitDate], [1, 1, 1, '2026-10-02'])
    })

    it('cancelled ones have a moment and who: the file’s, else the import’s moment and staff', async () => {
      const { venue, owner, bring } = await newOwner()
      const cancelled = await bring(
        'reservations',
        [
          'Date,Time,Party,Name,Status,Cancelled on,Cancelled by',
          '2026-09-21,19:00,2,Said by the file,Cancelled,2026-09-18T10:30:00Z,guest',
          '2026-09-22,19:00,2,Says nothing,Cancelled,,',
          '2026-09-23,19:00,2,A word for it,Cancelled by guest,not a date,',
          '2026-09-24,19:00,2,A day to come,Cancelled,2026-12-01,Restaurant',
          '2026-10-20,19:00,2,Still ahead,Cancelled,2026-10-05T10:30:00Z,guest',
          '2026-09-25,19:00,2,Not cancelled,Completed,2026-09-18T10:30:00Z,guest',
        ].join('\n'),
      )
      assert.deepEqual([cancelled.made, cancelled.refused], [6, 0])
      const { body } = await service.call('GET', '/api/v1/reservations', { key: venue.key })
      const now = '2026-10-06T19:00:00.000Z'
      const shown = new Map(
        body.map((one: Record<string, unknown>) => [
          one['guestName'],
          [one['cancelledAt'], one['cancelledBy'], one['createdAt'], one['updatedAt']],
        ]),
      )
      assert.deepEqual(Object.fromEntries(shown), {
        'Said by the file': [
          '2026-09-18T10:30:00.000Z',
          'guest',
          '2026-09-18T10:30:00.000Z',
          '2026-09-18T10:30:00.000Z',
        ],
        'Says nothing': [now, 'staff', '2026-09-22T23:00:00.000Z', now],
        'A word for it': [now, 'guest', '2026-09-23T23:00:00.000Z', now],
        'A day to come': [now, 'staff', '2026-09-24T23:00:00.000Z', now],
        'Still ahead': ['2026-10-05T10:30:00.000Z', 'guest', now, now],
        'Not cancelled': [null, null, '2026-09-25T23:00:00.000Z', '2026-09-25T23:00:00.000Z'],
      })
      const exported = (await owner.get('/office/data/export/reservations.csv')).html
      const elsewhere = await newOwner()
      await elsewhere.bring('reservations', exported)
      const there = await service.call('GET', '/api/v1/reservations', { key: elsewhere.venue.key })
      const cancellations = (all: Record<string, string>[]) =>
        Object.fromEntries(
          all.map((one) => [one['guestName'] ?? '', [one['cancelledAt'], one['cancelledBy']]]),
        )
      assert.deepEqual(cancellations(there.body), cancellations(body), 'an export keeps them')
    })

    it('whoever is named first has cancelled, in the words of other systems', async () => {
      const { venue, bring } = await newOwner()
      const said: [status: string, by: string, expected: string][] = [
        ['Cancelled', 'Guest (online)', 'guest'],
        ['Canceled', 'Customer via the site', 'guest'],
        ['CANCELED_BY_DINER', '', 'guest'],
        ['Cancelled by the customer', '', 'guest'],
        ['Cancelled - guest', '', 'guest'],
        ['Canceled by restaurant', '', 'staff'],
        ['Cancelled late', 'Hostess', 'staff'],
        ['Cancelled by guest', 'Host', 'staff'],
        ['Cancelled', 'nobody knows', 'staff'],
      ]
      const rows = said.map(([status, by], n) => `2026-09-0${n + 1},19:00,2,${n},${status},${by}`)
      const { made } = await bring(
        'reservations',
        `Date,Time,Party,Name,Status,Cancelled by\n${rows.join('\n')}`,
      )
      assert.equal(made, said.length)
      const { body } = await service.call('GET', '/api/v1/reservations', { key: venue.key })
      for (const { guestName, status, cancelledBy } of body) {
        assert.deepEqual([status, cancelledBy], ['Cancelled', said[Number(guestName)]?.[2]], guestName)
      }
    })

    it('moments without a zone are by the venue’s clock, and a date of cancelling alone cancels', async () => {
      const { venue, bring } = await newOwner()
      const { made } = await bring(
        'reservations',
        [
          'Date,Time,Party,Name,Cancelled on,Booked on',
          '2026-09-21,19:00,2,To the minute,2026-09-18 16:30,9/1/2026 4:05 PM',
          '2026-09-22,19:00,2,T between,2026-09-18T16:30:15,2026-09-01',
          '2026-09-23,19:00,2,No such time,2026-09-18 99:99,',
          '2026-10-20,19:00,2,To come,2026-10-05 10:30,',
          '2026-10-21,19:00,2,A dash,-,',
        ].join('\n'),
      )
      assert.equal(made, 5)
      const { body } = await service.call('GET', '/api/v1/reservations', { key: venue.key })
      const shown = body.map((one: Record<string, string>) => [
        one['guestName'],
        [one['status'], one['cancelledAt'], one['cancelledBy'], one['createdAt']],
      ])
      const now = '2026-10-06T19:00:00.000Z'
      assert.deepEqual(Object.fromEntries(shown), {
        'To the minute': ['Cancelled', '2026-09-18T20:30:00.000Z', 'staff', '2026-09-01T20:05:00.000Z'],
        'T between': ['Cancelled', '2026-09-18T20:30:00.000Z', 'staff', '2026-09-01T04:00:00.000Z'],
        'No such time': ['Cancelled', '2026-09-18T04:00:00.000Z', 'staff', '2026-09-18T04:00:00.000Z'],
        'To come': ['Cancelled', '2026-10-05T14:30:00.000Z', 'staff', now],
        'A dash': ['Confirmed', null, null, now],
      })
      const told = await rowsOf(service, 'select name from event where venue_id = $1 order by id', [venue.id])
      assert.deepEqual(
        told.map(({ name }) => name),
        ['reservation.created'],
      )
    })

    it('an export brought back to the same venue makes nothing twice', async () => {
      const { venue, owner, bring } = await newOwner()
      await bring('reservations', file)
      await service.call('POST', '/api/v1/guests', {
        key: venue.key,
        body: { email: 'new@example.com', name: '=1+1', phone: '+1 212 555 0188' },
      })
      const before = await guests(venue)
      const guestsFile = (await owner.get('/office/data/export/guests.csv')).html
      assert.ok(guestsFile.includes("'=1+1") && guestsFile.includes("'+1 212 555 0188"))
      const brought = await bring('guests', guestsFile)
      assert.deepEqual([brought.made, brought.refused], [0, 0])
      const unstamped = (all: Record<string, unknown>[]) => all.map((one) => ({ ...one, updatedAt: null }))
      assert.deepEqual(unstamped(await guests(venue)), unstamped(before))
      const bookings = await bring(
        'reservations',
        (await owner.get('/office/data/export/reservations.csv')).html,
      )
      assert.equal(bookings.made, 0)
    })
  })

  describe('a file that cannot be imported is refused with a sentence, and nothing of it is kept', () => {
    const cases: [what: string, content: string | Buffer, said: RegExp][] = [
      ['UTF-16', Buffer.from('\uFEFFname,email\nMaya,maya@example.com\n', 'utf16le'), /not in UTF-8/],
      ['Windows-1252', Buffer.from('name,email\nJ\xfcrgen,j@example.com\n', 'latin1'), /not in UTF-8/],
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

    it('a form that lacks something comes back with the sentence and what was chosen and typed', async () => {
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
      const { email } = await staffOf(service, venue, 'manager')
      const manager = visitOffice(service)
      await manager.signIn(email)
      for (const path of [
        '/office/data',
        '/office/data/export/guests.csv',
        '/office/data/person?q=a',
        to as string,
      ])
        assert.equal((await manager.get(path)).status, 403, path)
      assert.equal((await owner.post(`${to}/start`, { 'column-email': '' })).status, 400)
      await owner.post(`${to}/cancel`)
      assert.equal((await owner.post(`${to}/start`, { 'column-email': '0' })).status, 409)
    })
  })
})

/** What is chosen in the form of a page, as a browser would send it. */
const chosenIn = (html: string): Record<string, string> => {
  const fields: Record<string, string> = {}
  for (const [, name = '', inside = ''] of html.matchAll(/<select name="([\w-]+)">(.*?)<\/select>/gs)) {
    fields[name] = /<option value="([\w-]*)" selected/.exec(inside)?.[1] ?? ''
  }
  return fields
}
