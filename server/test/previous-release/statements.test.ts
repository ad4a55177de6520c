import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { freshDatabase, withDatabase } from '../database.ts'
import { type KeptRelease, faultsOfKept } from './writing-statements.ts'

/*
 * In a restart in turns the first new process migrates, and the old ones go on writing: their statements have to fit
 * the schema of now. They are not run, but prepared on a migrated database and compared with its catalogue.
 */

describe("the previous release's statements", () => {
  let kept: KeptRelease
  const readJson = async (path: string) => JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'))
  before(async () => {
    kept = await readJson('statements.json')
  })
  /** What is against them on the schema of now, after this change of it. */
  const faultsAfter = async (change: string): Promise<string[]> => {
    const { url, drop } = await freshDatabase()
    try {
      return await withDatabase(url, async (client) => {
        await client.query(change)
        const found: string[] = []
        for (const statement of kept.statements) found.push(...(await faultsOfKept(client, statement)))
        return found
      })
    } finally {
      await drop()
    }
  }

  it('are those of the last release: who releases the next one records its own', async () => {
    const { version } = await readJson('../../../package.json')
    assert.equal(kept.release.version, version, 'npm run record-statements, on the commit that is released')
  })

  it('with which it writes are all valid on the schema of now', async () => {
    assert.ok(kept.statements.length >= 400)
    assert.deepEqual(await faultsAfter('select 1'), [])
  })

  for (const [what, change, says] of [
    [
      'a new column that must have a value',
      'alter table task add region text not null',
      /^server\/tasks\/writes\.ts insertTask: it leaves out task\.region, which must have a value$/,
    ],
    [
      'a column that is gone',
      'alter table lead drop priority cascade',
      /^server\/leads\/writes\.ts insertLead: column "priority" .*does not exist$/,
    ],
    [
      'a column that statements only return by another name',
      'alter table waitlist_entry rename left_at to gone_at',
      /^server\/waitlist\/writes\.ts insertEntry: column "left_at" does not exist$/,
    ],
    [
      'values of another type',
      'alter table task alter client type integer using null::integer',
      /^server\/tasks\/writes\.ts insertTask: its values are .* instead of /,
    ],
  ] as const) {
    it(`the check notices ${what}`, async () => {
      const found = await faultsAfter(change)
      assert.ok(
        found.some((sentence) => says.test(sentence)),
        found.join('\n'),
      )
    })
  }
})
