/** Keeps the cursor of a feed over restarts. One store is for one feed. */
export type CursorStore = {
  /** What was saved last; `undefined`: nothing yet, or it was taken away. */
  load(): Promise<string | undefined>
  /** Keeps a cursor; `undefined` takes it away. */
  save(cursor: string | undefined): Promise<void>
}

/** Keeps a cursor as long as the program runs: for tests, and for what may begin anew. */
export const memoryCursor = (cursor?: string): CursorStore => ({
  load: async () => cursor,
  save: async (next) => {
    cursor = next
  },
})
