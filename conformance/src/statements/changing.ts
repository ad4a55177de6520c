import { CannotTry, expectEqual, expectFields, expectRefusal, expectStatus, expectThat } from '../expect.ts'
import type { Section } from '../statement.ts'

const whatever = { 'if-match': '*' }

export const changing: Section = {
  name: 'Changing',
  about: 'A key may ask, inform and withdraw; what promises a table is done by staff.',
  statements: [
    {
      number: '1.1',
      says: 'What is not in the body stays; null empties a field that may be empty.',
      check: async ({ make, write }) => {
        const task = await make.task({ due: '2031-05-06', client: 'Ada' })
        const reply = await write.patch(`/tasks/${task.id}`, { due: null }, whatever)
        expectStatus(reply, 200)
        expectEqual(reply.body.changed, true, 'changed')
        expectFields(reply.body.task, { due: null, client: 'Ada', title: task.title }, 'the task')
      },
    },
    {
      number: '1.2',
      says: 'A PATCH that says what is there already: changed false, and no new revision.',
      check: async ({ make, write }) => {
        const task = await make.task({ priority: 'High' })
        const reply = await write.patch(`/tasks/${task.id}`, { priority: 'High' }, whatever)
        expectFields(reply.body, { changed: false }, 'the reply')
        expectEqual(reply.body.task, task, 'the task')
      },
    },
    {
      number: '1.3',
      says: 'A PATCH without any field that it knows is 400.',
      check: async ({ make, write }) => {
        const { id } = await make.task()
        for (const body of [{}, { colour: 'blue' }]) {
          expectRefusal(await write.patch(`/tasks/${id}`, body, whatever), 400)
        }
      },
    },
    {
      number: '1.4',
      says: 'A field that only staff set is 403 staff-only, and nothing is done.',
      check: async ({ make, write }) => {
        const booking = await make.reservation()
        const body = { status: 'Confirmed', notes: 'By the window.' }
        const reply = await write.patch(`/reservations/${booking.id}`, body, whatever)
        expectRefusal(reply, 403, 'staff-only')
        expectThat(/status/.test(reply.body.error), 'the name of the field', reply.body.error)
        expectEqual((await write.get(`/reservations/${booking.id}`)).body, booking, 'the booking')
      },
    },
    {
      number: '2.1',
      says: 'Words and contact details of a booking apply at once.',
      check: async ({ make, write, person }) => {
        const { id } = await make.reservation()
        const { name, email } = person()
        const reply = await write.patch(
          `/reservations/${id}`,
          { guestName: name, email, notes: 'Late.' },
          whatever,
        )
        expectStatus(reply, 200)
        expectFields(
          reply.body.reservation,
          { guestName: name, email, notes: 'Late.', status: 'Requested' },
          'it',
        )
      },
    },
    {
      number: '2.2',
      says: 'Another time of a request is checked by every rule and applied.',
      check: async ({ make, write, openTime }) => {
        const { id } = await make.reservation()
        const { date, time } = await openTime()
        const reply = await write.patch(`/reservations/${id}`, { date, time }, whatever)
        expectStatus(reply, 200)
        expectFields(reply.body.reservation, { date, time, status: 'Requested' }, 'the request')
        const past = await write.patch(`/reservations/${id}`, { date: '2020-01-07' }, whatever)
        expectRefusal(past, 409, 'in-the-past')
        expectFields((await write.get(`/reservations/${id}`)).body, { date, time }, 'the request')
      },
    },
    {
      number: '2.3',
      says: 'Another time of a confirmed booking is asked of the venue: 202, and the booking stays as it is.',
      needs: ['trigger'],
      check: async ({ make, write, openTime, trigger }) => {
        const booking = await make.reservation()
        await trigger('reservation.confirmed', booking.id)
        const { date, time } = await openTime()
        const asked = await write.patch(`/reservations/${booking.id}`, { date, time }, whatever)
        expectStatus(asked, 202)
        expectFields(asked.body.change, { status: 'pending', date, time }, 'the change')
        const { body } = await write.get(`/reservations/${booking.id}`)
        expectFields(body, { date: booking.date, time: booking.time, status: 'Confirmed' }, 'the booking')
        const second = await write.patch(`/reservations/${booking.id}`, { partySize: 4 }, whatever)
        expectRefusal(second, 409, 'change-pending')
        const withdrawn = await write.delete(`/reservations/${booking.id}/change`)
        expectStatus(withdrawn, 200)
        expectRefusal(await write.delete(`/reservations/${booking.id}/change`), 404)
      },
    },
    {
      number: '2.4',
      says: 'Cancelling twice: the second is 200 with changed false.',
      check: async ({ make, write }) => {
        const { id } = await make.reservation()
        const first = await write.post(`/reservations/${id}/cancel`, {})
        const second = await write.post(`/reservations/${id}/cancel`, {})
        expectEqual([first.status, first.body.changed], [200, true], 'the first cancel')
        expectEqual([second.status, second.body.changed], [200, false], 'the second cancel')
        expectEqual(second.body.reservation, first.body.reservation, 'the reservation')
      },
    },
    {
      number: '2.5',
      says: 'A party at its table cannot be cancelled by API: 409 not-in-state.',
      needs: ['trigger'],
      check: async ({ trigger, write }) => {
        const { id } = await trigger('reservation.seated')
        expectRefusal(await write.post(`/reservations/${id}/cancel`, { by: 'staff' }), 409, 'not-in-state')
      },
    },
    {
      number: '3',
      says: 'PATCH of a guest writes over, and gives back what it replaced; an address of another guest is 409.',
      check: async ({ make, write, person }) => {
        const [guest, other] = [await make.guest(), await make.guest()]
        const { phone } = person()
        const reply = await write.patch(`/guests/${guest.id}`, { phone }, whatever)
        expectStatus(reply, 200)
        expectEqual(
          [reply.body.guest.phone, reply.body.replaced],
          [phone, { phone: guest.phone }],
          'new and old',
        )
        const taken = await write.patch(`/guests/${guest.id}`, { email: other.email }, whatever)
        expectRefusal(taken, 409, 'address-taken')
      },
    },
    {
      number: '4.1',
      says: 'A stage of a lead is one of the venue’s own; another is 409 unknown-stage, with stages.',
      check: async ({ make, write }) => {
        const { id } = await make.lead()
        const reply = await write.patch(`/leads/${id}`, { stage: 'Daydream' }, whatever)
        expectRefusal(reply, 409, 'unknown-stage')
        expectThat(reply.body.stages.includes('Inquiry'), 'the stages there are', reply.body.stages)
        const moved = await write.patch(`/leads/${id}`, { stage: 'Proposal' }, whatever)
        expectEqual(moved.body.lead.stage, 'Proposal', 'the stage')
      },
    },
    {
      number: '4.2',
      says: 'A note for staff about a lead is in no answer.',
      check: async ({ make, write, unique }) => {
        const { id } = await make.lead()
        const text = unique('Note')
        const noted = await write.post(`/leads/${id}/notes`, { text })
        expectStatus(noted, 201)
        expectFields(noted.body, { noted: true }, 'the reply')
        for (const reply of [
          await write.get(`/leads/${id}`),
          await write.get('/leads', { limit: 100 }),
          noted,
        ]) {
          expectThat(!reply.text.includes(text), 'an answer without the note', text)
        }
      },
    },
    {
      number: '5',
      says: 'A task is completed and opened again; what is so already stays so, changed false.',
      check: async ({ make, write }) => {
        const { id } = await make.task()
        const moves: [string, boolean, boolean][] = [
          ['complete', true, true],
          ['complete', false, true],
          ['reopen', true, false],
          ['reopen', false, false],
        ]
        for (const [move, changed, done] of moves) {
          const { body } = await write.post(`/tasks/${id}/${move}`)
          expectEqual([body.changed, body.task.done], [changed, done], `changed and done after ${move}`)
        }
      },
    },
    {
      number: '6.1',
      says: 'A party joins the waitlist: 201, waiting; leaving twice is changed false.',
      check: async ({ make, write }) => {
        const entry = await make.waitlistEntry()
        expectFields(entry, { status: 'waiting', source: 'public' }, 'the party')
        const first = await write.post(`/waitlist/${entry.id}/leave`)
        const second = await write.post(`/waitlist/${entry.id}/leave`)
        expectEqual([first.body.changed, second.body.changed], [true, false], 'changed')
        expectEqual(second.body.waitlistEntry.status, 'cancelled', 'the status')
      },
    },
    {
      number: '6.2',
      says: 'A party needs an email or a phone, and a day on which the venue is open.',
      check: async ({ write, person, days }) => {
        const { name, email } = person()
        expectRefusal(await write.post('/waitlist', { guestName: name, partySize: 2 }), 400)
        const closed = (await days()).find((day) => day.closed?.reason === 'closed')
        if (!closed) throw new CannotTry('the venue is open on every day of the next two weeks')
        const body = { guestName: name, partySize: 2, email, date: closed.date }
        expectRefusal(await write.post('/waitlist', body), 409, 'closed')
      },
    },
    {
      number: '7',
      says: 'Tags of a subscriber are added and taken away; none at all is 400.',
      check: async ({ make, write }) => {
        const { id } = await make.subscriber({ tag: 'Wine evenings' })
        const body = { add: ['Oyster weeks'], remove: ['wine EVENINGS'] }
        const reply = await write.post(`/subscribers/${id}/tags`, body)
        expectStatus(reply, 200)
        expectEqual(reply.body.subscriber.tags, ['Oyster weeks'], 'tags')
        expectRefusal(await write.post(`/subscribers/${id}/tags`, {}), 400)
      },
    },
    {
      number: '8',
      says: 'A subscriber says whether the address is on the do-not-email list: nobody is who was just added.',
      check: async ({ make, write }) => {
        const { id, suppressed } = await make.subscriber()
        expectEqual(suppressed, false, 'suppressed, when added')
        const reply = await write.get(`/subscribers/${id}`)
        expectEqual(reply.body.suppressed, false, 'suppressed, when read')
        const left = await write.post(`/subscribers/${id}/unsubscribe`)
        expectFields(left.body.subscriber, { status: 'unsubscribed', suppressed: false }, 'who left')
      },
    },
  ],
}
