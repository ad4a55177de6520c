import { type Option, type Options, sharedOptions } from './command.ts'
import { findCommand, namesAndAbouts } from './find-command.ts'
import { actions, events } from './generated/actions.ts'

/* Finds what may follow on a command line. The scripts that `completion` prints call it at each press of Tab. */

/** A word that may follow, and its description. */
type Candidate = readonly [word: string, about: string]

/**
 * Candidates for the last of these words, which may be partly typed: one per line, with a tab before its description.
 */
export const completionText = (args: readonly string[]): string => {
  const words = args[0] === '--' ? args.slice(1) : args
  const current = words.at(-1) ?? ''
  return candidates(words.slice(0, -1), current)
    .filter(([word]) => word.startsWith(current))
    .map(([word, about]) => `${word}\t${about}\n`)
    .join('')
}

const candidates = (given: readonly string[], current: string): readonly Candidate[] => {
  const before = given[0] === 'help' ? given.slice(1) : given
  const [name] = before
  if (name === undefined) return namesAndAbouts()
  const found = findQuietly(before)
  if (found === undefined) return []
  if (found.is === 'verb')
    return actions.filter(({ verb }) => verb === name).map(({ kind, about }) => [kind, about])
  const { command, rest } = found
  const options: Options = { ...command.options, ...sharedOptions }
  const last = rest.at(-1)?.replace(/^--/, '')
  const waiting: Option | undefined = rest.at(-1)?.startsWith('--') ? options[last ?? ''] : undefined
  if (waiting?.value !== undefined) return listed(waiting.words ?? [], current)
  if (current.startsWith('-')) return flagsLeft(options, rest)
  if (command.name === 'trigger' && rest.every((word) => word.startsWith('--'))) return eventNames
  if (command.name === 'completion' && rest.length === 0) return shells
  const action = actions.find(({ verb, kind }) => `${verb} ${kind}` === command.name)
  const fields = (action?.fields ?? []).map(({ name: field, about }): Candidate => [`${field}=`, about])
  return fields.filter(([field]) => !rest.some((word) => word.startsWith(field)))
}

const findQuietly = (words: readonly string[]): ReturnType<typeof findCommand> | undefined => {
  try {
    return findCommand(words)
  } catch {
    // An unknown command is reported when it is run.
    return undefined
  }
}

/** In a list with commas, the last value is completed. */
const listed = (known: readonly string[], current: string): Candidate[] => {
  const before = current.slice(0, current.lastIndexOf(',') + 1)
  return known.map((word) => [before + word, ''])
}

const flagsLeft = (options: Options, rest: readonly string[]): Candidate[] =>
  Object.entries(options)
    .map(([name, { about }]): Candidate => [`--${name}`, about])
    .filter(([flag]) => !rest.includes(flag))

const eventNames: readonly Candidate[] = Object.keys(events).map((name) => [name, ''])

const shells: readonly Candidate[] = ['bash', 'zsh', 'fish'].map((shell) => [shell, ''])
