import { randomBytes } from 'node:crypto'
import type { WriteStream } from 'node:tty'
import { readSettings } from './config.ts'
import { exitCodes } from './exit-codes.ts'
import { run } from './run.ts'
import { terminalInput } from './terminal-input.ts'
import type { Output } from './world.ts'

/** The program with the real terminal, clock and Ctrl-C. */
export const main = async (): Promise<void> => {
  const settings = readSettings()
  const ending = new AbortController()
  let isLeaving = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Pressing it twice means not wanting to wait.
      if (isLeaving) process.exit(exitCodes.interrupted)
      isLeaving = true
      ending.abort(new Error('The program was asked to end.'))
    })
  }
  // The reader of a pipe has stopped reading: `venue-data list guests | head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.local)
  })
  process.exitCode = await run(process.argv.slice(2), {
    settings,
    input: terminalInput(process.stdin, process.stderr),
    out: outputOf(process.stdout, settings.noColor),
    err: outputOf(process.stderr, settings.noColor),
    now: () => Date.now(),
    randomBytes,
    signal: ending.signal,
  })
  // Reading from a terminal must not keep the program running.
  process.stdin.unref?.()
}

const outputOf = (stream: WriteStream, noColor: boolean): Output => ({
  write: (text) => void stream.write(text),
  isTerminal: stream.isTTY,
  columns: () => (stream.isTTY ? stream.columns : Infinity),
  hasColor: stream.isTTY && !noColor,
})
