import {
  type GuaranteeRow,
  guaranteeOf,
  refundsUnderWay,
} from '../../book/reservations/guarantee/guarantee-store.ts'
import { comesBack } from '../../book/reservations/guarantee/give-back.ts'
import type { Work } from '../../context.ts'
import type { VenueRow } from '../../core/venue/venues.ts'
import { isGuestLanguage } from '../../platform/kernel/guest-language.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { type GuestFormats, formatsFor, moneyIn } from '../guest-words/formats.ts'
import type { Words } from '../guest-words/en.ts'
import { momentInWords } from './booking-facts.ts'

/* What the guest's page and mails say of the card or the deposit behind a booking. */

type Saying = {
  readonly words: Words
  readonly formats: GuestFormats
  readonly venue: Pick<VenueRow, 'timezone' | 'country'>
}

/** What is behind a booking, and of its money what is on its way back or did not arrive. */
export type Behind = GuaranteeRow & { readonly pending: number; readonly failed: number }

export const behindOf = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  reservation: number,
): Promise<Behind | undefined> => {
  const row = await guaranteeOf(db, venue.id, reservation)
  return row && { ...row, ...(await refundsUnderWay(db, venue.id, row.id)) }
}

/** What of its money is still here, and stays. */
const leftOf = ({ paid_cents, refunded_cents, pending }: Behind): number =>
  paid_cents - refunded_cents - pending

/** How it is called, and its sentences. */
export const guaranteeFact = (
  row: Behind,
  saying: Saying,
): readonly [label: string, sentences: readonly string[]] => {
  const { secure } = saying.words
  const label = row.kind === 'card' || row.kind === 'prepaid' ? secure[row.kind] : secure.deposit
  return [
    label,
    row.status === 'released'
      ? [row.deleted_at === null ? secure.cancelCard : secure.cardGone]
      : [...agreedIn(row, saying), ...whereItIs(row, saying)],
  ]
}

/** The sentence that was agreed on, and until when canceling is free where that has moved since. */
export const agreedIn = (row: GuaranteeRow, saying: Saying): readonly string[] => {
  const free = toInstant(row.free_until)
  return [
    row.sentence,
    ...(Temporal.Instant.compare(free, toInstant(row.agreed_at)) > 0 && !isNamedIn(row, saying.venue, free)
      ? [saying.words.secure.freeUntil(momentInWords(free, saying))]
      : []),
  ]
}

/** Only the sentence says which moment it named: it is kept as it was shown, in the language that it was shown in. */
const isNamedIn = (
  { sentence, language }: GuaranteeRow,
  venue: Saying['venue'],
  moment: Temporal.Instant,
): boolean => {
  if (!isGuestLanguage(language)) return false
  const said = formatsFor(language, venue)
  return (
    sentence.includes(said.timeAt(moment)) &&
    sentence.includes(said.day(wallTimeOf(moment, venue.timezone).date))
  )
}

const whereItIs = (row: Behind, { words: { secure }, formats, venue }: Saying): readonly string[] => {
  const money = (cents: number): string => moneyIn(formats, cents, row.currency)
  const isCard = row.kind === 'card'
  return [
    ...(row.paid_cents > 0 ? [(isCard ? secure.charged : secure.paid)(money(row.paid_cents))] : []),
    ...(row.refunded_cents > 0 ? [secure.back(money(row.refunded_cents))] : []),
    ...(row.pending > 0 ? [secure.onWay(money(row.pending))] : []),
    // One that failed may have gone back by another since.
    ...(Math.min(row.failed, leftOf(row)) > 0
      ? [secure.stuck(money(Math.min(row.failed, leftOf(row))))]
      : []),
    ...(isCard && row.delete_at !== null
      ? [
          row.deleted_at === null
            ? secure.cardUntil(formats.day(wallTimeOf(toInstant(row.delete_at), venue.timezone).date))
            : secure.cardGone,
        ]
      : []),
  ]
}

/** What a cancellation by the guest at this moment does to it, the booking being as it is; undefined: nothing is behind the booking any more. */
export const ifCancelled = (
  row: Behind | undefined,
  { words: { secure }, formats }: Saying,
  { now, status }: { readonly now: Temporal.Instant; readonly status: string },
): string | undefined => {
  const left = row ? leftOf(row) : 0
  if (!row || (row.status !== 'held' && left === 0)) return undefined
  const isFree = comesBack(row, { cancelled_by: 'guest', cancelled_from: status }, now)
  if (row.kind === 'card') {
    const amount = moneyIn(formats, row.amount_cents, row.currency)
    return isFree ? secure.cancelCard : secure.lateCard(amount)
  }
  const amount = moneyIn(formats, left, row.currency)
  return isFree ? secure.cancelDeposit(amount) : secure.lateDeposit(amount)
}
