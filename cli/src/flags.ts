import type { Action, Word } from './action.ts'
import type { Line, Options } from './command.ts'
import { textOf } from './command.ts'
import { UsageError } from './failures.ts'

/* Query parameters as flags: `dateFrom` is `--date-from`. */

export const flagName = (word: string): string =>
  word.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const placeholder = (name: string): string => {
  if (name.startsWith('date')) return 'DATE'
  if (/since|until/i.test(name)) return 'TIME'
  return flagName(name).toUpperCase()
}

/** Query parameters as options of a command. */
export const optionsOf = (words: readonly Word[]): Options =>
  Object.fromEntries(
    words.map(({ name, takes, about, required, words: known }) => [
      flagName(name),
      {
        ...(takes !== 'nothing' && { value: takes === 'number' ? 'N' : placeholder(name) }),
        about,
        ...(required && { required }),
        ...(known && { words: known }),
      },
    ]),
  )

/** All flags of a command that makes an API call. */
export const optionsOfAction = ({ words, fields, pages, keyed, ifMatch, dryRun }: Action): Options => ({
  ...optionsOf(words),
  ...(pages && { all: { about: 'Every page, not only the first.' } }),
  ...(fields.length > 0 && {
    data: { value: 'JSON', about: 'The fields as JSON, @FILE for a file, or - for standard input.' },
  }),
  ...(dryRun && { 'dry-run': { about: 'Show what would happen, without doing it.' } }),
  ...(ifMatch && {
    'if-match': {
      value: 'REVISION',
      about: 'Only if the record is still at this revision. Without it, the current version is changed.',
    },
  }),
  ...(keyed && {
    'idempotency-key': {
      value: 'KEY',
      about: 'A key of your own: the same call sent twice under it is done once.',
    },
  }),
})

/**
 * Reads query parameters from a command line.
 *
 * @throws UsageError when a value does not fit
 */
export const queryOf = (words: readonly Word[], line: Line): Record<string, string> =>
  Object.fromEntries(
    words.flatMap(({ name, takes, words: known = [] }): [string, string][] => {
      const flag = flagName(name)
      if (takes === 'nothing') return line.flags[flag] === undefined ? [] : [[name, 'true']]
      const value = textOf(line, flag)
      if (value === undefined) return []
      if (takes === 'number' && !/^\d+$/.test(value))
        throw new UsageError(`--${flag} must be a whole number.`)
      if (takes === 'word' && !known.includes(value))
        throw new UsageError(`--${flag} must be one of ${known.join(', ')}.`)
      return [[name, value]]
    }),
  )
