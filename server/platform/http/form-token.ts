import { createHash } from 'node:crypto'
import type { Work } from '../../context.ts'
import type { Queries } from '../db/pool.ts'
import { columnsOf, sql } from '../db/sql.ts'
import { withCommit } from '../db/kept/with-commit.ts'
import { isUuid } from '../kernel/uuid.ts'
import { Refusal, badRequest } from '../kernel/refusal.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/*
 * The token of a form that creates something: sent twice, by a double tap, by going back or because no answer came, the
 * form creates once. If two arrive at once, the second waits for the first. Tokens are stored with the API's
 * idempotency keys and deleted with them after a day.
 */

/**
 * Uses up the token of a form, in the creating transaction. Returns false if the token was used before. Throws 400 for a
 * form without a token. What other forms create is made by `makeOnce`, which knows it again; this is for what
 * cannot be shown twice, such as a new secret.
 */
export const useFormToken = async (
  db: Queries,
  venue: VenueId,
  form: string,
  token: string,
  now: Temporal.Instant,
): Promise<boolean> => claim(db, venue, { form, token, body: '' }, now)

/** A form as it was sent: which it is, its token, and everything else in it. */
export type SentForm = { readonly form: string; readonly token: string; readonly body: string }

/**
 * Makes what a form asks for, once per token, and returns the id of what was made: of a press that repeats an earlier
 * one, the id of what that one made, so that both get the same answer. `make` returns anything but a number when it made
 * nothing (rules objected, say): that is returned, and the token stays good for the next press. Throws `FormAlreadySent`
 * if the token was used by a form that said something else: its press must not pass for done.
 */
export const makeOnce = async <Else = never>(
  { db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>,
  sent: SentForm,
  make: () => Promise<number | Else>,
): Promise<number | Else> => {
  if (!(await claim(db, venue.id, sent, now()))) {
    const first = await db.maybe(sql(claimRow)`
      select ${columnsOf(claimRow)} from idempotency
       where venue_id = ${venue.id} and endpoint = ${sent.form} and key = ${sent.token}`)
    if (!first?.body_hash.equals(hashOf(sent)) || first.record_id === null) throw new FormAlreadySent()
    return first.record_id
  }
  const made = await make()
  withCommit(db, () =>
    typeof made === 'number'
      ? db.run(sql()`
        update idempotency set record_id = ${made}
         where venue_id = ${venue.id} and endpoint = ${sent.form} and key = ${sent.token}`)
      : db.run(sql()`
        delete from idempotency
         where venue_id = ${venue.id} and endpoint = ${sent.form} and key = ${sent.token}`),
  )
  return made
}

/** The id of what a form made within the last day; undefined for one that made nothing, or is being sent just now. */
export const madeByForm = async (
  db: Queries,
  venue: VenueId,
  { form, token }: Pick<SentForm, 'form' | 'token'>,
): Promise<number | undefined> => {
  if (!isUuid(token)) return undefined
  const row = await db.maybe(sql({ record_id: 'int8?' })`
    select record_id from idempotency where venue_id = ${venue} and endpoint = ${form} and key = ${token}`)
  return row?.record_id ?? undefined
}

const claimRow = { body_hash: 'bytea', record_id: 'int8?' } as const

/** 409: the same form went through with something else in it. It may come back, with a new token. */
export class FormAlreadySent extends Refusal {
  constructor() {
    super(
      409,
      'You already submitted this form with different details. Nothing was added this time. Submit again to add it too.',
    )
    this.name = 'FormAlreadySent'
  }
}

const claim = async (
  db: Queries,
  venue: VenueId,
  sent: SentForm,
  now: Temporal.Instant,
): Promise<boolean> => {
  const { form, token } = sent
  if (!isUuid(token)) throw badRequest('This form is incomplete; open the page again.')
  const used = await db.run(sql()`
    insert into idempotency (venue_id, endpoint, key, body_hash, token, claimed_at)
    values (${venue}, ${form}, ${token}, ${hashOf(sent)}, ${token}, ${now})
    on conflict (venue_id, endpoint, key) do nothing`)
  return used === 1
}

/** With the token, so that nobody finds out what was typed by trying. */
const hashOf = ({ token, body }: SentForm): Buffer => createHash('sha256').update(`${token} ${body}`).digest()
