import type { Static } from 'typebox'
import { ExpiringKey } from '../records/account.ts'
import { eventsOf, lateEvent } from './event.ts'
import { AvailableChanges, DisabledEndpoint, ErasedPerson, MergedGuest } from './event-data.ts'
import type { RecordKind } from '../kinds.ts'

const later = '2026-10-07T16:20:11.250Z'
const paid = '2026-10-06T15:04:05.120Z'
const joined = '2026-10-09T23:04:05.120Z'
const seated = '2026-10-09T23:41:12.900Z'

const reservation = eventsOf('reservation')
const guest = eventsOf('guest')
const subscriber = eventsOf('subscriber')
const order = eventsOf('ticket_order')
const waitlist = eventsOf('waitlist_entry')
const lead = eventsOf('lead')
const task = eventsOf('task')
const campaign = eventsOf('campaign')

const movesReservation = ['reservation.updated']
const updatesGuest = ['guest.updated']
const updatesSubscriber = ['subscriber.updated']
const updatesEntry = ['waitlist.updated']
const updatesLead = ['lead.updated']
const updatesTask = ['task.updated']

/** Waiting since joining: not paged or seated yet. */
const waiting = { status: 'waiting', quotedAt: joined, pagedAt: null, updatedAt: joined } as const
const isSeated = { status: 'booked', seatedAt: seated, updatedAt: seated } as const
const left = { leftAt: later, updatedAt: later } as const
const isPaid = { status: 'paid', refundedCents: 0, refunded: '0.00', updatedAt: paid } as const

/** Every event and the record in its `data`. New names may be added within version 1. */
export const events = {
  'reservation.created': reservation.first(
    'A reservation is made, also for a party that is seated without one.',
  ),
  'reservation.updated': reservation.first('A reservation changes: time, size, status, arrival or seating.', {
    // Staff confirmed it.
    after: { status: 'Confirmed', updatedAt: later },
  }),
  'reservation.cancelled': reservation.first('A reservation is cancelled.', {
    after: { status: 'Cancelled', cancelledAt: later, cancelledBy: 'guest', updatedAt: later },
  }),
  'guest.created': guest.first('A new guest record is made.', {
    after: {
      seatingPreference: null,
      visitCount: 0,
      cancellationCount: 0,
      lastVisitDate: null,
      createdAt: paid,
      updatedAt: paid,
    },
  }),
  'subscriber.added': subscriber.first('Someone joins the email list.'),
  'subscriber.unsubscribed': subscriber.first('Someone leaves the email list.', {
    also: updatesSubscriber,
    after: { status: 'unsubscribed', unsubscribedAt: later, updatedAt: later },
  }),
  'ticket_order.paid': order.first('A ticket order is paid.', { after: isPaid }),
  'ticket_order.refunded': order.first('A ticket order is refunded, fully or partly.'),
  'waitlist.added': waitlist.first('A party joins the waitlist.', { after: waiting }),
  'waitlist.seated': waitlist.first('A waitlist party is seated.', { also: updatesEntry, after: isSeated }),
  'lead.created': lead.first('A private-event inquiry arrives.'),

  'reservation.confirmed': reservation.late('Staff confirm a request.', {
    also: movesReservation,
    after: { status: 'Confirmed', updatedAt: later },
  }),
  'reservation.arrived': reservation.late('The party arrives.', {
    also: movesReservation,
    after: { status: 'Confirmed', checkedInAt: seated, floorStage: 'Arrived', updatedAt: seated },
  }),
  'reservation.seated': reservation.late('A booked party is seated.', {
    also: movesReservation,
    after: { status: 'Seated', checkedInAt: seated, floorStage: 'Seated', updatedAt: seated },
  }),
  'reservation.completed': reservation.late('The party has left, or its service has ended.', {
    also: movesReservation,
    after: { status: 'Completed', checkedInAt: seated, floorStage: 'Seated', updatedAt: seated },
  }),
  'reservation.no_show': reservation.late('Staff mark the party as a no-show.', {
    also: movesReservation,
    after: { status: 'No-show', updatedAt: later },
  }),
  'reservation.restored': reservation.late('A cancellation or a no-show is taken back.', {
    also: movesReservation,
    after: { status: 'Confirmed', updatedAt: later },
  }),
  'reservation.rescheduled': reservation.late('The date or the time changes.', {
    also: movesReservation,
    after: { time: '20:30', updatedAt: later },
  }),
  'reservation.resized': reservation.late('The size of the party changes.', {
    also: movesReservation,
    after: { partySize: 6, updatedAt: later },
  }),
  'reservation.details_changed': reservation.late(
    'The name, the contact details, the notes or the external id change.',
    {
      after: { notes: 'A booth, please', updatedAt: later },
    },
  ),
  'reservation.deleted': reservation.late('A reservation is deleted for good: it was a mistake.'),
  'reservation.change_requested': reservation.late(
    'Another time, date or size is asked for; staff have to answer. The reservation is as it was.',
  ),
  'reservation.change_answered': reservation.late(
    'A change that was asked for is accepted, declined or withdrawn, or has lapsed: `answer`, next to `data`, says which.',
  ),
  'reservation.guarantee_changed': reservation.late('The card or the deposit behind a reservation changes.', {
    since: '2026-11-29',
  }),

  'guest.updated': guest.late(
    'A guest changes: name, contact details, preferences or counters. Changes of counters alone are sent at most once a minute per guest.',
  ),
  'guest.merged': lateEvent('A guest is merged into another: this record is gone.', MergedGuest, {
    kind: 'guest',
    scope: 'guests:read',
  }),
  'guest.unmerged': guest.late('A merge is undone: this guest is back.', { also: updatesGuest }),

  'subscriber.updated': subscriber.late('Somebody on the email list, or who was on it, changes.'),
  'subscriber.pending': subscriber.late('Not sent yet: somebody signs up and has to confirm the address.', {
    after: { status: 'pending', confirmedAt: null },
  }),
  'subscriber.confirmed': subscriber.late(
    'Not sent yet: somebody who signed up confirms the address. `subscriber.added` is sent then.',
    {
      also: updatesSubscriber,
    },
  ),
  'subscriber.deleted': subscriber.late(
    'Not sent yet: somebody is removed from the records of the email list.',
  ),

  'ticket_order.created': order.late('Tickets are ordered.', { after: isPaid }),
  'ticket_order.cancelled': order.late('A ticket order is cancelled; its seats are free.', {
    after: { ...isPaid, status: 'cancelled' },
  }),
  'ticket_order.refund_requested': order.late('A refund is asked for; a manager has to decide.', {
    after: isPaid,
  }),
  'ticket_order.refund_failed': order.late('A refund did not go through.', {
    after: { status: 'refund_failed', updatedAt: later },
  }),

  'waitlist.updated': waitlist.late('A party on the waitlist changes in any way.', { after: waiting }),
  'waitlist.quoted': waitlist.late('A party is told how long it will wait.', {
    also: updatesEntry,
    after: waiting,
  }),
  'waitlist.offered': waitlist.late('A party is paged: a table is offered.', {
    also: updatesEntry,
    after: { status: 'offered', updatedAt: later },
  }),
  'waitlist.booked': waitlist.late('A party gets a table, now or for later.', {
    also: updatesEntry,
    after: isSeated,
  }),
  'waitlist.left': waitlist.late('A party leaves the waitlist.', {
    also: updatesEntry,
    after: { status: 'cancelled', ...left },
  }),
  'waitlist.expired': waitlist.late('A party is taken off the waitlist, as its time has passed.', {
    also: updatesEntry,
    after: { status: 'expired', ...left },
  }),
  'waitlist.returned': waitlist.late('A party waits again.', { also: updatesEntry, after: waiting }),

  'lead.updated': lead.late('A lead changes in any way.', { after: { updatedAt: later } }),
  'lead.stage_changed': lead.late('A lead is moved to another stage.', {
    also: updatesLead,
    after: { stage: 'Proposal', updatedAt: later },
  }),
  'lead.deleted': lead.late('A lead is deleted for good.'),

  'task.created': task.late('A task is put on the list.'),
  'task.updated': task.late('A task changes in any way.', { after: { priority: 'Low', updatedAt: later } }),
  'task.completed': task.late('A task is done.', {
    also: updatesTask,
    after: { done: true, doneAt: later, updatedAt: later },
  }),
  'task.reopened': task.late('A task is to be done after all.', {
    also: updatesTask,
    after: { updatedAt: later },
  }),
  'task.deleted': task.late('A task is deleted for good.'),

  'campaign.created': campaign.late('A campaign is begun, as a draft.'),
  'campaign.scheduled': campaign.late('A campaign is to be sent, at its time or after the hold.', {
    after: { status: 'scheduled', scheduledAt: later, sendHoldUntil: later, updatedAt: later },
  }),
  'campaign.started': campaign.late('A campaign begins to be sent.', {
    after: { status: 'sending', scheduledAt: later, updatedAt: later },
  }),
  'campaign.sent': campaign.late('A campaign has been sent to everybody on its list.', {
    after: { status: 'sent', scheduledAt: later, startedAt: later, finishedAt: later, updatedAt: later },
  }),
  'campaign.cancelled': campaign.late('A campaign is stopped, or has missed its time.', {
    after: { status: 'cancelled', finishedAt: later, updatedAt: later },
  }),
  'campaign.held': campaign.late('A campaign waits, since its mails cannot be handed over for now.', {
    after: {
      status: 'sending',
      scheduledAt: later,
      startedAt: later,
      sendHoldUntil: later,
      updatedAt: later,
    },
  }),

  'person.erased': lateEvent(
    'A person is erased: drop every copy of the records named, or what they held of the person.',
    ErasedPerson,
  ),
  'access.key_expiring': lateEvent('A key of the venue ends in 14, 3 or 1 days.', ExpiringKey),
  'webhook.disabled': lateEvent('Another webhook endpoint of the venue is switched off.', DisabledEndpoint, {
    scope: 'webhooks:manage',
  }),
  'changes.available': lateEvent(
    'Something changed that can be read from the feed of changes: at most four times a minute, however much it was.',
    AvailableChanges,
  ),
} as const

export type EventName = keyof typeof events

export const eventNames = Object.keys(events) as EventName[]

/** The names that were in version 1 from the beginning. */
export const firstEventNames: readonly EventName[] = eventNames.filter(
  (name) => events[name].since === undefined,
)

/** What an event of this name carries. */
export type EventData = { [Name in EventName]: Static<(typeof events)[Name]['data']> }

/** All names that apply together with these, the most specific first. */
export const namesWith = (names: readonly EventName[]): readonly EventName[] => [
  ...new Set([...names, ...names.flatMap((name) => events[name].also as readonly EventName[])]),
]

/** The part of an event's name before the period. */
const matterOf = (name: EventName): string => name.split('.')[0] ?? ''

/** Patterns that match several names, including names added later. */
export const eventPatterns: readonly string[] = [
  '*',
  ...new Set(eventNames.map((name) => `${matterOf(name)}.*`)),
]

/** The name under which an endpoint that asked for these names and patterns gets an event: the most specific one it
 * asked for; undefined: it did not ask for the event. `*` does not include the doorbell, which only repeats what the
 * others say.
 */
export const nameAskedFor = (asked: readonly string[], names: readonly EventName[]): EventName | undefined =>
  names.find(
    (name) =>
      asked.includes(name) ||
      asked.includes(`${matterOf(name)}.*`) ||
      (asked.includes('*') && name !== 'changes.available'),
  )

/** Whether a text is the name of an event, or a pattern that matches several. */
export const isEventOrPattern = (word: string): boolean =>
  eventPatterns.includes(word) || eventNames.some((name) => name === word)

/** The names that names and patterns currently match. */
export const namesMeant = (asked: readonly string[]): readonly EventName[] =>
  eventNames.filter((name) => nameAskedFor(asked, [name]))

/** The kind of record an event is about; undefined: none. */
export const kindOfEvent = (name: EventName): RecordKind | undefined => events[name]?.kind ?? undefined
