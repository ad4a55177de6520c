import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { openPatientProgram } from '../../test/program.ts'
import { runOperator } from '../../test/processes/operator.ts'
import { callService } from '../../test/service.ts'

describe('the operator while the service runs', () => {
  it('works on the embedded database the service is using, and leaves it running', async (test) => {
    const folder = await mkdtemp(join(tmpdir(), 'venue-operator-'))
    // The latest is ended first, and the folder goes last.
    const endings = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })]
    test.after(async () => {
      for (const end of endings.toReversed()) await end()
    })
    const settings = { DATA_DIR: join(folder, 'data'), DEMO: 'off' }
    const { context, close } = await openPatientProgram(readConfig(settings), 'service')
    endings.push(close)
    const app = buildApp(context)
    await app.listen({ host: '127.0.0.1', port: 0 })
    endings.push(async () => app.close())
    const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const operate = async (...args: string[]) => {
      const ran = await runOperator([...args, '--json'], settings)
      assert.equal(ran.code, 0, ran.stderr)
      return JSON.parse(ran.stdout)
    }
    const me = async (key: string) => (await callService(url, 'GET', '/api/v1/me', { key })).status

    await operate(
      ...['venue', 'create', '--slug', 'blue-door', '--name', 'The Blue Door', '--timezone', 'UTC'],
    )
    const { id, key } = await operate(
      ...['key', 'create', '--venue', 'blue-door', '--kind', 'automation', '--scope', 'read'],
    )
    assert.equal(await me(key), 200, 'made with the secrets of the service')
    await operate('key', 'revoke', '--id', String(id))
    assert.equal(await me(key), 401)
  })
})
