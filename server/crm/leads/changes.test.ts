import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Desk, openDesk, staffOf } from '../../test/desk.ts'
import { notedChanges } from '../../test/every-door/noted-changes.ts'
import { type TestService, startService } from '../../test/service.ts'
import { addLead } from './actions.ts'
import { deleteLead, editLead, moveLead, setLeadPriority } from './edit.ts'
import type { TypedLead } from './fields.ts'
import { addLeadNote } from './notes.ts'

describe('changes of leads', () => {
  let service: TestService
  let desk: Desk
  const manager = staffOf('manager')
  const at = (time: string) => service.setClock(`2026-10-06T${time}:00Z`)
  const changes = () => notedChanges(desk, 'lead')
  const add = () => desk.act((work) => addLead(work, manager, { contactName: 'Maya Okafor' }))

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('are noted with the revision when one is made, edited, moved and deleted', async () => {
    desk = await openDesk(service)
    at('10:00')
    const { id } = await add()
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' })
    assert.equal((await desk.told()).at(-1)?.data['revision'], 1)
    const edits = {
      contactName: 'Ben Stone',
      contactEmail: 'ben@example.com',
      contactPhone: '212 555 0100',
      eventName: 'Launch',
      occasion: 'Birthday',
      eventDate: 'in May',
      guestCount: '35-40',
      budgetPerPerson: '$120',
      diningStyle: 'Buffet',
      dietaryNeeds: 'No nuts',
      priority: 'High',
      notes: 'By the window',
    } satisfies TypedLead
    at('11:00')
    let revision = 1
    for (const [field, value] of Object.entries(edits)) {
      await desk.act((work) =>
        editLead(work, manager, { id, seenVersion: revision, changes: { [field]: value } }),
      )
      assert.deepEqual(await changes(), { [id]: `upsert ${++revision} at 11:00` }, field)
    }
    at('12:00')
    await desk.act((work) => moveLead(work, manager, { id, seenVersion: 13, stage: 'Proposal' }))
    await desk.act((work) => setLeadPriority(work, manager, { id, seenVersion: 14, priority: 'Low' }))
    assert.deepEqual(await changes(), { [id]: 'upsert 15 at 12:00' })
    at('13:00')
    await desk.act((work) => deleteLead(work, manager, { id, seenVersion: 15 }))
    assert.deepEqual(await changes(), { [id]: 'deleted 16 at 13:00, gone' })
  })

  it('are not noted of what only staff see: notes, the room or brand, the stage it is in already', async () => {
    desk = await openDesk(service)
    at('10:00')
    const { id } = await add()
    at('11:00')
    await desk.act((work) => addLeadNote(work, manager, { lead: id, kind: 'note', text: 'Ask again.' }))
    await desk.act((work) => editLead(work, manager, { id, seenVersion: 1, changes: { concept: 'Cellar' } }))
    const lead = await desk.act((work) => moveLead(work, manager, { id, seenVersion: 2, stage: 'Inquiry' }))
    assert.deepEqual([lead.version, lead.revision, lead.concept], [3, 1, 'Cellar'])
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' })
  })
})
