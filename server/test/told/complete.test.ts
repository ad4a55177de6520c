import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type EventName, eventNames } from '@venue-data/contract/webhooks/events.ts'
import { recordKinds } from '@venue-data/contract/kinds.ts'
import { campaignMoves } from '../../marketing/campaigns/states.ts'
import { reservationMoves } from '../../book/reservations/states.ts'
import { subscriberMoves } from '../../marketing/subscribers/states.ts'
import { isTest, readSources, withoutComments } from '../tree/imports.ts'
import { orderMoves } from '../../tickets/states.ts'
import { waitlistMoves } from '../../book/waitlist/states.ts'
import { type Doing, type DoingName, doings, guestCountedAt, guestFilledAt, guestMadeAt } from './table.ts'

/** The program's own files, without comments, by their path within server/. The demo is made before anyone listens. */
const sources: ReadonlyMap<string, string> = new Map(
  [...readSources()]
    .filter(([path]) => path.startsWith('server/') && !path.startsWith('server/demo/') && !isTest(path))
    .map(([path, text]) => [path.slice('server/'.length), withoutComments(text)]),
)

/** Where something is in the sources: the file, and the function or constant of its top level around it. */
const placesOf = (
  pattern: RegExp,
  files: ReadonlyMap<string, string>,
): { at: string; found: RegExpExecArray }[] =>
  [...files].flatMap(([path, text]) =>
    [...text.matchAll(pattern)].map((found) => {
      const names = [...text.slice(0, found.index).matchAll(/^(?:export )?const (\w+)/gm)]
      return { at: `${path} ${names.at(-1)?.[1]}`, found }
    }),
  )

const moveTables = { reservationMoves, subscriberMoves, orderMoves, waitlistMoves, campaignMoves }
type MoveTable = Readonly<Record<string, { readonly names: readonly EventName[] }>>

/** A function of a file's top level. */
const functionOf = (text: string, name: string): string => {
  const [, body = ''] = text.split(new RegExp(`^(?:export )?const ${name}\\b`, 'm'))
  return body.split(/^(?:export )?const \w+/m)[0] ?? ''
}

/** What a text names of the events of the contract: by themselves, or by the moves it goes by. */
const namedIn = (text: string, file: string): EventName[] => {
  const quoted = eventNames.filter((name) => text.includes(`'${name}'`))
  const tables = Object.entries<MoveTable>(moveTables)
  const byMove = text.includes('move.names')
    ? tables
        .filter(([table]) => file.includes(table))
        .flatMap(([, moves]) => Object.values(moves).flatMap(({ names }) => names))
    : []
  const byOneMove = tables.flatMap(([table, moves]) =>
    Object.entries(moves).flatMap(([move, { names }]) =>
      text.includes(`${table}.${move}.names`) ? names : [],
    ),
  )
  const worked = text.includes('namesOf(') ? namedIn(functionOf(file, 'namesOf'), '') : []
  return [...quoted, ...byMove, ...byOneMove, ...worked]
}

/** Each function that records an event, and what it may record. */
const recorded = (files = sources): string[] => {
  const found = placesOf(/\b(?:recordEvent|changeCampaign|recordCampaignEvents)\(/g, files).flatMap(
    ({ at }) => {
      const [path = '', name = ''] = at.split(' ')
      const file = files.get(path) ?? ''
      return namedIn(functionOf(file, name), file).map((event) => `${at}: ${event}`)
    },
  )
  return [...new Set(found)].toSorted()
}

/** Events that are about no record. */
const ofNoRecord = [
  'integrations/changes/doorbell.ts ring: changes.available',
  'integrations/webhooks/notify-switched-off.ts notifySwitchedOff: webhook.disabled',
]

const inTable = (): string[] => {
  const all = Object.values<Doing>(doings)
  const told = all.flatMap(({ tells }) =>
    tells.flatMap(({ names, at }) => names.map((name) => `${at}: ${name}`)),
  )
  const ofGuests = [
    `${guestMadeAt}: guest.created`,
    ...[guestFilledAt, guestCountedAt].map((at) => `${at}: guest.updated`),
  ]
  return [...new Set([...told, ...ofGuests, ...ofNoRecord])].toSorted()
}

/** Every function with a statement that writes one of these tables. */
const writersOf = (tables: readonly string[], files = sources): string[] => {
  const statement = new RegExp(
    String.raw`(?:\binsert\s+into|(?<!\bfor\s+)\bupdate|\bdelete\s+from)\s+(?:${tables.join('|')})\b(?!\.)`,
    'g',
  )
  return [...new Set(placesOf(statement, files).map(({ at }) => at))].toSorted()
}
/** Those that write what an event may tell of. */
const written = (files = sources): string[] => writersOf([...recordKinds], files)

/** Every function with a statement that writes a record an event may tell of, and the doings it is part of. */
const writers: Readonly<Record<string, readonly DoingName[]>> = {
  'book/reservations/writes.ts insertReservation': [
    'request a table',
    'book by guest',
    'book by staff',
    'walk in',
    'waitlist entry seatNow',
    'waitlist entry bookForLater',
    'import a booking ahead',
    'import a past booking',
  ],
  'book/reservations/book-writes.ts writeMove': ['reservation seat', 'complete by the clock'],
  'book/reservations/book-writes.ts writeEdit': ['edit the time', 'edit the size', 'edit the words'],
  'book/reservations/book-writes.ts removeReservation': [
    'delete a booking',
    'delete a booking that is over',
    'waitlist entry recall',
    'undo the import of a booking ahead',
    'undo the import of a past booking',
  ],
  'book/waitlist/secured-offer.ts moveOfferEnd': ['waitlist entry acceptOffer'],
  'book/reservations/zone-change.ts moveGuarantees': ['correct the zone'],
  'book/reservations/zone-change.ts saveStarts': ['correct the zone'],
  'book/reservations/archive.ts archiveRequest': ['archive a request'],
  'book/waitlist/writes.ts insertEntry': ['join the line', 'join the line by API', 'join the line by guest'],
  'book/waitlist/guest-place.ts keepGuestPlace': ['join the line by guest'],
  'book/waitlist/guest-place.ts markOnTheirWay': ['say to be on the way'],
  'book/waitlist/guest-place.ts newPlaceLink': ['end the link to a place'],
  'book/waitlist/writes.ts writeEntryWords': ['change a waiting party by API'],
  'book/waitlist/writes.ts writeEntryMove': ['waitlist entry page', 'expire by the clock'],
  'book/day/booked-party.ts partySeated': ['seat at the later table', 'seat late at the later table'],
  'book/day/booked-party.ts partyUnseated': ['leave the later table'],
  'book/day/booked-party.ts bookingGone': ['delete the later table'],
  'crm/guests/writes.ts insertGuest': ['add a guest by API', 'add a guest by staff', 'import a guest'],
  'crm/guests/writes.ts fillGuest': ['add a guest by API'],
  'crm/guests/staff-writes.ts writeStaffEdit': ['edit a guest', 'merge guests', 'undo a merge'],
  'crm/guests/imported-details.ts writeImportedDetails': ['import a guest'],
  'crm/guests/contributions.ts addToCounters': ['reservation seat'],
  'crm/guests/merge-writes.ts relinkBookings': ['merge guests', 'undo a merge'],
  'crm/guests/merge-writes.ts relinkLeads': ['merge guests', 'undo a merge'],
  'crm/guests/merge-writes.ts deleteGuest': ['merge guests'],
  'crm/guests/merge-writes.ts addToCounters': ['merge guests', 'undo a merge'],
  'crm/guests/merge-writes.ts restoreGuest': ['undo a merge'],
  'crm/guests/take-back-import.ts takeBackGuest': ['undo the import of a guest'],
  'crm/guests/take-back-import.ts emptyAgain': ['undo what an import filled in'],
  'crm/guests/take-back-import.ts giveBackCounts': ['undo an import that a count gave way to'],
  'data/erasure/erase-writes.ts blankRecords': ['erase a person'],
  'data/erasure/erase-writes.ts removeRecords': ['erase a person'],
  'marketing/subscribers/writes.ts insertSubscriber': [
    'subscribe by API',
    'subscribe by staff',
    'import a subscriber',
    'import an objection',
    'sign up',
  ],
  'book/reservations/guarantee/show-guarantee.ts showGuarantee': ['take a deposit off the bill'],
  'book/reservations/guarantee/show-guarantee.ts showNewGuarantee': ['book by guest'],
  'marketing/subscribers/sign-up.ts writePending': ['sign up again'],
  'marketing/subscribers/sign-up.ts confirmSignUp': ['confirm a sign-up'],
  'marketing/subscribers/sign-up.ts writeConfirming': ['sign up'],
  'marketing/subscribers/sign-up.ts remindSignUp': ['sign up'],
  'marketing/subscribers/sign-up.ts writeLeftAgain': ['end a sign-up of one who left'],
  'marketing/subscribers/sign-up.ts deletePending': ['end a sign-up'],
  'marketing/subscribers/tag-writes.ts countChange': [
    'tag a subscriber by API',
    'subscribe again with a tag',
    'choose a topic',
    'suppress for bounced',
    'unsuppress',
  ],
  'marketing/subscribers/writes.ts fillFirstName': ['subscribe again with a name'],
  'marketing/subscribers/writes.ts writeDetails': ['change a subscriber by API'],
  'marketing/subscribers/preferences-store.ts writePreferences': ['choose mails'],
  'marketing/subscribers/leaving-writes.ts writeLeaving': [
    'subscriber unsubscribe',
    'subscriber endSignUp',
    'subscriber decline',
  ],
  'tickets/admission/own-order.ts markTicketsResent': ['sell for cash'],
  'tickets/admission/own-order.ts newOrderLink': ['sell for cash'],
  'tickets/order-writes.ts insertOrder': ['sell for cash', 'sell for external', 'order by API'],
  'tickets/order-writes.ts writeOrderMove': ['ticket order refund', 'ticket order cancel'],
  'tickets/order-writes.ts countOrderChange': ['begin a refund'],
  'tickets/shown-event.ts noteShownEvent': ['rename the event', 'move the date'],
  'crm/leads/writes.ts insertLead': ['enquire by API', 'enquire by staff', 'enquire by guest'],
  'crm/leads/inquire.ts inquireByGuest': ['enquire by guest'],
  'crm/leads/writes.ts writeLead': ['edit a lead', 'move a lead', 'set a priority'],
  'crm/leads/writes.ts removeLead': ['delete a lead'],
  'crm/tasks/writes.ts insertTask': ['add a task by API', 'add a task by staff'],
  'crm/tasks/writes.ts writeTask': ['edit a task'],
  'crm/tasks/writes.ts writeDone': ['do a task', 'reopen a task'],
  'crm/tasks/writes.ts removeTask': ['delete a task'],
  'marketing/campaigns/writes.ts insertCampaign': ['begin a campaign'],
  'marketing/campaigns/staff-writes.ts writeDraft': ['edit a campaign'],
  'marketing/campaigns/audience/list.ts rebuildList': ['edit a campaign'],
  'marketing/campaigns/audience/list.ts shrinkList': ['edit a campaign'],
  'marketing/campaigns/writes.ts writeTested': ['edit a campaign'],
  'marketing/campaigns/writes.ts writeScheduled': ['schedule a campaign'],
  'marketing/campaigns/writes.ts retryCopies': ['schedule a campaign'],
  'marketing/campaigns/writes.ts writeCancelled': ['cancel a campaign', 'miss a campaign'],
  'marketing/campaigns/sending/due.ts missCampaign': ['miss a campaign'],
  'marketing/campaigns/sending/due.ts beginCampaign': ['start a campaign'],
  'marketing/campaigns/sending/due.ts finish': ['finish a campaign'],
  'marketing/campaigns/sending/due.ts tellFailures': ['finish a campaign'],
  'marketing/campaigns/sending/holds.ts holdCampaign': ['hold a campaign'],
  'marketing/campaigns/sending/holds.ts noteWaiting': ['say why a campaign waits'],
  'marketing/campaigns/sending/change-campaign.ts noteCounters': ['count mails'],
  'marketing/campaigns/sending/claim.ts claimCopies': ['count mails'],
  'marketing/campaigns/sending/mark.ts writeBatch': ['count mails'],
  'marketing/campaigns/sending/takeover.ts takeOver': ['count mails'],
  'marketing/bounces/store.ts settleUnknown': ['count mails'],
}

const planted = (path: string, text: string) => new Map([...sources, [path, text]])

describe('the table of what emits events is complete', () => {
  it('names every call that records an event, with the events it records', () => {
    assert.deepEqual(recorded(), inTable())
  })

  it('and there is no other way into the outbox', () => {
    for (const [path, text] of sources) {
      if (path === 'core/events/record.ts') continue
      assert.doesNotMatch(text, /insert\s+into\s+event\b/, path)
      const mentions = text.match(/\brecordEvent\b/g)?.length ?? 0
      const calls = text.match(/\brecordEvent\(/g)?.length ?? 0
      const imports = text.match(/^import .*\brecordEvent\b(?! as )/gm)?.length ?? 0
      assert.equal(mentions, calls + imports, `${path} hands recordEvent on`)
    }
  })

  it('knows every statement that writes a record of which events tell, and a doing it is part of', () => {
    assert.deepEqual(written(), Object.keys(writers).toSorted())
    for (const [writer, names] of Object.entries(writers)) assert.ok(names.length > 0, writer)
  })

  it('fires on a writer that is not in it', () => {
    const call = `export const x = async (work) => {\n  await recordEvent(work, 'lead.created', lead, now)\n}\n`
    assert.ok(recorded(planted('crm/leads/x.ts', call)).includes('crm/leads/x.ts x: lead.created'))
    const statement = 'const y = (db) => db.run(sql()`\n  update\n  lead set stage = 1`)\n'
    assert.ok(written(planted('crm/leads/x.ts', statement)).includes('crm/leads/x.ts y'))
  })
})

/** Writes of a record that change nothing of what the API shows of it, or whose change is noted elsewhere. */
const notNoted: Readonly<Record<string, string>> = {
  'book/reservations/archive.ts archiveRequest': 'a private mark of the queue',
  'book/reservations/guarantee/show-guarantee.ts showNewGuarantee':
    'with the booking as it is made, whose first revision is noted',
  'book/waitlist/secured-offer.ts moveOfferEnd':
    'only until when its table is held, which the API does not show',
  'book/reservations/zone-change.ts moveGuarantees': 'with the moment kept along with date and time',
  'book/reservations/zone-change.ts saveStarts': 'only the moment kept along with date and time',
  'tickets/order-writes.ts countOrderChange': 'only the version that forms carry',
  'tickets/admission/own-order.ts markTicketsResent': 'the API does not show when tickets were mailed',
  'tickets/admission/own-order.ts newOrderLink': 'the API does not show the private link',
  'marketing/subscribers/preferences-store.ts writePreferences':
    'the API does not show what mails they chose',
  'book/waitlist/guest-place.ts keepGuestPlace': 'the API does not show in which language somebody waits',
  'book/waitlist/guest-place.ts markOnTheirWay': 'a private mark for staff',
  'book/waitlist/guest-place.ts newPlaceLink': 'the API does not show the private link',
  'crm/leads/inquire.ts inquireByGuest': 'the API does not show in which language somebody inquired',
  'marketing/subscribers/sign-up.ts remindSignUp': 'the API does not show when a confirmation was mailed',
  'marketing/subscribers/sign-up.ts writeConfirming': 'nor in which language',
  'book/tables/tables-of-booking-writes.ts pinTables': 'a visit does not show whether machines may move it',
  'crm/guests/merge-writes.ts relinkLeads': 'a record does not name its guest',
  'marketing/campaigns/writes.ts retryCopies': 'the campaign is scheduled in the same transaction',
  'marketing/campaigns/sending/due.ts missCampaign': 'the campaign was cancelled in the same transaction',
  'marketing/campaigns/sending/due.ts tellFailures': 'the campaign was ended in the same transaction',
  'marketing/campaigns/sending/claim.ts claimCopies': 'counters, noted now and then (noteCounters)',
  'marketing/campaigns/sending/mark.ts writeBatch':
    'counters, noted now and then (noteCounters); by markBatch once it is cancelled or held',
}

/** Who holds which table is part of a visit, which has no table of its own. */
const notedTables = [...recordKinds, 'reservation_table']

describe('every change of a record is noted', () => {
  const unnoted = (files = sources): string[] =>
    writersOf(notedTables, files).filter((at) => {
      const [path = '', name = ''] = at.split(' ')
      const [, body = ''] = (files.get(path) ?? '').split(new RegExp(`^(?:export )?const ${name}\\b`, 'm'))
      const [own = ''] = body.split(/^(?:export )?const \w+/m)
      return !/\b(?:note|noted|noteChange|noteGone|noteVisit|changeCampaign)\(/.test(own)
    })

  it('by the function that writes it, but for those whose reason is given here', () => {
    assert.deepEqual(unnoted(), Object.keys(notNoted).toSorted())
  })

  it('fires on a function that only writes', () => {
    const forgotten = 'const y = (db) => db.run(sql()`\n  update task set done = true`)\n'
    assert.ok(unnoted(planted('crm/tasks/x.ts', forgotten)).includes('crm/tasks/x.ts y'))
    const other = `const z = (db) => noted(db, 1)\n`
    assert.ok(unnoted(planted('crm/tasks/x.ts', forgotten + other)).includes('crm/tasks/x.ts y'))
    assert.ok(
      !unnoted(planted('crm/tasks/x.ts', forgotten.replace('db.run(', 'noted(db, '))).includes(
        'crm/tasks/x.ts y',
      ),
    )
  })
})
