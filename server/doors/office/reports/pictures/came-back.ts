import { daysToSettle, firstDaysOf } from '../../../../data/reports/came-back.ts'
import { isMoreThanChance } from '../../../../data/reports/difference-of.ts'
import { daysToReturn } from '../../../../data/reports/figures-of-day.ts'
import {
  dayInWords,
  counted,
  fewestCases,
  rowOf,
  share,
  shareOf,
  sourceName,
} from '../../../../data/reports/in-words.ts'
import { dateInWords, numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import type { LocalDate } from '../../../../platform/kernel/time/written-time.ts'
import { highestOf, linesDrawn } from '../drawn/lines.ts'
import { type Picture, type Shown, capital, percentShown, rateCell, rateLine, youngBook } from '../picture.ts'

/** Of the guests whom each source brought, who came back. All have had the same days for it, whatever the period is. */
export const cameBackPicture = (shown: Shown): Picture | undefined => {
  const rows = shown.rows('came_back')
  if (rows.length === 0) return undefined
  const sources = rows
    .flatMap(({ key, n, d }) =>
      key['measure'] === 'back'
        ? { name: sourceName(String(key['source'])), back: n ?? 0, guests: d ?? 0 }
        : [],
    )
    .toSorted((one, other) => other.guests - one.guests)
  const guests = sources.reduce((sum, one) => sum + one.guests, 0)
  const sentence = `${sentenceOf(shown, sources)}${tooSoonWords(shown)}${youngBook(shown, firstDaysOf(shown.figures, shown.today).from, 'some who “first came” are old regulars, and more seem to come back')}`
  const lines = sources.map(({ name, back, guests: of }) => rateLine(name, back, of))
  const isDrawn = lines.some(({ value }) => value !== null)
  return {
    ...{ id: 'came-back', title: 'Which source’s guests come back', of: ['came_back'], sentence },
    cases: counted(guests, 'guest'),
    drawn: isDrawn ? linesDrawn([{ lines }], sentence) : undefined,
    key: isDrawn ? [['full', `A full bar: ${percentShown(highestOf([{ lines }]))}`]] : [],
    columns: [
      { key: 'first_source', name: 'First came through' },
      { key: 'guests_back', name: 'Came back' },
      { key: 'guests', name: 'Guests' },
      { key: 'rate', name: 'Rate', shown: percentShown },
    ],
    rows: sources.map(({ name, back, guests: of }) => [name, back, of, rateCell(back, of)]),
  }
}

type Source = { readonly name: string; readonly back: number; readonly guests: number }

const sentenceOf = (shown: Shown, sources: readonly Source[]): string => {
  const { from: first, to } = firstDaysOf(shown.figures, shown.today)
  // Before the book began nobody came that it knows of.
  const from = shown.since !== null && shown.since > first && shown.since <= to ? shown.since : first
  const words = (date: LocalDate): string =>
    from.slice(0, 4) === to.slice(0, 4) ? dayInWords(shown, date) : dateInWords(date)
  const when = from === to ? `on ${words(from)}` : `from ${words(from)} to ${words(to)}`
  const [back, guests] = [
    sources.reduce((sum, one) => sum + one.back, 0),
    sources.reduce((sum, one) => sum + one.guests, 0),
  ]
  if (guests === 0)
    return `No guest on file first came ${when}, the last days whose guests have had ${daysToReturn} days to come back.`
  return `${shareOf(back, guests, `guest who first came ${when}`, `guests who first came ${when}`)} came back within ${daysToReturn} days.${mostAndLeast(sources)}`
}

/** Of those with enough guests, the first and the last: each is named only where it differs from the others beyond chance. */
const mostAndLeast = (sources: readonly Source[]): string => {
  const ranked = sources
    .filter(({ guests }) => guests >= fewestCases)
    .toSorted((one, other) => other.back / other.guests - one.back / one.guests)
  const [most, least] = [ranked[0], ranked.at(-1)]
  if (most === undefined || least === undefined || most === least) return ''
  if (most.back * least.guests === least.back * most.guests)
    return ` Those of every source with ${fewestCases} guests or more came back alike.`
  const [isMost, isLeast] = [isApart(ranked, isHigher), isApart(ranked.toReversed(), isLower)]
  const named = [
    ...(isMost ? [`most often those who first came through ${rateWords(most)}`] : []),
    ...(isLeast ? [`least often those ${isMost ? '' : 'who first came '}through ${rateWords(least)}`] : []),
  ]
  if (named.length > 0) return ` ${capital(named.join(', '))}: more than chance.`
  const range = `from ${share(least.back, least.guests)} to ${share(most.back, most.guests)}`
  const pairs = (ranked.length * (ranked.length - 1)) / 2
  return isHigher(most, least, pairs)
    ? ` The sources with ${fewestCases} guests or more range ${range}, which is more than chance, but no one of them stands apart.`
    : ` The sources with ${fewestCases} guests or more differ by no more than chance may: ${range}.`
}

type IsBeyond = (
  one: Pick<Source, 'back' | 'guests'>,
  other: Pick<Source, 'back' | 'guests'>,
  outOf: number,
) => boolean

const isHigher: IsBeyond = (one, other, outOf) =>
  isMoreThanChance(
    { people: one.guests, booked: one.back },
    { people: other.guests, booked: other.back },
    outOf,
  )
const isLower: IsBeyond = (one, other, outOf) => isHigher(other, one, outOf)

/**
 * Whether the first of some differs from the next one, and from all others together, beyond chance. It was chosen out of all of
 * them: with nine, one would seem to in a few periods.
 */
const isApart = ([first, ...others]: readonly Source[], isBeyond: IsBeyond): boolean => {
  const [next] = others
  if (first === undefined || next === undefined) return false
  const rest = {
    guests: others.reduce((sum, { guests }) => sum + guests, 0),
    back: others.reduce((sum, { back }) => sum + back, 0),
  }
  // Two are one comparison.
  return isBeyond(first, next, 1) && isBeyond(first, rest, others.length === 1 ? 1 : others.length + 1)
}

const rateWords = ({ name, back, guests }: Source): string =>
  `“${name}” (${share(back, guests)} of ${numberInWords(guests)})`

const tooSoonWords = (shown: Shown): string => {
  const guests = rowOf(shown.rows('came_back'), { measure: 'too_soon' })?.n ?? 0
  return guests === 0
    ? ''
    : ` ${counted(guests, 'guest')} first came in the days of this report less than ${daysToSettle} days ago: too soon to tell, so ${guests === 1 ? 'this one is' : 'they are'} left out.`
}
