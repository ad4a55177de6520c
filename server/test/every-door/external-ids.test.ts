import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mergeGuests, undoMerge } from '../../crm/guests/merge.ts'
import { staffGuest } from '../../crm/guests/staff-reads.ts'
import { erasePerson } from '../../data/erasure/erase.ts'
import { type ImportPlan, guessColumns } from '../../data/imports/fields.ts'
import { withRepeats } from '../../data/imports/repeats.ts'
import { readRow, writeRows } from '../../data/imports/rows.ts'
import { addOccurrence, makeEvent } from '../../tickets/events.ts'
import { typedExternalId } from '../../platform/kernel/external-id.ts'
import { notExternalId, notHold } from './bad-fields.ts'
import { type Desk, openDesk, staffOf } from '../desk.ts'
import { setRules } from '../open-rules.ts'
import { rowsOf } from '../rows.ts'
import { type Answer, type TestService, startService } from '../service.ts'

/*
 * The ids that records have in the software that made them (`externalId`), of every kind alike, and whose a
 * record is.
 */

/** How a record of each kind is made, with a field that nothing is matched by. */
const kinds = {
  reservations: {
    field: 'reservation',
    body: (n: number) => ({ guestName: `Maya ${n}`, partySize: 2, date: '2026-10-09', time: '19:00' }),
    change: { notes: 'A booth' },
  },
  guests: {
    field: 'guest',
    body: (n: number) => ({ name: `Maya ${n}`, email: `maya${n}@example.com` }),
    change: { seatingPreference: 'Booth' },
  },
  leads: { field: 'lead', body: (n: number) => ({ name: `Maya ${n}` }), change: { occasion: 'Birthday' } },
  tasks: { field: 'task', body: (n: number) => ({ title: `Call ${n}` }), change: { client: 'Maya' } },
  waitlist: {
    field: 'waitlistEntry',
    body: (n: number) => ({ guestName: `Maya ${n}`, partySize: 2, phone: `212 555 01${10 + n}` }),
    change: { notes: 'The bar' },
  },
} as const

describe('ids of other software', () => {
  let service: TestService
  let desk: Desk
  const manager = staffOf('manager')
  const call = (method: string, path: string, body?: object): Promise<Answer> =>
    service.call(method, `/api/v1/${path}`, {
      key: desk.venue.key,
      ...(body && { body }),
      ...(method === 'PATCH' && { headers: { 'if-match': '*' } }),
    })
  const list = async (path: string): Promise<number[]> => {
    const { status, body, text } = await call('GET', path)
    assert.equal(status, 200, text)
    return (body as { id: number }[]).map(({ id }) => id)
  }
  const open = async (): Promise<void> => {
    service.setClock('2026-10-06T22:00:00Z')
    desk = await openDesk(service)
    await setRules(service, desk.venue)
  }

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  for (const [path, { field, body, change }] of Object.entries(kinds)) {
    it(`${path}: kept as given, found by, changed, emptied, and not unique`, async () => {
      await open()
      const given = 'Ünï/48-213#ÄB_‡'
      const made = async (n: number, more: object) => {
        const answer = await call('POST', path, { ...body(n), ...more })
        assert.equal(answer.status, 201, answer.text)
        return answer.body[field] as { id: number; externalId: string | null; revision: number }
      }
      const one = await made(1, { externalId: given })
      const two = await made(2, { externalId: given })
      const none = await made(3, { externalId: null })
      assert.deepEqual([one.externalId, two.externalId, none.externalId], [given, given, null])
      const found = (id: string) => list(`${path}?externalId=${encodeURIComponent(id)}`)
      assert.deepEqual(await found(given), [two.id, one.id])
      assert.deepEqual(await found(given.toLowerCase()), [])
      assert.deepEqual(await list(`${path}?sort=createdAt&limit=1&externalId=${encodeURIComponent(given)}`), [
        one.id,
      ])

      const patched = await call('PATCH', `${path}/${one.id}`, { externalId: 'b-2' })
      assert.equal(patched.status, 200, patched.text)
      const { externalId, revision } = patched.body[field]
      assert.deepEqual([externalId, revision, patched.body.changed], ['b-2', one.revision + 1, true])
      assert.equal((await call('PATCH', `${path}/${one.id}`, change)).body[field].externalId, 'b-2')
      assert.deepEqual([await found(given), await found('b-2')], [[two.id], [one.id]])
      const cleared = await call('PATCH', `${path}/${one.id}`, { externalId: null })
      assert.equal(cleared.body[field].externalId, null)
      assert.equal((await call('GET', `${path}/${two.id}`)).body.externalId, given)
      const { changes } = (await call('GET', 'changes?limit=1000')).body
      const told = changes.find(
        ({ id, data }: { id: number; data: object }) => id === two.id && data && field,
      )
      assert.equal(told.data.externalId, given)
    })

    it(`${path}: an empty, repeated or impossible one asked for is 400`, async () => {
      await open()
      for (const query of ['externalId=', 'externalId=a&externalId=a', 'externalId=a%20b', 'externalId=%00'])
        assert.equal((await call('GET', `${path}?${query}`)).status, 400, query)
      const longest = '👍'.repeat(100)
      assert.deepEqual(await list(`${path}?externalId=${encodeURIComponent(longest)}`), [])
      const kept = await call('POST', path, { ...body(1), externalId: longest })
      assert.equal(kept.body[field].externalId, longest, kept.text)
    })
  }

  it('one that does not fit is ignored at version 1’s addresses, in dry runs and batches, and refused at all others', async () => {
    await open()
    for (const [path, { field, body }] of Object.entries(kinds)) {
      const since = path === 'waitlist' ? 400 : 201
      for (const [n, externalId] of notExternalId.entries()) {
        const sent = { ...body(n), externalId }
        const tried = await call('POST', 'dry-run', { method: 'POST', path: `/api/v1/${path}`, body: sent })
        assert.equal(tried.body.wouldAnswer.status, since, `${path} ${JSON.stringify(externalId)}`)
        service.setClock(service.context.clock().add({ seconds: 4 }).toString())
        const answer = await call('POST', path, sent)
        assert.equal(answer.status, since, `${path} ${answer.text}`)
        if (since === 201) assert.equal(answer.body[field].externalId, null)
        else assert.match(answer.body.error, /^externalId must be/)
      }
      const one = await call('POST', path, { ...body(50), externalId: 'own-1' })
      assert.equal(one.status, 201, one.text)
      for (const externalId of notExternalId) {
        const changed = await call('PATCH', `${path}/${one.body[field].id}`, { externalId })
        assert.equal(changed.status, 400, `${path} ${JSON.stringify(externalId)}`)
      }
      assert.equal((await call('GET', `${path}/${one.body[field].id}`)).body.externalId, 'own-1')
    }
    const booked = { ...kinds.reservations.body(60), email: 'maya60@example.com' }
    for (const holdId of notHold)
      assert.equal((await call('POST', 'reservations', { ...booked, holdId })).status, 201)
  })

  it('a file’s row with the number of a card for its id is refused, without repeating it', async () => {
    for (const id of ['4242424242424242', 'cus_NffrFeUfNV2Hib'])
      assert.throws(
        () => typedExternalId(id),
        (error: Error) => /neither a card number/.test(error.message) && !error.message.includes(id),
      )
  })

  it('on a matched guest it is filled in if missing and conflicts otherwise; bookings keep theirs', async () => {
    await open()
    const maya = { name: 'Maya', email: 'maya@example.com' }
    const first = await call('POST', 'guests', maya)
    const filled = await call('POST', 'guests', { ...maya, externalId: 'crm-1' })
    assert.deepEqual(
      [filled.status, filled.body.guest.id, filled.body.guest.externalId, filled.body.conflicting],
      [200, first.body.guest.id, 'crm-1', undefined],
    )
    const same = await call('POST', 'guests', { ...maya, externalId: 'crm-1' })
    assert.equal(same.body.conflicting, undefined)
    const other = await call('POST', 'guests', { ...maya, externalId: 'CRM-1' })
    assert.equal(other.body.guest.externalId, 'crm-1')
    assert.deepEqual(other.body.conflicting, { externalId: 'CRM-1' })
    const { id } = first.body.guest
    const row = await staffGuest(service.db, desk.venue.id, id)
    assert.match(row?.staff_notes ?? '', /automation: another external id was given: CRM-1$/)
    // Nobody is found by it.
    const stranger = await call('POST', 'guests', { email: 'ben@example.com', externalId: 'crm-1' })
    assert.equal(stranger.status, 201)

    const { reservation } = (
      await call('POST', 'reservations', { ...kinds.reservations.body(1), ...maya, externalId: 'web-1' })
    ).body
    assert.equal(reservation.externalId, 'web-1')
    assert.equal((await call('GET', `guests/${id}`)).body.externalId, 'crm-1')

    const replaced = await call('PATCH', `guests/${id}`, { externalId: 'crm-9' })
    assert.deepEqual(replaced.body.replaced, { externalId: 'crm-1' })
  })

  it('a merge keeps one and notes the other, and its undo gives both back', async () => {
    await open()
    const make = async (n: number, externalId?: string) =>
      (await call('POST', 'guests', { ...kinds.guests.body(n), ...(externalId && { externalId }) })).body
        .guest.id as number
    const merge = async (one: number, other: number) => {
      const seen = (id: number) => ({ id, seenVersion: 1 })
      return desk.act((work) => mergeGuests(work, manager, seen(one), seen(other)))
    }
    const idsOf = async (...guests: number[]) =>
      Promise.all(guests.map(async (id) => (await call('GET', `guests/${id}`)).body.externalId))
    const [empty, filled] = [await make(1), await make(2, 'crm-2')]
    const taken = await merge(empty, filled)
    assert.deepEqual(await idsOf(empty), ['crm-2'])
    await desk.act((work) => undoMerge(work, manager, taken.merge))
    assert.deepEqual(await idsOf(empty, filled), [null, 'crm-2'])

    const [one, other] = [await make(3, 'crm-3'), await make(4, 'crm-4')]
    const { guest, merge: id } = await merge(one, other)
    assert.equal(guest.external_id, 'crm-3')
    assert.match(guest.staff_notes, /merge: another external id was given: crm-4/)
    await desk.act((work) => undoMerge(work, manager, id))
    assert.deepEqual(await idsOf(one, other), ['crm-3', 'crm-4'])
  })

  it('a merge that was made before there were any can be undone', async () => {
    await open()
    const ids: number[] = []
    for (const n of [1, 2]) ids.push((await call('POST', 'guests', kinds.guests.body(n))).body.guest.id)
    const [one = 0, other = 0] = ids
    const { merge } = await desk.act((work) =>
      mergeGuests(work, manager, { id: one, seenVersion: 1 }, { id: other, seenVersion: 1 }),
    )
    await rowsOf(
      service,
      `update guest_merge
          set record = record #- '{gone,external_id}' #- '{before,externalId}' #- '{after,externalId}'
        where venue_id = $1`,
      [desk.venue.id],
    )
    await call('PATCH', `guests/${one}`, { externalId: 'crm-1' })
    await desk.act((work) => undoMerge(work, manager, merge))
    assert.equal((await call('GET', `guests/${one}`)).body.externalId, 'crm-1')
    assert.equal((await call('GET', `guests/${other}`)).body.externalId, null)
  })

  it('an erasure takes them away, and the person out of those of others', async () => {
    await open()
    const email = 'zephyrine@example.com'
    const name = 'Zephyrine Quillfeather'
    const post = async (path: string, body: object) => {
      const answer = await call('POST', path, body)
      assert.ok(answer.status < 300, answer.text)
      return answer.body
    }
    const occurrenceId = await desk.act(async (work) => {
      const event = await makeEvent(work, manager, 'Jazz')
      const date = { title: null, date: '2026-11-14', startTime: null, capacity: 10, priceCents: 100 }
      return (await addOccurrence(work, manager, event.id, date)).id
    })
    const externalId = 'crm-1'
    const { reservation } = await post('reservations', {
      ...kinds.reservations.body(1),
      ...{ guestName: name, email, externalId },
    })
    const { guest } = await post('guests', { email, externalId })
    const { lead } = await post('leads', { name, email, externalId })
    const { waitlistEntry } = await post('waitlist', { guestName: name, partySize: 2, email, externalId })
    const { task } = await post('tasks', { title: 'Call somebody', externalId: `mail:${email}` })
    const { ticketOrder } = await post('ticket-orders', {
      ...{ occurrenceId, seats: 1, buyerEmail: email, externalReference: 'shop-1' },
    })
    const [paid] = await desk.query<{ version: number }>(
      `update ticket_order set status = 'paid' where venue_id = $1 returning version`,
      [desk.venue.id],
    )
    assert.ok(paid)
    await post(`ticket-orders/${ticketOrder.id}/refund-requests`, {
      amountCents: 100,
      reason: `${name} is ill`,
    })
    await desk.act((work) => erasePerson(work, staffOf('owner'), { guestId: null, email, phone: null, name }))
    for (const path of [
      `reservations/${reservation.id}`,
      `guests/${guest.id}`,
      `leads/${lead.id}`,
      `waitlist/${waitlistEntry.id}`,
    ]) {
      assert.equal((await call('GET', path)).body.externalId, null, path)
    }
    assert.equal((await call('GET', `tasks/${task.id}`)).body.externalId, 'mail:[erased]')
    assert.equal((await call('GET', `ticket-orders/${ticketOrder.id}`)).body.externalReference, null)
    const asked = await desk.query('select reason from refund_request where venue_id = $1', [desk.venue.id])
    assert.deepEqual(asked, [{ reason: null }])
  })

  it('an import takes them for what they are, not for the number in the old system', async () => {
    await open()
    const plan = (kind: 'guests' | 'reservations', header: readonly string[]): ImportPlan => ({
      header: true,
      columns: guessColumns(kind, header),
      dates: 'month-first',
      evidence: null,
    })
    const rows = async (kind: 'guests' | 'reservations', header: string[], ...cells: string[][]) =>
      desk.act(async (work) => {
        const read = cells.map((one, line) => readRow(kind, plan(kind, header), { line, cells: one }, work))
        const { keys } = withRepeats(read, {}, new Map())
        return writeRows(work, manager, read, keys)
      })
    const booked = ['externalId', 'date', 'time', 'partySize', 'guestName']
    const made = await rows(
      'reservations',
      booked,
      ['pms-1', '2026-10-09', '19:00', '2', 'Maya'],
      ['pms-1', '2026-10-10', '19:00', '2', 'Maya'],
      ['two words', '2026-10-11', '19:00', '2', 'Maya'],
    )
    assert.deepEqual([made.made, made.refused.length], [2, 1])
    assert.equal((await list('reservations?externalId=pms-1')).length, 2)
    await rows('guests', ['External ID', 'Email'], ['crm-1', 'maya@example.com'])
    assert.equal((await list('guests?externalId=crm-1')).length, 1)
  })

  it('whose a reservation or lead is: the one guest, or nobody', async () => {
    await open()
    const email = 'maya@example.com'
    const { reservation } = (await call('POST', 'reservations', { ...kinds.reservations.body(1), email }))
      .body
    const { lead } = (await call('POST', 'leads', { name: 'Maya', email })).body
    const nobodys = (await call('POST', 'leads', { name: 'Somebody' })).body.lead
    const [maya] = await list('guests?email=maya@example.com')
    assert.ok(maya)
    assert.deepEqual(await list(`guests?reservation=${reservation.id}`), [maya])
    assert.deepEqual(await list(`guests?lead=${lead.id}`), [maya])
    assert.deepEqual(await list(`guests?lead=${lead.id}&reservation=${reservation.id}`), [maya])
    assert.deepEqual(await list(`guests?lead=${lead.id}&email=ben@example.com`), [])
    assert.deepEqual(await list(`guests?lead=${nobodys.id}`), [])
    assert.deepEqual(await list('guests?reservation=987654321'), [])
    for (const query of ['reservation=', 'lead=x', 'lead=0', 'reservation=1&reservation=1'])
      assert.equal((await call('GET', `guests?${query}`)).status, 400, query)
    const theirs = desk.venue
    await open()
    assert.notEqual(desk.venue.id, theirs.id)
    assert.deepEqual(await list(`guests?reservation=${reservation.id}`), [])
    assert.deepEqual(await list(`guests?lead=${lead.id}`), [])
  })
})
