import { appendFile } from 'node:fs/promises'

/** Where the bench wants times written to, a line of JSON for each. */
export const timesFile = 'TIMES_FILE'

export type Timed = { readonly what: string; readonly ms: number; readonly mostMs: number }

const looks = 5

/**
 * Does something that has a goal for its time. A test only does it: how long it took is asserted nowhere but in the bench
 * (bench/pages.ts), which runs such tests with a file for the times and takes the quickest of a few looks, as the machine
 * may be busy with something else once.
 */
export const timed = async <T>(what: string, mostMs: number, work: () => Promise<T>): Promise<T> => {
  const done = await work()
  const file = process.env[timesFile]
  if (file === undefined) return done
  let ms = Infinity
  for (let look = 0; look < looks; look++) {
    const began = performance.now()
    await work()
    ms = Math.min(ms, performance.now() - began)
  }
  await appendFile(file, `${JSON.stringify({ what, ms, mostMs } satisfies Timed)}\n`)
  return done
}
