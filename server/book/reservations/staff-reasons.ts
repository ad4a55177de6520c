import type { BookingReason } from '@venue-data/contract/reasons.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { dayInWords } from '../../platform/kernel/time/in-words.ts'
import { block } from './rules/block.ts'
import { closed } from './rules/closed-day.ts'
import { bookingRuleOrder, factsOf } from './rules/evaluate.ts'
import type { BookingRequest, Day, Facts, Rule } from '../day/facts.ts'
import { experience, whyNotExperience } from './rules/experience.ts'
import { hours } from './rules/hours.ts'
import { lastArrival } from './rules/last-arrival.ts'
import { pacingCovers } from './rules/pacing-covers.ts'
import { pacingParties } from './rules/pacing-parties.ts'
import { partySize } from './rules/party-size.ts'
import { tables } from './rules/tables.ts'
import { bindsGuestsOnly, staffSentences } from './staff-sentences.ts'

/*
 * Why staff should think twice. The rules are the same as for everyone, worded for staff. Staff may override each of
 * them after seeing it, and they confirm only the reasons they saw: if another has come up since, they are asked
 * again.
 */

/**
 * A rule's reason; that somebody would be seated on a day other than the one they are expected; that somebody else is
 * expected at the table that staff chose; that it takes nobody then (out of order, or closed); that it is too small or too
 * large; that it is free for a shorter while than staff saw; that many others would move; that they have to say whose wish it is, or what happens to money past its limit, with the answers.
 */
export type StaffReasonCode = BookingReason | (typeof staffOnlyReasons)[number]
export const staffOnlyReasons = [
  'another-day',
  'table-kept',
  'table-off',
  'table-size',
  'short-stay',
  'many-moves',
  'who-asked',
  'guest-asked',
  'venue-asked',
  'fewer-late',
  'keep-agreed',
  'give-back',
] as const

/**
 * A reason that staff confirmed. If it counts, `pacing-covers-full:12` confirms up to 12 and no more; the bare code
 * confirms any figure.
 */
export type ConfirmedReason = StaffReasonCode | `${StaffReasonCode}:${number}`

export type StaffReason = {
  readonly reason: StaffReasonCode
  /** For staff. */
  readonly sentence: string
  /** What the slot would hold, "12 of 10"; null for rules that do not count. */
  readonly figure: string | null
  /** Of a short stay: its end as it is now, which takes the place of the one that staff saw. */
  readonly until?: Temporal.Instant
  /** It came up since staff looked, so that nothing they confirmed was this. */
  readonly isNew?: boolean
  /** The offer that was pressed said so itself: nothing has changed. */
  readonly isSaid?: boolean
  /** It is a question: what confirms it is one of these, on a button of its own. */
  readonly answers?: readonly { readonly reason: StaffReasonCode; readonly label: string }[]
}

/** Every rule that a booking breaks, in the published order. */
export const reasonsAgainst = (
  day: Day,
  clock: Temporal.Instant,
  request: BookingRequest,
): readonly StaffReason[] => judged(day, clock, request, bookingRuleOrder)

/** Reasons against seating a party at the door: no service now, a block, the slot's caps, no table. */
export const seatingAgainst = (day: Day, clock: Temporal.Instant, request: BookingRequest) =>
  judged(day, clock, request, [closed, hours, block, pacingCovers, pacingParties, tables])

/** That the last arrival of its service is over: who stands at the door is not asked about it, but staff read it. */
export const lastArrivalOver = (day: Day, clock: Temporal.Instant, request: BookingRequest) =>
  judged(day, clock, request, [lastArrival])

/**
 * What a party that was promised its place comes back to: the slot's caps if it counts again there, and a table if it takes
 * one. `isOwnLoad`: an undo brings back what was there, and nobody came since, so that it is not asked about.
 */
export const returnAgainst = (
  day: Day,
  clock: Temporal.Instant,
  request: BookingRequest,
  {
    addsLoad,
    isOwnLoad = false,
    takesTable,
  }: { readonly addsLoad: boolean; readonly isOwnLoad?: boolean; readonly takesTable: boolean },
): readonly StaffReason[] =>
  judged(day, clock, request, [
    ...(addsLoad && !isOwnLoad ? [pacingCovers, pacingParties] : []),
    ...(addsLoad ? [experience] : []),
    ...(takesTable ? [tables] : []),
  ])

/** That no table is free for as long as it is to stay now. */
export const lengthAgainst = (
  day: Day,
  clock: Temporal.Instant,
  request: BookingRequest,
): readonly StaffReason[] => judged(day, clock, request, [tables])

/** That the venue does not offer what staff chose for it, or that as many have it as may. */
export const experienceAgainst = (
  day: Day,
  clock: Temporal.Instant,
  request: BookingRequest,
): readonly StaffReason[] => judged(day, clock, request, [experience])

/** That a party is expected on a day other than today; nothing if its day is unknown. */
export const anotherDay = (expected: LocalDate | null, today: LocalDate): readonly StaffReason[] => {
  if (expected === null || expected === today) return []
  const which = expected < today ? 'They were expected on' : 'They are expected on'
  const sentence = `${which} ${dayInWords(expected)}; today is ${dayInWords(today)}.`
  return [{ reason: 'another-day', sentence, figure: null }]
}

/** The limit a new size exceeds, and if the party grew, the slot's cap and that no table is large enough. */
export const sizeAgainst = (
  day: Day,
  clock: Temporal.Instant,
  request: BookingRequest,
  grew: boolean,
): readonly StaffReason[] =>
  judged(day, clock, request, [partySize, ...(grew ? [pacingCovers, tables] : []), experience]).filter(
    ({ reason }) => reason !== (grew ? 'party-too-small' : 'party-too-large'),
  )

/** What confirms a reason as shown: if the slot is fuller by the time it is submitted, staff are asked again. */
export const confirmationOf = ({ reason, figure }: StaffReason): ConfirmedReason =>
  figure === null ? reason : `${reason}:${countOf(figure)}`

/** The reasons that were not confirmed, or were with a lower figure than the current one; all that are new. What binds guests only needs none. */
export const unconfirmed = (
  reasons: readonly StaffReason[],
  confirmed: readonly ConfirmedReason[] = [],
): readonly StaffReason[] =>
  reasons.filter(
    ({ reason, figure, isNew = false, answers = [{ reason }] }) =>
      !bindsGuestsOnly(reason) &&
      (isNew ||
        !confirmed.some((one) => {
          const [code, count] = one.split(':')
          return (
            answers.some((answer) => answer.reason === code) &&
            (count === undefined || figure === null || Number(count) >= countOf(figure))
          )
        })),
  )

/** The 12 of "12 of 10". */
const countOf = (figure: string): number => Number.parseInt(figure, 10)

const judged = (
  day: Day,
  clock: Temporal.Instant,
  request: BookingRequest,
  list: readonly Rule[],
): readonly StaffReason[] => {
  const facts = factsOf(day, clock, request)
  return list
    .map((rule) => rule(facts))
    .filter((refusal) => refusal !== undefined)
    .map(({ reason }) => ({
      reason,
      sentence: staffSentences[reason](facts),
      figure: figureOf(reason, facts),
    }))
}

const figureOf = (reason: BookingReason, facts: Facts): string | null => {
  const {
    limits: { pacing },
    request,
    load,
  } = facts
  return reason === 'pacing-covers-full'
    ? `${load.covers + request.partySize} of ${pacing.maxCovers}`
    : reason === 'pacing-parties-full'
      ? `${load.parties + 1} of ${pacing.maxParties}`
      : reason === 'experience-full'
        ? figureOfExperience(facts)
        : null
}

const figureOfExperience = (facts: Facts): string | null => {
  const why = whyNotExperience(facts)
  return why?.kind === 'full' ? `${why.taken + 1} of ${why.most}` : null
}
