import { parseArgs } from 'node:util'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { type Command, type Flags, UsageError, usageOf } from './command.ts'

export type CommandLine =
  | { readonly kind: 'command'; readonly command: Command; readonly given: never; readonly json: boolean }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'wrong'; readonly text: string }

/**
 * Reads the words after `bin/venue`. Mistakes are: an unknown command or flag, a missing one, a flag given twice
 * that may not be, a value outside the list in the usage line. Nothing is opened or read for that.
 */
export const readCommandLine = (args: readonly string[], commands: readonly Command[]): CommandLine => {
  const words = commandFirst(args)
  const command = calledBy(args, commands)
  if (!command) return withoutCommand(words, commands)
  try {
    const { help, json, given } = readFlags(command, words.slice(command.words.split(' ').length))
    return help
      ? { kind: 'help', text: `${usageLine(command)}\n${command.about}` }
      : { kind: 'command', command, given, json }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { kind: 'wrong', text: `${error.message}\n${usageLine(command)}` }
  }
}

/** The command that a command line calls. */
export const calledBy = (args: readonly string[], commands: readonly Command[]): Command | undefined =>
  commands.find(({ words: own }) => own === commandFirst(args).slice(0, own.split(' ').length).join(' '))

/** --json may also come before the command. */
const commandFirst = (args: readonly string[]): readonly string[] =>
  args[0] === '--json' ? [...args.slice(1), '--json'] : args

const withoutCommand = (words: readonly string[], commands: readonly Command[]): CommandLine => {
  const usages = `Usage: bin/venue <command>, one of\n${commands.map((one) => `  ${usageOf(one)}`).join('\n')}`
  if (words[0] === 'help' || words[0] === '--help') return { kind: 'help', text: usages }
  const asked = words.slice(0, 2).filter((word) => !word.startsWith('-'))
  const sentence =
    asked.length === 0 ? 'The command is missing.' : `There is no command "${asked.join(' ')}".`
  return { kind: 'wrong', text: `${sentence}\n${usages}` }
}

const usageLine = (command: Command): string => `Usage: bin/venue ${usageOf(command)}`

const readFlags = ({ words, flags, misuse }: Command, args: readonly string[]) => {
  const { values, positionals } = parsed(args, flags)
  const json = values.json === true
  if (values.help === true) return { help: true, json, given: {} as never }
  const operands = Object.entries(flags).filter(([, { isOperand }]) => isOperand)
  // Not quoted: somebody may have typed a password here.
  if (positionals.length > operands.length) {
    const names = operands.map(([, { value }]) => `one ${value} and `).join('')
    throw new UsageError(`"${words}" takes ${names}flags only.`)
  }
  // A flag without a value arrives as one `true` for each time it was given.
  const texts: Readonly<Record<string, readonly string[] | undefined>> = {
    ...(values as Readonly<Record<string, readonly string[] | undefined>>),
    ...Object.fromEntries(operands.map(([name], place) => [name, positionals.slice(place, place + 1)])),
  }
  const given = Object.fromEntries(
    Object.entries(flags).map(([name, { many, read }]) => {
      const given = texts[name] ?? []
      if (given.length > 1 && !many) throw new UsageError(`--${name} is given twice.`)
      return [name, read(given, name)]
    }),
  ) as never
  const mistake = misuse?.(given)
  if (mistake) throw new UsageError(mistake)
  return { help: false, json, given }
}

/** Every occurrence of a flag is kept: by default the parser would silently keep only the last. */
const parsed = (args: readonly string[], flags: Flags) => {
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        help: { type: 'boolean' },
        ...Object.fromEntries(
          Object.entries(flags)
            .filter(([, { isOperand }]) => !isOperand)
            .map(([name, { value }]) => [
              name,
              { type: value === undefined ? 'boolean' : 'string', multiple: true } as const,
            ]),
        ),
      },
    })
  } catch (error) {
    if (codeOf(error)?.startsWith('ERR_PARSE_ARGS') !== true) throw error
    throw new UsageError(`${(error as Error).message.split(/[.\n]/)[0]}.`)
  }
}
