import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Puts a package's pages and the license into a folder, each as it reads without the repository. */
export const copyPages = async (root: string, name: string, folder: string): Promise<void> => {
  for (const file of ['README.md', 'CHANGELOG.md'])
    await writeFile(join(folder, file), await pageOf(root, name, file))
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

/** A page of a package. What lies outside of it is not there where it is installed: the words stay, the link goes. */
export const pageOf = async (root: string, name: string, file: string): Promise<string> =>
  (await readFile(join(root, name, file), 'utf8')).replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1')
