import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { appendFile, cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { madeBefore } from '../made-before.ts'
import { startProcess, startTimes } from '../process.ts'
import { startService } from '../service.ts'

const checkout = join(import.meta.dirname, '..', '..', '..')

describe('npm run dev', () => {
  const service = madeBefore(() => startService())

  it('starts the service again when a file of its source changes', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'dev-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const { scripts } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as {
      readonly scripts: { readonly dev: string }
    }
    for (const part of ['package.json', 'project-node.cjs', 'contract', 'docs', 'server'])
      await cp(join(checkout, part), join(folder, part), { recursive: true })
    await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'))
    const dev = await startProcess(
      {
        DATABASE_URL: service.databaseUrl,
        SECRETS: `test:${randomBytes(32).toString('base64')}`,
        LOG_LEVEL: 'info',
      },
      { command: 'sh', args: ['-c', scripts.dev], cwd: folder },
    )
    t.after(() => dev.stop())
    const starts = () => dev.said().match(/ · listening on /g)?.length ?? 0
    await dev.ready()
    assert.equal(starts(), 1)
    await appendFile(join(folder, 'server', 'main.ts'), '\n')
    await dev.until(() => starts() === 2, { times: startTimes })
    await dev.ready()
  })
})
