import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { type Config, readConfig } from './config.ts'
import { mostConnections } from './platform/db/pool.ts'
import { sql } from './platform/db/sql.ts'
import { connectionsOf } from './program.ts'
import { freshDatabase, openPatiently } from './test/database.ts'

describe('connections to the database', () => {
  it('of a process are at most as many as docs/settings.md, docs/production.md and .env.example say', async () => {
    const most = (ROLE: Config['role'], memory = 2 ** 34) => connectionsOf(readConfig({ ROLE }, memory))
    const all = most('all')
    const small = 2 ** 29
    assert.equal(most('worker'), all)
    const sayings: Readonly<Record<string, readonly string[]>> = {
      'docs/production.md': [
        `\`ROLE=web\` takes up to ${most('web')} connections`,
        `(\`all\` or \`worker\`) takes up to ${all}: ${all - most('web')} more`,
        `\`POOL_SIZE\` is 6 unless you set it, and a process takes up to ${most('all', small)}, or ${most('web', small)} with \`ROLE=web\``,
      ],
      'docs/settings.md': [
        `takes up to ${all} in all with this default, and ${most('web')} with \`ROLE=web\``,
      ],
      '.env.example': [`takes up to ${all} in all, and ${most('web')} with ROLE=web`],
    }
    for (const [path, sentences] of Object.entries(sayings)) {
      const text = await readFile(new URL(`../${path}`, import.meta.url), 'utf8')
      const words = text.replaceAll(/[\s#]+/g, ' ')
      for (const sentence of sentences) assert.ok(words.includes(sentence), `${path}: ${sentence}`)
    }
  })

  it('of an open database are never more than that, however much is asked of it at once', async () => {
    const fresh = await freshDatabase()
    const database = openPatiently({ url: fresh.url, size: 2 })
    const full = Promise.withResolvers<void>()
    const backend = sql({ pid: 'int4' })`select pg_backend_pid() as pid`
    try {
      const used = new Set<number>()
      const hold = async (ask: () => Promise<{ pid: number }>): Promise<void> => {
        used.add((await ask()).pid)
        if (used.size === mostConnections(2)) full.resolve()
        await full.promise
      }
      const asked = [1, 2, 3, 4, 5].map((group) =>
        database.longTransaction(group, (db) => hold(() => db.one(backend))),
      )
      asked.push(...[1, 2].map(() => database.transaction((db) => hold(() => db.one(backend)))))
      await Promise.all(asked)
      assert.equal(used.size, mostConnections(2))
    } finally {
      // Where one of them failed, the others wait for good, and closing waits for them.
      full.resolve()
      await database.close()
      await fresh.drop()
    }
  })
})
