import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { Work } from '../../context.ts'
import { addLead } from '../leads/actions.ts'
import { type Desk, openDesk, refusal, settled, staffOf } from '../../test/desk.ts'
import { type TestService, startService } from '../../test/service.ts'
import { matchOrMakeGuest } from './actions.ts'
import { mergeGuests, undoMerge } from './merge.ts'
import { addGuest, editGuest } from './staff-edits.ts'
import { mergesOfGuest, staffGuest } from './staff-reads.ts'
import { guestHistory } from '../../doors/office/guests/history.ts'

type Booking = { status: string; cancelledBy: string | null; day: number }
type Person = {
  name: string | null
  email: string | null
  phone: string | null
  seating: string | null
  referral: string | null
  notes: string
  allergies: string | null
  imported: number
  bookings: Booking[]
}

const text = (...values: string[]) => fc.option(fc.constantFrom(...values))
const bookings = fc.array(
  fc.record({
    status: fc.constantFrom('Requested', 'Confirmed', 'Seated', 'Completed', 'Cancelled', 'No-show'),
    cancelledBy: fc.constantFrom('guest', 'staff'),
    day: fc.integer({ min: 1, max: 28 }),
  }),
  { maxLength: 5 },
)
const person = (address: string): fc.Arbitrary<Person> =>
  fc.record({
    name: text('Maya Okafor', 'maya  OKAFOR', 'Ben Stone'),
    email: fc.option(fc.constant(address)),
    phone: text('212 555 0100', '+1 212 555 0100', '646 555 0199'),
    seating: text('Window', 'Bar'),
    referral: text('A friend'),
    notes: fc.constantFrom('', 'Likes the corner.', 'Two lines\nof notes', '2026-10-06 merge: odd'),
    allergies: text('nuts', 'shellfish'),
    imported: fc.integer({ min: 0, max: 9 }),
    bookings,
  })

describe('merging guests', () => {
  let service: TestService
  let desk: Desk
  const manager = staffOf('manager')

  const make = async (one: Person): Promise<number> => {
    const visits = one.bookings.filter(({ status }) => status === 'Seated' || status === 'Completed')
    const noShows = one.bookings.filter(({ status }) => status === 'No-show').length
    const cancelled = one.bookings.filter(
      ({ status, cancelledBy }) => status === 'Cancelled' && cancelledBy === 'guest',
    )
    const day = (n: number) => `2026-09-${String(n).padStart(2, '0')}`
    const last =
      visits
        .map((booking) => day(booking.day))
        .toSorted()
        .at(-1) ?? null
    const [row] = await desk.query<{ id: number }>(
      `insert into guest (venue_id, name, email, email_key, phone, phone_key, phone_international, seating_preference,
         referral_source, staff_notes, allergies, visit_count, imported_visit_count, no_show_count, cancellation_count,
         last_visit_date, created_at, updated_at)
       values ($1, $2, $3, lower($3), $4::text, regexp_replace($4::text, '[^0-9]', '', 'g'), coalesce($4::text like '+%', false),
         $5, $6, $7, $8, $9, $10, $11, $12, $13, '2026-01-01', '2026-01-01') returning id`,
      [
        desk.venue.id,
        one.name,
        one.email,
        one.phone,
        one.seating,
        one.referral,
        one.notes,
        one.allergies,
        visits.length + one.imported,
        one.imported,
        noShows,
        cancelled.length,
        last,
      ],
    )
    assert.ok(row)
    await desk.query(
      `insert into reservation (venue_id, guest_id, status, cancelled_by, source, service_date, created_at, updated_at)
       select $1, $2, status, cancelled_by, 'staff', service_date, '2026-01-01', '2026-01-01'
         from unnest($3::text[], $4::text[], $5::date[]) as b (status, cancelled_by, service_date)`,
      [
        desk.venue.id,
        row.id,
        one.bookings.map(({ status }) => status),
        one.bookings.map(({ status, cancelledBy }) => (status === 'Cancelled' ? cancelledBy : null)),
        one.bookings.map((booking) => day(booking.day)),
      ],
    )
    await desk.act((work) => addLead(work, manager, { contactName: 'x' }))
    await desk.query('update lead set guest_id = $2 where venue_id = $1 and guest_id is null', [
      desk.venue.id,
      row.id,
    ])
    return row.id
  }
  /** Everything staff and the API know about the venue's guests, except when and how often rows were written. */
  const everything = async () => ({
    guests: await desk.query(
      `select to_jsonb(g) - 'version' - 'revision' - 'updated_at' as row from guest g where venue_id = $1 order by id`,
      [desk.venue.id],
    ),
    links: await desk.query(
      `select 'r' as kind, id, guest_id from reservation where venue_id = $1
       union all select 'l', id, guest_id from lead where venue_id = $1 order by 1, 2`,
      [desk.venue.id],
    ),
  })
  const seen = async (id: number) => {
    const row = await staffGuest(service.db, desk.venue.id, id)
    assert.ok(row)
    return { id, seenVersion: row.version, row }
  }
  const merge = async (a: number, b: number) => {
    const [one, other] = [await seen(a), await seen(b)]
    return desk.act((work) => mergeGuests(work, manager, one, other))
  }
  const counters = (row: { visit_count: number; no_show_count: number; cancellation_count: number }) => [
    row.visit_count,
    row.no_show_count,
    row.cancellation_count,
  ]

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('keeps the lowest id, loses nothing, sums the counters; and undo restores everything as it was', async () => {
    desk = await openDesk(service)
    await fc.assert(
      fc.asyncProperty(
        person('maya@example.com'),
        person('okafor@example.com'),
        fc.boolean(),
        async (a, b, turned) => {
          await desk.query('delete from reservation; delete from lead; delete from guest')
          const [low, high] = [await make(a), await make(b)]
          const before = await everything()
          const [was, gone] = [(await seen(low)).row, (await seen(high)).row]
          const merged = turned ? await merge(high, low) : await merge(low, high)

          const { guest } = merged
          assert.equal(guest.id, low)
          assert.equal(await staffGuest(service.db, desk.venue.id, high), undefined)
          assert.deepEqual(
            counters(guest),
            counters(was).map((n, i) => n + (counters(gone)[i] ?? 0)),
          )
          const last = [was.last_visit_date, gone.last_visit_date]
            .filter((date) => date !== null)
            .toSorted()
            .at(-1)
          assert.equal(guest.last_visit_date, last ?? null)
          for (const [field, value] of Object.entries({ name: b.name, email: b.email, phone: b.phone })) {
            const kept = was[field as 'name']
            if (kept !== null)
              assert.equal(guest[field as 'name'], kept, 'a filled field is never overwritten')
            else assert.equal(guest[field as 'name'], value)
          }
          if (b.email && a.email)
            assert.match(guest.staff_notes, /2026-10-06 merge: another email was given: okafor@/)
          assert.ok(guest.staff_notes.startsWith(a.notes) && guest.staff_notes.includes(b.notes))
          for (const one of [a, b]) if (one.allergies) assert.ok(guest.allergies?.includes(one.allergies))
          const history = await guestHistory(service.db, desk.venue.id, guest)
          assert.equal(history.reservations.length, a.bookings.length + b.bookings.length)
          assert.equal(history.leads.length, 2)

          await desk.act((work) => undoMerge(work, manager, merged.merge))
          assert.deepEqual(await everything(), before)
          await assert.rejects(
            desk.act((work) => undoMerge(work, manager, merged.merge)),
            refusal(409, /already undone/),
          )
        },
      ),
      { numRuns: 15 },
    )
    assert.ok(
      (await desk.told()).every(({ name }) => name === 'lead.created'),
      'merging emits nothing',
    )
  })

  const plain: Person = {
    name: 'Maya Okafor',
    email: null,
    phone: null,
    seating: null,
    referral: null,
    notes: '',
    allergies: null,
    imported: 0,
    bookings: [],
  }

  it('changes made since stay when a merge is undone: edits, new lines, and what happened to the bookings', async () => {
    desk = await openDesk(service)
    const seated = { status: 'Confirmed', cancelledBy: null, day: 3 }
    const low = await make({ ...plain, email: 'maya@example.com' })
    const high = await make({ ...plain, email: 'okafor@example.com', seating: 'Bar', bookings: [seated] })
    const { merge: number, guest } = await merge(low, high)
    await desk.act((work) =>
      editGuest(work, manager, {
        id: low,
        seenVersion: guest.version,
        changes: { seatingPreference: 'Terrace', staffNotes: `${guest.staff_notes}\nCame with a dog.` },
      }),
    )
    await desk.query(
      `update reservation set status = 'Seated', service_date = '2026-10-04' where venue_id = $1`,
      [desk.venue.id],
    )
    await desk.query('update guest set visit_count = visit_count + 1 where venue_id = $1', [desk.venue.id])
    const undone = await desk.act((work) => undoMerge(work, manager, number))
    assert.deepEqual(
      [
        undone.guest.seating_preference,
        undone.guest.staff_notes,
        counters(undone.guest),
        undone.guest.last_visit_date,
      ],
      ['Terrace', 'Came with a dog.', [0, 0, 0], null],
    )
    assert.deepEqual(
      [undone.restored.seating_preference, counters(undone.restored), undone.restored.last_visit_date],
      ['Bar', [1, 0, 0], '2026-10-04'],
    )
  })

  it('two people merging, or one merging what another edits: one wins, the other must look again', async () => {
    desk = await openDesk(service)
    const [low, high] = [await make(plain), await make(plain)]
    const [one, other] = [await seen(low), await seen(high)]
    const tries = await settled<unknown>([
      desk.act((work) => mergeGuests(work, manager, one, other)),
      desk.act((work) => mergeGuests(work, manager, other, one)),
      desk.act((work) => editGuest(work, manager, { ...one, changes: { name: 'Somebody else' } })),
      desk.act((work) => editGuest(work, manager, { ...other, changes: { name: 'Somebody else' } })),
    ])
    const merges = await desk.query('select 1 from guest_merge where venue_id = $1', [desk.venue.id])
    assert.ok(merges.length <= 1)
    assert.equal((await mergesOfGuest(service.db, desk.venue.id, low)).length, merges.length)
    const expected =
      /just changed by someone else; reload and try again|no such guest|was already merged into guest \d+/
    assert.deepEqual(
      tries.refused.filter((sentence) => !expected.test(sentence)),
      [],
    )
  })

  it('a booking that matches while guests are merged finds the kept guest', async () => {
    desk = await openDesk(service)
    const low = await make({ ...plain, phone: '212 555 0100' })
    const high = await make({ ...plain, email: 'maya@example.com', phone: '212 555 0100' })
    const match = (work: Work) => matchOrMakeGuest(work, { email: 'maya@example.com' }, 'automation')
    const results = await settled<unknown>([
      merge(low, high),
      ...Array.from({ length: 20 }, () => desk.act(match)),
    ])
    assert.deepEqual(results.refused, [])
    assert.equal((await desk.act(match))?.guest.id, low)
    assert.equal((await desk.query('select id from guest where venue_id = $1', [desk.venue.id])).length, 1)
  })

  it('an undo is refused when the guest was merged into another, or the address went to somebody else', async () => {
    desk = await openDesk(service)
    const [first, second, third] = [
      await make(plain),
      await make({ ...plain, email: 'maya@example.com' }),
      await make({ ...plain, email: 'ben@example.com' }),
    ]
    const inner = await merge(second, third)
    const outer = await merge(first, second)
    const undo = (id: number) => desk.act((work) => undoMerge(work, manager, id))
    await assert.rejects(undo(inner.merge), refusal(409, /was since merged into another/))
    await undo(outer.merge)
    await desk.act((work) => addGuest(work, manager, { email: 'ben@example.com', name: 'Ben' }))
    await assert.rejects(undo(inner.merge), refusal(409, /Another guest now has the email/))
    await assert.rejects(merge(first, first), refusal(400, /same guest twice/))
    const elsewhere = await openDesk(service)
    await assert.rejects(
      elsewhere.act((work) => undoMerge(work, manager, inner.merge)),
      refusal(404, /no such merge/),
    )
  })
})
