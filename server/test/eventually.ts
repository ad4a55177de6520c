import { setTimeout as pause } from 'node:timers/promises'

const POLL_MS = 10

/**
 * How long a test waits for what is sure to come: far longer than any machine needs, so that only what hangs meets it.
 * In milliseconds.
 */
export const patienceMs = 8_000

/**
 * Repeats the check until it answers something true, and gives that answer back. A check that throws
 * counts as "not yet". After `withinMs`, which only the bench makes less than our patience, it fails with what the
 * last try said. This is how tests wait: never for a fixed time.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { withinMs = patienceMs }: { withinMs?: number } = {},
): Promise<Exclude<T, false | 0 | '' | null | undefined>> {
  const deadline = performance.now() + withinMs
  for (;;) {
    let last: unknown
    try {
      const answer = await check()
      if (answer) return answer as Exclude<T, false | 0 | '' | null | undefined>
      last = answer
    } catch (error) {
      last = error
    }
    if (performance.now() > deadline) {
      const said = last instanceof Error ? last.message : JSON.stringify(last)
      throw new Error(`Not within ${withinMs} ms; the last try said: ${said}`, { cause: last })
    }
    await pause(POLL_MS)
  }
}
