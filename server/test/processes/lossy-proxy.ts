import { type PassThrough, startPassThrough } from './pass-through.ts'

/**
 * A way to PostgreSQL that loses connections at a COMMIT on demand: `before` the database hears of it,
 * or `after` it was done and before its answer comes back. Once each time; otherwise it only passes bytes on.
 */
export type LossyProxy = PassThrough & { readonly loseNextCommit: (when: 'before' | 'after') => void }

export const startLossyProxy = async (databaseUrl: string): Promise<LossyProxy> => {
  let lose: 'before' | 'after' | undefined
  const passing = await startPassThrough(databaseUrl, ({ client, database }) => {
    let loseAnswer = false
    client.on('data', (bytes: Buffer) => {
      if (lose !== undefined && bytes.includes('commit\0')) {
        if (lose === 'before') {
          database.destroy()
          client.destroy()
        } else loseAnswer = true
        lose = undefined
      }
      if (!database.destroyed) database.write(bytes)
    })
    database.on('data', (bytes: Buffer) => {
      if (loseAnswer) client.destroy()
      else client.write(bytes)
    })
  })
  return { ...passing, loseNextCommit: (when) => void (lose = when) }
}
