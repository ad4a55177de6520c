import { isForEverybody } from '../../../platform/db/faults.ts'
import type { Database, Queries } from '../../../platform/db/pool.ts'
import { gatherer } from '../../../platform/kernel/running/gatherer.ts'

/**
 * What several venues need at about the same time is one statement, since most of the cost of a statement is in starting
 * it. Where that fails, each venue gets a statement of its own, so that one bad row holds up nobody else. So it always is on a
 * cluster, whose machines hold different venues.
 * @param ask given no venue twice; resolves to the answers in the order of the questions
 */
export const gatherForVenues = <Asked, Answer>(
  { db, atOnce, most }: { readonly db: Database; readonly atOnce: number; readonly most: number },
  ask: (queries: Queries, asked: readonly Asked[]) => Promise<readonly Answer[]>,
): ((asked: Asked) => Promise<Answer>) => {
  const askEach = (asked: readonly Asked[]): Promise<readonly Promise<Answer>[]> =>
    db.together(async (queries) => {
      const answers = asked.map(async (one) => (await ask(queries, [one]))[0] as Answer)
      await Promise.allSettled(answers)
      return answers
    })
  return gatherer<Asked, Answer>({
    atOnce,
    most,
    run: async (asked) => {
      if (db.isCluster) return askEach(asked)
      try {
        return await ask(db, asked)
      } catch (error) {
        if (asked.length === 1 || isForEverybody(error)) throw error
        return askEach(asked)
      }
    },
  })
}
