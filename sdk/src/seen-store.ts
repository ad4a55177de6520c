/**
 * Remembers deliveries, so that each is handled once: they may arrive twice, always with the same `id`. Keep ids for
 * three days. A store that outlives the program forgets a delivery that was started but not finished after a minute.
 */
export type SeenStore = {
  /** `new`: it is yours to handle. `done`: it was handled. `busy`: it is being handled right now. */
  begin(id: string): Promise<'new' | 'done' | 'busy'>
  /** Call it when a delivery was handled, or when it failed and should be handled the next time it comes. */
  end(id: string, isDone: boolean): Promise<void>
}

/** Remembers the latest deliveries, up to a number, as long as the program runs. */
export const memorySeen = (most = 100_000): SeenStore => {
  const states = new Map<string, 'done' | 'busy'>()
  return {
    begin: async (id) => {
      const state = states.get(id)
      if (state) return state
      states.set(id, 'busy')
      const [oldest] = states.keys()
      if (states.size > most && oldest !== undefined) states.delete(oldest)
      return 'new'
    },
    end: async (id, isDone) => {
      if (isDone) states.set(id, 'done')
      else states.delete(id)
    },
  }
}
