import { areaCodes, nameGroups } from './words/name-lists.ts'
import type { Random } from './random.ts'

/** Somebody who may book, sign up, buy or ask: what they are called, and how they type their contact. */
export type Person = {
  readonly first: string
  readonly last: string
  /** As they write it. */
  readonly name: string
  /** Unique among all people of the demo, in one of the domains that belong to nobody. */
  readonly email: string
  /** Unique too; null for those who never give one. */
  readonly phone: string | null
  /** How much more often than others they come back. */
  readonly loyalty: number
}

export type People = {
  /** Somebody nobody met before; `byPhone` for those known by their number alone. */
  readonly meet: (byPhone?: boolean) => Person
  /** A name that is heard in passing. */
  readonly passBy: () => Pick<Person, 'first' | 'last'>
}

/** People come one after another; nobody shares an address or a number with another. */
export const peopleFrom = (random: Random): People => {
  const addresses = new Set<string>()
  const numbers = random.shuffled(
    areaCodes.flatMap((area) => Array.from({ length: 100 }, (_, line) => `${area}5550${100 + line}`)),
  )
  const groups = nameGroups.map((group) => [group, group.weight] as const)
  const named = () => {
    const origin = random.weighted(groups)
    const first = random.pick((random.chance(0.14) ? random.weighted(groups) : origin).first)
    const last = random.chance(0.015)
      ? `${random.pick(origin.last)}-${random.pick(origin.last)}`
      : random.pick(origin.last)
    return { first, last }
  }
  return {
    passBy: named,
    meet: (byPhone = false) => {
      const { first, last } = named()
      const name = `${first} ${last}`
      const digits = byPhone || random.chance(0.78) ? numbers.pop() : undefined
      return {
        first,
        last,
        name: random.chance(0.025) ? name.toLowerCase() : name,
        email: addressOf(random, first, last, addresses),
        phone: digits === undefined ? null : typedPhone(random, digits),
        loyalty: Math.min(32, (1 - random.draw()) ** (-1 / 1.35)),
      }
    },
  }
}

const domains = [
  ['example.com', 0.62],
  ['example.net', 0.22],
  ['example.org', 0.16],
] as const

const addressOf = (random: Random, first: string, last: string, taken: Set<string>): string => {
  const [given, family] = [plain(first), plain(last)]
  for (let tries = 0; ; tries++) {
    // After a few tries everybody takes a number.
    const number =
      tries > 2 ? String(random.integer(1, 9999)) : random.chance(0.2) ? yearOrNumber(random) : ''
    const local = random.weighted([
      [`${given}.${family}`, 5],
      [`${given}${family}`, 3],
      [`${given.slice(0, 1)}${family}`, 3],
      [`${given}_${family}`, 0.7],
      [`${given}.${family.slice(0, 1)}`, 0.8],
      [`${family}.${given}`, 0.8],
    ])
    const address = `${local}${number}@${random.weighted(domains)}`
    if (taken.has(address)) continue
    taken.add(address)
    // Some type their name with a capital, as their phone suggests.
    return random.chance(0.04) ? address.slice(0, 1).toUpperCase() + address.slice(1) : address
  }
}

const yearOrNumber = (random: Random): string =>
  String(random.chance(0.5) ? random.integer(62, 99) : random.integer(1, 29))

/** ASCII letters only, as providers ask for. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')

/** Ten digits as one person or another types them. */
const typedPhone = (random: Random, digits: string): string => {
  const [area, exchange, line] = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)]
  return random.weighted([
    [`(${area}) ${exchange}-${line}`, 40],
    [`${area}-${exchange}-${line}`, 24],
    [digits, 14],
    [`+1 ${area} ${exchange} ${line}`, 7],
    [`${area}.${exchange}.${line}`, 6],
    [`+1${digits}`, 5],
    [`${area} ${exchange} ${line}`, 5],
    [`1-${area}-${exchange}-${line}`, 3],
    [`(${area})${exchange}-${line}`, 3],
  ])
}

/** The same number as it is typed another time. */
export const retypedPhone = (random: Random, typed: string): string =>
  random.chance(0.82) ? typed : typedPhone(random, typed.replaceAll(/[^0-9]/g, '').slice(-10))
