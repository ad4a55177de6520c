import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../config.ts'
import { LocalError } from '../failures.ts'
import { keychain } from './keychain.ts'
import { readPrivate, writePrivate } from './private-file.ts'

/** What `login` saves: a key, and the address it is for. */
export type Credentials = { readonly url: string; readonly key: string }

type Kept = { readonly url: string; readonly key?: string }

type Place = Pick<Settings, 'folder'>

export const credentialsFile = ({ folder }: Place): string => join(folder, 'credentials.json')

/** What was saved, and where; undefined: nothing. */
export const loadCredentials = async (
  settings: Place,
): Promise<(Credentials & { readonly where: 'file' | 'keychain' }) | undefined> => {
  const kept = await readKept(settings)
  if (!kept) return undefined
  if (kept.key !== undefined) return { url: kept.url, key: kept.key, where: 'file' }
  const key = await (await keychain())?.read(kept.url)
  return key === undefined ? undefined : { url: kept.url, key, where: 'keychain' }
}

/** Saves a key and its address, replacing earlier ones; returns where the key is. */
export const saveCredentials = async (
  settings: Place,
  { url, key }: Credentials,
  { inKeychain }: { readonly inKeychain: boolean },
): Promise<'file' | 'keychain'> => {
  await forgetCredentials(settings)
  const isInKeychain = inKeychain && ((await (await keychain())?.write(url, key)) ?? false)
  await writePrivate(
    settings,
    'credentials.json',
    `${JSON.stringify(isInKeychain ? { url } : { url, key })}\n`,
  )
  return isInKeychain ? 'keychain' : 'file'
}

/** Deletes both; returns whether there was anything. */
export const forgetCredentials = async (settings: Place): Promise<boolean> => {
  const kept = await readKept(settings)
  if (!kept) return false
  if (kept.key === undefined) await (await keychain())?.remove(kept.url)
  await rm(credentialsFile(settings), { force: true })
  return true
}

const readKept = async (settings: Place): Promise<Kept | undefined> => {
  const text = await readPrivate(settings, 'credentials.json')
  if (text === undefined) return undefined
  try {
    const { url, key } = JSON.parse(text) as Partial<Kept>
    if (typeof url === 'string') return { url, ...(typeof key === 'string' && { key }) }
  } catch {
    // Reported below.
  }
  throw new LocalError(
    `${credentialsFile(settings)} cannot be read. Remove it, and run \`venue-data login\`.`,
  )
}
