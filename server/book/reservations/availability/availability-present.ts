import type { Availability, AvailabilityCheck } from '@venue-data/contract/records/availability.ts'
import { toMoment } from '../../../platform/kernel/time/moment.ts'
import { offsetFromUtc } from '../../../platform/kernel/time/venue-clock.ts'
import type { Checked, DayTimes, TimesFound } from './availability.ts'
import type { OffersOf } from './times-for-guests.ts'
import { type AskedTerms, leastAsked } from '../guarantee/open-experiences.ts'
import type { readTerms } from '../guarantee/terms-at.ts'
import type { BookingRefusal } from '../../day/facts.ts'
import type { When } from '../../day/when.ts'

/** What availability looks like from outside. Nothing is said of a slot but what its refusal says. */
export const presentAvailability = (
  { at, durationMinutes, days }: TimesFound,
  asked: { readonly partySize: number; readonly show: 'open' | 'all' },
  zone: string,
  shown: Shown,
): Availability => ({
  partySize: asked.partySize,
  timezone: zone,
  asOf: toMoment(at),
  days: days.map((day) => presentDay(day, durationMinutes, asked, shown)),
})

const presentDay = (
  { serviceDate, closed, slots }: DayTimes,
  durationMinutes: number,
  { partySize, show }: { readonly partySize: number; readonly show: 'open' | 'all' },
  { offersOf, termsAt }: Shown,
): Availability['days'][number] => ({
  date: serviceDate,
  closed: closed && { reason: closed.reason, sentence: closed.sentence },
  anyOpen: slots.some(({ evaluation }) => evaluation.ok),
  slots: slots
    .filter(({ evaluation }) => show === 'all' || evaluation.ok)
    .map((slot) => ({
      ...presentWhen(slot),
      service: slot.place.period?.name ?? null,
      durationMinutes,
      open: slot.evaluation.ok,
      ...presentRefusal(slot.evaluation.ok ? undefined : slot.evaluation.refusal),
      // An experience that asks wins over the venue's rows, as on the page.
      guarantee: presentTerms(leastAsked(offersOf(slot)) ?? termsAt({ ...slot, partySize }), partySize),
      experiences: presentOffers(slot.evaluation.ok ? offersOf(slot) : []),
    })),
})

/** What the venue's own page asks for at a time, and offers with it. */
type Shown = { readonly offersOf: OffersOf; readonly termsAt: Awaited<ReturnType<typeof readTerms>> }

const presentTerms = (
  terms: AskedTerms | undefined,
  partySize: number,
): Availability['days'][number]['slots'][number]['guarantee'] =>
  terms
    ? {
        kind: terms.kind,
        amountCents: terms.amountCents,
        // A tax that is rounded once for the party leaves no sum that each of them pays.
        perGuestCents:
          (terms.perGuestCents ?? 0) * partySize === terms.amountCents ? terms.perGuestCents : null,
        currency: terms.currency,
        freeUntil: toMoment(terms.freeUntil),
      }
    : null

export const presentCheck = ({ verdicts, refusal, placement, alternatives }: Checked): AvailabilityCheck => ({
  ok: refusal === undefined,
  verdicts: verdicts.map(({ rule, ok, refusal: why }) => ({ rule, ok, ...presentRefusal(why) })),
  ...presentRefusal(refusal),
  durationMinutes: placement.durationMinutes,
  service: placement.periodName,
  alternatives: alternatives.map(presentWhen),
})

const presentOffers = (offers: ReturnType<OffersOf>) =>
  offers.flatMap(({ experience: { key, name }, isFull }) => (isFull ? [] : [{ key, name }]))

const presentRefusal = (refusal: BookingRefusal | undefined) => ({
  reason: refusal?.reason ?? null,
  sentence: refusal?.sentence ?? null,
})

/** A time as it can be asked for, in either form. */
export const presentWhen = ({ date, time, startsAt }: When) => ({
  date,
  time,
  startsAt: `${date}T${time}:00${offsetFromUtc({ date, time }, startsAt)}`,
})
