/** Keeps a feed's cursor across restarts. Use one store per feed. */
export type CursorStore = {
  /** What was saved last; `undefined`: nothing yet, or it was cleared. */
  load(): Promise<string | undefined>
  /** Saves a cursor; `undefined` clears it. */
  save(cursor: string | undefined): Promise<void>
}

/** Keeps a cursor as long as the program runs: for tests, and for programs that may start over. */
export const memoryCursor = (cursor?: string): CursorStore => ({
  load: async () => cursor,
  save: async (next) => {
    cursor = next
  },
})
