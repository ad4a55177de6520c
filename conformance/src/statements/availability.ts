import type { Reply } from '../caller.ts'
import { CannotTry, expectEqual, expectFields, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import { limits } from '../generated/contract.ts'
import type { Section } from '../statement.ts'
import type { Json, World } from '../world.ts'

/** A refused time of the next two weeks that has a service. */
const refused = async ({ days }: World): Promise<Json> => {
  const found = (await days()).flatMap(({ slots }) => slots).find(({ open }: Json) => !open)
  if (!found) throw new CannotTry('the venue refuses no time of the next two weeks')
  return found
}

/** A refused time on whose date there are at least two open ones. */
const refusedBesideOpen = async ({ days }: World): Promise<Json> => {
  const isOpen = ({ open }: Json): boolean => open
  const day = (await days()).find(({ slots }) => slots.filter(isOpen).length >= 2 && !slots.every(isOpen))
  if (!day) throw new CannotTry('the venue has no refused time next to two open ones in the next two weeks')
  return day.slots.find((slot: Json) => !isOpen(slot))
}

const aRequest = ({ person }: World, slot: Json): Json => ({
  guestName: person().name,
  partySize: 2,
  date: slot.date,
  time: slot.time,
})

const tried = async ({ write }: World, body: Json): Promise<Json> =>
  (await write.post('/dry-run', { method: 'POST', path: '/api/v1/reservations', body })).body.wouldAnswer

/** Parties of eight with which a time is filled up. */
const partiesMost = 20

const whenOf = ({ partySize, date, time }: Json): Json => ({ partySize, date, time })

/** A request for the last places of a time: for eight, where one more party of eight is refused. */
const lastPlaces = async ({ make, write, openTime, person }: World): Promise<Json> => {
  const request = { guestName: person().name, partySize: 8, ...(await openTime(8)), startsAt: undefined }
  for (let parties = 0; parties < partiesMost; parties++) {
    const { id } = await make.reservation({ ...whenOf(request) })
    if ((await write.get('/availability/check', whenOf(request))).body.ok) continue
    expectStatus(await write.post(`/reservations/${id}/cancel`, {}), 200)
    return request
  }
  throw new CannotTry('the venue counts no guests')
}

/** A hold cannot be given up; booked and cancelled, it is gone. */
const useUp = async ({ write, person }: World, when: Json, holdId: string): Promise<void> => {
  const body = { guestName: person().name, partySize: 2, ...when, holdId }
  const made = await write.post('/reservations', body)
  await write.post(`/reservations/${made.body.reservation.id}/cancel`, {})
}

export const availability: Section = {
  name: 'Availability',
  about: 'What can be booked, judged by the same rules as a request.',
  statements: [
    {
      number: '1.1',
      says: 'What is shown as open would be taken.',
      check: async (world) => {
        const open = (await world.days()).flatMap(({ slots }) => slots).filter((slot: Json) => slot.open)
        for (const slot of [open[0], open.at(-1)]) {
          if (!slot) throw new CannotTry('the venue has no open time in the next two weeks')
          const answer = await tried(world, aRequest(world, slot))
          expectEqual(answer.status, 201, `the answer to a request for ${slot.date} ${slot.time}`)
        }
      },
    },
    {
      number: '1.2',
      says: 'A refused time comes with exactly the reason and sentence of the request.',
      check: async (world) => {
        const slot = await refused(world)
        const { status, body } = await tried(world, aRequest(world, slot))
        expectEqual([status, body.reason, body.error], [409, slot.reason, slot.sentence], 'the refusal')
      },
    },
    {
      number: '1.3',
      says: 'show=open, the default, leaves refused times out.',
      check: async (world) => {
        const { date } = await refused(world)
        const timesOf = ({ body }: Reply, fits: (slot: Json) => boolean): string[] =>
          body.days[0].slots.filter(fits).map(({ time }: Json) => time)
        const all = await world.write.get('/availability', { date, partySize: 2, show: 'all' })
        for (const query of [{}, { show: 'open' }]) {
          const open = await world.write.get('/availability', { date, partySize: 2, ...query })
          expectEqual(
            timesOf(open, () => true),
            timesOf(all, (slot) => slot.open),
            'the times, which are the open ones of show=all',
          )
        }
      },
    },
    {
      number: '1.4',
      says: 'A closed day says why, and has no times.',
      check: async ({ days }) => {
        const day = (await days()).find(({ closed }) => closed)
        if (!day) throw new CannotTry('the venue is open on every day of the next two weeks')
        expectEqual([day.anyOpen, day.slots], [false, []], 'anyOpen and slots')
        expectThat(day.closed.sentence.endsWith('.'), 'a sentence', day.closed)
      },
    },
    {
      number: '1.5',
      says: `date and partySize are required, days is 1 to ${limits.availabilityDays}; anything else is 400.`,
      check: async ({ write }) => {
        for (const query of [
          {},
          { date: '2026-12-05' },
          { partySize: 2 },
          { date: 'soon', partySize: 2 },
          { date: '2026-12-05', partySize: 0 },
          { date: '2026-12-05', partySize: 2, days: 0 },
          { date: '2026-12-05', partySize: 2, days: limits.availabilityDays + 1 },
          { date: '2026-12-05', partySize: 2, show: 'some' },
        ]) {
          expectRefusal(await write.get('/availability', query), 400)
        }
      },
    },
    {
      number: '1.6',
      says: 'A time that was booked has fewer places at once; cancelled, they are back.',
      check: async (world) => {
        const { make, write, openTime } = world
        const { date, time } = await openTime(8)
        const check = async (): Promise<string> =>
          (await write.get('/availability/check', { date, time, partySize: 8 })).text
        let before = await check()
        for (let parties = 0; parties < partiesMost; parties++) {
          const { id } = await make.reservation({ date, time, partySize: 8 })
          const after = await check()
          if (after !== before) {
            await write.post(`/reservations/${id}/cancel`, {})
            expectEqual(await check(), before, 'the answer after the cancellation')
            return
          }
          before = after
        }
        throw new CannotTry('the venue counts no guests')
      },
    },
    {
      number: '2.1',
      says: 'GET /availability/check says what every rule says; the first that refuses is what a request gets.',
      check: async (world) => {
        const slot = await refused(world)
        const query = { date: slot.date, time: slot.time, partySize: 2 }
        const { body } = await world.write.get('/availability/check', query)
        const first = body.verdicts.find(({ ok }: Json) => ok === false)
        expectFields(body, { ok: false, reason: first?.reason, sentence: first?.sentence }, 'the check')
        const answer = await tried(world, aRequest(world, slot))
        expectEqual(answer.body.reason, body.reason, 'the reason of the request')
      },
    },
    {
      number: '2.2',
      says: 'A read-only key may ask.',
      needs: ['read key'],
      check: async ({ read, openTime }) => {
        const { date, time } = await openTime()
        const { body } = await read.get('/availability/check', { date, time, partySize: 2 })
        expectFields(body, { ok: true, reason: null, sentence: null, alternatives: [] }, 'the check')
      },
    },
    {
      number: '3.1',
      says: 'alternatives: a refused request names so many open times, each of which would be taken.',
      check: async (world) => {
        const body = aRequest(world, await refusedBesideOpen(world))
        const reply = await world.write.send({
          ...{ method: 'POST', path: '/reservations', query: { alternatives: 2 }, body },
        })
        expectRefusal(reply, 409)
        const { alternatives } = reply.body
        expectThat(alternatives?.length === 2, '2 open times in alternatives', alternatives)
        for (const { date, time } of alternatives) {
          expectEqual((await tried(world, { ...body, date, time })).status, 201, `the answer for ${time}`)
        }
      },
    },
    {
      number: '3.2',
      says: 'Without the word a refusal has no alternatives.',
      check: async (world) => {
        const reply = await world.write.post('/reservations', aRequest(world, await refused(world)))
        expectEqual(Object.keys(reply.body).toSorted(), ['error', 'reason'], 'the fields of the refusal')
      },
    },
    {
      number: '4',
      says: 'An ETag holds while nothing changed: 304 and no body.',
      check: async ({ write, openTime }) => {
        const { date } = await openTime()
        const first = await write.get('/availability', { date, partySize: 2 })
        const etag = first.headers.get('etag') ?? ''
        const same = await write.get('/availability', { date, partySize: 2 }, { 'if-none-match': etag })
        expectEqual([same.status, same.text], [304, ''], 'status and body')
        expectStatus(await write.get('/availability', { date, partySize: 7 }, { 'if-none-match': etag }), 200)
      },
    },
    {
      number: '5.1',
      says: `A held time is nobody else's for ${limits.holdMinutes} minutes; the request with its holdId gets it and uses it up.`,
      check: async (world) => {
        const request = await lastPlaces(world)
        const { write, now } = world
        const held = await write.post('/holds', whenOf(request))
        expectStatus(held, 201)
        const minutes = (Date.parse(held.body.expiresAt) - (await now()).getTime()) / 60_000
        expectThat(minutes > limits.holdMinutes - 1 && minutes <= limits.holdMinutes, 'expiresAt', held.body)
        expectRefusal(await write.post('/reservations', request), 409)
        const { id: holdId } = held.body
        expectStatus(await write.post('/reservations', { ...request, holdId }), 201)
        expectRefusal(await write.post('/reservations', { ...request, holdId }), 409)
      },
    },
    {
      number: '5.2',
      says: 'What a request would be refused for is not held, for the same reason.',
      check: async (world) => {
        const slot = await refused(world)
        const reply = await world.write.post('/holds', { partySize: 2, date: slot.date, time: slot.time })
        expectRefusal(reply, 409, slot.reason)
        expectEqual(reply.body.error, slot.sentence, 'the sentence')
      },
    },
    {
      number: '5.3',
      says: `A key has ${limits.holdsOfKey} holds at a time; one more is too-many-holds, and in place of another it is not.`,
      check: async (world) => {
        const { write, openTime } = world
        const hold = async (holdId?: string): Promise<Reply> => {
          const { date, time } = await openTime()
          const reply = await write.post('/holds', { partySize: 2, date, time, holdId })
          if (reply.status === 201) world.afterwards(() => useUp(world, { date, time }, reply.body.id))
          return reply
        }
        let last = await hold()
        expectStatus(last, 201)
        let made = 1
        for (let next = await hold(); next.status === 201 && made <= limits.holdsOfKey; made++) {
          last = next
          next = await hold()
        }
        expectEqual(made, limits.holdsOfKey, 'the holds that were made')
        expectRefusal(await hold(), 409, 'too-many-holds')
        expectStatus(await hold(last.body.id), 201)
      },
    },
    {
      number: '5.4',
      says: 'A holdId that is unknown or has expired is ignored.',
      check: async (world) => {
        const body = { ...aRequest(world, await world.openTime()), holdId: 'pX4sT9vQmN2kLw7RbC1dZg' }
        expectEqual((await tried(world, body)).status, 201, 'the answer')
      },
    },
  ],
}
