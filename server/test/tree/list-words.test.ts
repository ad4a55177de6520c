import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { ListRow } from '../../platform/http/lists/list-asked.ts'
import { rowsOf } from '../rows.ts'
import { type Answer, type TestService, type TestVenue, startService, withEveryScope } from '../service.ts'

/** How lists are paged, filtered and sorted. */

const lists = Object.values<Endpoint>(endpoints).filter((row): row is ListRow => row.list !== undefined)
const moment = (minute: number): string =>
  Temporal.Instant.from('2026-10-01T00:00:00Z')
    .add({ minutes: minute })
    .toString({ smallestUnit: 'millisecond' })

type Listed = { id: number; [field: string]: unknown }

describe('the words of lists', () => {
  let service: TestService
  let venue: TestVenue
  const ask = (path: string, query = ''): Promise<Answer> =>
    service.call('GET', `/api/v1${path}?${query}`, { key: venue.key })
  const list = async (path: string, query = ''): Promise<Listed[]> => {
    const answer = await ask(path, query)
    assert.equal(answer.status, 200, `${path}?${query} ${answer.text}`)
    return answer.body
  }
  const idsOf = (records: readonly Listed[]): number[] => records.map(({ id }) => id)
  const ids = async (path: string, query = ''): Promise<number[]> => idsOf(await list(path, query))
  const refuses = async (path: string, query: string, sentence: RegExp): Promise<void> => {
    const answer = await ask(path, query)
    assert.equal(answer.status, 400, `${query} ${answer.text}`)
    assert.deepEqual(Object.keys(answer.body), ['error'])
    assert.match(answer.body.error, sentence)
  }
  /** From page to page by `Link`, as a client goes; the ids of each page. */
  const walk = async (path: string, query: string, between?: () => Promise<unknown>): Promise<number[][]> => {
    const pages: number[][] = []
    let next: string | undefined = query
    while (next !== undefined) {
      const answer: Answer = await ask(path, next)
      assert.equal(answer.status, 200, answer.text)
      pages.push(idsOf(answer.body))
      const [, reference] = /^<\?(.*)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? []
      next = reference
      const cursor = answer.headers.get('x-next-cursor')
      assert.equal(next === undefined, cursor === null)
      if (next !== undefined) assert.equal(new URLSearchParams(next).get('after'), cursor)
      await between?.()
    }
    return pages
  }
  const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
    rowsOf<Row>(service, text, [venue.id, ...values])

  const guests = (from: number, to: number, at = `'2026-10-01Z'::timestamptz + n * interval '1 min'`) =>
    query<{ id: string }>(
      `insert into guest (venue_id, name, created_at, updated_at)
       select $1, 'Guest ' || n, ${at}, now() from generate_series($2::int, $3::int) n returning id`,
      [from, to],
    )
  type NewReservation = {
    at?: number
    date?: string | null
    time?: string | null
    status?: string
    source?: string
    email?: string
    phone?: [typed: string, key: string, international: boolean]
    guest?: number
  }
  const reservation = async ({
    at = 0,
    date = '2026-10-09',
    time = '19:00',
    status = 'Confirmed',
    source = 'staff',
    email,
    phone,
    guest,
  }: NewReservation): Promise<number> => {
    const [made] = await query<{ id: string }>(
      `insert into reservation (venue_id, date, time, status, source, email, email_key, phone, phone_key,
         phone_international, guest_id, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, lower($6), $7, $8, $9, $10, $11, $11) returning id`,
      [
        date,
        time,
        status,
        source,
        email ?? null,
        phone?.[0] ?? null,
        phone?.[1] ?? null,
        phone?.[2] ?? false,
        guest ?? null,
        moment(at),
      ],
    )
    return Number(made?.id)
  }
  const changed = (kind: string, id: number, at: number, gone = false) =>
    query(
      `insert into record_change (venue_id, kind, record_id, op, gone, revision, changed_at)
       values ($1, $2, $3, $4, $5, 1, $6)
       on conflict (venue_id, kind, record_id) do update set changed_at = excluded.changed_at`,
      [kind, id, gone ? 'deleted' : 'upsert', gone, moment(at)],
    )

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  describe('pages', () => {
    before(async () => {
      venue = await service.venue()
      await guests(1, 1_003)
    })

    it('without a new word the body is as it was; only headers say that there is more', async () => {
      const answer = await ask('/guests', '')
      assert.equal(answer.body.length, 25)
      assert.match(answer.headers.get('link') ?? '', /^<\?after=l1_[\w-]+>; rel="next"$/)
      assert.equal(answer.headers.get('x-count'), null)
      assert.deepEqual(
        await ids('/guests', 'limit=2&color=red&page=2&fields=id'),
        await ids('/guests', 'limit=2'),
      )
    })

    it('pages hold each record once, in order and whole; the last has no Link', async () => {
      for (const sort of ['-createdAt', 'createdAt']) {
        const pages = await walk('/guests', `limit=100&sort=${sort}`)
        assert.equal(pages.length, 11)
        const all = pages.flat()
        assert.equal(new Set(all).size, 1_003)
        const sorted = all.toSorted((a, b) => a - b)
        assert.deepEqual(all, sort === 'createdAt' ? sorted : sorted.toReversed())
      }
    })

    it('what comes in during the walk shifts nothing', async () => {
      const before = await ids('/guests', 'limit=1')
      const pages = await walk('/guests', 'limit=90', () => guests(2_000, 2_003))
      assert.equal(new Set(pages.flat()).size, 1_003)
      assert.equal(pages[0]?.[0], before[0])
    })

    it('ten records of one moment, and none is lost, forth and back', async () => {
      venue = await service.venue()
      await guests(1, 10, `'2026-10-06Z'::timestamptz`)
      for (const sort of ['-createdAt', 'createdAt']) {
        const pages = await walk('/guests', `limit=3&sort=${sort}`)
        assert.deepEqual(
          pages.map((page) => page.length),
          [3, 3, 3, 1],
        )
        assert.equal(new Set(pages.flat()).size, 10)
      }
    })

    it('a cursor is good for its venue, list, filters and sort; anything else is 400', async () => {
      venue = await service.venue()
      await guests(1, 3)
      for (let i = 0; i < 3; i++) await reservation({ at: i })
      const cursorOf = async (path: string, words: string) =>
        (await ask(path, words)).headers.get('x-next-cursor') as string
      const cursor = await cursorOf('/reservations', 'limit=1&status=confirmed')
      assert.equal((await ask('/reservations', `limit=2&status=Confirmed&after=${cursor}`)).status, 200)
      assert.equal((await ask('/reservations', `color=red&status=Confirmed&after=${cursor}`)).status, 200)
      const no = /^after must be a cursor of this list/
      for (const words of [
        '',
        'status=Requested',
        'status=Confirmed,Seated',
        'status=Confirmed&sort=createdAt',
        'status=Confirmed&source=staff',
        'status=Confirmed&since=2026-10-01T00:00:00Z',
      ]) {
        await refuses('/reservations', `${words}&after=${cursor}`, no)
      }
      await refuses('/guests', `after=${cursor}`, no)
      await refuses('/guests', `after=${await cursorOf('/reservations', 'limit=1')}`, no)
      for (const garbage of [
        '',
        'l1_',
        'x',
        'l1_AAAA',
        `${cursor}x`,
        `l2_${cursor.slice(3)}`,
        '%00',
        'l1_%FF',
      ]) {
        await refuses('/guests', `after=${garbage}`, no)
      }
      await refuses(
        '/reservations',
        `status=Confirmed&after=${cursor}&after=${cursor}`,
        /^after can be given only once/,
      )
      const own = venue
      venue = await service.venue()
      await refuses('/reservations', `status=Confirmed&after=${cursor}`, no)
      venue = own
    })

    it('until leaves out the moment that since takes in', async () => {
      const all = await list('/guests')
      const at = String(all[1]?.['createdAt'])
      assert.deepEqual(await ids('/guests', `since=${at}`), idsOf(all).slice(0, 2))
      assert.deepEqual(await ids('/guests', `until=${at}`), idsOf(all).slice(2))
      assert.deepEqual(await ids('/guests', `since=${at}&until=${at}`), [])
      await refuses('/guests', 'until=yesterday', /^until must be a date and time with a zone/)
    })

    it('count=true counts exactly up to 10,000', async () => {
      venue = await service.venue()
      const count = async (more = '') =>
        (await ask('/guests', `limit=1&count=true${more}`)).headers.get('x-count')
      assert.equal(await count(), '0')
      await guests(1, limits.countMost - 1)
      assert.equal(await count(), '9999')
      await guests(0, 0)
      assert.equal(await count(), '10000')
      await guests(-1, -1)
      assert.equal(await count(), '10000+')
      assert.equal(await count(`&until=${moment(1)}`), '2')
      await refuses('/guests', 'count=yes', /^count must be true/)
      await refuses('/guests', 'count=', /^count must be true/)
    })

    it('the reference is only a query, so it holds behind any prefix; with PUBLIC_URL it is an address', async () => {
      const { headers } = await ask('/guests', 'limit=25&sort=createdAt')
      const [, reference = ''] = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
      const { pathname, searchParams } = new URL(
        reference,
        'https://example.com/prefix/api/v1/guests?limit=25',
      )
      assert.equal(pathname, '/prefix/api/v1/guests')
      assert.deepEqual([...searchParams.keys()], ['limit', 'sort', 'after'])
      const named = await startService({ PUBLIC_URL: 'https://blue-door.example.com' })
      const house = await named.venue()
      for (const n of [1, 2]) {
        const body = { email: `g${n}@example.com` }
        await named.call('POST', '/api/v1/guests', { key: house.key, body })
      }
      const answer = await named.call('GET', '/api/v1/guests?limit=1', { key: house.key })
      assert.match(
        answer.headers.get('link') ?? '',
        /^<https:\/\/blue-door\.example\.com\/api\/v1\/guests\?limit=1&after=l1_[\w-]+>; rel="next"$/,
      )
      await named.stop()
    })

    it('fields is ignored', async () => {
      assert.deepEqual(await list('/guests', 'limit=1&fields=id'), await list('/guests', 'limit=1'))
    })
  })

  it('what changes between two pages comes on the second, or after the first one’s place in the feed', async () => {
    venue = await service.venue()
    const add = (n: number, more = {}) =>
      service.call('POST', '/api/v1/guests', {
        key: venue.key,
        body: { email: `g${n}@example.com`, ...more },
      })
    for (let n = 0; n < 4; n++) await add(n)
    const first = await ask('/guests', 'limit=2')
    await add(3, { phone: '212 555 0147' })
    await add(0, { phone: '212 555 0199' })
    const second: Answer = await ask('/guests', `limit=2&after=${first.headers.get('x-next-cursor')}`)
    const since = await ask('/changes', `after=${first.headers.get('x-changes-cursor')}`)
    assert.equal(since.status, 200, since.text)
    const told = (since.body.changes as { data: Listed }[]).map(({ data }) => data)
    const phones = new Set([...(second.body as Listed[]), ...told].map((guest) => guest['phone']))
    assert.ok(phones.has('212 555 0147') && phones.has('212 555 0199'))
  })

  describe('changes', () => {
    let made: number[]
    before(async () => {
      venue = await service.venue()
      made = (await guests(1, 6)).map(({ id }) => Number(id))
      for (const [i, at] of [30, 10, 20, 20, 50, 40].entries()) await changed('guest', made[i] as number, at)
      await changed('guest', 999_999, 25, true)
    })

    it('sort=changed has the last change last, then by id, and pages through all', async () => {
      const [a, b, c, d, e, f] = made
      assert.deepEqual(await ids('/guests', 'sort=changed'), [b, c, d, a, f, e])
      assert.deepEqual((await walk('/guests', 'sort=changed&limit=2')).flat(), [b, c, d, a, f, e])
    })

    it('updatedSince takes what changed at or after it, which creation does not tell', async () => {
      const [a, , c, d, e, f] = made
      assert.deepEqual(await ids('/guests', `updatedSince=${moment(20)}`), [c, d, a, f, e])
      assert.deepEqual((await walk('/guests', `updatedSince=${moment(20)}&limit=2`)).flat(), [c, d, a, f, e])
      assert.equal(
        (await ask('/guests', `updatedSince=${moment(20)}&count=true`)).headers.get('x-count'),
        '5',
      )
      const body = { email: 'maya@example.com', name: 'Maya' }
      const { guest } = (await service.call('POST', '/api/v1/guests', { key: venue.key, body })).body
      const since = service.context.clock().add({ minutes: 5 })
      service.setClock(since.toString())
      await service.call('POST', '/api/v1/guests', {
        key: venue.key,
        body: { ...body, phone: '212 555 0147' },
      })
      assert.deepEqual(await ids('/guests', `updatedSince=${since.toString()}`), [guest.id])
    })

    it('updatedSince goes with no other sort', async () => {
      await refuses(
        '/guests',
        `updatedSince=${moment(20)}&sort=-createdAt`,
        /^updatedSince goes with no sort/,
      )
      assert.equal((await ask('/guests', `updatedSince=${moment(20)}&sort=changed`)).status, 200)
      await refuses('/guests', 'sort=name', /^sort must be one of -createdAt, createdAt, changed\.$/)
      await refuses('/guests', 'sort=', /^sort must be one of/)
    })
  })

  describe('filters', () => {
    before(async () => {
      venue = await service.venue()
    })

    it('status takes several words in any letter case; another word is 400', async () => {
      const confirmed = await reservation({ at: 1, status: 'Confirmed' })
      const seated = await reservation({ at: 2, status: 'Seated' })
      await reservation({ at: 3, status: 'Completed' })
      const absent = await reservation({ at: 4, status: 'No-show', source: 'walkin' })
      assert.deepEqual(await ids('/reservations', 'status=Confirmed,seated'), [seated, confirmed])
      assert.deepEqual(await ids('/reservations', 'status=no-show'), [absent])
      assert.deepEqual((await walk('/reservations', 'status=Confirmed,seated&limit=1')).flat(), [
        seated,
        confirmed,
      ])
      await refuses('/reservations', 'status=Foo', /^status must be made of Requested, Confirmed/)
      await refuses('/reservations', 'status=Confirmed,', /^status must be made of/)
      await refuses('/reservations', 'status=', /^status is empty/)
      await refuses('/reservations', 'status=Seated&status=Seated', /^status can be given only once/)
      assert.deepEqual(await ids('/reservations', 'source=WALKIN,none'), [absent])
      assert.deepEqual(await ids('/reservations', 'source=carrier%20pigeon'), [])
      await refuses('/reservations', 'source=walkin,', /^source has an empty word/)
      assert.deepEqual(await ids('/reservations', 'source=walkin&status=Seated'), [])
    })

    it('dates take in both ends; the first after the last is 400', async () => {
      venue = await service.venue()
      const late = await reservation({ at: 1, date: '2026-10-11', time: '18:00' })
      const early = await reservation({ at: 2, date: '2026-10-09', time: '20:00' })
      const earlier = await reservation({ at: 3, date: '2026-10-09', time: '18:00' })
      const undated = await reservation({ at: 4, date: null, time: null })
      assert.deepEqual(await ids('/reservations', 'sort=date'), [earlier, early, late, undated])
      assert.deepEqual(await ids('/reservations', 'sort=-date'), [undated, late, early, earlier])
      for (const sort of ['date', '-date']) {
        const pages = await walk('/reservations', `sort=${sort}&limit=1`)
        assert.deepEqual(pages.flat(), await ids('/reservations', `sort=${sort}`))
      }
      assert.deepEqual(await ids('/reservations', 'dateFrom=2026-10-09&dateTo=2026-10-09'), [earlier, early])
      assert.deepEqual(await ids('/reservations', 'dateFrom=2026-10-10'), [late])
      assert.deepEqual(await ids('/reservations', 'dateTo=2026-10-09&sort=date'), [earlier, early])
      assert.deepEqual(await ids('/reservations', 'dateFrom=2026-10-09&sort=-date'), [late, early, earlier])
      await refuses(
        '/reservations',
        'dateFrom=2026-10-10&dateTo=2026-10-09',
        /^dateFrom must not be after dateTo/,
      )
      await refuses('/reservations', 'dateFrom=10.10.2026', /^dateFrom must be a real date/)
    })

    it('an address, a number in any form, or either', async () => {
      venue = await service.venue()
      const international = await reservation({ at: 1, phone: ['+1 212 555 0199', '12125550199', true] })
      const local = await reservation({ at: 2, phone: ['(212) 555-0199', '2125550199', false] })
      const other = await reservation({
        at: 3,
        email: 'Maya@Example.com',
        phone: ['646 555 0123', '6465550123', false],
      })
      assert.deepEqual(await ids('/reservations', 'phone=2125550199'), [local, international])
      assert.deepEqual(await ids('/reservations', 'phone=%2B12125550199'), [local, international])
      assert.deepEqual(await ids('/reservations', 'email=maya@example.COM'), [other])
      const both = 'email=maya@example.com&phone=2125550199'
      assert.deepEqual(await ids('/reservations', both), [other, local, international])
      assert.deepEqual((await walk('/reservations', `${both}&limit=1&sort=createdAt`)).flat(), [
        international,
        local,
        other,
      ])
      assert.deepEqual(await ids('/reservations', `${both}&status=Confirmed&source=staff&sort=date`), [
        international,
        local,
        other,
      ])
      await refuses('/reservations', 'phone=123456', /^phone must have at least 7 digits/)
      await refuses('/reservations', 'email=maya@example.com&phone=123456', /^phone must have/)
      await refuses('/reservations', 'email=', /^email is empty/)
      await refuses('/reservations', 'email=%00', /^email must be/)
      await changed('reservation', local, 9)
      await changed('reservation', international, 8)
      await changed('reservation', other, 7)
      assert.deepEqual(await ids('/reservations', 'phone=2125550199&sort=changed'), [international, local])
      assert.deepEqual((await walk('/reservations', 'phone=2125550199&sort=changed&limit=1')).flat(), [
        international,
        local,
      ])
    })

    it('in guests, too, by the same matching', async () => {
      const body = { name: 'Maya', phone: '+1 212 555 0199' }
      const { guest } = (await service.call('POST', '/api/v1/guests', { key: venue.key, body })).body
      assert.deepEqual(await ids('/guests', 'phone=2125550199'), [guest.id])
      assert.deepEqual(await ids('/guests', 'email=nobody@example.com'), [])
    })

    it('tags of subscribers, letter case ignored', async () => {
      venue = await service.venue()
      const add = async (email: string, tag?: string) => {
        const body = { email, ...(tag && { tag }), consent: { source: 'Checkout' } }
        return (await service.call('POST', '/api/v1/subscribers', { key: venue.key, body })).body.subscriber
          .id
      }
      const wine = await add('a@example.com', 'Wine')
      await add('b@example.com')
      const jazz = await add('c@example.com', 'Jazz')
      assert.deepEqual(await ids('/subscribers', 'tag=wINE'), [wine])
      assert.deepEqual(await ids('/subscribers', 'tag=wine,JAZZ'), [jazz, wine])
      assert.deepEqual(await ids('/subscribers', 'tag=none'), [])
      assert.deepEqual(await ids('/subscribers', 'email=A@example.com&status=subscribed'), [wine])
      assert.deepEqual(await ids('/subscribers', 'status=unsubscribed,pending'), [])
      assert.deepEqual(await ids('/subscribers', 'sort=changed&tag=wine'), [wine])
    })

    it('guest takes the bookings of a guest; a deleted guest or another venue’s gives an empty list', async () => {
      venue = await service.venue()
      const [maya] = await guests(1, 1)
      const id = Number(maya?.id)
      const booked = await reservation({ at: 1, guest: id })
      await reservation({ at: 2 })
      assert.deepEqual(await ids('/reservations', `guest=${id}`), [booked])
      assert.deepEqual(await ids('/reservations', `guest=${id}&sort=date&status=Confirmed`), [booked])
      assert.deepEqual(await ids('/reservations', `guest=${id + 1}`), [])
      for (const wrong of ['', '0', '007', 'maya', '-1', '99999999999999999']) {
        await refuses('/reservations', `guest=${wrong}`, /^guest (?:must be the id|is empty)/)
      }
      venue = await service.venue()
      assert.deepEqual(await ids('/reservations', `guest=${id}`), [])
    })

    it('orders by their date, their status and the day of their event', async () => {
      venue = await service.venue()
      const order = async (at: number, date: string, status: string) => {
        const [row] = await query<{ id: string; occurrence_id: string }>(
          `with e as (insert into ticketed_event (venue_id, name, created_at) values ($1, 'Jazz', now()) returning id),
             o as (insert into occurrence (venue_id, event_id, date, capacity, price_cents)
                   select $1, id, $2, 9, 9 from e returning id)
           insert into ticket_order (venue_id, occurrence_id, order_number, status, channel, payment_method, seats,
             subtotal_cents, total_cents, buyer_email_key, created_at, updated_at)
           select $1, id, gen_random_uuid(), $3, 'public', 'cash', 1, 2, 2, 'maya@example.com', $4, $4 from o
           returning id, occurrence_id`,
          [date, status, moment(at)],
        )
        return { id: Number(row?.id), occurrence: Number(row?.occurrence_id) }
      }
      const late = await order(1, '2026-11-02', 'paid')
      const early = await order(2, '2026-11-01', 'refunded')
      assert.deepEqual(await ids('/ticket-orders', 'sort=date'), [early.id, late.id])
      assert.deepEqual((await walk('/ticket-orders', 'sort=date&limit=1')).flat(), [early.id, late.id])
      assert.deepEqual(await ids('/ticket-orders', 'dateFrom=2026-11-02'), [late.id])
      assert.deepEqual(await ids('/ticket-orders', 'status=PAID'), [late.id])
      assert.deepEqual(await ids('/ticket-orders', `occurrence=${early.occurrence}`), [early.id])
      assert.deepEqual(await ids('/ticket-orders', 'email=Maya@example.com&status=paid,refunded'), [
        early.id,
        late.id,
      ])
      await refuses('/ticket-orders', 'sort=-date', /^sort must be one of/)
    })

    it('parties waiting and leads by what they are', async () => {
      venue = await service.venue()
      const wait = (status: string, date: string) =>
        query<{ id: string }>(
          `insert into waitlist_entry (venue_id, status, source, date, created_at, updated_at)
           values ($1, $2, 'staff', $3, now(), now()) returning id`,
          [status, date],
        )
      const [waiting] = await wait('waiting', '2026-10-09')
      await wait('booked', '2026-10-08')
      assert.deepEqual(await ids('/waitlist', 'status=waiting,offered'), [Number(waiting?.id)])
      assert.deepEqual(await ids('/waitlist', 'dateFrom=2026-10-09'), [Number(waiting?.id)])
      const lead = async (priority: string) => {
        const body = { name: 'Maya', priority }
        return (await service.call('POST', '/api/v1/leads', { key: venue.key, body })).body.lead.id as number
      }
      const [high, low] = [await lead('High'), await lead('Low')]
      assert.deepEqual(await ids('/leads', 'priority=high'), [high])
      assert.deepEqual(await ids('/leads', 'priority=high,low&stage=inquiry'), [low, high])
      assert.deepEqual(await ids('/leads', 'stage=Nowhere'), [])
      await refuses('/leads', 'priority=urgent', /^priority must be made of High, Medium, Low/)
    })

    it('a page that has looked at as many records as it may is short, and what follows goes on behind them', async () => {
      venue = await service.venue()
      const many = limits.looksOfPage + 50
      await query(
        `insert into reservation (venue_id, status, source, created_at, updated_at)
         select $1, 'Completed', case when n in (1, 2, $2) then 'walkin' else 'staff' end,
                '2026-10-01Z'::timestamptz + n * interval '1 s', now() from generate_series(1, $2::int) n`,
        [many],
      )
      const pages = await walk('/reservations', 'source=walkin&status=completed')
      assert.deepEqual(
        pages.map((page) => page.length),
        [1, 2],
      )
      assert.equal(
        (await ask('/reservations', 'source=walkin&status=completed&count=true')).headers.get('x-count'),
        '3',
      )
      assert.deepEqual(
        (await walk('/reservations', 'source=walkin&status=completed&limit=1')).map((page) => page.length),
        [1, 1, 1],
      )
      // Alone, a source is walked to its end at once.
      assert.deepEqual(
        (await walk('/reservations', 'source=Walkin')).map((page) => page.length),
        [3],
      )
    })
  })

  it('words that a list does not name are ignored there, as every unknown word is', async () => {
    const { key } = await withEveryScope(await service.venue())
    const all = [
      'status',
      'source',
      'stage',
      'priority',
      'category',
      'tag',
      'dateFrom',
      'dateTo',
      'email',
      'phone',
      'guest',
      'externalId',
      'reservation',
      'lead',
      'table',
      'occurrence',
      'done',
    ]
    for (const { path, list: known } of lists) {
      for (const word of all.filter((one) => !(one in known.filters))) {
        const answer = await service.call('GET', `${path}?${word}=%00&${word}=x`, { key })
        assert.equal(answer.status, 200, `${path} ${word}`)
      }
    }
  })

  it('every order and filter of every list answers, alone and together', async () => {
    const { key } = await withEveryScope(await service.venue())
    const samples: Record<string, string> = {
      dateFrom: '2026-10-01',
      dateTo: '2026-12-31',
      email: 'maya@example.com',
      phone: '2125550199',
      guest: '1',
      externalId: 'crm-1',
      reservation: '1',
      lead: '1',
      table: '1',
      occurrence: '1',
      done: 'true',
    }
    for (const { path, list: known } of lists) {
      const words = Object.entries(known.filters).map(([word, one]) => {
        const value = one === true ? samples[word] : 'closed' in one ? one.closed.slice(0, 2).join() : 'a,b'
        return `${word}=${value}`
      })
      for (const sort of known.sorts) {
        for (const asked of [...words, words.join('&'), '', `count=true&${words[0] ?? ''}`]) {
          const at = `${path}?sort=${sort}&since=2026-01-01T00:00:00Z&until=2027-01-01T00:00:00Z&${asked}`
          const answer = await service.call('GET', at, { key })
          assert.equal(answer.status, 200, `${at} ${answer.text}`)
        }
      }
    }
  })
})
