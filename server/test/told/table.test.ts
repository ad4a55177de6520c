import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type EventName, events } from '@venue-data/contract/events.ts'
import { Check, Errors } from 'typebox/value'
import type { Told } from '../../reservations/test/book.ts'
import { type TestService, startService } from '../service.ts'
import { type Doing, type DoingName, doings, emitters } from './table.ts'
import { accessScenes } from './access.ts'
import { bookingScenes, lineScenes } from './bookings.ts'
import { orderScenes } from './orders.ts'
import { guestScenes, leadScenes, subscriberScenes } from './people.ts'
import { type Scene, afternoon, openStage, post } from './stage.ts'

const scenes = {
  ...bookingScenes,
  ...lineScenes,
  ...guestScenes,
  ...subscriberScenes,
  ...orderScenes,
  ...leadScenes,
  ...accessScenes,
} satisfies Record<DoingName, readonly Scene[]>

const somebody = 'ada@example.com'

/**
 * Every event and what emits it, written out independently of the tables of moves. Anything not listed here emits
 * nothing.
 */
const spec: Readonly<Record<EventName, readonly DoingName[]>> = {
  'reservation.created': [
    'request a table',
    'book by staff',
    'walk in',
    'import a booking ahead',
    'waitlist entry seatNow',
    'waitlist entry bookForLater',
  ],
  'reservation.updated': [
    'reservation confirm',
    'reservation arrive',
    'reservation seat',
    'reservation complete',
    'reservation markNoShow',
    'reservation undoArrive',
    'reservation undoSeat',
    'reservation undoComplete',
    'reservation undoNoShow',
    'reservation seatLate',
    'reservation undoCancel',
    'complete by the clock',
    'edit the time',
    'edit the size',
    'change a request by API',
    'accept a change',
    'seat at the later table',
    'seat late at the later table',
    'leave the later table',
  ],
  'reservation.cancelled': [
    'reservation cancel',
    'cancel by API',
    'recall from the later table',
    'waitlist entry recall',
    'delete a booking',
    'delete the later table',
  ],
  'guest.created': [],
  'subscriber.added': ['subscribe by API', 'subscribe by staff', 'import a subscriber'],
  'subscriber.unsubscribed': [
    'subscriber unsubscribe',
    'subscriber endSignUp',
    'import an objection of a subscriber',
    'suppress for spam_report',
    'suppress for staff_removal',
    'suppress for asked_elsewhere',
  ],
  'ticket_order.paid': [
    'sell for cash',
    'sell for comp',
    'sell for free',
    'sell for external, received',
    'ticket order confirmPayment',
  ],
  'ticket_order.refunded': ['ticket order refund', 'settle a refund', 'retry a refund'],
  'waitlist.added': ['join the line'],
  'waitlist.seated': ['waitlist entry seatNow', 'seat at the later table', 'seat late at the later table'],
  'person.erased': ['erase a person'],
  'lead.created': ['enquire by API', 'enquire by staff'],
  'access.key_expiring': ['a key ends soon'],
}
/** Contact details that match no guest make a new one. */
const makesGuest: readonly DoingName[] = [
  'request a table',
  'book by staff',
  'walk in',
  'import a booking ahead',
  'import a past booking',
  'import a cancelled booking',
  'edit the contact',
  'waitlist entry seatNow',
  'waitlist entry bookForLater',
  'add a guest by API',
  'add a guest by staff',
  'import a guest',
  'enquire by API',
  'enquire by staff',
  'edit the contact of a lead',
]

describe('the table of events and what emits them', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  /** What was told by the doing alone, and when it was done. */
  const played = async (scene: Scene, email: string | null, isKnown: boolean) => {
    const stage = await openStage(service, email)
    if (isKnown) await post(stage, 'guests', { name: 'Ada', email })
    const act = await scene(stage)
    await stage.told()
    await act()
    const now = service.context.clock().toString({ fractionalSecondDigits: 3 })
    service.setClock(afternoon)
    return { told: await stage.told(), now }
  }

  const assertTold = (told: readonly Told[], names: readonly EventName[], now: string) => {
    assert.deepEqual(
      told.map(({ name }) => name),
      names,
    )
    for (const { name, data, occurredAt } of told) {
      const shape = events[name as EventName].data
      assert.ok(Check(shape, data), `${name}: ${JSON.stringify(Errors(shape, data))}`)
      // In the order of the published sample, too.
      assert.deepEqual(Object.keys(data), Object.keys(events[name as EventName].example), name)
      assert.equal(occurredAt, now, name)
      if ('updatedAt' in shape.properties) assert.equal(data.updatedAt, occurredAt, name)
    }
  }

  for (const [name, doing] of Object.entries<Doing>(doings)) {
    const names = doing.tells.map(({ event }) => event)
    const withGuest: readonly EventName[] = ['guest.created', ...names]
    const guest = doing.matchesGuest ? 'guest.created where they are nobody yet' : []
    it(`${name}: ${[names, guest].flat().join(', ') || 'nobody is told'}`, async () => {
      const toPlay = scenes[name as DoingName]
      assert.ok(toPlay.length > 0)
      for (const scene of toPlay) {
        if (!doing.matchesGuest) {
          const { told, now } = await played(scene, null, false)
          assertTold(told, names, now)
          continue
        }
        const unknown = await played(scene, somebody, false)
        assertTold(unknown.told, withGuest, unknown.now)
        const known = await played(scene, somebody, true)
        assertTold(known.told, names, known.now)
      }
    })
  }

  it('says of every event of the contract what the words say', () => {
    const all = Object.entries<Doing>(doings)
    for (const event of Object.keys(events) as EventName[]) {
      const told = all.filter(([, { tells }]) => tells.some((one) => one.event === event))
      assert.deepEqual(told.map(([name]) => name).toSorted(), [...spec[event]].toSorted(), event)
    }
    const making = all.filter(([, { matchesGuest }]) => matchesGuest)
    assert.deepEqual(making.map(([name]) => name).toSorted(), [...makesGuest].toSorted())
    for (const [event, tellers] of Object.entries(emitters())) assert.ok(tellers.length > 0, event)
  })
})
