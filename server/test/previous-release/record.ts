import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../platform/db/embedded/embedded.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { readSources } from '../tree/imports.ts'
import { type KeptRelease, type KeptStatement, typesOf, writingStatements } from './writing-statements.ts'
import { noWords } from '../../platform/kernel/script-words.ts'
import { openPatiently } from '../database.ts'

/*
 * `npm run record-statements`, run once for each release, on the commit that is released: keeps the statements it writes
 * with for the test of the releases after it. What cannot be prepared by itself, since its pieces are put together as
 * the program runs, is named on standard output.
 */

noWords('npm run record-statements')

const folder = await mkdtemp(join(tmpdir(), 'venue-data-record-'))
try {
  // The database may run under another account than this program.
  await chmod(folder, 0o755)
  const log = { info: () => undefined, warn: console.warn, error: console.error }
  const embedded = await startEmbedded({ dataDir: folder, role: 'command', log, flags: { fsync: 'off' } })
  const database = openPatiently({ url: embedded.url })
  try {
    await migrate(database)
    const kept = await database.session(async (client) => {
      const found: KeptStatement[] = []
      for (const statement of writingStatements(readSources())) {
        const prepared = await typesOf(client, statement.text)
        if ('types' in prepared) found.push({ ...statement, types: prepared.types })
        else process.stdout.write(`left out: ${statement.path} ${statement.name}: ${prepared.refused}\n`)
      }
      return found
    })
    const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'))
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
    const written: KeptRelease = { release: { version, commit }, statements: kept }
    await writeFile(new URL('statements.json', import.meta.url), `${JSON.stringify(written, null, 2)}\n`)
    process.stdout.write(`${kept.length} statements of ${version} kept\n`)
  } finally {
    await database.close()
    await embedded.stop()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
