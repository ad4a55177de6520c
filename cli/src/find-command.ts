import type { Action } from './action.ts'
import type { Command, Options } from './command.ts'
import { commands } from './commands.ts'
import { didYouMean } from './did-you-mean.ts'
import { UsageError } from './failures.ts'
import { optionsOf, optionsOfAction } from './flags.ts'
import { actions, feeds } from './generated/actions.ts'

/** The command that the first words name, and the remaining words. */
export type Found =
  | { readonly is: 'command'; readonly command: Command; readonly rest: readonly string[] }
  | { readonly is: 'verb'; readonly verb: string }

/**
 * Finds the command of a command line.
 *
 * @throws UsageError when there is no such command
 */
export const findCommand = ([name = '', ...rest]: readonly string[]): Found => {
  const own = commands.find((command) => command.name === name)
  if (own) return { is: 'command', command: withFeeds(own), rest }
  const ofVerb = actions.filter(({ verb }) => verb === name)
  if (ofVerb.length === 0)
    throw new UsageError(
      `There is no command "${name}".${didYouMean(
        name,
        namesAndAbouts().map(([one]) => one),
      )}`,
    )
  const [kind = '', ...others] = rest
  // `search` and `figures` are of no kind of records but their own.
  const alone = ofVerb.find((one) => one.kind === name)
  if (alone && kind !== name) return { is: 'command', command: commandOf(alone), rest }
  if (kind === '' || kind === '--help') return { is: 'verb', verb: name }
  const action = ofVerb.find((one) => namesOfKind(one).includes(kind))
  if (action) return { is: 'command', command: commandOf(action), rest: others }
  const kinds = ofVerb.map((one) => one.kind)
  throw new UsageError(
    `"${name}" takes one of ${kinds.join(', ')}.${kind.startsWith('-') ? '' : didYouMean(kind, kinds)}`,
  )
}

/** `reservations`, and one of them. */
const namesOfKind = ({ kind }: Action): string[] => [kind, kind.replace(/(ch)es$|s$/, '$1')]

/** The words a command line can begin with, and their descriptions. */
export const namesAndAbouts = (): (readonly [name: string, about: string])[] => [
  ...commands.map(({ name, about }) => [name, about] as const),
  ...verbsAndKinds(),
  ['help', 'Show help.'],
]

/** The verbs and their kinds of records; verbs that apply to most kinds come first. */
export const verbsAndKinds = (): (readonly [verb: string, kinds: string])[] =>
  [...new Set(actions.map(({ verb }) => verb))]
    .map((verb) => [verb, actions.filter((one) => one.verb === verb).map(({ kind }) => kind)] as const)
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([verb, kinds]) => [verb, kinds.join(', ')])

/** An API call as a command. */
export const commandOf = (action: Action): Command => {
  const { verb, kind, ids, fields, about } = action
  const named = ids.map((name) => `<${name === 'id' ? 'id' : 'delivery'}>`)
  return {
    name: `${verb} ${kind}`,
    operands: [...named, ...(fields.length > 0 ? ['[field=value…]'] : [])].join(' '),
    about: `${about}.`,
    options: optionsOfAction(action),
    load: async () => {
      const { call } = await import('./commands/call.ts')
      return (world, line) => call(action, world, line)
    },
  }
}

/** A followed feed takes its call's query parameters as flags. */
const withFeeds = (command: Command): Command => {
  if (command.name !== 'tail') return command
  const words: Options = optionsOf([...feeds.events.words, ...feeds.changes.words])
  return { ...command, options: { ...words, ...command.options } }
}
