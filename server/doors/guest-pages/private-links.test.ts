import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import PostalMime from 'postal-mime'
import { type TestRelay, startTestRelay } from '../../mail/test/relay.ts'
import { eventually } from '../../test/eventually.ts'
import { bookByPage, guestAt, sendByPage, setGuestPages } from '../../test/guest.ts'
import { staffOf } from '../../test/desk.ts'
import { actAt } from '../../test/act.ts'
import { atWork } from '../../test/office-forms.ts'
import { addOccurrence, makeEvent } from '../../tickets/events.ts'
import { sellTickets } from '../../tickets/sell-tickets.ts'
import { orderLink, ownOrder } from '../../tickets/admission/own-order.ts'
import { ticketsOfOrders } from '../../tickets/admission/ticket-reads.ts'
import { everyEvening, setRules } from '../../test/open-rules.ts'
import { startProcess } from '../../test/process.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, startService } from '../../test/service.ts'

const person = { name: 'Zephyrine Quillfeather', email: 'zephyrine@quill.example.com', tel: '(917) 555-0142' }

describe('private links', () => {
  let service: TestService
  let relay: TestRelay
  before(async () => {
    relay = await startTestRelay()
    service = await startService({ PUBLIC_URL: 'https://data.example.com' })
  })
  after(async () => {
    await service.stop()
    await relay.stop()
  })

  it('a process that logs all it can writes no token, address, phone or name; /w’s is in no answer and no row', async () => {
    // A process goes by the real clock.
    const now = Temporal.Now.instant()
    service.setClock(now.toString())
    const venue = await service.venue()
    await setRules(
      service,
      venue,
      everyEvening({ maxParty: 10, pacing: { intervalMinutes: 15, maxCovers: 7 } }),
    )
    await setGuestPages(service, venue, { staffMail: 'host@bluedoor.example.com' })
    const live = await startProcess({
      DATABASE_URL: service.databaseUrl,
      SECRETS: service.context.config.secrets as string,
      SMTP_URL: relay.url,
      MAIL_FROM: 'Data <mail@service.example.com>',
      DATA_DIR: `${service.context.config.dataDir}-links`,
      PUBLIC_URL: 'https://data.example.com',
      LOG_LEVEL: 'debug',
    })
    const secret: string[] = []
    try {
      await live.ready()
      const at = { url: live.url, context: service.context }
      const date = now.toZonedDateTimeISO(venue.timezone).toPlainDate().add({ days: 2 }).toString()
      const booking = await bookByPage(at, venue, { slot: `${date} 19:00`, ...person, note: 'Walnuts' })
      const place = await sendByPage(at, `/v/${venue.slug}/waitlist`, {
        ...{ do: 'list', size: '8', date, from: `${date} 19:00`, to: `${date} 20:00` },
        ...{ name: person.name, email: person.email },
      })
      assert.match(booking, /^\/r\/.{22,}/)
      assert.match(place, /^\/w\/.{22,}/)
      await guestAt(at, `/v/${venue.slug}/news`, { form: { email: person.email } })
      const confirm = async () =>
        (await Promise.all(relay.received.map(({ bytes }) => PostalMime.parse(bytes))))
          .map(({ text }) => /\/c\/[\w-]+/.exec(text ?? '')?.[0])
          .find((found) => found !== undefined)
      await eventually(async () => (await confirm()) !== undefined)
      const signUp = (await confirm()) ?? ''
      for (const link of [booking, place, signUp]) {
        assert.equal((await guestAt(at, link)).status, 200, link)
        assert.equal((await guestAt(at, `${link}A`)).status, 404, link)
      }
      await guestAt(at, `${booking}/table.ics`)
      await guestAt(at, `${booking}?do=cancel&email=${person.email}`)
      await guestAt(at, booking, { form: { do: 'note', note: person.tel } })
      await guestAt(at, booking, { form: { do: 'change', size: '2', slot: 'x' } })
      await guestAt(at, signUp, { form: {} })
      await guestAt(at, place, { form: { do: 'leave' } })
      await eventually(() => relay.received.some(({ to }) => to.startsWith('host@')))
      secret.push(...[booking, place, signUp].map((link) => link.slice(3)))
      for (const list of ['waitlist', 'reservations', 'guests', 'events', 'changes']) {
        const { status, text } = await service.call('GET', `/api/v1/${list}`, { key: venue.key })
        assert.equal(status, 200, list)
        for (const token of secret) assert.ok(!text.includes(token), list)
      }
      const page = await guestAt(at, place)
      assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
      assert.equal(page.headers.get('cache-control'), 'no-store')
    } finally {
      await live.stop()
    }
    const tables = await rowsOf(
      service,
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    )
    assert.ok(tables.length > 50)
    for (const { name } of tables)
      assert.deepEqual(
        await rowsOf(
          service,
          `select 1 as is from "${String(name)}" t
            where exists (select from unnest($1::text[]) s where strpos(t::text, s) > 0) limit 1`,
          [secret],
        ),
        [],
        String(name),
      )
    const said = live.said() + live.complained()
    assert.match(said, /"route":"\/r\/:token"/)
    assert.match(said, /"route":"\/w\/:token"/)
    const written = said.toLowerCase()
    for (const word of [
      ...secret,
      'zephyrine',
      'quillfeather',
      'quill.example.com',
      '555-0142',
      '5550142',
      'walnuts',
      'bluedoor.example',
    ])
      assert.ok(!written.includes(word.toLowerCase()), word)
  })

  it('nor the link and the codes of tickets: they are in no answer, no log, and in no table but that of the tickets', async () => {
    service.setClock(Temporal.Now.instant().toString())
    const { venue, visitor: host } = await atWork(service, 'host')
    const manager = staffOf('manager')
    const date = Temporal.Now.plainDateISO(venue.timezone).toString()
    const live = await startProcess({
      DATABASE_URL: service.databaseUrl,
      SECRETS: service.context.config.secrets as string,
      SMTP_URL: relay.url,
      MAIL_FROM: 'Data <mail@service.example.com>',
      DATA_DIR: `${service.context.config.dataDir}-tickets`,
      PUBLIC_URL: 'https://data.example.com',
      LOG_LEVEL: 'debug',
    })
    try {
      await live.ready()
      const { occurrence, order } = await actAt(service, venue, async (work) => {
        const { id } = await makeEvent(work, manager, 'Wine dinner')
        const made = { title: null, date, startTime: '19:00', capacity: 60, priceCents: 5_000 }
        const { id: occurrence } = await addOccurrence(work, manager, id, made)
        const buyer = { firstName: 'Zephyrine', lastName: 'Quillfeather', email: person.email, phone: null }
        const sale = { occurrenceId: occurrence, seats: 2, method: 'cash', buyer } as const
        return { occurrence, order: (await sellTickets(work, manager, sale)).order.id }
      })
      const codes = (await ticketsOfOrders(service.db, venue.id, [order])).map(({ code }) => code)
      const own = await ownOrder(service.db, venue.id, order)
      assert.ok(own && codes.length === 2)
      const link = new URL(orderLink(service.context, venue.id, own)).pathname
      const at = { url: live.url, context: service.context }
      assert.equal((await guestAt(at, link)).status, 200)
      for (const file of ['tickets.pdf', 'event.ics'])
        assert.equal((await guestAt(at, `${link}/${file}`)).status, 200, file)
      assert.equal((await guestAt(at, `${link}A`)).status, 404)
      await guestAt(at, link, { form: { do: 'resend' } })
      const door = `/office/tickets/door/${occurrence}`
      assert.match((await host.post(door, { typed: codes[0] ?? '', door: '' })).words, /In Ticket 1/)
      await eventually(() => relay.received.some(({ to }) => to === person.email))
      const secret = [link.slice(3), ...codes]
      for (const list of ['ticket-orders', `ticket-orders/${order}`, 'occurrences', 'events', 'changes']) {
        const { status, text } = await service.call('GET', `/api/v1/${list}`, { key: venue.key })
        assert.equal(status, 200, list)
        for (const word of secret) assert.ok(!text.includes(word), list)
      }
      const tables = await rowsOf<{ name: string }>(
        service,
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
      )
      const found: string[] = []
      for (const { name } of tables) {
        const [row] = await rowsOf(
          service,
          `select 1 as is from "${name}" t
            where exists (select from unnest($1::text[]) s where strpos(t::text, s) > 0) limit 1`,
          [secret],
        )
        if (row) found.push(name)
      }
      assert.deepEqual(found, ['ticket'])
      await live.stop()
      const said = live.said() + live.complained()
      assert.match(said, /"route":"\/o\/:token"/)
      for (const word of [...secret, 'quillfeather', person.email])
        assert.ok(!said.toLowerCase().includes(word.toLowerCase()), word)
    } finally {
      await live.stop()
    }
  })
})
