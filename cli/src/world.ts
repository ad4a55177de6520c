import type { VenueDataOptions } from '@venue-data/sdk'
import type { Settings } from './config.ts'

/** Where text goes: the terminal, a file or another program. */
export type Output = {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  /** How many characters fit into a line; any number of them where it is no terminal. */
  readonly columns: () => number
  readonly hasColor: boolean
}

/** Where text comes from. */
export type Input = AsyncIterable<Uint8Array | string> & {
  readonly isTerminal: boolean
  /** One line typed by a person, such as a key that nobody is to read over a shoulder. */
  readonly ask: (question: string, how: { readonly hidden: boolean }) => Promise<string>
}

/** Everything outside of the program that it speaks to. */
export type World = {
  readonly settings: Settings
  readonly input: Input
  /** What was asked for. */
  readonly out: Output
  /** What a person should know besides. */
  readonly err: Output
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly randomBytes: (size: number) => Uint8Array
  /** Aborts when the program is to end: Ctrl-C. */
  readonly signal: AbortSignal
  /** For tests: how the SDK waits. */
  readonly runtime?: NonNullable<VenueDataOptions['runtime']>
}
