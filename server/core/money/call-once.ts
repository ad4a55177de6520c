import { type Moment, toInstant } from '../../platform/kernel/time/moment.ts'
import type { Outcome } from './processor.ts'

/** A row whose call may be made once, with everything that the call says. */
export type CallRow = {
  readonly made_at: Moment
  readonly try: number
  /** Since when its key is in use, where a try has failed. */
  readonly tried_at: Moment | null
}

export type CalledOnce<Seen> =
  /** What the processor says about it; without an answer, the row is looked at again later. */
  | { readonly kind: 'said'; readonly outcome: Outcome<Seen | null> }
  /** Nothing was done for certain: from then on with another key. */
  | { readonly kind: 'again'; readonly at: Temporal.Instant }
  /** It was not made, and will not be. */
  | { readonly kind: 'never'; readonly why: 'refused' | 'withdrawn' }

/** The processor forgets a key after a day. */
export const keyHours = 23
/** Time for its lists to know what it did, before the next call reads them. */
const listedSeconds = 60

/**
 * Makes a call that moves money, and moves it only once: where an earlier call may have been carried out, the processor's
 * lists are read first. `isMeant` false: it is only looked up, and not called again.
 */
export const callOnce = async <Seen>(
  row: CallRow,
  now: Temporal.Instant,
  {
    find,
    make,
    isMeant = true,
  }: {
    readonly find: () => Promise<Outcome<Seen | null>>
    readonly make: () => Promise<Outcome<Seen>>
    readonly isMeant?: boolean
  },
): Promise<CalledOnce<Seen>> => {
  const isForgotten =
    Temporal.Instant.compare(toInstant(row.tried_at ?? row.made_at).add({ hours: keyHours }), now) <= 0
  if (isForgotten || row.try > 1 || !isMeant) {
    const listed = await find()
    if (listed.kind !== 'done' || listed.value !== null) return { kind: 'said', outcome: listed }
    if (!isMeant) return { kind: 'never', why: 'withdrawn' }
    if (isForgotten) return { kind: 'again', at: now }
  }
  const made = await make()
  if (made.kind === 'failed') return { kind: 'again', at: now.add({ seconds: listedSeconds }) }
  if (made.kind !== 'refused' && made.kind !== 'gone') return { kind: 'said', outcome: made }
  // It may be refused because it was made before.
  const listed = await find()
  if (listed.kind !== 'done' || listed.value !== null) return { kind: 'said', outcome: listed }
  return { kind: 'never', why: 'refused' }
}
