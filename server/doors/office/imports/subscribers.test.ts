import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runImports } from '../../../data/imports/run.ts'
import { sql } from '../../../platform/db/sql.ts'
import { erasedAddress } from '../../../marketing/subscribers/erased-address.ts'
import { growthByMonth } from '../../../marketing/subscribers/growth.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { chosenIn, countsOf, importingOwner } from './test/importing-owner.ts'

describe('an owner imports the email list', () => {
  let service: TestService
  before(async () => {
    service = await startService({ PRACTICE: 'on' })
  })
  after(() => service.stop())

  const newOwner = () => importingOwner(service)
  const counts = (venue: TestVenue, to: string) => countsOf(service, venue, to)

  describe('subscribers', () => {
    it('come with evidence by column or for the whole file; anyone who left or must not be emailed is not added', async () => {
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
      const report = (await owner.get(`${first.to}/skipped.csv`)).html
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
      assert.deepEqual(events, [
        'subscriber.unsubscribed later@example.com unsubscribed',
        'subscriber.unsubscribed angry@example.com unsubscribed',
        'subscriber.updated bounced@example.com subscribed',
        'subscriber.unsubscribed waits@example.com unsubscribed',
        'subscriber.unsubscribed sameday@example.com unsubscribed',
        'subscriber.unsubscribed undated@example.com unsubscribed',
      ])
      const { words } = await owner.get('/office/activity')
      assert.match(words, /Unsubscribed angry@example\.com subscriber \d+ by owner /)
      assert.match(words, /Ended the sign-up for waits@example\.com subscriber \d+ by owner /)
    })

    it('are recognized by their dates if a file has no status', async () => {
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

    it('our own exports bring them to another venue, and nothing twice to the same one', async () => {
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
        (await owner.get(`${same.to}/skipped.csv`)).html,
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
})
