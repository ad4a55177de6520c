import { html } from '../../../../platform/html/html.ts'
import { type Side, isMoreThanChance } from '../../../../data/reports/difference-of.ts'
import {
  type Row,
  countOf,
  fewestCases,
  parties,
  rowOf,
  share,
  shareOf,
  total,
} from '../../../../data/reports/in-words.ts'
import {
  type Picture,
  type Shown,
  areCountsCompared,
  daysInWords,
  isRecent,
  markedBefore,
  percentShown,
  rateCell,
  youngBook,
} from '../picture.ts'
import { linesDrawn } from '../drawn/lines.ts'

/** Who has not visited for so long is written to as somebody who stayed away; the number can be changed before anything is sent. */
export const daysAway = 180

/** New guests and those who came back. */
export const guestsPicture = (shown: Shown): Picture => {
  const of = (rows: readonly Row[], kind: string): number => rowOf(rows, { kind })?.n ?? 0
  const kinds = ['new', 'returning', 'unknown'] as const
  const [now, before] = [shown.rows('guests'), shown.before('guests')]
  const known = of(now, 'new') + of(now, 'returning')
  const all = known + of(now, 'unknown')
  const knownBefore = of(before, 'new') + of(before, 'returning')
  const isCompared = areCountsCompared(shown)
  const sentence =
    known === 0
      ? `No party with a guest on file was served on ${daysInWords(shown)}.`
      : `${shareOf(of(now, 'returning'), known, 'party whose guest is on file', 'parties whose guest is on file')} had been here before${isCompared && knownBefore >= fewestCases && known >= fewestCases ? `; ${share(of(before, 'returning'), knownBefore)} ${shown.beforeWords}` : ''}.${youngBook(shown, shown.figures.from, 'too few count as returning')}`
  return {
    ...{ id: 'guests', title: 'New and returning guests', of: ['guests'], sentence, cases: parties(all) },
    drawn:
      all === 0
        ? undefined
        : linesDrawn(
            [
              {
                lines: kinds.map((kind) => ({
                  name: guestWords[kind],
                  value: of(now, kind),
                  mark: isCompared ? of(before, kind) : null,
                  words: countOf(of(now, kind), all),
                })),
              },
            ],
            sentence,
          ),
    key: isCompared && knownBefore > 0 ? markedBefore(shown) : [],
    columns: [
      { key: 'guest', name: 'Guest', shown: (kind) => guestWords[kind as keyof typeof guestWords] },
      { key: 'parties', name: 'Parties' },
      { key: 'share', name: 'Share', shown: percentShown },
      ...(isCompared ? [{ key: 'parties_before', name: 'Before' }] : []),
    ],
    rows: kinds.map((kind) => [
      ...[kind, of(now, kind), rateCell(of(now, kind), all)],
      ...(isCompared ? [of(before, kind)] : []),
    ]),
    ...(known >= fewestCases &&
      isRecent(shown) && {
        action: writeToThem,
        ...(isCompared &&
          knownBefore >= fewestCases &&
          fewerReturned(
            shown,
            { people: known, booked: of(now, 'returning') },
            { people: knownBefore, booked: of(before, 'returning') },
            sentence,
          )),
      }),
  }
}

/** On top only where fewer than before were regulars, beyond chance: with why, and by how many guests. */
const fewerReturned = (shown: Shown, now: Side, before: Side, why: string): Pick<Picture, 'first'> => {
  if (!isMoreThanChance(before, now, 1)) return {}
  const missing = (before.booked / before.people) * now.people - now.booked
  const [covers, parties] = [total(shown.rows('covers')), total(shown.rows('parties'))]
  return {
    first: {
      press: html`<p>${why}</p>${writeToThem}`,
      guests: missing * (parties === 0 ? 1 : covers / parties),
    },
  }
}

const writeToThem = html`<p><a class="button" href="/office/campaigns/new?notSinceDays=${daysAway}">Write to subscribers who have not visited in ${daysAway} days</a></p>`

const guestWords = { new: 'New', returning: 'Returning', unknown: 'Not on file' } as const
