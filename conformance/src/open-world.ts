import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Ask, type Caller, type Reply, makeCaller } from './caller.ts'
import { assertDocumented, operationName } from './documents.ts'
import { CannotTry, Unmet, answerOf, expectStatus } from './expect.ts'
import type { Pace } from './pace.ts'
import type { Receiver } from './receiver.ts'
import type { Json, OpenTime, World } from './world.ts'

export type Keys = {
  readonly write: string
  readonly read?: string | undefined
  readonly automation?: string | undefined
  readonly other?: string | undefined
  readonly revoked?: string | undefined
  readonly checkout?: string | undefined
}

/** The state shared by a whole run. */
export type Setting = {
  readonly baseUrl: string
  readonly isLoopback: boolean
  readonly keys: Keys
  readonly venue: World['venue']
  readonly returnUrl: string | undefined
  readonly receiver: Receiver | undefined
  readonly trigger: World['trigger'] | undefined
  readonly advance: World['advance'] | undefined
  readonly patienceMs: number
  readonly pace: Pace
}

/** The world of one statement, and what is needed when it is over. */
export type OpenWorld = {
  readonly world: World
  /** The last answer the statement got. */
  readonly last: () => Reply | undefined
  /** Withdraws what the statement created; failures are ignored. */
  readonly tidy: () => Promise<void>
}

const lookEveryMs = 50
/** The first day for test bookings: far enough ahead for any notice a venue requires. */
const firstDayAhead = 2

/** The venue's open times are handed out in turn across all statements of a run. */
export class Times {
  readonly #days = new Map<number, Promise<readonly Json[]>>()
  #given = 0

  days(partySize: number, read: () => Promise<readonly Json[]>): Promise<readonly Json[]> {
    const known = this.#days.get(partySize) ?? read()
    this.#days.set(partySize, known)
    return known
  }

  /** The clock was moved, so what was read before is no longer valid. */
  forget(): void {
    this.#days.clear()
  }

  next<T>(of: readonly T[]): T | undefined {
    // Not adjacent times, since those share a slot's places.
    return of[(this.#given++ * 3) % of.length]
  }
}

export const openWorld = (setting: Setting, times: Times): OpenWorld => {
  const { baseUrl, keys, venue, receiver, patienceMs, pace } = setting
  const run = randomUUID().slice(0, 8)
  const tidies: (() => Promise<unknown>)[] = []
  let last: Reply | undefined
  let made = 0

  const plain = makeCaller(baseUrl, keys.write, { before: () => pace.turn(keys.write) })
  const caller = (key: string | undefined, isPaced = true): Caller =>
    makeCaller(baseUrl, key, {
      ...(isPaced && { before: () => pace.turn(key) }),
      after: (reply, ask) => {
        last = reply
        pace.note(key, reply)
        const undo = undoOf(reply, ask)
        if (undo) tidies.push(() => plain.send(undo))
        assertDocumented(reply, ask)
      },
    })
  const write = caller(keys.write)

  const unique = (what = 'Conformance'): string => `${what}-${run}-${++made}`
  const person: World['person'] = (name = 'Ada') => {
    const id = unique()
    return {
      name: `${name} ${id}`,
      email: `${id.toLowerCase()}@example.com`,
      // No area has this area code.
      phone: `+1 999 ${randomInt(200, 1000)} ${String(randomInt(10_000)).padStart(4, '0')}`,
    }
  }
  const madeBy = async (field: string, path: string, body: object): Promise<Json> => {
    const reply = await write.post(path, body)
    expectStatus(reply, 200, 201)
    return reply.body[field]
  }

  const now = async (): Promise<Date> => new Date((await write.get('/me')).headers.get('date') ?? Date.now())
  const days: World['days'] = (partySize = 2) =>
    times.days(partySize, async () => {
      const from = new Date((await now()).getTime() + firstDayAhead * 86_400_000).toISOString().slice(0, 10)
      const reply = await write.get('/availability', { date: from, partySize, days: 14, show: 'all' })
      expectStatus(reply, 200)
      return reply.body.days
    })
  const openTime: World['openTime'] = async (partySize = 2) => {
    const slots: Json[] = (await days(partySize)).flatMap((day) => day.slots)
    const slot = times.next(slots.filter(({ open }) => open))
    if (!slot) throw new CannotTry(`the venue has no open time for ${partySize} in the next two weeks`)
    const { date, time, startsAt } = slot
    return { date, time, startsAt } satisfies OpenTime
  }

  const make: World['make'] = {
    guest: async (body) => madeBy('guest', '/guests', { ...person('Guest'), ...body }),
    subscriber: async (body) =>
      madeBy('subscriber', '/subscribers', {
        email: person().email,
        consent: { source: 'Conformance' },
        ...body,
      }),
    lead: async (body) => madeBy('lead', '/leads', { name: person('Lead').name, ...body }),
    task: async (body) => madeBy('task', '/tasks', { title: unique('Task'), ...body }),
    reservation: async (body: Json = {}) => {
      const { name, email } = person('Booking')
      const { date, time } = await openTime(body.partySize)
      return madeBy('reservation', '/reservations', {
        ...{ guestName: name, email, partySize: 2, date, time },
        ...body,
      })
    },
    waitlistEntry: async (body) => {
      const { name, email } = person('Waiting')
      const { date } = await openTime()
      return madeBy('waitlistEntry', '/waitlist', { guestName: name, email, partySize: 2, date, ...body })
    },
    campaign: async (body) =>
      madeBy('campaign', '/campaigns', {
        name: unique('Campaign'),
        subject: 'News of the house',
        bodyHtml: '<h1>Oyster week</h1><p>Six kinds, from Tuesday to Sunday.</p>',
        ...body,
      }),
    endpoint: async (events, more) => {
      const box = given(receiver, 'receiver').mailbox()
      const reply = await write.post('/webhooks', { url: box.url, events })
      expectStatus(reply, 201)
      const { id, secret } = reply.body
      if (more) expectStatus(await write.patch(`/webhooks/${id}`, more), 200)
      return Object.assign(box, { id, secret, made: reply.body })
    },
  }

  const world: World = {
    venue,
    write,
    read: caller(keys.read),
    automation: caller(keys.automation),
    other: caller(keys.other),
    revoked: caller(keys.revoked),
    checkout: caller(keys.checkout),
    returnUrl: setting.returnUrl ?? '',
    nobody: caller(undefined),
    rushed: caller(keys.write, false),
    withKey: (key) => caller(key),
    keys: { write: keys.write, read: keys.read ?? '' },
    person,
    unique,
    make,
    openTime,
    days,
    now,
    mailbox: () => given(receiver, 'receiver').mailbox(),
    trigger: (event, id) => given(setting.trigger, 'trigger')(event, id),
    advance: async (by) => {
      await given(setting.advance, 'clock')(by)
      times.forget()
    },
    until: async (ask, fits, { atLeastMs, everyMs } = { atLeastMs: 0, everyMs: lookEveryMs }) => {
      const longestMs = Math.max(patienceMs, atLeastMs)
      const giveUp = Date.now() + longestMs
      for (;;) {
        const reply = await ask()
        if (fits(reply)) return reply
        if (Date.now() > giveUp)
          throw new Unmet(`another answer within ${longestMs / 1000} seconds`, answerOf(reply))
        await pause(everyMs)
      }
    },
    afterwards: (tidy) => tidies.push(tidy),
  }
  return {
    world,
    last: () => last,
    tidy: async () => {
      for (const tidy of tidies.toReversed()) await tidy().catch(() => undefined)
    },
  }
}

const given = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new CannotTry(`no ${what} was given`)
  return value
}

/** The call that withdraws the record in an answer; undefined if none was created or it cannot be withdrawn. */
const undoOf = (reply: Reply, ask: Ask): Ask | undefined => {
  if (reply.status !== 201 || reply.headers.has('idempotent-replayed')) return undefined
  const { body } = reply
  const post = (path: string, more: object = {}): Ask => ({ method: 'POST', path, body: more })
  switch (operationName(ask)) {
    case 'createReservation':
      return post(`/reservations/${body?.reservation?.id}/cancel`, { by: 'staff' })
    case 'createTask':
      return { method: 'POST', path: `/tasks/${body?.task?.id}/complete` }
    case 'createSubscriber':
      return { method: 'POST', path: `/subscribers/${body?.subscriber?.id}/unsubscribe` }
    case 'createLead':
      return {
        ...{ method: 'PATCH', path: `/leads/${body?.lead?.id}` },
        ...{ body: { stage: 'Lost' }, headers: { 'if-match': '*' } },
      }
    case 'joinWaitlist':
      return { method: 'POST', path: `/waitlist/${body?.waitlistEntry?.id}/leave` }
    case 'createTicketOrder':
      return { method: 'POST', path: `/ticket-orders/${body?.ticketOrder?.id}/cancel` }
    case 'createWebhook':
      return { method: 'DELETE', path: `/webhooks/${body?.id}` }
    case 'createHook':
      return { method: 'DELETE', path: `/hooks/${body?.id}` }
    default:
      return undefined
  }
}
