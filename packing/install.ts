import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { foreignersOf, type Manifest, neighborsOf } from './manifest.ts'
import { packPackage, readManifest, unpack } from './pack.ts'

/**
 * Installs packages of this repository into a folder from their packed files, together with the packages of this
 * repository that they need, also packed; third-party packages are taken from the repository's own node_modules, so
 * that no network is needed.
 */
export const installPacked = async (
  root: string,
  names: readonly string[],
  folder: string,
): Promise<void> => {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '.bin'), { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const done = new Set<string>()
  const install = async (name: string): Promise<void> => {
    if (done.has(name)) return
    done.add(name)
    const needed = await readManifest(root, name)
    for (const neighbor of neighborsOf(needed)) await install(neighbor)
    const file = await packPackage({ root, name, to: folder, installed: modules })
    const home = join(modules, '@venue-data', name)
    await unpack(file, home)
    await rm(file)
    const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as Manifest
    for (const [command, path] of Object.entries(manifest.bin ?? {})) {
      await symlink(join(home, path), join(modules, '.bin', command))
    }
    for (const foreigner of foreignersOf(needed)) await link(root, modules, foreigner)
  }
  for (const name of names) await install(name)
}

const link = async (root: string, modules: string, name: string): Promise<void> => {
  const place = join(modules, name)
  await mkdir(dirname(place), { recursive: true })
  await symlink(join(root, 'node_modules', name), place).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
