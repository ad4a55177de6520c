import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { foreignersOf, neighborsOf } from './manifest.ts'
import { packPackage, readManifest, unpack } from './pack.ts'

/**
 * Installs packages of this repository into a folder from their packed files, as npm does; third-party packages are taken
 * from the repository's own node_modules, so that no network is needed.
 */
export const installPacked = async (
  root: string,
  names: readonly string[],
  folder: string,
): Promise<void> => {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '.bin'), { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  for (const name of names) {
    const home = join(modules, '@venue-data', name)
    const file = await packPackage({ root, name, to: folder })
    await unpack(file, home)
    await rm(file)
    const { bin = {} } = await readManifest(join(modules, '@venue-data'), name)
    for (const [command, path] of Object.entries(bin))
      await symlink(join(home, path), join(modules, '.bin', command))
    for (const foreigner of await foreignersBelow(root, name)) await link(root, modules, foreigner)
  }
}

/** The third-party packages that a package and those it brings need. */
const foreignersBelow = async (root: string, name: string): Promise<string[]> => {
  const manifest = await readManifest(root, name)
  const below = await Promise.all(neighborsOf(manifest).map((neighbor) => foreignersBelow(root, neighbor)))
  return [...foreignersOf(manifest), ...below.flat()]
}

const link = async (root: string, modules: string, name: string): Promise<void> => {
  const place = join(modules, name)
  await mkdir(dirname(place), { recursive: true })
  await symlink(join(root, 'node_modules', name), place).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
