import {
  counted,
  guests,
  isPacing,
  limitsHitBy,
  neverMarked,
  parties,
  total,
} from '../../../data/reports/in-words.ts'
import { numberInWords } from '../../../platform/kernel/time/in-words.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { comingOf, howManyCame, thoughClosed, whyOf } from './how-many-came.ts'
import { type Picture, type Shown, isRecent, recentDays } from './picture.ts'
import { unmarkedLinks } from './unmarked-links.ts'

/*
 * What somebody reads first, on a phone in half a minute: how it was, which weekdays made the difference, and of what can be
 * done the one thing that is about most guests. Only sums: a reason that no figure has is not guessed.
 */

/** Absent where there is nothing to say: the first picture does. What makes all figures too low comes first. */
export const glance = (shown: Shown, pictures: readonly Picture[]): Html | undefined => {
  const came = total(shown.rows('covers'))
  const marks = neverMarked(shown.rows('open_ends'), shown.rows('parties'))
  const coming = comingOf(shown)
  if (came + coming === 0 && marks === '') return undefined
  const isOver = shown.figures.to < shown.today
  const { change, leftOut, isCompared } = howManyCame(shown)
  const why = isCompared ? whyOf(shown) : ''
  const [first] = pictures
    .flatMap(({ first: press }) => press ?? [])
    .toSorted(
      (one, other) =>
        Number(other.isFirst === true) - Number(one.isFirst === true) || other.guests - one.guests,
    )
  const so = isOver ? '' : ' so far'
  const closed = thoughClosed(shown)
  return html`<section class="card report-glance" id="in-short" aria-label="In short">
    ${marks !== '' && html`<p><strong>${marks}</strong></p>${unmarkedLinks(shown)}`}
    ${closed !== '' && html`<p>${closed.trim()}</p>`}
    ${
      came === 0 && coming > 0
        ? html`<p class="said-of"><strong>${guests(coming)} ${coming === 1 ? 'is' : 'are'} booked</strong>, and nobody was served yet.</p>`
        : came === 0
          ? html`<p class="said-of"><strong>Nobody was marked as served</strong>.</p>`
          : html`<p class="said-of"><strong>${guests(came)} came${so}${change}</strong>${change !== '' && ','} in ${parties(total(shown.rows('parties')))}.${coming > 0 && ` ${counted(coming, 'more guest')} ${coming === 1 ? 'is' : 'are'} booked.`}</p>`
    }
    ${leftOut !== '' && html`<p>${leftOut.trim()}</p>`}
    ${why !== '' && html`<p>${why}</p>`} ${turnedAway(shown)}
    ${first && html`<div class="report-first">${first.press}</div>`}
    ${!first && came > 0 && marks === '' && html`<p class="soft">${nothingToChange(shown)}</p>`}
  </section>`
}

/** Why nothing is advised: of an owner whose own limit turned guests away, that nothing could be changed would not be true. */
const nothingToChange = (shown: Shown): string => {
  if (!isRecent(shown))
    return `These days are more than ${recentDays / 7} weeks ago, so nothing is suggested.`
  const limits = limitsHitBy(shown.rows('refused'))
  const [all, paced] = [limits, limits.filter(isPacing)].map((some) =>
    some.reduce((sum, { n }) => sum + n, 0),
  )
  const { weeklyLimit } = shown
  if (!paced || weeklyLimit === undefined || weeklyLimit.advised !== undefined)
    return 'Nothing to change from this.'
  const which = paced === all ? (all === 1 ? 'it' : 'all of them') : `${numberInWords(paced)} of them`
  const why =
    weeklyLimit.why === 'few'
      ? 'in the last 4 whole weeks it did so at no one time on most days of a weekday, which is too seldom to suggest a higher one.'
      : 'at the times at which it did so in most of the last 4 whole weeks, there was no table for them either, so a higher one would not have helped.'
  return `Your pacing limit turned ${which} away; ${why}`
}

/** How many had no room, and where to read when: often the reason, and what could be changed. */
const turnedAway = ({ rows }: Shown): Html | undefined => {
  const full = limitsHitBy(rows('refused')).reduce((sum, { n }) => sum + n, 0)
  return full === 0
    ? undefined
    : html`<p><a href="#refused">${counted(full, 'request')} for a table ${full === 1 ? 'was' : 'were'} turned away for lack of room</a>.</p>`
}
