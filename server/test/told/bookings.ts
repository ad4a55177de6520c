import { randomUUID } from 'node:crypto'
import assert from 'node:assert/strict'
import type { ReservationStatus } from '@venue-data/contract/records/reservation.ts'
import type { WaitlistStatus } from '@venue-data/contract/records/waitlist-entry.ts'
import { keyed } from '../../data/imports/repeats.ts'
import { answerChange } from '../../book/reservations/change/answer-change.ts'
import { beginAccount } from '../../core/money/account-store.ts'
import { bookedReservation } from '../../book/day/book-row.ts'
import { askGuest, waiveGuarantee } from '../../book/reservations/guarantee/asked/ask-booking.ts'
import { writeAsked } from '../../book/reservations/guarantee/asked/asked-store.ts'
import { pressAsked } from '../../book/reservations/guarantee/asked/secure-asked.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { sql } from '../../platform/db/sql.ts'
import { takeOffBill } from '../../book/reservations/guarantee/charging/charge.ts'
import { guaranteeOf, insertGuarantee } from '../../book/reservations/guarantee/guarantee-store.ts'
import { showNewGuarantee } from '../../book/reservations/guarantee/show-guarantee.ts'
import { bookByGuest } from '../../book/reservations/guest/book-by-guest.ts'
import { nothingSaid } from '../../book/reservations/guest/guest-booking.ts'
import { newGuestSettings } from '../../core/venue/guest-settings-rules.ts'
import { bookByStaff, walkIn } from '../../book/reservations/bookings.ts'
import { deleteReservation } from '../../book/reservations/delete-reservation.ts'
import { editReservation } from '../../book/reservations/edits/edits.ts'
import type { ReservationChanges } from '../../book/reservations/edits/held-edit.ts'
import { importReservations, reservationOfRow } from '../../book/reservations/import-reservation.ts'
import { takeBackReservation } from '../../book/reservations/take-back-import.ts'
import { completeEndedServices } from '../../book/reservations/jobs.ts'
import { type MoveRequest, moveReservation } from '../../book/reservations/moves.ts'
import { type ReservationMoveName, reservationMoves } from '../../book/reservations/states.ts'
import { archiveRequest } from '../../book/reservations/archive.ts'
import { followZone } from '../../book/reservations/zone-change.ts'
import { acceptOffer } from '../../book/waitlist/accept-offer.ts'
import { joinWaitlist, moveEntry } from '../../book/waitlist/actions.ts'
import { markOnTheirWay, newPlaceLink } from '../../book/waitlist/guest-place.ts'
import { expireWaitlist } from '../../book/waitlist/jobs.ts'
import { joinLineByGuest } from '../../book/waitlist/join-by-guest.ts'
import { offerByHand } from '../../book/waitlist/offers.ts'
import { type WaitlistMoveName, waitlistMoves } from '../../book/waitlist/states.ts'
import { bookFromWaitlist, recallParty, seatFromWaitlist } from '../../book/waitlist/seat-party.ts'
import { waitlistEntry } from '../../book/waitlist/reads.ts'
import { type Scene, type Stage, afternoon, dinnerTime, done, manager, patch, post } from './stage.ts'

/** Every doing of the table with a reservation or a party in line, played for real. */

const tonight = { date: '2026-10-06', time: '19:00' }
const party = ({ contact }: Stage) => ({ guestName: 'Ada', partySize: 2, notes: null, ...contact })

const move = (stage: Stage, request: MoveRequest) =>
  stage.act((work) => moveReservation(work, manager, { decidedBy: 'staff', stage: 'Mains', ...request }))

/** A booking in a status, as far as this move asks for: arrived, or due. */
const bookingFor = async (stage: Stage, name: ReservationMoveName, from: ReservationStatus) => {
  const id = await stage.booking(from)
  const arrives = name === 'undoArrive' || (name === 'setFloorStage' && from !== 'Seated')
  if (arrives) await done(move(stage, { id, move: 'arrive' }))
  stage.at(name === 'undoCancel' ? afternoon : dinnerTime)
  return id
}

const moves = (name: ReservationMoveName): readonly Scene[] =>
  reservationMoves[name].from.map((from) => async (stage) => {
    const id = await bookingFor(stage, name, from)
    return () => done(move(stage, { id, move: name }))
  })

const edits =
  (changes: (stage: Stage) => ReservationChanges): Scene =>
  async (stage) => {
    const id = await stage.booking('Confirmed')
    const { version: seenVersion } = await stage.row(id)
    return () =>
      done(stage.act((work) => editReservation(work, manager, { id, seenVersion, changes: changes(stage) })))
  }

/** A confirmed booking that the venue is asked to change. */
const withChange = async (stage: Stage) => {
  const id = await stage.booking('Confirmed')
  const { change } = await patch(stage, `reservations/${id}`, { time: '20:00' }, 202)
  return { id, change: change.id as number }
}

const answers =
  (answer: 'accept' | 'decline'): Scene =>
  async (stage) => {
    const asked = await withChange(stage)
    return () => done(stage.act((work) => answerChange(work, manager, { ...asked, answer })))
  }

/** Of a booking in a status, with a card or a deposit behind it. */
const secured = async (
  stage: Stage,
  kind: 'card' | 'deposit',
  status: ReservationStatus,
): Promise<number> => {
  const id = await stage.booking(status)
  const account = randomUUID()
  await stage.act(async (work) => {
    const kept = { id: account, live: false, key: 'rk_test_ofnobody', callback: null }
    await beginAccount(stage.service.context, work, manager, kept)
    const freeUntil = work.now().add({ hours: 2 })
    const row = await insertGuarantee(work.db, work.venue.id, {
      ...{ reservation: id, account, currency: 'USD', sentence: 'Free until then.', language: 'en' },
      terms: { kind, perGuestCents: 2_500, amountCents: 5_000, freeUntil },
      agreedAt: work.now().toString(),
      card: kind === 'card' ? { customerRef: 'cus_nobody', methodRef: 'pm_nobody' } : null,
      deleteAt: kind === 'card' ? work.now().add({ hours: 240 }) : null,
    })
    await showNewGuarantee(work, id, row)
  })
  return id
}

const deletions = (statuses: readonly ReservationStatus[]): readonly Scene[] =>
  statuses.map((status) => async (stage) => {
    const id = await stage.booking(status)
    return () => stage.act((work) => deleteReservation(work, manager, id))
  })

const bring = async (stage: Stage, date: string, status: string) => {
  const file = { reference: null, cancelledAt: null, cancelledBy: '', createdAt: null }
  const row = {
    ...file,
    bookingType: null,
    durationMinutes: null,
    ...party(stage),
    date,
    time: '19:00',
    status,
  }
  const { service, venue } = stage
  const read = keyed(reservationOfRow(row, venue.timezone, service.context.clock()), new Map())
  const [outcome] = await stage.act((work) => importReservations(work, [read]))
  return outcome?.outcome
}

const imports =
  (date: string, status: string): Scene =>
  async (stage) =>
  async () =>
    assert.equal(await bring(stage, date, status), 'made')

const takesBack =
  (date: string, status: string): Scene =>
  async (stage) => {
    await bring(stage, date, status)
    const [row] = await stage.query('select id, version from reservation where venue_id = $1', [
      stage.venue.id,
    ])
    const one = { id: Number(row?.['id']), version: Number(row?.['version']), gaveWay: false }
    const since = stage.service.context.clock()
    return () =>
      stage.act(async (work) => assert.equal(await takeBackReservation(work, { ...one, since }), ''))
  }

export const bookingScenes = {
  'request a table': [
    async (stage) => () =>
      post(stage, 'reservations', { guestName: 'Ada', partySize: 2, email: stage.contact.email, ...tonight }),
  ],
  'book by guest': [null, 8].map(
    (confirmUpTo) => async (stage: Stage) => () =>
      stage.act((work) =>
        bookByGuest(
          work,
          { ...newGuestSettings, confirmUpTo },
          {
            ...stage.when(tonight.date, tonight.time),
            guestName: 'Ada',
            partySize: 2,
            email: stage.contact.email,
            phone: null,
            notes: null,
            said: { ...nothingSaid, formToken: randomUUID() },
          },
        ),
      ),
  ),
  'request refused': [
    async (stage) => () =>
      post(
        stage,
        'reservations',
        { guestName: 'Ada', partySize: 2, email: 'new@example.com', date: '2026-10-05', time: '19:00' },
        409,
      ),
  ],
  'book by staff': [
    async (stage) => () =>
      done(
        stage.act((work) =>
          bookByStaff(work, manager, { ...party(stage), ...stage.when('2026-10-06', '19:00') }),
        ),
      ),
  ],
  'walk in': [
    async (stage) => {
      stage.at(dinnerTime)
      return () => done(stage.act((work) => walkIn(work, manager, party(stage))))
    },
  ],
  'import a booking ahead': [imports('2026-10-07', 'Confirmed'), imports('2026-10-07', 'Requested')],
  'import a past booking': [imports('2026-09-07', 'Completed'), imports('2026-09-07', 'No-show')],
  'import a cancelled booking': [imports('2026-10-07', 'Cancelled'), imports('2026-09-07', 'Cancelled')],
  'undo the import of a booking ahead': [
    takesBack('2026-10-07', 'Confirmed'),
    takesBack('2026-10-07', 'Requested'),
  ],
  'undo the import of a past booking': [
    takesBack('2026-09-07', 'Completed'),
    takesBack('2026-09-07', 'No-show'),
  ],
  'import a booking again': [
    async (stage) => {
      await bring(stage, '2026-10-07', 'Confirmed')
      return async () => assert.equal(await bring(stage, '2026-10-07', 'Confirmed'), 'known')
    },
  ],
  'reservation confirm': moves('confirm'),
  'reservation cancel': moves('cancel'),
  'reservation arrive': moves('arrive'),
  'reservation seat': moves('seat'),
  'reservation complete': moves('complete'),
  'reservation markNoShow': moves('markNoShow'),
  'reservation undoArrive': moves('undoArrive'),
  'reservation undoSeat': moves('undoSeat'),
  'reservation undoComplete': moves('undoComplete'),
  'reservation undoNoShow': moves('undoNoShow'),
  'reservation seatLate': moves('seatLate'),
  'reservation undoCancel': moves('undoCancel'),
  'reservation setFloorStage': moves('setFloorStage'),
  'a move again': (['confirm', 'cancel', 'arrive', 'seat', 'complete', 'undoSeat'] as const).map(
    (name): Scene =>
      async (stage) => {
        const id = await bookingFor(stage, name, reservationMoves[name].from[0])
        await done(move(stage, { id, move: name }))
        return () => done(move(stage, { id, move: name }), 'unchanged')
      },
  ),
  'complete by the clock': [
    async (stage) => {
      await stage.booking('Seated')
      stage.at('2026-10-07T07:00:00Z')
      return async () => assert.ok((await completeEndedServices(stage.service.context)) > 0)
    },
  ],
  'edit the time': [
    edits(({ when }) => ({ when: when('2026-10-06', '20:00') })),
    edits(({ when }) => ({ when: when('2026-10-08', '19:00') })),
  ],
  'edit the size': [edits(() => ({ partySize: 4 }))],
  'edit time, size and words': [
    edits(({ when }) => ({ when: when('2026-10-06', '20:00'), partySize: 4, notes: 'A quiet corner' })),
  ],
  'edit the words': [edits(() => ({ guestName: 'Ada Lovelace', notes: 'A quiet corner' }))],
  'edit the length': [edits(() => ({ durationMinutes: 45 }))],
  'edit the contact': [edits(({ contact }) => ({ ...contact }))],
  'change a request by API': [
    async (stage) => {
      const id = await stage.booking('Requested')
      return () => patch(stage, `reservations/${id}`, { time: '20:00', partySize: 3 })
    },
  ],
  'ask for a change by API': [
    async (stage) => {
      const id = await stage.booking('Confirmed')
      return () => patch(stage, `reservations/${id}`, { time: '20:00' }, 202)
    },
  ],
  'cancel a booking with a card': [
    async (stage) => {
      const id = await secured(stage, 'card', 'Confirmed')
      return () => done(move(stage, { id, move: 'cancel' }))
    },
  ],
  'ask for a deposit': [
    async (stage) => {
      const id = await stage.booking('Confirmed')
      await stage.act(async (work) => {
        const kept = { id: randomUUID(), live: false, key: 'rk_test_ofnobody', callback: null }
        await beginAccount(stage.service.context, work, manager, kept)
        await work.db.run(sql()`
          update reservation set email = 'ada@example.com' where venue_id = ${work.venue.id} and id = ${id}`)
      })
      return () =>
        stage.act(async (work) => {
          const row = await bookedReservation(work.db, work.venue.id, id)
          assert.ok(row?.starts_at)
          const until = toInstant(row.starts_at)
          const terms = { kind: 'deposit', amountCents: 5_000, per: 'party', freeUntilHours: 1 } as const
          await askGuest(work, manager, { booking: id, ...terms, note: null, until })
        })
    },
  ],
  'do without a card': [
    async (stage) => {
      const id = await secured(stage, 'card', 'Confirmed')
      return () => stage.act((work) => waiveGuarantee(work, manager, id))
    },
  ],
  'agree to more of a card': [
    async (stage) => {
      const id = await secured(stage, 'card', 'Confirmed')
      await stage.act(async (work) => {
        const row = await guaranteeOf(work.db, work.venue.id, id)
        await writeAsked(work.db, work.venue.id, row?.id ?? 0, 2_500)
      })
      const asked = { sentence: 'Free until then.', title: 'A card', language: 'en', cents: 2_500 }
      return () => stage.act((work) => pressAsked(work, { reservation: id, ...asked }))
    },
  ],
  'take a deposit off the bill': [
    async (stage) => {
      const id = await secured(stage, 'deposit', 'Seated')
      return () => stage.act((work) => takeOffBill(work, manager, id))
    },
  ],
  'accept a change': [answers('accept')],
  'decline a change': [answers('decline')],
  'withdraw a change': [
    async (stage) => {
      const { id } = await withChange(stage)
      const path = `/api/v1/reservations/${id}/change`
      return async () => {
        const { status } = await stage.service.call('DELETE', path, { key: stage.venue.key })
        assert.equal(status, 200)
      }
    },
  ],
  'cancel with a change pending': [
    async (stage) => {
      const { id } = await withChange(stage)
      return () => done(move(stage, { id, move: 'cancel' }))
    },
  ],
  'undo a cancellation that a change lapsed with': [
    async (stage) => {
      const { id } = await withChange(stage)
      await done(move(stage, { id, move: 'cancel' }))
      return () => done(move(stage, { id, move: 'undoCancel' }))
    },
  ],
  'cancel by API': [
    async (stage) => {
      const id = await stage.booking('Confirmed')
      return () => post(stage, `reservations/${id}/cancel`, {}, 200)
    },
  ],
  'delete a booking': deletions(['Requested', 'Confirmed', 'Seated']),
  'delete a booking that is over': deletions(['Completed', 'No-show', 'Cancelled']),
  'archive a request': [
    async (stage) => {
      const id = await stage.booking('Requested')
      return () =>
        stage.act(async (work) =>
          assert.ok(await archiveRequest(work, manager, { id, today: '2099-01-01', archived: true })),
        )
    },
  ],
  'correct the zone': [
    async (stage) => {
      await stage.booking('Confirmed')
      await stage.query(`update venue set timezone = 'Europe/Paris' where id = $1`, [stage.venue.id])
      const venue = stage.venue.id
      return async () => assert.equal(await followZone(stage.service.context, venue, async () => {}), 1)
    },
  ],
} as const satisfies Record<string, readonly Scene[]>

const inLine = async (stage: Stage, status: WaitlistStatus = 'waiting') => {
  stage.at(dinnerTime)
  const window = { windowStart: '18:00', windowEnd: '19:30' }
  const entry = await stage.act((work) => joinWaitlist(work, manager, { ...party(stage), ...window }))
  const before = {
    waiting: undefined,
    offered: 'page',
    booked: 'seatNow',
    cancelled: 'leave',
    expired: 'expire',
  }
  const name = before[status] as WaitlistMoveName | undefined
  if (name === 'expire') stage.at('2026-10-06T23:40:00Z')
  if (name) await done(moveParty(stage, entry.id, name))
  return entry.id
}

const moveParty = (stage: Stage, id: number, name: WaitlistMoveName) =>
  stage.act((work) => {
    if (name === 'seatNow') return seatFromWaitlist(work, manager, { id })
    if (name === 'recall') return recallParty(work, manager, { id })
    if (name === 'bookForLater') {
      return bookFromWaitlist(work, manager, { id, when: stage.when('2026-10-06', '21:00') })
    }
    if (name === 'offer') return offerByHand(work, manager, { id })
    if (name === 'acceptOffer') throw new Error('taking an offer has a scene of its own')
    return moveEntry(work, name === 'expire' ? { kind: 'service' } : manager, { id, move: name })
  })

const partyMoves = (name: WaitlistMoveName): readonly Scene[] =>
  waitlistMoves[name].from.map((from) => async (stage) => {
    const id = await inLine(stage, from)
    stage.at('2026-10-06T23:45:00Z')
    return () => done(moveParty(stage, id, name))
  })

/** A party that waits for a place in the book of another day. */
const onList = async (stage: Stage): Promise<number> => {
  const asked = { date: '2026-10-09', windowStart: '19:00', windowEnd: '21:00' } as const
  return (await stage.act((work) => joinWaitlist(work, manager, { ...party(stage), ...asked }))).id
}

/** A party with a table for later: its entry and its booking. */
const withTable = async (stage: Stage) => {
  const id = await inLine(stage)
  await done(moveParty(stage, id, 'bookForLater'))
  const entry = await stage.act(({ db }) => waitlistEntry(db, stage.venue.id, id))
  assert.ok(entry?.reservation_id)
  return { id, booking: entry.reservation_id }
}

export const lineScenes = {
  'join the line': ([manager, { kind: 'guest' }] as const).map((actor): Scene => async (stage) => {
    const joining = { ...party(stage), windowStart: null, windowEnd: null }
    return () => stage.act((work) => joinWaitlist(work, actor, joining))
  }),
  'join the line by API': [
    async (stage) => () =>
      post(stage, 'waitlist', { guestName: 'Ada', partySize: 2, phone: '(212) 555-0147' }),
  ],
  'join the line by guest': [
    async (stage) => {
      stage.at(dinnerTime)
      const evening = {
        kind: 'open',
        serviceDate: '2026-10-06',
        time: { date: '2026-10-06', time: '17:00' },
        lastArrival: stage.service.context.clock(),
      } as const
      const sent = { language: 'en', formToken: randomUUID(), quoteSeen: 600 } as const
      const { guestName, partySize, email, phone } = party(stage)
      return () =>
        stage.act((work) =>
          joinLineByGuest(work, evening, {
            ...sent,
            guestName,
            partySize,
            email: email ?? null,
            phone: phone ?? null,
          }),
        )
    },
  ],
  'say to be on the way': [
    async (stage) => {
      const id = await inLine(stage)
      return () => stage.act((work) => markOnTheirWay(work, id))
    },
  ],
  'end the link to a place': [
    async (stage) => {
      const id = await inLine(stage)
      return () => stage.act((work) => newPlaceLink(work.db, work.venue.id, id))
    },
  ],
  'change a waiting party by API': [
    async (stage) => {
      const id = await inLine(stage)
      return () => patch(stage, `waitlist/${id}`, { partySize: 3 })
    },
  ],
  'waitlist entry quote': partyMoves('quote'),
  'waitlist entry page': partyMoves('page'),
  'waitlist entry offer': [
    async (stage) => {
      const id = await onList(stage)
      return () => done(stage.act((work) => offerByHand(work, manager, { id })))
    },
  ],
  'waitlist entry acceptOffer': [
    async (stage) => {
      const id = await onList(stage)
      await done(stage.act((work) => offerByHand(work, manager, { id })))
      return () => stage.act(async (work) => assert.ok(await acceptOffer(work, id)))
    },
  ],
  'waitlist entry notYet': partyMoves('notYet'),
  'waitlist entry seatNow': partyMoves('seatNow'),
  'waitlist entry bookForLater': partyMoves('bookForLater'),
  'waitlist entry leave': partyMoves('leave'),
  'waitlist entry expire': partyMoves('expire'),
  'waitlist entry recall': partyMoves('recall'),
  'waitlist entry rejoin': partyMoves('rejoin'),
  'seat at the later table': [
    async (stage) => {
      const { booking } = await withTable(stage)
      return () => done(move(stage, { id: booking, move: 'seat' }))
    },
  ],
  'seat late at the later table': [
    async (stage) => {
      const { booking } = await withTable(stage)
      stage.at('2026-10-07T01:20:00Z')
      await done(move(stage, { id: booking, move: 'markNoShow' }))
      return () => done(move(stage, { id: booking, move: 'seatLate' }))
    },
  ],
  'leave the later table': [
    async (stage) => {
      const { booking } = await withTable(stage)
      await done(move(stage, { id: booking, move: 'seat' }))
      return () => done(move(stage, { id: booking, move: 'undoSeat' }))
    },
  ],
  'recall from the later table': [
    async (stage) => {
      const { id } = await withTable(stage)
      return () => done(moveParty(stage, id, 'recall'))
    },
  ],
  'delete the later table': [
    async (stage) => {
      const { booking } = await withTable(stage)
      return () => stage.act((work) => deleteReservation(work, manager, booking))
    },
  ],
  'expire by the clock': [
    async (stage) => {
      await inLine(stage)
      stage.at('2026-10-06T23:40:00Z')
      return async () => assert.ok((await expireWaitlist(stage.service.context)) > 0)
    },
  ],
} as const satisfies Record<string, readonly Scene[]>
