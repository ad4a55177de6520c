import type { VenueDataOptions } from '@venue-data/sdk'
import type { Settings } from './config.ts'

/** An output: the terminal, a file or another program. */
export type Output = {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  /** How many characters fit on a line; unlimited when it is not a terminal. */
  readonly columns: () => number
  readonly hasColor: boolean
}

/** An input. */
export type Input = AsyncIterable<Uint8Array | string> & {
  readonly isTerminal: boolean
  /** One line typed by a person, such as a key that nobody should read over their shoulder. */
  readonly ask: (question: string, how: { readonly hidden: boolean }) => Promise<string>
}

/** Everything outside the program that it uses. */
export type World = {
  readonly settings: Settings
  readonly input: Input
  /** For results. */
  readonly out: Output
  /** For messages to the person. */
  readonly err: Output
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly randomBytes: (size: number) => Uint8Array
  /** Aborts when the program should end: Ctrl-C. */
  readonly signal: AbortSignal
  /** For tests: how the SDK waits. */
  readonly runtime?: NonNullable<VenueDataOptions['runtime']>
}
