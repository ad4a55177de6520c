import { randomBytes } from 'node:crypto'
import { type ExitCode } from '../src/exit-codes.ts'
import { run } from '../src/run.ts'
import type { Input, Output, World } from '../src/world.ts'

export type Ran = { readonly code: ExitCode; readonly out: string; readonly err: string }

/** A command in progress. */
export type Running = {
  readonly said: () => string
  readonly noted: () => string
  readonly end: () => Promise<Ran>
}

type Here = Partial<Omit<World, 'settings' | 'input' | 'out' | 'err'>> & {
  readonly settings?: Partial<World['settings']>
  /** What comes from standard input. */
  readonly piped?: string
  /** As on a terminal of this width, in color. */
  readonly columns?: number
  readonly input?: Partial<Input>
}

/** Runs a command line in this process, which saves starting another. */
export const runHere = async (args: readonly string[], here: Here = {}): Promise<Ran> =>
  beginHere(args, here).ended

/** Starts a command that runs until it is stopped. */
export const beginHere = (
  args: readonly string[],
  here: Here = {},
): Running & { readonly ended: Promise<Ran> } => {
  const { settings, piped = '', columns, input, ...rest } = here
  let out = ''
  let err = ''
  const output = (take: (text: string) => void): Output => ({
    write: take,
    isTerminal: columns !== undefined,
    columns: () => columns ?? Infinity,
    hasColor: columns !== undefined,
  })
  const ending = new AbortController()
  const ended = run(args, {
    settings: { key: undefined, url: undefined, folder: '/nowhere', noColor: false, ...settings },
    input: {
      isTerminal: false,
      ask: () => Promise.reject(new Error('nobody is there')),
      // oxlint-disable-next-line require-yield
      async *[Symbol.asyncIterator]() {
        if (piped !== '') yield piped
      },
      ...input,
    },
    out: output((text) => (out += text)),
    err: output((text) => (err += text)),
    now: () => Date.now(),
    randomBytes,
    signal: ending.signal,
    // Waits take no time.
    runtime: { sleep: async (_, signal) => signal?.throwIfAborted() },
    ...rest,
  }).then((code) => ({ code, out, err }))
  return {
    said: () => out,
    noted: () => err,
    ended,
    end: () => {
      ending.abort(new Error('ended by the test'))
      return ended
    },
  }
}
