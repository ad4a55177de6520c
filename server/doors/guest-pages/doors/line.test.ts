import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { Work } from '../../../context.ts'
import { formatsFor } from '../../../messages/guest-words/formats.ts'
import { wordsIn } from '../../../messages/guest-words/words.ts'
import { type GuestLanguage, guestLanguages } from '../../../platform/kernel/guest-language.ts'
import { makePrivateToken } from '../../../mail/link-token.ts'
import { staff } from '../../../book/reservations/test/book.ts'
import { tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { actAt } from '../../../test/act.ts'
import { guestAt, hiddenFieldsOn, hiddenOn, setGuestPages } from '../../../test/guest.ts'
import { startMailing } from '../../../test/mailing.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import type { TestVenue } from '../../../test/service.ts'
import { venueOfId } from '../../../core/venue/venues.ts'
import { type Joining, joinWaitlist, moveEntry } from '../../../book/waitlist/actions.ts'
import { expireWaitlist } from '../../../book/waitlist/jobs.ts'
import { seatFromWaitlist } from '../../../book/waitlist/seat-party.ts'
import { mailPlace, renewPlace } from '../../../book/waitlist/staff-link.ts'
import type { PlainWaitlistMove } from '../../../book/waitlist/states.ts'

const evening = '2026-10-06T23:12:00Z' // 19:12 in New York
const host = staff('host')

describe('today’s line', () => {
  const { service, relay, send, mails, begin } = startMailing()
  let venue: TestVenue
  beforeEach(async () => {
    await begin(evening)
    venue = await service.venue({ phone: '+1 212 555 0100' })
    await setRules(service, venue, everyEvening({ maxParty: 8 }))
  })

  const path = () => `/v/${venue.slug}/waitlist`
  const act = <T>(work: (one: Work) => Promise<T>): Promise<T> => actAt(service, venue, work)
  const party = async (more: Partial<Joining> = {}) =>
    (
      await act((work) =>
        joinWaitlist(work, host, {
          ...{ guestName: 'Ada', partySize: 2, email: null, phone: null, notes: null },
          ...{ windowStart: null, windowEnd: null, ...more },
        }),
      )
    ).id
  const move = (id: number, name: PlainWaitlistMove, quotedMinutes?: number) =>
    act((work) => moveEntry(work, host, { id, move: name, ...(quotedMinutes && { quotedMinutes }) }))
  const form = async (size = '2', more: Record<string, string> = {}) => {
    const { text } = await guestAt(service, `${path()}?size=${size}`)
    const hidden = hiddenFieldsOn(text, ['token', 'size', 'quote'])
    return { ...hidden, name: 'Maya Okafor', tel: '(212) 555-0147', email: 'maya@example.com', ...more }
  }
  const join = async (size = '2', more: Record<string, string> = {}) => {
    const answer = await guestAt(service, path(), { form: await form(size, more) })
    assert.equal(answer.status, 303, answer.text)
    return answer.headers.get('location') ?? ''
  }
  const entries = async () =>
    (await service.call('GET', '/api/v1/waitlist?limit=100', { key: venue.key })).body
  const told = async () =>
    (await rowsOf(service, `select name from event where venue_id = ${venue.id} order by id`)).map(
      ({ name }) => String(name),
    )

  it('says the wait before joining, and writes what it said: source public, waitlist.added', async () => {
    await party()
    await party()
    const { text } = await guestAt(service, `${path()}?size=3`)
    assert.match(text, /About 30 min/)
    assert.match(text, /2 parties are ahead of you/)
    const place = await join('3')
    assert.match(place, /^\/w\/[\w-]+$/)
    const [made] = await entries()
    assert.deepEqual(
      [made.guestName, made.phone, made.email, made.partySize, made.status, made.source, made.quotedMinutes],
      ['Maya Okafor', '(212) 555-0147', 'maya@example.com', 3, 'waiting', 'public', 30],
    )
    assert.deepEqual(await told(), ['waitlist.added', 'waitlist.added', 'waitlist.added'])
    const [mail] = await mails()
    assert.equal(mail?.subject, 'You’re in line at The Blue Door')
    assert.ok(mail?.text?.includes(`https://data.example.com${place}`))
  })

  it('takes a form once, however often it is sent', async () => {
    const sent = await form()
    const answers = await Promise.all([1, 2, 3].map(() => guestAt(service, path(), { form: sent })))
    assert.equal(new Set(answers.map(({ headers }) => headers.get('location'))).size, 1)
    assert.equal((await entries()).length, 1)
    assert.equal((await mails()).length, 1)
  })

  it('another size keeps what was typed, and puts nobody in line', async () => {
    const { text: first } = await guestAt(service, path())
    assert.match(first, /^[^]*?<form[^>]*>\s*<button class="vh"[^>]*>Join the line/, 'Enter in a field joins')
    const { text, status } = await guestAt(service, path(), { form: { ...(await form('2')), resize: '5' } })
    assert.equal(status, 200)
    assert.match(text, /Wait for 5 right now/)
    for (const kept of [/value="Maya Okafor"/, /value="\(212\) 555-0147"/, /value="maya@example.com"/])
      assert.match(text, kept)
    assert.equal(hiddenOn(text, 'size'), '5')
    assert.equal((await entries()).length, 0)
    const joined = await guestAt(service, path(), {
      form: {
        ...(await form('2')),
        size: '5',
        token: hiddenOn(text, 'token'),
        quote: hiddenOn(text, 'quote'),
      },
    })
    assert.equal(joined.status, 303)
    assert.equal((await entries())[0].partySize, 5)
  })

  it('asks again for a size that cannot be had, and puts nobody in line', async () => {
    for (const size of ['0', '-1', '1e9', '13']) {
      const shown = await guestAt(service, `${path()}?size=${size}`)
      assert.equal(shown.status, 200, size)
      const sent = await guestAt(service, path(), { form: { ...(await form('2')), size } })
      assert.equal(sent.status, 400, size)
      const again = await guestAt(service, path(), { form: { ...(await form('2')), resize: size } })
      for (const { text } of [shown, sent, again])
        assert.match(text, /href="#f-size">Choose from 1 to 8 guests[\s\S]*id="f-size"/, size)
    }
    assert.equal((await entries()).length, 0)
  })

  it('takes the party sizes of the service whose line it is, not those of another service that day', async () => {
    await setRules(service, venue, {
      maxParty: 8,
      periods: [
        { weekday: 2, name: 'Lunch', opens: '11:00', closes: '15:00', maxParty: 2 },
        { weekday: 2, name: 'Dinner', opens: '17:00', closes: '22:00', minParty: 2, maxParty: 6 },
      ],
    })
    for (const size of ['1', '7']) {
      const answer = await guestAt(service, path(), { form: { ...(await form('2')), size } })
      assert.equal(answer.status, 400)
      assert.match(answer.text, /Choose from 2 to 6 guests[\s\S]*value="Maya Okafor"/)
    }
    await join('6')
    assert.deepEqual(
      (await entries()).map(({ partySize }: { partySize: number }) => partySize),
      [6],
    )
  })

  it('asks again when the wait grew since it was read, and puts nobody in line', async () => {
    const sent = await form()
    await party()
    const answer = await guestAt(service, path(), { form: sent })
    assert.equal(answer.status, 409)
    assert.match(answer.text, /The wait just got longer/)
    assert.match(answer.text, /value="Maya Okafor"/)
    assert.equal((await entries()).length, 1)
    const again = await guestAt(service, path(), { form: { ...sent, quote: hiddenOn(answer.text, 'quote') } })
    assert.equal(again.status, 303)
    assert.equal((await entries())[0].quotedMinutes, 20)
  })

  it('keeps what was typed when something needs fixing: phone or email, one is enough', async () => {
    for (const [more, wrong] of [
      [{ tel: '', email: '' }, 'tel'],
      [{ name: '' }, 'name'],
      [{ tel: '12' }, 'tel'],
      [{ email: 'maya' }, 'email'],
    ] as const) {
      const answer = await guestAt(service, path(), { form: await form('2', more) })
      assert.equal(answer.status, 400)
      assert.match(answer.text, new RegExp(`href="#f-${wrong}"`))
    }
    assert.deepEqual(await entries(), [])
    await join('2', { tel: '' })
    await join('2', { email: '' })
    assert.equal((await entries()).length, 2)
  })

  it('is open from the venue’s minutes before a service to its last arrival', async () => {
    const periods = everyEvening().periods.map((period) => ({ ...period, lastArrival: '21:30' }))
    await setRules(service, venue, { maxParty: 8, periods })
    const at = async (moment: string) => {
      service.setClock(moment)
      return (await guestAt(service, path())).text
    }
    assert.match(await at('2026-10-06T19:59:59Z'), /It opens at 4:00\sPM today/)
    assert.match(await at('2026-10-06T20:00:00Z'), /until 9:30\sPM, the last arrival/)
    assert.match(await at('2026-10-07T01:30:00Z'), /Join today’s line/)
    assert.match(await at('2026-10-07T01:31:00Z'), /It opens on Wednesday, October 7 at 4:00\sPM/)
    await setGuestPages(service, venue, { lineOpensMinutes: 120 })
    assert.match(await at('2026-10-06T19:00:00Z'), /Join today’s line/)
    service.setClock(evening)
    const sent = await form()
    service.setClock('2026-10-07T01:31:00Z')
    assert.equal((await guestAt(service, path(), { form: sent })).status, 409)
    assert.deepEqual(await entries(), [])
  })

  it('quotes by what staff last said to such a party, else by how long they really waited, else by the parties ahead', async () => {
    const quote = async (size: number) =>
      Number(hiddenOn((await guestAt(service, `${path()}?size=${size}`)).text, 'quote'))
    for (let n = 0; n < 5; n++) {
      service.setClock('2026-10-06T22:30:00Z')
      const id = await party({ guestName: `Guest ${n}` })
      service.setClock(`2026-10-06T22:4${n}:00Z`)
      if (n === 4) {
        await move(id, 'page')
        service.setClock('2026-10-06T22:55:00Z')
      }
      await act((work) => seatFromWaitlist(work, host, { id, confirmed: ['in-the-past'] as never }))
    }
    service.setClock(evening)
    // They waited 10, 11, 12, 13 and, until it was paged, 14 minutes.
    // Nobody of size 3 waited; they are quoted no less than a smaller party.
    assert.deepEqual([await quote(1), await quote(2), await quote(3)], [15, 15, 15])
    const said = await party({ quotedMinutes: 42 })
    assert.deepEqual([await quote(2), await quote(3)], [45, 45])
    await move(said, 'quote', 31)
    assert.equal(await quote(2), 35)
    service.setClock('2026-10-06T23:33:00Z')
    assert.equal(await quote(2), 15, 'what was said is forgotten after twenty minutes')
    service.setClock('2026-10-07T00:41:00Z')
    assert.equal(await quote(2), 20, 'and how long they waited after ninety')
  })

  it('shows the place and what is left of the quote, and says so when it takes longer', async () => {
    const first = await party()
    const place = await join()
    assert.match((await guestAt(service, place)).text, /You’re number 2 in line, Maya/)
    service.setClock('2026-10-06T23:19:00Z')
    assert.match((await guestAt(service, place)).text, /About 15 min/)
    await move(first, 'leave')
    assert.match((await guestAt(service, place)).text, /You’re next, Maya/)
    service.setClock('2026-10-06T23:43:00Z')
    assert.match((await guestAt(service, place)).text, /We said about 20 minutes; it has been 31/)
  })

  it('the mail says that a table is held only where one is, in every language', async () => {
    await setRules(service, venue, everyEvening({ maxParty: 8, ...tablesOf([{ label: '9', most: 4 }]) }))
    await turnTablesOn(service, venue)
    const until = Temporal.Instant.from(evening).add({ minutes: 15 })
    const said = async (language: GuestLanguage, name: 'ready' | 'comeBy') => {
      await join('2', { email: `${name}-${language}@example.com` })
      const [entry] = await rowsOf(
        service,
        `update waitlist_entry set language = '${language}' where venue_id = ${venue.id} and status = 'waiting' returning id`,
      )
      await move(Number(entry?.['id']), 'page')
      const mail = (await mails()).at(-1)
      const words = wordsIn(language).mail.line[name](formatsFor(language, venueRow).timeAt(until))
      assert.ok(
        (mail?.text ?? '').replaceAll(/\s+/g, ' ').includes(words.replaceAll(/\s+/g, ' ')),
        `${language}: ${mail?.text}`,
      )
      return Number(entry?.['id'])
    }
    const venueRow = (await venueOfId(service.db, venue.id))!
    for (const language of guestLanguages) {
      const first = await said(language, 'ready')
      const second = await said(language, 'comeBy')
      for (const id of [first, second]) await move(id, 'leave')
    }
  })

  it('says until when the table is ready, on the page and by mail, and ends like every offer', async () => {
    const place = await join()
    const [{ id }] = await entries()
    service.setClock('2026-10-06T23:40:00Z')
    await move(id, 'page')
    const { text } = await guestAt(service, place)
    assert.match(text, /Your table is ready/)
    assert.match(text, /Until 7:55\sPM/)
    const mail = (await mails()).at(-1)
    assert.equal(mail?.subject, 'Your table is ready at The Blue Door')
    // Tables decide nothing here, so nobody knows of one that is held.
    assert.match(mail?.text ?? '', /come to the host stand by 7:55\sPM/)
    assert.doesNotMatch(`${text} ${mail?.text}`, /hold|held/)
    service.setClock('2026-10-06T23:54:59Z')
    assert.equal(await expireWaitlist({ ...service.context, db: service.context.workerDb }), 0)
    service.setClock('2026-10-06T23:55:00Z')
    assert.equal(await expireWaitlist({ ...service.context, db: service.context.workerDb }), 1)
    const ended = (await guestAt(service, place)).text
    assert.match(
      ended,
      /Your place in line has ended[^]*We called you for a table, and the time to come has passed/,
    )
    assert.doesNotMatch(ended, /hold|held/)
  })

  it('says until when the table is theirs only where it is for less than the whole stay', async () => {
    await setRules(service, venue, everyEvening({ maxParty: 8, ...tablesOf([{ label: '9', most: 4 }]) }))
    await turnTablesOn(service, venue)
    const [table] = await rowsOf(service, `select id from dining_table where venue_id = ${venue.id}`)
    const place = await join()
    const [{ id }] = await entries()
    await move(id, 'page')
    const whole = await guestAt(service, place)
    assert.match(whole.text, /Your table is ready/)
    assert.doesNotMatch(whole.text, /Your table until/)
    await move(id, 'notYet')
    const until = Temporal.Instant.from('2026-10-07T00:30:00Z')
    const stay = { tables: [Number(table?.['id'])], until }
    await act((work) => moveEntry(work, host, { id, move: 'page', stay }))
    assert.match((await guestAt(service, place)).text, /Your table until[^]*?8:30\sPM/)
    await rowsOf(
      service,
      `update waitlist_entry set language = 'es' where venue_id = ${venue.id} returning id`,
    )
    assert.match((await guestAt(service, place)).text, new RegExp(wordsIn('es').book.until))
  })

  it('a party that was never called reads that no table was ready, and of none that went to others', async () => {
    const place = await join()
    await rowsOf(service, `update waitlist_entry set window_end = '19:30' where venue_id = ${venue.id}`)
    service.setClock('2026-10-06T23:40:00Z')
    await expireWaitlist({ ...service.context, db: service.context.workerDb })
    const { text } = await guestAt(service, place)
    assert.match(text, /No table was ready in time/)
    assert.doesNotMatch(text, /held|next party/)
  })

  it('does not mail a party that staff wrote down', async () => {
    await move(await party({ email: 'ada@example.com' }), 'page')
    assert.deepEqual(await mails(), [])
  })

  it('“on our way” is a mark for staff alone: no event, nothing in the record', async () => {
    const place = await join()
    const before = [await entries(), await told()]
    for (let n = 0; n < 2; n++)
      assert.equal((await guestAt(service, place, { form: { do: 'coming' } })).status, 303)
    assert.match((await guestAt(service, place)).text, /knows that you are on your way/)
    assert.deepEqual([await entries(), await told()], before)
    const [row] = await rowsOf(
      service,
      `select coming_at is not null as coming from waitlist_entry where venue_id = ${venue.id}`,
    )
    assert.equal(row?.['coming'], true)
  })

  it('asks once before leaving; a GET changes nothing', async () => {
    const place = await join()
    assert.match((await guestAt(service, `${place}?do=leave`)).text, /Leave the line\?/)
    assert.equal((await entries())[0].status, 'waiting')
    await guestAt(service, place, { form: { do: 'leave' } })
    const [left] = await entries()
    assert.deepEqual([left.status, left.leftAt], ['cancelled', '2026-10-06T23:12:00.000Z'])
    assert.match((await guestAt(service, place)).text, /You’ve left the line/)
    await guestAt(service, place, { form: { do: 'leave' } })
    assert.equal((await entries())[0].revision, left.revision)
  })

  it('the link ends with the evening and with a newer link, and then looks like none', async () => {
    const place = await join()
    const [{ id }] = await entries()
    const shown = async (at = place) => (await guestAt(service, at)).status
    const token = (issue: number) =>
      `/w/${makePrivateToken(service.context.secrets, 'place', { venue: venue.id, record: id, issue })}`
    assert.deepEqual([await shown(), await shown(token(0)), await shown(token(1))], [200, 200, 404])
    service.setClock('2026-10-07T12:00:00Z')
    assert.equal(await shown(), 404)
    service.setClock(evening)
    await rowsOf(service, `update waitlist_entry set link_issue = 1 where venue_id = ${venue.id}`)
    assert.deepEqual([await shown(), await shown(token(1))], [404, 200])
  })

  it('staff email a party its link again, or end it and email the next: the old one is like none', async () => {
    const old = await join('2', { name: 'Maya' })
    const [{ id }] = await entries()
    const visitor = visitOffice(service)
    await visitor.signIn((await staffOf(service, venue, 'host')).email)
    const press = async (what: string) => {
      const { html } = await visitor.get('/office/waitlist')
      const [, version = ''] = /name="version" value="(\d+)"/.exec(html) ?? []
      const { to } = await visitor.post(`/office/waitlist/${id}/moves`, {
        version,
        status: 'waiting',
        move: what,
      })
      assert.match(to ?? '', /^\/office\/waitlist/)
      return (await visitor.get('/office/waitlist')).html
    }
    const linkMailed = async () => {
      const last = (await mails()).at(-1)
      assert.equal(last?.subject, 'You’re in line at The Blue Door')
      assert.equal(last.to?.[0]?.address, 'maya@example.com')
      return /https:\/\/data\.example\.com(\/w\/[\w-]+)/.exec(last.text ?? '')?.[1] ?? ''
    }
    await mails()
    const before = (await told()).length
    assert.match(await press('mailLink'), /Maya, 2 guests: their link is on its way/)
    assert.equal(relay.received.length, 1)
    assert.equal(await linkMailed(), old)
    assert.equal(relay.received.length, 2)
    assert.match(await press('renewLink'), /the link has ended; a new one is on its way/)
    assert.equal((await guestAt(service, old)).status, 404)
    const next = await linkMailed()
    assert.notEqual(next, old)
    assert.match((await guestAt(service, next)).text, /You’re next, Maya/)
    const [entry] = await entries()
    assert.deepEqual([entry.status, entry.revision, (await told()).length], ['waiting', 1, before])
    const shown = (await visitor.get('/office/waitlist')).html
    assert.ok(!shown.includes('/w/'), 'the link itself is the guest’s')
    const manager = visitOffice(service)
    await manager.signIn((await staffOf(service, venue, 'manager')).email)
    const { words } = await manager.get('/office/activity')
    assert.match(words, /Ended the guest’s link to .{1,40} waiting party/)
  })

  it('a mail that reached nobody is on the first screen and in the party’s row, with the number, until one does', async () => {
    const visitor = visitOffice(service)
    await visitor.signIn((await staffOf(service, venue, 'host')).email)
    relay.judge = { to: () => '550 5.1.1 No such user' }
    await join()
    await send()
    const [{ id }] = await entries()
    const first = await visitor.get('/office/service')
    assert.match(
      first.words,
      /An email did not reach its guest Maya Okafor today · on the waitlist \(212\) 555-0147/,
    )
    assert.match(first.html, new RegExp(`/office/waitlist#w${id}"`))
    const row = /Email did not arrive: call them at \(212\) 555-0147/
    assert.match(first.words, row)
    assert.match((await visitor.get('/office/waitlist')).words, row)

    await move(id, 'page')
    await send()
    service.setClock('2026-10-06T23:40:00Z')
    await expireWaitlist({ ...service.context, db: service.context.workerDb })
    const late = await visitor.get('/office/service')
    assert.match(late.words, /Paged, did not come Email did not arrive: call them/)
    assert.match(late.words, /today · off the waitlist/)

    relay.judge = {}
    await move(id, 'rejoin')
    await act((work) => mailPlace(work, host, id))
    await send()
    for (const path of ['/office/service', '/office/waitlist'])
      assert.doesNotMatch((await visitor.get(path)).words, /did not reach|did not arrive/, path)
  })

  it('mails a party that it waits again, if it was mailed otherwise and only once', async () => {
    const visitor = visitOffice(service)
    await visitor.signIn((await staffOf(service, venue, 'host')).email)
    const press = async (id: number, what: string, times = 1) => {
      const [row] = await rowsOf(service, `select version, status from waitlist_entry where id = ${id}`)
      const seen = { version: String(row?.version), status: String(row?.status) }
      let answer = await visitor.get('/office/service')
      for (let n = 0; n < times; n++) {
        service.setClock(service.context.clock().add({ seconds: 1 }).toString())
        answer = await visitor.post(`/office/waitlist/${id}/moves`, {
          ...{ ...seen, move: what, back: '/office/service' },
        })
      }
      return (await visitor.get((answer.to ?? '').replace(/#.*/, ''))).words
    }
    const place = await join()
    const [{ id }] = await entries()
    await send()
    await press(id, 'page')
    assert.match(await press(id, 'notYet'), /still waiting\.(?! They)/, 'nobody has read of a table')
    await press(id, 'page')
    const subjects = async () => (await mails()).map(({ subject }) => subject)
    const [inLine, ready] = ['You’re in line at The Blue Door', 'Your table is ready at The Blue Door']
    assert.deepEqual(await subjects(), [inLine, ready])
    assert.match(await press(id, 'notYet'), /still waiting; an email tells them, at maya@example\.com/)
    assert.deepEqual(await subjects(), [inLine, ready, inLine])
    assert.match((await guestAt(service, place)).text, /You’re next, Maya/)

    await press(id, 'page')
    assert.equal((await subjects()).at(-1), ready)
    service.setClock(service.context.clock().add({ minutes: 16 }).toString())
    await expireWaitlist({ ...service.context, db: service.context.workerDb })
    const twice = await press(id, 'rejoin', 2)
    assert.match(twice, /back on the waitlist; an email tells them/)
    assert.doesNotMatch(twice, /told otherwise/, 'a press whose answer was lost is answered as it was')
    assert.equal((await subjects()).at(-1), inLine)
    const count = (await subjects()).length
    await press(id, 'leave')
    assert.match(await press(id, 'rejoin'), /back on the waitlist\./)
    assert.equal((await subjects()).length, count, 'they were told nothing else since')
  })

  it('a party without an address has its link ended, and is sent none; one that staff wrote down has none', async () => {
    const old = await join('2', { email: '' })
    const wroteDown = await party()
    const mine = (await entries()).find(({ id }: { id: number }) => id !== wroteDown)
    const host = staff('host')
    await assert.rejects(
      act((work) => mailPlace(work, host, mine.id)),
      /with an email address/,
    )
    assert.equal(await act((work) => renewPlace(work, host, mine.id)), false)
    assert.equal((await guestAt(service, old)).status, 404)
    await assert.rejects(
      act((work) => renewPlace(work, host, wroteDown)),
      /no link/,
    )
    assert.deepEqual(await mails(), [])
  })

  it('keeps the language it was joined in', async () => {
    const { text } = await guestAt(service, `${path()}?size=2&lang=es`)
    const hidden = hiddenFieldsOn(text, ['token', 'size', 'quote'])
    const sent = await guestAt(service, `${path()}?lang=es`, {
      form: { ...hidden, name: 'Ana', tel: '2125550147', email: 'ana@example.com' },
    })
    const place = (sent.headers.get('location') ?? '').replace(/\?.*/, '')
    assert.match((await guestAt(service, place)).text, /Es su turno a continuación, Ana/)
    assert.equal((await mails())[0]?.subject, 'Está en la fila de The Blue Door')
  })

  it('in a frame of the venue’s own site, the link to the place leaves the frame', async () => {
    const answer = await guestAt(service, `${path()}?framed=`, { form: await form() })
    assert.equal(answer.status, 200)
    assert.match(answer.text, /href="\/w\/[\w-]+" target="_top"/)
  })

  it('a door that is off is not there; a venue that takes nothing shows its phone', async () => {
    await setGuestPages(service, venue, { doors: ['book'] })
    assert.equal((await guestAt(service, path())).status, 404)
    await setGuestPages(service, venue, { doors: ['waitlist'] })
    await setRules(service, venue, everyEvening({ onlinePaused: true }))
    const { status, text } = await guestAt(service, path())
    assert.equal(status, 200)
    assert.match(text, /212 555 0100/)
    assert.doesNotMatch(text, /name="token"/)
  })
})
