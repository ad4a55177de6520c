/** What a step found out about one thing: a version of a database, a runtime, a machine. */
export type Finding = {
  readonly what: string
  /** Exactly what it was tried on; empty where it was not. */
  readonly version: string
  readonly outcome: 'held' | 'failed' | 'not tried'
  /** Why it was not tried, or how it failed. */
  readonly why?: string
}

export const held = (what: string, version: string): Finding => ({ what, version, outcome: 'held' })

export const failed = (what: string, version: string, why: string): Finding => ({
  ...{ what, version, outcome: 'failed', why },
})

export const notTried = (what: string, why: string): Finding => ({
  ...{ what, version: '', outcome: 'not tried', why },
})

/** Tries it; what goes wrong meanwhile is the finding. */
export const trying = async (
  what: string,
  version: string,
  work: () => Promise<string | void>,
): Promise<Finding> => {
  try {
    return held(what, (await work()) ?? version)
  } catch (error) {
    return failed(what, version, (error as Error).message)
  }
}
