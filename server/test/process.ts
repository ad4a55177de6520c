import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { eventually } from './eventually.ts'

/** What every process of our own that a test starts is given: to compile the sources anew would cost each a second. */
export const compiledSources = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compile'),
}

/** The service as an operator runs it: a process of its own that is spoken to by HTTP and signals. */
export type ServiceProcess = {
  readonly url: string
  readonly port: number
  /** Everything it has written to standard output and standard error. */
  readonly said: () => string
  readonly complained: () => string
  readonly signal: (signal: NodeJS.Signals) => void
  /** Resolves to its exit code, or to the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** Waits until `/readyz` says yes; fails when the process ends before that. */
  readonly ready: () => Promise<void>
  /** SIGTERM, unless it has ended; resolves as `ended`. */
  readonly stop: () => Promise<number | NodeJS.Signals>
}

/** Starts `server/main.ts` with these settings and no others; without PORT it gets a free one. It stops at once. */
export const startProcess = async (settings: Record<string, string>): Promise<ServiceProcess> => {
  const port = settings['PORT'] === undefined ? await freePort() : Number(settings['PORT'])
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'main.ts')], {
    env: {
      ...compiledSources,
      PATH: process.env['PATH'],
      DEMO: 'off',
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '0',
      ...settings,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let complained = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text))
  let end: number | NodeJS.Signals | undefined
  const ended = once(child, 'close').then(
    ([code, signal]) => (end = (code ?? signal) as number | NodeJS.Signals),
  )
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    port,
    said: () => said,
    complained: () => complained,
    signal: (signal) => child.kill(signal),
    ended,
    ready: async () => {
      await eventually(async () => {
        if (end !== undefined) return true
        return (await fetch(`${url}/readyz`)).status === 200
      })
      if (end !== undefined) throw new Error(`it ended with ${end}: ${complained}`)
    },
    stop: () => {
      if (end === undefined) child.kill('SIGTERM')
      return ended
    },
  }
}

/** A port that nobody listens on at this moment. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
