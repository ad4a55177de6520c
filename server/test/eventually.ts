import { setTimeout as pause } from 'node:timers/promises'
import { patience } from './patience.ts'

const POLL_MS = 10
const LOOK_MS = 500

/**
 * Repeats the check until it answers something true, and gives that answer back. A check that throws counts as "not yet".
 * When our patience is over (patience.ts), `times` as long where the work takes many times what others do, it fails with
 * what the last try said. This is how tests wait: never for a fixed time.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { times = 1 }: { times?: number } = {},
): Promise<Exclude<T, false | 0 | '' | null | undefined>> {
  const began = performance.now()
  for (;;) {
    const isLast = await patience.isOver(began, times)
    let last: unknown
    try {
      const answer = await check()
      if (answer) return answer as Exclude<T, false | 0 | '' | null | undefined>
      last = answer
    } catch (error) {
      last = error
    }
    if (isLast) {
      const said = last instanceof Error ? last.message : JSON.stringify(last)
      const waitedMs = Math.round(performance.now() - began)
      throw new Error(`Not within ${waitedMs} ms; the last try said: ${said}`, { cause: last })
    }
    await pause(POLL_MS)
  }
}

/** What the promise results in; an error that says what did not happen, once our patience is over. */
export const inTime = async <T>(promise: Promise<T>, whatNot: string): Promise<T> => {
  const began = performance.now()
  const { promise: over, reject } = Promise.withResolvers<never>()
  const look = async (): Promise<void> => {
    if (await patience.isOver(began)) reject(new Error(whatNot))
  }
  const looking = setInterval(() => void look(), LOOK_MS)
  return Promise.race([promise, over]).finally(() => clearInterval(looking))
}
