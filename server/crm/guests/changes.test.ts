import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addLead } from '../leads/actions.ts'
import { type Desk, openDesk, staffOf } from '../../test/desk.ts'
import { notedChanges } from '../../test/every-door/noted-changes.ts'
import { type TestService, startService } from '../../test/service.ts'
import { type SuppliedGuest, matchOrMakeGuest } from './actions.ts'
import { type Counted, applyContribution } from './contributions.ts'
import { type GuestInFile, guestOfRow, importGuest } from './import-guest.ts'
import { mergeGuests, undoMerge } from './merge.ts'
import { type GuestChanges, editGuest } from './staff-edits.ts'
import { staffGuest } from './staff-reads.ts'

describe('changes of guests', () => {
  let service: TestService
  let desk: Desk
  const manager = staffOf('manager')
  const at = (time: string) => service.setClock(`2026-10-06T${time}:00Z`)
  const changes = () => notedChanges(desk, 'guest')
  const supply = async (supplied: SuppliedGuest): Promise<number> => {
    const matched = await desk.act((work) => matchOrMakeGuest(work, supplied, 'public'))
    assert.ok(matched)
    return matched.guest.id
  }
  const row = async (id: number) => {
    const found = await staffGuest(service.db, desk.venue.id, id)
    assert.ok(found)
    return found
  }
  const edit = async (id: number, more: GuestChanges) => {
    const { version } = await row(id)
    return desk.act((work) => editGuest(work, manager, { id, seenVersion: version, changes: more }))
  }
  const count = (before: Counted | null, counted: Counted | null) =>
    desk.act((work) => applyContribution(work, before, counted))
  const merge = async (low: number, high: number) => {
    const [one, other] = [await row(low), await row(high)]
    return desk.act((work) =>
      mergeGuests(
        work,
        manager,
        { id: low, seenVersion: one.version },
        { id: high, seenVersion: other.version },
      ),
    )
  }

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('are noted with the revision when one is made, filled in and edited', async () => {
    desk = await openDesk(service)
    at('10:00')
    const id = await supply({ email: 'maya@example.com' })
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' })
    assert.equal((await desk.told())[0]?.data['revision'], 1)
    at('11:00')
    await supply({ email: 'maya@example.com', name: 'Maya', phone: '212 555 0100', notes: 'Window' })
    assert.deepEqual(await changes(), { [id]: 'upsert 2 at 11:00' })
    at('12:00')
    const edits: GuestChanges[] = [
      { name: 'Maya Okafor' },
      { email: 'okafor@example.com' },
      { phone: '646 555 0199' },
      { seatingPreference: 'Bar' },
      { referralSource: 'A friend' },
    ]
    for (const [i, more] of edits.entries()) {
      await edit(id, more)
      assert.deepEqual(await changes(), { [id]: `upsert ${i + 3} at 12:00` }, JSON.stringify(more))
    }
    const found = await service.call('GET', '/api/v1/guests/find?email=okafor@example.com', {
      key: desk.venue.key,
    })
    assert.match(found.text, /"revision":7\b/)
  })

  it('are not noted of what only staff see: notes, allergies, other details that were given', async () => {
    desk = await openDesk(service)
    at('10:00')
    const id = await supply({ email: 'maya@example.com', name: 'Maya' })
    at('11:00')
    await supply({ email: 'maya@example.com', name: 'Ada', notes: 'Likes the corner.' })
    await edit(id, { staffNotes: 'A regular.', allergies: 'nuts' })
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' })
    const { revision, version, allergies } = await row(id)
    assert.deepEqual([revision, version, allergies], [1, 3, 'nuts'])
  })

  it('are noted of what a file adds, once', async () => {
    desk = await openDesk(service)
    at('10:00')
    const id = await supply({ email: 'maya@example.com' })
    const file: GuestInFile = {
      name: null,
      email: 'maya@example.com',
      phone: null,
      staffNotes: null,
      seatingPreference: null,
      referralSource: null,
      allergies: null,
      visits: null,
      noShows: null,
      cancellations: null,
      lastVisit: null,
    }
    const bring = (more: Partial<GuestInFile>) =>
      desk.act((work) => importGuest(work, guestOfRow({ ...file, ...more })))
    at('11:00')
    const brought: Partial<GuestInFile>[] = [
      { seatingPreference: 'Bar' },
      { referralSource: 'A friend' },
      { visits: 3 },
      { noShows: 1 },
      { cancellations: 2 },
      { lastVisit: '2026-09-01' },
    ]
    for (const [i, more] of brought.entries()) {
      await bring(more)
      assert.deepEqual(await changes(), { [id]: `upsert ${i + 2} at 11:00` }, JSON.stringify(more))
    }
    at('12:00')
    await bring({ allergies: 'nuts' })
    for (const more of brought) await bring(more)
    assert.deepEqual(await changes(), { [id]: 'upsert 7 at 11:00' })
  })

  it('are noted when a visit, a no-show or a cancellation counts', async () => {
    desk = await openDesk(service)
    at('10:00')
    const id = await supply({ email: 'maya@example.com' })
    const booked: Counted = {
      guest_id: id,
      status: 'Confirmed',
      cancelled_by: null,
      service_date: '2026-10-06',
    }
    at('11:00')
    await count(null, booked)
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' })
    const ended: Counted[] = [
      { ...booked, status: 'Seated' },
      { ...booked, status: 'No-show' },
      { ...booked, status: 'Cancelled', cancelled_by: 'guest' },
    ]
    for (const [i, counted] of ended.entries()) {
      await count(booked, counted)
      assert.deepEqual(await changes(), { [id]: `upsert ${i + 2} at 11:00` }, counted.status)
    }
    at('12:00')
    const [, , cancelled] = ended as [Counted, Counted, Counted]
    await count({ ...booked, status: 'Seated' }, { ...booked, status: 'Seated', service_date: '2026-10-05' })
    await count(cancelled, { ...cancelled, service_date: '2026-10-05' })
    assert.deepEqual(await changes(), { [id]: 'upsert 4 at 11:00' }, 'no counter and no last visit changed')
  })

  it('tell of a merge whom the guest became, and an undo brings them back with a higher revision', async () => {
    desk = await openDesk(service)
    at('10:00')
    const low = await supply({ email: 'maya@example.com' })
    const high = await supply({ email: 'okafor@example.com', name: 'Maya' })
    await count(null, { guest_id: high, status: 'No-show', cancelled_by: null, service_date: '2026-10-05' })
    await desk.act((work) =>
      addLead(work, manager, { contactName: 'Maya', contactEmail: 'okafor@example.com' }),
    )
    const leads = await notedChanges(desk, 'lead')
    assert.deepEqual(await changes(), { [low]: 'upsert 1 at 10:00', [high]: 'upsert 2 at 10:00' })
    at('11:00')
    const merged = await merge(low, high)
    const kept = (await row(low)).revision
    assert.ok(kept > 1)
    assert.deepEqual(await changes(), {
      [low]: `upsert ${kept} at 11:00`,
      [high]: `merged 3 at 11:00, gone into ${low}`,
    })
    at('12:00')
    const { guest, restored } = await desk.act((work) => undoMerge(work, manager, merged.merge))
    assert.ok(guest.revision > kept)
    assert.equal(restored.revision, 4)
    assert.deepEqual(await changes(), {
      [low]: `upsert ${guest.revision} at 12:00`,
      [high]: 'upsert 4 at 12:00',
    })
    assert.deepEqual(await notedChanges(desk, 'lead'), leads, 'a lead does not show its guest')
  })

  it('a merge that changes only the notes of the kept guest reports only the other', async () => {
    desk = await openDesk(service)
    at('10:00')
    const low = await supply({ email: 'maya@example.com', name: 'Maya' })
    const high = await supply({ email: 'okafor@example.com', name: 'Maya' })
    at('11:00')
    await merge(low, high)
    assert.deepEqual(await changes(), {
      [low]: 'upsert 1 at 10:00',
      [high]: `merged 2 at 11:00, gone into ${low}`,
    })
  })

  it('a merge from before guests had a revision is undone too', async () => {
    desk = await openDesk(service)
    at('10:00')
    const low = await supply({ email: 'maya@example.com' })
    const high = await supply({ email: 'okafor@example.com' })
    const merged = await merge(low, high)
    await desk.query(`update guest_merge set record = record #- '{gone,revision}' where venue_id = $1`, [
      desk.venue.id,
    ])
    const { restored } = await desk.act((work) => undoMerge(work, manager, merged.merge))
    assert.equal(restored.revision, 3)
    assert.equal((await changes())[high], 'upsert 3 at 10:00')
  })
})
