import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { currentFingerprint, fingerprints, keyedHash } from '../../platform/kernel/secrets.ts'
import { toInstant, toMoment } from '../../platform/kernel/time/moment.ts'
import { lastFour, makeKeyText } from './key-text.ts'

/*
 * The key behind an assistant's tokens has one row and a new text each hour. The text is made from the row and a secret, so
 * that several processes of an MCP server get the same one and none has to be stored; what the key did, and how often it
 * calls, stays in one place.
 */

const textSeconds = 3_600
/** A text that is good for less than this is replaced; who still holds it is refused, and trades again. */
const leastSeconds = 300

/** The present text of a traded key, and until when it is good. The key must work. */
export const tradeText = async (
  { secrets, clock }: Pick<Context, 'secrets' | 'clock'>,
  db: Queries,
  id: number,
): Promise<{ readonly text: string; readonly until: Temporal.Instant }> => {
  const row = await db.one(sql({ fingerprint: 'bytea', traded_until: 'timestamptz' })`
    select fingerprint, traded_until from api_key where id = ${id} for update`)
  const now = clock()
  const until = toInstant(row.traded_until)
  const text = textOf(secrets, id, until)
  const isCurrent = fingerprints(secrets, text).some((one) => one.equals(row.fingerprint))
  if (isCurrent && until.since(now).total('seconds') >= leastSeconds) return { text, until }
  const later = toInstant(toMoment(now.add({ seconds: textSeconds })))
  const next = textOf(secrets, id, later)
  await db.run(sql()`
    update api_key
       set fingerprint = ${currentFingerprint(secrets, next)}, last_four = ${lastFour(next)}, traded_until = ${later}
     where id = ${id}`)
  return { text: next, until: later }
}

const textOf = ([{ pepper }]: Context['secrets'], id: number, until: Temporal.Instant): string => {
  let block = 0
  return makeKeyText((size) =>
    Buffer.concat(
      Array.from({ length: Math.ceil(size / 32) }, () =>
        keyedHash(`venue-data/traded-key/v1 ${id} ${until.epochMilliseconds} ${block++}`, pepper),
      ),
    ).subarray(0, size),
  )
}
