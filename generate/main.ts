import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '../server/platform/db/embedded/embedded.ts'
import { migrate } from '../server/platform/db/migrate.ts'
import { openDatabase } from '../server/platform/db/pool.ts'
import { generatedFiles } from './files.ts'
import { noWords } from '../server/platform/kernel/script-words.ts'

/*
 * `npm run generate`: writes the generated files of the repository. The schema is drawn from a PostgreSQL that is
 * made for the purpose and thrown away. A test compares the files with what this would write.
 */

noWords('npm run generate')

const folder = await mkdtemp(join(tmpdir(), 'venue-data-generate-'))
try {
  // The database may run under another account than this program.
  await chmod(folder, 0o755)
  const log = { info: () => undefined, warn: console.warn, error: console.error }
  const embedded = await startEmbedded({ dataDir: folder, role: 'command', log, flags: { fsync: 'off' } })
  const database = openDatabase({ url: embedded.url })
  try {
    await migrate(database)
    for (const { path, text } of await generatedFiles(database)) {
      await mkdir(new URL('.', path), { recursive: true })
      await writeFile(path, text)
      process.stdout.write(`${relative('.', fileURLToPath(path))}\n`)
    }
  } finally {
    await database.close()
    await embedded.stop()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
