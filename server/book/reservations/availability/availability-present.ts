import type { Availability, AvailabilityCheck } from '@venue-data/contract/records/availability.ts'
import { toMoment } from '../../../platform/kernel/time/moment.ts'
import { offsetFromUtc } from '../../../platform/kernel/time/venue-clock.ts'
import type { Checked, DayTimes, TimesFound } from './availability.ts'
import type { BookingRefusal } from '../../day/facts.ts'
import type { When } from '../../day/when.ts'

/** What availability looks like from outside. Nothing is said of a slot but what its refusal says. */
export const presentAvailability = (
  { at, durationMinutes, days }: TimesFound,
  asked: { readonly partySize: number; readonly show: 'open' | 'all' },
  zone: string,
): Availability => ({
  partySize: asked.partySize,
  timezone: zone,
  asOf: toMoment(at),
  days: days.map((day) => presentDay(day, durationMinutes, asked.show)),
})

const presentDay = (
  { serviceDate, closed, slots }: DayTimes,
  durationMinutes: number,
  show: 'open' | 'all',
): Availability['days'][number] => ({
  date: serviceDate,
  closed: closed && { reason: closed.reason, sentence: closed.sentence },
  anyOpen: slots.some(({ evaluation }) => evaluation.ok),
  slots: slots
    .filter(({ evaluation }) => show === 'all' || evaluation.ok)
    .map(({ place, evaluation, ...when }) => ({
      ...presentWhen(when),
      service: place.period?.name ?? null,
      durationMinutes,
      open: evaluation.ok,
      ...presentRefusal(evaluation.ok ? undefined : evaluation.refusal),
    })),
})

export const presentCheck = ({ verdicts, refusal, placement, alternatives }: Checked): AvailabilityCheck => ({
  ok: refusal === undefined,
  verdicts: verdicts.map(({ rule, ok, refusal: why }) => ({ rule, ok, ...presentRefusal(why) })),
  ...presentRefusal(refusal),
  durationMinutes: placement.durationMinutes,
  service: placement.periodName,
  alternatives: alternatives.map(presentWhen),
})

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
