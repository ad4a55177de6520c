import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../src/config.ts'
import { help } from '../src/help.ts'
import { writableScopes } from '../src/tools/all.ts'

const url = 'https://venue.example.com'
const env = { VENUE_DATA_URL: url, VENUE_DATA_KEY: 'service_sk_x' }

describe('the command line', () => {
  it('needs only the address and the key, from the environment', () => {
    assert.deepEqual(readConfig([], env), {
      transport: 'stdio',
      baseUrl: url,
      allow: [],
      key: 'service_sk_x',
    })
  })

  it('takes scopes with commas between them, or one by one', () => {
    const read = readConfig(['--allow', 'tasks:create, waitlist:edit', '--allow', 'leads:create'], env)
    assert.deepEqual((read as { allow: readonly string[] }).allow, [
      'tasks:create',
      'waitlist:edit',
      'leads:create',
    ])
  })

  it('takes the job that tools are for', () => {
    assert.equal((readConfig(['--tools', 'service'], env) as { job?: string }).job, 'service')
    assert.equal((readConfig(['--tools', 'all'], env) as { job?: string }).job, undefined)
  })

  it('listens on this machine only by default, and needs no key of its own for that', () => {
    assert.deepEqual(readConfig(['--http'], { VENUE_DATA_URL: url }), {
      ...{ transport: 'http', baseUrl: url, allow: [], host: '127.0.0.1', port: 8090 },
      ...{ allowedHosts: [], allowedOrigins: [] },
    })
  })

  it('takes the address that clients know, with what the operator registered for it', () => {
    const client = { VENUE_DATA_CLIENT_ID: 'app_x', VENUE_DATA_CLIENT_SECRET: 'service_cs_x' }
    const args = ['--http', '--host', '0.0.0.0', '--public-url', 'https://mcp.example.com/mcp']
    assert.deepEqual(readConfig(args, { VENUE_DATA_URL: url, ...client }), {
      ...{ transport: 'http', baseUrl: url, allow: [], host: '0.0.0.0', port: 8090 },
      ...{ allowedHosts: ['mcp.example.com'], allowedOrigins: [] },
      resource: { url: 'https://mcp.example.com/mcp', clientId: 'app_x', clientSecret: 'service_cs_x' },
    })
  })

  const mistakes: readonly (readonly [what: string, args: readonly string[], env: object, said: RegExp])[] = [
    ['no address', [], { VENUE_DATA_KEY: 'x' }, /Say where the service is/],
    ['an invalid address', ['--base-url', 'venue'], env, /Say where the service is/],
    ['an address of a file', ['--base-url', 'file:///etc'], env, /Say where the service is/],
    ['no key', [], { VENUE_DATA_URL: url }, /Give a key/],
    ['a key file that is not there', ['--key-file', '/nowhere/key'], env, /cannot be read/],
    ['a scope that is not written', ['--allow', 'guests:read'], env, /--allow takes .*, not "guests:read"/],
    ['a job that there is not', ['--tools', 'kitchen'], env, /--tools takes service, marketing or all/],
    ['an option that does not exist', ['--force'], env, /option that does not exist/],
    ['an invalid port', ['--http', '--port', '80a'], env, /--port takes/],
    ['an address of its own that is none', ['--http', '--public-url', 'mcp'], env, /--public-url takes/],
    [
      'an address of its own without what was registered',
      ['--http', '--public-url', 'https://mcp.example.com/mcp'],
      env,
      /VENUE_DATA_CLIENT_ID and VENUE_DATA_CLIENT_SECRET/,
    ],
    ['listening beyond this machine without a name', ['--http', '--host', '0.0.0.0'], env, /--allow-host/],
  ]
  for (const [what, args, given, said] of mistakes) {
    it(`says a mistake: ${what}`, () => assert.throws(() => readConfig(args, given as never), said))
  }

  it('lists in its help every scope that --allow takes', () => {
    for (const scope of writableScopes) assert.ok(help.includes(scope), scope)
  })
})
