import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openApiDocument } from './openapi.ts'
import type { SchemaNode } from './openapi-schema.ts'

/*
 * Every field of every record with its type, written out by hand so that the shapes are not compared with themselves.
 * `createdAt` and `updatedAt` are never null, because every record has them, except of a guest, whom a key may match
 * without reading. Most other fields may be null after an
 * erasure or for a key that may not see them.
 */
const typed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Reservation: {
    integer: 'id revision',
    'integer|null': 'partySize durationMinutes',
    'string|null':
      'guestName email phone date time status source bookingType notes floorStage checkedInAt cancelledAt cancelledBy externalId',
    string: 'createdAt updatedAt',
    'object|null': 'guarantee',
  },
  Guest: {
    integer: 'id revision',
    'integer|null': 'visitCount noShowCount cancellationCount',
    'string|null':
      'name email phone seatingPreference referralSource lastVisitDate externalId createdAt updatedAt',
  },
  Subscriber: {
    integer: 'id revision',
    'integer|null': 'birthMonth birthDay',
    'string|null': 'email firstName status source consentAt confirmedAt unsubscribedAt',
    array: 'tags',
    boolean: 'suppressed',
    string: 'createdAt updatedAt',
  },
  TicketOrder: {
    integer: 'id revision',
    'integer|null': 'subtotalCents discountCents feeCents taxCents totalCents refundedCents',
    'boolean|null': 'marketingOptIn',
    'string|null':
      'orderNumber status channel paymentMethod buyerFirstName buyerLastName buyerEmail buyerPhone eventName occurrenceTitle eventDate eventStartTime total refunded promoCode paidAt externalReference currency',
    string: 'createdAt updatedAt',
  },
  WaitlistEntry: {
    integer: 'id revision',
    'integer|null': 'partySize quotedMinutes',
    'string|null':
      'guestName email phone date requestedTime windowStart windowEnd status source notes quotedAt pagedAt seatedAt leftAt externalId',
    string: 'createdAt updatedAt',
  },
  Lead: {
    integer: 'id revision',
    'string|null':
      'contactName contactEmail contactPhone eventName occasion date guestCount budgetPerPerson diningStyle dietaryNeeds stage priority notes submittedVia submittedAt externalId',
    string: 'createdAt updatedAt',
  },
  Task: {
    integer: 'id revision',
    'string|null': 'title due priority category client assignedRole doneAt externalId',
    boolean: 'done',
    string: 'createdAt updatedAt',
  },
  Campaign: {
    integer: 'id revision recipientsTotal sentCount failedCount',
    string:
      'restaurantId name subject preheader bodyHtml bodyText bodyFormat status lastError seriesKey createdAt updatedAt',
    'string|null': 'scheduledAt startedAt finishedAt testSentAt sendHoldUntil',
    // Always null: the API never returns which staff member did something. An event and a series may be set.
    null: 'createdBy',
    'integer|null': 'eventId seriesStep seriesTotal',
  },
  WebhookEndpoint: {
    string: 'id url status createdAt payload',
    array: 'events include signatures',
    'string|null':
      'disabledReason lastDeliveryAt lastDeliveryStatus description pausedAt secretRotatesUntil oldestWaitingAt',
    integer: 'failureCount revision waitingCount',
    'number|null': 'successRate24h',
  },
}

describe('the published types are those of the contract', () => {
  const { schemas } = openApiDocument()['components'] as { schemas: Record<string, SchemaNode> }

  for (const [name, types] of Object.entries(typed)) {
    const { properties = {}, required } = schemas[name] as SchemaNode

    it(`${name}: every field is always present, and nullable exactly where the contract says`, () => {
      const wanted = Object.entries(types).flatMap(([type, fields]) =>
        fields.split(' ').map((field) => `${field} ${type}`),
      )
      const published = Object.entries(properties)
        // Campaign audiences have their own shapes, tested in contract/segment.
        .filter(([field]) => field !== 'segment')
        .map(([field, { type }]) => `${field} ${[type].flat().join('|')}`)
      assert.deepEqual(published.toSorted(), wanted.toSorted())
      assert.deepEqual(required, Object.keys(properties))
    })
  }

  it('a record never closes a list of values that may grow', () => {
    for (const name of Object.keys(typed)) assert.doesNotMatch(JSON.stringify(schemas[name]), /"enum"/, name)
  })
})
