import { createHmac } from 'node:crypto'
import { plainSigns, signsIn } from '../../platform/kernel/plain-signs.ts'

/*
 * What guests see in place of a booking's id, such as `K7M3-9Q4C`: ids count, so two of them would show how many
 * bookings were made in between. A reference is the id in another order, which the venue's secret decides; nothing of
 * it is kept.
 *
 * A Feistel network is a permutation of the 36-bit numbers for any round function. A number beyond the last
 * reference is sent through again until it is one (cycle walking), which leaves a permutation of the references.
 */

/** The first is a letter, so that no reference looks like an id. */
const letters = plainSigns.replaceAll(/\d/g, '')
const behind = 7
const base = plainSigns.length
/** 17 letters, and 22 signs to the power of 7 after each: 42 thousand million. */
const count = letters.length * base ** behind
const half = 2 ** 18
const rounds = 8

/** The reference of a booking. `key`: the venue's (`core/venue/reference-key.ts`). */
export const referenceOf = (key: string, id: number): string => {
  if (!Number.isSafeInteger(id) || id < 0 || id >= count)
    throw new RangeError('There is no reference for this id.')
  let rest = permuted(key, id, forth)
  let text = ''
  for (let place = 0; place < behind; place++) {
    text = plainSigns.charAt(rest % base) + text
    rest = Math.floor(rest / base)
  }
  text = letters.charAt(rest) + text
  return `${text.slice(0, 4)}-${text.slice(4)}`
}

/**
 * The id behind a reference, however it was typed; there may be no booking with it. Undefined if the text is not a
 * reference.
 */
export const idOfReference = (key: string, typed: string): number | undefined => {
  const [first = '', ...others] = signsIn(typed)
  const places = others.map((sign) => plainSigns.indexOf(sign))
  if (!letters.includes(first) || places.length !== behind || places.includes(-1)) return undefined
  return permuted(
    key,
    places.reduce((number, place) => number * base + place, letters.indexOf(first)),
    back,
  )
}

type Halves = readonly [left: number, right: number]
type Way = (key: string, halves: Halves) => Halves

const permuted = (key: string, number: number, way: Way): number => {
  let now = number
  do {
    const [left, right] = way(key, [Math.floor(now / half), now % half])
    now = left * half + right
  } while (now >= count)
  return now
}

const forth: Way = (key, halves) => {
  let [left, right] = halves
  for (let round = 0; round < rounds; round++) [left, right] = [right, left ^ mixed(key, round, right)]
  return [left, right]
}

const back: Way = (key, halves) => {
  let [left, right] = halves
  for (let round = rounds - 1; round >= 0; round--) [left, right] = [right ^ mixed(key, round, left), left]
  return [left, right]
}

const mixed = (key: string, round: number, part: number): number =>
  createHmac('sha256', key).update(`${round} ${part}`).digest().readUInt32BE() % half
