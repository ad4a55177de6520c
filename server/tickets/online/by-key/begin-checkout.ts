import { randomUUID } from 'node:crypto'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { askTable, termsNow } from '../../../book/reservations/guarantee/ask-table.ts'
import type { ExperienceChosen } from '../../../book/day/book-row.ts'
import type { When } from '../../../book/day/when.ts'
import { type AskedTerms, offersNow } from '../../../book/reservations/guarantee/open-experiences.ts'
import { nothingSaid } from '../../../book/reservations/guest/guest-booking.ts'
import { type HoldId, holdById } from '../../../book/reservations/holds/hold-reads.ts'
import { fullyBooked, notOffered } from '../../../book/reservations/rules/experience.ts'
import { whenHeld } from '../../../book/reservations/holds/holds.ts'
import type { BookingRules } from '../../../book/rules/booking-rules.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { openAccount } from '../../../core/money/account-store.ts'
import { type CheckoutRow, checkoutById } from '../../../core/money/checkout-store.ts'
import { venueCurrency } from '../../../core/money/venue-currency.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import { type GuestSettings, isListed } from '../../../core/venue/guest-settings-rules.ts'
import { type VenueRow, venueOfId } from '../../../core/venue/venues.ts'
import type { Work } from '../../../context.ts'
import type { GuestLanguage } from '../../../platform/kernel/guest-language.ts'
import { moneyOf } from '../../../platform/kernel/money.ts'
import { inBody } from '../../../platform/kernel/problem.ts'
import { type Refusal, badRequest, notFound, refuse } from '../../../platform/kernel/refusal.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { dateById } from '../../date-reads.ts'
import type { SoldOccurrence } from '../../event-reads.ts'
import { type WhyNot, askTickets } from '../ask-tickets.ts'
import type { CheckoutAsked, TableWanted, TicketsAsked } from './read-checkout.ts'

/*
 * A payment that software begins on the venue's own site. Nothing is asked of the processor here: the guest is led to our
 * page, whose button does that. So the answer is whole in one transaction, also while the processor is away.
 */

/** What guests read of it, in the venue's language. */
export type CheckoutWords = {
  /** What is paid for, as the processor's page calls it. */
  readonly ofTickets: (speaking: Speaking, date: SoldOccurrence, seats: number) => string
  /** Of a table also the sentence that its guest agrees to. */
  readonly ofTable: (
    speaking: Speaking,
    terms: AskedTerms,
    date: LocalDate,
    /** What was chosen with it, by its name. */
    experience: string | undefined,
  ) => { readonly title: string; readonly sentence: string }
}

export type Speaking = {
  readonly venue: VenueRow
  readonly language: GuestLanguage
  readonly now: Temporal.Instant
}

/** Begins one for the guest of a key. Refused as at the venue's own door, and for a site that the venue has not listed. */
export const beginCheckout = async (
  work: Work,
  words: CheckoutWords,
  key: number,
  { returnUrl, ...asked }: CheckoutAsked,
): Promise<CheckoutRow> => {
  const { db } = work
  const venue = await venueOfId(db, work.venue.id)
  if (!venue) throw notFound('venue')
  const { settings } = await guestSettingsOf(db, venue.id)
  mustBeListed(settings, returnUrl)
  const begun = {
    speaking: { venue, language: settings.language, now: work.now() },
    words,
    by: { key, returnUrl: returnUrl.href },
  }
  const made =
    asked.what === 'tickets' ? await beginTickets(work, asked, begun) : await beginTable(work, asked, begun)
  return (await checkoutById(db, venue.id, made)) as CheckoutRow
}

const mustBeListed = (settings: GuestSettings, { origin }: URL): void => {
  if (isListed(settings, origin)) return
  throw badRequest(
    `${origin} is not on the list of this venue's sites; it is kept in the office under Settings, Guest pages.`,
    inBody('returnUrl', 'not-an-address'),
  )
}

type Begun = {
  readonly speaking: Speaking
  readonly words: CheckoutWords
  readonly by: { readonly key: number; readonly returnUrl: string }
}

const beginTickets = async (
  work: Work,
  { what: _, ...asked }: TicketsAsked,
  { speaking, words, by }: Begun,
): Promise<number> => {
  const { venue, language } = speaking
  const date = await dateById(work.db, venue.id, asked.occurrenceId, work.now())
  if (!date) throw notFound('date')
  const title = words.ofTickets(speaking, date, asked.seats)
  const outcome = await askTickets(work, venue.country, { ...asked, language, title, by })
  if (outcome.kind === 'checkout') return outcome.checkout
  if (outcome.kind === 'refused') throw refusalOf(outcome.not)
  throw new Error('tickets were sold without a checkout')
}

const beginTable = async (
  work: Work,
  { place, guestName, email, phone, notes, experience: key }: TableWanted,
  { speaking, words, by }: Begun,
): Promise<number> => {
  const { db } = work
  const { venue, language } = speaking
  const wanted = 'hold' in place ? await heldPlace(work, place.hold) : place
  if (venueCurrency(venue) === undefined || !(await openAccount(db, venue.id))) throw paymentsOff()
  const rules = await bookingRulesAround(db, work.venue, wanted.date)
  const experience = await chosenExperience(work, venue.country, rules, wanted, key)
  const terms = await termsNow(work, venue.country, rules, { ...wanted, experience: experience?.key })
  if (!terms) throw nothingAsked()
  const made = await askTable(work, {
    request: {
      ...wanted,
      ...{ guestName, email, phone, notes, experience },
      said: { ...nothingSaid, language, formToken: randomUUID() },
    },
    terms,
    ...words.ofTable(speaking, terms, wanted.date, experience?.name),
    language,
    // A name of its own: a key may have more checkouts than holds.
    by: { holder: `checkout:${randomUUID()}`, formerly: [] },
    begun: by,
  })
  if (made === undefined) throw tooMany()
  return made
}

/**
 * What goes with a table, as at the venue's own door: the only thing that is offered, if that asks nothing, else what was
 * chosen. Undefined: nothing is offered.
 */
const chosenExperience = async (
  work: Work,
  country: string,
  rules: BookingRules,
  wanted: When & { readonly partySize: number; readonly hold?: HoldId },
  key: string | undefined,
): Promise<ExperienceChosen | undefined> => {
  const known = rules.experiences.find((one) => one.key === key)
  if (key !== undefined && !known)
    throw badRequest(`The venue has no experience with the key ${key}.`, inBody('experience', 'not-a-word'))
  const own = wanted.hold === undefined ? undefined : { hold: wanted.hold }
  const offers = await offersNow(work, country, rules, { ...wanted, own })
  const [only, ...others] = offers
  const free = only && others.length === 0 && !only.terms ? only : undefined
  const chosen = known ? offers.find(({ experience }) => experience.key === known.key) : free
  if (!chosen && !known && offers.length > 0)
    throw badRequest(
      `Send experience: one of ${offers.map(({ experience }) => experience.key).join(', ')}.`,
      inBody('experience', 'missing'),
    )
  const name = known?.name ?? chosen?.experience.name
  if (name !== undefined && (!chosen || chosen.isFull))
    throw refuse('experience-full', chosen ? fullyBooked(name, wanted.date) : notOffered(name))
  return chosen && { key: chosen.experience.key, name: chosen.experience.name }
}

/** The place that a hold keeps: it is given up for that of the checkout. */
const heldPlace = async ({ db, venue }: Work, hold: HoldId) => {
  const row = await holdById(db, venue.id, hold)
  if (!row || row.waitlist_entry_id !== null) throw notFound('hold')
  return { ...whenHeld(row), partySize: row.party_size, hold }
}

const nothingAsked = (): Refusal =>
  refuse(
    'nothing-to-secure',
    'The venue asks for no card and no deposit at that time; request the reservation instead.',
  )

const refusalOf = (not: WhyNot): Refusal => {
  switch (not.why) {
    case 'gone':
      return notFound('date')
    case 'closed':
      return refuse('sale-closed', 'Tickets for this date are not sold online now.')
    case 'code':
      return refuse('promo-code-invalid', 'That code does not exist, or does not apply to this order.')
    case 'full':
      return refuse('seats-full', left(not.left))
    case 'many':
      return tooMany()
    case 'free':
      return refuse('nothing-to-secure', 'There is nothing to pay; order the tickets without a checkout.')
    case 'small':
      return refuse(
        'amount-too-small',
        `Less than ${moneyOf(not.leastCents, not.currency)} cannot be paid by card.`,
      )
    case 'seats':
      return badRequest(
        `One order may have 1 to ${not.most} tickets of this event.`,
        inBody('seats', 'out-of-range'),
      )
    default:
      return paymentsOff()
  }
}

const left = (seats: number): string => {
  if (seats === 0) return 'This date is sold out.'
  return seats === 1 ? 'There is only 1 seat left.' : `There are only ${seats} seats left.`
}

const tooMany = (): Refusal => refuse('too-many-holds', endpoints.createCheckout.sentences['too-many-holds'])

const paymentsOff = (): Refusal => refuse('payments-off', 'This venue takes no payments online yet.')
