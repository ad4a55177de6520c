import { staySizes } from '../../../../data/reports/figures-of-day.ts'
import { fewestCases, rowOf, share, staySizeWords } from '../../../../data/reports/in-words.ts'
import { type Html, html } from '../../../../platform/html/html.ts'
import { numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import { hiddenFields } from '../../parts/forms/fields.ts'
import { type Picture, type Shown, isRecent } from '../picture.ts'
import { turnTimePath } from '../turn-time.ts'

/** Turn times are set in steps. */
const step = 15

type Offer = {
  readonly sizes: string
  readonly minutes: number
  readonly turn: number
  readonly longer: number
  readonly cases: number
}

/**
 * A turn time is too short for a size if more than a quarter of all its parties stay longer, whatever the part of the day: one
 * busy lunch does not decide for every evening. A period of long ago says nothing of how tables should be held now.
 */
export const turnOffers = (shown: Shown): Pick<Picture, 'action' | 'first'> => {
  const known = isRecent(shown) ? offersOf(shown) : []
  const offers = known.filter(({ longer, cases }) => longer * 4 > cases)
  // The top of the page has one alone: the size of which the most stay longer.
  const [first] = offers.toSorted((a, b) => b.longer / b.cases - a.longer / a.cases)
  if (known.length === 0) return {}
  return first === undefined
    ? {
        action: html`<p class="small soft">The turn times fit: day and evening together, three quarters of the parties of each size with ${fewestCases} stays or more have left within them.</p>`,
      }
    : {
        first: formOf(first, { ...shown, period: { ...shown.period, on: 'top' } }),
        action: html`<div class="press-only">${offers.map((one) => formOf(one, shown))}</div>`,
      }
}

const offersOf = (shown: Shown): Offer[] =>
  staySizes.flatMap(([sizes]) => {
    const of = (measure: string) => rowOf(shown.rows('stay_quarters'), { sizes, measure })
    const [upper, longer, turn] = [of('upper')?.value, of('longer'), turnOf(shown, sizes)]
    const cases = longer?.d ?? 0
    return upper == null || turn === undefined || cases < fewestCases
      ? []
      : { sizes, minutes: Math.ceil(upper / step) * step, turn, longer: longer?.n ?? 0, cases }
  })

const turnOf = (shown: Shown, sizes: string): number | undefined =>
  ['day', 'evening'].flatMap(
    (part) => rowOf(shown.rows('stays'), { sizes, part, measure: 'turn' })?.value ?? [],
  )[0]

/** It asks once: what is pressed first only says the numbers. */
const formOf = (
  { sizes, minutes, turn, longer, cases }: Offer,
  { rulesVersion, period }: Pick<Shown, 'rulesVersion' | 'period'>,
): Html =>
  html`<details class="press-only asks-once">
          <summary>Hold tables for ${staySizeWords(sizes)} for ${minutes} minutes instead of ${turn}</summary>
          <form method="post" action="${turnTimePath}">
            ${hiddenFields({ seen: rulesVersion, sizes, minutes, ...period })}
            <p>${share(longer, cases)} of ${numberInWords(cases)} parties stayed longer than ${turn} minutes. Three quarters of them had left within ${minutes}. Held for longer, a table takes fewer parties; bookings that are made stay as they are.</p>
            <button>Hold them for ${minutes} minutes</button>
          </form>
        </details>`
