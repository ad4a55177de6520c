import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type EventName, eventNames, events, firstEventNames } from '@venue-data/contract/webhooks/events.ts'
import { Check, Errors } from 'typebox/value'
import { type TestService, startService } from '../service.ts'
import { type Doing, type DoingName, doings, emitters, namesTold } from './table.ts'
import { accessScenes } from './access.ts'
import { bookingScenes, lineScenes } from './bookings.ts'
import { orderScenes } from './orders.ts'
import { campaignScenes } from './campaigns.ts'
import { guestScenes, leadScenes, subscriberScenes } from './people.ts'
import { taskScenes } from './tasks.ts'
import { type Scene, type Stage, afternoon, openStage, post } from './stage.ts'

const scenes = {
  ...bookingScenes,
  ...lineScenes,
  ...guestScenes,
  ...subscriberScenes,
  ...orderScenes,
  ...leadScenes,
  ...accessScenes,
  ...taskScenes,
  ...campaignScenes,
} satisfies Record<DoingName, readonly Scene[]>

const somebody = 'ada@example.com'

/**
 * Every event and what emits it, written out independently of the tables of moves: first what version 1 began with. Anything
 * not listed here emits nothing.
 */
const spec: Readonly<Partial<Record<EventName, readonly DoingName[]>>> = {
  'reservation.created': [
    'request a table',
    'book by guest',
    'book by staff',
    'walk in',
    'import a booking ahead',
    'waitlist entry seatNow',
    'waitlist entry acceptOffer',
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
    'undo a cancellation that a change lapsed with',
    'complete by the clock',
    'edit the time',
    'edit the size',
    'change a request by API',
    'accept a change',
    'edit time, size and words',
    'seat at the later table',
    'seat late at the later table',
    'leave the later table',
  ],
  'reservation.cancelled': [
    'reservation cancel',
    'cancel by API',
    'cancel with a change pending',
    'cancel a booking with a card',
    'recall from the later table',
    'waitlist entry recall',
    'delete a booking',
    'delete the later table',
    'undo the import of a booking ahead',
  ],
  'guest.created': [],
  'subscriber.added': ['subscribe by API', 'subscribe by staff', 'import a subscriber', 'confirm a sign-up'],
  'subscriber.unsubscribed': [
    'subscriber unsubscribe',
    'subscriber endSignUp',
    'import an objection of a subscriber',
    'suppress for spam_report',
    'suppress for staff_removal',
    'suppress for asked_elsewhere',
  ],
  'ticket_order.paid': [
    'order by API, nothing to pay',
    'sell for cash',
    'sell for comp',
    'sell for free',
    'sell for external, received',
    'pay online',
    'ticket order confirmPayment',
  ],
  'ticket_order.refunded': ['ticket order refund', 'settle a refund', 'retry a refund', 'grant a refund'],
  'waitlist.added': ['join the line', 'join the line by API', 'join the line by guest'],
  'waitlist.seated': ['waitlist entry seatNow', 'seat at the later table', 'seat late at the later table'],
  'person.erased': ['erase a person'],
  'lead.created': ['enquire by API', 'enquire by staff', 'enquire by guest'],

  'reservation.confirmed': ['reservation confirm'],
  'reservation.arrived': ['reservation arrive'],
  'reservation.seated': [
    'reservation seat',
    'reservation seatLate',
    'seat at the later table',
    'seat late at the later table',
  ],
  'reservation.completed': ['reservation complete', 'complete by the clock'],
  'reservation.no_show': ['reservation markNoShow'],
  'reservation.restored': [
    'reservation undoNoShow',
    'reservation undoCancel',
    'undo a cancellation that a change lapsed with',
  ],
  'reservation.rescheduled': [
    'edit the time',
    'edit time, size and words',
    'change a request by API',
    'accept a change',
  ],
  'reservation.resized': ['edit the size', 'edit time, size and words', 'change a request by API'],
  'reservation.details_changed': [
    'edit the words',
    'edit the length',
    'edit the contact',
    'edit time, size and words',
  ],
  'reservation.deleted': [
    'delete a booking',
    'delete a booking that is over',
    'delete the later table',
    'waitlist entry recall',
    'undo the import of a booking ahead',
  ],
  'reservation.change_requested': [
    'ask for a change by API',
    'undo a cancellation that a change lapsed with',
  ],
  'reservation.guarantee_changed': [
    'cancel a booking with a card',
    'ask for a deposit',
    'do without a card',
    'agree to more of a card',
    'take a deposit off the bill',
  ],
  'reservation.change_answered': [
    'accept a change',
    'decline a change',
    'withdraw a change',
    'cancel with a change pending',
  ],
  'guest.updated': [
    'edit a guest',
    'merge guests',
    'undo a merge',
    'undo what an import filled in',
    'undo an import that a count gave way to',
  ],
  'guest.merged': ['merge guests'],
  'guest.unmerged': ['undo a merge'],
  'subscriber.updated': [
    'sign up again',
    'end a sign-up of one who left',
    'subscribe again with a name',
    'subscribe again with a tag',
    'tag a subscriber by API',
    'choose a topic',
    'subscriber unsubscribe',
    'subscriber endSignUp',
    'subscriber decline',
    'spam report before confirming',
    'import an objection of a subscriber',
    'suppress for spam_report',
    'suppress for staff_removal',
    'suppress for asked_elsewhere',
    'suppress for bounced',
    'suppress one who left',
    'unsuppress',
    'import a bounce of a subscriber',
    'change a subscriber by API',
  ],
  'ticket_order.created': [
    'sell for cash',
    'sell for comp',
    'sell for free',
    'sell for external',
    'sell for external, received',
    'pay online',
    'order by API',
    'order by API, nothing to pay',
  ],
  'ticket_order.cancelled': ['ticket order cancel', 'cancel an order by API'],
  'ticket_order.refund_requested': ['ask for a refund by API'],
  'ticket_order.refund_failed': ['ticket order failRefund'],
  'waitlist.updated': [
    'change a waiting party by API',
    'waitlist entry quote',
    'waitlist entry page',
    'waitlist entry offer',
    'waitlist entry acceptOffer',
    'waitlist entry notYet',
    'waitlist entry seatNow',
    'waitlist entry bookForLater',
    'waitlist entry leave',
    'waitlist entry expire',
    'waitlist entry recall',
    'waitlist entry rejoin',
    'seat at the later table',
    'seat late at the later table',
    'leave the later table',
    'recall from the later table',
    'expire by the clock',
  ],
  'waitlist.quoted': ['waitlist entry quote'],
  'waitlist.offered': ['waitlist entry page', 'waitlist entry offer'],
  'waitlist.booked': ['waitlist entry seatNow', 'waitlist entry bookForLater', 'waitlist entry acceptOffer'],
  'waitlist.left': ['waitlist entry leave'],
  'waitlist.expired': ['waitlist entry expire', 'expire by the clock'],
  'waitlist.returned': [
    'waitlist entry notYet',
    'waitlist entry recall',
    'waitlist entry rejoin',
    'recall from the later table',
  ],
  'lead.updated': ['edit a lead', 'edit the contact of a lead', 'move a lead', 'set a priority'],
  'lead.stage_changed': ['move a lead'],
  'lead.deleted': ['delete a lead'],
  'task.created': ['add a task by API', 'add a task by staff'],
  'task.updated': ['edit a task', 'do a task', 'reopen a task'],
  'task.completed': ['do a task'],
  'task.reopened': ['reopen a task'],
  'task.deleted': ['delete a task'],
  'campaign.created': ['begin a campaign'],
  'campaign.scheduled': ['schedule a campaign'],
  'campaign.started': ['start a campaign'],
  'campaign.sent': ['finish a campaign'],
  'campaign.cancelled': ['cancel a campaign', 'miss a campaign'],
  'campaign.held': ['hold a campaign'],
  'access.key_expiring': ['a key ends soon'],
}

/** What the engine that delivers sends by itself. */
const bySender: readonly EventName[] = ['webhook.disabled', 'changes.available']
/** Recorded by nothing yet, or not by an action on a record. */
const byNobody: readonly EventName[] = [
  'subscriber.pending',
  'subscriber.confirmed',
  'subscriber.deleted',
  ...bySender,
]
/** Contact details that match no guest make a new one. */
const makesGuest: readonly DoingName[] = [
  'request a table',
  'book by guest',
  'book by staff',
  'walk in',
  'import a booking ahead',
  'import a past booking',
  'import a cancelled booking',
  'edit the contact',
  'waitlist entry seatNow',
  'waitlist entry acceptOffer',
  'waitlist entry bookForLater',
  'add a guest by API',
  'add a guest by staff',
  'import a guest',
  'enquire by API',
  'enquire by staff',
  'enquire by guest',
  'edit the contact of a lead',
]

describe('the table of events and what emits them', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  /** An endpoint of the stage's venue, and the event names it received. */
  const endpoint = async ({ venue, query }: Stage, wanted: readonly string[]) => {
    const id = crypto.randomUUID()
    await query(
      `insert into webhook_endpoint (
         venue_id, id, kind, url, address, events, secret_sealed, status, key_id, key_scopes, created_at)
       select $1, $2::uuid, 'webhook', $2::text, $2::text, $3, '', 'active', id, scopes, '-infinity'
         from api_key where venue_id = $1 order by id limit 1`,
      [venue.id, id, wanted],
    )
    return async () => {
      const rows = await query(
        'select name from delivery where venue_id = $1 and endpoint_id = $2 order by event_id',
        [venue.id, id],
      )
      return rows.map(({ name }) => name)
    }
  }

  /** The events of this action alone, who got them, and when it was done. */
  const played = async (scene: Scene, email: string | null, isKnown: boolean) => {
    const stage = await openStage(service, email)
    if (isKnown) await post(stage, 'guests', { name: 'Ada', email })
    const act = await scene(stage)
    const toFirst = await endpoint(stage, firstEventNames)
    const toAll = await endpoint(stage, ['*'])
    await stage.toldAll()
    await act()
    const now = service.context.clock().toString({ fractionalSecondDigits: 3 })
    service.setClock(afternoon)
    return { told: await stage.toldAll(), toFirst: await toFirst(), toAll: await toAll(), now }
  }

  const assertTold = (
    { told, toFirst, toAll, now }: Awaited<ReturnType<typeof played>>,
    expected: readonly (readonly EventName[])[],
  ) => {
    assert.deepEqual(
      told.map(({ names }) => names),
      expected,
    )
    // F1: an endpoint that subscribed to what version 1 began with gets that, under those names, and nothing else.
    const first = told.flatMap(
      ({ names }) => names.find((name) => firstEventNames.includes(name as EventName)) ?? [],
    )
    assert.deepEqual(toFirst, first)
    assert.deepEqual(
      toAll,
      told.map(({ names }) => names[0]),
    )
    for (const { name, names, data, occurredAt } of told) {
      for (const one of names as EventName[]) {
        const shape = events[one].data
        assert.ok(Check(shape, data), `${one}: ${JSON.stringify(Errors(shape, data))}`)
        // In the order of the published sample, too.
        assert.deepEqual(Object.keys(data), Object.keys(events[one].example), one)
      }
      assert.equal(occurredAt, now, name)
      if ('updatedAt' in data) assert.equal(data.updatedAt, occurredAt, name)
    }
  }

  for (const [name, doing] of Object.entries<Doing>(doings)) {
    const names = namesTold(doing)
    const counted: readonly (readonly EventName[])[] = doing.countsFor ? [['guest.updated']] : []
    const guest = doing.matchesGuest ? 'guest.created where they are nobody yet' : []
    const words = names.map(([first]) => first)
    it(`${name}: ${[words, guest].flat().join(', ') || 'nobody is told'}`, async () => {
      const toPlay = scenes[name as DoingName]
      assert.ok(toPlay.length > 0)
      for (const scene of toPlay) {
        if (!doing.matchesGuest) {
          assertTold(await played(scene, null, false), names)
          continue
        }
        const ofNew = doing.countsFor === 'anybody' ? counted : []
        assertTold(await played(scene, somebody, false), [['guest.created'], ...ofNew, ...names])
        assertTold(await played(scene, somebody, true), [...counted, ...names])
      }
    })
  }

  it('says of every event of the contract what the words say', () => {
    const all = Object.entries<Doing>(doings)
    for (const event of eventNames) {
      const told = all.filter(([, doing]) => namesTold(doing).some((names) => names.includes(event)))
      assert.deepEqual(told.map(([name]) => name).toSorted(), [...(spec[event] ?? [])].toSorted(), event)
    }
    const making = all.filter(([, { matchesGuest }]) => matchesGuest)
    assert.deepEqual(making.map(([name]) => name).toSorted(), [...makesGuest].toSorted())
    const untold = Object.entries(emitters()).filter(([, tellers]) => tellers.length === 0)
    assert.deepEqual(
      untold.map(([event]) => event),
      byNobody,
    )
    const notSent = byNobody.filter((event) => !bySender.includes(event))
    assert.deepEqual(
      eventNames.filter((event) => events[event].when.startsWith('Not sent yet: ')),
      notSent,
      'the contract says so of each that nothing sends',
    )
  })
})
