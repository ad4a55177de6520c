// What distinguishes the embedded database's folder from a copy of it: its path, and its inode number. A
// folder that was copied, or restored from a copy, has another number; one that was moved has another path.
import { realpath, stat } from 'node:fs/promises'
import { placesUnder } from './cluster.ts'

/** Names the folder of an existing cluster; the same until somebody copies or moves it. */
export async function folderName(dataDir: string): Promise<string> {
  const { cluster } = placesUnder(await realpath(dataDir))
  const { ino } = await stat(cluster, { bigint: true })
  return `folder ${cluster}, inode ${ino}`
}
