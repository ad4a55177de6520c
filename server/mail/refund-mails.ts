import type { Queries } from '../platform/db/pool.ts'
import { type Fragment, fragment, sql } from '../platform/db/sql.ts'
import type { VenueId } from '../core/venue/venue.ts'
import { type GuestMailRow, queueGuestMail } from './guest-mail-queue.ts'

/*
 * Mails about money that went back. What was paid in several parts goes back in as many, seconds apart: they are one mail
 * with the sum. Cast: the first part that arrives queues the mail, which waits a minute where more is under way; a part that
 * arrives while that mail waits is in it, and has no row of its own.
 */

const kinds = {
  tableRefunded: fragment('guarantee_id'),
  ticketsRefunded: fragment('order_id'),
} as const satisfies Readonly<Record<string, Fragment>>
type RefundMail = keyof typeof kinds

/** How long the mail about a part waits for the others. */
const partsSeconds = 60

/** Has a mail sent about a refund that arrived, or leaves it to the one that waits. */
export const queueRefundMail = async (
  db: Queries,
  venue: VenueId,
  { kind, refund }: { readonly kind: RefundMail; readonly refund: number },
  now: Temporal.Instant,
): Promise<void> => {
  const owner = kinds[kind]
  const { waiting, under_way: isUnderWay } = await db.one(sql({ waiting: 'int4', under_way: 'bool' })`
    select (select count(*)::integer from guest_mail m join refund o on o.venue_id = m.venue_id and o.id = m.record_id
             where m.venue_id = ${venue} and m.kind = ${kind} and m.state = 'waiting' and m.tries = 0
               and o.${owner} = r.${owner}) as waiting,
           exists (select from refund o
             where o.venue_id = ${venue} and o.${owner} = r.${owner} and o.state = 'pending') as under_way
      from refund r where r.venue_id = ${venue} and r.id = ${refund}`)
  if (waiting > 0) return
  const at = isUnderWay ? now.add({ seconds: partsSeconds }) : now
  await queueGuestMail(db, venue, { kind, record: refund, at }, now)
}

/** What a mail says went back: its own part, and those that came while it waited. 0: nothing arrived. */
export const centsOfRefundMail = async (
  db: Queries,
  venue: VenueId,
  {
    kind,
    record_id: refund,
    made_at,
  }: Pick<GuestMailRow, 'record_id' | 'made_at'> & { readonly kind: RefundMail },
): Promise<number> => {
  const owner = kinds[kind]
  const { cents } = await db.one(sql({ cents: 'int4' })`
    select coalesce(sum(o.amount_cents + o.beyond_cents), 0)::integer as cents
      from refund r join refund o on o.venue_id = r.venue_id and o.${owner} = r.${owner}
     where r.venue_id = ${venue} and r.id = ${refund} and o.state = 'succeeded' and (o.id = r.id or
       o.settled_at >= ${made_at}::timestamptz and o.amount_cents > 0 and o.origin <> 'dispute' and o.via = 'processor' and o.payment_id is not null
       and not exists (
         select from guest_mail m where m.venue_id = ${venue} and m.kind = ${kind} and m.record_id = o.id)
       and not exists (
         select from guest_mail m join refund p on p.venue_id = m.venue_id and p.id = m.record_id
          where m.venue_id = ${venue} and m.kind = ${kind} and p.${owner} = r.${owner}
            and m.made_at > ${made_at}::timestamptz and m.made_at <= o.settled_at))`)
  return cents
}
