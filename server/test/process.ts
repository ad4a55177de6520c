import { join } from 'node:path'
import { freePort } from '../platform/db/embedded/free-port.ts'
import { type Child, startChild } from './child.ts'
import { compiledSources } from './patience.ts'

/** The service as an operator runs it: a process of its own that is spoken to by HTTP and signals. */
export type ServiceProcess = Child & {
  readonly url: string
  readonly port: number
  /** Waits until `/readyz` says yes; fails at once when the process ends before that. */
  readonly ready: () => Promise<void>
}

/** For waits for a start, which may make a database and a year of history: the work of many starts of a process. */
export const startTimes = 20

/** What starts the service. */
export type StartedBy = { readonly command: string; readonly args: readonly string[]; readonly cwd?: string }

const program: StartedBy = {
  command: process.execPath,
  args: [join(import.meta.dirname, '..', 'main.ts')],
}

/** Starts `server/main.ts` with these settings and no others; without PORT it gets a free one. It stops at once. */
export const startProcess = async (
  settings: Record<string, string>,
  { command, args, ...where } = program,
): Promise<ServiceProcess> => {
  const port = settings['PORT'] === undefined ? await freePort() : Number(settings['PORT'])
  const child = startChild(command, args, {
    ...where,
    env: {
      ...compiledSources,
      PATH: process.env['PATH'],
      DEMO: 'off',
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '0',
      ...settings,
      PORT: String(port),
    },
  })
  const url = `http://127.0.0.1:${port}`
  return {
    ...child,
    url,
    port,
    ready: async () => {
      await child.until(async () => (await fetch(`${url}/readyz`)).status === 200, { times: startTimes })
    },
  }
}
