import type { Refusal } from '../../platform/kernel/refusal.ts'
import type { Venue, VenueId } from '../venue/venue.ts'

/*
 * What a processor of payments does for us. One file knows a processor's own words (stripe.ts); everything else knows
 * these. No call is made inside a transaction, and every parameter is in its row before the call, so that the same call
 * can be made again: a processor answers a key that it knows with what it answered before.
 */

/** How a call ended. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** Nothing was done, for certain, and the same call will be refused again. */
  | { readonly kind: 'refused'; readonly code: string; readonly answer: string }
  /** The key is not taken, or may not do this: it says nothing about an earlier call, and another key may be answered. */
  | { readonly kind: 'denied'; readonly code: string }
  /** It was not reached: nothing was done, for certain, and the same call may be made again. */
  | { readonly kind: 'unreached' }
  /** There is no such object. */
  | { readonly kind: 'gone' }
  /** Not now: nothing is known to be done, and the same call with the same key is right. */
  | { readonly kind: 'unanswered' }
  /** It failed there, and will answer this key with the same failure: done or not, only a look in its lists says. */
  | { readonly kind: 'failed' }

/** This account does not let us know: no later try with the same key will be answered another way. */
export const isDenied = (
  outcome: Outcome<unknown>,
): outcome is Extract<Outcome<unknown>, { readonly kind: 'denied' | 'refused' }> =>
  outcome.kind === 'denied' || outcome.kind === 'refused'

/**
 * What is asked only to be known; undefined: the account does not let us know it. Throws `away` while the processor does not answer.
 */
export const answerOf = <T>(outcome: Outcome<T>, away: () => Refusal): T | undefined => {
  if (outcome.kind === 'done') return outcome.value
  if (isDenied(outcome)) return undefined
  throw away()
}

/** Whose object it is, as the processor keeps it with the object: two venues may have one account there. */
type Named = { readonly ref: string; readonly venue: VenueId }

/** What a page or a charge is about, by the name of its booking; null: no booking that is there yet. */
type About = Named & { readonly booking: string | null }

/** A page of the processor's on which one sum is paid. */
export type SessionAsked = About & {
  /** `setup` keeps a card and moves no money: the amount is what may be charged later. */
  readonly mode: 'payment' | 'setup'
  readonly try: number
  readonly amountCents: number
  readonly currency: string
  readonly title: string
  readonly sentence: string | null
  readonly email: string | null
  readonly language: string
  readonly endsAt: Temporal.Instant
  /** Where the guest comes back to, paid or not. */
  readonly backUrl: string
  readonly cancelUrl: string
}

export type SessionSeen = {
  readonly sessionRef: string
  readonly ref: string | null
  readonly state: 'open' | 'complete' | 'expired'
  /** Whether the money has arrived or the card is kept, of one that is complete. */
  readonly isPaid: boolean
  /** Of one that is complete: the money was not there yet, and never will be. */
  readonly isFailed: boolean
  readonly amountCents: number | null
  readonly currency: string | null
  readonly paymentRef: string | null
  /** The card that is kept, of one that keeps a card. */
  readonly card: CardKept | null
  /** Where the guest pays, of one that is open. */
  readonly url: string | null
}

/** Where a card is at the processor: nothing of the card itself. */
export type CardKept = { readonly customerRef: string; readonly methodRef: string }

export type ChargeAsked = CardKept &
  About & {
    readonly try: number
    readonly amountCents: number
    readonly currency: string
    readonly title: string
  }

export type PaymentSeen = {
  readonly paymentRef: string
  readonly ref: string | null
  readonly state: 'pending' | 'succeeded' | 'failed'
  /** `guest-needed`: the bank wants the guest to confirm it. */
  readonly why: string | null
}

/** Money that moved there, or a refund that is on its way. */
export type MovedThere = {
  readonly what: 'payment' | 'refund'
  readonly objectRef: string
  readonly ref: string | null
  /** The venue it is named for; null: none, as of what was made before venues were named, or by other software. */
  readonly venue: string | null
  /** The name of the booking that it is for; null: of none, or made before bookings were named. */
  readonly booking: string | null
  /** The payment that a refund is of. */
  readonly paymentRef: string | null
  /** Whose card was charged without its guest. */
  readonly customerRef: string | null
  readonly amountCents: number
  readonly currency: string
  readonly isUnderWay: boolean
  /** When it was made there. */
  readonly movedAt: Temporal.Instant
}

/** Whether it may be this venue's: it is not named for another. */
export const mayBeOf =
  ({ id }: Pick<Venue, 'id'>) =>
  ({ venue }: { readonly venue: string | null }): boolean =>
    venue === null || venue === String(id)

/** A card that a page kept, and that is there still. */
export type CardThere = {
  readonly sessionRef: string
  readonly ref: string | null
  readonly venue: string | null
  /** The name of the booking that it is behind; null: there was none yet. */
  readonly booking: string | null
  readonly card: CardKept
  /** At most so much is charged; null: kept before that was named. */
  readonly amountCents: number | null
  readonly currency: string
  readonly page: PagePaid
}

/** What somebody reads who waits for the processor's word. */
export const noAnswer = 'Stripe does not answer right now. Please try again in a moment.'

/** The page on which a payment was made, or a card was kept. */
export type PagePaid = {
  readonly madeAt: Temporal.Instant
  /** What its guest agreed to with it, as far as the page had room for it. */
  readonly sentence: string
  readonly language: string
}

export type RefundAsked = Named & {
  readonly try: number
  readonly paymentRef: string
  readonly amountCents: number
  readonly currency: string
}

export type RefundSeen = {
  readonly refundRef: string
  readonly ref: string | null
  readonly state: 'pending' | 'succeeded' | 'failed'
  readonly why: string | null
  /** The payment that it is of. */
  readonly paymentRef: string | null
  readonly amountCents: number
  readonly currency: string
}

/** A guest’s bank takes money back, or asks about it. */
export type DisputeSeen = {
  readonly disputeRef: string
  /** `warning`: it only asks, and no money has moved. */
  readonly state: 'warning' | 'open' | 'won' | 'lost'
  readonly isOver: boolean
  readonly paymentRef: string | null
  readonly amountCents: number
  readonly currency: string
  readonly reason: string
  /** Until when evidence is taken. */
  readonly dueAt: Temporal.Instant | null
}

/** What a key may not do, in words of the processor's own settings; none: all is well. */
export type Permissions = { readonly missing: readonly string[] }

export type Callback = { readonly callbackRef: string; readonly signing: string | null }

export type Processor = {
  readonly openSession: (asked: SessionAsked) => Promise<Outcome<SessionSeen>>
  readonly lookAtSession: (sessionRef: string) => Promise<Outcome<SessionSeen>>
  /** Refused where it is no longer open. */
  readonly expireSession: (sessionRef: string) => Promise<Outcome<SessionSeen>>
  /** The session with our ref, by the processor's lists. */
  readonly findSession: (ref: string, since: Temporal.Instant) => Promise<Outcome<SessionSeen | null>>
  /** The page on which it was paid; null: on none, as a card that was charged. */
  readonly pageOf: (paymentRef: string) => Promise<Outcome<PagePaid | null>>
  readonly refund: (asked: RefundAsked) => Promise<Outcome<RefundSeen>>
  readonly lookAtRefund: (refundRef: string) => Promise<Outcome<RefundSeen>>
  readonly lookAtDispute: (disputeRef: string) => Promise<Outcome<DisputeSeen>>
  /** Refunds of a payment that succeeded, or are on their way. */
  readonly refundsOf: (paymentRef: string) => Promise<Outcome<MovedThere[]>>
  readonly findRefund: (paymentRef: string, ref: string) => Promise<Outcome<RefundSeen | null>>
  /** Charges a card that is kept, without its guest. */
  readonly charge: (asked: ChargeAsked) => Promise<Outcome<PaymentSeen>>
  readonly lookAtPayment: (paymentRef: string) => Promise<Outcome<PaymentSeen>>
  readonly findPayment: (customerRef: string, ref: string) => Promise<Outcome<PaymentSeen | null>>
  /** Charges of a card that succeeded. */
  readonly chargesOf: (customerRef: string) => Promise<Outcome<MovedThere[]>>
  /** Nobody can confirm it any more. */
  readonly cancelPayment: (paymentRef: string) => Promise<Outcome<PaymentSeen>>
  /** Their cards go with them. */
  readonly deleteCustomer: (customerRef: string) => Promise<Outcome<true>>
  /** Payments and refunds that were made in that time and succeeded. */
  readonly movedBetween: (from: Temporal.Instant, to: Temporal.Instant) => Promise<Outcome<MovedThere[]>>
  /** Refunds that were made in that time and failed since, by their names there: a bank may send money back days after it arrived. */
  readonly refundsFailedOf: (from: Temporal.Instant, to: Temporal.Instant) => Promise<Outcome<string[]>>
  /** Cards that pages kept which were opened in that time; none that was deleted since. */
  readonly cardsKeptBetween: (from: Temporal.Instant, to: Temporal.Instant) => Promise<Outcome<CardThere[]>>
  /** Disputes that were opened in that time, however they stand. */
  readonly disputesBetween: (from: Temporal.Instant, to: Temporal.Instant) => Promise<Outcome<DisputeSeen[]>>
  /** Tries everything that we shall ask for, without effect. */
  readonly tryAll: (probe: SessionAsked) => Promise<Outcome<Permissions>>
  /** Has the processor call this address; what it signs its calls with is said only once. */
  readonly register: (url: string, ref: string) => Promise<Outcome<Callback>>
  /** Has it call no more. */
  readonly unregister: (callbackRef: string) => Promise<Outcome<true>>
  /** Whether it still calls this address about everything it should. */
  readonly callbackIsWell: (callbackRef: string, url: string) => Promise<Outcome<boolean>>
  /** Whether an object of ours is this account's. */
  readonly owns: (object: {
    readonly callbackRef?: string
    readonly sessionRef?: string
  }) => Promise<Outcome<boolean>>
}

/** A call of the processor's: which object to look at, and nothing else of it is believed. */
export type ProcessorCall = {
  readonly eventRef: string
  readonly kind: string
  readonly objectRef: string
  readonly live: boolean
}

/** How long a call may take: somebody waits, or nobody does. */
export type Patience = 'request' | 'job'

/** So long we wait for an answer: somebody sees the page that says so a second later at the most. */
export const answerMs: Readonly<Record<Patience, number>> = { request: 5_000, job: 20_000 }
/** The most calls that are made one after another for one thing that is due: what was done before, found, made, found again, and canceled. */
export const mostCalls = 5

export type Processors = {
  readonly of: (key: string, patience: Patience) => Processor
  /** What a call says, if it is signed with this; undefined otherwise. */
  readonly readCall: (body: Buffer, signature: string, signing: string) => ProcessorCall | undefined
}
