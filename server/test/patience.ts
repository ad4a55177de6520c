import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/*
 * How long a test waits for what is sure to come. Nobody chooses it: it is what this machine now takes to start a process
 * of the service, many times over, so that only what hangs meets it, however slow or busy the machine is.
 */

/** What every process of our own that a test starts is given: to compile the sources again would cost each a second. */
export const compiledSources = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compile'),
}

/** Under this name the runner gives the processes of a run what it has measured, in milliseconds. */
export const patienceSetting = 'TEST_PATIENCE_MS'

export type Patience = {
  /** As last measured, in milliseconds: for those who can only wait for a time that is fixed beforehand. */
  readonly ms: () => number
  /** Measures and returns it. It only grows: what is quick does not wait for it anyway. */
  readonly measure: () => Promise<number>
  /**
   * Whether the wait that began then (by `performance.now()`) has lasted longer than `times` our patience. Before the
   * answer is yes, patience is measured again: if the machine has become slower, the wait goes on.
   */
  readonly isOver: (began: number, times?: number) => Promise<boolean>
}

const leastMs = 8_000
const startsWaited = 10

/** `startMs`: how long the start of a process takes at this moment, in milliseconds. */
export const openPatience = (startMs: () => Promise<number>, knownMs = leastMs): Patience => {
  let ms = Math.max(leastMs, knownMs)
  let measuring: Promise<number> | undefined
  const measure = (): Promise<number> => {
    measuring ??= startMs()
      .then((start) => (ms = Math.max(ms, startsWaited * start)))
      .finally(() => (measuring = undefined))
    return measuring
  }
  return {
    ms: () => ms,
    measure,
    isOver: async (began, times = 1) => {
      const waitedMs = performance.now() - began
      return waitedMs > times * ms && waitedMs > times * (await measure())
    },
  }
}

/** How long a process of the service takes, in milliseconds, to load all it consists of and to refuse its settings. */
const startOfService = async (): Promise<number> => {
  const began = performance.now()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: { ...compiledSources, PORT: 'none' },
    stdio: 'ignore',
  })
  await once(child, 'close')
  return performance.now() - began
}

/** The patience of all tests in this process. */
export const patience = openPatience(startOfService, Number(process.env[patienceSetting] ?? 0))
