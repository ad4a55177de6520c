import { type BookingState, type BookingStory, asOf } from './booking-story.ts'
import { isConfirmedByHand } from './outcome.ts'
import { hourMs } from '../venue-time.ts'

export type Booked = { readonly story: BookingStory; readonly state: BookingState }

/** Every booking made by now, in its current state, oldest first; of each status at least a few. */
export const bookedAsOf = (stories: readonly BookingStory[], now: number): Booked[] =>
  unanswered(leftAtTable(withStates(stories, now), now), now)

const withStates = (stories: readonly BookingStory[], now: number): Booked[] =>
  stories
    .flatMap((story) => {
      const state = asOf(story, now)
      return state ? [{ story, state }] : []
    })
    .toSorted((a, b) => a.story.createdAt - b.story.createdAt)

/**
 * Some demos are made in the morning, when nobody sits at a table. Then the last two tables of the evening before
 * were opened again after service, to correct a bill, and still are.
 */
const leftAtTable = (booked: readonly Booked[], now: number): Booked[] => {
  if (booked.some(({ state }) => state.status === 'Seated')) return [...booked]
  const last = new Set(
    booked
      .filter(({ story, state }) => state.status === 'Completed' && story.source !== 'waitlist')
      .toSorted((a, b) => (b.state.completedAt ?? 0) - (a.state.completedAt ?? 0))
      .slice(0, 2),
  )
  return booked.map((one) => {
    if (!last.has(one) || !one.story.arrival) return one
    const story = { ...one.story, tracked: true, arrival: { ...one.story.arrival, completedAt: null } }
    const state = asOf(story, now)
    return state ? { story, state: { ...state, floorStage: 'Bill' } } : one
  })
}

/** The newest requests wait for an answer: at least so many, whenever the demo is made. */
const leastUnanswered = 4

const unanswered = (booked: readonly Booked[], now: number): Booked[] => {
  const toCome = booked.filter(({ story }) => story.startsAt > now + 12 * hourMs)
  const waiting = toCome.filter(({ state }) => state.status === 'Requested').length
  const newest = new Set(
    toCome
      .filter(({ story, state }) => state.status === 'Confirmed' && story.source !== 'staff')
      .toSorted(
        (a, b) =>
          Number(isConfirmedByHand(b.story)) - Number(isConfirmedByHand(a.story)) ||
          b.story.createdAt - a.story.createdAt,
      )
      .slice(0, Math.max(0, leastUnanswered - waiting)),
  )
  return booked.map((one) =>
    newest.has(one)
      ? { story: { ...one.story, confirmedAt: null }, state: { ...one.state, status: 'Requested' } }
      : one,
  )
}
