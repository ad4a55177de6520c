import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { leadStages } from '@venue-data/contract/records/lead.ts'
import { reservationSources, reservationStatuses } from '@venue-data/contract/records/reservation.ts'
import { subscriberStatuses } from '@venue-data/contract/records/subscriber.ts'
import { ticketOrderStatuses } from '@venue-data/contract/records/ticket-order.ts'
import { waitlistStatuses } from '@venue-data/contract/records/waitlist-entry.ts'
import { emailKey, isEmailAddress } from '../platform/kernel/email.ts'
import { phoneKey } from '../platform/kernel/phone/phone.ts'
import { readWhen } from '../book/day/when.ts'
import { emptyDayAt } from '../book/day/day.ts'
import { evaluate } from '../book/reservations/rules/evaluate.ts'
import { bucketOf, limitsOf } from '../book/rules/placement.ts'
import { resolveService } from '../book/rules/resolve-service.ts'
import type { DemoBooking } from './guest-book.ts'
import { type DemoPlan, demoSeed, planDemo } from './plan.ts'
import { demoZone } from './venue-time.ts'

/** A Friday evening in the middle of dinner. */
const fridayEvening = '2026-11-21T00:40:00Z'
/** Moments a demo may be made at: closed, after midnight, on nights the clocks change, on holidays. */
const moments = [
  '2026-11-23T12:30:00Z',
  '2026-03-08T06:59:00Z',
  '2026-11-01T05:30:00Z',
  '2026-12-25T15:00:00Z',
  '2027-01-01T05:20:00Z',
  '2027-02-15T02:00:00Z',
  '2028-02-29T18:00:00Z',
]

const planAt = (moment: string, scale: number, seed = demoSeed): DemoPlan =>
  planDemo({ now: Temporal.Instant.from(moment), seed, scale })

const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms)

describe('the plan of the demo', () => {
  let full: DemoPlan
  let plans: readonly (readonly [moment: string, plan: DemoPlan])[]
  before(() => {
    full = planAt(fridayEvening, 1)
    plans = [[fridayEvening, full], ...moments.map((moment) => [moment, planAt(moment, 0.08)] as const)]
  })

  it('has a year of a restaurant: 12,000 bookings, 4,000 guests, 1,500 subscribers, 600 orders, 120 leads', () => {
    assert.ok(full.bookings.length > 11_500 && full.bookings.length < 12_500, String(full.bookings.length))
    assert.equal(full.guests.length, 4_000)
    assert.equal(full.mailing.subscribers.length, 1_500)
    assert.equal(full.orders.length, 600)
    assert.equal(full.leads.length, 120)
    assert.ok(full.waitlist.length > 300 && full.tasks.length >= 40)
    const toCome = full.bookings.filter(({ startsAt }) => instant(startsAt).toString() > fridayEvening)
    assert.ok(toCome.length > 200, 'the coming weeks are booked')
  })

  it('has every status, source, stage and state, whenever it is made', () => {
    for (const [moment, plan] of plans) {
      const has = (found: readonly string[], wanted: readonly string[]) =>
        assert.deepEqual([...new Set(found)].toSorted(), wanted.toSorted(), moment)
      has(
        plan.bookings.map(({ state }) => state.status),
        reservationStatuses,
      )
      has(
        plan.bookings.map(({ source }) => source),
        reservationSources,
      )
      has(
        plan.mailing.subscribers.map(({ status }) => status),
        subscriberStatuses,
      )
      has(
        plan.waitlist.map(({ state }) => state.status),
        waitlistStatuses,
      )
      has(
        plan.leads.map(({ stage }) => stage),
        leadStages,
      )
      assert.ok(
        plan.orders.some(({ status }) => status === 'paid_unconfirmed'),
        moment,
      )
    }
    assert.deepEqual(
      [...new Set(full.orders.map(({ status }) => status))].toSorted(),
      ticketOrderStatuses.toSorted(),
    )
  })

  it('is the same for the same seed and moment, and another for another seed', () => {
    const hashOf = (plan: DemoPlan) => createHash('sha256').update(JSON.stringify(plan)).digest('hex')
    const first = hashOf(planAt(fridayEvening, 0.05))
    assert.equal(hashOf(planAt(fridayEvening, 0.05)), first)
    assert.notEqual(hashOf(planAt(fridayEvening, 0.05, demoSeed + 1)), first)
  })

  it('places every booking in the service of its time, and no guest booked what the rules refuse', () => {
    for (const [, { bookings, rules }] of plans) {
      for (const booking of bookings) {
        const { date, time, partySize, createdAt, startsAt, source } = booking
        const clock = instant(createdAt)
        const when = readWhen({ date, time, startsAt: undefined }, demoZone, clock)
        assert.equal(when.startsAt.epochMilliseconds, startsAt, `${date} ${time}`)
        const place = resolveService(rules, booking)
        assert.ok(place.period, `${date} ${time} lies in no service`)
        assert.deepEqual(
          [place.serviceDate, place.serviceMinute, place.period.name],
          [booking.serviceDate, booking.serviceMinute, booking.bookingType],
        )
        if (source !== 'public' && source !== 'automation') continue
        const answer = evaluate(emptyDayAt(rules, place), clock, { ...when, partySize, door: 'online' })
        assert.ok(answer.ok, `${date} ${time}: ${answer.ok || answer.refusal.sentence}`)
        assert.equal(answer.placement.durationMinutes, booking.durationMinutes)
      }
    }
  })

  it('keeps to the pacing of slots to come, except where staff squeezed somebody in', () => {
    for (const [moment, { bookings, rules }] of plans) {
      const slots = Map.groupBy(
        bookings.filter(
          ({ startsAt, state }) => instant(startsAt).toString() > moment && state.status !== 'Cancelled',
        ),
        (booking) => `${booking.serviceDate} ${bucketOf(rules, resolveService(rules, booking))?.fromMinute}`,
      )
      for (const [slot, parties] of slots) {
        if (parties.some(({ source }) => source === 'staff')) continue
        const { period } = resolveService(rules, parties[0] as DemoBooking)
        const covers = parties.reduce((sum, { partySize }) => sum + partySize, 0)
        assert.ok(covers <= (limitsOf(rules, period).pacing.maxCovers ?? 0), slot)
      }
    }
  })

  it('has nothing in the future, and each story in order', () => {
    for (const [moment, plan] of plans) {
      const now = Temporal.Instant.from(moment).epochMilliseconds
      for (const { state, ...booking } of plan.bookings) {
        const { createdAt, startsAt } = booking
        const { status, checkedInAt, seatedAt, completedAt, noShowAt, cancelledAt, updatedAt } = state
        const told = [createdAt, checkedInAt, seatedAt, completedAt, noShowAt, cancelledAt].filter(
          (at) => at !== null,
        )
        assert.ok(told.every((at) => createdAt <= at && at <= now))
        assert.equal(updatedAt, Math.max(createdAt, checkedInAt ?? 0, seatedAt ?? 0, cancelledAt ?? 0))
        assert.equal(cancelledAt !== null, status === 'Cancelled')
        assert.equal(state.cancelledBy !== null, status === 'Cancelled')
        assert.equal(noShowAt !== null, status === 'No-show')
        assert.equal(completedAt !== null, status === 'Completed')
        assert.equal(seatedAt !== null, status === 'Seated' || status === 'Completed')
        assert.ok(seatedAt === null || (checkedInAt !== null && checkedInAt <= seatedAt))
        assert.ok(noShowAt === null || noShowAt > startsAt)
        assert.ok(cancelledAt === null || cancelledAt < startsAt)
      }
      for (const { createdAt, updatedAt } of [
        ...plan.guests,
        ...plan.mailing.subscribers,
        ...plan.orders,
        ...plan.leads,
        ...plan.tasks,
        ...plan.waitlist.map(({ story, state }) => ({ ...story, ...state })),
      ]) {
        assert.ok(plan.beginning <= createdAt && createdAt <= updatedAt && updatedAt <= now, moment)
        assert.ok(Number.isInteger(createdAt) && Number.isInteger(updatedAt))
      }
      for (const { createdAt } of plan.mailing.suppressions) assert.ok(createdAt <= now)
    }
  })

  it('books every party under the guest that the matching would find', () => {
    for (const [, { guests, bookings, leads }] of plans) {
      const byEmail = new Map(
        guests.flatMap((guest) => (guest.email === null ? [] : [[emailKey(guest.email), guest]])),
      )
      const digits = (phone: string) => phoneKey(phone)?.digits.slice(-10)
      const byPhone = new Map(
        guests.flatMap((guest) => (guest.phone === null ? [] : [[digits(guest.phone), guest]])),
      )
      assert.equal(byEmail.size, guests.filter(({ email }) => email !== null).length, 'no address twice')
      assert.equal(byPhone.size, guests.filter(({ phone }) => phone !== null).length, 'no number twice')
      for (const { guest, email, phone, createdAt } of [
        ...bookings,
        ...leads.map((lead) => ({ ...lead, email: lead.contactEmail, phone: lead.contactPhone })),
      ]) {
        const found =
          (email !== null && byEmail.get(emailKey(email))) || (phone !== null && byPhone.get(digits(phone)))
        assert.equal(found || null, guest)
        assert.ok(!guest || guest.createdAt <= createdAt)
      }
    }
  })

  it('uses only addresses and numbers that belong to nobody', () => {
    const emails = [
      ...full.bookings.flatMap(({ email }) => email ?? []),
      ...full.guests.flatMap(({ email }) => email ?? []),
      ...full.mailing.subscribers.map(({ email }) => email),
      ...full.mailing.suppressions.map(({ email }) => email),
      ...full.orders.map(({ buyer }) => buyer.email),
    ]
    for (const email of emails) {
      assert.match(email, /@example\.(com|net|org)$/)
      assert.ok(isEmailAddress(email), email)
    }
    const phones = [...full.bookings, ...full.guests].flatMap(({ phone }) => phone ?? [])
    for (const phone of phones) assert.match(phone.replaceAll(/\D/g, ''), /^1?[2-9]\d{2}55501\d{2}$/)
  })

  it('keeps allergies to what staff know of a guest', () => {
    assert.ok(full.guests.some(({ allergies }) => /allerg/i.test(allergies ?? '')))
    for (const text of [
      ...full.bookings.map(({ notes }) => notes),
      ...full.leads.map(({ notes }) => notes),
    ]) {
      assert.doesNotMatch(text ?? '', /allerg|celiac|intoleran/i)
    }
  })

  it('adds up every ticket order and sells no seat twice', () => {
    const seats = new Map<object, number>()
    for (const order of full.orders) {
      const { subtotalCents, discountCents, feeCents, taxCents, totalCents, refundedCents, status, paidAt } =
        order
      assert.ok(
        [subtotalCents, discountCents, feeCents, taxCents].every(
          (cents) => Number.isInteger(cents) && cents >= 0,
        ),
      )
      assert.equal(totalCents, subtotalCents - discountCents + feeCents + taxCents)
      assert.equal(subtotalCents, order.seats * order.event.priceCents)
      if (status === 'refunded') assert.equal(refundedCents, totalCents)
      else if (status === 'partially_refunded') assert.ok(0 < refundedCents && refundedCents < totalCents)
      else assert.equal(refundedCents, 0)
      if (status === 'paid_unconfirmed') assert.equal(paidAt, null)
      else if (status !== 'cancelled') assert.ok(paidAt !== null && order.createdAt <= paidAt)
      if (status !== 'cancelled' && status !== 'refunded') {
        seats.set(order.occurrence, (seats.get(order.occurrence) ?? 0) + order.seats)
        assert.ok((seats.get(order.occurrence) ?? 0) <= order.event.capacity)
      }
    }
    assert.equal(new Set(full.orders.map(({ orderNumber }) => orderNumber)).size, full.orders.length)
  })
})
