import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Packing } from './pack.ts'
import { copyPages } from './pages.ts'

const run = promisify(execFile)

/** Debian's own Python, with its packages python3-build and python3-hatchling. */
const python = '/usr/bin/python3'

/** Makes a Python package's published files, a wheel and its sources; returns their paths. */
export const packPython = async ({ root, name, to }: Packing): Promise<string[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'venue-data-pack-'))
  try {
    await cp(join(root, name, 'src'), join(folder, 'src'), { recursive: true, filter: isShipped })
    await cp(join(root, name, 'pyproject.toml'), join(folder, 'pyproject.toml'))
    await copyPages(root, name, folder)
    const dist = join(folder, 'dist')
    // It is built with what is installed: nothing is downloaded.
    const offline = ['--no-isolation', '--skip-dependency-check']
    await run(python, ['-m', 'build', ...offline, '--outdir', dist, folder])
    await cp(dist, to, { recursive: true })
    return (await readdir(dist)).map((file) => join(resolve(to), file)).toSorted()
  } finally {
    await rm(folder, { recursive: true })
  }
}

const isShipped = (path: string): boolean => !path.endsWith('__pycache__')
