import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { compile } from './compile.ts'
import { type Manifest, neighborsOf, publishedManifest } from './manifest.ts'
import { copyPages } from './pages.ts'

const run = promisify(execFile)

export type Packing = {
  /** The repository. */
  readonly root: string
  /** The folder of the package in it. */
  readonly name: string
  /** Where to put the file. */
  readonly to: string
  /** Where the packages of this repository that it needs are already installed; absent: they are made for it. */
  readonly installed?: string
}

/** Makes a package's published file; returns its path. */
export const packPackage = async ({ root, name, to, installed }: Packing): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'venue-data-pack-'))
  try {
    await build(root, name, folder, installed)
    await mkdir(to, { recursive: true })
    const { stdout } = await run(
      'npm',
      ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', to],
      { cwd: folder },
    )
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
    return join(to, filename)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Makes a package's published contents in a folder, with the packages of this repository that it needs next to it. */
const build = async (root: string, name: string, folder: string, installed?: string): Promise<void> => {
  const manifest = await readManifest(root, name)
  await cp(join(root, name, 'src'), join(folder, 'src'), { recursive: true, filter: isShipped })
  await copyPages(root, name, folder)
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
  await linkModules(root, folder)
  for (const neighbor of neighborsOf(manifest)) {
    const place = join(folder, 'node_modules/@venue-data', neighbor)
    if (installed) await symlink(join(installed, '@venue-data', neighbor), place)
    else await build(root, neighbor, place)
  }
  await compile(root, folder)
}

export const readManifest = async (root: string, name: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(root, name, 'package.json'), 'utf8')) as Manifest

/** Unpacks a packed file into a folder. */
export const unpack = async (file: string, folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  await run('tar', ['-xzf', file, '--strip-components=1', '-C', folder])
}

const isShipped = (path: string): boolean => !path.endsWith('.test.ts')

/** What the compiler may find: third-party packages, but none of this repository's, which come packed. */
const linkModules = async (root: string, folder: string): Promise<void> => {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@venue-data'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name.startsWith('.') || name === '@venue-data') continue
    await symlink(join(root, 'node_modules', name), join(modules, name))
  }
}
