import { limits } from '@venue-data/contract/limits.ts'
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type TestService, aTuesdayAfternoon, startService } from '../../../test/service.ts'
import { timesOfDays } from '../availability/availability.ts'
import { bookByStaff } from '../bookings.ts'
import { requestReservation } from '../request-reservation.ts'
import {
  type HoldAsked,
  type HoldOutcome,
  extendHold,
  keyAsHolder,
  newHoldId,
  placeHold,
  releaseHold,
  releaseOffer,
  sweepHolds,
} from './holds.ts'
import { tablesOf, turnTablesOn } from '../../tables/test/floor.ts'
import { reasonsNow } from '../availability/reasons-now.ts'
import { type TestBook, dinner, openBook, staff } from '../test/book.ts'

/** Tuesday 6 October 2026 in New York, where it is 15:00. */
const tonight = '2026-10-06'

describe('holds', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  beforeEach(async () => {
    service.setClock(aTuesdayAfternoon)
    book = await openBook(
      service,
      dinner({ pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: null } }),
    )
  })

  const asked = (more: Partial<HoldAsked> & { time?: string; date?: string } = {}): HoldAsked => {
    const { date = tonight, time = '19:00', ...rest } = more
    return {
      ...book.when(date, time),
      id: newHoldId(randomBytes),
      partySize: 2,
      by: { holder: keyAsHolder(1) },
      ...rest,
    }
  }
  const hold = (more: Parameters<typeof asked>[0] = {}): Promise<HoldOutcome> =>
    book.act((work) => placeHold(work, asked(more)))
  const post = (partySize: number, time = '19:00') =>
    service.call('POST', '/api/v1/reservations', {
      key: book.venue.key,
      body: { guestName: 'Ada', date: tonight, time, partySize },
    })
  const heldNow = async (): Promise<number> =>
    Number(
      (await book.query('select count(*) as n from booking_hold where venue_id = $1', [book.venue.id]))[0]?.[
        'n'
      ],
    )
  const held = (outcome: { kind: string; hold?: { id: string } }): string => {
    assert.equal(outcome.kind, 'held')
    return outcome.hold?.id as string
  }

  it('a hold of the last 2 places refuses a request, and 5 minutes later nothing does, though no worker runs', async () => {
    await book.booking('Confirmed', { partySize: 8 })
    held(await hold({ partySize: 2 }))
    const { status, body } = await post(1)
    assert.deepEqual([status, body.reason, body.error], [409, 'pacing-covers-full', '19:00 is fully booked.'])
    service.setClock('2026-10-06T19:04:59.999Z')
    assert.equal((await post(2)).status, 409)
    service.setClock('2026-10-06T19:05:00Z')
    assert.equal((await post(2)).status, 201)
    assert.equal(await heldNow(), 1, 'nothing swept it')
  })

  it('count as one party each', async () => {
    await book.rules(dinner({ pacing: { intervalMinutes: 15, maxCovers: null, maxParties: 1 } }))
    held(await hold())
    assert.equal((await post(1)).body.reason, 'pacing-parties-full')
    assert.equal((await hold()).kind, 'refused')
  })

  it('are neither listed nor delivered', async () => {
    held(await hold())
    const { body } = await service.call('GET', '/api/v1/reservations', { key: book.venue.key })
    assert.deepEqual([body, await book.toldAll()], [[], []])
  })

  it('close the slot in the picker and the check, but not for who holds it', async () => {
    const id = held(await hold({ partySize: 9 }))
    const open = async (own?: string) => {
      const found = await book.act((work) =>
        timesOfDays(work, { from: tonight, days: 1, partySize: 2, ...(own && { own: { hold: own } }) }),
      )
      return found.days[0]?.slots.find(({ time }) => time === '19:00')?.evaluation.ok
    }
    assert.deepEqual([await open(), await open(id)], [false, true])
    const path = `/api/v1/availability/check?date=${tonight}&time=19:05&partySize=2`
    const { body } = await service.call('GET', path, { key: book.venue.key })
    assert.deepEqual([body.ok, body.reason], [false, 'pacing-covers-full'])
  })

  it('one’s own does not refuse oneself, and is gone with the booking', async () => {
    const id = held(await hold({ partySize: 10 }))
    const request = {
      ...book.when(tonight, '19:00'),
      guestName: 'Ada',
      partySize: 10,
      email: null,
      phone: null,
      notes: null,
      externalId: null,
    }
    await assert.rejects(book.act((work) => requestReservation(work, request)))
    const made = await book.act((work) => requestReservation(work, { ...request, hold: id }))
    assert.equal(made.status, 'Requested')
    assert.equal(await heldNow(), 0)
  })

  it('a holder has 6 at most, however many are asked for at once on however many days', async () => {
    const days = Array.from({ length: 18 }, (_, day) => `2026-10-${String(7 + day).padStart(2, '0')}`)
    const outcomes = await Promise.all(days.map((date) => hold({ date })))
    const kinds = Object.groupBy(outcomes, ({ kind }) => kind)
    assert.deepEqual([kinds.held?.length, kinds['too many']?.length], [limits.holdsOfKey, 12])
    held(await hold({ by: { holder: keyAsHolder(2) } }))
    const [one] = kinds.held ?? []
    assert.ok(one?.kind === 'held')
    held(await hold({ instead: one.hold.id, time: '20:00' }))
    assert.equal((await hold()).kind, 'too many')
    service.setClock('2026-10-06T19:05:00Z')
    held(await hold())
    assert.equal(await heldNow(), limits.holdsOfKey + 1, 'a place of one that expired is used again')
  })

  it('of 60 holds and requests at once exactly those that fit get through', async () => {
    const tries = Array.from({ length: 60 }, async (_, n) => {
      if (n % 2) return (await post(2)).status === 201
      return (await hold({ by: { holder: `address ${n}` } })).kind === 'held'
    })
    assert.equal((await Promise.all(tries)).filter(Boolean).length, 5)
  })

  it('one that expires while a request waits for the day frees its places for it, and its table', async () => {
    const expiring = async (partySize: number) => {
      service.setClock(aTuesdayAfternoon)
      held(await hold({ partySize }))
      assert.equal((await hold({ by: { holder: 'early' } })).kind, 'refused')
      const request = asked({ by: { holder: 'another' } })
      const [, second] = await book.meanwhile(
        async (work) => {
          await placeHold(work, asked({ time: '20:00', by: { holder: 'slow' } }))
          service.setClock('2026-10-06T19:05:00Z')
        },
        (work) => placeHold(work, request),
      )
      held(second)
    }
    await expiring(10)
    book = await openBook(service, dinner(tablesOf([{ label: '1', most: 4 }])))
    await turnTablesOn(service, book.venue)
    await expiring(4)
  })

  it('another slot gives up the first; a refused one leaves it', async () => {
    const first = held(await hold({ partySize: 4 }))
    assert.equal((await hold({ partySize: 11, instead: first })).kind, 'refused')
    assert.equal(await heldNow(), 1)
    const second = held(await hold({ partySize: 10, instead: first }))
    assert.equal(await heldNow(), 1)
    assert.equal((await book.act((work) => releaseHold(work, second)))?.party_size, 10)
    assert.equal((await post(10)).status, 201)
  })

  it('are held longer once, and judged again where they ran out', async () => {
    const id = held(await hold({ partySize: 10 }))
    service.setClock('2026-10-06T19:06:00Z')
    const taken = await post(1)
    assert.equal(taken.status, 201)
    const late = await book.act((work) => extendHold(work, id))
    assert.ok(late.kind === 'refused' && late.refusal.reason === 'pacing-covers-full')
    await service.db.session((client) =>
      client.query(
        `update reservation set status = 'Cancelled', cancelled_at = now(), cancelled_by = 'guest',
                    cancelled_from = 'Requested' where id = $1`,
        [taken.body.reservation.id],
      ),
    )
    const again = await book.act((work) => extendHold(work, id))
    assert.ok(again.kind === 'held')
    assert.equal(again.hold.expires_at, '2026-10-06T19:11:00.000Z')
    assert.equal((await book.act((work) => extendHold(work, id))).kind, 'extended before')
    await book.act((work) => releaseHold(work, id))
    assert.equal((await book.act((work) => extendHold(work, id))).kind, 'gone')
  })

  it('staff see what is held and until when, and may book over it', async () => {
    await book.booking('Confirmed', { partySize: 8 })
    held(await hold({ partySize: 2 }))
    const party = { guestName: 'Ada', email: null, phone: null, notes: null, partySize: 2 }
    const when = book.when(tonight, '19:00')
    const { reasons } = await book.act((work) => reasonsNow(work, { ...when, partySize: 2 }))
    assert.deepEqual(reasons, [
      {
        reason: 'pacing-covers-full',
        sentence: 'The 19:00 slot takes 10 guests; 2 held online until 15:05.',
        figure: '12 of 10',
      },
    ])
    const refused = await book.act((work) => bookByStaff(work, staff('host'), { ...party, ...when }))
    assert.equal(refused.kind, 'needs override')
    const done = await book.act((work) =>
      bookByStaff(work, staff('host'), { ...party, ...when, confirmed: ['pacing-covers-full:12'] }),
    )
    assert.equal(done.kind, 'done')
  })

  it('an offer to a party on the waitlist is held until it ends, and goes with its entry', async () => {
    const [entry] = await book.query(
      `insert into waitlist_entry (venue_id, party_size, status, source, created_at, updated_at)
       values ($1, 10, 'waiting', 'staff', now(), now()) returning id`,
      [book.venue.id],
    )
    const by = { entry: Number(entry?.['id']), until: Temporal.Instant.from('2026-10-06T19:30:00Z') }
    held(await hold({ by, partySize: 10 }))
    service.setClock('2026-10-06T19:29:00Z')
    assert.equal((await post(1)).status, 409)
    await book.act((work) => releaseOffer(work, by.entry))
    held(await hold({ by, partySize: 10 }))
    await book.query('delete from waitlist_entry where venue_id = $1 and id = $2', [book.venue.id, by.entry])
    assert.equal(await heldNow(), 0)
  })

  it('after midnight they are in the evening before', async () => {
    const outcome = await hold({ date: '2026-10-07', time: '00:30', partySize: 10 })
    assert.ok(outcome.kind === 'held')
    assert.deepEqual([outcome.hold.service_date, outcome.hold.service_minute], [tonight, 1470])
    assert.equal((await book.act((work) => extendHold(work, outcome.hold.id))).kind, 'held')
  })

  it('are tidied a while after they ran out', async () => {
    held(await hold())
    service.setClock('2026-10-06T19:14:59Z')
    await sweepHolds(service.context)
    assert.equal(await heldNow(), 1)
    service.setClock('2026-10-06T19:15:00Z')
    await Promise.all([sweepHolds(service.context), sweepHolds(service.context)])
    assert.equal(await heldNow(), 0)
  })
})
