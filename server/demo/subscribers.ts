import type { SubscriberSource, SubscriberStatus } from '@venue-data/contract/records/subscriber.ts'
import type { DemoBooking } from './guest-book.ts'
import type { People, Person } from './people.ts'
import type { Random } from './random.ts'
import { dayMs, hourMs, minuteMs } from './venue-time.ts'

type DemoSubscriber = {
  readonly email: string
  readonly firstName: string | null
  readonly status: SubscriberStatus
  readonly source: SubscriberSource
  readonly birthMonth: number | null
  readonly birthDay: number | null
  readonly consentAt: number
  readonly confirmedAt: number | null
  readonly unsubscribedAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly consent: Evidence
  readonly tags: readonly string[]
}

type Evidence = {
  readonly source: string
  readonly statement: string | null
  readonly pageUrl: string | null
}

type DemoSuppression = {
  readonly email: string
  readonly reason: 'bounced' | 'spam_report' | 'staff_removal'
  readonly createdAt: number
}

export type MailingList = {
  readonly subscribers: readonly DemoSubscriber[]
  readonly suppressions: readonly DemoSuppression[]
}

/** Where they agreed, as the venue's own forms put it. */
const evidence = {
  signup_form: {
    source: 'Sign-up form on the website',
    statement: 'Yes, send me news and invitations from The Blue Door. I can leave at any time.',
    pageUrl: 'https://thebluedoor.example.com/newsletter',
  },
  booking: {
    source: 'Tick on the booking page',
    statement: 'Send me news from The Blue Door.',
    pageUrl: 'https://thebluedoor.example.com/book',
  },
  ticket_order: {
    source: 'Tick at the ticket checkout',
    statement: 'Tell me about the next events.',
    pageUrl: 'https://thebluedoor.example.com/events',
  },
  automation: { source: 'Guest Wi-Fi sign-in', statement: 'Keep me posted by email.', pageUrl: null },
  staff: { source: 'Card at the host stand', statement: null, pageUrl: null },
  import: {
    source: 'List of the former newsletter, agreed on paper or at the former website',
    statement: 'I would like to receive the newsletter.',
    pageUrl: null,
  },
} as const satisfies Record<SubscriberSource, Evidence>

export type SignedUpHow = {
  readonly count: number
  readonly now: number
  /** First day of the demo's history: the former list was taken over on it. */
  readonly beginning: number
  readonly bookings: readonly DemoBooking[]
  readonly buyers: readonly { readonly person: Person; readonly at: number }[]
}

/** The mailing list: everybody with their evidence, those who left, those who never confirmed. */
export const mailingList = (random: Random, people: People, how: SignedUpHow): MailingList => {
  const taken = new Set<Person>()
  const signUps = signUpsOf(random, people, how).filter(({ person }) => {
    if (taken.has(person)) return false
    taken.add(person)
    return true
  })
  const chosen = random
    .shuffled(signUps)
    .slice(0, how.count)
    .toSorted((a, b) => a.at - b.at)
  const subscribers = chosen.map((signUp) => subscriberOf(random, signUp, how.now))
  return { subscribers, suppressions: suppressionsOf(random, people, subscribers, how) }
}

type SignUp = { readonly person: Person; readonly source: SubscriberSource; readonly at: number }

const signUpsOf = (
  random: Random,
  people: People,
  { count, now, beginning, bookings, buyers }: SignedUpHow,
): SignUp[] => {
  const anyTime = () => Math.floor(beginning + random.draw() * (now - beginning))
  const strangers = (share: number, source: SubscriberSource, at: () => number): SignUp[] =>
    Array.from({ length: Math.round(count * share) }, () => ({ person: people.meet(), source, at: at() }))
  return [
    ...strangers(0.14, 'import', () => beginning),
    ...strangers(0.25, 'signup_form', anyTime),
    ...strangers(0.06, 'automation', anyTime),
    ...strangers(0.03, 'staff', anyTime),
    ...buyers.map(({ person, at }) => ({ person, source: 'ticket_order' as const, at })),
    ...random
      .shuffled(bookings.filter(({ guest, source, email }) => guest && email !== null && source === 'public'))
      .slice(0, Math.round(count * 0.8))
      .flatMap(({ guest, createdAt: at }) =>
        guest ? [{ person: guest.person, source: 'booking' as const, at }] : [],
      ),
  ]
}

const subscriberOf = (random: Random, { person, source, at }: SignUp, now: number): DemoSubscriber => {
  const byMail = source === 'signup_form' || source === 'booking'
  // Some never press the button in the mail; others do at once, or in the evening.
  const delay = random.chance(0.7) ? random.integer(1, 40) * minuteMs : random.exponential(14) * hourMs
  const confirms = Math.floor(at + delay + random.integer(0, minuteMs))
  const confirmedAt = byMail && !random.chance(0.055) && confirms <= now ? confirms : null
  const joined = !byMail || confirmedAt !== null
  const leaves = Math.floor((confirmedAt ?? at) + dayMs * (1 + random.exponential(190)))
  const unsubscribedAt = joined && random.chance(0.3) && leaves <= now ? leaves : null
  const birthday = random.chance(source === 'signup_form' || source === 'staff' ? 0.45 : 0.12)
  // Agreed on paper long before the list was taken over.
  const consentAt = source === 'import' ? at - random.integer(20, 900) * dayMs - random.integer(0, dayMs) : at
  return {
    email: person.email,
    firstName: random.chance(0.86) ? person.first : null,
    status: unsubscribedAt !== null ? 'unsubscribed' : joined ? 'subscribed' : 'pending',
    source,
    ...(birthday
      ? { birthMonth: random.integer(1, 12), birthDay: random.integer(1, 28) }
      : { birthMonth: null, birthDay: null }),
    consentAt,
    confirmedAt,
    unsubscribedAt,
    createdAt: at,
    updatedAt: Math.max(at, confirmedAt ?? 0, unsubscribedAt ?? 0),
    consent: evidence[source],
    tags: tagsOf(random, source),
  }
}

const tagsOf = (random: Random, source: SubscriberSource): string[] => [
  ...(source === 'ticket_order' ? ['Events'] : []),
  ...(source === 'import' ? ['Former newsletter'] : []),
  ...(source === 'automation' ? ['Guest Wi-Fi'] : []),
  ...(random.chance(0.22) ? ['Wine evenings'] : []),
  ...(random.chance(0.14) ? ['Brunch'] : []),
  ...(random.chance(0.1) ? ['Jazz nights'] : []),
  ...(random.chance(0.06) ? ['Neighbors'] : []),
]

/** Who reported spam or was taken off by staff left the list as well; a bounced address only gets no mail. */
const suppressionsOf = (
  random: Random,
  people: People,
  subscribers: readonly DemoSubscriber[],
  { count, now }: SignedUpHow,
): DemoSuppression[] => {
  const share = (of: number) => Math.max(1, Math.round(count * of))
  const gone = random.shuffled(subscribers.filter(({ status }) => status === 'unsubscribed'))
  const kept = random.shuffled(subscribers.filter(({ status }) => status === 'subscribed'))
  const bounced = kept.slice(0, share(0.012)).map(({ email, updatedAt }) => ({
    email,
    reason: 'bounced' as const,
    createdAt: Math.floor(updatedAt + random.draw() * (now - updatedAt)),
  }))
  const left = gone.slice(0, share(0.006)).map(({ email, unsubscribedAt, updatedAt }, place) => ({
    email,
    reason: place % 3 === 2 ? ('staff_removal' as const) : ('spam_report' as const),
    createdAt: unsubscribedAt ?? updatedAt,
  }))
  const strangers = Array.from({ length: share(0.004) }, () => ({
    email: people.meet().email,
    reason: 'staff_removal' as const,
    createdAt: now - random.integer(5, 300) * dayMs,
  }))
  return [...bounced, ...left, ...strangers]
}
