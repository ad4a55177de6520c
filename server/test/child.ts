import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { eventually } from './eventually.ts'

/** A process of its own that a test starts: everything it writes, and how it ends. */
export type Child = {
  readonly pid: number | undefined
  readonly said: () => string
  readonly complained: () => string
  readonly signal: (signal: NodeJS.Signals) => void
  /** Resolves to its exit code, or to the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** Waits as `eventually` does. If the process ends before that, it fails at once, with everything that was written. */
  readonly until: typeof eventually
  /** SIGTERM, unless it has ended; resolves as `ended`. */
  readonly stop: () => Promise<number | NodeJS.Signals>
}

/** Starts a program with this environment and nothing else of ours, in this folder, and under this account. */
export const startChild = (
  command: string,
  args: readonly string[],
  options: {
    readonly env: NodeJS.ProcessEnv
    readonly cwd?: string
    readonly uid?: number
    readonly gid?: number
  },
): Child => {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  let complained = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text))
  let end: number | NodeJS.Signals | undefined
  const ended = once(child, 'close').then(
    ([code, signal]) => (end = (code ?? signal) as number | NodeJS.Signals),
  )
  return {
    pid: child.pid,
    said: () => said,
    complained: () => complained,
    signal: (signal) => void child.kill(signal),
    ended,
    until: async (check, options) => {
      const last = await eventually(async () => {
        // What it had done by its end counts.
        const isOver = end !== undefined
        try {
          const answer = await check()
          if (answer || !isOver) return answer && { answer }
        } catch (error) {
          if (!isOver) throw error
        }
        return 'ended'
      }, options)
      if (last === 'ended') throw new Error(`It ended with ${end}: ${complained}${said}`)
      return last.answer as never
    },
    stop: () => {
      if (end === undefined) child.kill('SIGTERM')
      return ended
    },
  }
}
