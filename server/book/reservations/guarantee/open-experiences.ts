import { openAccount } from '../../../core/money/account-store.ts'
import { leastCoin } from '../../../core/money/currency.ts'
import { currencyIn } from '../../../core/money/venue-currency.ts'
import type { Work } from '../../../context.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { takenBetween } from '../../day/experience-reads.ts'
import type { Own } from '../../day/own-place.ts'
import type { When } from '../../day/when.ts'
import type { BookingRules } from '../../rules/booking-rules.ts'
import type { Experience } from '../../rules/experiences/written-experience.ts'
import { type Terms, termsOfExperience } from '../../rules/guarantee-asked.ts'
import { experiencesFor } from '../../rules/experiences/experiences.ts'
import { type Place, resolveService } from '../../rules/resolve-service.ts'
import { isPayable } from './payable.ts'

/*
 * Which experiences a guest can choose with a time. Where some fit, one of them is booked; one that asks for a card or for
 * money is offered only while that can be asked for. Nothing is locked here: whoever books is judged again.
 */

export type OfferedExperience = {
  readonly experience: Experience
  /** What it asks of such a party; undefined: nothing, and then a row of the venue's may still. */
  readonly terms: AskedTerms | undefined
  /** As many parties have it that evening as may. */
  readonly isFull: boolean
}

export type AskedTerms = Terms & { readonly currency: string; readonly account: string }

type Asked = {
  readonly place: Pick<Place, 'serviceDate' | 'period'>
  readonly startsAt: Temporal.Instant
  readonly partySize: number
}
type OffersAt = (asked: Asked) => readonly OfferedExperience[]

/** Whether there is something to choose, and none of it left: nobody books a table without any of it then. */
export const areSoldOut = (offers: readonly OfferedExperience[]): boolean =>
  offers.length > 0 && offers.every(({ isFull }) => isFull)

/** Whether there is something to choose, and all that is left of it has to be secured: no table is booked without then. */
export const allAsk = (offers: readonly OfferedExperience[]): boolean =>
  offers.length > 0 && offers.every(({ isFull, terms }) => isFull || terms !== undefined)

/** What the one that is left and asks for the least does, where no table is booked without one that asks; undefined: elsewhere. */
export const leastAsked = (offers: readonly OfferedExperience[]): AskedTerms | undefined => {
  if (!allAsk(offers)) return undefined
  const left = offers.flatMap(({ isFull, terms }) => (isFull || !terms ? [] : [terms]))
  return left.toSorted((one, other) => one.amountCents - other.amountCents)[0]
}

/** What is offered at any time of these evenings, by two statements at the most; by none where the venue has no experiences. */
export const readOffers = async (
  { db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>,
  country: string,
  { experiences }: Pick<BookingRules, 'experiences'>,
  { from, to, own }: { readonly from: LocalDate; readonly to: LocalDate; readonly own?: Own | undefined },
): Promise<OffersAt> => {
  if (experiences.length === 0) return () => []
  const currency = await currencyIn(db, venue.id, country)
  const [account, taken] = [
    experiences.some(({ asks }) => asks !== 'nothing') ? await openAccount(db, venue.id) : undefined,
    experiences.some(({ mostPerEvening }) => mostPerEvening !== null)
      ? await takenBetween(db, venue.id, { from, to, now: now(), own })
      : [],
  ]
  const termsNow = (one: Experience, asked: Asked): AskedTerms | undefined => {
    if (account === undefined || currency === undefined) return undefined
    const terms = termsOfExperience(one, asked, leastCoin(currency))
    return terms && isPayable(terms.amountCents, currency)
      ? { ...terms, currency, account: account.id }
      : undefined
  }
  const isFull = ({ key, mostPerEvening: most }: Experience, { place }: Asked): boolean =>
    most !== null &&
    (taken.find((one) => one.key === key && one.date === place.serviceDate)?.taken ?? 0) >= most
  return (asked) => {
    const { serviceDate, period } = asked.place
    const fitting = { serviceDate, service: period?.name ?? null, partySize: asked.partySize }
    return experiencesFor({ experiences }, fitting).flatMap((experience) => {
      const terms = termsNow(experience, asked)
      return experience.asks !== 'nothing' && !terms
        ? []
        : [{ experience, terms, isFull: isFull(experience, asked) }]
    })
  }
}

/** What is offered at one time, by the rules around it. */
export const offersNow = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  country: string,
  rules: BookingRules,
  { partySize, own, ...when }: When & { readonly partySize: number; readonly own?: Own | undefined },
): Promise<readonly OfferedExperience[]> => {
  if (rules.experiences.length === 0) return []
  const place = resolveService(rules, when)
  const { serviceDate } = place
  const offersAt = await readOffers(work, country, rules, { from: serviceDate, to: serviceDate, own })
  return offersAt({ place, startsAt: when.startsAt, partySize })
}
