import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
}

/** Makes the file that npm installs, with the packages of this repository that it needs inside; returns its path. */
export const packPackage = async ({ root, name, to }: Packing): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'venue-data-pack-'))
  try {
    await build(root, name, folder)
    // The settings of an npm that started this one name its folder, not this.
    const words = ['pack', '--json', '--ignore-scripts', '--offline', '--dry-run=false', '--prefix', folder]
    const { stdout } = await run('npm', words, { cwd: folder })
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
    // Without a version, so that a link to it stays true.
    return await put(await readFile(join(folder, filename)), join(to, `${name}.tgz`))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Makes a package's published contents in a folder, with the packages of this repository that it needs in its node_modules. */
const build = async (root: string, name: string, folder: string): Promise<void> => {
  const manifest = await readManifest(root, name)
  await cp(join(root, name, 'src'), join(folder, 'src'), { recursive: true, filter: isShipped })
  await copyPages(root, name, folder)
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
  await linkModules(root, folder)
  for (const neighbor of neighborsOf(manifest)) {
    await build(root, neighbor, join(folder, 'node_modules/@venue-data', neighbor))
  }
  await compile(root, folder)
}

/** A package's own package.json, in a folder of that name. */
export const readManifest = async (folder: string, name: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, name, 'package.json'), 'utf8')) as Manifest

/** Writes a file that somebody may be reading: its readers have the old one or the new one, whole. */
export const put = async (bytes: Uint8Array, file: string): Promise<string> => {
  await mkdir(dirname(file), { recursive: true })
  const beside = `${file}.${process.pid}`
  await writeFile(beside, bytes)
  await rename(beside, file)
  return file
}

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
