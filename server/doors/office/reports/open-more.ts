import type { DocumentRules } from '../../../book/rules/booking-rules.ts'
import { bucketOf, limitsAt } from '../../../book/rules/placement.ts'
import { placeInBook } from '../../../book/rules/resolve-service.ts'
import { allBookingRules, readRules } from '../../../book/rules/rules-store.ts'
import { arrivalsBetween } from '../../../book/day/arrivals-reads.ts'
import { loadFromArrivals } from '../../../book/day/load.ts'
import {
  type Asking,
  type Fit,
  partiesBeside,
  wouldFit,
} from '../../../book/reservations/availability/would-fit.ts'
import { setSlotCovers } from '../../../book/rules/tonight.ts'
import { partiesRefusedAfter } from '../../../data/reports/demand/demand-reads.ts'
import { counted } from '../../../data/reports/in-words.ts'
import type { Bucket } from '../../../book/day/facts.ts'
import type { PartyRow } from '../../../book/day/party-reads.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { shortDayInWords, minuteInWords, numberInWords } from '../../../platform/kernel/time/in-words.ts'
import { badRequest, refuse } from '../../../platform/kernel/refusal.ts'
import { type LocalDate, readDate } from '../../../platform/kernel/time/written-time.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go } from '../frame/page.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { addressOf } from '../parts/pager.ts'
import { periodIn, placeOf } from './period.ts'
import type { Shown } from './picture.ts'
import { home } from './shown-page.ts'
import { hiddenFields, wholeNumberIn } from '../parts/forms/fields.ts'

/*
 * What can be done about guests who were refused: a slot of a day to come that still has no room takes more of them. It is the
 * press of the evening's own page (service/tonight-routes.ts), of a day that is not there yet.
 */

export const openMorePath = '/office/reports/open-more'

type Offer = Fit & {
  readonly slot: Bucket
  readonly cap: number
  /** Guests who have a place in the slot as of now. */
  readonly booked: number
  /** Guests of all parties that were refused then, and that would be refused now; at the most, where a class of sizes is known. */
  readonly asked: number
  readonly isExact: boolean
}

/** Slots that are offered at a time, guests added at a press, days looked ahead, and full slots that are looked at. */
const mostOffers = 3
const mostMore = 12
const daysAhead = 60
const mostLooked = 8

/**
 * The slots of days to come for which most guests were refused, and which would refuse them now: what was cancelled since has
 * made room. None that somebody has set for that day already. What is offered is what a booking would then be granted: where
 * tables are short, or parties are counted, more guests for a slot help nobody, and that is said.
 */
export const openMorePart = async (
  work: OfficeWork,
  rules: DocumentRules,
  { today, days, shownPeriod, isFullWeekly }: OfPage,
): Promise<Shown['openMore']> => {
  const { db, venue } = work
  const at = work.now()
  const refused = await partiesRefusedAfter(db, venue.id, { after: today, days: daysAhead })
  const parties = refused.flatMap(slotOfRow(rules))
  const slots = await fullSlots(work, parties)
  // Of a time that is full every week, room so long before says nothing.
  if (slots.length === 0) return parties.length === 0 || isFullWeekly ? undefined : { all: roomAgain }
  const read = await readRules(db, venue)
  const partiesOn = new Map<LocalDate, readonly PartyRow[]>()
  const offers: Offer[] = []
  const short: Offer[] = []
  for (const { slot, cap, load, asking } of slots.slice(0, mostLooked)) {
    if (offers.length === mostOffers) break
    const asked = asking.reduce((sum, { size, parties }) => sum + size * parties, 0)
    const date = slot.serviceDate
    const around = read.around(date)
    // Most of them are of one evening, whose parties are read once.
    const beside = partiesOn.get(date) ?? (await partiesBeside(db, venue.id, around, { date, now: at }))
    partiesOn.set(date, beside)
    const fit = wouldFit(around, at, { slot, booked: load, most: mostMore, beside }, asking)
    const isExact = asking.every(({ least, size }) => least === size)
    const offer = { ...fit, slot, cap, booked: load.covers, asked, isExact }
    if (fit.parties > 0) offers.push(offer)
    else if (shortOf(fit).length > 0) short.push(offer)
  }
  if (offers.length + short.length === 0) return undefined
  // A report of the past is no place to begin with a day to come.
  offers.sort((one, other) => other.guests - one.guests)
  const ofPage = offers.find(
    ({ slot: { serviceDate } }) => serviceDate >= days.from && serviceDate <= days.to,
  )
  return {
    ...(ofPage && { first: { press: formOf(ofPage, { ...shownPeriod, on: 'top' }), guests: ofPage.guests } }),
    all: html`<div class="press-only">
    <p class="small soft">On days to come, these times have no room for guests who asked:</p>
    ${offers.map((offer) => formOf(offer, shownPeriod))}
    ${short.slice(0, mostOffers).map(shortInWords)}
  </div>`,
  }
}

/** Why nothing is offered: somebody who reads that Saturdays were full would look for it. */
const roomAgain = html`<p class="small soft press-only">On days to come, the times for which guests were turned away have room again.</p>`

/** The slots that have no room now for some who asked, and these: what was cancelled since has made room in most. */
const fullSlots = async ({ db, venue, now }: OfficeWork, parties: readonly Party[]) => {
  const dates = parties.map(({ slot }) => slot.serviceDate).toSorted((a, b) => (a < b ? -1 : 1))
  const [first, last] = [dates[0], dates.at(-1)]
  if (first === undefined || last === undefined) return []
  const loadOf = loadFromArrivals(await arrivalsBetween(db, venue.id, first, last, { now: now() }))
  return [...Map.groupBy(parties, ({ key }) => key).values()].flatMap((ofSlot) => {
    const [{ slot, cap } = {}] = ofSlot
    if (!slot || cap === undefined) return []
    const load = loadOf(slot)
    const asking = ofSlot.filter(({ least }) => load.covers + least > cap)
    return asking.length === 0 ? [] : { slot, cap, load, asking }
  })
}

/** What is short where the slot itself would take them: tables, or the number of parties at a time. */
const shortOf = ({ refused }: Pick<Fit, 'refused'>): readonly string[] =>
  (
    [
      ['tables-full', 'there is no table for them'],
      ['pacing-parties-full', 'it takes no more parties'],
    ] as const
  ).flatMap(([reason, words]) => (refused.has(reason) ? [words] : []))

/** "6 guests", "up to 8 guests": parties of 7 and of 8 are counted together. */
const guestsWho = (count: number, { isExact }: Pick<Offer, 'isExact'>): string =>
  `${isExact ? '' : 'up to '}${counted(count, 'guest')}`

const shortInWords = ({ slot: { serviceDate, fromMinute }, ...offer }: Offer): Html =>
  html`<p class="small">${minuteInWords(fromMinute)} on ${shortDayInWords(serviceDate)}: ${guestsWho(offer.asked, offer)} who asked did not fit, and opening it for more would not help: ${shortOf(offer).join(', and ')}.</p>`

type OfPage = {
  readonly today: LocalDate
  /** The days of the report. */
  readonly days: { readonly from: LocalDate; readonly to: LocalDate }
  readonly shownPeriod: Record<string, string>
  /** Whether the limit of a time that is full in most weeks is advised. */
  readonly isFullWeekly: boolean
}

/** It asks once: what is pressed first only says the numbers. */
const formOf = (offer: Offer, shownPeriod: Record<string, string>): Html => {
  const { slot, cap, booked, parties, guests, asked, refused } = offer
  const { serviceDate, fromMinute, toMinute } = slot
  const covers = booked + guests
  const without = refused.get('tables-full') ?? 0
  return html`<details class="press-only asks-once">
          <summary>Open ${minuteInWords(fromMinute)} on ${shortDayInWords(serviceDate)} for ${counted(guests, 'more guest')}</summary>
          <form method="post" action="${openMorePath}">
            ${hiddenFields({ date: serviceDate, slot: fromMinute, seen: cap, covers, ...shownPeriod })}
            <p>${numberInWords(booked)} of ${counted(cap, 'guest')} are booked for these ${toMinute - fromMinute} minutes, and ${guestsWho(asked, offer)} who asked did not fit. With this, up to ${counted(covers, 'guest')} may come, so ${counted(parties, 'party', 'parties')} of those who asked could book.${without > 0 && ` For ${guestsWho(without, offer)} of the others there is no table.`}</p>
            <button>Take up to ${counted(covers, 'guest')}</button>
          </form>
        </details>`
}

type RefusedRow = Awaited<ReturnType<typeof partiesRefusedAfter>>[number]

/** A party of a class of sizes is taken for the largest it may be: who is told that there is room gets it. */
type Party = Asking & {
  readonly key: string
  readonly slot: Bucket
  readonly cap: number
  readonly least: number
}

/** The slot that a refused party asked for, if it has a limit that nobody has set for that day. */
const slotOfRow =
  (rules: DocumentRules) =>
  ({ service_date: serviceDate, service_minute: serviceMinute, least, most, parties }: RefusedRow) => {
    const place = placeInBook(rules, { serviceDate, serviceMinute })
    const slot = bucketOf(rules, place)
    if (!slot || isSet(rules, slot)) return []
    const { pacing, maxParty } = limitsAt(rules, place.period, slot)
    const cap = pacing.maxCovers
    if (cap === null) return []
    // Larger parties than the venue takes online were refused for their size.
    const size = Math.max(least, Math.min(most, maxParty ?? most))
    return { key: `${serviceDate} ${slot.fromMinute}`, slot, cap, serviceMinute, least, size, parties }
  }

const isSet = ({ pacingExceptions }: Pick<DocumentRules, 'pacingExceptions'>, slot: Bucket): boolean =>
  pacingExceptions.some(
    ({ serviceDate, fromMinute }) => serviceDate === slot.serviceDate && fromMinute === slot.fromMinute,
  )

/** The press, and its undo, which takes the slot back to what its hours say. */
export const openMore = async (work: OfficeWork, form: Form): Promise<PageAnswer> => {
  const shownPeriod = periodIn(form)
  const back = `${addressOf(home, shownPeriod)}#${placeOf(form, 'refused')}`
  const serviceDate = readDate(form.text('date'))
  const fromMinute = wholeNumberIn(form.text('slot'))
  const seen = wholeNumberIn(form.text('seen'))
  const covers = form.text('covers') === 'usual' ? null : wholeNumberIn(form.text('covers'))
  if (serviceDate === undefined || fromMinute === undefined || covers === undefined || seen === undefined)
    throw badRequest('This form is incomplete; open the page again.')
  const slot = { serviceDate, fromMinute }
  const rules = await allBookingRules(work.db, work.venue.id)
  const { period } = placeInBook(rules, { serviceDate, serviceMinute: fromMinute })
  if (!period) throw badRequest('There is no longer a service at that time.')
  if (limitsAt(rules, period, slot).pacing.maxCovers !== seen)
    throw refuse('not-in-state', 'What that time takes was changed meanwhile; look at the report again.')
  await setSlotCovers(work, actorOf(work.me), slot, covers)
  const what = `${minuteInWords(fromMinute)} on ${shortDayInWords(serviceDate)}`
  return covers === null
    ? go(back, `${what} takes what it took before.`)
    : go(
        back,
        `${what} takes ${counted(covers, 'guest')} now: ${numberInWords(seen)} → ${numberInWords(covers)}.`,
        {
          to: openMorePath,
          fields: {
            ...{ date: serviceDate, slot: String(fromMinute) },
            ...{ seen: String(covers), covers: 'usual', ...shownPeriod },
            ...(form.has('on') && { on: form.text('on') }),
          },
        },
      )
}
