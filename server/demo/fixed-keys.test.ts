import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestService, startService } from '../test/service.ts'
import { makeFixedKeys, mistakeInFixedKeys } from './fixed-keys.ts'
import { makeDemo } from './make-demo.ts'

const readWrite = 'service_sk_PracticeReadWrite000000000000000001b8ctY'
const readOnly = 'service_sk_PracticeReadOnly0000000000000000001bLFMB'
const automation = 'service_sk_PracticeAutomation00000000000000001g1v4O'

describe('the keys of PRACTICE_KEYS', () => {
  let service: TestService
  before(async () => {
    const PRACTICE_KEYS = `${readWrite}:read_write, ${readOnly}:read,${automation}:automation`
    service = await startService({ PRACTICE: 'on', PRACTICE_KEYS })
  })
  after(() => service.stop())

  const me = async (key: string) => {
    const { kind, scope } = (await service.call('GET', '/api/v1/me', { key })).body.key
    return [kind, scope]
  }

  it('wait for the demo venue', async () => {
    assert.equal(await makeFixedKeys(service.context), undefined)
  })

  it('are keys of the demo venue, of the kind and scope they are given, and made once', async () => {
    await makeDemo(service.context, { scale: 0.02 })
    const counts = await Promise.all([1, 2, 3].map(() => makeFixedKeys(service.context)))
    assert.deepEqual(counts, [3, 3, 3])
    assert.deepEqual(await me(readWrite), ['api', 'read_write'])
    assert.deepEqual(await me(readOnly), ['api', 'read'])
    assert.deepEqual(await me(automation), ['automation', 'read_write'])
    const { rows } = await service.db.session((client) =>
      client.query(`select name from api_key where created_by = 'PRACTICE_KEYS' order by id`),
    )
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['Fixed, read and write', 'Fixed, read', 'Fixed, automation platform'],
    )
  })

  it('are no others than they say: a revoked one stays revoked', async () => {
    await service.db.session((client) =>
      client.query(`update api_key set revoked_at = now() where scope = 'read'`),
    )
    await makeFixedKeys(service.context)
    assert.equal((await service.call('GET', '/api/v1/me', { key: readOnly })).status, 401)
  })

  it('are refused with a sentence that says how they must end, where the checksum is wrong', () => {
    const { config } = service.context
    assert.equal(mistakeInFixedKeys(config), undefined)
    const text = `${readWrite.slice(0, -6)}000000`
    assert.equal(
      mistakeInFixedKeys({ ...config, practiceKeys: [{ text, kind: 'api', scope: 'read' }] }),
      `The settings are wrong: the key ${text} of PRACTICE_KEYS must end in 1b8ctY, the checksum of what is before.`,
    )
  })
})
