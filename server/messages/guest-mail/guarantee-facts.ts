import {
  type GuaranteeRow,
  agreedSentences,
  guaranteeOf,
} from '../../book/reservations/guarantee/guarantee-store.ts'
import { type UnderWay, refundsUnderWay } from '../../book/reservations/guarantee/money-left.ts'
import { comesBack } from '../../book/reservations/guarantee/deletion-of.ts'
import { centsForGuests } from '../../book/reservations/guarantee/payable.ts'
import { owedByHand } from '../../book/reservations/guarantee/paid-otherwise.ts'
import type { BookRow } from '../../book/day/book-row.ts'
import { comesOff, ifResized } from '../../book/reservations/guarantee/follow-edit.ts'
import type { Work } from '../../context.ts'
import type { VenueRow } from '../../core/venue/venues.ts'
import { isGuestLanguage } from '../../platform/kernel/guest-language.ts'
import { type Moment, toInstant } from '../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { type GuestFormats, formatsFor, moneyIn } from '../guest-words/formats.ts'
import type { Words } from '../guest-words/en.ts'
import { momentInWords } from './booking-facts.ts'
import { sentenceOf } from './tables/asked-facts.ts'

/* What the guest's page and mails say of the card or the deposit behind a booking. */

type Saying = {
  readonly words: Words
  readonly formats: GuestFormats
  readonly venue: Pick<VenueRow, 'timezone' | 'country'>
}

/** What is behind a booking, and where its money is. */
export type Behind = GuaranteeRow &
  UnderWay & {
    /** The venue itself still has to give it back. */
    readonly owed: number
  }

export const behindOf = async (
  { db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>,
  booking: Parameters<typeof owedByHand>[0] & Pick<BookRow, 'id'>,
): Promise<Behind | undefined> => {
  const row = await guaranteeOf(db, venue.id, booking.id)
  if (!row) return undefined
  const money = await refundsUnderWay(db, venue.id, row.id)
  return { ...row, ...money, owed: owedByHand(booking, row, money, now()) }
}

/** What of its money is still here, and stays. */
const leftOf = ({ paid_cents, refunded_cents, pending }: Behind): number =>
  paid_cents - refunded_cents - pending

/** How large the party is, when it comes, and how its booking ended, if it did. */
type Booking = Pick<
  BookRow,
  'party_size' | 'starts_at' | 'status' | 'cancelled_by' | 'cancelled_from' | 'cancelled_at'
>

/**
 * How it is called, and its sentences: none of what was only asked for, and no longer is. `now`: where its guest may still cancel,
 * what that costs by then is said.
 */
export const guaranteeFact = (
  row: Behind,
  saying: Saying,
  booking?: Booking,
  now?: Temporal.Instant,
): readonly [label: string, sentences: readonly string[]] => {
  const { secure } = saying.words
  const label = row.kind === 'card' || row.kind === 'prepaid' ? secure[row.kind] : secure.deposit
  return [
    label,
    isGone(row)
      ? cardIn(row, saying)
      : row.status === 'asked'
        ? [saying.words.asked.notYet]
        : // What was agreed on says nothing any more once all of it went back.
          [
            ...(isBack(row) ? [] : agreedIn(row, saying)),
            ...sumIn(row, saying, booking, now),
            ...whereItIs(row, saying),
            ...keptIn(row, saying, booking),
          ],
  ]
}

const isBack = (row: Behind): boolean => row.kind !== 'card' && row.paid_cents > 0 && leftOf(row) <= 0

/** Which sum it is about by now, once. */
const sumIn = (
  row: Behind,
  saying: Saying,
  booking: Booking | undefined,
  now: Temporal.Instant | undefined,
): readonly string[] => {
  const late = lateIn(row, saying, booking, now)
  return late.length > 0 ? late : atMostIn(row, saying, booking)
}

/** The sum, where the sentence that was agreed on names another by now: the party is smaller, and that was said too late. */
const atMostIn = (
  row: Behind,
  { words, formats }: Saying,
  booking: Booking | undefined,
): readonly string[] => {
  if (row.kind !== 'card' || row.status !== 'held' || !booking || booking.party_size === null) return []
  const cents = centsForGuests(row, booking.party_size)
  return cents === undefined || row.amount_cents <= cents
    ? []
    : [words.secure.atMost(moneyIn(formats, row.amount_cents, row.currency))]
}

/**
 * What canceling costs, where it was free until a moment that has passed. What was agreed on later says it itself, and once the
 * booking has begun nobody cancels it.
 */
const lateIn = (
  row: Behind,
  saying: Saying,
  booking: Booking | undefined,
  now: Temporal.Instant | undefined,
): readonly string[] => {
  if (!now || booking?.status !== 'Confirmed' || booking.starts_at === null) return []
  const isPast = (moment: Moment): boolean => Temporal.Instant.compare(now, toInstant(moment)) >= 0
  const wasFree = Temporal.Instant.compare(toInstant(row.agreed_at), toInstant(row.free_until)) < 0
  if (!wasFree || !isPast(row.free_until) || isPast(booking.starts_at)) return []
  if (row.kind === 'card' && row.status !== 'held') return []
  const costs = ifCancelled(row, saying, { now, status: booking.status })
  return costs === undefined ? [] : [costs]
}

const isGone = ({ status }: GuaranteeRow): boolean => status === 'released' || status === 'waived'

/** Of a card that is no longer behind the booking: it goes, or is gone; nothing of one that never was. */
const cardIn = ({ customer_ref, deleted_at }: GuaranteeRow, { words: { secure } }: Saying): string[] => {
  if (customer_ref !== null) return [secure.cancelCard]
  return deleted_at === null ? [] : [secure.cardGone]
}

/** The sentence that was agreed on, and until when canceling is free where that has moved since. */
export const agreedIn = (row: GuaranteeRow, saying: Saying): readonly string[] => {
  const free = toInstant(row.free_until)
  return [
    ...rulingIn(row, saying),
    ...(Temporal.Instant.compare(free, toInstant(row.agreed_at)) > 0 && !isNamedIn(row, saying.venue, free)
      ? [saying.words.secure.freeUntil(momentInWords(free, saying))]
      : []),
  ]
}

/**
 * What rules by now, where the party has grown since: of a card the last sentence, which is about the whole; of a deposit one
 * about the sum. Terms that differ, and words of staff's, stay as they were shown.
 */
const rulingIn = (row: GuaranteeRow, saying: Saying): readonly string[] => {
  const agreed = agreedSentences(row)
  if (!row.sentence.includes('\n')) return agreed
  if (row.kind === 'card') return agreed.slice(-1)
  const [freeUntil, agreedAt] = [toInstant(row.free_until), toInstant(row.agreed_at)]
  const isOneSum = row.ask_note === null && Temporal.Instant.compare(agreedAt, freeUntil) < 0
  if (!isOneSum) return agreed
  const terms = { kind: 'deposit', perGuestCents: null, amountCents: row.amount_cents, freeUntil } as const
  return [sentenceOf({ ...terms, currency: row.currency }, saying, agreedAt)]
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

const whereItIs = (row: Behind, { words: { secure, asked }, formats, venue }: Saying): readonly string[] => {
  const money = (cents: number): string => moneyIn(formats, cents, row.currency)
  const isCard = row.kind === 'card'
  const onWay = row.pending - row.waiting - row.not_sent
  return [
    ...(row.paid_cents > 0 ? [(isCard ? secure.charged : secure.paid)(money(row.paid_cents))] : []),
    ...(row.refunded > 0 ? [secure.back(money(row.refunded))] : []),
    ...(row.by_hand > 0 ? [secure.backByHand(money(row.by_hand))] : []),
    ...(row.owed > 0 ? [asked.otherwise(money(row.owed))] : []),
    ...(row.taken > 0 ? [secure.lost(money(row.taken))] : []),
    ...(onWay > 0 ? [secure.onWay(money(onWay))] : []),
    ...(row.waiting > 0 ? [secure.waits(money(row.waiting))] : []),
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

/** What the venue keeps of a deposit, now that nobody came or it was cancelled late; a bank that looks into it has yet to decide. */
const keptIn = (row: Behind, { words, formats }: Saying, booking: Booking | undefined): readonly string[] => {
  const kept = leftOf(row) - Math.min(row.failed, leftOf(row)) - row.held
  if (!booking || row.kind === 'card' || kept <= 0) return []
  const isKept =
    booking.status === 'No-show' ||
    (booking.status === 'Cancelled' &&
      booking.cancelled_at !== null &&
      !comesBack(row, booking, toInstant(booking.cancelled_at)))
  return isKept ? [words.secure.keeps(moneyIn(formats, kept, row.currency))] : []
}

/** What a cancellation by the guest at this moment does to it, the booking being as it is; undefined: nothing is left behind the booking. */
export const ifCancelled = (
  row: Behind | undefined,
  { words: { secure, asked }, formats }: Saying,
  { now, status }: { readonly now: Temporal.Instant; readonly status: string },
): string | undefined => {
  const left = row ? leftOf(row) : 0
  if (!row || (row.status !== 'held' && left === 0)) return undefined
  const isFree = comesBack(row, { cancelled_by: 'guest', cancelled_from: status }, now)
  if (row.kind === 'card') {
    const amount = moneyIn(formats, row.amount_cents, row.currency)
    return isFree ? secure.cancelCard : secure.lateCard(amount)
  }
  const money = (cents: number): string => moneyIn(formats, cents, row.currency)
  if (!isFree) return secure.lateDeposit(money(left))
  const byHand = Math.min(row.otherwise, left)
  const toCard = left - byHand - row.held
  return [
    ...(toCard > 0 ? [secure.cancelDeposit(money(toCard))] : []),
    ...(row.held > 0 ? [secure.waits(money(row.held))] : []),
    ...(byHand > 0 ? [asked.otherwise(money(byHand))] : []),
  ].join(' ')
}

/** What another size of the party does to it, if it is asked for at this moment; undefined: no sum changes. */
export const ifResizedInWords = (
  row: Behind | undefined,
  { words: { secure }, formats }: Saying,
  resized: { readonly from: number | null; readonly to: number; readonly askedAt: Temporal.Instant },
): string | undefined => {
  if (!row || isGone(row) || resized.from === resized.to) return undefined
  const money = (cents: number): string => moneyIn(formats, cents, row.currency)
  // One that failed may have gone back by another since.
  const failedCents = Math.min(row.failed, leftOf(row) - row.amount_cents)
  const { amountCents, askedCents, keptCents } = ifResized(row, { ...resized, failedCents })
  const isCard = row.kind === 'card'
  if (askedCents > 0 && askedCents !== row.asked_cents)
    return isCard ? secure.changeAgree(money(amountCents + askedCents)) : secure.changeDue(money(askedCents))
  if (keptCents > 0)
    return isCard ? secure.lateCard(money(row.amount_cents)) : secure.lateDeposit(money(keptCents))
  const less = isCard ? row.amount_cents - amountCents : comesOff(row, amountCents, leftOf(row))
  if (isCard) return less > 0 && row.status === 'held' ? secure.changeAtMost(money(amountCents)) : undefined
  // Only what came through the processor goes back by itself.
  const back = Math.min(less, Math.max(0, leftOf(row) - row.otherwise))
  return back > 0 && row.status !== 'asked' ? secure.changeBack(money(back)) : undefined
}
