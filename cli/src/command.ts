import type { ExitCode } from './exit-codes.ts'
import type { World } from './world.ts'

/** A flag of a command, by its name without the dashes. */
export type Option = {
  /** The placeholder for its value in the help: `URL`. Absent: the flag takes no value. */
  readonly value?: string
  readonly about: string
  readonly required?: true
  /** The known values, for completion. */
  readonly words?: readonly string[]
}

export type Options = Readonly<Record<string, Option>>

/** A parsed command line. */
export type Line = {
  readonly operands: readonly string[]
  readonly flags: Readonly<Record<string, string | true | undefined>>
}

export type Run = (world: World, line: Line) => Promise<ExitCode>

/** A command. */
export type Command = {
  readonly name: string
  /** What follows the name: `<event>`. */
  readonly operands: string
  /** One sentence about what it does. */
  readonly about: string
  /** More text for its own help. */
  readonly more?: string
  readonly options: Options
  /** Loaded when it runs: most calls do not need most of the program. */
  readonly load: () => Promise<Run>
}

/** The flags of every command. */
export const sharedOptions = {
  json: { about: 'Print JSON: one value, or one object per line from commands that keep running.' },
  url: { value: 'URL', about: 'Address of the service, instead of the saved one.' },
  key: {
    value: 'KEY',
    about: 'Key to use, instead of the saved one. Other users of this machine may see it.',
  },
  retries: { value: 'N', about: 'How often a call that fails is tried again, instead of 4 times.' },
  help: { about: 'Show this help.' },
} as const satisfies Options

export const textOf = ({ flags }: Line, name: string): string | undefined => {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

export const has = ({ flags }: Line, name: string): boolean => flags[name] !== undefined
