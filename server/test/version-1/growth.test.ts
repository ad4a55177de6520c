import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints, records } from '@venue-data/contract/endpoints.ts'
import { events } from '@venue-data/contract/webhooks/events.ts'
import { reasons } from '@venue-data/contract/reasons.ts'
import { keyCheck } from '../../integrations/access/key-check.ts'
import { openGate } from '../../platform/db/gate.ts'
import { guestRoutes } from '../../crm/guests/routes.ts'
import { type Growth, changelog } from '../../platform/http/changelog.ts'
import { openApiDocument } from '../../platform/http/openapi/openapi.ts'
import { nodeOf } from '../../platform/http/openapi/openapi-schema.ts'
import { serve } from '../../platform/http/serve.ts'
import { httpServer } from '../../platform/http/server.ts'
import { rowsOf } from '../rows.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'

/* How version 1 says what came to it, and what is to go. */

/** What version 1 began with; everything else says since when it exists. */
const first = {
  endpoints: `me listReservations createReservation findReservations listGuests createGuest findGuest listSubscribers
    createSubscriber listTicketOrders listWaitlist listLeads createLead createTask createCampaign composeCampaign
    testCampaign sendCampaign cancelCampaign listWebhooks createWebhook deleteWebhook testWebhook createHook deleteHook`,
  events: `reservation.created reservation.updated reservation.cancelled guest.created subscriber.added
    subscriber.unsubscribed ticket_order.paid ticket_order.refunded waitlist.added waitlist.seated lead.created`,
  reasons: `in-the-past closed outside-hours blocked same-day-cutoff party-too-small party-too-large too-short-notice
    too-far-ahead after-last-arrival not-a-seating-time pacing-covers-full pacing-parties-full outcome-unknown
    still-processing different-body api-key-required no-test-address no-test-send no-recipients count-changed plan-limit
    checklist-blocked list-unreliable campaign-closed already-sending`,
  headers: 'X-Request-Id RateLimit-Limit RateLimit-Remaining RateLimit-Reset Retry-After Idempotent-Replayed',
}

/** The fields that its records began with; those of the feed, those it had before others came. */
const firstFields: Readonly<Record<string, string>> = {
  Reservation: `id guestName email phone partySize date time durationMinutes status source bookingType notes floorStage
    createdAt checkedInAt cancelledAt cancelledBy updatedAt`,
  Guest: `id name email phone seatingPreference referralSource visitCount noShowCount cancellationCount lastVisitDate
    createdAt updatedAt`,
  Subscriber: `id email firstName status source birthMonth birthDay consentAt confirmedAt unsubscribedAt createdAt updatedAt`,
  TicketOrder: `id orderNumber status channel paymentMethod buyerFirstName buyerLastName buyerEmail buyerPhone eventName
    occurrenceTitle eventDate eventStartTime subtotalCents discountCents feeCents taxCents totalCents refundedCents total
    refunded promoCode marketingOptIn paidAt createdAt updatedAt`,
  WaitlistEntry: `id guestName email phone partySize date requestedTime windowStart windowEnd status source notes
    quotedMinutes quotedAt pagedAt seatedAt leftAt createdAt updatedAt`,
  Lead: `id contactName contactEmail contactPhone eventName occasion date guestCount budgetPerPerson diningStyle
    dietaryNeeds stage priority notes submittedVia submittedAt createdAt updatedAt`,
  Task: 'id title due priority category client done',
  Campaign: `id restaurantId name subject preheader bodyHtml bodyText bodyFormat segment status scheduledAt startedAt
    finishedAt testSentAt createdBy recipientsTotal sentCount failedCount lastError sendHoldUntil eventId seriesKey
    seriesStep seriesTotal createdAt updatedAt`,
  WebhookEndpoint:
    'id url events status disabledReason failureCount lastDeliveryAt lastDeliveryStatus createdAt',
  NewWebhookEndpoint: 'id url events status createdAt secret',
  EventItem: 'eventId event names occurredAt record changed data',
}
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))
const began = (kind: keyof typeof first): ReadonlySet<string> => wordsOf(first[kind])

describe('the growth of version 1', () => {
  let service: TestService
  let venue: TestVenue
  before(async () => {
    service = await startService()
    venue = await service.venue()
  })
  after(() => service.stop())

  const namesOf = (growth: Growth['growth']): string[] =>
    changelog()
      .filter((one) => one.growth === growth)
      .map(({ name }) => name)
      .toSorted()

  it('the changelog is what the rows say, and needs no key', async () => {
    const { status, text, headers } = await service.call('GET', '/api/v1/changelog')
    const told = JSON.parse(text) as Growth[]
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
    assert.deepEqual(told, changelog())
    for (const entry of told) {
      assert.deepEqual(Object.keys(entry), ['date', 'growth', 'name', 'what'])
      assert.match(entry.date, /^\d{4}-\d{2}-\d{2}$/)
      assert.match(entry.what, /\.$/, JSON.stringify(entry))
    }
    const dates = told.map(({ date }) => date)
    assert.deepEqual(dates, dates.toSorted().toReversed())
  })

  it('and everything version 1 did not begin with is in it', () => {
    const rows: readonly Endpoint[] = Object.values(endpoints)
    assert.deepEqual(
      namesOf('endpoint'),
      rows
        .filter(({ id }) => !began('endpoints').has(id))
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted(),
    )
    assert.deepEqual(
      namesOf('event'),
      Object.keys(events)
        .filter((name) => !began('events').has(name))
        .toSorted(),
    )
    assert.deepEqual(
      namesOf('reason'),
      Object.keys(reasons)
        .filter((reason) => !began('reasons').has(reason))
        .toSorted(),
    )
    const { components } = openApiDocument() as { components: { headers: object } }
    assert.deepEqual(
      namesOf('header'),
      [
        ...Object.keys(components.headers).filter((name) => !began('headers').has(name)),
        'Accept',
        'If-Match',
        'If-None-Match',
      ].toSorted(),
    )
    assert.deepEqual(
      namesOf('field'),
      records
        .map(nodeOf)
        .flatMap(({ title, properties = {} }) => {
          const known = firstFields[title as string]
          const began = known === undefined ? undefined : wordsOf(known)
          return Object.keys(properties).flatMap((field) =>
            began?.has(field) === false ? [`${title}.${field}`] : [],
          )
        })
        .toSorted(),
    )
    assert.ok(namesOf('word').includes('GET /api/v1/reservations?updatedSince'))
    assert.ok(!namesOf('word').some((name) => /[?](?:limit|since)$|changes/.test(name)))
  })

  it('an endpoint that is to go says so in three headers, and its bodies stay', async () => {
    const deprecated = {
      at: '2027-01-01T00:00:00Z',
      sunset: '2028-01-01T00:00:00Z',
      successor: '/api/v2/guests',
    }
    const { context } = service
    const app = httpServer(context.log)
    const parts = {
      context,
      checkKey: keyCheck(context),
      gate: openGate({ places: 1, waitMs: 60_000 }),
      detailsMs: 60_000,
    }
    for (const route of guestRoutes)
      serve(app, parts, { ...route, endpoint: { ...route.endpoint, deprecated } })
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    try {
      for (const name of ['Maya', 'Ben']) {
        await rowsOf(
          service,
          'insert into guest (venue_id, name, created_at, updated_at) values ($1, $2, $3, $3)',
          [venue.id, name, context.clock().toString()],
        )
      }
      for (const [path, key, status] of [
        ['/api/v1/guests?limit=1', venue.key, 200],
        ['/api/v1/guests?limit=0', venue.key, 400],
        ['/api/v1/guests/find?email=maya@example.com', venue.key, 200],
        ['/api/v1/guests', 'nonsense', 401],
      ] as const) {
        const marked = await fetch(`${address}${path}`, { headers: { 'x-service-key': key } })
        const plain = await service.call('GET', path, { key })
        assert.equal(marked.status, status)
        assert.equal(await marked.text(), plain.text)
        assert.equal(marked.headers.get('deprecation'), '@1798761600')
        assert.equal(marked.headers.get('sunset'), 'Sat, 01 Jan 2028 00:00:00 GMT')
        const links = marked.headers.get('link')?.split(', ') ?? []
        assert.equal(links[0], '</api/v2/guests>; rel="successor-version"')
        // A list that goes on says that, too.
        assert.equal(links[1], plain.headers.get('link') ?? undefined)
        assert.equal(plain.headers.get('deprecation'), null)
      }
    } finally {
      await app.close()
    }
  })

  it('and no endpoint is to go now', () => {
    const rows: readonly Endpoint[] = Object.values(endpoints)
    assert.deepEqual(
      rows.filter(({ deprecated }) => deprecated).map(({ id }) => id),
      [],
    )
  })
})
