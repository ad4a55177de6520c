import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { type Fragment, columnsOf, part, sql } from '../../platform/db/sql.ts'
import { plainSigns, signsIn } from '../../platform/kernel/plain-signs.ts'
import { type SoldOrderRow, refundsOfOrder, soldOrderForUpdate } from '../order-reads.ts'
import { admittingStatuses } from '../states.ts'
import { isTakenByBank, ticketsGoingBack } from './going-back.ts'
import { type TicketRow, ticketRow } from './ticket-reads.ts'
import { codeSigns } from './ticket-writes.ts'

/*
 * Letting people in. Cast: every door, with as many devices as there are, runs one statement that finds a ticket neither
 * used nor void, and marks it; who is second reads what the first one wrote. The order is locked before, as by who returns
 * its seats: a ticket is either used or being returned, never both. Doors wait only for those of the same order. No more
 * come in than the order has seats, even where something gave seats back that knew no tickets. A press that a door without
 * network kept comes later, with how long ago it was, and is judged by how the ticket is then.
 */

type Staff = Actor & { readonly kind: 'staff' }

export type Admission = {
  readonly outcome: 'in' | 'already-in' | 'being-returned' | 'void' | 'other-date'
  readonly ticket: TicketRow
  readonly order: SoldOrderRow
  /** Void because the buyer’s bank took its payment back. */
  readonly isTaken?: boolean
}
export type AdmissionAnswer = Admission | { readonly outcome: 'unknown' }

/** A ticket, by the code on it or by its place in a list. */
export type TicketShown = { readonly code: string } | { readonly id: number }

/** The code in what was scanned or typed; undefined for anything that is none. */
export const codeIn = (typed: string): string | undefined => {
  const signs = signsIn(typed)
  return isCode.test(signs) ? signs : undefined
}

const isCode = new RegExp(`^[${plainSigns}]{${codeSigns}}$`)

/** A press may have waited for the network so long. */
const longestWaitSeconds = 12 * 3_600

/** Lets somebody in with a ticket for a date, once. */
export const admit = async (
  { db, venue, now }: Work,
  staff: Staff,
  {
    occurrence,
    shown,
    door,
    secondsAgo = 0,
  }: {
    readonly occurrence: number
    readonly shown: TicketShown
    readonly door: string | null
    readonly secondsAgo?: number
  },
): Promise<AdmissionAnswer> => {
  const isIt = 'id' in shown ? part`t.id = ${shown.id}` : part`t.code = ${shown.code}`
  const at = now().subtract({
    seconds: Math.min(Math.max(Math.trunc(secondsAgo) || 0, 0), longestWaitSeconds),
  })
  const held = await lockOrderOf({ db, venue }, isIt)
  const going = held ? await ticketsGoingBack({ db, venue }, held) : new Set<number>()
  const letIn = await db.maybe(sql(ticketRow)`
    update ticket t set in_at = ${at}, in_by = ${staff.id}, door = ${door}
     where t.venue_id = ${venue.id} and ${isIt}
       and t.in_at is null and t.void_at is null and t.number <> all(${[...going]}::integer[])
       and exists (
         select from ticket_order o
          where o.venue_id = ${venue.id} and o.id = t.order_id and o.occurrence_id = ${occurrence}
            and o.status = any(${[...admittingStatuses]})
            and (select count(*) from ticket i
                  where i.venue_id = ${venue.id} and i.order_id = t.order_id and i.in_at is not null and i.void_at is null)
                < o.seats - o.seats_returned)
    returning ${columnsOf(ticketRow, 't')}`)
  const ticket =
    letIn ??
    (await db.maybe(sql(ticketRow)`
    select ${columnsOf(ticketRow, 't')} from ticket t where t.venue_id = ${venue.id} and ${isIt}`))
  if (!ticket || !held) return { outcome: 'unknown' }
  const outcome = letIn ? 'in' : whyNot(ticket, held, { occurrence, going })
  const isTaken =
    outcome === 'void' &&
    held.lost_cents > 0 &&
    isTakenByBank(await refundsOfOrder(db, venue.id, held.id), ticket)
  return { outcome, ticket, order: held, isTaken }
}

const whyNot = (
  ticket: TicketRow,
  order: SoldOrderRow,
  { occurrence, going }: { readonly occurrence: number; readonly going: ReadonlySet<number> },
): Exclude<Admission['outcome'], 'in'> => {
  if (order.occurrence_id !== occurrence) return 'other-date'
  if (ticket.in_at !== null) return 'already-in'
  return going.has(ticket.number) ? 'being-returned' : 'void'
}

/** The order of a ticket, locked until the transaction ends. */
const lockOrderOf = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  isIt: Fragment,
): Promise<SoldOrderRow | undefined> => {
  const found = await db.maybe(sql({ order_id: 'int8' })`
    select t.order_id from ticket t where t.venue_id = ${venue.id} and ${isIt}`)
  return found && soldOrderForUpdate(db, venue.id, found.order_id)
}

/** Takes back that somebody was let in, as long as that is still how it is; undefined if not. */
export const takeBack = async (
  work: Work,
  staff: Staff,
  { id, inAt }: { readonly id: number; readonly inAt: string },
): Promise<TicketRow | undefined> => {
  const { db, venue } = work
  const before = await db.maybe(sql(ticketRow)`
    select ${columnsOf(ticketRow)} from ticket where venue_id = ${venue.id} and id = ${id} for update`)
  if (!before || before.in_at === null || before.in_at !== inAt) return undefined
  const after = await db.one(sql(ticketRow)`
    update ticket set in_at = null, in_by = null, door = null where venue_id = ${venue.id} and id = ${id}
    returning ${columnsOf(ticketRow)}`)
  // Never with the code.
  const shown = ({ number, in_at, in_by, door }: TicketRow) => ({ ticket: number, in_at, in_by, door })
  const record = { kind: 'ticket_order', id: before.order_id } as const
  await recordActivity(
    work,
    staff,
    {
      action: 'takeBackEntry',
      record,
      before: shown(before),
      after: shown(after),
      more: { ticket: before.number },
    },
    work.now(),
  )
  return after
}
