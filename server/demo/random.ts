/**
 * Numbers that look random and are the same in every run: the demo's records come from a seed, so that a
 * bug seen in them can be seen again. Never for keys or secrets; those have the system's source.
 *
 * The generator is mulberry32: a counter that grows by 0x6d2b79f5 and is mixed by two rounds of multiply and
 * shift; 32 bits of state, each value once in its period of 2^32. `fork` starts a stream of its own from the
 * seed and a name (FNV-1a, 32 bits), so that one more draw for the tickets leaves the bookings as they are.
 */
export type Random = {
  /** 0 or more, below 1. */
  readonly draw: () => number
  /** A whole number, both ends included. */
  readonly integer: (from: number, to: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(list: readonly T[]) => T
  /** One of the values, each as often as its weight says. */
  readonly weighted: <T>(choices: readonly (readonly [value: T, weight: number])[]) => T
  /** Normally distributed, cut off at the ends. */
  readonly normal: (mean: number, deviation: number, least: number, most: number) => number
  /** Waiting time with this mean: many short, a few long. */
  readonly exponential: (mean: number) => number
  readonly shuffled: <T>(list: readonly T[]) => T[]
  readonly fork: (name: string) => Random
}

export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0
  const draw = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (from: number, to: number): number => from + Math.floor(draw() * (to - from + 1))
  const pick = <T>(list: readonly T[]): T => list[integer(0, list.length - 1)] as T
  return {
    draw,
    integer,
    pick,
    chance: (probability) => draw() < probability,
    weighted: (choices) => {
      let rest = draw() * choices.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [value, weight] of choices) if ((rest -= weight) < 0) return value
      return (choices.at(-1) as (typeof choices)[number])[0]
    },
    // Box and Muller; 1 - draw() is never 0.
    normal: (mean, deviation, least, most) => {
      const value = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
      return Math.min(most, Math.max(least, mean + deviation * value))
    },
    exponential: (mean) => -Math.log(1 - draw()) * mean,
    shuffled: (list) => {
      const copy = [...list]
      for (let last = copy.length - 1; last > 0; last--) {
        const other = integer(0, last)
        ;[copy[last], copy[other]] = [copy[other] as never, copy[last] as never]
      }
      return copy
    },
    fork: (name) => randomFrom(hashOf(`${seed}/${name}`)),
  }
}

/** FNV-1a over the text's code units. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
