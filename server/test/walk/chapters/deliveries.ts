import { firstEventNames } from '@venue-data/contract/webhooks/events.ts'
import { bookByStaff, walkIn } from '../../../book/reservations/bookings.ts'
import { deleteReservation } from '../../../book/reservations/delete-reservation.ts'
import { editReservation } from '../../../book/reservations/edits/edits.ts'
import { type MoveRequest, moveReservation } from '../../../book/reservations/moves.ts'
import { staff } from '../../../book/reservations/test/book.ts'
import { suppress, unsubscribe } from '../../../marketing/subscribers/leaving.ts'
import { addOccurrence, makeEvent } from '../../../tickets/events.ts'
import { soldOrder } from '../../../tickets/order-reads.ts'
import { recordRefund } from '../../../tickets/refunds.ts'
import { sellTickets } from '../../../tickets/sell-tickets.ts'
import { joinWaitlist, moveEntry } from '../../../book/waitlist/actions.ts'
import { recallParty, seatFromWaitlist } from '../../../book/waitlist/seat-party.ts'
import { rowsOf } from '../../rows.ts'
import type { Chapter } from '../walk.ts'

const manager = staff('manager')
const person = {
  guestName: 'Maya Okafor',
  email: 'maya@example.com',
  phone: '(212) 555-0147',
  notes: 'A booth',
}
const nobody = { guestName: 'Walk-in', email: null, phone: null, notes: null }

/** What is sent of an evening, event by event, to an endpoint and to a hook; then every record as lists show it. */
export const deliveries: Chapter = {
  name: 'deliveries',
  take: async (walk) => {
    const { service, ask, told } = walk
    const book = await walk.book()
    const { venue, act, when } = book
    const { key } = venue
    await ask('an endpoint for everything', 'POST /api/v1/webhooks', {
      key,
      body: { url: 'https://hooks.bluedoor.com/all', events: firstEventNames },
    })
    await ask('a hook', 'POST /api/v1/hooks', {
      key,
      body: { event: 'reservation.cancelled', targetUrl: 'https://hooks.zapier.com/hooks/standard/1/abc/' },
    })
    let minute = 0
    /** A minute later than the one before, from 18:00 on. */
    const happens = (title: string, doing: () => Promise<unknown>) => {
      service.setClock(Temporal.Instant.from('2026-10-06T22:00:00Z').add({ minutes: minute++ }).toString())
      return told(title, doing)
    }
    const post = (path: string, body: object) => service.call('POST', `/api/v1/${path}`, { key, body })
    const move = (id: number, name: MoveRequest['move'], more: Partial<MoveRequest> = {}) =>
      act((work) => moveReservation(work, manager, { id, move: name, ...more }))
    const tonight = { ...when('2026-10-06', '19:00'), partySize: 4 }

    await happens('a request', () =>
      post('reservations', {
        guestName: 'Zoë',
        partySize: 2,
        date: '2026-10-09',
        time: '7pm',
        email: 'zoe@example.com',
      }),
    )
    await happens('a request is confirmed', () => move(1, 'confirm'))
    await happens('a booking by staff', () =>
      act((work) => bookByStaff(work, manager, { ...person, ...tonight })),
    )
    await happens('another size', async () => {
      const { version: seenVersion } = await book.row(2)
      return act((work) => editReservation(work, manager, { id: 2, seenVersion, changes: { partySize: 3 } }))
    })
    await happens('an arrival', () => move(2, 'arrive'))
    await happens('a seating', () => move(2, 'seat'))
    await happens('a stage of the meal', () => move(2, 'setFloorStage', { stage: 'Mains' }))
    await happens('a completion', () => move(2, 'complete'))
    await happens('a walk-in', () => act((work) => walkIn(work, manager, { ...nobody, partySize: 2 })))
    await happens('a cancellation by the guest', () => move(1, 'cancel', { decidedBy: 'guest' }))
    const later = { ...when('2026-10-06', '22:00'), partySize: 2 }
    await happens('a booking that staff cancel', async () => {
      await act((work) => bookByStaff(work, manager, { ...nobody, ...later }))
      await move(4, 'cancel', { decidedBy: 'staff' })
    })
    await happens('a booking to be deleted', () =>
      act((work) => bookByStaff(work, manager, { ...nobody, ...later })),
    )
    await happens('a deletion for good', () => act((work) => deleteReservation(work, manager, 5)))

    const joins = (guestName: string) =>
      act((work) =>
        joinWaitlist(work, manager, {
          ...nobody,
          guestName,
          partySize: 2,
          windowStart: '18:00',
          windowEnd: '20:00',
        }),
      )
    await happens('a party in line', () => joins('Ada'))
    await happens('a party that is paged', () =>
      act((work) => moveEntry(work, manager, { id: 1, move: 'page' })),
    )
    await happens('a party from the line is seated', () =>
      act((work) => seatFromWaitlist(work, manager, { id: 1 })),
    )
    await happens('its recall', () => act((work) => recallParty(work, manager, { id: 1 })))
    await happens('a party that leaves the line', async () => {
      await joins('Grace')
      await act((work) => moveEntry(work, manager, { id: 2, move: 'leave' }))
    })

    await happens('a guest', () => post('guests', { name: 'Grace', phone: '646 555 0123' }))
    await happens('an enquiry', () =>
      post('leads', { name: 'Linus', email: 'linus@example.com', eventName: 'Party' }),
    )
    const consent = { source: 'Checkout' }
    await happens('a subscriber', () =>
      post('subscribers', { email: 'maya@example.com', firstName: 'Maya', consent }),
    )
    await happens('somebody unsubscribes', () => act((work) => unsubscribe(work, { kind: 'guest' }, 1)))
    await happens('three more subscribers', async () => {
      for (const name of ['staff', 'waits', 'bounces'])
        await post('subscribers', { email: `${name}@example.com`, consent })
      const pending = `update subscriber set status = 'pending' where venue_id = $1 and email_key = 'waits@example.com'`
      await rowsOf(service, pending, [venue.id])
    })
    await happens('staff unsubscribe somebody', () => act((work) => unsubscribe(work, manager, 2)))
    await happens('staff unsubscribe somebody who waits to confirm', () =>
      act((work) => unsubscribe(work, manager, 3)),
    )
    await happens('an address bounces', () =>
      act((work) => suppress(work, { kind: 'service' }, { email: 'bounces@example.com', reason: 'bounced' })),
    )
    await happens('staff put it on the do-not-email list', () =>
      act((work) => suppress(work, manager, { email: 'bounces@example.com', reason: 'staff_removal' })),
    )

    const sell = async (method: 'cash' | 'external') => {
      const occurrenceId = await act(async (work) => {
        const event = await makeEvent(work, manager, `Jazz at the Door, ${method}`)
        const date = {
          title: 'First set',
          date: '2026-11-05',
          startTime: '21:00',
          capacity: 40,
          priceCents: 5_000,
        }
        return (await addOccurrence(work, manager, event.id, date)).id
      })
      const buyer = { firstName: 'Maya', lastName: 'Okafor', email: 'maya@example.com', phone: null }
      return act((work) => sellTickets(work, manager, { occurrenceId, seats: 2, buyer, method }))
    }
    const refund = async (amountCents: number) => {
      const row = await soldOrder(service.db, venue.id, 1)
      const asked = { order: 1, seenVersion: row?.version ?? 0, amountCents }
      return act((work) => recordRefund(work, manager, { ...asked, via: 'external', outcome: 'succeeded' }))
    }
    await happens('tickets for cash', () => sell('cash'))
    await happens('a part is refunded', () => refund(4_000))
    await happens('the rest is refunded', () => refund(6_000))
    await happens('tickets whose money is still to come', () => sell('external'))

    for (const list of ['reservations', 'guests', 'subscribers', 'ticket-orders', 'waitlist', 'leads']) {
      await ask(`the ${list} of the evening`, `GET /api/v1/${list}`, { key })
    }
    await ask('the endpoint after the evening', 'GET /api/v1/webhooks', { key })
  },
}
