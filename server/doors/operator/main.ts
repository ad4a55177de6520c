import { readConfig } from '../../config.ts'
import { isDatabaseDown } from '../../platform/db/faults.ts'
import { codeOf } from '../../platform/kernel/code-of.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { openLog, openProgram } from '../../program.ts'
import type { Answer } from './command.ts'
import { commandsFor } from './commands.ts'
import { type CommandLine, readCommandLine } from './read-command-line.ts'

/*
 * `bin/venue <command>`: runs one command alongside the service, on the same database, and exits. Standard
 * output carries the answer and nothing else; everything else goes to standard error. Exit codes: 0 done, 1 refused or
 * failed, 2 wrong usage, 130 and 143 interrupted.
 */

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const
type Interrupt = keyof typeof exitCodes

const main = async (): Promise<number> => {
  const args = process.argv.slice(2)
  const line = readCommandLine(args, await commandsFor(args))
  if (line.kind === 'help') return print(line.text, 0)
  if (line.kind === 'wrong') return say(line.text, 2)
  try {
    const answer = await runCommand(line)
    if (typeof answer === 'string' && line.command.goesOn) return 0
    if (typeof answer === 'string')
      return say('Interrupted: check what was done before you repeat the command.', exitCodes[answer])
    for (const note of answer.notes ?? []) say(note, 0)
    return print(line.json ? JSON.stringify(answer.json) : answer.text, answer.failed ? 1 : 0)
  } catch (error) {
    return say(sentenceOf(error), 1)
  }
}

/** The database is opened, used and always closed; a signal ends only the wait for the command. */
const runCommand = async ({
  command,
  given,
}: Extract<CommandLine, { kind: 'command' }>): Promise<Answer | Interrupt> => {
  const interrupted = new Promise<Interrupt>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal))
  })
  const config = readConfig()
  const { context, close } = await openProgram(
    config,
    command.asItIs ? 'bare command' : 'command',
    openLog(config.logLevel, 'stderr'),
  )
  try {
    return await Promise.race([interrupted, command.run(context, given)])
  } finally {
    await close()
  }
}

/** A refusal says what to do; for anything else the cause is named, since there is no log to look it up in. */
const sentenceOf = (error: unknown): string => {
  if (error instanceof Refusal) return error.message
  const { message } = error as { message?: string }
  if (isDatabaseDown(error)) return `The database cannot be reached (${codeOf(error) ?? message}).`
  return message || (codeOf(error) ?? 'Something failed without a message.')
}

const print = (text: string, exitCode: number): number => {
  process.stdout.write(`${text}\n`)
  return exitCode
}

const say = (text: string, exitCode: number): number => {
  process.stderr.write(`${text}\n`)
  return exitCode
}

process.exitCode = await main()
// An interrupted command may still be waiting for something that no longer matters; all output is written.
process.exit()
