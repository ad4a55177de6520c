import { limits } from '@venue-data/contract/limits.ts'
import type { Outcome } from './sending/sender.ts'

/*
 * When a delivery is tried again (docs/webhooks.md#when-your-endpoint-does-not-answer). The numbers that integrators know,
 * also how many failures in a row switch an endpoint off, are in contract/limits.ts.
 */

/** Minutes from the end of a failed attempt to the next. */
export const WAITS_MINUTES = limits.deliveryWaitsMinutes

/** The first attempt and one after each wait: nine. */
export const MAX_TRIES = WAITS_MINUTES.length + 1

/** Nothing starts this long after the event happened, in hours. */
export const GIVE_UP_AFTER_HOURS = limits.deliveryHours

/**
 * Longest random addition to a wait, in milliseconds, so that deliveries that failed together do not return together.
 */
export const MAX_JITTER_MS = 5_000

/** Attempts in a row without an answer after which an endpoint gets one attempt at a time. */
export const UNANSWERED_TO_SLOW = 5

/** The moment from which a delivery of this event is dropped instead of started. */
export const giveUpAt = (eventAt: Temporal.Instant): Temporal.Instant =>
  eventAt.add({ hours: GIVE_UP_AFTER_HOURS })

/**
 * When to retry after a failed attempt, or `dropped` when there is no further one.
 * @param triesDone attempts that have ended, including the failed one: 1 to 9
 * @param eventAt when the event happened
 * @param failedAt when the failed attempt ended; the wait counts from here
 * @param jitterMs a random number of milliseconds, clamped to 0 to 5,000 here
 * @throws RangeError when `triesDone` is not a positive whole number
 */
export const nextTry = (
  triesDone: number,
  eventAt: Temporal.Instant,
  failedAt: Temporal.Instant,
  jitterMs: number,
): Temporal.Instant | 'dropped' => {
  if (!Number.isInteger(triesDone) || triesDone < 1) throw new RangeError(`No try number ${triesDone}.`)
  const minutes = WAITS_MINUTES[triesDone - 1]
  if (minutes === undefined) return 'dropped'
  const milliseconds = Math.round(Math.min(Math.max(jitterMs, 0), MAX_JITTER_MS))
  const due = failedAt.add({ minutes, milliseconds })
  return Temporal.Instant.compare(due, giveUpAt(eventAt)) < 0 ? due : 'dropped'
}

/** Success is an answer of 2xx, with any body. */
export const isSuccess = (outcome: Outcome): boolean =>
  outcome.kind === 'answered' && outcome.statusCode >= 200 && outcome.statusCode <= 299

/** The receiver wants nothing more: no further attempt, and its endpoint is switched off. */
export const isGone = (outcome: Outcome): boolean => outcome.kind === 'answered' && outcome.statusCode === 410

/** How one attempt ended, in the words of `lastDeliveryStatus` and the attempt log: `ok 204`, `HTTP 500`, `timeout`. */
export const describeOutcome = (outcome: Outcome): string => {
  if (outcome.kind !== 'answered') return outcome.kind
  return `${isSuccess(outcome) ? 'ok' : 'HTTP'} ${outcome.statusCode}`
}
