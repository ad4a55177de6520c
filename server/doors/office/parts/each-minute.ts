import type { Work } from '../../../context.ts'
import { changeMark } from '../../../core/activity/change-mark.ts'
import { type Html, html } from '../../../platform/html/html.ts'

/*
 * Pages that change with the minute. If all renewed themselves as it turns, every screen of every venue would ask for its page in
 * the same second; so those of a venue do it at a second of the venue's own. What must be right as the minute turns is sent
 * ahead, and book.js shows it then.
 */

const minuteMs = 60_000

/** The mark of such a page: changes with every change at the venue, and once a minute, since lateness and waits keep counting. */
export const minuteMark = async ({ db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>): Promise<string> => {
  const ownMs = (venue.id % 60) * 1_000
  return `${await changeMark(db, venue.id)}.${Math.floor((now().epochMilliseconds + ownMs) / minuteMs)}`
}

/** Words that depend on the minute, with what they are in the next one. */
export const eachMinute = (now: Temporal.Instant, words: (now: Temporal.Instant) => string): Html => {
  const then = Math.floor(now.epochMilliseconds / minuteMs) * minuteMs + minuteMs
  const [shown, next] = [words(now), words(Temporal.Instant.fromEpochMilliseconds(then))]
  return next === shown ? html`${shown}` : html`<span data-next="${next}">${shown}</span>`
}
