import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { collectionFiles, connectorSources } from './connectors/files.ts'
import { packageFiles } from '../server/platform/http/site/packages.ts'
import { type Packing, put } from './pack.ts'

/**
 * Makes the collections for Postman and Bruno, ready to be opened, and what the n8n nodes and the Zapier app are built
 * from, next to their sources; returns where they are.
 */
export const packConnectors = async ({ root, name, to }: Packing): Promise<string[]> => {
  // Nothing is removed here: somebody may keep requests and environments of their own in Bruno's folder.
  await writeAll(to, collectionFiles())
  const sources = connectorSources()
  const folder = join(root, name)
  await writeAll(folder, sources)
  const generated = [...new Set(Object.keys(sources).map((path) => dirname(path)))]
  // The tools would build what an earlier contract left.
  for (const one of generated)
    for (const file of await readdir(join(folder, one)))
      if (sources[`${one}/${file}`] === undefined) await rm(join(folder, one, file))
  return [join(to, packageFiles.connectors), join(to, 'bruno'), ...generated.map((one) => join(folder, one))]
}

const writeAll = async (folder: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) await put(Buffer.from(text), join(folder, path))
}
