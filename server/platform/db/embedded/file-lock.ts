// Locks between the processes that share one data folder. Each lock is an empty file opened by SQLite,
// which is part of Node and has what Node's own `fs` lacks: shared and exclusive operating system
// locks. They end with the process that holds them, however it ends: a crash leaves the file,
// which means nothing, and no lock. Nothing is ever written to the files.
import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '../../kernel/code-of.ts'

export type Lock = { release: () => void }

const SQLITE_BUSY = 5

// A lock whose holder dropped its reference must not be released by the garbage collector.
const held = new Set<DatabaseSync>()

/** Takes the lock, or returns undefined immediately if another process holds it. */
export function tryLock(file: string, mode: 'shared' | 'exclusive'): Lock | undefined {
  createWithMode(file)
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec(mode === 'shared' ? 'begin; select count(*) from sqlite_schema' : 'begin exclusive')
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw error
  }
  held.add(database)
  return {
    release: () => {
      if (held.delete(database)) database.close()
    },
  }
}

/** Does the work while holding the lock alone; waits for it up to `withinMs`, then fails with a message. */
export async function whileLocked<T>(file: string, withinMs: number, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + withinMs
  let lock = tryLock(file, 'exclusive')
  while (lock === undefined) {
    if (performance.now() > deadline)
      throw new Error(`Another process has been starting or stopping the database for too long (${file}).`)
    await pause(20)
    lock = tryLock(file, 'exclusive')
  }
  try {
    return await work()
  } finally {
    lock.release()
  }
}

function createWithMode(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
