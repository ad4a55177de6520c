import type { Queries } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import { isUuid } from '../kernel/uuid.ts'
import { badRequest } from '../kernel/refusal.ts'
import type { VenueId } from '../venue/venue.ts'

const nothing = Buffer.alloc(0)

/**
 * Uses up the token of a form that creates something, in the creating transaction. Returns false if the token was used
 * before: the form was submitted twice, by a double tap or by going back. If two arrive at once, the second waits for
 * the first. Tokens are stored with the API's idempotency keys and deleted with them after a day. Throws 400 for a form
 * without a token.
 */
export const useFormToken = async (
  db: Queries,
  venue: VenueId,
  form: string,
  token: string,
  now: Temporal.Instant,
): Promise<boolean> => {
  if (!isUuid(token)) throw badRequest('This form is incomplete; open the page again.')
  const used = await db.run(sql()`
    insert into idempotency (venue_id, endpoint, key, body_hash, token, claimed_at)
    values (${venue}, ${form}, ${token}, ${nothing}, ${token}, ${now})
    on conflict (venue_id, endpoint, key) do nothing`)
  return used === 1
}
