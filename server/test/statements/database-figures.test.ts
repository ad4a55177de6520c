import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bookByStaff } from '../../book/reservations/bookings.ts'
import { moveReservation } from '../../book/reservations/moves.ts'
import { staff } from '../../book/reservations/test/book.ts'
import { tablesOf, turnTablesOn } from '../../book/tables/test/floor.ts'
import { recordEvent } from '../../core/events/record.ts'
import { startEngine } from '../../integrations/webhooks/engine/engine.ts'
import { type Embedded, startEmbedded } from '../../platform/db/embedded/embedded.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { actAt } from '../act.ts'
import { type CountingProxy, type Counted, startCountingProxy } from '../processes/counting-proxy.ts'
import { withDatabase, openPatiently } from '../database.ts'
import { eventually } from '../eventually.ts'
import { guestAt, hiddenFieldsOn, setGuestPages } from '../guest.ts'
import { everyEvening, setRules } from '../open-rules.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'

/*
 * What the commonest requests cost the database. Counts have no noise, so a change that makes one dearer fails here
 * first, long before a bench shows it. A change that makes one cheaper writes the lower number here; to raise one, say
 * in the commit what it buys.
 */

type Figure = Counted & {
  /** Bytes of the write-ahead log, without full pages. */
  readonly wal: number
}
type Request =
  | 'list'
  | 'guest'
  | 'booking'
  | 'seat'
  | 'byStaff'
  | 'byGuestPage'
  | 'byGuestPageIPv6'
  | 'delivery'
const figures: Readonly<Record<Request, Figure>> = {
  list: { statements: 3, trips: 3, behindLock: 0, described: 0, wal: 40 },
  guest: { statements: 13, trips: 5, behindLock: 2, described: 0, wal: 3_260 },
  booking: { statements: 17, trips: 5, behindLock: 2, described: 0, wal: 6_200 },
  seat: { statements: 18, trips: 7, behindLock: 5, described: 0, wal: 4_500 },
  byStaff: { statements: 18, trips: 5, behindLock: 4, described: 0, wal: 6_820 },
  byGuestPage: { statements: 33, trips: 13, behindLock: 3, described: 0, wal: 8_950 },
  byGuestPageIPv6: { statements: 43, trips: 17, behindLock: 3, described: 0, wal: 10_340 },
  // 2,480 on a quiet machine: how long the receiver took is written in as many bytes as it has digits.
  delivery: { statements: 9, trips: 8, behindLock: 0, described: 0, wal: 2_520 },
}

/** The statements of 200 deliveries of 50 venues. How many share one depends on when their answers come. */
const mostForMany = 100

type Measured = {
  /** What is measured, with the number of the run and what was prepared for it. */
  readonly once: (run: number, prepared: number) => Promise<unknown>
  readonly prepare: (run: number) => Promise<number>
  readonly counts: (all: readonly number[]) => number
}

/** Each is done so often, and its cheapest run counts: a page that splits is nobody's fault. */
const runs = 6
/** Not counted: they open connections, prepare statements and fill what is remembered. */
const warmUps = 4

describe('what a request costs the database', () => {
  let folder: string
  let embedded: Embedded
  let proxy: CountingProxy
  let service: TestService
  let venue: TestVenue
  let receiver: Receiver
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-data-figures-'))
    await chmod(folder, 0o755)
    embedded = await startEmbedded({
      dataDir: folder,
      role: 'command',
      log: { info: () => undefined, warn: () => undefined, error: console.error },
      // Nothing but the service writes.
      flags: { fsync: 'off', full_page_writes: 'off', autovacuum: 'off', checkpoint_timeout: '1d' },
    })
    const migrated = openPatiently({ url: embedded.url })
    await migrate(migrated)
    await migrated.close()
    proxy = await startCountingProxy(embedded.url)
    service = await startService({ DATABASE_URL: proxy.url, PRACTICE: 'on', TRUST_PROXY: '1' })
    receiver = await startReceiver()
    venue = await service.venue()
    await setRules(
      service,
      venue,
      everyEvening(tablesOf(Array.from({ length: 20 }, (_, n) => ({ label: `${n}`, most: 4 })))),
    )
    await turnTablesOn(service, venue)
    await setGuestPages(service, venue, { staffMail: 'book@example.com' })
  })
  after(async () => {
    await service.stop()
    await receiver.stop()
    await proxy.stop()
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const written = (): Promise<number> =>
    withDatabase(embedded.url, async (client) =>
      Number(
        (await client.query(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`)).rows[0].bytes,
      ),
    )

  const least = (all: readonly number[]): number => Math.min(...all)
  const middle = (all: readonly number[]): number =>
    all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
  /** Numbers every run, so that none meets what an earlier one wrote. */
  let begun = 0
  const costOf = async ({ once, prepare, counts }: Measured): Promise<Figure> => {
    const each: Figure[] = []
    for (let run = 0; run < runs + warmUps; run++) {
      const prepared = await prepare(begun)
      const start = await written()
      const counted = await proxy.counted(() => once(begun, prepared))
      const wal = (await written()) - start
      begun++
      if (run >= warmUps) each.push({ ...counted, wal })
    }
    const of = (name: keyof Figure): number[] => each.map((figure) => figure[name])
    return {
      statements: counts(of('statements')),
      trips: counts(of('trips')),
      behindLock: counts(of('behindLock')),
      described: least(of('described')),
      wal: least(of('wal')),
    }
  }
  /** On a busy machine answers come apart, and a worker looks once more: one of three tries is as written down. */
  const costs = async (
    name: keyof typeof figures,
    once: Measured['once'],
    { prepare = async () => 0, counts = least }: Partial<Measured> = {},
  ): Promise<void> => {
    for (let tries = 1; ; tries++) {
      try {
        same(name, await costOf({ once, prepare, counts }))
        return
      } catch (error) {
        if (tries === 3) throw error
      }
    }
  }
  const post = async (path: string, body: object): Promise<{ id: number }> => {
    const answer = await service.call('POST', path, {
      key: venue.key,
      body,
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    assert.ok(answer.status < 300, answer.text)
    return answer.body.reservation ?? answer.body.guest ?? answer.body
  }
  const person = (run: number) => ({ email: `someone.${run}@example.com`, phone: `+1 212 555 01${10 + run}` })
  const book = (run: number, who: string) =>
    post('/api/v1/reservations', {
      ...{ guestName: `Ada ${who}`, ...person(run), date: '2026-10-06', time: '19:00', partySize: 2 },
      ...{ email: `${who}.${run}@example.com`, phone: null },
    })
  const same = (name: keyof typeof figures, { wal, ...counts }: Figure): void => {
    const { wal: atMost, ...expected } = figures[name]
    assert.deepEqual(counts, expected, `${name}: ${JSON.stringify({ ...counts, wal })}`)
    assert.ok(
      wal <= atMost && wal > atMost * 0.97 - 64,
      `${name} writes ${wal} bytes of WAL; written down are ${atMost}`,
    )
  }

  it('a list', async () => {
    for (let n = 0; n < 25; n++)
      await post('/api/v1/guests', { name: `Guest ${n}`, email: `guest.${n}@example.com` })
    await costs('list', () => service.call('GET', '/api/v1/guests?limit=25', { key: venue.key }))
  })

  it('a new guest', async () => {
    await costs('guest', (run) => post('/api/v1/guests', { name: 'Maya Okafor', ...person(run) }))
  })

  it('a booking by a new guest', async () => {
    await costs('booking', (run) => book(run, 'booked'))
  })

  it('a press on Seat', async () => {
    const ids: number[] = []
    for (let run = 0; run < runs + warmUps; run++) {
      const { id } = await book(run, 'seated')
      await actAt(service, venue, (work) => moveReservation(work, staff('host'), { id, move: 'confirm' }))
      ids.push(id)
    }
    await costs('seat', () =>
      actAt(service, venue, (work) =>
        moveReservation(work, staff('host'), { id: ids.shift() ?? 0, move: 'seat' }),
      ),
    )
  })

  it('a booking by staff', async () => {
    // Ten to an evening, which has room for twenty.
    const evening = (run: number): { date: string; time: string; startsAt: Temporal.Instant } => {
      const date = Temporal.PlainDate.from('2026-11-10').add({ days: Math.floor(run / 10) })
      const startsAt = date.toZonedDateTime({ timeZone: 'America/New_York', plainTime: '19:00' }).toInstant()
      return { date: date.toString(), time: '19:00', startsAt }
    }
    await costs('byStaff', (run) =>
      actAt(service, venue, (work) =>
        bookByStaff(work, staff('host'), {
          ...{ ...evening(run), ...person(run), email: `by.phone.${run}@example.com` },
          ...{ guestName: 'Ada by phone', partySize: 2, notes: null },
        }),
      ),
    )
  })

  // The form with the details, whose time is held. An IPv6 address is in three networks, which are counted each.
  for (const [name, addressOf] of [
    ['byGuestPage', (run: number) => `192.0.2.${run % 256}`],
    ['byGuestPageIPv6', (run: number) => `2001:db8:${(run % 65_536).toString(16)}::1`],
  ] as const)
    it(`a booking on the page for guests: ${name}`, async () => {
      const path = `/v/${venue.slug}/book`
      const from = (run: number) => ({ headers: { 'x-forwarded-for': addressOf(run) } })
      const forms = new Map<number, Record<string, string>>()
      const filledIn = async (run: number): Promise<number> => {
        // Ten to an evening.
        const date = Temporal.PlainDate.from('2026-10-20').add({ days: Math.floor(run / 10) })
        const chosen = await guestAt(service, path, {
          ...from(run),
          form: { size: '2', slot: `${date.toString()} 19:00` },
        })
        const { text } = await guestAt(service, chosen.headers.get('location') ?? '', from(run))
        const hidden = hiddenFieldsOn(text, ['token', 'size', 'day', 'time', 'hold'])
        const { email, phone } = person(run)
        forms.set(run, { ...hidden, name: 'Ada by page', email: `by.page.${email}`, tel: phone })
        // Nobody fills it in within a second.
        service.setClock(service.context.clock().add({ minutes: 1 }).toString())
        return run
      }
      const send = async (_: number, run: number): Promise<void> => {
        const form = forms.get(run) ?? {}
        const answer = await guestAt(service, path, { ...from(run), form, asShown: true })
        assert.match(answer.headers.get('location') ?? answer.text, /^\/r\/.*new=1$/)
      }
      await costs(name, send, { prepare: filledIn })
    })

  it('a delivery', async () => {
    await post('/api/v1/webhooks', { url: `${receiver.url}/hook`, events: ['lead.created'] })
    const deliver = async (): Promise<void> => {
      const before = receiver.received.length
      const worker = startEngine({ ...service.context, db: service.context.workerDb })
      await eventually(() => receiver.received.length > before)
      await worker.stop()
    }
    await costs('delivery', deliver, {
      prepare: async (run) =>
        (await post('/api/v1/leads', { name: `Lead ${run}`, email: `lead.${run}@example.com` })).id,
      // A worker that is stopped on a busy machine sometimes does not look for more.
      counts: middle,
    })
  })

  it('200 deliveries of 50 venues', async () => {
    const { db, clock, workerDb } = service.context
    const venues = await Promise.all(Array.from({ length: 50 }, () => service.venue()))
    for (const { key } of venues) {
      const body = { url: `${receiver.url}/many`, events: ['guest.created'] }
      await service.call('POST', '/api/v1/webhooks', { key, body })
    }
    const waiting = async (): Promise<void> => {
      for (const one of venues)
        await db.transaction(async (queries) => {
          const work = { db: queries.within(one.id), venue: one }
          for (let n = 0; n < 4; n++)
            await recordEvent(work, 'guest.created', { id: n, name: `Guest ${n}` } as never, clock())
        })
    }
    const deliver = async (): Promise<void> => {
      const before = receiver.received.length
      const worker = startEngine({ ...service.context, db: workerDb })
      await eventually(() => receiver.received.length === before + 200)
      await worker.stop()
    }
    await waiting()
    await deliver()
    await waiting()
    const { statements } = await proxy.counted(deliver)
    assert.ok(statements <= mostForMany, `${statements} statements; written down are at most ${mostForMany}`)
  })
})
