import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { visit } from '../visitor.ts'

/*
 * The people and programs of the simulated venues, in a process of their own (forked by bench/capacity.ts), and the
 * receiver of their endpoints. Each does its work at its own pace, begun at its own moment; what is late is sent at once,
 * and its time counts from when it was due.
 */

export type PeopleVenue = {
  readonly id: number
  /** Of the software that books and reads. */
  readonly key: string
  readonly followerKey: string
  /** One for each screen. */
  readonly sessions: readonly string[]
}

export type PeopleOrder = {
  readonly port: number
  readonly venues: readonly PeopleVenue[]
  readonly seconds: number
  /** Seconds from one to the next at each venue. */
  readonly every: Readonly<Record<'booking' | 'read' | 'page', number>>
}

const kinds = ['poll', 'renewal', 'page', 'read', 'booking', 'followed', 'delivered'] as const
export type Kind = (typeof kinds)[number]

export type PeopleReport = {
  /** In milliseconds. */
  readonly took: Readonly<Record<Kind, number[]>>
  /** What was not answered as it should be. */
  readonly refused: readonly string[]
}

/** What staff open beside their screens, in turns. */
const pages = ['/office/today', '/office/guests', '/office/waitlist', '/office/service']

/** When each booking was answered, by its id, and what waits for a booking that is not answered yet. */
const answeredAt = new Map<number, number>()
const early: { readonly id: number; readonly at: number; readonly kind: 'followed' | 'delivered' }[] = []

let report: { took: Record<Kind, number[]>; refused: string[] }

/** A booking came to somebody who waited for it. */
const arrived = (id: number, kind: 'followed' | 'delivered', at = performance.now()): void => {
  const answered = answeredAt.get(id)
  if (answered === undefined) early.push({ id, at, kind })
  else report.took[kind].push(Math.max(0, at - answered))
}

/** Does something again and again, first at a moment of its own, until the end; counts from when it was due. */
const keepPace = async (
  end: number,
  everySeconds: number,
  share: number,
  once: (due: number, turn: number) => Promise<void>,
): Promise<void> => {
  let due = performance.now() + share * everySeconds * 1000
  for (let turn = 0; due < end; turn++, due += everySeconds * 1000) {
    const early = due - performance.now()
    if (early > 0) await pause(early)
    await once(due, turn)
  }
}

const people = async ({ port, venues, seconds, every }: PeopleOrder): Promise<PeopleReport> => {
  report = {
    took: Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Record<Kind, number[]>,
    refused: [],
  }
  const { took, refused } = report
  answeredAt.clear()
  const stops: (() => void)[] = []
  const visitor = () => {
    const one = visit(port)
    stops.push(one.stop)
    return one
  }
  const counted = (kind: Kind, due: number, wanted: number, status: number, what: string): void => {
    if (status === wanted) took[kind].push(performance.now() - due)
    else refused.push(`${what} was answered ${status}`)
  }
  // Screens look first, as they were open before; the pace begins when all have.
  const screens = await inTens(
    venues.flatMap(({ sessions }) => sessions),
    async (session) => {
      const at = visitor()
      const headers = { authorization: `Bearer ${session}`, 'accept-encoding': 'br' }
      const { status, body } = await at.get('/office/service', headers)
      const html = textOf(body)
      const everyMs = Number(/hx-trigger="every (\d+)ms"/.exec(html)?.[1])
      if (!(everyMs > 0)) throw new Error(`the screen, answered ${status}, does not renew itself`)
      return { at, headers: { ...headers, 'hx-request': 'true' }, asks: asksOf(html), everyMs }
    },
  )
  const followers = await inTens(venues, async ({ followerKey }) => {
    const at = visitor()
    const headers = { 'x-service-key': followerKey }
    let next = ''
    for (let more = true; more;) {
      const { status, body } = await at.get(`/api/v1/changes?limit=1000${next && `&after=${next}`}`, headers)
      if (status !== 200) throw new Error(`a follower was answered ${status}`)
      ;({ next, more } = JSON.parse(body.toString()) as { next: string; more: boolean })
    }
    return { at, headers, next }
  })

  const end = performance.now() + seconds * 1000
  const screen = (one: (typeof screens)[number], n: number) =>
    keepPace(end, one.everyMs / 1000, n / screens.length, async (due) => {
      const { status, body } = await one.at.get(one.asks, one.headers)
      counted(status === 200 ? 'renewal' : 'poll', due, status === 200 ? 200 : 204, status, 'a screen')
      if (status === 200) one.asks = asksOf(textOf(body))
    })
  const follower = async (one: (typeof followers)[number]): Promise<void> => {
    while (performance.now() < end) {
      const left = Math.min(20, Math.floor((end - performance.now()) / 1000))
      const { status, body } = await one.at.get(`/api/v1/changes?after=${one.next}&wait=${left}`, one.headers)
      const at = performance.now()
      if (status !== 200) {
        refused.push(`a follower was answered ${status}`)
        await pause(1_000)
        continue
      }
      const { changes, next } = JSON.parse(body.toString()) as {
        changes: { kind: string; id: number }[]
        next: string
      }
      one.next = next
      for (const { kind, id } of changes) if (kind === 'reservation') arrived(id, 'followed', at)
      if (left === 0) await pause(200)
    }
  }
  const software = ({ id, key }: PeopleVenue, n: number): Promise<void>[] => {
    const [at, booker] = [visitor(), visitor()]
    const headers = { 'x-service-key': key }
    return [
      keepPace(end, every.read, ((n * 7) % venues.length) / venues.length, async (due) => {
        const { status } = await at.get('/api/v1/reservations?limit=25', headers)
        counted('read', due, 200, status, 'a read')
      }),
      keepPace(end, every.booking, ((n * 11) % venues.length) / venues.length, async (due, turn) => {
        const sent = { ...headers, 'idempotency-key': crypto.randomUUID() }
        const { status, body } = await booker.send(
          'POST',
          '/api/v1/reservations',
          sent,
          JSON.stringify(bookingOf(id, turn)),
        )
        counted('booking', due, 201, status, 'a booking')
        if (status === 201)
          answeredAt.set(
            (JSON.parse(body.toString()) as { reservation: { id: number } }).reservation.id,
            performance.now(),
          )
      }),
    ]
  }
  const staff = ({ sessions }: PeopleVenue, n: number): Promise<void> => {
    const at = visitor()
    const headers = { authorization: `Bearer ${sessions[0]}`, 'accept-encoding': 'br' }
    return keepPace(end, every.page, ((n * 13) % venues.length) / venues.length, async (due, turn) => {
      const path = pages[(n + turn) % pages.length] as string
      const { status } = await at.get(path, headers)
      counted('page', due, 200, status, path)
    })
  }
  await Promise.all([
    ...screens.map(screen),
    ...followers.map(follower),
    ...venues.flatMap(software),
    ...venues.map(staff),
  ])
  // What is on its way.
  await pause(1_000)
  for (const { id, at, kind } of early.splice(0)) if (answeredAt.has(id)) arrived(id, kind, at)
  for (const stop of stops) stop()
  return report
}

/** A booking within two weeks, at one of the quarter hours. */
const bookingOf = (venue: number, turn: number) => {
  const minutes = 660 + ((venue * 5 + turn * 3) % 28) * 15
  const date = Temporal.Now.plainDateISO('America/New_York').add({ days: 1 + ((venue + turn) % 14) })
  return {
    guestName: 'Maya Okafor',
    email: `maya.${venue}.${turn}.${Math.trunc(performance.timeOrigin)}@example.com`,
    date: date.toString(),
    time: `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`,
    partySize: 1 + (turn % 6),
  }
}

/** Of a page, compressed as browsers request it. */
const textOf = (body: Buffer): string => brotliDecompressSync(body).toString()

/** What a screen asks for next. */
const asksOf = (html: string): string =>
  [...html.matchAll(/hx-get="([^"]+)"/g)]
    .map(([, address = '']) => address.replaceAll('&amp;', '&'))
    .find((address) => address.includes('seen=')) ?? ''

/** Ten at a time: what opens before the pace begins is no part of it. */
const inTens = async <One, Result>(
  all: readonly One[],
  each: (one: One) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  for (let from = 0; from < all.length; from += 10)
    results.push(...(await Promise.all(all.slice(from, from + 10).map(each))))
  return results
}

const receiver = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    response.writeHead(204).end()
    const { data } = JSON.parse(Buffer.concat(pieces).toString()) as { data?: { id?: number } }
    if (data?.id !== undefined) arrived(data.id, 'delivered')
  })
})
receiver.listen(0, '127.0.0.1', () => {
  process.send?.({ receiver: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}` })
})
process.on('disconnect', () => process.exit(0))
process.on('message', (order: PeopleOrder) => {
  void people(order).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ failed: String(error) }),
  )
})
