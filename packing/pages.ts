import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Puts a package's pages and the license into a folder, each as it reads without the repository. */
export const copyPages = async (root: string, name: string, folder: string): Promise<void> => {
  for (const file of ['README.md', 'CHANGELOG.md']) {
    const text = await readFile(join(root, name, file), 'utf8')
    // What lies outside of the package is not there where it is installed: the words stay, the link goes.
    await writeFile(join(folder, file), text.replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1'))
  }
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}
