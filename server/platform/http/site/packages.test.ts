import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { eventually } from '../../../test/eventually.ts'
import { answerUnknown, httpServer } from '../server.ts'
import { openPackages } from './packages.ts'
import { serveSite } from './serve-site.ts'

describe('the packages at /docs/tools', () => {
  let root: string
  let app: FastifyInstance
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'venue-data-packages-'))
    app = httpServer(pino({ level: 'silent' }))
  })
  afterEach(async () => {
    await app.close()
    await rm(root, { recursive: true })
  })

  /** Serves what this program makes, as `npm run pack` is one; without a program, an image. */
  const serve = async (program?: string): Promise<(path?: string) => Promise<Response>> => {
    if (program !== undefined) {
      await mkdir(join(root, 'packing'))
      await writeFile(join(root, 'package.json'), '{"type":"module"}')
      await writeFile(
        join(root, 'packing/main.ts'),
        `import { existsSync, mkdirSync, writeFileSync } from 'node:fs'\n${program}`,
      )
    }
    answerUnknown(app, serveSite(app, 'https://api.example.com', openPackages(root, 1)))
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    return (path = '/docs/tools/sdk.tgz') => fetch(`http://127.0.0.1:${port}${path}`)
  }
  const writing = `mkdirSync('packed', { recursive: true }); writeFileSync('packed/sdk.tgz', 'packed')`

  it('are 503 while they are made, which keeps no other request waiting, then the files', async () => {
    const ask = await serve(
      `const look = setInterval(() => { if (!existsSync('go')) return; clearInterval(look); ${writing} }, 10)`,
    )
    const early = await ask()
    assert.equal(early.status, 503)
    assert.equal(early.headers.get('retry-after'), '10')
    assert.match(((await early.json()) as { error: string }).error, /^The packages are being made/)
    assert.equal((await ask('/docs')).status, 200)
    await writeFile(join(root, 'go'), '')
    const made = await eventually(async () => {
      const answer = await ask()
      return answer.status === 200 && answer
    })
    assert.equal(await made.text(), 'packed')
  })

  it('are 503 with what to do where they cannot be made, and what the operator made by hand is served', async () => {
    const ask = await serve(`process.stderr.write('EROFS: read-only file system\\n'); process.exitCode = 1`)
    const failed = await eventually(async () => {
      const answer = await ask()
      return answer.headers.get('retry-after') === '60' && answer
    })
    assert.equal(failed.status, 503)
    assert.match(((await failed.json()) as { error: string }).error, /could not make .* `npm run pack`/)
    await mkdir(join(root, 'packed'))
    await writeFile(join(root, 'packed/sdk.tgz'), 'by hand')
    assert.equal(await (await ask()).text(), 'by hand')
  })

  it('say to the log why they cannot be made', async () => {
    await serve(`process.stderr.write('EROFS: read-only file system\\n    at here\\n'); process.exitCode = 1`)
    await assert.rejects(openPackages(root).make(), { message: 'EROFS: read-only file system' })
    await writeFile(join(root, 'packing/main.ts'), `process.kill(process.pid, 'SIGKILL')`)
    await assert.rejects(openPackages(root).make(), /ended by SIGKILL, as systems do that run out of memory/)
  })

  it(
    'are what the system ends first when it runs out of memory, and not the service',
    { skip: !existsSync('/proc/self/oom_score_adj') && 'only Linux has such an order' },
    async () => {
      const ask = await serve(`
        import { readFileSync } from 'node:fs'
        let looks = 0
        const look = setInterval(() => {
          const isFirst = readFileSync('/proc/self/oom_score_adj', 'utf8') === '1000\\n'
          if (!isFirst && ++looks < 200) return
          clearInterval(look)
          if (isFirst) { ${writing} }
        }, 10)`)
      await eventually(async () => (await ask()).ok)
    },
  )

  it('are those that an image brings', async () => {
    await mkdir(join(root, 'packed'))
    await writeFile(join(root, 'packed/sdk.tgz'), 'of the image')
    const ask = await serve()
    assert.equal(
      await (
        await eventually(async () => {
          const answer = await ask()
          return answer.ok && answer
        })
      ).text(),
      'of the image',
    )
  })
})
