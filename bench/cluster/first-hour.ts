import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openSlotOnFriday } from '../../server/demo/open-slot.ts'
import { eventually } from '../../server/test/eventually.ts'
import { readerOf, shownCalls } from '../../server/test/guides/shown-calls.ts'
import { freePort } from '../../server/platform/db/embedded/free-port.ts'
import { venueBySlug } from '../../server/core/venue/venues.ts'
import type { Book } from './book.ts'
import { type Scene, ask } from './scene.ts'

export type Demo = {
  readonly keys: { readonly readWrite: string }
  readonly signIns: readonly { readonly email: string; readonly password: string; readonly role: string }[]
}

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** Something that a call can wait for. */
const happen = ({ url }: Scene, { keys }: Demo): Promise<unknown> =>
  ask(url, 'POST', '/guests', 201, {
    key: keys.readWrite,
    body: { name: 'Anna', email: 'anna.while.waiting@example.com' },
  })

/** Does the calls of the first hour on its demo venue, one by one. */
export const tryFirstHour = async (book: Book, scene: Scene): Promise<Demo> => {
  const { context, settings, url } = scene
  const demo = await book.step('the demo venue is made by the operator’s command', async () => {
    const { stdout } = await run(process.execPath, ['server/doors/operator/main.ts', 'demo', '--json'], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...settings },
    })
    return JSON.parse(stdout) as Demo
  })
  if (!demo) throw new Error('Without the demo venue nothing more can be tried.')

  const venue = await venueBySlug(context.db, 'blue-door')
  const slot = venue && (await openSlotOnFriday(context.db, venue, context.clock()))
  assert.ok(slot, 'the demo venue has an open slot')
  const port = await freePort()
  const listener = spawn(
    process.execPath,
    ['server/doors/operator/main.ts', 'listen', '--port', String(port)],
    {
      cwd: root,
      env: { PATH: process.env['PATH'], ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let heard = ''
  listener.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text))
  try {
    await eventually(() => heard.includes('Listening at'))
    let endpoint = ''
    const calls = shownCalls(await readFile(join(root, 'docs/first-hour.md'), 'utf8'))
    assert.ok(calls.length > 0)
    const reader = readerOf({ apiUrl: `${url}/api/v1`, key: demo.keys.readWrite, slot, port })
    for (const call of calls) {
      await book.step(`first hour: ${reader.title(call)}`, async () => {
        const waits = call.command.includes('wait=')
        const answer = await reader.run(call, waits ? () => happen(scene, demo) : undefined)
        endpoint = /^\{"id":"([\w-]+)","url"/.exec(answer)?.[1] ?? endpoint
      })
    }
    await book.step('first hour: the receiver prints the event and that its signature is right', async () => {
      await eventually(() => heard.includes('guest.created: signature verified'))
      await ask(url, 'DELETE', `/webhooks/${endpoint}`, 200, { key: demo.keys.readWrite })
    })
  } finally {
    listener.kill('SIGTERM')
    if (listener.exitCode === null) await once(listener, 'exit')
  }
  return demo
}
