import type { Check } from '../check.ts'

const growthShare = 0.3
/** A list of five that grows by three means nothing. */
const growthLeast = 10
const silenceDays = 90
const lateFrom = 21
const earlyUntil = 8

/** What is wrong with the list and the timing. */
export const listChecks: readonly Check[] = [
  {
    code: 'test-stale',
    effect: 'block',
    when: 'No test reached the venue since subject, body or format last changed.',
    judge: ({ isTested }) =>
      isTested
        ? null
        : 'No test of this version has reached you. Send a test, look at it, then send the campaign.',
  },
  {
    code: 'list-unreliable',
    effect: 'block',
    when: "The list was built from data that was missing or stale (compose's `reliable` is `false`).",
    judge: ({ list }) =>
      list?.isReliable === false
        ? 'Part of the segment was missing or out of date when the list was built. Build it again.'
        : null,
  },
  {
    code: 'list-growth',
    effect: 'advise',
    when: 'The list is more than 30 % longer than that of the campaign before.',
    judge: ({ list, lastRecipients }) =>
      list !== null &&
      lastRecipients !== null &&
      lastRecipients > 0 &&
      list.total > lastRecipients * (1 + growthShare) &&
      list.total - lastRecipients >= growthLeast
        ? `The list has ${list.total} people; the campaign before went to ${lastRecipients}. Make sure the new people asked for your email.`
        : null,
  },
  {
    code: 'long-silence',
    effect: 'advise',
    when: `The venue sent no campaign in ${silenceDays} days, or has never sent one.`,
    judge: ({ daysSinceLast }) =>
      daysSinceLast === null
        ? 'This is your first campaign. Say who you are and why people are getting it.'
        : daysSinceLast > silenceDays
          ? `Your last campaign was ${daysSinceLast} days ago. Expect more dead addresses and unsubscribes; say why you are writing again.`
          : null,
  },
  {
    code: 'late-hour',
    effect: 'advise',
    when: 'It would leave between 21:00 and 08:00 venue time.',
    judge: ({ leavesAt }) =>
      leavesAt !== null && (leavesAt.hour >= lateFrom || leavesAt.hour < earlyUntil)
        ? `It would leave at ${leavesAt.toPlainTime().toString({ smallestUnit: 'minute' })}, when most people are asleep. Emails sent between 8:00 and 21:00 are read more.`
        : null,
  },
  {
    code: 'mailed-recently',
    effect: 'advise',
    when: 'People on the list received a campaign in the last 24 hours.',
    judge: ({ list }) =>
      list !== null && list.mailedInLastDay > 0
        ? `${list.mailedInLastDay} of ${list.total} people got a campaign from you in the last 24 hours.`
        : null,
  },
]
