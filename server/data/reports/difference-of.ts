type Side = { readonly people: number; readonly booked: number }

/** The difference of two shares with its 95 % interval, by Newcombe's method from the two Wilson intervals. */
export const differenceOf = (sent: Side, held: Side) => {
  const [one, other] = [intervalOf(sent), intervalOf(held)]
  const difference = one.share - other.share
  return {
    difference,
    difference_low: difference - Math.hypot(one.share - one.low, other.high - other.share),
    difference_high: difference + Math.hypot(one.high - one.share, other.share - other.low),
  }
}

/** Of the normal distribution, for 95 %. */
const z = 1.959964

const intervalOf = ({ people, booked }: Side) => {
  const share = booked / people
  const middle = (share + (z * z) / (2 * people)) / (1 + (z * z) / people)
  const half =
    (z * Math.sqrt((share * (1 - share)) / people + (z * z) / (4 * people * people))) / (1 + (z * z) / people)
  return { share, low: middle - half, high: middle + half }
}
