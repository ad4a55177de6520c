import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createResolver } from './resolve-name.ts'
import { startNameServer } from '../../integrations/webhooks/test/name-server.ts'

describe('resolve-name: every address of a name, looked up afresh', () => {
  it('returns the IPv4 and the IPv6 addresses, following an alias', async (t) => {
    const { server } = await startNameServer(t, () => ({
      addresses: ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
      alias: 'elsewhere.example.net',
    }))
    const resolve = createResolver({ servers: [server] })
    assert.deepEqual((await resolve('a.example.net')).toSorted(), ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
  })

  it('asks again each time, but once for concurrent callers', async (t) => {
    const { server, questions } = await startNameServer(t, () => ({ addresses: ['192.0.2.1'] }))
    const resolve = createResolver({ servers: [server] })
    await Promise.all([resolve('a.example.net'), resolve('a.example.net'), resolve('a.example.net')])
    assert.deepEqual(questions.toSorted(), ['A a.example.net', 'AAAA a.example.net'])
    await resolve('a.example.net')
    assert.equal(questions.length, 4)
  })

  it('rejects for a name that does not exist, and for one without addresses', async (t) => {
    const { server } = await startNameServer(t, (name) =>
      name.startsWith('no') ? 'no such name' : { addresses: [] },
    )
    const resolve = createResolver({ servers: [server] })
    await assert.rejects(resolve('no.example.net'))
    await assert.rejects(resolve('empty.example.net'))
  })

  for (const trouble of ['silence', 'server failure', 'no such name'] as const) {
    it(`accepts one family's addresses when the other query fails with: ${trouble}`, async (t) => {
      const { server } = await startNameServer(t, (_name, type) =>
        type === 'A' ? { addresses: ['192.0.2.1'] } : trouble,
      )
      assert.deepEqual(await createResolver({ servers: [server] })('a.example.net'), ['192.0.2.1'])
    })
  }

  it('gives up after its time budget, whatever the name servers do', async (t) => {
    const { server } = await startNameServer(t, () => 'silence')
    await assert.rejects(createResolver({ servers: [server], limitMs: 150 })('a.example.net'))
  })

  it("does not consult the machine's hosts file", async (t) => {
    const { server, questions } = await startNameServer(t, () => 'no such name')
    await assert.rejects(createResolver({ servers: [server] })('localhost'))
    assert.equal(questions.length, 2)
  })
})
