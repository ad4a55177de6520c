import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import PostalMime, { type Email } from 'postal-mime'
import type { StaffRole } from '../../../core/staff/roles.ts'
import { shutAccount } from '../../../core/staff/people.ts'
import { type TestBook, dinner, openBook, staff } from '../../../book/reservations/test/book.ts'
import { changeRules, rulesVersion } from '../../../book/rules/rules-change.ts'
import { allBookingRules } from '../../../book/rules/rules-store.ts'
import { takeLeavingMail } from '../../../marketing/bounces/take-report.ts'
import { type TestRelay, startTestRelay } from '../../../mail/test/relay.ts'
import { eventually } from '../../../test/eventually.ts'
import { wordsOf } from '../../../test/office-forms.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../../test/office.ts'
import { startProcess } from '../../../test/process.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, aTuesdayAfternoon, startService } from '../../../test/service.ts'
import { sendGuestMails } from '../send-due-mails.ts'
import { dueWeek, queueWeeklyLetters } from './queue-letters.ts'

/* The venue is in New York: its Monday, October 5, 2026 at 8:00 is 12:00 UTC. */
const monday = '2026-10-05T12:00:00Z'

describe('the letter about each week', () => {
  let service: TestService
  let relay: TestRelay
  let book: TestBook
  before(async () => {
    relay = await startTestRelay()
    service = await startService({
      SMTP_URL: relay.url,
      MAIL_FROM: 'Data <mail@service.example.com>',
      PUBLIC_URL: 'https://data.example.com',
      MAIL_BOUNCE_DOMAIN: 'bounces.example.com',
    })
  })
  beforeEach(async () => {
    service.setClock(aTuesdayAfternoon)
    book = await openBook(service)
    relay.judge = {}
    relay.received.length = 0
    await rowsOf(service, 'update staff set weekly_letter = false')
    await rowsOf(service, `delete from guest_mail where kind = 'weeklyLetter'`)
  })
  after(async () => {
    await service.stop()
    await relay.stop()
  })

  const worker = () => ({ ...service.context, db: service.context.workerDb })
  const queue = () => queueWeeklyLetters(worker())
  const send = () => sendGuestMails(worker())
  const at = async (moment: string): Promise<void> => {
    service.setClock(moment)
    await queue()
    await send()
  }
  let people = 0
  const person = (role: StaffRole) =>
    staffOf(service, book.venue, role, `${role}${++people}@${book.venue.slug}.example.com`)
  const reader = async (role: StaffRole = 'manager') => {
    const { email } = await person(role)
    await rowsOf(service, 'update staff set weekly_letter = true where email = $1', [email])
    return email
  }
  const signedIn = async (email: string): Promise<OfficeVisitor> => {
    const visitor = visitOffice(service)
    await visitor.signIn(email)
    return visitor
  }
  const letters = () =>
    rowsOf(
      service,
      `select state, tries, answer, week::text from guest_mail where kind = 'weeklyLetter' order by id`,
    )
  const lastMail = async (): Promise<Email> => PostalMime.parse(relay.received.at(-1)?.bytes as Buffer)

  it('goes out on Monday at 8:00 by the clock of the venue, once to each person, whoever asks and however often', async () => {
    const [manager, owner] = [await reader('manager'), await reader('owner')]
    await person('manager')
    await at('2026-10-05T11:59:00Z')
    assert.equal(relay.received.length, 0)
    service.setClock(monday)
    await Promise.all([queue(), queue(), queue()])
    await Promise.all([send(), send(), send()])
    await at('2026-10-05T20:00:00Z')
    assert.deepEqual(relay.received.map(({ to }) => to).toSorted(), [manager, owner].toSorted())
    await at('2026-10-12T12:00:00Z')
    assert.equal(relay.received.length, 4)
    assert.deepEqual(
      new Set((await letters()).map(({ week }) => week)),
      new Set(['2026-10-05', '2026-10-12']),
    )
  })

  it('is due at 8:00 on the wall in the weeks in which clocks change', () => {
    const begins = (moment: string, zone: string): boolean => {
      const first = Temporal.Instant.from(moment)
      return dueWeek(first, zone) !== undefined && dueWeek(first.subtract({ seconds: 1 }), zone) === undefined
    }
    assert.ok(begins('2026-03-02T13:00:00Z', 'America/New_York'))
    assert.ok(begins('2026-03-09T12:00:00Z', 'America/New_York'), 'the Monday after spring')
    assert.ok(begins('2026-11-02T13:00:00Z', 'America/New_York'), 'the Monday after autumn')
    assert.ok(begins('2026-10-26T07:00:00Z', 'Europe/Berlin'))
    const due = dueWeek(Temporal.Instant.from('2026-11-02T13:00:00Z'), 'America/New_York')
    assert.deepEqual([due?.week, String(due?.until)], ['2026-11-02', '2026-11-03T13:00:00Z'])
  })

  it('says the week in six figures, tables with bars in HTML and in plain text, what is ahead and what needs an answer', async () => {
    for (const [date, partySize, status] of [
      ['2026-09-29', 4, 'Completed'],
      ['2026-10-02', 6, 'Completed'],
      ['2026-10-02', 2, 'No-show'],
      ['2026-10-03', 12, 'Completed'],
      ['2026-10-09', 8, 'Confirmed'],
      ['2026-10-10', 5, 'Confirmed'],
      ['2026-10-10', 2, 'Requested'],
    ] as const) {
      await book.booking(status, { date, time: '19:00', partySize })
    }
    await book.query(
      `update reservation set guest_name = 'Zephyrine Quillfeather', email = 'zephyrine@example.com'`,
    )
    const email = await reader()
    await at(monday)
    const mail = await lastMail()
    const text = mail.text ?? ''
    assert.equal(mail.to?.[0]?.address, email)
    assert.match(mail.subject ?? '', /: 22 guests from September 28 to October 4$/)
    for (const line of [
      'Guests: 22',
      'Parties: 3',
      'No-shows: 1 of 4',
      'Cancelled by guests: 0 of 4',
      'Had been here before: none to count',
      'Booked for this week: 15 guests',
      'Friday, October 9: 8 guests in 1 party',
      'Saturday, October 10: 7 guests in 2 parties, including 1 request',
      'Requests for a table: 1',
    ])
      assert.ok(text.includes(`\n${line}\n`), `${line}\n${text}`)
    assert.match(text, /\nSat, Oct 3 {3}#{20} {2}12\n/)
    assert.match(text, /\nTue, Sep 29 {2}#{7} {15}4\n/)
    assert.match(text, /\nWed, Sep 30 {24}0\n/)
    const html = mail.html ?? ''
    assert.doesNotMatch(html, /<svg/)
    assert.match(html, /<td class="bar" width="100%"/)
    assert.match(html, /<td class="bar" width="33%"[^>]*>&nbsp;<\/td><td width="67%"/)
    assert.match(html, /https:\/\/data\.example\.com\/office\/reports\?from=2026-09-28&amp;to=2026-10-04/)
    const bytes = String(relay.received.at(-1)?.bytes)
    assert.ok(bytes.length < 40_960, `${bytes.length} bytes`)
    for (const part of [bytes, text, html]) assert.doesNotMatch(part, /Zephyrine|Quillfeather|zephyrine@/)
  })

  it('names the open days it compares and the bookings that nobody closed, and counts parties alike everywhere', async () => {
    const days = [
      '2026-09-22',
      '2026-09-23',
      '2026-09-24',
      '2026-09-29',
      '2026-09-30',
      '2026-10-02',
      '2026-10-02',
    ]
    for (const date of days) await book.booking('Completed', { date, time: '19:00', partySize: 12 })
    for (const _ of [1, 2]) await book.booking('Confirmed', { date: '2026-10-03', time: '19:00' })
    await book.booking('Cancelled', { date: '2026-10-03', time: '19:00' })
    await book.query(
      `update reservation set cancelled_from = 'Confirmed', cancelled_by = 'guest' where venue_id = $1 and status = 'Cancelled'`,
      [book.venue.id],
    )
    await book.query(
      `insert into refused_request (venue_id, service_date, service_minute, size, reason, door, n)
       values ($1, '2026-10-02', 1140, '4', 'pacing-covers-full', 'book', 3), ($1, '2026-10-03', 1140, '4', 'closed', 'api', 1)`,
      [book.venue.id],
    )
    await reader()
    await at(monday)
    const { subject = '', text = '', html = '' } = await lastMail()
    assert.match(subject, /: 2 bookings from September 28 to October 4 were never marked$/)
    assert.match(text, /\nBookings never marked seated or no-show: 2\n/)
    assert.match(text, /\nCancelled by guests: 1\n/, 'out of how many is not known')
    // The book begins on Tuesday, September 22: the days before it were no open days without guests.
    const mean = '6.9 guests a day over 7 open days'
    const both =
      ', against 6 before; counting each weekday only as often as it was open both times, 8 a day against 6: 33% more.'
    const without =
      '8 guests a day over 6 open days.\nSat, Oct 3 is left out, as a tenth or more of its bookings were never marked.'
    const open = '2 bookings were never marked seated or no-show, so these figures are too low.'
    const away = '4 requests for a table were turned away, 3 of them for lack of room: your pacing limit.'
    const why = 'What made the difference: Friday +24 (nobody before), Thursday −12.'
    for (const sentence of [...without.split('\n'), open, away])
      assert.ok(text.includes(sentence) && html.includes(sentence), text)
    assert.doesNotMatch(
      text,
      /What made the difference|than the week before/,
      'those who were marked are not all',
    )
    assert.match(text, /Where they come from\n[^\n]*#{20} {2}7\n/)
    await book.query(`update reservation set status = 'No-show' where status = 'Confirmed'`)
    await reader()
    await at('2026-10-05T13:00:00Z')
    const marked = (await lastMail()).text ?? ''
    assert.match(marked, /\nCancelled by guests: 1 of 7\n/)
    for (const sentence of [mean + both, why, 'Guests: 48, 33% more than the week before'])
      assert.ok(marked.includes(sentence), marked)
  })

  it('compares no evening of which a tenth of the bookings were never marked, and says so', async () => {
    const came = async (date: string, times: number) => {
      for (let n = 0; n < times; n++) await book.booking('Completed', { date, time: '19:00', partySize: 4 })
    }
    await came('2026-09-22', 1)
    await came('2026-09-25', 10)
    await came('2026-09-29', 1)
    await book.booking('Confirmed', { date: '2026-09-29', time: '19:00', partySize: 40 })
    await came('2026-10-02', 12)
    await reader()
    await at(monday)
    const { text = '' } = await lastMail()
    assert.ok(
      text.includes(
        'A tenth or more of the bookings of Tue, Sep 29 were never marked; without it and the day beside it, 48 guests came, 20% more than the week before.',
      ),
      text,
    )
    assert.match(text, /\nGuests: 52\n/)
    assert.doesNotMatch(text, /What made the difference|open both times/)
  })

  it('makes no mean smaller by a party on a day that the venue had closed, and says so', async () => {
    const closures = [{ from: '2026-09-30', to: '2026-09-30', name: 'Fair' }]
    book = await openBook(service, { ...dinner(), closures })
    for (const date of ['2026-09-29', '2026-10-01', '2026-10-02'])
      for (let n = 0; n < 5; n++) await book.booking('Completed', { date, time: '19:00', partySize: 4 })
    await book.booking('Completed', { date: '2026-09-30', time: '19:00', partySize: 3 })
    await reader()
    await at(monday)
    const { text = '' } = await lastMail()
    assert.match(text, /\nGuests: 63\n/)
    assert.match(text, / guests a day over 5 open days\.\n/)
    assert.ok(
      text.includes('Wed, Sep 30 is left out, as you had closed it for bookings; 3 guests came.'),
      text,
    )
  })

  it('says a week by the hours that it had, also where they were changed since', async () => {
    for (const date of ['2026-09-22', '2026-09-29', '2026-10-01', '2026-10-02'])
      for (let n = 0; n < 5; n++) await book.booking('Completed', { date, time: '19:00', partySize: 4 })
    service.setClock('2026-10-05T11:00:00Z')
    await book.act(async (work) =>
      changeRules(work, staff('manager'), {
        action: 'change the hours of Wednesday',
        seen: rulesVersion(await allBookingRules(work.db, work.venue.id)),
        edit: ({ periods, ...document }) => ({
          ...document,
          periods: periods.filter(({ weekday }) => weekday !== 3),
        }),
        confirmed: true,
      }),
    )
    await reader()
    await at(monday)
    const { text = '' } = await lastMail()
    assert.match(text, / guests a day over 7 open days/)
    assert.match(text, /\nWed, Sep 30 {24}0\n/, 'an open evening on which nobody came')
  })

  it('has yesterday in it, in every country: its week ends on Sunday', async () => {
    await book.query(`update venue set country = 'US' where id = $1`, [book.venue.id])
    await book.booking('Completed', { date: '2026-09-27', time: '19:00', partySize: 9 })
    await book.booking('Completed', { date: '2026-10-04', time: '19:00', partySize: 5 })
    await book.booking('Confirmed', { date: '2026-10-11', time: '19:00', partySize: 7 })
    await reader()
    await at(monday)
    const { text = '' } = await lastMail()
    for (const line of [
      'Guests: 5',
      'Booked for this week: 7 guests',
      'Sunday, October 11: 7 guests in 1 party',
    ])
      assert.ok(text.includes(`\n${line}\n`), text)
  })

  it('says in one line that nothing happened', async () => {
    await reader()
    await at(monday)
    const { text = '', html = '' } = await lastMail()
    const line = 'Nothing happened from Mon, Sep 28 – Sun, Oct 4, and nothing is booked for the week ahead.'
    assert.ok(text.includes(line) && html.includes(line), text)
    assert.doesNotMatch(text, /Guests|No-shows|#/)
  })

  it('ends with its link and with one click of the mail program, without signing in; looking changes nothing', async () => {
    const email = await reader()
    await at(monday)
    const head = String(relay.received.at(-1)?.bytes)
    const [, path = ''] =
      /^List-Unsubscribe: <https:\/\/data\.example\.com(\/l\/[\w-]+)>,\r$/m.exec(head) ?? []
    assert.match(head, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    assert.ok((await lastMail()).text?.includes(`https://data.example.com${path}`))
    const wants = async () =>
      (await rowsOf(service, 'select weekly_letter from staff where email = $1', [email]))[0]?.[
        'weekly_letter'
      ]
    const looked = await fetch(service.url + path)
    assert.equal(looked.status, 200)
    assert.match(await looked.text(), /Stop the weekly letter\?/)
    assert.equal(await wants(), true)
    const clicked = await fetch(service.url + path, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    })
    assert.equal(clicked.status, 200)
    assert.equal(clicked.headers.get('set-cookie'), null)
    assert.match(await clicked.text(), /The letter is stopped/)
    assert.equal(await wants(), false)
    assert.equal((await fetch(`${service.url}${path}x`, { method: 'POST' })).status, 404)
    await at('2026-10-12T12:00:00Z')
    assert.equal(relay.received.length, 1)
  })

  it('ends with a mail to the address for leaving', async () => {
    const email = await reader()
    await at(monday)
    const head = String(relay.received.at(-1)?.bytes)
    const [, token = ''] =
      /^ <mailto:u\+([\w-]+)@bounces\.example\.com\?subject=unsubscribe>\r$/m.exec(head) ?? []
    assert.equal(await takeLeavingMail(service.context, [`${token}x`]), false)
    assert.equal(await takeLeavingMail(service.context, [token]), true)
    const [person] = await rowsOf(service, 'select weekly_letter from staff where email = $1', [email])
    assert.equal(person?.['weekly_letter'], false)
  })

  it('is chosen under "Your account" by managers and owners, and is off by itself', async () => {
    const { email } = await person('manager')
    const visitor = await signedIn(email)
    const account = async () => wordsOf(await visitor.get('/office/account'))
    assert.match(await account(), /Weekly letter Off .* Send me the letter/)
    await at(monday)
    assert.equal(relay.received.length, 0)
    await visitor.post('/office/account/weekly-letter', { wanted: 'yes' })
    assert.match(await account(), /Weekly letter On .* Stop the letter/)
    await at('2026-10-12T12:00:00Z')
    assert.deepEqual(
      relay.received.map(({ to }) => to),
      [email],
    )
    const host = await signedIn((await person('host')).email)
    assert.doesNotMatch(wordsOf(await host.get('/office/account')), /Weekly letter/)
    assert.equal((await host.post('/office/account/weekly-letter', { wanted: 'yes' })).status, 403)
  })

  it('goes to nobody who lost the role or the account, also after it was due', async () => {
    const [host, gone, now] = [await reader('host'), await reader('manager'), await reader('manager')]
    const other = await reader('owner')
    service.setClock(monday)
    await queue()
    assert.equal((await letters()).length, 3, `not to ${host}`)
    await rowsOf(service, `update staff set role = 'host' where email = $1`, [now])
    const [owner] = await rowsOf(service, 'select id, email, role from staff where email = $1', [other])
    const [left] = await rowsOf(service, 'select id from staff where email = $1', [gone])
    await service.db.transaction((db) =>
      shutAccount(
        { db: db.within(book.venue.id), venue: book.venue as never, now: service.context.clock },
        { kind: 'staff', id: Number(owner?.['id']), email: other, name: null, role: 'owner' } as never,
        Number(left?.['id']),
      ),
    )
    await send()
    assert.deepEqual(
      relay.received.map(({ to }) => to),
      [other],
    )
    const states = Map.groupBy(await letters(), ({ state }) => state)
    assert.deepEqual([states.get('dropped')?.length, states.get('sent')?.length], [2, 1])
  })

  it('is dropped when it could not go out until Tuesday at 8:00', async () => {
    await reader()
    relay.judge = { to: () => '451 4.3.0 Not now' }
    await at(monday)
    assert.equal((await letters())[0]?.['state'], 'waiting')
    relay.judge = {}
    await at('2026-10-06T12:00:00Z')
    assert.equal(relay.received.length, 0)
    assert.deepEqual(
      (await letters()).map(({ state }) => state),
      ['dropped'],
    )
    await reader()
    await at('2026-10-06T12:00:00Z')
    assert.equal((await letters()).length, 1, 'none is written on a Tuesday at 8:00')
  })

  it('waits after a restore until sending is resumed', async () => {
    await reader()
    service.setClock(monday)
    await queue()
    let isOn = true
    const held = { ...worker(), hold: { ...service.context.hold, isOn: () => isOn } }
    await sendGuestMails(held)
    assert.deepEqual([relay.received.length, (await letters())[0]?.['tries']], [0, 0])
    isOn = false
    await sendGuestMails(held)
    assert.equal(relay.received.length, 1)
  })

  it('does not come twice where the worker is killed after the relay took it', async () => {
    // A process goes by the real clock. From Monday to Tuesday morning it makes the letter of this week itself, unless there is
    // one: so this is of the week that runs in New York.
    const now = Temporal.Now.instant()
    service.setClock(now.toString())
    await reader()
    const [{ id = 0 } = {}] = await rowsOf(service, `select id from staff where weekly_letter`)
    await rowsOf(
      service,
      `insert into guest_mail (venue_id, kind, record_id, message_id, made_at, due_at, until, week)
       values ($1, 'weeklyLetter', $2, gen_random_uuid(), now(), now(), now() + interval '1 day',
               date_trunc('week', now() at time zone 'America/New_York')::date)`,
      [book.venue.id, id],
    )
    relay.judge = { end: () => 'hang' }
    const killed = await startProcess({
      DATABASE_URL: service.databaseUrl,
      SECRETS: service.context.config.secrets as string,
      SMTP_URL: relay.url,
      MAIL_FROM: 'Data <mail@service.example.com>',
      ROLE: 'worker',
      DATA_DIR: `${service.context.config.dataDir}-letters`,
      PUBLIC_URL: 'https://data.example.com',
    })
    await eventually(() => Promise.resolve(relay.received.length === 1))
    killed.signal('SIGKILL')
    await killed.ended
    relay.judge = {}
    for (const minutes of [3, 30, 600]) {
      service.setClock(now.add({ minutes }).toString())
      await send()
    }
    assert.equal(relay.received.length, 1)
    service.setClock(now.add({ hours: 24, minutes: 1 }).toString())
    await send()
    assert.equal(relay.received.length, 1)
    assert.deepEqual(
      (await letters()).map(({ state }) => state),
      ['dropped'],
    )
  })

  it('is tried again where the relay took nothing of it, and not where it may have arrived', async () => {
    await reader()
    relay.judge = { to: () => '451 4.3.0 Not now' }
    await at(monday)
    relay.judge = { end: () => 'drop' }
    await at('2026-10-05T12:30:00Z')
    assert.equal(relay.received.length, 1)
    relay.judge = {}
    await at('2026-10-05T14:00:00Z')
    assert.equal(relay.received.length, 1)
    assert.deepEqual(
      (await letters()).map(({ state, answer }) => [state, answer]),
      [['failed', 'it may have arrived']],
    )
  })
})
