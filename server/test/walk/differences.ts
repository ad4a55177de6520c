/*
 * Where version 1 answers otherwise than when the walk was first recorded, and why. `recorded.txt` stays as it was;
 * what the exchanges named here answer today is in `changed.txt`, and nothing else may differ.
 *
 * An answer that is to change: list its exchanges here with the reason, then record them again (walk.test.ts says how).
 */

export type Difference = {
  /** In a sentence, for an integrator who asks. */
  readonly why: string
} & (
  | {
      /** The exchanges it shows in, by their titles. */
      readonly exchanges: readonly string[]
    }
  | {
      /**
       * A field that records have gained, a number, yes or no, nothing, a currency or a list: it shows in every exchange that did not have it, and
       * differs by it and nothing else.
       */
      readonly gains: string
    }
  | {
      /** A header that answers have gained, likewise. */
      readonly gainsHeader: string
    }
  | {
      /** What bodies of deliveries have gained behind what they had, likewise. */
      readonly gainsBehind: RegExp
    }
)

export const differences: readonly Difference[] = [
  {
    why: 'Each record counts its changes.',
    gains: 'revision',
  },
  {
    why: 'A reservation shows the card or the deposit behind it; in the walk none has any.',
    gains: 'guarantee',
  },
  {
    why: 'A record has the id of who made it; in the walk nobody gives one.',
    gains: 'externalId',
  },
  {
    why: 'An order has its number in the software that ordered it; in the walk none does.',
    gains: 'externalReference',
  },
  {
    why: 'An order names the currency of its amounts.',
    gains: 'currency',
  },
  {
    why: 'A subscriber shows their tags.',
    gains: 'tags',
  },
  {
    why: 'A subscriber says whether the address is on the do-not-email list.',
    gains: 'suppressed',
  },
  {
    why: 'A list says from where on its records change.',
    gainsHeader: 'x-changes-cursor',
  },
  {
    why: 'A list that goes on says where its next page is.',
    gainsHeader: 'link',
  },
  {
    why: 'A list that goes on has the cursor of its next page.',
    gainsHeader: 'x-next-cursor',
  },
  {
    why: 'A delivery says what happened, to which record, and all the names that fit.',
    gainsBehind: /,"eventId":"<event[^>]*>",(?:"record":\{[^}]*\},)?"names":\[[^\]]*\]/,
  },
  {
    why: 'An endpoint says how it is told, whether it is paused and how deliveries to it are doing.',
    gainsBehind:
      /,"description":null,"payload":"full","include":\[\],"signatures":\["service"\],"pausedAt":null,"secretRotatesUntil":null,"revision":\d+,"successRate24h":(?:null|[\d.]+),"waitingCount":\d+,"oldestWaitingAt":(?:null|"[^"]*")/,
  },
  {
    why: 'The documentation is also Markdown for who asks for it, so its answer says that it follows Accept.',
    exchanges: ['addresses: the reference'],
  },
  {
    why: 'A key is told its name, what it may do and until when.',
    exchanges: [
      'doors: who a read and write key is',
      'doors: who a read-only key is',
      'doors: who an automation key is',
      'doors: a key in Authorization beside a good one',
      'doors: an api key on the plan legacy',
      'doors: an automation key on the plan legacy',
      'doors: an api key on the plan group',
      'doors: an automation key on the plan group',
      'doors: an api key on the plan pro',
      'doors: an automation key on the plan pro',
      'doors: an automation key where access is none',
      'doors: an automation key where access is requested',
      'doors: an automation key where access is declined',
      'doors: that api key after access was given again',
      'doors: that automation key after access was given again',
      'doors: the first request of a minute',
      'doors: the 120th request of a minute',
      'doors: when the minute is over',
      'bodies: a body on a GET',
    ],
  },
  {
    why: 'A key sent in Authorization is told where it belongs.',
    exchanges: [
      'doors: a key in Authorization as a bearer',
      'doors: a key in Authorization alone',
      'doors: a key in Authorization for a write',
    ],
  },
  {
    why: 'Somebody who only wanted to read is not told about changing anything.',
    exchanges: [
      'doors: a read-only key on GET /api/v1/webhooks',
      'doors: a read-only automation key on GET /api/v1/webhooks',
    ],
  },
  {
    why: 'The kind of a key is judged before its scope on campaigns: no other scope would help.',
    exchanges: [
      'doors: a read-only automation key on POST /api/v1/campaigns',
      'doors: a read-only automation key on POST /api/v1/campaigns/compose',
      'doors: a read-only automation key on POST /api/v1/campaigns/test',
      'doors: a read-only automation key on POST /api/v1/campaigns/send',
      'doors: a read-only automation key on POST /api/v1/campaigns/cancel',
    ],
  },
  {
    why: 'New keys do not help from a withdrawal until access is given again, of whichever kind they are.',
    exchanges: [
      'doors: a new automation key after the access was withdrawn',
      'doors: a new automation key after access was asked for anew',
    ],
  },
  {
    why: 'The address of the API itself names the documentation, a single record has an address, where some can be changed, and the pages have an icon.',
    exchanges: [
      'addresses: addresses where nothing is',
      'addresses: the address of the API itself',
      'addresses: the address of the API itself, with a key',
    ],
  },
  {
    why: 'Tasks and campaigns can be read.',
    exchanges: [
      'addresses: PUT on every address of the contract',
      'addresses: PATCH on every address of the contract',
      'addresses: HEAD on every address of the contract',
      'addresses: OPTIONS on every address of the contract',
    ],
  },
  {
    why: 'The OpenAPI document may be read from any page; it and pages answer HEAD.',
    exchanges: [
      'addresses: the OpenAPI document',
      'addresses: the OpenAPI document, packed',
      'addresses: the OpenAPI document for a page',
      'addresses: a preflight for the OpenAPI document',
      'addresses: other methods on the OpenAPI document',
      'addresses: other methods on the reference',
    ],
  },
  {
    why: 'A map of the documentation for language models.',
    exchanges: ['addresses: llms.txt'],
  },
  {
    why: 'Two Host lines are no request that can be answered for sure.',
    exchanges: ['addresses: two Hosts', 'addresses: the same Host twice'],
  },
  {
    why: 'An offset without its colon is read.',
    exchanges: [
      'lists: forms of since, GET /api/v1/reservations',
      'lists: forms of since, GET /api/v1/guests',
      'lists: forms of since, GET /api/v1/subscribers',
      'lists: forms of since, GET /api/v1/ticket-orders',
      'lists: forms of since, GET /api/v1/waitlist',
      'lists: forms of since, GET /api/v1/leads',
    ],
  },
  {
    why: 'The list of webhook endpoints reads limit and since as every list does.',
    exchanges: ['lists: limit and since of webhook endpoints'],
  },
  {
    why: 'Times such as 730pm and offsets without a colon are read, so these bookings are made; those behind them have higher ids.',
    exchanges: [
      'reservations: the time 730pm',
      'reservations: the time 0730 PM',
      'reservations: startsAt 2026-10-09T19:00:00-04:00',
      'reservations: startsAt 2026-10-09T23:00:00Z',
      'reservations: startsAt 2026-10-10T01:00:59.999+02:00',
      'reservations: startsAt 2026-10-09T19:00-0400',
      'reservations: startsAt 2026-10-09 19:00:00-04:00[Europe/Paris]',
      'reservations: startsAt that agrees with date and time',
    ],
  },
  {
    why: 'A party has at most 10,000 guests.',
    exchanges: [
      'reservations: the size 0',
      'reservations: the size -1',
      'reservations: the size 2.5',
      'reservations: the size "2"',
      'reservations: the size 10001',
      'reservations: the size 2147483648',
      'reservations: the size 10000',
    ],
  },
  {
    why: 'A venue without any hours says so, instead of naming a weekday.',
    exchanges: ['rules: closed, at a venue without any hours'],
  },
  {
    why: 'Whoever is unsubscribed may have been taken off by staff, so nobody says that they did it.',
    exchanges: [
      'subscribers: somebody who unsubscribed',
      'subscribers: somebody whom staff unsubscribed',
      'subscribers: somebody who was suppressed for spam_report',
      'subscribers: somebody who was suppressed for staff_removal',
      'campaigns: compose, the list',
      'campaigns: compose, the list again',
      'campaigns: compose, the list as it was',
      'campaigns: compose, a scheduled list, which only shrinks',
      'campaigns: compose, the draft',
    ],
  },
  {
    why: 'The two clashes of an Idempotency-Key have reasons.',
    exchanges: [
      'idempotency: reservations: the same key with another body',
      'idempotency: reservations: while the first try is under way',
      'idempotency: reservations: another body, while the first try is under way',
      'idempotency: guests: the same key with another body',
      'idempotency: guests: while the first try is under way',
      'idempotency: guests: another body, while the first try is under way',
      'idempotency: subscribers: the same key with another body',
      'idempotency: subscribers: while the first try is under way',
      'idempotency: subscribers: another body, while the first try is under way',
      'idempotency: leads: the same key with another body',
      'idempotency: leads: while the first try is under way',
      'idempotency: leads: another body, while the first try is under way',
      'idempotency: tasks: the same key with another body',
      'idempotency: tasks: while the first try is under way',
      'idempotency: tasks: another body, while the first try is under way',
    ],
  },
  {
    why: 'Integrators who were told of a reservation are told when it is removed.',
    exchanges: ['deliveries: a deletion for good', 'deliveries: its recall'],
  },
  {
    why: 'Somebody who waits to confirm and is taken off by staff leaves the list.',
    exchanges: ['deliveries: staff unsubscribe somebody who waits to confirm'],
  },
  {
    why: 'A reservation can be changed at its address.',
    exchanges: ['single records: another method on a record'],
  },
  {
    why: 'A hook for an unknown event is refused with every event a hook may have.',
    exchanges: ['webhooks: a hook for an unknown event'],
  },
  {
    why: 'The refusal of an unknown event says that an endpoint takes more events than the first, and patterns.',
    exchanges: [
      'webhooks: an unknown event',
      'webhooks: the event ping',
      'names of events: every event of what is not there',
    ],
  },
  {
    why: 'A test of an endpoint that is off for good has the reason that other calls give.',
    exchanges: ['webhooks: a test of an endpoint whose key is revoked'],
  },
  {
    why: 'A task says whose it is, and when it was added, changed and done.',
    exchanges: [
      'doors: an automation key makes a task',
      'bodies: 64 KB and not a byte more',
      'bodies: JSON by its name',
      'bodies: JSON by another name',
      'bodies: unknown fields, null and an empty text',
      'bodies: more than ASCII',
      'leads and tasks: a task with a title',
      'leads and tasks: a task with everything',
      'leads and tasks: a category that is none',
      'idempotency: tasks: the first try',
      'idempotency: tasks: the same again',
      'idempotency: tasks: a day later',
      'idempotency: a key of 200 characters',
    ],
  },
]
