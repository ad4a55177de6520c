import assert from 'node:assert/strict'
import type { Context } from '../../server/context.ts'
import { type ServiceProcess, startProcess } from '../../server/test/process.ts'
import { type Answer, type Call, callService } from '../../server/test/service.ts'

/** What the checks run on. */
export type Scene = {
  /** This process's own connection: for rows that the API cannot create, and for counting. */
  readonly context: Context
  readonly settings: Readonly<Record<string, string>>
  /** Of the web process. */
  readonly url: string
}

export type Processes = {
  readonly url: string
  readonly ready: () => Promise<void>
  /** Checks that all processes are still ready, end in order and logged no complaint. */
  readonly judge: () => Promise<string>
  readonly stop: () => Promise<void>
}

/** A wait that took too long was retried: the machine is overloaded, and nothing is wrong. */
const isAboutTime = /"code":"(?:57014|55P03|no-connection)"/

/** A web process and two workers, started at once. */
export const startProcesses = async (settings: Readonly<Record<string, string>>): Promise<Processes> => {
  const start = (role: string): Promise<ServiceProcess> => startProcess({ ...settings, ROLE: role })
  const web = await start('web')
  const all = [web, await start('worker'), await start('worker')]
  const stop = () => Promise.all(all.map((each) => each.stop()))
  return {
    url: web.url,
    ready: async () => {
      for (const each of all) await each.ready()
    },
    judge: async () => {
      for (const { url } of all) {
        const answer = await fetch(`${url}/readyz`)
        assert.equal(answer.status, 200, await answer.text())
      }
      assert.deepEqual(await stop(), [0, 0, 0])
      // The log is at `warn`: every line of JSON is a complaint.
      const lines = all.flatMap(({ said, complained }) => `${said()}\n${complained()}`.split('\n'))
      const complaints = lines.filter((line) => line.startsWith('{'))
      const bad = complaints.filter((line) => !isAboutTime.test(line))
      assert.ok(bad.length === 0, `${bad.length} complaints:\n${bad.slice(0, 20).join('\n')}`)
      return complaints.length === 0 ? 'no complaint' : `${complaints.length} times something took too long`
    },
    stop: async () => {
      await stop()
    },
  }
}

/** A call that must get this status. */
export const ask = async (
  url: string,
  method: string,
  path: string,
  status: number,
  call: Call,
): Promise<Answer> => {
  const answer = await callService(url, method, `/api/v1${path}`, call)
  assert.equal(answer.status, status, `${method} ${path}: ${answer.status} ${answer.text}`)
  return answer
}
