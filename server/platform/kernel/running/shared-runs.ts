/**
 * Runs what is asked under a key one at a time. Those who ask during a run share the next one: it starts after each of
 * them asked, so it answers each.
 */
export type SharedRuns<T> = (key: string, work: () => Promise<T>) => Promise<T>

export const sharedRuns = <T>(): SharedRuns<T> => {
  const running = new Map<string, { readonly now: Promise<T>; next: Promise<T> | undefined }>()

  const start = (key: string, work: () => Promise<T>): Promise<T> => {
    const now = work()
    const run: { readonly now: Promise<T>; next: Promise<T> | undefined } = { now, next: undefined }
    running.set(key, run)
    const end = (): void => {
      if (run.next === undefined) running.delete(key)
    }
    now.then(end, end)
    return now
  }

  return (key, work) => {
    const run = running.get(key)
    if (!run) return start(key, work)
    const begin = (): Promise<T> => start(key, work)
    run.next ??= run.now.then(begin, begin)
    return run.next
  }
}
