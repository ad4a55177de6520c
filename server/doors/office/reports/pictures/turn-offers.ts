import { intervalOf } from '../../../../data/reports/difference-of.ts'
import { fewestCases, rowOf, share, staySizeWords } from '../../../../data/reports/in-words.ts'
import { type TurnKind, turnKinds } from '../../../../data/reports/turn-kinds.ts'
import { type Html, html } from '../../../../platform/html/html.ts'
import { numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import { hiddenFields } from '../../parts/forms/fields.ts'
import { type Picture, type Shown, isRecent } from '../picture.ts'
import { turnTimePath } from '../turn-time.ts'

/** A turn time may be any number of minutes; people set it in such steps. Closer to the stays, it fits. */
export const step = 5

/** How long parties that have one turn time stay, day and evening together: one busy lunch does not decide for every evening. */
export type Judged = {
  readonly sizes: string
  readonly turn: number
  /** Minutes within which a quarter had left, and three quarters. */
  readonly lower: number
  readonly upper: number
  /** Parties that stayed longer than the turn time, and all. */
  readonly longer: number
  readonly cases: number
  /** Guests of a party, on average; of a class of sizes the least. */
  readonly size: number
  /** The turn time that three quarters would have left within, where theirs is another beyond chance. */
  readonly offered: number | undefined
}

/** Those with another turn time first, by how many guests it would change something for; the others by how far they are from theirs. */
export const judgedTurns = (shown: Shown): readonly Judged[] => {
  const known = turnKinds(shown.rules).flatMap((kind) => {
    const { sizes } = kind
    const of = (measure: string) => rowOf(shown.rows('stay_quarters'), { sizes, measure })
    const [lower, upper, turn] = ['lower', 'upper', 'turn'].map((measure) => of(measure)?.value)
    const { n: longer, d: cases } = of('longer') ?? {}
    return lower == null || upper == null || turn == null || longer == null || cases == null
      ? []
      : { sizes, lower, upper, turn, longer, cases, size: meanSize(shown, kind) }
  })
  const outOf = known.filter(({ cases }) => cases >= fewestCases).length
  return known
    .map((one) => ({ ...one, offered: one.cases < fewestCases ? undefined : betterTurn(one, outOf) }))
    .toSorted(
      (a, b) =>
        Number(b.offered !== undefined) - Number(a.offered !== undefined) ||
        guestsOf(b) - guestsOf(a) ||
        farOf(b) - farOf(a),
    )
}

const meanSize = (shown: Shown, { first, last }: Pick<TurnKind, 'first' | 'last'>): number => {
  const ofKind = shown.rows('stays_by_size').flatMap(({ key, d }) => {
    const size = Number.parseInt(String(key['size']))
    return key['measure'] === 'stay' && size >= first && size <= last ? [{ size, parties: d ?? 0 }] : []
  })
  const all = ofKind.reduce((sum, one) => sum + one.parties, 0)
  return all === 0 ? first : ofKind.reduce((sum, one) => sum + one.size * one.parties, 0) / all
}

/**
 * How many guests another turn time would change something for: of a longer one those who would no longer outstay it, but for
 * the quarter that may; of a shorter one those who could come in the time that is won.
 */
const guestsOf = ({ offered, turn, longer, cases, size }: Judged): number =>
  offered === undefined
    ? 0
    : size * (offered > turn ? longer - cases / 4 : (cases * (turn - offered)) / offered)

const farOf = ({ upper, turn }: Pick<Judged, 'upper' | 'turn'>): number => Math.abs(upper - turn)

/**
 * A table is held until three quarters of its parties have left. Another time is better where the third quarter is a step or
 * more away, and the share that stays longer is no quarter even by its interval: that of all kinds looked at together.
 */
const betterTurn = (
  { upper, turn, longer, cases }: Omit<Judged, 'offered' | 'size'>,
  outOf: number,
): number | undefined => {
  const minutes = Math.ceil(upper / step) * step
  const { low, high } = intervalOf({ people: cases, booked: longer }, outOf)
  const isTooShort = upper >= turn + step && low > 0.25
  const isTooLong = minutes <= turn - step && high < 0.25
  return isTooShort || isTooLong ? minutes : undefined
}

/** A period of long ago says nothing of how tables should be held now. */
export const turnOffers = (shown: Shown, judged: readonly Judged[]): Pick<Picture, 'action' | 'first'> => {
  if (!isRecent(shown) || judged.every(({ cases }) => cases < fewestCases)) return {}
  const offers = judged.flatMap(({ offered, ...one }) => (offered === undefined ? [] : { ...one, offered }))
  const [first] = offers
  return first === undefined
    ? {
        action: html`<p class="small soft">The turn times fit: three quarters of the parties of each size with ${fewestCases} stays or more, day and evening together, leave within ${step} minutes of theirs, or what is more than that may be chance.</p>`,
      }
    : {
        first: {
          press: formOf(first, { ...shown, period: { ...shown.period, on: 'top' } }),
          guests: guestsOf(first),
        },
        action: html`<div class="press-only">${offers.map((one) => formOf(one, shown))}</div>`,
      }
}

/** It asks once: what is pressed first only says the numbers. */
const formOf = (
  { sizes, offered: minutes, turn, upper, longer, cases }: Judged & { readonly offered: number },
  { rulesVersion, period }: Pick<Shown, 'rulesVersion' | 'period'>,
): Html => {
  const all = `${numberInWords(cases)} parties`
  return html`<details class="press-only asks-once">
          <summary>Hold tables for ${staySizeWords(sizes)} for ${minutes} minutes instead of ${turn}</summary>
          <form method="post" action="${turnTimePath}">
            ${hiddenFields({ seen: rulesVersion, sizes, minutes, ...period })}
            <p>${
              minutes > turn
                ? `${share(longer, cases)} of ${all} stayed longer than ${turn} minutes, and three quarters had left within ${upper}. Held for longer, a table takes fewer parties;`
                : `Three quarters of ${all} had left within ${upper} minutes, and ${share(longer, cases)} stayed longer than ${turn}. Held for ${minutes}, each table is free for the next party ${turn - minutes} minutes sooner, and at most a quarter stay longer than that;`
            } bookings that are made stay as they are.</p>
            <button>Hold them for ${minutes} minutes</button>
          </form>
        </details>`
}
