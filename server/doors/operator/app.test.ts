import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestService, startService } from '../../test/service.ts'
import { appCommands } from './app.ts'
import { readCommandLine } from './read-command-line.ts'

describe("the operator's commands for apps", () => {
  let service: TestService
  const run = async (...args: string[]) => {
    const line = readCommandLine(args, appCommands)
    if (line.kind !== 'command') throw new Error(line.text)
    return line.command.run(service.context, line.given)
  }
  // oxlint-disable-next-line typescript/no-explicit-any -- the test looks into answers it knows
  const json = async (...args: string[]): Promise<any> =>
    JSON.parse(JSON.stringify((await run(...args)).json))
  const maple = [
    ...['app', 'create', '--name', 'Maple CRM', '--home', 'https://crm.example.com/'],
    ...['--privacy', 'https://crm.example.com/privacy', '--redirect', 'https://crm.example.com/callback'],
    ...['--redirect', 'https://crm.example.com/again', '--needs', 'guests:read', '--optional', 'visits:read'],
  ]

  before(async () => {
    service = await startService({ PUBLIC_URL: 'https://venues.example.com' })
  })
  after(() => service.stop())

  it('create prints the secret once; list, update and remove have all else', async () => {
    assert.equal((await run('app', 'list')).text, 'No app is registered yet.')
    const { secret, ...made } = await json(...maple)
    assert.match(secret, /^service_cs_[0-9A-Za-z]{40}$/)
    assert.match(made.clientId, /^app_[0-9A-Za-z]{20}$/)
    assert.deepEqual(made, {
      id: made.id,
      clientId: made.clientId,
      kind: 'app',
      mcpServer: null,
      name: 'Maple CRM',
      home: 'https://crm.example.com/',
      privacy: 'https://crm.example.com/privacy',
      redirects: ['https://crm.example.com/callback', 'https://crm.example.com/again'],
      needs: ['guests:read'],
      optional: ['visits:read'],
      createdAt: '2026-10-06T19:00:00.000Z',
      removedAt: null,
    })
    assert.deepEqual(await json('app', 'list'), [made])
    assert.ok((await run('app', 'list')).text.includes('Maple CRM'))

    const id = String(made.id)
    assert.deepEqual(await json('app', 'update', '--id', id, '--name', 'Maple', '--optional', ''), {
      ...made,
      name: 'Maple',
      optional: [],
    })
    const renewed = await json('app', 'update', '--id', id, '--new-secret')
    assert.notEqual(renewed.secret, secret)
    const removed = await json('app', 'remove', '--id', id)
    assert.deepEqual([removed.removedAt, removed.installsEnded], ['2026-10-06T19:00:00.000Z', 0])
    assert.deepEqual(await json('app', 'remove', '--id', id), removed, 'safe to repeat')
    await assert.rejects(json('app', 'remove', '--id', '999'), /There is no app with the id 999/)
    await assert.rejects(json('app', 'update', '--id', '999'), /There is no app with the id 999/)
  })

  it('an MCP server has an address and a secret, and an assistant neither', async () => {
    const pages = ['--home', 'https://maple.example.com/', '--privacy', 'https://maple.example.com/privacy']
    const address = 'https://mcp.example.com/mcp'
    const server = ['app', 'create', '--name', 'Maple MCP', ...pages, '--mcp-server', address]
    const made = await json(...server)
    assert.match(made.secret, /^service_cs_/)
    assert.deepEqual([made.kind, made.mcpServer, made.redirects], ['mcp-server', address, []])
    await assert.rejects(json(...server), /https:\/\/mcp\.example\.com\/mcp is registered already/)
    await assert.rejects(json(...server, '--needs', 'guests:read'), /has no redirects and no scopes/)

    const assistant = ['app', 'create', '--name', 'Maple Assistant', ...pages, '--assistant']
    const rest = ['--redirect', 'http://127.0.0.1/callback', '--needs', 'reservations:read']
    const printed = await run(...assistant, ...rest)
    assert.deepEqual(printed.notes, [])
    const { secret, kind, id, redirects } = printed.json as Record<string, unknown>
    assert.deepEqual([secret, kind, redirects], [undefined, 'assistant', ['http://127.0.0.1/callback']])
    await assert.rejects(
      json('app', 'update', '--id', String(id), '--new-secret'),
      /An assistant has no secret/,
    )
    await assert.rejects(json(...assistant, ...rest, '--mcp-server', address), /register them separately/)
    await assert.rejects(
      json('app', 'create', '--name', 'Maple CRM', ...pages, ...rest),
      /must be an https address.*PRACTICE=on/,
      'only an assistant comes back to its own machine',
    )
  })

  it('create says what an app cannot work with: an address of the service that is not https', async () => {
    assert.deepEqual((await run(...maple)).notes, [
      'The secret is shown only once: only its fingerprint is kept.',
    ])
    const plain = await startService()
    try {
      const line = readCommandLine(maple, appCommands)
      if (line.kind !== 'command') throw new Error(line.text)
      const { notes = [] } = await line.command.run(plain.context, line.given)
      assert.match(String(notes[1]), /^PUBLIC_URL must be the https address/)
    } finally {
      await plain.stop()
    }
  })
})
