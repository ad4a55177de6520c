/** One line for each check. */
export type Book = {
  /** Runs a check and prints its result on the line. A failure is reported and counted, and the rest continues. */
  readonly step: <T>(name: string, run: () => Promise<T>) => Promise<T | undefined>
  readonly failures: () => number
  readonly verdict: () => string
}

export const makeBook = (): Book => {
  let done = 0
  let failed = 0
  return {
    step: async (name, run) => {
      const began = performance.now()
      const seconds = (): string => `${((performance.now() - began) / 1000).toFixed(1)} s`
      try {
        const result = await run()
        done++
        console.log(`ok      ${name}${typeof result === 'string' ? `: ${result}` : ''} (${seconds()})`)
        return result
      } catch (error) {
        failed++
        console.log(`FAILED  ${name} (${seconds()}): ${(error as Error).message}`)
        return undefined
      }
    },
    failures: () => failed,
    verdict: () => (failed === 0 ? `All ${done} held.` : `${failed} of ${done + failed} FAILED.`),
  }
}
