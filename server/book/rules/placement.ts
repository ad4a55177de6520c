import { type DocumentRules, type Limits, type ServicePeriod, limitNames } from './booking-rules.ts'
import { turnMinutes } from './turn-minutes.ts'
import type { Bucket, Day } from '../day/facts.ts'
import type { Place } from './resolve-service.ts'

/** What is written on the reservation besides the request itself. */
export type Placement = {
  readonly serviceDate: string
  readonly serviceMinute: number
  /** The period's name, which the reservation is filed under; null outside every service. */
  readonly periodName: string | null
  /** First service minute of the pacing bucket; null outside every service. */
  readonly bucketStartMinute: number | null
  /** How long the table is held, fixed when the booking is made. */
  readonly durationMinutes: number
}

/** Where a request is written, whether or not the rules take it: staff may override them. */
export const placementOf = (
  { rules, place, bucket }: Pick<Day, 'rules' | 'place' | 'bucket'>,
  partySize: number,
): Placement => ({
  serviceDate: place.serviceDate,
  serviceMinute: place.serviceMinute,
  periodName: place.period?.name ?? null,
  bucketStartMinute: bucket?.fromMinute ?? null,
  durationMinutes: turnMinutes(rules, partySize),
})

/** The pacing bucket of a place, anchored at its period's start; undefined outside every service. */
export const bucketOf = (rules: Pick<DocumentRules, keyof Limits>, place: Place): Bucket | undefined => {
  const { serviceDate, serviceMinute, period } = place
  if (!period) return undefined
  const { intervalMinutes } = limitsOf(rules, period).pacing
  const steps = Math.floor((serviceMinute - period.startMinute) / intervalMinutes)
  const fromMinute = period.startMinute + steps * intervalMinutes
  return { serviceDate, fromMinute, toMinute: fromMinute + intervalMinutes }
}

/** The limits in force: the period's own if set, otherwise the venue's. */
export const limitsOf = (rules: Pick<DocumentRules, keyof Limits>, period: ServicePeriod | null): Limits => {
  const own = Object.fromEntries(limitNames.map((name) => [name, period?.[name] ?? rules[name]]))
  return {
    ...(own as Pick<Limits, (typeof limitNames)[number]>),
    pacing: {
      intervalMinutes: period?.pacing.intervalMinutes ?? rules.pacing.intervalMinutes,
      maxCovers: period?.pacing.maxCovers ?? rules.pacing.maxCovers,
      maxParties: period?.pacing.maxParties ?? rules.pacing.maxParties,
    },
  }
}

/** The limits of one slot: those of its service, or what was set for it alone. */
export const limitsAt = (
  rules: Pick<DocumentRules, keyof Limits | 'pacingExceptions'>,
  period: ServicePeriod | null,
  bucket: Pick<Bucket, 'serviceDate' | 'fromMinute'> | undefined,
): Limits => {
  const limits = limitsOf(rules, period)
  const own =
    bucket &&
    rules.pacingExceptions.find(
      ({ serviceDate, fromMinute }) => serviceDate === bucket.serviceDate && fromMinute === bucket.fromMinute,
    )
  if (!own) return limits
  const { pacing } = limits
  return {
    ...limits,
    pacing: {
      ...pacing,
      maxCovers: own.maxCovers ?? pacing.maxCovers,
      maxParties: own.maxParties ?? pacing.maxParties,
    },
  }
}
