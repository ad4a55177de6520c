import type { Work } from '../../../context.ts'
import { sql } from '../../../platform/db/sql.ts'
import { dayNumber } from '../../../platform/kernel/time/calendar.ts'
import { type Moment, toInstant, toMoment } from '../../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { BookRow } from '../../day/book-row.ts'
import { undoUntil } from '../../day/freed-by-press.ts'
import { mailAsk } from './asked/ask-booking.ts'
import { centsForGuests, isPayable, writePriceParts } from './payable.ts'
import { writeAsk } from './asked/asked-store.ts'
import { mayBeAsked, takesMore } from './asked/asking.ts'
import { deletionOf } from './deletion-of.ts'
import { sendBack } from './give-back.ts'
import { type GuaranteeRow, dropRefunds, guaranteeOfForUpdate } from './guarantee-store.ts'
import { refundsUnderWay, stillHereOf } from './money-left.ts'
import { askToHandBack, beyondAmount } from './paid-otherwise.ts'
import { keepFailed, keptAgain, restoreFailed } from './kept-again.ts'
import { showGuarantee } from './show-guarantee.ts'

type Edited = {
  readonly before: BookRow
  readonly after: BookRow
  /** When its guest asked for it; a change that waits for an answer counts from then. */
  readonly askedAt: Temporal.Instant
  /** Whose wish it is. */
  readonly by: 'venue' | 'guest' | 'key' | 'service'
  /** Staff chose that past the limit, too, it is for as many guests as there are. */
  readonly givesBack?: boolean | undefined
  /** Staff did it by a press that can be undone. */
  readonly isPress: boolean
  /** The press of the venue that it undoes, by its rows of the activity log. */
  readonly undoes?: readonly number[] | undefined
  readonly now: Temporal.Instant
}

/** What an edit changes of what was agreed on; kept with its press, for its undo. */
type Agreed = {
  readonly amountCents: number
  /** Missing in what a release before this one wrote. */
  readonly askedCents?: number
  readonly freeUntil: Moment
  readonly deleteAt: Moment | null
  /** Refunds that had not arrived, and whose money it is for again. */
  readonly failed?: readonly number[]
}

/**
 * Another size or time of a booking, in its transaction. Fewer guests, asked for in time, are for less, and the rest comes
 * back by itself; for more the difference is asked. The limit moves along with the booking only if that was asked
 * for before it, or by the venue: nobody gets around it by moving and canceling. To an earlier moment than was agreed on it
 * moves only for a guest, whose page says so before the press. What staff undo is as it was before, unless its guest paid or
 * agreed to more since; their money waits for that as mails do. Returns what was agreed on before and after.
 */
export const followEdit = async (
  work: Work,
  edited: Edited,
): Promise<{ readonly before: Agreed; readonly after: Agreed } | undefined> => {
  const { before, after, isPress, undoes, now } = edited
  if (before.party_size === after.party_size && before.starts_at === after.starts_at) return undefined
  const found = await guaranteeOfForUpdate(work.db, work.venue.id, after.id)
  if (!found || found.status === 'released' || found.status === 'waived') return undefined
  const made = undoes && (await agreedAt(work, after.id, undoes))
  if (made && isAsAgreed(found, made.after)) {
    await takeBack(work, found, made, after)
    await writePriceParts(work.db, work.venue.id, found, after.party_size)
    return undefined
  }
  const sizes = { from: before.party_size, to: after.party_size }
  const { row, failed, rest } = await keepFailed(work, found, sizes)
  // Something was paid or agreed to since the press: that stays as it was said, for as many guests as there are.
  const amount = amountAfter(row, {
    ...{ ...sizes, givesBack: edited.givesBack },
    askedAt: made ? made.at : edited.askedAt,
  })
  const asked = askedAfter(row, edited, amount)
  const deleteAt = row.customer_ref === null ? null : deletedAfter(row, edited, work.venue.timezone)
  const freeUntil = undoes
    ? toInstant(row.free_until)
    : freeAfter(row, { ...edited, from: before.starts_at, to: after.starts_at })
  await writeAgreed(work, row.id, { amountCents: amount, askedCents: asked, freeUntil, deleteAt })
  await writePriceParts(work.db, work.venue.id, row, after.party_size)
  const isAskedAnew = await askAnew(work, row, edited)
  if (isAskedAnew || asked > row.asked_cents)
    await mailAsk(work, after, now, { at: isPress ? undoUntil(now) : undefined, byStaff: isPress })
  if (row.kind !== 'card' && row.status !== 'asked')
    await sendBack(work, row.id, {
      cents: rest + comesOff(row, amount, await stillHereOf(work.db, work.venue.id, row.id)),
      now,
      lookAt: isPress ? undoUntil(now) : now,
    })
  await askForBeyond(work, after, { ...row, amount_cents: amount })
  await showGuarantee(work, after.id)
  return {
    before: {
      amountCents: found.amount_cents,
      askedCents: row.asked_cents,
      freeUntil: row.free_until,
      deleteAt: row.delete_at,
      ...(failed.length > 0 && { failed }),
    },
    after: {
      amountCents: amount,
      askedCents: asked,
      freeUntil: toMoment(freeUntil),
      deleteAt: deleteAt ? toMoment(deleteAt) : row.delete_at,
    },
  }
}

/** What goes back of a booking that is for less now: not what went back already, as by a refund in the processor’s dashboard. */
export const comesOff = (
  { amount_cents: agreed }: Pick<GuaranteeRow, 'amount_cents'>,
  amount: number,
  stillHere: number,
): number => Math.max(0, Math.min(agreed, stillHere) - amount)

/** A larger party of a booking whose money all went back, as it was restored: it is asked for as any that nobody secured. */
const askAnew = async (work: Work, row: GuaranteeRow, { before, after, now }: Edited): Promise<boolean> => {
  const [from, guests, starts] = [before.party_size, after.party_size, after.starts_at]
  if (row.status !== 'refunded' || from === null || guests === null || starts === null || guests <= from)
    return false
  const cents = centsForGuests(row, guests)
  if (cents === undefined || !isPayable(cents, row.currency) || !mayBeAsked(after, row, now)) return false
  const freeUntil = freeAfter(row, { askedAt: now, by: 'venue', from: before.starts_at, to: starts })
  const asked = await writeAsk(
    work.db,
    work.venue.id,
    {
      ...{ reservation: after.id, account: row.account_id, currency: row.currency, language: row.language },
      ...{ note: null, until: toInstant(starts) },
      terms: {
        kind: row.kind === 'card' ? 'card' : 'deposit',
        ...{ perGuestCents: row.per_guest_cents, amountCents: cents, freeUntil },
      },
    },
    now,
  )
  return asked !== undefined
}

const writeAgreed = (
  { db, venue }: Work,
  id: number,
  {
    amountCents,
    askedCents,
    freeUntil,
    deleteAt,
  }: {
    readonly amountCents: number
    readonly askedCents: number
    readonly freeUntil: Temporal.Instant
    readonly deleteAt: Temporal.Instant | null
  },
): Promise<number> =>
  db.run(sql()`
    update guarantee set
      amount_cents = ${amountCents}, asked_cents = ${askedCents}, free_until = ${freeUntil},
      delete_at = coalesce(${deleteAt}, delete_at), look_at = coalesce(${deleteAt}, look_at)
     where venue_id = ${venue.id} and id = ${id}`)

/** As it was before a press of staff; money that the processor was asked to send back meanwhile is the guest's. */
const takeBack = async (
  work: Work,
  row: GuaranteeRow,
  { at, before }: Made,
  booking: BookRow,
): Promise<void> => {
  const { db, venue } = work
  await dropRefunds(db, venue.id, row.id, at)
  const { amountCents, askedCents = 0, freeUntil, deleteAt, failed = [] } = before
  if (failed.length > 0) await restoreFailed(db, venue.id, row.id, failed)
  const left = await stillHereOf(db, venue.id, row.id)
  const amount = row.kind !== 'card' ? Math.min(amountCents, left) : amountCents
  await writeAgreed(work, row.id, {
    amountCents: amount,
    askedCents,
    freeUntil: toInstant(freeUntil),
    deleteAt: row.customer_ref === null || deleteAt === null ? null : toInstant(deleteAt),
  })
  await askForBeyond(work, booking, { ...row, amount_cents: amount })
  await showGuarantee(work, row.reservation_id)
}

/** What came in otherwise, and is more than it is for by now, nobody but the venue gives back. */
const askForBeyond = async (work: Work, booking: BookRow, row: GuaranteeRow): Promise<void> => {
  const { otherwise } = await refundsUnderWay(work.db, work.venue.id, row.id)
  await askToHandBack(work, booking, row, beyondAmount(row, otherwise))
}

type Made = { readonly at: Temporal.Instant; readonly before: Agreed; readonly after: Agreed }

/** What was agreed on before and after a press, which kept it where it changed any of that. */
const agreedAt = async (
  { db, venue }: Work,
  reservation: number,
  press: readonly number[],
): Promise<Made | undefined> => {
  const row = await db.maybe(sql({ at: 'timestamptz', before: 'text', after: 'text' })`
    select at, before->>'agreed' as before, after->>'agreed' as after from activity
     where venue_id = ${venue.id} and id = any(${[...press]}::bigint[]) and action = 'edit'
       and record_kind = 'reservation' and record_id = ${reservation} and before->>'agreed' is not null
       and after->>'agreed' is not null
     limit 1`)
  return (
    row && {
      at: toInstant(row.at),
      before: JSON.parse(row.before) as Agreed,
      after: JSON.parse(row.after) as Agreed,
    }
  )
}

/** Whether it is as that press left it. */
const isAsAgreed = (row: GuaranteeRow, { amountCents, askedCents = 0, freeUntil }: Agreed): boolean =>
  row.amount_cents === amountCents &&
  row.asked_cents === askedCents &&
  toInstant(row.free_until).equals(toInstant(freeUntil))

const isInTime = ({ free_until }: GuaranteeRow, { askedAt }: Pick<Edited, 'askedAt'>): boolean =>
  Temporal.Instant.compare(askedAt, toInstant(free_until)) < 0

type Resized = Pick<Edited, 'askedAt' | 'givesBack'> & {
  readonly from: number | null
  readonly to: number | null
}

const amountAfter = (row: GuaranteeRow, { from, to: guests, ...edited }: Resized): number => {
  const { amount_cents: agreed } = row
  const whole = guests === null ? undefined : centsForGuests(row, guests)
  if (whole === undefined || guests === null || !(edited.givesBack || isInTime(row, edited))) return agreed
  // For as many guests a price stays what was paid.
  const isAsMany = guests >= (from ?? guests)
  return row.kind === 'prepaid' && isAsMany ? agreed : Math.min(agreed, whole)
}

/** What another size that is asked for now does to it: what it is then for, what is asked, and what stays though fewer come. */
export const ifResized = (
  found: GuaranteeRow,
  resized: Omit<Resized, 'givesBack'> & {
    /** What was to go back and did not arrive. */
    readonly failedCents?: number
  },
): { readonly amountCents: number; readonly askedCents: number; readonly keptCents: number } => {
  const again = keptAgain(found, resized, resized.failedCents ?? 0)
  const row = { ...found, amount_cents: found.amount_cents + again }
  const amountCents = amountAfter(row, resized)
  const sizes = { before: { party_size: resized.from }, after: { party_size: resized.to } }
  return {
    amountCents,
    askedCents: askedAfter(row, sizes, amountCents),
    keptCents: lessLate(row, resized),
  }
}

/** By how much it is for less, if staff say so past its limit; 0 before that, when it is by itself. */
export const lessLate = (row: GuaranteeRow, resized: Omit<Resized, 'givesBack'>): number => {
  if (isInTime(row, resized) || !(row.status === 'held' || takesMore.has(row.status))) return 0
  const amount = amountAfter(row, { ...resized, givesBack: true })
  return row.kind === 'card'
    ? row.amount_cents - amount
    : comesOff(row, amount, row.paid_cents - row.refunded_cents)
}

type Sizes = { readonly [at in 'before' | 'after']: Pick<BookRow, 'party_size'> }

/** Of a party that grew what it is for beyond what was agreed on; as long as nobody has agreed at all, all of it. */
const askedAfter = (
  row: GuaranteeRow,
  { before: { party_size: from }, after: { party_size: guests } }: Sizes,
  agreed: number,
): number => {
  const { status, asked_cents: before, currency } = row
  const whole = guests === null ? undefined : centsForGuests(row, guests)
  if (whole === undefined || guests === null || !asksMore.has(status)) return before
  const asked = Math.max(0, whole - agreed)
  const isMore = status === 'asked' || before > 0 || guests > (from ?? guests)
  return isMore && isPayable(asked, currency) ? asked : 0
}

const asksMore: ReadonlySet<string> = new Set(['asked', 'held', ...takesMore])

type Moved = Pick<Edited, 'askedAt' | 'by'> & { readonly from: Moment | null; readonly to: Moment | null }

/** Until when canceling is free once a booking has moved. */
export const freeAfter = (row: GuaranteeRow, { from, to, ...moved }: Moved): Temporal.Instant => {
  const free = toInstant(row.free_until)
  if (from === null || to === null || (moved.by !== 'venue' && !isInTime(row, moved))) return free
  const along = free.add(toInstant(to).since(toInstant(from)))
  return moved.by === 'guest' || Temporal.Instant.compare(along, free) > 0 ? along : free
}

/** As many days after its evening as before. */
const deletedAfter = (
  { delete_at }: GuaranteeRow,
  { before, after }: Edited,
  timezone: string,
): Temporal.Instant | null => {
  if (delete_at === null || before.service_date === null || after.service_date === null) return null
  const last = wallTimeOf(toInstant(delete_at), timezone).date
  const kept = dayNumber(last) - dayNumber(before.service_date) - 1
  return deletionOf(after.service_date, kept, timezone)
}
