import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../config.ts'
import { readPrivate, writePrivate } from './private-file.ts'

/** Where a running `listen` forwards to, and what it signs with: for `trigger`. */
export type Listening = { readonly to: string; readonly secret: string }

type Place = Pick<Settings, 'folder'>

const file = 'listening.json'

export const noteListening = (place: Place, listening: Listening): Promise<void> =>
  writePrivate(place, file, `${JSON.stringify(listening)}\n`)

export const forgetListening = (place: Place): Promise<void> => rm(join(place.folder, file), { force: true })

export const readListening = async (place: Place): Promise<Listening | undefined> => {
  const text = await readPrivate(place, file)
  return text === undefined ? undefined : (JSON.parse(text) as Listening)
}
