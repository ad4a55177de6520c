import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Desk, openDesk, refusal, settled, staffOf } from '../../test/desk.ts'
import { type TestService, startService } from '../../test/service.ts'
import { addLeadNote, editLeadNote, notesOfLead, removeLeadNote } from './notes.ts'
import { savePipeline } from './pipeline.ts'
import { addLead } from './actions.ts'
import { leadBoard } from './board.ts'
import { deleteLead, editLead, moveLead, setLeadPriority } from './edit.ts'
import type { TypedLead } from './fields.ts'
import { leadById } from './reads.ts'

describe('leads as staff handle them', () => {
  let service: TestService
  let desk: Desk
  const manager = staffOf('manager')

  const add = (more: TypedLead = {}) =>
    desk.act((work) => addLead(work, manager, { contactName: 'Maya Okafor', ...more }))
  const move = (id: number, seenVersion: number, stage: string) =>
    desk.act((work) => moveLead(work, manager, { id, seenVersion, stage }))

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('made by staff: Inquiry, submittedVia staff, lead.created, the contact matched to a guest', async () => {
    desk = await openDesk(service)
    const lead = await add({
      contactEmail: 'maya@example.com',
      diningStyle: 'Buffet',
      eventDate: 'in May',
      guestCount: '35-40',
    })
    assert.deepEqual([lead.stage, lead.submitted_via, lead.priority], ['Inquiry', 'staff', 'Medium'])
    assert.ok(lead.guest_id)
    const told = await desk.told()
    assert.deepEqual(
      told.map(({ name }) => name),
      ['guest.created', 'lead.created'],
    )
    assert.deepEqual(
      [told[1]?.data.submittedVia, told[1]?.data.diningStyle, told[1]?.data.date, told[1]?.data.guestCount],
      ['staff', 'Buffet', 'in May', '35-40'],
    )
    assert.deepEqual(
      (await desk.trail()).map(({ action, record_kind }) => [action, record_kind]),
      [['make', 'lead']],
    )
    await assert.rejects(add({ contactName: ' ' }), refusal(400, /name is missing/))
  })

  it('only lead.created emits: staff drag, edit and delete freely, with one activity for each', async () => {
    desk = await openDesk(service)
    const { id, version } = await add()
    await desk.told()
    await desk.trail()
    let lead = await move(id, version, 'Booked')
    lead = await move(id, lead.version, 'Proposal')
    lead = await desk.act((work) =>
      setLeadPriority(work, manager, { id, seenVersion: lead.version, priority: 'High' }),
    )
    lead = await desk.act((work) =>
      editLead(work, manager, {
        id,
        seenVersion: lead.version,
        changes: { occasion: 'Birthday', notes: 'a\r\nb' },
      }),
    )
    assert.deepEqual(
      [lead.stage, lead.priority, lead.occasion, lead.notes],
      ['Proposal', 'High', 'Birthday', 'a\nb'],
    )
    const listed = await service.call('GET', '/api/v1/leads', { key: desk.venue.key })
    assert.deepEqual([listed.body[0].stage, listed.body[0].notes], ['Proposal', 'a\nb'])
    await desk.act((work) => deleteLead(work, manager, { id, seenVersion: lead.version }))
    assert.deepEqual(await desk.told(), [])
    assert.deepEqual(
      (await desk.trail()).map(({ action }) => action),
      ['move', 'move', 'setPriority', 'edit', 'delete'],
    )
    assert.equal(await leadById(service.db, desk.venue.id, id), undefined)
  })

  it('two people editing one lead: one wins, the other gets a message', async () => {
    desk = await openDesk(service)
    const { id, version } = await add()
    const { done, refused } = await settled<unknown>([
      move(id, version, 'Proposal'),
      move(id, version, 'Lost'),
      desk.act((work) => editLead(work, manager, { id, seenVersion: version, changes: { occasion: 'x' } })),
      desk.act((work) => deleteLead(work, manager, { id, seenVersion: version })),
    ])
    assert.equal(done.length, 1)
    assert.ok(
      refused.every((text) => /just changed by someone else; reload and try again|no such lead/.test(text)),
    )
  })

  it('new contact details are matched to a guest', async () => {
    desk = await openDesk(service)
    const { id, version, guest_id } = await add()
    assert.equal(guest_id, null)
    const edited = await desk.act((work) =>
      editLead(work, manager, { id, seenVersion: version, changes: { contactPhone: '212 555 0100' } }),
    )
    assert.ok(edited.guest_id)
    const other = await add({ contactPhone: '+1 212 555 0100' })
    assert.equal(other.guest_id, edited.guest_id)
  })

  it('a kept lead that has since been deleted is not replayed; the same details are then a new request', async () => {
    desk = await openDesk(service)
    const send = () =>
      service.call('POST', '/api/v1/leads', {
        key: desk.venue.key,
        body: { name: 'Maya' },
        headers: { 'idempotency-key': 'one' },
      })
    const first = await send()
    assert.equal((await send()).body.lead.id, first.body.lead.id)
    await desk.act((work) => deleteLead(work, manager, { id: first.body.lead.id, seenVersion: 1 }))
    const fresh = await send()
    assert.equal(fresh.status, 201)
    assert.notEqual(fresh.body.lead.id, first.body.lead.id)
  })

  it('notes and drafts of staff never leave, and go with their lead', async () => {
    desk = await openDesk(service)
    const lead = await add()
    const note = await desk.act((work) =>
      addLeadNote(work, manager, { lead: lead.id, kind: 'note', text: 'Secret-note' }),
    )
    const draft = await desk.act((work) =>
      addLeadNote(work, manager, { lead: lead.id, kind: 'draft', text: 'Secret-draft' }),
    )
    const edit = () =>
      desk.act((work) =>
        editLeadNote(work, manager, { id: draft.id, seenVersion: 1, text: 'Dear Maya, Secret' }),
      )
    assert.equal((await settled([edit(), edit()])).done.length, 1)
    await desk.act((work) => removeLeadNote(work, manager, { id: note.id, seenVersion: 1 }))
    assert.deepEqual(
      (await notesOfLead(service.db, desk.venue.id, lead.id)).map(({ kind, text }) => [kind, text]),
      [['draft', 'Dear Maya, Secret']],
    )
    const listed = await service.call('GET', '/api/v1/leads', { key: desk.venue.key })
    assert.doesNotMatch(listed.text, /Secret/)
    assert.doesNotMatch(JSON.stringify(await desk.told()), /Secret/)
    await desk.act((work) => deleteLead(work, manager, { id: lead.id, seenVersion: 1 }))
    assert.deepEqual(await notesOfLead(service.db, desk.venue.id, lead.id), [])
  })

  it('the board has a column for each stage of the venue, and for those that leads are still in', async () => {
    desk = await openDesk(service)
    const [one] = [await add(), await add(), await add()]
    await move(one.id, one.version, 'Contract')
    const columns = async () =>
      (await leadBoard(service.db, desk.venue.id, 1)).map(({ stage, count, rows, listed }) => [
        stage,
        count,
        rows.length,
        listed,
      ])
    assert.deepEqual(await columns(), [
      ['Inquiry', 2, 1, true],
      ['Proposal', 0, 0, true],
      ['Contract', 1, 1, true],
      ['Booked', 0, 0, true],
      ['Completed', 0, 0, true],
      ['Lost', 0, 0, true],
    ])
    const save = (stages: string[], seenVersion: number) =>
      desk.act((work) => savePipeline(work, manager, { stages, seenVersion }))
    await save(['Inquiry', ' Site visit ', ''], 0)
    await assert.rejects(save(['Inquiry'], 0), refusal(409, /just changed by someone else/))
    await assert.rejects(save(['Proposal'], 1), refusal(400, /Keep Inquiry: new inquiries start there/))
    await assert.rejects(save(['Inquiry', 'inquiry'], 1), refusal(400, /A stage is listed twice/))
    assert.deepEqual(await columns(), [
      ['Inquiry', 2, 1, true],
      ['Site visit', 0, 0, true],
      ['Contract', 1, 1, false],
    ])
    const two = await add()
    assert.equal((await move(two.id, two.version, 'Site visit')).stage, 'Site visit')
    await assert.rejects(
      move(two.id, 2, 'Proposal'),
      refusal(409, /The venue has no such stage; its stages are Inquiry and Site visit/),
    )
  })
})
