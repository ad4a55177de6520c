import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { recordKinds } from '@venue-data/contract/kinds.ts'
import { addTaskByStaff } from '../../crm/tasks/actions.ts'
import { type Desk, openDesk, staffOf } from '../../test/desk.ts'
import { notedChanges } from '../../test/every-door/noted-changes.ts'
import { setRules } from '../../test/open-rules.ts'
import { type TestService, startService } from '../../test/service.ts'
import { addOccurrence, makeEvent } from '../../tickets/events.ts'
import { sellTickets } from '../../tickets/sell-tickets.ts'
import { joinWaitlist } from '../../book/waitlist/actions.ts'
import { erasePerson } from './erase.ts'

const name = 'Zephyrine Quillfeather'
const email = 'zephyrine@example.com'
const phone = '+1 917 555 0142'

describe('changes of an erasure', () => {
  let service: TestService
  let desk: Desk
  const owner = staffOf('owner')
  const at = (time: string) => service.setClock(`2026-10-06T${time}:00Z`)
  /** Records of all kinds, by kind, and what was noted of each. */
  const changes = async () => {
    const all: Record<string, string[]> = {}
    for (const kind of recordKinds) {
      const ofKind = Object.values(await notedChanges(desk, kind))
      if (ofKind.length > 0) all[kind] = ofKind
    }
    return all
  }
  const post = async (path: string, body: object) => {
    const answer = await service.call('POST', `/api/v1/${path}`, { key: desk.venue.key, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const sell = (occurrenceId: number, buyerEmail: string) => {
    const buyer = { firstName: null, lastName: null, email: buyerEmail, phone: null }
    const sale = { occurrenceId, seats: 1, method: 'cash', buyer } as const
    return desk.act((work) => sellTickets(work, owner, sale))
  }
  const aDate = (eventName: string) =>
    desk.act(async (work) => {
      const event = await makeEvent(work, owner, eventName)
      const date = { title: null, date: '2026-11-14', startTime: null, capacity: 10, priceCents: 100 }
      return (await addOccurrence(work, owner, event.id, date)).id
    })
  const erase = () => desk.act((work) => erasePerson(work, owner, { guestId: null, email, phone, name }))

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  const fresh = async () => {
    at('18:00')
    desk = await openDesk(service)
    await setRules(service, desk.venue)
  }

  it('each record of the person is erased and stays; the subscriber is gone', async () => {
    await fresh()
    const table = { partySize: 2, date: '2026-10-08', time: '19:00' }
    await post('reservations', { guestName: name, email, phone, notes: `For ${name}`, ...table })
    await post('leads', { name, email, phone, eventName: `${name}’s wedding` })
    await post('subscribers', { email, consent: { source: 'Form' } })
    const party = { guestName: name, partySize: 2, email, phone, notes: null }
    await desk.act((work) => joinWaitlist(work, owner, { ...party, windowStart: null, windowEnd: null }))
    // Its name is removed as a mention, and the order still counts as erased.
    await sell(await aDate(`The night of ${name}`), email)
    at('19:00')
    await erase()
    const noted = await changes()
    for (const kind of ['guest', 'reservation', 'visit', 'lead', 'waitlist_entry', 'ticket_order']) {
      assert.match(noted[kind]?.join() ?? '', /^erased \d+ at 19:00$/, kind)
    }
    assert.deepEqual(noted['subscriber'], ['erased 2 at 19:00, gone'])
    at('20:00')
    await erase()
    assert.deepEqual(await changes(), noted, 'nothing was left to erase')
  })

  it('records of others that mention the person have changed; staff notes have not', async () => {
    await fresh()
    await post('guests', { name: 'Otto', email: 'otto@example.com', notes: `Friend of ${name}` })
    await post('leads', { name: 'Ada', email: 'ada@example.com', notes: `${name} told us`, eventName: name })
    const task = { title: `Call ${name}`, due: null, priority: 'High', category: 'Other', client: null }
    await desk.act((work) => addTaskByStaff(work, owner, task))
    await post('campaigns', { name: 'Thanks', subject: 'Hello', bodyHtml: `<p>Dear ${name}</p>` })
    await sell(await aDate(`The night of ${name}`), 'ada@example.com')
    at('19:00')
    await erase()
    assert.deepEqual(await changes(), {
      guest: ['upsert 1 at 18:00', 'upsert 1 at 18:00'],
      lead: ['upsert 3 at 19:00'],
      task: ['upsert 2 at 19:00'],
      campaign: ['upsert 2 at 19:00'],
      ticket_order: ['upsert 2 at 19:00'],
    })
  })
})
