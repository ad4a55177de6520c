import type { ReservationSource } from '@venue-data/contract/records/reservation.ts'
import type { Arrival, BookingStory } from './booking-story.ts'
import { withinMinute } from './made-when.ts'
import type { Random } from '../random.ts'
import { hourMs, minuteMs } from '../venue-time.ts'

/** Shares of bookings that do not come; parties that come without a booking are there already. */
const cancelShare = { public: 0.125, staff: 0.085, automation: 0.15 } as const
const noShowShare = { public: 0.042, staff: 0.03, automation: 0.06 } as const
/** Of the cancellations, those the guest decided. */
const guestCancels = 0.86

type Made = Pick<BookingStory, 'source' | 'partySize' | 'startsAt' | 'durationMinutes' | 'createdAt'>
type Outcome = Pick<BookingStory, 'confirmedAt' | 'cancelled' | 'noShowAt' | 'arrival'>

/** How a booking turns out. */
export const outcomeOf = (random: Random, made: Made): Outcome => {
  const nothing = { cancelled: null, noShowAt: null, arrival: null }
  if (made.source === 'walkin' || made.source === 'waitlist') {
    return { ...nothing, confirmedAt: made.createdAt, arrival: walkedIn(random, made) }
  }
  const confirmedAt = confirmedWhen(random, made)
  if (confirmedAt === null) return { ...nothing, confirmedAt }
  const weekendsAndCrowds = made.partySize >= 6 ? 1.35 : 1
  if (random.chance(cancelShare[made.source] * weekendsAndCrowds)) {
    const cancelled = cancelledWhen(random, made)
    if (cancelled) return { ...nothing, confirmedAt, cancelled }
  }
  if (random.chance(noShowShare[made.source])) {
    const noShowAt = withinMinute(random, made.startsAt + random.integer(18, 70) * minuteMs)
    return { ...nothing, confirmedAt, noShowAt }
  }
  return { ...nothing, confirmedAt, arrival: arrivalOf(random, made) }
}

/** The house confirms integrations' requests and tables for five and more by hand, everything else at once. */
const confirmedWhen = (random: Random, { source, partySize, createdAt, startsAt }: Made): number | null => {
  if (!isConfirmedByHand({ source, partySize })) return createdAt
  // Now and then one is overlooked.
  if (random.chance(0.0015)) return null
  const hours = random.chance(0.6) ? random.exponential(9) : 12 + random.exponential(32)
  return Math.max(createdAt + 4 * minuteMs, Math.min(createdAt + hours * hourMs, startsAt - 90 * minuteMs))
}

export const isConfirmedByHand = ({ source, partySize }: Pick<Made, 'source' | 'partySize'>): boolean =>
  source === 'automation' || (source === 'public' && partySize >= 5)

const cancelledWhen = (random: Random, { createdAt, startsAt }: Made): BookingStory['cancelled'] => {
  const [first, last] = [createdAt + 12 * minuteMs, startsAt - 15 * minuteMs]
  if (last <= first) return null
  // Most change their plans in the last two days; the others at any time.
  const at = random.chance(0.68)
    ? Math.max(first, last - random.exponential(20) * hourMs)
    : first + random.draw() * (last - first)
  return { at: Math.floor(at), by: random.chance(guestCancels) ? 'guest' : 'staff' }
}

const arrivalOf = (random: Random, { startsAt, durationMinutes }: Made): Arrival => {
  const checkedInAt = withinMinute(random, startsAt + Math.round(random.normal(2, 7, -14, 38)) * minuteMs)
  const wait = random.chance(0.72) ? random.exponential(1.5) : 3 + random.exponential(7)
  const seatedAt = Math.floor(checkedInAt + Math.min(wait, 30) * minuteMs)
  return { checkedInAt, seatedAt, completedAt: leaves(random, seatedAt, durationMinutes) }
}

/** A party without a booking is written down as it is seated. */
const walkedIn = (random: Random, { createdAt, durationMinutes }: Made): Arrival => ({
  checkedInAt: createdAt,
  seatedAt: createdAt,
  completedAt: leaves(random, createdAt, durationMinutes * 0.9),
})

const leaves = (random: Random, seatedAt: number, minutes: number): number =>
  Math.floor(seatedAt + minutes * random.normal(0.93, 0.16, 0.55, 1.5) * minuteMs)

/** Sources whose bookings are made ahead, as often as they come. Waitlist parties have their own list. */
export const sources = [
  ['public', 0.61],
  ['staff', 0.17],
  ['automation', 0.085],
  ['walkin', 0.135],
] as const satisfies readonly (readonly [ReservationSource, number])[]
