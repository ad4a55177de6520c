import type { World } from './world.ts'

/** What a statement needs in addition to a key that may read and write. */
export type Need =
  | 'read key'
  | 'automation key'
  | "another venue's key"
  | 'revoked key'
  | 'checkout key'
  | 'return address'
  | 'receiver'
  | 'trigger'
  | 'clock'
  | 'loopback'

/** Why a statement is not tested when something it needs is missing. */
export const withoutNeed: Readonly<Record<Need, string>> = {
  'read key': 'needs a read-only key: --read-key',
  'automation key': 'needs a key of kind automation: --automation-key',
  "another venue's key": 'needs a key of another venue: --other-key',
  'revoked key': 'needs a key that was revoked: --revoked-key',
  'checkout key': 'needs a key that may start payments: --checkout-key',
  'return address': 'needs an address to come back to, on a site that the venue lists: --return-url',
  receiver: 'needs a receiver whose address the service accepts: --receiver',
  trigger: 'no key can cause this: needs --trigger',
  clock: 'would take minutes or days: needs --clock',
  loopback: 'could reach real people or platforms: only tried at a loopback address',
}

/** One sentence of the contract, and how to check it. */
export type Statement = {
  /** The contract's own number within its section; if it says several things at once, `1.1`, `1.2`. */
  readonly number: string
  /** The sentence, in short form. */
  readonly says: string
  readonly needs?: readonly Need[]
  /** Throws what it saw instead. It does not clean up: the world's callers record what they created. */
  readonly check: (world: World) => Promise<void>
}

/** A sentence that cannot be tested from outside; it is reported as not tried, with the reason. */
export type Untried = Pick<Statement, 'number' | 'says'> & { readonly untried: string }

/** A section of the contract. */
export type Section = {
  readonly name: string
  readonly about: string
  readonly statements: readonly (Statement | Untried)[]
}

/** A statement's name: `Idempotency 6`. */
export const idOf = (section: Section, { number }: Pick<Statement, 'number'>): string =>
  `${section.name} ${number}`
