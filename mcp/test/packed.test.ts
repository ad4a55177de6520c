import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { installPacked } from '../../packing/install.ts'
import { type Child, startChild } from '../../server/test/child.ts'
import { setRules } from '../../server/test/open-rules.ts'
import { type TestService, type TestVenue, startService } from '../../server/test/service.ts'
import type { createServer as Create } from '../src/server.ts'
import { connect, connectHttp } from './client.ts'

describe('the packed MCP server, installed', () => {
  let service: TestService
  let venue: TestVenue
  let folder: string
  let command: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-data-mcp-'))
    await installPacked(join(import.meta.dirname, '../..'), ['mcp'], folder)
    command = join(folder, 'node_modules/.bin/venue-data-mcp')
    service = await startService()
    venue = await service.venue()
    await setRules(service, venue)
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  const start = (args: readonly string[], env: Record<string, string> = {}): Child =>
    startChild(process.execPath, [command, ...args], { cwd: folder, env })
  const run = async (args: readonly string[], env?: Record<string, string>) => {
    const child = start(args, env)
    const status = await child.ended
    return { out: child.said(), error: child.complained(), status }
  }

  it('reads and writes over stdio, as its README has it in a configuration file', async () => {
    const readme = await readFile(join(folder, 'node_modules/@venue-data/mcp/README.md'), 'utf8')
    const [, json] = /```json\n([^]*?)```/.exec(readme) ?? []
    const {
      command: named,
      args,
      env,
    } = JSON.parse(json as string).mcpServers.venue as {
      command: string
      args: string[]
      env: Record<string, string>
    }
    assert.equal(join(folder, 'node_modules/.bin', named), command)
    assert.deepEqual(Object.keys(env), ['VENUE_DATA_URL', 'VENUE_DATA_KEY'])
    const transport = new StdioClientTransport({
      ...{ command: process.execPath, args: [command, ...args], cwd: folder, stderr: 'pipe' },
      env: { VENUE_DATA_URL: service.url, VENUE_DATA_KEY: venue.key },
    })
    let said = ''
    transport.stderr?.on('data', (part: Buffer) => (said += String(part)))
    const client = await connect(transport)
    const tools = await client.tools()
    assert.deepEqual(
      [tools.includes('create_reservation'), tools.includes('cancel_reservation')],
      [args.includes('--allow'), false],
    )
    const booking = { guestName: 'Ada Obi', partySize: 2, date: '2026-10-09', time: '19:00' }
    assert.equal((await client.write('create_reservation', booking)).data.status, 'done')
    assert.equal((await client.call('book_of_day', { date: booking.date })).data.covers, 2)
    await client.close()
    assert.equal(said, '')
  })

  it('says that a port is taken, and which option names another', async () => {
    const { port } = new URL(service.url)
    const { error, status } = await run(['--base-url', service.url, '--http', '--port', port])
    assert.equal(status, 1)
    assert.equal(
      error,
      `Port ${port} on 127.0.0.1 is in use by another program: stop that program, or choose another port with --port.\n`,
    )
  })

  it('serves HTTP, and says where', async () => {
    const child = start(['--base-url', service.url, '--http', '--port', '0'])
    const [, url] = await child.until(() =>
      /^Listening at (http:\/\/127\.0\.0\.1:\d+\/mcp)\n$/.exec(child.complained()),
    )
    const client = await connectHttp(url as string, venue.key)
    assert.equal((await client.call('about_venue')).data.name, 'The Blue Door')
    await client.close()
    assert.equal(await child.stop(), 0)
  })

  it('ends with a sentence, and without the key, when the key is not accepted', async () => {
    const key = `service_sk_${'0'.repeat(40)}`
    const file = join(folder, 'key')
    await writeFile(file, `${key}\n`)
    const { out, error, status } = await run(['--base-url', service.url, '--key-file', file])
    assert.deepEqual([out, status], ['', 1])
    assert.match(error, /^The service refused: .+401.+\n$/)
    assert.ok(!error.includes(key))
  })

  it('can be part of another program', async () => {
    const home = join(folder, 'node_modules/@venue-data/mcp')
    const { exports } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
    const { createServer } = (await import(join(home, exports['.'].default))) as {
      createServer: typeof Create
    }
    const makeServer = await createServer({ baseUrl: service.url, key: venue.key })
    assert.equal(makeServer().isConnected(), false)
  })
})
