import type { ExitCode } from './exit-codes.ts'
import type { World } from './world.ts'

/** A flag of a command, by its name without the dashes. */
export type Option = {
  /** What stands in for its value in the help: `URL`. Without one the flag takes no value. */
  readonly value?: string
  readonly about: string
  readonly required?: true
  /** What its value may be, as far as that is known: for completion. */
  readonly words?: readonly string[]
}

export type Options = Readonly<Record<string, Option>>

/** A command line, read. */
export type Line = {
  readonly operands: readonly string[]
  readonly flags: Readonly<Record<string, string | true | undefined>>
}

export type Run = (world: World, line: Line) => Promise<ExitCode>

/** What can be called by a word. */
export type Command = {
  readonly name: string
  /** What follows the name: `<event>`. */
  readonly operands: string
  /** What it does, in a sentence. */
  readonly about: string
  /** More of it, for its own help. */
  readonly more?: string
  readonly options: Options
  /** Loaded when it is called: most of the program is not needed for most calls. */
  readonly load: () => Promise<Run>
}

/** What every command takes. */
export const sharedOptions = {
  json: { about: 'Print JSON: one value, or one object per line from commands that keep running.' },
  url: { value: 'URL', about: 'Address of the service, instead of the saved one.' },
  key: {
    value: 'KEY',
    about: 'Key to use, instead of the saved one. Other users of this machine may see it.',
  },
  help: { about: 'Show this help.' },
} as const satisfies Options

export const textOf = ({ flags }: Line, name: string): string | undefined => {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

export const has = ({ flags }: Line, name: string): boolean => flags[name] !== undefined
