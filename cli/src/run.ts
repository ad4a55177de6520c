import { has } from './command.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { UsageError } from './failures.ts'
import { findCommand } from './find-command.ts'
import { readLine } from './read-line.ts'
import type * as Help from './help.ts'
import type { World } from './world.ts'

/** Runs a command line; always returns the exit code, even on errors. */
export const run = async (args: readonly string[], world: World): Promise<ExitCode> => {
  try {
    return await dispatch(args, world)
  } catch (error) {
    const { tell } = await import('./tell-failure.ts')
    return tell(error, args, world)
  }
}

/** Longer lines are hard to read. */
const widestHelp = 100

const dispatch = async (typed: readonly string[], world: World): Promise<ExitCode> => {
  const given = typed.map((word) => (word === '-h' ? '--help' : word))
  // `help list` is `list --help`.
  const args = given[0] === 'help' && given.length > 1 ? [...given.slice(1), '--help'] : given
  const say = async (text: (help: typeof Help, width: number) => string): Promise<ExitCode> => {
    const width = Math.min(world.out.columns(), widestHelp)
    world.out.write(text(await import('./help.ts'), width))
    return exitCodes.ok
  }
  const [first] = args
  if (first === undefined) {
    await say((help, width) => help.generalHelp(width))
    return exitCodes.usage
  }
  if (['help', '--help'].includes(first)) return say((help, width) => help.generalHelp(width))
  if (['version', '--version', '-v'].includes(first)) {
    world.out.write(`${(await import('./version.ts')).version}\n`)
    return exitCodes.ok
  }
  if (first === '__complete') {
    world.out.write((await import('./complete.ts')).completionText(args.slice(1)))
    return exitCodes.ok
  }
  const found = findCommand(args)
  if (found.is === 'verb') {
    if (args.includes('--help')) return say((help, width) => help.verbHelp(found.verb, width))
    throw new UsageError(
      `"${found.verb}" needs to know which records. See \`venue-data ${found.verb} --help\`.`,
    )
  }
  const line = readLine(found.rest, found.command.options)
  if (has(line, 'help')) return say((help, width) => help.commandHelp(found.command, width))
  const { operands } = found.command
  const most = operands.includes('…') ? Infinity : operands.split(' ').filter(Boolean).length
  const strange = line.operands[most]
  if (strange !== undefined)
    throw new UsageError(`"${strange}" is one word too many for \`venue-data ${found.command.name}\`.`)
  const command = await found.command.load()
  return command(world, line)
}
