import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { codeOf } from './platform/kernel/code-of.ts'

type Place = Pick<Config, 'databaseUrl' | 'dataDir' | 'paymentsUrl'>

/*
 * Where the stand-in of a practice instance runs. A service on the embedded database notes it in DATA_DIR when it starts, and a
 * command beside it reads it there; with DATABASE_URL a command has the setting of its service.
 */

/** A service without the setting leaves none of an earlier one. */
export const keepPaymentsPlace = async ({ databaseUrl, dataDir, paymentsUrl }: Place): Promise<void> => {
  if (databaseUrl !== undefined) return
  if (paymentsUrl === undefined) return rm(fileIn(dataDir), { force: true })
  await mkdir(dataDir, { recursive: true })
  await writeFile(fileIn(dataDir), `${paymentsUrl}\n`)
}

export const keptPaymentsPlace = async ({
  databaseUrl,
  dataDir,
  paymentsUrl,
}: Place): Promise<string | undefined> => {
  if (paymentsUrl !== undefined || databaseUrl !== undefined) return paymentsUrl
  try {
    return (await readFile(fileIn(dataDir), 'utf8')).trim() || undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const fileIn = (dataDir: string): string => join(dataDir, 'payments-url')
