export type Side = { readonly people: number; readonly booked: number }

/**
 * The difference of two shares with its 95 % interval, by Newcombe's method from the two Wilson intervals. `outOf`: the two were
 * picked from so many pairs, so the interval is one that holds for all of them together in 95 % (Bonferroni).
 */
export const differenceOf = (sent: Side, held: Side, outOf = 1) => {
  const [one, other] = [intervalOf(sent, outOf), intervalOf(held, outOf)]
  const difference = one.share - other.share
  return {
    difference,
    difference_low: difference - Math.hypot(one.share - one.low, other.high - other.share),
    difference_high: difference + Math.hypot(one.high - one.share, other.share - other.low),
  }
}

/** Whether the first share is higher beyond chance. */
export const isMoreThanChance = (one: Side, other: Side, outOf: number): boolean =>
  one.people > 0 && other.people > 0 && differenceOf(one, other, outOf).difference_low > 0

/** Of the normal distribution, for 95 %. */
const zOf95 = 1.959964

/** How many standard deviations leave a share outside on both sides: Abramowitz and Stegun 26.2.23, right to three decimals. */
const zOf = (outside: number): number => {
  const t = Math.sqrt(-2 * Math.log(outside / 2))
  const above = 2.515517 + t * (0.802853 + t * 0.010328)
  const below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308))
  return t - above / below
}

/** A share with its 95 % interval (Wilson); `outOf` as above. */
export const intervalOf = ({ people, booked }: Side, outOf = 1) => {
  const z = outOf === 1 ? zOf95 : zOf(0.05 / outOf)
  const share = booked / people
  const middle = (share + (z * z) / (2 * people)) / (1 + (z * z) / people)
  const half =
    (z * Math.sqrt((share * (1 - share)) / people + (z * z) / (4 * people * people))) / (1 + (z * z) / people)
  return { share, low: middle - half, high: middle + half }
}
