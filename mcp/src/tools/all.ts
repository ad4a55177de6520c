import type { Job, Tool } from '../tool.ts'
import { aboutTools } from './about.ts'
import { availabilityTools } from './availability.ts'
import { feedTools } from './feeds.ts'
import { figureTools } from './figures.ts'
import { guestTools } from './guests.ts'
import { listTools } from './lists.ts'
import { reservationTools } from './reservations.ts'
import { writeTools } from './writes.ts'

/** All tools. Which of them a client sees depends on its key and on how the server was started. */
export const everyTool: readonly Tool[] = [
  ...aboutTools,
  ...reservationTools,
  ...guestTools,
  ...availabilityTools,
  ...listTools,
  ...feedTools,
  ...figureTools,
  ...writeTools,
]

/** The scopes that `--allow` can name. */
export const writableScopes: readonly string[] = [
  ...new Set(writeTools.map(({ writes }) => writes as string)),
]

/** The tools for a key with these scopes; of the writing tools only the allowed ones, and of all those for a job. */
export const toolsFor = (
  scopes: readonly string[],
  { allowed, job }: { readonly allowed: ReadonlySet<string>; readonly job?: Job | undefined },
): Tool[] =>
  everyTool.filter(({ needs, anyOfThem, writes, job: only }) => {
    const has = (scope: string): boolean => scopes.includes(scope)
    return (
      (anyOfThem ? needs.some(has) : needs.every(has)) &&
      (writes === undefined || allowed.has(writes)) &&
      (job === undefined || only === undefined || only === job)
    )
  })
