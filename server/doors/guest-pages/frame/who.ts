import { type Network, networksOf } from '../../../platform/kernel/network.ts'
import { keyedHash } from '../../../platform/kernel/secrets.ts'
import type { Visit } from './visit.ts'

/**
 * The names of a guest's network: what limits and holds write goes under the first, and they read all of them. Each is a
 * hash with a key of the ring, so that nobody finds an address in the database by trying all there are, and with the day,
 * so that nothing joins what a network did on two days. Yesterday's are read, too, so that no limit begins again at
 * midnight; those of the ring's other keys, so that none does while keys are exchanged. No limit may span more than a day.
 */
export type NetworkNames = readonly [current: string, ...others: string[]]

export const networkNames = (visit: Origin): NetworkNames => namesOf(visit, networksOf(visit.from)[0])

/** All networks of a guest under their names, the narrowest first, each with its room (`platform/kernel/network.ts`). */
export const namedNetworks = (visit: Origin): readonly NamedNetwork[] =>
  networksOf(visit.from).map((network) => ({ names: namesOf(visit, network), times: network.times }))

export type NamedNetwork = { readonly names: NetworkNames; readonly times: number }

type Origin = Pick<Visit, 'ring' | 'from' | 'now'>

const namesOf = ({ ring, now }: Origin, { name: network }: Network): NetworkNames => {
  const [today = '', yesterday = ''] = [now, now.subtract({ hours: 24 })].map((at) =>
    at.toString().slice(0, 10),
  )
  const name = (entry: Visit['ring'][number], day: string): string =>
    keyedHash(`${day} ${network}`, keyedHash('guest network', entry.link)).toString('base64url')
  const [current, ...others] = ring
  return [
    name(current, today),
    name(current, yesterday),
    ...others.flatMap((entry) => [name(entry, today), name(entry, yesterday)]),
  ]
}

/** Who holds: the network, under all its names. */
export const byNetwork = (visit: Visit) => {
  const [holder, ...formerly] = networkNames(visit)
  return { holder, formerly, isGuest: true }
}
