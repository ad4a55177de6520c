import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import type { Database } from '../server/platform/db/pool.ts'
import { generatedFiles } from './files.ts'
import { freshDatabase, openPatiently } from '../server/test/database.ts'

describe('the generated files of the repository', () => {
  let database: { url: string; drop: () => Promise<void> }
  let db: Database
  before(async () => {
    database = await freshDatabase()
    db = openPatiently({ url: database.url })
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  it('are as the contract and the migrations are now; otherwise run `npm run generate`', async () => {
    for (const { path, text } of await generatedFiles(db)) {
      assert.ok(text === (await readFile(path, 'utf8')), `stale: ${path.pathname.split('/').at(-1)}`)
    }
  })
})
