import type { Work } from '../../../context.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import type { BookRow } from '../../day/book-row.ts'
import type { When } from '../../day/when.ts'
import { readRules } from '../../rules/rules-store.ts'
import { termsNow } from './ask-table.ts'
import { offersNow } from './open-experiences.ts'
import { type GuaranteeRow, guaranteeOf } from './guarantee-store.ts'

type Sum = { readonly kind: string; readonly cents: number }

/**
 * Whether the venue's page asks for more at another size or time than stands behind a booking, so that its guest does not
 * get there past what the page asks of everybody. What is asked of the place that it has already counts for nothing: a later
 * policy changes no booking. So it does of a table without an experience, where everybody has to choose one.
 */
export const asksForMore = async (
  work: Work,
  country: string,
  row: BookRow,
  to: { readonly when: When; readonly partySize: number },
): Promise<boolean> => {
  const rules = await readRules(work.db, work.venue)
  const asked = (when: When, partySize: number): Promise<Sum | undefined> =>
    termsNow(work, country, rules.around(when.date), {
      ...when,
      partySize,
      experience: row.experience,
    }).then((terms) => terms && { kind: terms.kind, cents: terms.amountCents })
  // Of a booking without one: whether everything that can be chosen asks for something, or is fully booked.
  const isClosed = async (when: When, partySize: number): Promise<boolean> => {
    if (row.experience !== null) return false
    const offers = await offersNow(work, country, rules.around(when.date), { ...when, partySize })
    return offers.length > 0 && offers.every(({ terms, isFull }) => terms !== undefined || isFull)
  }
  if ((await isClosed(to.when, to.partySize)) && !(await isClosedHere(row, isClosed))) return true
  const there = await asked(to.when, to.partySize)
  if (!there || isWithin(there, behind(await guaranteeOf(work.db, work.venue.id, row.id)))) return false
  const here = placeOf(row)
  return !here || !isWithin(there, await asked(here, row.party_size ?? 1))
}

const placeOf = ({ date, time, starts_at }: BookRow): When | undefined =>
  date === null || time === null || starts_at === null
    ? undefined
    : { date, time, startsAt: toInstant(starts_at) }

const isClosedHere = async (
  row: BookRow,
  isClosed: (when: When, partySize: number) => Promise<boolean>,
): Promise<boolean> => {
  const here = placeOf(row)
  return here !== undefined && isClosed(here, row.party_size ?? 1)
}

/** A deposit is behind a booking as a card is. */
const isWithin = (asked: Sum, has: Sum | undefined): boolean =>
  has !== undefined && asked.cents <= has.cents && (asked.kind === 'card' || has.kind !== 'card')

/** Of a deposit what is still here, of a card what may be charged. */
const behind = (row: GuaranteeRow | undefined): Sum | undefined => {
  if (!row || (row.kind === 'card' && row.status !== 'held')) return undefined
  const { kind, amount_cents: agreed } = row
  return { kind, cents: kind === 'card' ? agreed : Math.min(agreed, row.paid_cents - row.refunded_cents) }
}
