import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { followSignUps } from '../../../marketing/subscribers/jobs.ts'
import { guestAt } from '../../../test/guest.ts'
import { startMailing } from '../../../test/mailing.ts'
import { setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestVenue, aTuesdayAfternoon } from '../../../test/service.ts'

describe('signing up for news', () => {
  const { service, relay, send, begin } = startMailing()
  let venue: TestVenue
  let people = 0
  before(async () => {
    venue = await service.venue({ name: 'The Blue Door' })
    await setRules(service, venue)
  })
  beforeEach(async () => {
    await begin(aTuesdayAfternoon)
  })

  const somebody = (): string => `guest${++people}@mail.example.com`
  const signUp = (email: string, more: Record<string, string | readonly string[]> = {}, language = 'en') =>
    guestAt(service, `/v/${venue.slug}/news`, {
      form: { email, ...more },
      headers: { 'accept-language': language },
    })
  const jobs = () => followSignUps(service.context)
  const mails = () => relay.mails()
  const later = (hours: number): void =>
    service.setClock(
      service.context
        .clock()
        .add({ minutes: Math.round(hours * 60) })
        .toString(),
    )
  const personOf = async (email: string) =>
    (
      await rowsOf(
        service,
        `select id, status, source, first_name, birth_month, birth_day, language, consent_at, confirmed_at,
                unsubscribed_at, revision from subscriber where email_key = '${email}' and venue_id = ${venue.id}`,
      )
    )[0]
  const eventsOf = async (email: string) =>
    (
      await rowsOf(
        service,
        `select name from event where venue_id = ${venue.id} and data::json->>'email' = '${email}' order by id`,
      )
    ).map(({ name }) => name)
  /** The link of the mail that went to somebody last. */
  const linkTo = async (email: string): Promise<string> => {
    await send()
    const mail = (await mails()).findLast(({ to }) => to?.[0]?.address === email)
    const [, path = ''] = /https:\/\/data\.example\.com(\/c\/[\w-]+)/.exec(mail?.text ?? '') ?? []
    assert.ok(path !== '', `a mail to ${email}`)
    assert.ok(mail?.html?.includes(path), 'the same link in HTML')
    return path
  }

  it('goes from the form over the mail and its button to the list, with the evidence as it was read', async () => {
    const email = somebody()
    const tag = (
      await rowsOf(
        service,
        `insert into tag (venue_id, name, name_key, topic) values (${venue.id}, 'Wine', 'wine', true) returning id`,
      )
    )[0]?.['id'] as number
    const form = await guestAt(service, `/v/${venue.slug}/news`)
    assert.match(form.text, /Wine/)
    assert.doesNotMatch(form.text, /checked/, 'nothing is ticked ahead')
    const answer = await signUp(email, { given: 'Maya', bday: '4/23', t: [String(tag)] })
    assert.equal(answer.status, 200)
    assert.match(answer.text, /Check your email/)
    const pending = await personOf(email)
    assert.deepEqual(
      [
        pending?.['status'],
        pending?.['source'],
        pending?.['first_name'],
        pending?.['birth_month'],
        pending?.['birth_day'],
      ],
      ['pending', 'signup_form', 'Maya', 4, 23],
    )
    const [consent] = await rowsOf(
      service,
      `select statement, page_url from consent where subscriber_id = ${Number(pending?.['id'])}`,
    )
    assert.match(String(consent?.['statement']), /^By pressing the button you ask The Blue Door to email you/)
    assert.equal(consent?.['page_url'], `https://data.example.com/v/${venue.slug}/news`)
    assert.deepEqual(await eventsOf(email), [])
    const link = await linkTo(email)
    const asked = await guestAt(service, link)
    assert.match(asked.text, /Yes, send me the news/)
    assert.ok(!asked.text.includes(email))
    assert.match((await guestAt(service, link, { form: {} })).text, /You’re on the list/)
    const person = await personOf(email)
    assert.deepEqual([person?.['status'], person?.['confirmed_at'] !== null], ['subscribed', true])
    assert.deepEqual(await eventsOf(email), ['subscriber.added'])
  })

  it('a GET changes nothing; pressing twice records one event', async () => {
    const email = somebody()
    await signUp(email)
    const link = await linkTo(email)
    for (const method of ['GET', 'HEAD']) await fetch(service.url + link, { method })
    assert.equal((await personOf(email))?.['status'], 'pending')
    await Promise.all(Array.from({ length: 5 }, () => guestAt(service, link, { form: {} })))
    assert.match((await guestAt(service, link, { form: {} })).text, /You’re on the list/)
    assert.deepEqual(await eventsOf(email), ['subscriber.added'])
  })

  it('a known, an unknown and a suppressed address get the same bytes', async () => {
    const known = somebody()
    await signUp(known)
    await guestAt(service, await linkTo(known), { form: {} })
    const suppressed = somebody()
    await rowsOf(
      service,
      `insert into suppression (venue_id, email_key, reason, created_at) values (${venue.id}, '${suppressed}', 'bounced', now())`,
    )
    const pending = somebody()
    await signUp(pending)
    const left = somebody()
    await signUp(left)
    await guestAt(service, await linkTo(left), { form: {} })
    const unknown = somebody()
    await send()
    relay.received.length = 0
    const answers = []
    for (const email of [known, suppressed, pending, left, unknown]) {
      const { status, headers, text } = await signUp(email)
      const kept = [...headers].filter(([name]) => !['date', 'content-length', 'x-request-id'].includes(name))
      answers.push(JSON.stringify([status, kept, text.replaceAll(email, 'somebody')]))
    }
    assert.equal(new Set(answers).size, 1)
    await send()
    assert.deepEqual(
      relay.received.map(({ to }) => to),
      [unknown],
      'nobody but the unknown one is written to',
    )
    assert.equal(await personOf(suppressed), undefined)
  })

  it('who unsubscribed waits to confirm, and after 30 days is unsubscribed again', async () => {
    const email = somebody()
    await signUp(email)
    await guestAt(service, await linkTo(email), { form: {} })
    const { id } = (await personOf(email)) as { id: number }
    await service.call('POST', `/api/v1/subscribers/${id}/unsubscribe`, { key: venue.key })
    const left = await personOf(email)
    later(24)
    await signUp(email)
    assert.equal((await personOf(email))?.['status'], 'pending')
    later(24 * 31)
    await jobs()
    const again = await personOf(email)
    assert.deepEqual(
      [again?.['status'], String(again?.['unsubscribed_at'])],
      ['unsubscribed', String(left?.['unsubscribed_at'])],
    )
  })

  it('is reminded of once after two days, and deleted thirty days after the last mail', async () => {
    const email = somebody()
    await signUp(email)
    await send()
    later(47)
    await jobs()
    await send()
    assert.equal(relay.received.length, 1)
    later(1.1)
    await jobs()
    await jobs()
    await send()
    const [, reminder] = await mails()
    assert.match(reminder?.subject ?? '', /Still interested/)
    assert.equal(relay.received.length, 2)
    later(24 * 29)
    await jobs()
    assert.equal((await personOf(email))?.['status'], 'pending')
    later(25)
    await jobs()
    assert.equal(await personOf(email), undefined)
    await send()
    assert.equal(relay.received.length, 2)
  })

  it('signing up again sends no second mail within ten minutes', async () => {
    const email = somebody()
    for (let i = 0; i < 3; i++) await signUp(email)
    await send()
    assert.equal(relay.received.length, 1)
    later(0.2)
    await signUp(email)
    await send()
    assert.equal(relay.received.length, 2)
  })

  it('a link is good for seven days; then the page offers a new mail', async () => {
    const email = somebody()
    await signUp(email)
    const link = await linkTo(email)
    later(24 * 7 + 1)
    assert.match((await guestAt(service, link)).text, /This link has expired/)
    assert.match((await guestAt(service, link, { form: {} })).text, /This link has expired/)
    assert.equal((await personOf(email))?.['status'], 'pending')
    assert.match((await guestAt(service, link, { form: { do: 'again' } })).text, /Check your email/)
    assert.match((await guestAt(service, await linkTo(email), { form: {} })).text, /You’re on the list/)
  })

  it('speaks Spanish from the form to the mail to its page', async () => {
    const email = somebody()
    assert.match((await signUp(email, {}, 'es')).text, /Revise su correo/)
    await send()
    const [mail] = await mails()
    assert.match(mail?.subject ?? '', /^Confirme, por favor/)
    assert.match(mail?.html ?? '', /<html lang="es">/)
    assert.match(
      (await guestAt(service, await linkTo(email))).text,
      /Un último paso/,
      'though the browser asks for English',
    )
  })

  it('keeps what was typed when something needs fixing', async () => {
    const answer = await signUp('maya at example', { given: 'Maya', bday: '4/31' })
    assert.equal(answer.status, 400)
    assert.match(answer.text, /2 things need fixing/)
    assert.match(answer.text, /value="maya at example"/)
    assert.match(answer.text, /href="#f-email">Enter an email address/)
  })

  it('the token is in no row, no event and no answer', async () => {
    const email = somebody()
    await signUp(email)
    const token = (await linkTo(email)).slice(3)
    await guestAt(service, `/c/${token}`, { form: {} })
    const tables = await rowsOf(service, `select tablename from pg_tables where schemaname = 'public'`)
    for (const tablename of tables.map((table) => String(table['tablename']))) {
      const [found] = await rowsOf(
        service,
        `select 1 as is from ${tablename} t where t::text like '%${token}%'`,
      )
      assert.equal(found, undefined, `a token in ${tablename}`)
    }
    const [mail] = await rowsOf(
      service,
      `select row_to_json(m)::text as text from guest_mail m order by id desc limit 1`,
    )
    assert.ok(!String(mail?.['text']).includes('@'), 'no address in the row of a mail')
  })

  it('a link of one purpose or another venue is like none', async () => {
    const email = somebody()
    await signUp(email)
    const link = await linkTo(email)
    for (const path of [link.replace('/c/', '/p/'), `${link}A`, '/c/x'])
      assert.equal((await guestAt(service, path)).status, 404)
  })
})
