import type { ProcessorWork } from '../../../core/money/each-due.ts'
import { type AccountRow, isLiveMoney, keyOf, usedAccounts } from '../../../core/money/account-store.ts'
import { mattersNamed } from '../../../core/money/matter-store.ts'
import {
  type MovedThere,
  type Processor,
  answerOf,
  mayBeOf,
  noAnswer,
} from '../../../core/money/processor.ts'
import type { Venue, VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, fragment, sql } from '../../../platform/db/sql.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { momentWallReaches } from '../../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { isUuid } from '../../../platform/kernel/uuid.ts'
import { type Moved, movedBetween } from './movement-reads.ts'
import {
  type SaidBy,
  bookingOf,
  takePayment,
} from '../../../book/reservations/guarantee/charging/take-payment.ts'
import { failDays, takeFailed } from '../money-back/failed-late.ts'
import { disputesThere, takeDispute } from '../money-back/take-dispute.ts'
import { takeRefund } from '../money-back/take-refund.ts'

/*
 * Compares what moved at the processor on some days of the venue with the rows here, by the names that both have. What
 * has no name of ours, or that of another venue, is the venue's other business: it is counted, and no difference. A refund that is only there, or a charge of a
 * card that is kept here, is written down, also of an earlier day's payment: somebody who did that by hand might send it again. So is how
 * disputes stand that were opened on those days, or may still turn.
 */

export type Difference = {
  readonly what: 'payment' | 'refund'
  /** `missing-here`: only the processor has it; `twice`: it moved money more than once for one row. */
  readonly how: 'missing-here' | 'missing-there' | 'twice' | 'amount'
  /** Our name of it, by which it is found in the processor’s metadata; of one made there, its order’s number. */
  readonly ref: string
  /** Distinguishes it from any other: no page, answer or log has it. */
  readonly objectRef: string
  readonly order: string | null
  readonly orderId: number | null
  /** Which booking it is of, where that is known. */
  readonly booking: number | null
  readonly amountCents: number
  readonly hereCents: number | null
  readonly currency: string
  /** When it moved: at the processor, or, of what only we have, as it is written here. */
  readonly movedAt: Temporal.Instant
}

export type Reconciled = {
  /** What is written here of these days, after whatever was recorded: the sums of the office's page and file of payments. */
  readonly moved: readonly Moved[]
  readonly payments: number
  readonly refunds: number
  readonly others: number
  /** Refunds, also those that failed, charges and news of disputes that nobody had called us about, and that are written here now. */
  readonly recorded: number
  /** Differences that somebody has looked at since, and marked as done under Payments. */
  readonly settled: number
  readonly differences: readonly Difference[]
  /** Accounts whose key is not taken, or may not read disputes, by our names of them. */
  readonly denied: readonly string[]
}

export type Days = { readonly from: LocalDate; readonly to: LocalDate }

/**
 * Each account by itself: a venue may have left one whose key is dead. Throws a Refusal where the processor does not answer.
 */
export const reconcile = async (parts: ProcessorWork, venue: Venue, days: Days): Promise<Reconciled> => {
  const from = momentWallReaches({ date: days.from, time: '00:00' }, venue.timezone)
  const to = momentWallReaches({ date: addDays(days.to, 1), time: '00:00' }, venue.timezone)
  const sums = { payments: 0, refunds: 0, others: 0, recorded: 0, settled: 0 }
  const differences: Difference[] = []
  const denied: string[] = []
  const seen = new Set<string>()
  const db = parts.db.within(venue.id)
  for (const account of await usedAccounts(db, venue.id)) {
    const processor = parts.processors.of(keyOf(parts.secrets, venue.id, account), 'job')
    const listed = answerOf(await processor.movedBetween(from, to), away)
    if (listed === undefined) {
      denied.push(account.id)
      continue
    }
    const disputes = answerOf(await disputesThere(parts, venue, { account, by: processor, from, to }), away)
    if (disputes === undefined) denied.push(account.id)
    const failed = answerOf(
      await processor.refundsFailedOf(from.subtract({ hours: 24 * failDays }), to),
      away,
    )
    // A restored copy writes nothing until it looks at everything.
    if (!parts.hold.isOn()) sums.recorded += await takeFailed(parts, venue, failed ?? [], processor)
    // The venue may have connected one account twice: it lists the same each time.
    const fresh = listed.filter(({ objectRef, isUnderWay }) => !isUnderWay && !seen.has(objectRef))
    for (const { objectRef } of fresh) seen.add(objectRef)
    const there = fresh.filter(mayBeOf(venue))
    sums.others += fresh.length - there.length
    const here = await movedHere(db, venue.id, account, { from, to, there })
    const compared = compare(there, here)
    sums.payments += compared.same.filter(({ what }) => what === 'payment').length
    sums.refunds += compared.same.filter(({ what }) => what === 'refund').length
    differences.push(...compared.differences)
    for (const one of compared.notHere) {
      const found = await judge(parts, venue, one, { by: processor, account: account.id })
      if (typeof found === 'object') differences.push(found)
      else sums[found]++
    }
    // Once the payments are written that they are of. A restored copy writes nothing until it looks at everything.
    if (!parts.hold.isOn())
      for (const one of disputes ?? []) if (await takeDispute(parts, venue, one)) sums.recorded++
    for (const row of compared.notListed.filter((one) => isWithin(one, from, to)))
      if (!seen.has(row.processor_ref ?? '') && !(await isThere(processor, row)))
        differences.push(differenceOf(row, 'missing-there', row.amount_cents, row.amount_cents))
  }
  const named = await mattersNamed(db, venue.id, differences.flatMap(namesOf))
  const done = new Set(named.filter(({ is_done }) => is_done).map(({ subject }) => subject))
  const open = differences.filter((one) => !namesOf(one).some((name) => done.has(name)))
  const live = await isLiveMoney(db, venue.id)
  const moved = await movedBetween(db, venue.id, { from, to, live })
  return { moved, ...sums, settled: differences.length - open.length, differences: open, denied }
}

/** What the matter of a difference is about, by which it is one. */
export const matterOf = ({ what, how, objectRef }: Difference): string => `${what} ${how} ${objectRef}`

/** A copy that was restored, or the look that found another amount paid, may have named it before the books were compared. */
export const namesOf = (one: Difference): readonly string[] =>
  one.how === 'missing-here' ? [matterOf(one), one.objectRef, one.ref] : [matterOf(one)]

const hereRow = {
  what: 'text',
  ref: 'text?',
  processor_ref: 'text?',
  order_id: 'int8?',
  order_number: 'text?',
  reservation_id: 'int8?',
  amount_cents: 'int4',
  currency: 'text',
  settled_at: 'timestamptz',
} as const
type Here = RowOf<typeof hereRow>

type Span = {
  readonly from: Temporal.Instant
  readonly to: Temporal.Instant
  readonly there: readonly MovedThere[]
}

/** What is written as arrived in that time by this account, and whatever the processor names. */
const movedHere = (
  db: Queries,
  venue: VenueId,
  { id }: AccountRow,
  { from, to, there }: Span,
): Promise<Here[]> => {
  const names = there.map(({ objectRef }) => objectRef)
  const refs = there.flatMap(({ ref }) => (ref !== null && isUuid(ref) ? [ref] : []))
  return db.many(sql(hereRow)`
    select 'payment' as what, p.ref::text as ref, p.processor_ref, p.order_id, t.order_number, g.reservation_id, p.amount_cents, p.currency, p.settled_at
      from payment p
      left join ticket_order t on t.venue_id = p.venue_id and t.id = p.order_id
      left join guarantee g on g.venue_id = p.venue_id and g.id = p.guarantee_id
     where p.venue_id = ${venue} and p.state = 'succeeded' and p.via = 'processor'
       and (p.account_id = ${id} and p.settled_at >= ${from} and p.settled_at < ${to} or p.processor_ref = any(${names}) or p.ref = any(${refs}::uuid[]))
    union all
    select 'refund', r.ref::text, r.processor_ref, r.order_id, t.order_number, g.reservation_id, r.amount_cents + r.beyond_cents, p.currency, r.settled_at
      from refund r
      join payment p on p.venue_id = r.venue_id and p.id = r.payment_id
      left join ticket_order t on t.venue_id = r.venue_id and t.id = r.order_id
      left join guarantee g on g.venue_id = r.venue_id and g.id = r.guarantee_id
     where r.venue_id = ${venue} and r.state = 'succeeded' and r.via = 'processor' and r.origin <> 'dispute'
       and (p.account_id = ${id} and r.settled_at >= ${from} and r.settled_at < ${to} or r.processor_ref = any(${names}) or r.ref = any(${refs}::uuid[]))`)
}

const compare = (there: readonly MovedThere[], here: readonly Here[]) => {
  const rest = new Set(here)
  const same: Here[] = []
  const used = new Set<Here>()
  const differences: Difference[] = []
  const notHere: MovedThere[] = []
  for (const one of there) {
    const row =
      here.find(({ processor_ref }) => processor_ref === one.objectRef) ??
      here.find(({ what, ref }) => what === one.what && ref !== null && ref === one.ref)
    if (row) rest.delete(row)
    if (row && used.has(row))
      differences.push({
        ...differenceOf(row, 'twice', one.amountCents, row.amount_cents),
        ...{ objectRef: one.objectRef, movedAt: one.movedAt },
      })
    else if (row && (row.amount_cents !== one.amountCents || row.currency !== one.currency))
      differences.push({
        ...differenceOf(row, 'amount', one.amountCents, row.amount_cents),
        ...{ currency: one.currency, movedAt: one.movedAt },
      })
    else if (row) same.push(row)
    else notHere.push(one)
    if (row) used.add(row)
  }
  return { same, differences, notHere, notListed: [...rest] }
}

/** What has no row here. A refund that was written down is no difference. */
const judge = async (
  parts: ProcessorWork,
  venue: Venue,
  one: MovedThere,
  said: SaidBy,
): Promise<Difference | 'others' | 'recorded'> => {
  const db = parts.db.within(venue.id)
  const isNamed = one.ref !== null && isUuid(one.ref)
  const paid = one.what === 'refund' ? await paidHere(db, venue.id, one.paymentRef) : undefined
  if (!isNamed && !paid) return 'others'
  // A restored copy writes nothing until it looks at everything.
  if (!parts.hold.isOn()) {
    if (one.what === 'refund') await takeRefund(parts, venue, one, said.by)
    else await takePayment(parts, venue, one, said)
    if (await isWritten(db, venue.id, one)) return 'recorded'
  }
  const { what, ref, objectRef, amountCents, currency, movedAt } = one
  return {
    ...{ what, how: 'missing-here', ref: ref ?? '', objectRef, order: paid?.order_number ?? null },
    ...{ orderId: paid?.order_id ?? null, amountCents, hereCents: null, currency, movedAt },
    booking: paid?.reservation_id ?? (await bookingOf(db, venue, one)) ?? null,
  }
}

const paidHere = (db: Queries, venue: VenueId, paymentRef: string | null) =>
  db.maybe(sql({ order_id: 'int8?', order_number: 'text?', reservation_id: 'int8?' })`
    select p.order_id, t.order_number, g.reservation_id
      from payment p
      left join ticket_order t on t.venue_id = ${venue} and t.id = p.order_id
      left join guarantee g on g.venue_id = ${venue} and g.id = p.guarantee_id
     where p.venue_id = ${venue} and p.processor_ref = ${paymentRef}`)

const isWritten = async (
  db: Queries,
  venue: VenueId,
  { what, objectRef }: Pick<MovedThere, 'what' | 'objectRef'>,
): Promise<boolean> => {
  const table = fragment(what)
  const found = await db.maybe(sql({ id: 'int8' })`
    select id from ${table}
     where venue_id = ${venue} and processor_ref = ${objectRef} and state = 'succeeded' limit 1`)
  return found !== undefined
}

const differenceOf = (
  { what, ref, processor_ref, order_id, order_number, reservation_id, currency, settled_at }: Here,
  how: Difference['how'],
  amountCents: number,
  hereCents: number,
): Difference => ({
  ...{ what: what === 'refund' ? 'refund' : 'payment', how, ref: ref ?? '' },
  ...{ objectRef: processor_ref ?? ref ?? '', order: order_number },
  orderId: order_id,
  booking: reservation_id,
  ...{ amountCents, hereCents, currency, movedAt: Temporal.Instant.from(settled_at) },
})

const isWithin = ({ settled_at }: Here, from: Temporal.Instant, to: Temporal.Instant): boolean => {
  const at = Temporal.Instant.from(settled_at)
  return Temporal.Instant.compare(at, from) >= 0 && Temporal.Instant.compare(at, to) < 0
}

/** It may have been made on another day than it was seen here. */
const isThere = async (processor: Processor, { what, processor_ref }: Here): Promise<boolean> => {
  if (processor_ref === null) return false
  const seen =
    what === 'payment'
      ? await processor.lookAtPayment(processor_ref)
      : await processor.lookAtRefund(processor_ref)
  if (seen.kind === 'gone') return false
  return answerOf<{ readonly state: string }>(seen, away)?.state === 'succeeded'
}

const away = (): Refusal => new Refusal(409, noAnswer)
