// postgres.log: PostgreSQL's own messages, appended by PostgreSQL and by initdb, read by operators and, when a start
// fails, by us for its last words. Its size is bounded: beyond that, its content replaces postgres.log.1
// and the log starts empty. PostgreSQL keeps its file open for appending, so
// truncating it meanwhile is safe; a line written at that instant is lost, which we accept.
import { copyFile, open, stat, truncate } from 'node:fs/promises'

const LOG_BYTES = 8 * 1024 * 1024
const LAST_WORDS_BYTES = 4096

/** Moves the log's content to postgres.log.1 if it has grown beyond 8 MB. */
export async function boundLog(file: string, limitBytes = LOG_BYTES): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  if (size <= limitBytes) return
  // Neither step may fail a start or a check: on a full disk we give up the copy, since the truncating is what counts.
  await copyFile(file, `${file}.1`).catch(() => undefined)
  await truncate(file).catch(() => undefined)
}

/** The last error in the log after `from`, for the message about a failed start. */
export async function lastWords(file: string, from: number): Promise<string> {
  const log = await open(file, 'r').catch(() => undefined)
  if (log === undefined) return 'it said nothing'
  try {
    const { size } = await log.stat()
    const start = Math.max(from, size - LAST_WORDS_BYTES)
    const { buffer, bytesRead } = await log.read(Buffer.alloc(LAST_WORDS_BYTES), 0, LAST_WORDS_BYTES, start)
    const lines = buffer.toString('utf8', 0, bytesRead).trim().split('\n')
    const complaint = lines.findLast((line) => /FATAL|PANIC|error|terminated by/i.test(line)) ?? lines.at(-1)
    return complaint?.replace(/^.*?(FATAL|PANIC|error):\s*/i, '') || 'it said nothing'
  } finally {
    await log.close()
  }
}

/** Where the log ends now, to pass to `lastWords`. */
export const logEnd = (file: string): Promise<number> =>
  stat(file).then(
    (found) => found.size,
    () => 0,
  )
