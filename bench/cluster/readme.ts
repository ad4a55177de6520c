import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openSlotOnFriday } from '../../server/demo/open-slot.ts'
import { eventually } from '../../server/test/eventually.ts'
import { freePort } from '../../server/test/process.ts'
import { venueBySlug } from '../../server/venue/venues.ts'
import type { Book } from './book.ts'
import { type Scene, ask } from './scene.ts'

export type Demo = {
  readonly keys: { readonly readWrite: string }
  readonly signIns: readonly { readonly email: string; readonly password: string; readonly role: string }[]
}

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

type Call = { readonly command: string; readonly reply: string }

/** Every curl call in the README, with the reply it shows. */
const callsOf = (readme: string): readonly Call[] =>
  [...readme.matchAll(/```console\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .filter((piece) => piece.startsWith('curl '))
      .map((piece) => {
        const [command = ''] = /^(?:.*\\\n)*.*/.exec(piece) ?? []
        return { command, reply: piece.slice(command.length).trim() }
      }),
  )

/**
 * A pattern for a documented reply: literal, except for omissions (`…`), numbers, and words in records that depend on
 * the day the demo was created.
 */
const like = (reply: string): RegExp => {
  const text = reply
    .replaceAll(/[\w-]*…/g, '…')
    .replaceAll(/"guestName":"Jack Pemberton"/g, '"guestName":"…"')
    .replaceAll(/"status":"Requested",…\},\{/g, '…},{')
    .replaceAll(/\s+/g, ' ')
  const [status = ''] = /^HTTP\/1\.1 \d+/.exec(text) ?? []
  const pieces = text.slice(status.length).split(/(\d+|…)/)
  const patterns = pieces.map((piece) =>
    piece === '…' ? '.*' : /^\d+$/.test(piece) ? String.raw`\d+` : RegExp.escape(piece),
  )
  return new RegExp(`^${RegExp.escape(status)}${patterns.join('')}$`, 's')
}

/** Runs the README's calls on its demo venue, one by one. */
export const tryReadme = async (book: Book, scene: Scene): Promise<Demo> => {
  const { context, settings, url } = scene
  const demo = await book.step('the demo venue is made by the operator’s command', async () => {
    const { stdout } = await run(process.execPath, ['server/operator/main.ts', 'demo', '--json'], {
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
  const listener = spawn(process.execPath, ['server/operator/main.ts', 'listen', '--port', String(port)], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let heard = ''
  listener.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text))
  try {
    await eventually(() => heard.includes('Listening at'))
    const known = { campaign: '', count: '', endpoint: '' }
    const calls = callsOf(await readFile(join(root, 'README.md'), 'utf8'))
    assert.ok(calls.length > 0)
    for (const { command, reply } of calls) {
      const name = command.replaceAll(/\\\n\s*/g, '').replaceAll(/ -H "X-Service-Key: \$KEY"/g, '')
      await book.step(`README: ${name.length > 100 ? `${name.slice(0, 99)}…` : name}`, async () => {
        const told = command
          .replaceAll(/"date":"[\d-]+","time":"[\d:]+"/g, `"date":"${slot.date}","time":"${slot.time}"`)
          .replaceAll(/"id":\d+/g, `"id":${known.campaign}`)
          .replaceAll(/"confirmCount":\d+/g, `"confirmCount":${known.count}`)
          .replaceAll('127.0.0.1:4000', `127.0.0.1:${port}`)
        const { stdout } = await run('sh', ['-c', told], {
          env: { PATH: process.env['PATH'], KEY: demo.keys.readWrite, API: `${url}/api/v1` },
        })
        const answer = stdout.replaceAll(/\s+/g, ' ').trim()
        assert.match(answer, like(reply))
        known.campaign = /"campaign":\{"id":(\d+)/.exec(answer)?.[1] ?? known.campaign
        known.count = /"recipientsTotal":(\d+)/.exec(answer)?.[1] ?? known.count
        known.endpoint = /^\{"id":"([\w-]+)","url"/.exec(answer)?.[1] ?? known.endpoint
      })
    }
    await book.step('README: the receiver prints the event and that its signature is right', async () => {
      await eventually(() => heard.includes('guest.created: signature verified'))
      await ask(url, 'DELETE', `/webhooks/${known.endpoint}`, 200, { key: demo.keys.readWrite })
    })
  } finally {
    listener.kill('SIGTERM')
    if (listener.exitCode === null) await once(listener, 'exit')
  }
  return demo
}
