import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bookedReservationForUpdate } from '../../book/day/book-row.ts'
import { addNoteByGuest } from '../../book/reservations/change/change-by-guest.ts'
import { editReservation } from '../../book/reservations/edits/edits.ts'
import { moveReservation } from '../../book/reservations/moves.ts'
import { matchOrMakeGuest } from '../../crm/guests/actions.ts'
import { mergeGuests } from '../../crm/guests/merge.ts'
import { partBooking } from '../../crm/guests/part-booking.ts'
import { editGuest } from '../../crm/guests/staff-edits.ts'
import { staffGuest } from '../../crm/guests/staff-reads.ts'
import { keepBookingHouse, keepGuestHouse } from '../../crm/house/actions.ts'
import { houseOfBooking, houseOfGuest } from '../../crm/house/reads.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { editLead, moveLead } from '../../crm/leads/edit.ts'
import { addLeadNote } from '../../crm/leads/notes.ts'
import { leadById } from '../../crm/leads/reads.ts'
import { type Desk, openDesk, staffOf } from '../../test/desk.ts'
import { staffOf as accountOf, visitOffice } from '../../test/office.ts'
import { setRules } from '../../test/open-rules.ts'
import { type TestService, startService } from '../../test/service.ts'
import { addOccurrence, makeEvent } from '../../tickets/events.ts'
import { erasePerson } from './erase.ts'

/* An erased record takes no personal data again, at any door; the moves of its status go on. */

describe('a record that was erased', () => {
  let service: TestService
  let desk: Desk
  let ids: Record<'guests' | 'reservations' | 'leads' | 'waitlist' | 'ticket-orders', number>
  /** Somebody else, who stays. */
  let otto: number
  const manager = staffOf('manager')
  const maya = { email: 'maya@example.com', phone: '+1 917 555 0142' }
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const call = (method: string, path: string, body?: object, headers = {}) =>
    service.call(method, `/api/v1/${path}`, { key: desk.venue.key, headers, ...(body && { body }) })
  const made = async (path: string, body: object, field: string): Promise<number> => {
    const answer = await call('POST', path, body)
    assert.ok(answer.status < 300, answer.text)
    return answer.body[field].id
  }
  const begin = async (): Promise<void> => {
    service.setClock('2026-10-06T22:00:00Z')
    desk = await openDesk(service)
    await setRules(service, desk.venue)
    const occurrenceId = await desk.act(async (work) => {
      const event = await makeEvent(work, manager, 'Jazz')
      const date = { title: null, date: '2026-11-14', startTime: null, capacity: 10, priceCents: 100 }
      return (await addOccurrence(work, manager, event.id, date)).id
    })
    const named = { guestName: 'Maya Okafor', partySize: 2, ...maya, notes: 'By the window' }
    const order = { occurrenceId, seats: 2, buyerEmail: maya.email, externalReference: 'shop-1' }
    ids = {
      guests: await made('guests', { name: 'Maya Okafor', ...maya }, 'guest'),
      reservations: await made(
        'reservations',
        { ...named, date: '2026-10-09', time: '19:00' },
        'reservation',
      ),
      leads: await made('leads', { name: 'Maya Okafor', ...maya }, 'lead'),
      waitlist: await made('waitlist', named, 'waitlistEntry'),
      'ticket-orders': await made('ticket-orders', order, 'ticketOrder'),
    }
    otto = await made('guests', { name: 'Otto', email: 'otto@example.com' }, 'guest')
  }
  const erase = () =>
    desk.act((work) => erasePerson(work, manager, { guestId: ids.guests, ...maya, name: 'Maya Okafor' }))
  /** What the database says about anybody, but for whom we keep. */
  const traces = async (): Promise<string[]> => {
    const tables = await desk.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    )
    const found: string[] = []
    for (const { name } of tables) {
      const [row] = await desk.query<{ text: string | null }>(
        `select lower(string_agg(t::text, ' ')) as text from "${name}" t`,
      )
      if (/nadia|555.?0777|terrace/.test(row?.text ?? '')) found.push(name)
    }
    return found
  }
  /** Somebody's details, under which nothing may be found afterwards. */
  const nadia = { email: 'nadia@example.com', phone: '+1 646 555 0777' }

  it('is 410 to every change of its fields by API, with any tag, and a dry run says so', async () => {
    await begin()
    await erase()
    const changes: [path: string, ...bodies: object[]][] = [
      [`guests/${ids.guests}`, { name: 'Nadia' }, nadia, { externalId: 'nadia-1' }, { referralSource: null }],
      [
        `reservations/${ids.reservations}`,
        { guestName: 'Nadia' },
        nadia,
        { notes: 'Terrace' },
        { partySize: 3 },
        { time: '20:00' },
      ],
      [`leads/${ids.leads}`, { contactName: 'Nadia' }, { notes: 'Terrace' }, { priority: 'High' }],
      [`waitlist/${ids.waitlist}`, { guestName: 'Nadia' }, nadia, { notes: 'Terrace' }, { partySize: 3 }],
    ]
    for (const [path, ...bodies] of changes) {
      for (const body of bodies) {
        for (const headers of [{}, { 'if-match': '*' }, { 'if-match': '"999.aaaa"' }]) {
          const answer = await call('PATCH', path, body, headers)
          assert.deepEqual([answer.status, answer.body.reason], [410, 'erased'], `${path} ${answer.text}`)
        }
        const tried = await call('POST', 'dry-run', { method: 'PATCH', path: `/api/v1/${path}`, body })
        assert.equal(tried.body.wouldAnswer.status, 410, tried.text)
        service.setClock(service.context.clock().add({ seconds: 4 }).toString())
      }
      // What cannot be read comes first, as everywhere.
      assert.equal((await call('PATCH', path, {})).status, 400)
      assert.equal((await call('GET', path)).status, 200)
    }
    const note = await call('POST', `leads/${ids.leads}/notes`, { text: 'Nadia called' })
    assert.deepEqual([note.status, note.body.reason], [410, 'erased'])
    const cancel = await call('POST', `reservations/${ids.reservations}/cancel`, { message: 'Nadia is ill' })
    assert.deepEqual([cancel.status, cancel.body.reason], [410, 'erased'])
    const refund = { amountCents: 100, reason: 'Nadia is ill' }
    const asked = await call('POST', `ticket-orders/${ids['ticket-orders']}/refund-requests`, refund)
    assert.deepEqual([asked.status, asked.body.reason], [410, 'erased'])
    assert.deepEqual(await traces(), [])
  })

  it('a kept answer still comes first', async () => {
    await begin()
    const headers = { 'idempotency-key': 'seat', 'if-match': '*' }
    const change = { seatingPreference: 'Booth' }
    assert.equal((await call('PATCH', `guests/${ids.guests}`, change, headers)).status, 200)
    await erase()
    const again = await call('PATCH', `guests/${ids.guests}`, change, headers)
    assert.deepEqual([again.status, again.body.reason], [409, 'answer-erased'])
  })

  it('is refused to staff and guests at each of their doors, whose sentence says why', async () => {
    await begin()
    const [guest, lead] = await desk.act(async ({ db, venue }) => [
      await staffGuest(db, venue.id, ids.guests),
      await leadById(db, venue.id, ids.leads),
    ])
    await erase()
    const version = async (table: string, id: number) =>
      Number(
        (await desk.query<{ version: number }>(`select version from ${table} where id = $1`, [id]))[0]
          ?.version,
      )
    const [of, ofLead, ofBooking, ofOtto] = await Promise.all([
      version('guest', ids.guests),
      version('lead', ids.leads),
      version('reservation', ids.reservations),
      version('guest', otto),
    ])
    const stale = guest?.version ?? 0
    const doors: Parameters<Desk['act']>[0][] = [
      ...[of, stale].flatMap((seenVersion) => [
        (work: Parameters<typeof editGuest>[0]) =>
          editGuest(work, manager, { id: ids.guests, seenVersion, changes: { name: 'Nadia' } }),
        (work: Parameters<typeof editGuest>[0]) =>
          editGuest(work, manager, { id: ids.guests, seenVersion, changes: { staffNotes: 'Terrace' } }),
        (work: Parameters<typeof editGuest>[0]) =>
          editGuest(work, manager, { id: ids.guests, seenVersion, changes: { allergies: 'Terrace' } }),
      ]),
      async (work) => {
        const house = await houseOfGuest(work.db, work.venue.id, ids.guests)
        return keepGuestHouse(work, manager, ids.guests, { ...house, tags: ['terrace'] })
      },
      async (work) => {
        const house = await houseOfBooking(work.db, work.venue.id, ids.reservations)
        return keepBookingHouse(work, manager, ids.reservations, { ...house, occasion: 'Terrace' })
      },
      // A form rendered before asks whether it is this guest.
      (work) => matchOrMakeGuest(work, { name: 'Nadia', ...nadia }, 'staff', ids.guests),
      ...[
        [ids.guests, of, otto, ofOtto],
        [otto, ofOtto, ids.guests, of],
      ].map(
        ([one = 0, first = 0, other = 0, second = 0]) =>
          (work: Parameters<typeof mergeGuests>[0]) =>
            mergeGuests(work, manager, { id: one, seenVersion: first }, { id: other, seenVersion: second }),
      ),
      (work) => partBooking(work, manager, { id: ids.reservations, to: otto }, bookedReservationForUpdate),
      (work) => partBooking(work, manager, { id: ids.reservations, to: 'new' }, bookedReservationForUpdate),
      ...[ofBooking, 1].map(
        (seenVersion) => (work: Parameters<typeof editReservation>[0]) =>
          editReservation(work, manager, {
            id: ids.reservations,
            seenVersion,
            changes: { guestName: 'Nadia', ...nadia },
          }),
      ),
      ...[ofLead, lead?.version ?? 0].map(
        (seenVersion) => (work: Parameters<typeof editLead>[0]) =>
          editLead(work, manager, { id: ids.leads, seenVersion, changes: { contactName: 'Nadia' } }),
      ),
      (work) => addLeadNote(work, manager, { lead: ids.leads, kind: 'note', text: 'Nadia called' }),
    ]
    for (const door of doors) {
      await assert.rejects(desk.act(door), (error: Error) => {
        assert.ok(error instanceof Refusal, `${error.message} ${String(door)}`)
        assert.deepEqual([error.status, error.reason], [410, 'erased'], `${error.message} ${String(door)}`)
        assert.match(error.message, /was erased, and takes no personal data again/)
        return true
      })
    }
    // Their private page no longer has such a form; a request that was under way leaves nothing.
    await desk.act((work) => addNoteByGuest(work, ids.reservations, 'Terrace, please'))
    const host = visitOffice(service)
    await host.signIn((await accountOf(service, desk.venue, 'manager')).email)
    const form = { version: String(of), name: 'Nadia', ...nadia }
    const said = await host.post(`/office/guests/${ids.guests}/edit`, form)
    assert.match(said.words, /This guest was erased, and takes no personal data again\./)
    assert.deepEqual(await traces(), [])
  })

  it('is protected by its own table against every writer: one column after the other', async () => {
    await begin()
    await erase()
    const columns: Record<string, readonly string[]> = {
      guest: [
        'name',
        'email',
        'phone',
        'seating_preference',
        'referral_source',
        'external_id',
        'allergies',
        'staff_notes',
      ],
      reservation: ['guest_name', 'email', 'phone', 'notes', 'cancel_message', 'external_id'],
      lead: [
        'contact_name',
        'contact_email',
        'contact_phone',
        'event_name',
        'occasion',
        'dining_style',
        'dietary_needs',
        'notes',
        'external_id',
      ],
      waitlist_entry: ['guest_name', 'email', 'phone', 'notes', 'external_id'],
      ticket_order: [
        'buyer_first_name',
        'buyer_last_name',
        'buyer_email',
        'buyer_phone',
        'external_reference',
      ],
    }
    for (const [table, names] of Object.entries(columns)) {
      const [row] = await desk.query<{ count: string }>(
        `select count(*) from ${table} where venue_id = $1 and erased_at is not null`,
        [desk.venue.id],
      )
      assert.equal(Number(row?.count), 1, table)
      for (const name of names)
        await assert.rejects(
          desk.query(`update ${table} set ${name} = 'Nadia' where venue_id = $1 and erased_at is not null`, [
            desk.venue.id,
          ]),
          { code: '23514', constraint: `${table}_stays_erased` },
          `${table}.${name}`,
        )
    }
  })

  it('moves on in its status, and its change stays erased after any edit', async () => {
    await begin()
    await erase()
    const cursor = (await call('GET', 'changes?after=latest')).body.next
    const confirm = await desk.act((work) =>
      moveReservation(work, manager, { id: ids.reservations, move: 'confirm' }),
    )
    assert.equal(confirm.kind, 'done')
    const tried = await call('POST', 'dry-run', {
      method: 'POST',
      path: `/api/v1/reservations/${ids.reservations}/cancel`,
      body: {},
    })
    assert.deepEqual(
      tried.body.changes.filter(({ kind }: { kind: string }) => kind === 'reservation'),
      [{ kind: 'reservation', id: ids.reservations, change: 'erased' }],
    )
    for (const path of [
      `reservations/${ids.reservations}/cancel`,
      `waitlist/${ids.waitlist}/leave`,
      `ticket-orders/${ids['ticket-orders']}/cancel`,
    ]) {
      const moved = await call('POST', path, path.startsWith('res') ? {} : undefined)
      assert.deepEqual([moved.status, moved.body.changed], [200, true], moved.text)
    }
    const lead = await desk.query<{ version: number }>('select version from lead where id = $1', [ids.leads])
    await desk.act((work) =>
      moveLead(work, manager, { id: ids.leads, seenVersion: lead[0]?.version ?? 0, stage: 'Proposal' }),
    )
    const { changes } = (await call('GET', `changes?after=${cursor}`)).body
    const seen = changes.map(({ kind, change }: { kind: string; change: string }) => `${kind} ${change}`)
    for (const kind of ['reservation', 'waitlist_entry', 'ticket_order', 'lead'])
      assert.ok(seen.includes(`${kind} erased`), `${kind}: ${seen.join(', ')}`)
    assert.ok(!seen.some((one: string) => one.endsWith('updated')), seen.join(', '))
    for (const { data } of changes) if (data) assert.equal(data.email ?? data.buyerEmail ?? null, null)
  })
})
