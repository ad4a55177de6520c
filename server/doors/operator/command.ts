import type { Context } from '../../context.ts'

/*
 * What a command is: its name, its flags and what it does. commands.ts lists them; read-command-line.ts reads a command
 * line.
 */

/** What a command prints on standard output: `json` with --json, `text` without. */
export type Answer = {
  readonly json: object
  readonly text: string
  /** Sentences for the person at the terminal, on standard error. */
  readonly notes?: readonly string[]
  /** It found something that has to be dealt with: exit code 1. */
  readonly failed?: true
}

export type Flag<T> = {
  /** The placeholder for its value in the usage line: `S`, `read|read_write`. Undefined: a flag without a value. */
  readonly value: string | undefined
  readonly needed: boolean
  /** Whether it may be given more than once. */
  readonly many: boolean
  /** It follows the command's words by itself, without a flag name. */
  readonly isOperand?: true
  /** Takes every text given with it, or an empty list when it was left out. Throws UsageError. */
  readonly read: (texts: readonly string[], flag: string) => T
}
export type Flags = Readonly<Record<string, Flag<unknown>>>
export type Given<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends Flag<infer T> ? T : never
}

export type Command = {
  /** Its name on the command line: `venue create`. */
  readonly words: string
  readonly about: string
  readonly flags: Flags
  /** It runs until somebody stops it, which is not a failure; it prints as it goes. */
  readonly goesOn?: boolean
  /** It takes the database as it is, of any version or empty; for other commands it is migrated first. */
  readonly asItIs?: boolean
  /** What is wrong with the flags together, in a sentence. */
  readonly misuse?: (given: never) => string | undefined
  readonly run: (context: Context, given: never) => Promise<Answer>
}

/** A row of the table; the compiler gives `run` the types of its flags. */
export const command = <F extends Flags>(row: {
  readonly words: string
  readonly about: string
  readonly flags: F
  readonly goesOn?: boolean
  readonly asItIs?: boolean
  readonly misuse?: (given: Given<F>) => string | undefined
  readonly run: (context: Context, given: Given<F>) => Promise<Answer>
}): Command => row

/** The command line itself is wrong: exit code 2. Everything else that goes wrong is 1. */
export class UsageError extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'UsageError'
  }
}

/** Any text; the command decides what is valid. */
export const text = (value: string): Flag<string | undefined> => ({
  value,
  needed: false,
  many: false,
  read: ([given]) => given,
})

/** One of a closed list, which the usage line shows. */
export const oneOf = <const Word extends string>(words: readonly Word[]): Flag<Word | undefined> => ({
  value: words.join('|'),
  needed: false,
  many: false,
  read: ([given], flag) => {
    const word = words.find((word) => word === given)
    if (given !== undefined && word === undefined)
      throw new UsageError(`--${flag} must be ${words.join(' or ')}.`)
    return word
  },
})

/** Decimal digits; at most 15, which any number here can represent. */
export const wholeNumber = (value: string): Flag<number | undefined> => ({
  value,
  needed: false,
  many: false,
  read: ([given], flag) => {
    if (given === undefined) return undefined
    if (!/^\d{1,15}$/.test(given)) throw new UsageError(`--${flag} must be a whole number.`)
    return Number(given)
  },
})

/** A stretch of time: `90m`, `6h`, `2d`, several in a row, or ISO 8601 (`PT6H`). A day is 24 hours. In milliseconds. */
export const duration = (value: string): Flag<number | undefined> => ({
  value,
  needed: false,
  many: false,
  read: ([given], flag) => {
    if (given === undefined) return undefined
    const milliseconds = readDuration(given)
    if (milliseconds === undefined)
      throw new UsageError(`--${flag} must be a time such as 90m, 6h or 2d, or PT6H.`)
    return milliseconds
  },
})

const readDuration = (given: string): number | undefined => {
  const [, days = '0', hours = '0', minutes = '0'] =
    /^(?=.)(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?$/.exec(given) ?? []
  const isShort = /^[\ddhm]+$/.test(given)
  try {
    const read = isShort
      ? { days: Number(days), hours: Number(hours), minutes: Number(minutes) }
      : Temporal.Duration.from(given)
    const milliseconds = Temporal.Duration.from(read).total('milliseconds')
    return Number.isSafeInteger(milliseconds) && milliseconds > 0 ? milliseconds : undefined
  } catch {
    // Not a duration, or one with months, which have no fixed length.
    return undefined
  }
}

/** A text that may be given several times; undefined when it was not given. */
export const texts = (value: string): Flag<readonly string[] | undefined> => ({
  value,
  needed: false,
  many: true,
  read: (given) => (given.length === 0 ? undefined : given),
})

/** A flag without a value: whether it was given. */
export const bare: Flag<boolean> = {
  value: undefined,
  needed: false,
  many: false,
  read: (given) => given.length > 0,
}

/** The same flag, but required. */
export const needed = <T>(flag: Flag<T>): Flag<Exclude<T, undefined>> => ({
  ...flag,
  needed: true,
  read: (given, name) => {
    if (given.length === 0) throw new UsageError(`--${name} is missing.`)
    return flag.read(given, name) as Exclude<T, undefined>
  },
})

/** A word of the command line without a flag: `trigger EVENT`. It is required. */
export const operand = <T>(flag: Flag<T>): Flag<Exclude<T, undefined>> => ({
  ...flag,
  needed: true,
  isOperand: true,
  read: (given, name) => {
    if (given.length === 0) throw new UsageError(`The ${flag.value} is missing.`)
    return flag.read(given, name) as Exclude<T, undefined>
  },
})

/** `venue create --slug S [--plan free|pro]`. */
export const usageOf = ({ words, flags }: Pick<Command, 'words' | 'flags'>): string =>
  [
    words,
    ...Object.entries(flags).map(([name, { value, needed, many, isOperand }]) => {
      if (isOperand) return value
      const flag = value === undefined ? `--${name}` : `--${name} ${value}`
      const written = needed ? flag : `[${flag}]`
      return many ? `${written}...` : written
    }),
    '[--json]',
  ].join(' ')
