import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type WaitlistStatus, waitlistStatuses } from '@venue-data/contract/records/waitlist-entry.ts'
import { activityOfRecord } from '../../core/activity/reads.ts'
import type { Work } from '../../context.ts'
import { deleteReservation } from '../reservations/delete-reservation.ts'
import { moveReservation } from '../reservations/moves.ts'
import { type TestBook, dinner, openBook, staff } from '../reservations/test/book.ts'
import { type TestService, startService } from '../../test/service.ts'
import { type Joining, joinWaitlist, moveEntry } from './actions.ts'
import { acceptOffer } from './accept-offer.ts'
import { expireOffers, expireWaitlist } from './jobs.ts'
import { offerByHand } from './offers.ts'
import { type WaitlistOutcome, entryDone, entryKept } from './outcome.ts'
import { waitlistEntry } from './reads.ts'
import { type WaitlistMoveName, waitlistMoves } from './states.ts'
import { bookFromWaitlist, recallParty, seatFromWaitlist } from './seat-party.ts'

/*
 * Every allowed pair of a status and a move, written out independently of the table of moves, with what it sets or
 * clears and what it emits. Every pair not listed here is forbidden or changes nothing.
 */
const spec = `
  waiting    quote         waiting    +quoted_at
  offered    quote         offered    +quoted_at
  waiting    page          offered    +paged_at
  offered    page          offered    +paged_at
  offered    notYet        waiting
  waiting    offer         offered    +paged_at
  offered    acceptOffer   booked     !reservation.created
  waiting    seatNow       booked     +seated_at !reservation.created !waitlist.seated
  offered    seatNow       booked     +seated_at !reservation.created !waitlist.seated
  waiting    bookForLater  booked     !reservation.created
  offered    bookForLater  booked     !reservation.created
  waiting    leave         cancelled  +left_at
  offered    leave         cancelled  +left_at
  waiting    expire        expired    +left_at
  offered    expire        expired    +left_at
  booked     recall        waiting    -seated_at !reservation.cancelled
  cancelled  rejoin        waiting    -left_at
  expired    rejoin        waiting    -left_at
`
/** The same state again. */
const already = new Set([
  'offered offer',
  'booked acceptOffer',
  'waiting notYet',
  'booked seatNow',
  'booked bookForLater',
  'cancelled leave',
  'expired expire',
  'waiting recall',
  'waiting rejoin',
])

type Row = { readonly to: string; readonly sets: readonly string[] }
const rows = new Map<string, Row>(
  spec
    .trim()
    .split('\n')
    .map((line) => {
      const [from = '', move = '', to = '', ...sets] = line.trim().split(/\s+/)
      return [`${from} ${move}`, { to, sets }] as const
    }),
)

const moveNames = Object.keys(waitlistMoves) as WaitlistMoveName[]
const host = staff('host')
const evening = '2026-10-06T23:00:00Z'

describe('the states of a waitlist entry', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const fresh = async (document?: object, clock = evening) => {
    service.setClock(clock)
    book = await openBook(service, document)
  }
  /** The jobs look at every venue in the database, so other tests' entries are removed. */
  const freshAlone = async () => {
    await fresh()
    await book.query('delete from waitlist_entry')
  }
  const join = async (more: Partial<Joining> = {}) => {
    const party = { guestName: 'Maya', partySize: 4, email: null, phone: null, notes: null }
    const joining = { ...party, windowStart: null, windowEnd: null, ...more }
    return (await book.act((work) => joinWaitlist(work, host, joining))).id
  }
  const entry = async (id: number) => {
    const row = await book.act(({ db }) => waitlistEntry(db, book.venue.id, id))
    if (!row) throw new Error('the entry is gone')
    return row
  }
  const move = (id: number, name: WaitlistMoveName, seenStatus?: WaitlistStatus) =>
    book.act((work) => {
      const seen = { id, ...(seenStatus && { seenStatus }) }
      if (name === 'seatNow') return seatFromWaitlist(work, host, seen)
      if (name === 'bookForLater') {
        return bookFromWaitlist(work, host, { ...seen, when: book.when('2026-10-06', '21:00') })
      }
      if (name === 'recall') return recallParty(work, host, seen)
      if (name === 'offer') return offerByHand(work, host, seen)
      if (name === 'acceptOffer') return accepted(work, id)
      const actor = name === 'expire' ? ({ kind: 'service' } as const) : host
      return moveEntry(work, actor, { ...seen, move: name })
    })
  /** Taking an offer is for the guest: what comes of it as an outcome, like the moves of staff. */
  const accepted = async (work: Work, id: number): Promise<WaitlistOutcome> => {
    const before = await waitlistEntry(work.db, book.venue.id, id)
    const took = await acceptOffer(work, id)
    const after = await waitlistEntry(work.db, book.venue.id, id)
    if (!before || !after) throw new Error('the entry is gone')
    if (took !== undefined && before.status !== 'booked') return entryDone(after)
    return entryKept(after, { kind: took === undefined ? 'refused' : 'unchanged', sentence: '' })
  }
  const inStatus = async (status: WaitlistStatus, next?: WaitlistMoveName) => {
    // Offers are of a time that is still ahead.
    const window =
      status !== 'expired' && (next === 'offer' || next === 'acceptOffer')
        ? { windowStart: '21:00', windowEnd: '22:00' }
        : { windowStart: '18:00', windowEnd: '19:30' }
    const id = await join(window)
    if (next === 'acceptOffer' && status === 'offered') {
      await move(id, 'offer')
      await book.told()
      return id
    }
    if (status === 'offered') await move(id, 'page')
    if (status === 'booked') await move(id, 'seatNow')
    if (status === 'cancelled') await move(id, 'leave')
    if (status === 'expired') {
      service.setClock('2026-10-06T23:40:00Z')
      await move(id, 'expire')
    }
    await book.told()
    return id
  }

  for (const name of moveNames) {
    for (const status of waitlistStatuses) {
      const pair = `${status} ${name}`
      const row = rows.get(pair)
      it(
        row ? `${pair} -> ${row.to}` : `${pair} ${already.has(pair) ? 'changes nothing' : 'is forbidden'}`,
        async () => {
          await fresh()
          const id = await inStatus(status, name)
          const was = await entry(id)
          // Late enough for the window to be over, early enough for the evening to run.
          service.setClock(name === 'acceptOffer' ? '2026-10-06T23:20:00Z' : '2026-10-06T23:45:00Z')
          const outcome = await move(id, name)
          const is = await entry(id)
          const told = (await book.told()).map(({ name }) => name)
          if (!row) {
            assert.equal(outcome.kind, already.has(pair) ? 'unchanged' : 'refused', JSON.stringify(outcome))
            assert.deepEqual(is, was)
            assert.deepEqual(told, [])
            return
          }
          assert.equal(outcome.kind, 'done', JSON.stringify(outcome))
          assert.equal(is.status, row.to)
          for (const column of ['quoted_at', 'paged_at', 'seated_at', 'left_at'] as const) {
            const set = row.sets.includes(`+${column}`)
            const cleared = row.sets.includes(`-${column}`)
            assert.equal(is[column], set ? '2026-10-06T23:45:00.000Z' : cleared ? null : was[column], column)
          }
          const expected = row.sets.filter((set) => set.startsWith('!')).map((set) => set.slice(1))
          assert.deepEqual(told, expected)
        },
      )
    }
  }

  it('the table matches the written list', () => {
    const said = moveNames.flatMap((name) => waitlistMoves[name].from.map((status) => `${status} ${name}`))
    assert.deepEqual(said.toSorted(), [...rows.keys()].toSorted())
  })

  it('a party that joins emits waitlist.added, by staff or on the public page', async () => {
    await fresh()
    const id = await join({ quotedMinutes: 35 })
    const [told] = await book.told()
    assert.equal(told?.name, 'waitlist.added')
    const listed = await service.call('GET', '/api/v1/waitlist', { key: book.venue.key })
    assert.equal(listed.body.length, 1)
    const [only] = listed.body
    assert.deepEqual(told?.data, only)
    assert.deepEqual(
      [only.id, only.source, only.quotedMinutes, only.quotedAt],
      [id, 'staff', 35, '2026-10-06T23:00:00.000Z'],
    )
    const party = { guestName: 'Ada', partySize: 2, email: null, phone: null, notes: null }
    const joining = { ...party, windowStart: null, windowEnd: null }
    const own = await book.act((work) => joinWaitlist(work, { kind: 'guest' }, joining))
    assert.deepEqual([own.source, own.quotedMinutes, own.quotedAt], ['public', null, null])
  })

  it("after midnight a party at the door waits in last night’s service, one that gives a time later that day in that evening's", async () => {
    await fresh(undefined, '2026-10-07T04:30:00Z') // 00:30 in New York, in Tuesday's service
    const dayOf = async (more: Partial<Joining>) => {
      const { date, service_date } = await entry(await join(more))
      return [date, service_date]
    }
    const [tuesday, wednesday] = ['2026-10-06', '2026-10-07'] as const
    assert.deepEqual(await dayOf({}), [wednesday, tuesday])
    assert.deepEqual(await dayOf({ requestedTime: '01:00' }), [wednesday, tuesday])
    assert.deepEqual(await dayOf({ windowStart: '00:15', windowEnd: '01:30' }), [wednesday, tuesday])
    assert.deepEqual(await dayOf({ requestedTime: '19:00' }), [wednesday, wednesday])
    assert.deepEqual(await dayOf({ windowStart: '18:00', windowEnd: '20:00' }), [wednesday, wednesday])
    assert.deepEqual(await dayOf({ date: wednesday }), [wednesday, wednesday])
    assert.deepEqual(await dayOf({ date: wednesday, requestedTime: '00:45' }), [wednesday, tuesday])
  })

  it('a quote goes by the length of the line, and each new one rewrites minutes and moment', async () => {
    await fresh()
    const first = await join({ quotedMinutes: 'estimated' })
    const second = await join({ quotedMinutes: 'estimated' })
    assert.deepEqual([(await entry(first)).quoted_minutes, (await entry(second)).quoted_minutes], [10, 20])
    service.setClock('2026-10-06T23:10:00Z')
    await move(first, 'leave')
    await move(second, 'quote')
    const row = await entry(second)
    assert.deepEqual([row.quoted_minutes, row.quoted_at], [10, '2026-10-06T23:10:00.000Z'])
    await book.act((work) => moveEntry(work, host, { id: second, move: 'quote', quotedMinutes: 45 }))
    assert.equal((await entry(second)).quoted_minutes, 45)
  })

  it('pagedAt is the latest page and is kept by "not yet"', async () => {
    await fresh()
    const id = await join()
    await move(id, 'page')
    service.setClock('2026-10-06T23:05:00Z')
    await move(id, 'page')
    await move(id, 'notYet')
    const row = await entry(id)
    assert.deepEqual([row.status, row.paged_at], ['waiting', '2026-10-06T23:05:00.000Z'])
  })

  it('a party seated now has a Seated reservation with source waitlist, and its guest a visit', async () => {
    await fresh()
    const id = await join({ phone: '212 555 0147' })
    await move(id, 'seatNow')
    const told = await book.told()
    assert.deepEqual(
      told.map(({ name }) => name),
      ['waitlist.added', 'guest.created', 'reservation.created', 'waitlist.seated'],
    )
    const made = told[2]?.data
    assert.deepEqual(
      [made?.status, made?.source, made?.checkedInAt],
      ['Seated', 'waitlist', '2026-10-06T23:00:00.000Z'],
    )
    assert.deepEqual([told[3]?.data.status, told[3]?.data.seatedAt], ['booked', '2026-10-06T23:00:00.000Z'])
    const guests = await service.call('GET', '/api/v1/guests', { key: book.venue.key })
    assert.equal(guests.body[0].visitCount, 1)
  })

  it('two hosts who seat one party at once make one reservation; the other gets a message', async () => {
    await fresh()
    const id = await join()
    const seat = (work: Work) => seatFromWaitlist(work, host, { id, seenStatus: 'waiting' })
    const [first, second] = await book.meanwhile(seat, seat)
    assert.deepEqual([first.kind, second.kind], ['done', 'unchanged'])
    assert.equal('sentence' in second && second.sentence, 'This party is already booked.')
    const left = await join()
    const leave = (work: Work) => moveEntry(work, { kind: 'guest' }, { id: left, move: 'leave' })
    const [, late] = await book.meanwhile(leave, (work) => seatFromWaitlist(work, host, { id: left }))
    assert.equal('sentence' in late && late.sentence, 'The party of Maya has changed: it is now cancelled.')
    const listed = await service.call('GET', '/api/v1/reservations', { key: book.venue.key })
    assert.equal(listed.body.length, 1)
  })

  it('a party waiting for another day is seated only after a confirmation', async () => {
    await fresh()
    const id = await join({ date: '2026-10-07' })
    const seat = (more: object = {}) => book.act((work) => seatFromWaitlist(work, host, { id, ...more }))
    const asked = await seat()
    assert.deepEqual('reasons' in asked && asked.reasons.map(({ reason }) => reason), ['another-day'])
    assert.equal((await entry(id)).status, 'waiting')
    assert.deepEqual((await book.told()).slice(1), [])
    assert.equal((await seat({ confirmed: ['another-day'] })).kind, 'done')
  })

  it('a page that shows an old version moves nothing, no matter what changed since', async () => {
    await fresh()
    const id = await join()
    const { version } = await entry(id)
    const change = { id, seenVersion: version } as const
    await book.act((work) => moveEntry(work, host, { ...change, move: 'quote', quotedMinutes: 45 }))
    for (const press of [
      (work: Work) => moveEntry(work, host, { ...change, move: 'quote', quotedMinutes: 15 }),
      (work: Work) => seatFromWaitlist(work, host, change),
      (work: Work) => recallParty(work, host, change),
    ]) {
      const stale = await book.act(press)
      assert.match('sentence' in stale ? stale.sentence : '', /has changed: it is now waiting/)
    }
    const after = await entry(id)
    assert.deepEqual([after.version, after.quoted_minutes], [version + 1, 45])
  })

  it('a table for later is checked against every rule, and waitlist.seated waits until they are seated', async () => {
    await fresh(dinner({ pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: null } }))
    await book.booking('Confirmed', { time: '21:00', partySize: 8 })
    const id = await join()
    const asked = await move(id, 'bookForLater')
    assert.equal('reasons' in asked && asked.reasons[0]?.figure, '12 of 10')
    assert.equal((await entry(id)).status, 'waiting')
    await book.act((work) =>
      bookFromWaitlist(work, host, {
        id,
        when: book.when('2026-10-06', '21:00'),
        confirmed: ['pacing-covers-full'],
      }),
    )
    const { reservation_id, seated_at } = await entry(id)
    assert.equal(seated_at, null)
    const booking = reservation_id ?? 0
    assert.equal((await book.row(booking)).status, 'Confirmed')
    await book.told()
    const act = (name: 'seat' | 'undoSeat') =>
      book.act((work) => moveReservation(work, host, { id: booking, move: name }))
    service.setClock('2026-10-07T01:00:00Z')
    await act('seat')
    const told = await book.told()
    assert.deepEqual(
      told.map(({ name }) => name),
      ['reservation.updated', 'waitlist.seated'],
    )
    assert.equal((await entry(id)).seated_at, '2026-10-07T01:00:00.000Z')
    await act('undoSeat')
    assert.equal((await entry(id)).seated_at, null)
  })

  it('a party is seated at one moment: waitlist.seated and its reservation carry the same one as the clock runs', async () => {
    await fresh()
    const id = await join({ phone: '212 555 0147' })
    await book.told()
    let now = service.context.clock()
    const ticking = () => (now = now.add({ milliseconds: 1 }))
    await book.act((work) => seatFromWaitlist({ ...work, now: ticking }, host, { id }))
    const [guest, reservation, seated] = await book.told()
    const { occurredAt } = seated ?? {}
    assert.deepEqual(
      [guest?.occurredAt, reservation?.occurredAt, seated?.data.seatedAt, seated?.data.updatedAt],
      [occurredAt, occurredAt, occurredAt, occurredAt],
    )
    assert.deepEqual(
      [reservation?.data.createdAt, reservation?.data.checkedInAt, reservation?.data.updatedAt],
      [occurredAt, occurredAt, occurredAt],
    )
  })

  it('a recall removes the reservation that seating made, emits reservation.cancelled, and takes the visit back', async () => {
    await fresh()
    const id = await join({ phone: '212 555 0147' })
    await move(id, 'seatNow')
    const made = (await book.told()).find(({ name }) => name === 'reservation.created')
    service.setClock('2026-10-06T23:10:00Z')
    assert.equal((await move(id, 'recall')).kind, 'done')
    const moment = '2026-10-06T23:10:00.000Z'
    assert.deepEqual(await book.told(), [
      {
        name: 'reservation.cancelled',
        data: {
          ...made?.data,
          status: 'Cancelled',
          cancelledAt: moment,
          cancelledBy: 'staff',
          updatedAt: moment,
          revision: 2,
        },
        occurredAt: moment,
      },
    ])
    const row = await entry(id)
    assert.deepEqual([row.status, row.seated_at, row.reservation_id], ['waiting', null, null])
    const listed = await service.call('GET', '/api/v1/reservations', { key: book.venue.key })
    assert.deepEqual(listed.body, [])
    const guests = await service.call('GET', '/api/v1/guests', { key: book.venue.key })
    assert.deepEqual([guests.body[0].visitCount, guests.body[0].lastVisitDate], [0, null])
  })

  it('a recall cancels a table for later, as the venue; one they sit at is undone there first', async () => {
    await fresh()
    const id = await join()
    await move(id, 'bookForLater')
    const booking = (await entry(id)).reservation_id ?? 0
    await book.act((work) => moveReservation(work, host, { id: booking, move: 'seat' }))
    assert.equal((await move(id, 'recall')).kind, 'refused')
    await book.act((work) => moveReservation(work, host, { id: booking, move: 'undoSeat' }))
    await book.told()
    assert.equal((await move(id, 'recall')).kind, 'done')
    const told = await book.told()
    assert.deepEqual(
      told.map(({ name, data }) => [name, data.cancelledBy]),
      [['reservation.cancelled', 'staff']],
    )
  })

  it('a recalled party does not get its later table back while it is in line, however the clock runs', async () => {
    await fresh()
    const id = await join()
    await move(id, 'bookForLater')
    const booking = (await entry(id)).reservation_id ?? 0
    let passed = 0
    const outcome = await book.act((work) =>
      recallParty({ ...work, now: () => work.now().add({ milliseconds: passed++ }) }, host, { id }),
    )
    assert.equal(outcome.kind, 'done')
    service.setClock('2026-10-06T23:00:01Z')
    const restored = await book.act((work) =>
      moveReservation(work, host, { id: booking, move: 'undoCancel' }),
    )
    assert.equal(restored.kind, 'refused')
  })

  it('a deleted reservation releases its party', async () => {
    await fresh()
    const id = await join()
    await move(id, 'seatNow')
    const booking = (await entry(id)).reservation_id ?? 0
    await book.act((work) => deleteReservation(work, host, booking))
    assert.equal((await entry(id)).reservation_id, null)
    assert.equal((await move(id, 'recall')).kind, 'done')
  })

  it('an offer expires after 15 minutes without an answer, and a new page restarts them', async () => {
    await freshAlone()
    const id = await join()
    const patient = await join()
    await move(id, 'page')
    await move(patient, 'page')
    service.setClock('2026-10-06T23:10:00Z')
    await move(patient, 'page')
    service.setClock('2026-10-06T23:14:59Z')
    assert.equal(await expireWaitlist(service.context), 0)
    service.setClock('2026-10-06T23:15:00Z')
    const twice = await Promise.all([expireWaitlist(service.context), expireWaitlist(service.context)])
    assert.equal(twice[0] + twice[1], 1)
    assert.deepEqual(
      [(await entry(id)).status, (await entry(id)).left_at],
      ['expired', '2026-10-06T23:15:00.000Z'],
    )
    assert.equal((await entry(patient)).status, 'offered')
  })

  it('only offers that ended are looked for every few seconds, at any venue, and each ends once', async () => {
    await freshAlone()
    const [waiting, paged] = [await join({ windowStart: '18:00', windowEnd: '19:05' }), await join()]
    await move(paged, 'page')
    const there = book
    // Nobody was paged here: the full round finds that the window has passed.
    await fresh()
    const unpaged = await join({ windowStart: '18:00', windowEnd: '19:05' })
    const third = book
    await fresh()
    const elsewhere = await join()
    await move(elsewhere, 'page')
    service.setClock('2026-10-06T23:14:59.999Z')
    assert.equal(await expireOffers(service.context), 0)
    service.setClock('2026-10-06T23:15:00Z')
    const twice = await Promise.all([expireOffers(service.context), expireOffers(service.context)])
    // With the venue's offer, what else of its line is over.
    assert.equal(twice[0] + twice[1], 3)
    assert.equal(await expireOffers(service.context), 0)
    assert.equal((await entry(elsewhere)).status, 'expired')
    book = third
    assert.equal((await entry(unpaged)).status, 'waiting')
    book = there
    assert.equal((await entry(paged)).status, 'expired')
    assert.equal((await entry(waiting)).status, 'expired')
  })

  it('a party expires when its window has passed, even one that runs past midnight; back in line it stays', async () => {
    await freshAlone()
    const id = await join({ windowStart: '22:00', windowEnd: '00:30' })
    service.setClock('2026-10-07T04:30:00Z')
    assert.equal(await expireWaitlist(service.context), 0)
    service.setClock('2026-10-07T04:31:00Z')
    assert.equal(await expireWaitlist(service.context), 1)
    assert.equal((await move(id, 'rejoin')).kind, 'done')
    assert.equal(await expireWaitlist(service.context), 0)
  })

  it('a party expires when the service date is over, not at midnight', async () => {
    await freshAlone()
    const id = await join()
    service.setClock('2026-10-07T04:20:00Z')
    const late = await join()
    assert.deepEqual(
      [(await entry(late)).date, (await entry(late)).service_date],
      ['2026-10-07', '2026-10-06'],
    )
    service.setClock('2026-10-07T05:59:00Z')
    assert.equal(await expireWaitlist(service.context), 0)
    service.setClock('2026-10-07T06:00:00Z')
    assert.equal(await expireWaitlist(service.context), 2)
    assert.equal((await move(id, 'rejoin')).kind, 'refused', 'the evening they waited for is over')
  })

  it('a guest leaves through their own link and can do nothing else', async () => {
    await fresh()
    const id = await join()
    for (const name of ['page', 'quote', 'notYet', 'rejoin'] as const) {
      const outcome = await book.act((work) => moveEntry(work, { kind: 'guest' }, { id, move: name }))
      assert.equal(outcome.kind, 'refused', name)
    }
    const left = await book.act((work) => moveEntry(work, { kind: 'guest' }, { id, move: 'leave' }))
    assert.equal(left.kind, 'done')
    const trail = await book.act(({ db }) => activityOfRecord(db, book.venue.id, 'waitlist_entry', id))
    assert.deepEqual(
      trail.map(({ action, actor_kind }) => [action, actor_kind]),
      [
        ['leave', 'guest'],
        ['join', 'staff'],
      ],
    )
  })

  it("another venue's party is not found", async () => {
    await fresh()
    const id = await join()
    await fresh()
    for (const name of moveNames) await assert.rejects(move(id, name), { status: 404 }, name)
  })
})
