import {
  type Side,
  type UsualDays,
  comparedDays,
  guestsCompared,
  usualDays,
} from '../../../data/reports/compared-days.ts'
import { byDate, neverMarked } from '../../../data/reports/in-words.ts'
import { differenceInWords } from '../../../data/reports/difference-in-words.ts'
import { isShutByVenueOn, openDaysOf, shutWords } from '../../../data/reports/open-days.ts'
import { type Shown, areCountsCompared, openDays } from './picture.ts'

/* How many guests came, and what made the difference: the top of the page and its first picture say it alike. */

/** What is said of all guests against those before; of days that are left out of it, in a sentence of its own. */
export const howManyCame = (shown: Shown): ReturnType<typeof guestsCompared> =>
  isTotalCompared(shown)
    ? guestsCompared({ now: shown.rows('covers'), before: shown.before('covers') }, daysOf(shown), {
        words: shown.beforeWords,
        today: shown.today,
      })
    : { change: '', leftOut: '', isCompared: false }

/** Guests who are booked and have not come yet, of today and days to come. */
export const comingOf = ({ rows }: Shown): number => {
  const served = byDate(rows('covers'))
  const booked = byDate(rows('booked').filter(({ key }) => key['measure'] === 'covers'))
  return [...booked].reduce((sum, [date, all]) => sum + Math.max(0, all - (served.get(date) ?? 0)), 0)
}

/** Only sums: a reason that no figure has is not guessed. */
export const whyOf = (shown: Shown): string => {
  const { now, before } = daysOf(shown)
  return differenceInWords(now, before, shown)
}

/** What means are made of, and the days that are left out of them. */
export const usualDaysOf = (shown: Shown, which: 'rows' | 'before'): UsualDays =>
  usualDays(sideOf(shown, which))

const daysOf = (shown: Shown) => comparedDays(sideOf(shown, 'rows'), sideOf(shown, 'before'))

const sideOf = (shown: Shown, which: 'rows' | 'before'): Side => ({
  days: (which === 'rows' ? undefined : shown.figures.compared) ?? shown.figures,
  open: openDays(shown, which),
  openEnds: shown[which]('open_ends'),
  parties: shown[which]('parties'),
})

/** Whether so few bookings were never marked that the figures of all days are no lower for it. */
export const isMostlyMarked = ({ rows }: Shown): boolean =>
  neverMarked(rows('open_ends'), rows('parties')) === ''

/** Not where the period runs, where there was hardly anything before, or where many were never marked. */
const isTotalCompared = (shown: Shown): boolean =>
  areCountsCompared(shown) && !isBeforeMuchOfIt(shown) && isMostlyMarked(shown)

/** Whether the venue took its first guests after more than a seventh of the open days it is compared with. */
const isBeforeMuchOfIt = (shown: Shown): boolean => {
  const { compared: earlier } = shown.figures
  if (earlier === null) return false
  const covers = shown.before('covers')
  const { dates } = openDaysOf(covers, earlier, { ...shown, since: null })
  const served = byDate(covers)
  return dates.findIndex((date) => served.has(date)) * 7 > dates.length
}

/**
 * "You had closed this day for bookings (private party). ": before how many came, as it is why so few did; empty of another day,
 * and of several: their mean says it.
 */
export const thoughClosed = ({ figures: { from, to }, rules }: Shown): string =>
  from === to && isShutByVenueOn(rules, from)
    ? `You had closed this day for bookings${inBrackets(shutWords(rules, from))}. `
    : ''

/** " (Thanksgiving)" */
export const inBrackets = (why: string | undefined): string =>
  why === undefined || why === '' ? '' : ` (${why})`
