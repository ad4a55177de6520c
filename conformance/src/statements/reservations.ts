import { CannotTry, expectEqual, expectFields, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import { limits } from '../generated/contract.ts'
import type { Section } from '../statement.ts'
import type { Json, World } from '../world.ts'

/** A whole body, for a time that is open. */
const aRequest = async ({ person, openTime }: World): Promise<Json> => {
  const { name, email, phone } = person()
  const { date, time } = await openTime()
  return { guestName: name, email, phone, partySize: 2, date, time, notes: 'By the window.' }
}

/** A time that the venue refuses for a reason, as its calendar says. */
const refusedFor = async ({ days }: World, reason: string): Promise<Json> => {
  const found = (await days()).flatMap(({ slots }) => slots).find((slot: Json) => slot.reason === reason)
  if (!found) throw new CannotTry(`the venue refuses no time of the next two weeks as ${reason}`)
  return found
}

/** Parties of eight with which a slot is filled up. */
const slotsMost = 20

/** Nothing was made for this address. */
const expectNothingOf = async ({ write }: World, email: string): Promise<void> =>
  expectEqual((await write.get('/reservations/find', { email })).body, [], 'what is found of the guest')

export const reservations: Section = {
  name: 'Reservations',
  about: 'Requests for a table, which the venue confirms.',
  statements: [
    {
      number: '1',
      says: 'POST makes a request: 201, status Requested, source automation, with what was sent.',
      check: async (world) => {
        const body = await aRequest(world)
        const reply = await world.write.post('/reservations', body)
        expectStatus(reply, 201)
        expectFields(
          reply.body.reservation,
          { ...body, status: 'Requested', source: 'automation' },
          'the request',
        )
        const { cancelledAt, cancelledBy, checkedInAt } = reply.body.reservation
        expectEqual([cancelledAt, cancelledBy, checkedInAt], [null, null, null], 'what has not happened yet')
      },
    },
    {
      number: '2.1',
      says: 'guestName and partySize are required, and a time.',
      check: async (world) => {
        const body = await aRequest(world)
        for (const field of ['guestName', 'partySize', 'date', 'time']) {
          expectRefusal(await world.write.post('/reservations', { ...body, [field]: undefined }), 400)
        }
        await expectNothingOf(world, body.email)
      },
    },
    {
      number: '2.2',
      says: 'An unreadable field is 400: nothing is converted.',
      check: async (world) => {
        const body = await aRequest(world)
        for (const wrong of [
          { partySize: '2' },
          { partySize: 2.5 },
          { partySize: 0 },
          { date: 'Friday' },
          { date: '2026-02-30' },
          { time: '25:00' },
          { email: 'nobody' },
          { guestName: 7 },
        ]) {
          expectRefusal(await world.write.post('/reservations', { ...body, ...wrong }), 400)
        }
        await expectNothingOf(world, body.email)
      },
    },
    {
      number: '3.1',
      says: 'time: 19:00, 7:00 PM and 7pm are the same time.',
      check: async (world) => {
        const slots: Json[] = (await world.days()).flatMap((day) => day.slots)
        const slot = slots.find(({ open, time }) => open && /^(1[3-9]|2[0-3]):00$/.test(time))
        if (!slot) throw new CannotTry('the venue has no open time on a full hour after noon')
        const hour = Number(slot.time.slice(0, 2)) - 12
        for (const time of [slot.time, `${hour}:00 PM`, `${hour}pm`]) {
          const body = { ...(await aRequest(world)), date: slot.date, time, partySize: 1 }
          const reply = await world.write.post('/reservations', body)
          expectStatus(reply, 201)
          expectEqual(reply.body.reservation.time, slot.time, `the time read from "${time}"`)
          await world.write.post(`/reservations/${reply.body.reservation.id}/cancel`, {})
        }
      },
    },
    {
      number: '3.2',
      says: 'startsAt with an offset is converted to the venue’s clock.',
      check: async ({ openTime, person, write }) => {
        const { date, time, startsAt } = await openTime()
        const inUtc = new Date(startsAt).toISOString()
        const body = { guestName: person().name, partySize: 2, startsAt: inUtc }
        const reply = await write.post('/reservations', body)
        expectStatus(reply, 201)
        expectFields(reply.body.reservation, { date, time }, `the booking of ${inUtc}`)
      },
    },
    {
      number: '3.3',
      says: 'startsAt without an offset is 400.',
      check: async ({ openTime, person, write }) => {
        const { date, time } = await openTime()
        const body = { guestName: person().name, partySize: 2, startsAt: `${date}T${time}:00` }
        expectRefusal(await write.post('/reservations', body), 400)
      },
    },
    {
      number: '4.1',
      says: 'A time that has passed at the venue is 409 in-the-past.',
      check: async (world) => {
        const body = { ...(await aRequest(world)), date: '2020-01-07' }
        expectRefusal(await world.write.post('/reservations', body), 409, 'in-the-past')
        await expectNothingOf(world, body.email)
      },
    },
    {
      number: '4.2',
      says: 'A day on which the venue is closed is 409 closed.',
      check: async (world) => {
        const day = (await world.days()).find(({ closed }) => closed?.reason === 'closed')
        if (!day) throw new CannotTry('the venue is open on every day of the next two weeks')
        const body = { ...(await aRequest(world)), date: day.date, time: '19:00' }
        expectRefusal(await world.write.post('/reservations', body), 409, 'closed')
        await expectNothingOf(world, body.email)
      },
    },
    {
      number: '4.3',
      says: 'A slot that has reached the number of guests is 409 pacing-covers-full.',
      check: async (world) => {
        const { date, time } = await world.openTime(8)
        for (let i = 0; i < slotsMost; i++) {
          const body = { ...(await aRequest(world)), partySize: 8, date, time }
          const reply = await world.write.post('/reservations', body)
          if (reply.status === 201) continue
          if (reply.body.reason === 'pacing-parties-full') break
          expectRefusal(reply, 409, 'pacing-covers-full')
          return expectNothingOf(world, body.email)
        }
        throw new CannotTry('the venue counts no guests')
      },
    },
    {
      number: '4.4',
      says: 'A blocked time is 409 with a reason.',
      check: async (world) => {
        const { date, time } = await refusedFor(world, 'blocked')
        const reply = await world.write.post('/reservations', { ...(await aRequest(world)), date, time })
        expectRefusal(reply, 409, 'blocked')
      },
    },
    {
      number: '4.5',
      says: 'A party that is too large is 409 with a reason.',
      check: async (world) => {
        const body = { ...(await aRequest(world)), partySize: limits.partyGuests }
        expectRefusal(await world.write.post('/reservations', body), 409, 'party-too-large')
      },
    },
    {
      number: '4.6',
      says: 'A day too far ahead is 409 with a reason.',
      check: async (world) => {
        const body = await aRequest(world)
        // The same weekday, in some years.
        const date = new Date(Date.parse(body.date) + 5 * 364 * 86_400_000).toISOString().slice(0, 10)
        expectRefusal(await world.write.post('/reservations', { ...body, date }), 409, 'too-far-ahead')
      },
    },
    {
      number: '5.1',
      says: 'find needs an email, or a phone with at least 7 digits; the 400 says so.',
      check: async ({ write }) => {
        for (const query of [{}, { phone: '555-012' }, { email: '' }, { date: '2026-10-09' }]) {
          const reply = await write.get('/reservations/find', query)
          expectRefusal(reply, 400)
          expectThat(/email.*phone/i.test(reply.body.error), 'what to send', reply.body.error)
        }
      },
    },
    {
      number: '5.2',
      says: 'find by email, in upper or lower case; an empty array means no match.',
      check: async ({ make, write, person }) => {
        const booking = await make.reservation()
        const found = await write.get('/reservations/find', { email: booking.email.toUpperCase() })
        expectEqual(found.body, [booking], 'what is found by the address')
        const none = await write.get('/reservations/find', { email: person().email })
        expectEqual(none.body, [], 'what is found by an address that nobody has')
      },
    },
    {
      number: '5.3',
      says: 'find by phone, by its digits.',
      check: async ({ make, write, person }) => {
        const { phone } = person()
        const { id } = await make.reservation({ phone })
        for (const written of [
          phone,
          phone.replaceAll(/\D/g, ''),
          phone.replace('+1 ', '').replaceAll(' ', '-'),
        ]) {
          const found = await write.get('/reservations/find', { phone: written })
          expectEqual(
            found.body.map((one: Json) => one.id),
            [id],
            `the ids found by ${written}`,
          )
        }
      },
    },
    {
      number: '5.4',
      says: 'find gives upcoming ones soonest first.',
      check: async ({ make, write, person, days }) => {
        const { email } = person()
        const open: Json[] = (await days()).flatMap(({ slots }) => slots.filter((slot: Json) => slot.open))
        const [first, last] = [open[0], open.at(-1)]
        if (!first || first === last) throw new CannotTry('the venue has fewer than two open times')
        const late = await make.reservation({ email, date: last.date, time: last.time })
        const soon = await make.reservation({ email, date: first.date, time: first.time })
        const found = await write.get('/reservations/find', { email })
        expectEqual(
          found.body.map(({ id }: Json) => id),
          [soon.id, late.id],
          'the ids in their order',
        )
      },
    },
    {
      number: '5.5',
      says: 'find: date restricts to one day of the venue.',
      check: async ({ make, write }) => {
        const { id, email, date } = await make.reservation()
        const there = await write.get('/reservations/find', { email, date })
        expectEqual(
          there.body.map((one: Json) => one.id),
          [id],
          'what is found on the day',
        )
        const elsewhere = await write.get('/reservations/find', { email, date: '2020-01-07' })
        expectEqual(elsewhere.body, [], 'what is found on another day')
        expectRefusal(await write.get('/reservations/find', { email, date: 'soon' }), 400)
      },
    },
    {
      number: '5.6',
      says: `find gives at most ${limits.reservationFindMost}.`,
      check: async ({ make, write, person }) => {
        const { email } = person()
        for (let i = 0; i <= limits.reservationFindMost; i++) await make.reservation({ email, partySize: 1 })
        const found = await write.get('/reservations/find', { email })
        expectEqual(found.body.length, limits.reservationFindMost, 'how many are found of 11')
      },
    },
    {
      number: '6.1',
      says: 'A cancelled reservation has cancelledAt, and cancelledBy says guest or staff.',
      check: async ({ make, write }) => {
        for (const by of ['guest', 'staff']) {
          const { id } = await make.reservation()
          expectStatus(await write.post(`/reservations/${id}/cancel`, { by }), 200)
          const { body } = await write.get(`/reservations/${id}`)
          expectFields(body, { status: 'Cancelled', cancelledBy: by }, 'the cancelled reservation')
          expectThat(typeof body.cancelledAt === 'string', 'the moment of the cancellation', body.cancelledAt)
        }
      },
    },
    {
      number: '6.2',
      says: 'A party at its table is Seated, and checkedInAt is the moment it arrived.',
      needs: ['trigger'],
      check: async ({ trigger, write }) => {
        const { id } = await trigger('reservation.seated')
        const { body } = await write.get(`/reservations/${id}`)
        expectEqual(body.status, 'Seated', 'the status')
        expectThat(typeof body.checkedInAt === 'string', 'the moment of the arrival', body.checkedInAt)
      },
    },
    {
      number: '6.3',
      says: 'In lists updatedAt reflects arrival, seating and cancellation.',
      needs: ['clock'],
      check: async ({ make, write, advance }) => {
        const { id } = await make.reservation()
        await advance('1m')
        await write.post(`/reservations/${id}/cancel`, {})
        const list = await write.get('/reservations', { limit: 100 })
        const listed = list.body.find((one: Json) => one.id === id)
        expectThat(listed, 'the cancelled reservation in the list', list.body.length)
        expectEqual(listed.updatedAt, listed.cancelledAt, 'updatedAt of a cancelled reservation')
      },
    },
  ],
}
