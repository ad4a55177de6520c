import { listInWords, weekdayName, weekdayOf, weekdaysFrom } from '../../platform/kernel/time/calendar.ts'
import { numberInWords } from '../../platform/kernel/time/in-words.ts'
import { counted, perDayOf } from './in-words.ts'
import type { OpenDays } from './open-days.ts'

/** Weekdays that are named; the others are one sum. */
const mostNamed = 3

/**
 * "What made the difference: closed on Thursday: 85 fewer; Friday +47, Saturday −29; the other days together +6." The largest
 * changes, whichever way: two that nearly balance are the news of a week. Days of their own, which are not whole weeks, may have
 * other weekdays than those they are compared with: that comes first, as nobody closed or opened for it. Empty of one day alone.
 */
export const differenceInWords = (
  now: OpenDays,
  before: OpenDays,
  { firstWeekday }: { readonly firstWeekday: number },
): string => {
  const changes = changesOf(now, before, firstWeekday)
  const all = sumOf(changes)
  if (changes.length < 2 || all === 0) return ''
  const ofBoth = changes.filter(({ isIn }) => isIn === 'both')
  const named = ofBoth.toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by)).slice(0, mostNamed)
  const [closed, open] = [named.filter(({ isClosed }) => isClosed), named.filter((one) => !one.isClosed)]
  const rest = sumOf(ofBoth) - sumOf(named)
  const parts = [
    ...inOneAlone(changes, 'before', 'among the days before alone'),
    ...inOneAlone(changes, 'now', 'among these days alone'),
    ...closed.map(({ name, by, note }) => `closed on ${name}${note}: ${numberInWords(-by)} fewer`),
    ...(open.length > 0 ? [open.map(({ name, by, note }) => `${name} ${signed(by)}${note}`).join(', ')] : []),
    ...(rest === 0 ? [] : [`the other days together ${signed(rest)}`]),
  ]
  return `What made the difference: ${parts.join('; ')}.`
}

const sumOf = (changes: readonly Change[]): number => changes.reduce((sum, { by }) => sum + by, 0)

/** "Saturday and Sunday were among the days before alone: 398 fewer" */
const inOneAlone = (changes: readonly Change[], which: Change['isIn'], where: string): readonly string[] => {
  const found = changes.filter(({ isIn }) => isIn === which)
  const by = sumOf(found)
  if (found.length === 0) return []
  const names = listInWords(found.map(({ name }) => name))
  const were = found.length === 1 && !names.endsWith('s') ? 'was' : 'were'
  return [`${names} ${were} ${where}: ${numberInWords(Math.abs(by))} ${by < 0 ? 'fewer' : 'more'}`]
}

type Change = {
  readonly name: string
  readonly by: number
  /** Which of the two periods have the weekday. */
  readonly isIn: 'both' | 'now' | 'before'
  /** Not open at all, and fewer came than before. */
  readonly isClosed: boolean
  /** Where the two periods had it open differently often, and why. */
  readonly note: string
}

/** How many guests more or fewer each weekday had. */
const changesOf = (now: OpenDays, before: OpenDays, firstWeekday: number): Change[] => {
  const isOften = [now, before].some(({ all }) => new Set(all.map(weekdayOf)).size < all.length)
  return weekdaysFrom(firstWeekday)
    .map((weekday) => {
      const [is, was] = [perDayOf(now, weekday), perDayOf(before, weekday)]
      const [isNow, wasBefore] = [now, before].map(({ all }) =>
        all.some((date) => weekdayOf(date) === weekday),
      )
      return {
        name: `${weekdayName(weekday)}${isOften ? 's' : ''}`,
        by: is.guests - was.guests,
        isIn: isNow === wasBefore ? ('both' as const) : isNow ? ('now' as const) : ('before' as const),
        // More came to the party that had the room than to an open day before: that is no loss.
        isClosed: is.days === 0 && is.guests < was.guests,
        note: noteOf(is, was, { now: lostOf(now, weekday), before: lostOf(before, weekday), isOften }),
      }
    })
    .filter(({ by }) => by !== 0)
}

type OfWeekday = { readonly guests: number; readonly days: number }

/** Days of a weekday: how many there were, and why some were closed, or were open for less than planned. */
type Lost = { readonly of: number; readonly closed: readonly string[]; readonly partly: readonly string[] }

const lostOf = ({ closed = new Map<string, string>(), all, dates }: OpenDays, weekday: number): Lost => {
  const ofWeekday = [...closed].filter(([date]) => weekdayOf(date) === weekday)
  const why = (isOpen: boolean): string[] =>
    ofWeekday.filter(([date]) => dates.includes(date) === isOpen).map(([, words]) => words)
  return {
    of: all.filter((date) => weekdayOf(date) === weekday).length,
    closed: why(false),
    partly: why(true),
  }
}

const noteOf = (
  is: OfWeekday,
  was: OfWeekday,
  { now, before, isOften }: { readonly now: Lost; readonly before: Lost; readonly isOften: boolean },
): string => {
  const named = nameIn(now.closed)
  if (is.days === 0) return named === undefined ? '' : ` (${named})`
  if (was.days === 0) return ' (closed in the earlier period)'
  if (is.days !== was.days) {
    // One that was as often closed before is no reason.
    const isReason = is.days < was.days && now.of === before.of && now.closed.length > before.closed.length
    return ` (${counted(is.days, 'open day')} against ${numberInWords(was.days)}${isReason ? becauseOf(named) : ''})`
  }
  // Open for one service alone.
  if (now.partly.length > before.partly.length && is.guests < was.guests) {
    const which = isOften ? `${numberInWords(now.partly.length)} of them ` : ''
    return ` (${which}partly closed${becauseOf(nameIn(now.partly))})`
  }
  return was.guests === 0 ? ' (nobody before)' : ''
}

const nameIn = (reasons: readonly string[]): string | undefined => reasons.find((words) => words !== '')

const becauseOf = (named: string | undefined): string => (named === undefined ? '' : ` because of “${named}”`)

const signed = (n: number): string => `${n > 0 ? '+' : '−'}${numberInWords(Math.abs(n))}`
