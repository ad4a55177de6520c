import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { bookingRuleNames } from '../reasons.ts'
import { came, integerOrNull, openList, record, textOrNull } from '../shapes.ts'

const date = Type.String({
  format: 'date',
  description: 'Calendar date of the arrival at the venue, YYYY-MM-DD.',
})
const time = Type.String({ description: 'Arrival time at the venue, HH:MM in 24 hours.' })
const startsAt = Type.String({
  format: 'date-time',
  description: "The same moment with the venue's offset from UTC.",
})
const reason = textOrNull('The reason a request would be refused with; the list may grow.')
const sentence = textOrNull('The sentence a guest may read.')
const durationMinutes = Type.Integer({ description: 'How long the table is held, in minutes.' })
const service = textOrNull("The venue's own name for the service.")

/** A time that can be requested instead. */
export const OpenTime = Type.Object(
  { date, time, startsAt },
  { title: 'OpenTime', description: 'A time that a party of this size could get now.' },
)

const OfferedExperience = Type.Object(
  {
    key: Type.String({ description: 'Stays the same when the venue calls it otherwise.' }),
    name: Type.String({ description: 'What the venue calls it; the type of a booking that has it.' }),
  },
  { title: 'OfferedExperience', description: 'What a guest can choose with a time.' },
)

const AskedGuarantee = Type.Object(
  {
    kind: openList('What is asked.', ['card', 'deposit', 'prepaid']),
    amountCents: Type.Integer({
      description: 'For the whole party, in cents: paid now, or, with a card, what may be charged later.',
    }),
    perGuestCents: integerOrNull('The same for each guest, where it is asked for each and adds up.'),
    currency: Type.String({ description: 'ISO 4217.' }),
    freeUntil: Type.String({
      format: 'date-time',
      description: 'Until then canceling costs nothing. In UTC.',
    }),
  },
  { title: 'AskedGuarantee', description: "What the venue's own page asks for before it books." },
)

const AvailabilitySlot = Type.Object(
  {
    date,
    time,
    startsAt,
    service,
    durationMinutes,
    open: Type.Boolean({ description: 'Whether a request for it would be accepted now.' }),
    reason,
    sentence,
    guarantee: Type.Unsafe<Static<typeof AskedGuarantee> | null>({
      anyOf: [AskedGuarantee, { type: 'null' }],
      description:
        'What has to be given for it on a page of the venue, see `POST /checkouts`; where each of its `experiences` asks for something, what the one that asks for the least does; `null`: nothing.',
      'x-since': '2026-11-29',
    }),
    experiences: came(
      '2026-11-29',
      Type.Array(OfferedExperience, {
        description: "What guests can choose with it on the venue's own page and is left; none: a table.",
      }),
    ),
  },
  { title: 'AvailabilitySlot', description: 'A time the venue offers.' },
)

const ClosedDay = Type.Object(
  {
    reason: Type.String({ description: 'The reason a request would be refused with.' }),
    sentence: Type.String({ description: 'The sentence a guest may read.' }),
  },
  { title: 'ClosedDay', description: 'Why a day has no service.' },
)

const AvailabilityDay = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'The service date, YYYY-MM-DD.' }),
    closed: Type.Unsafe<Static<typeof ClosedDay> | null>({
      anyOf: [ClosedDay, { type: 'null' }],
      description: 'Why the day has no service; `null` if it has.',
    }),
    anyOpen: Type.Boolean({ description: 'Whether any time that day would be accepted now.' }),
    slots: Type.Array(AvailabilitySlot, {
      description:
        'In order of arrival. Times after midnight belong to the evening before and carry the next calendar date.',
    }),
  },
  { title: 'AvailabilityDay', description: 'One service date.' },
)

const sampleSlot = {
  date: '2026-12-05',
  time: '19:00',
  startsAt: '2026-12-05T19:00:00-05:00',
  service: 'Dinner',
  durationMinutes: 120,
  open: true,
  reason: null,
  sentence: null,
  guarantee: {
    ...{ kind: 'deposit', amountCents: 8000, perGuestCents: 2000, currency: 'USD' },
    freeUntil: '2026-12-05T00:00:00Z',
  },
  experiences: [{ key: 'chefs-counter', name: 'Chef’s counter' }],
}

export const Availability = record(
  'Availability',
  'The times of some days, and whether each would be accepted. Never a promise: only the request itself books.',
  {
    partySize: 4,
    timezone: 'America/New_York',
    asOf: '2026-12-01T18:02:11.090Z',
    days: [{ date: '2026-12-05', closed: null, anyOpen: true, slots: [sampleSlot] }],
  },
  {
    partySize: Type.Integer({ description: 'The party size in the request.' }),
    timezone: Type.String({ description: "IANA name of the venue's time zone." }),
    asOf: Type.String({
      format: 'date-time',
      description: 'The moment for which this is true: ISO 8601 in UTC, ending in Z.',
    }),
    days: Type.Array(AvailabilityDay, { description: 'One for each service date, in order.' }),
  },
)
export type Availability = Static<typeof Availability>

const Verdict = Type.Object(
  {
    rule: openList('The rule.', bookingRuleNames),
    ok: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description:
        'Whether the rule allows the request; `null` when it cannot be checked because there is no service at that time.',
    }),
    reason,
    sentence,
  },
  { title: 'Verdict', description: 'What one rule says.' },
)

export const AvailabilityCheck = record(
  'AvailabilityCheck',
  'What each of the rules says about one time and party size.',
  {
    ok: false,
    verdicts: [
      { rule: 'past', ok: true, reason: null, sentence: null },
      {
        rule: 'pacing-covers',
        ok: false,
        reason: 'pacing-covers-full',
        sentence: 'There are only 2 places left at 19:15.',
      },
    ],
    reason: 'pacing-covers-full',
    sentence: 'There are only 2 places left at 19:15.',
    durationMinutes: 120,
    service: 'Dinner',
    alternatives: [{ date: '2026-12-05', time: '19:00', startsAt: '2026-12-05T19:00:00-05:00' }],
  },
  {
    ok: Type.Boolean({ description: 'Whether a request would be accepted now.' }),
    verdicts: Type.Array(Verdict, {
      description:
        'One for each rule, in the order in which they are checked; `tables` only at a venue where tables decide. There may be more of them.',
    }),
    reason,
    sentence,
    durationMinutes,
    service,
    alternatives: Type.Array(OpenTime, {
      description: `Up to ${limits.alternativesDefault} times that would be accepted, nearest first; none when \`ok\`, and none for a party that is too small or too large.`,
    }),
  },
)
export type AvailabilityCheck = Static<typeof AvailabilityCheck>
