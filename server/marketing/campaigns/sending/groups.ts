import { type Active, takeTurns } from './active.ts'
import type { Claimed } from './claim.ts'
import { type Delivery, deliverCopy } from './deliver.ts'
import type { InHand } from './in-hand.ts'
import { sendingLimits } from './limits.ts'
import type { Loops } from './loops.ts'
import type { Leaving, Result } from './mark.ts'
import type { Marking } from './marking.ts'
import type { Refill } from './refill.ts'

/*
 * A group has one batch of copies on the wire at a time, of whichever campaign has its turn. The mark that puts the next
 * batch there records the previous batch's results; if no batch of the same campaign follows at once, they are recorded
 * on their own.
 */

export type Groups = {
  /** Resolves when all groups have ended, after the stop of the loops. */
  readonly run: () => Promise<unknown>
  /** No longer waits for what is on the wire; what has no result by then is left behind. */
  readonly abandon: () => void
  readonly onTheWire: () => number
  /** The relay's pace, not only the clock, decides when the next emails may go. */
  readonly isPaced: () => boolean
}

export type GroupParts = Delivery & {
  readonly inHand: InHand
  readonly loops: Loops
  readonly refill: Refill
  readonly mark: Marking
  readonly lookMs: number
}

export const makeGroups = (parts: GroupParts): Groups => {
  const { clock, hold, relay, inHand, loops, refill, mark, lookMs } = parts
  const takeTurn = takeTurns()
  /** The batches on the wire: what ends the wait for each. */
  const waits = new Set<PromiseWithResolvers<unknown>>()
  let isAbandoned = false
  let onTheWire = 0
  let isPaced = false

  const nextTurn = (): Active | undefined =>
    loops.isStopping() || relay.isHeld() || hold.isOn() ? undefined : takeTurn(inHand.all())

  const group = async (): Promise<void> => {
    let before: { readonly active: Active; readonly results: readonly Result[] } | undefined
    const tell = async (): Promise<void> => {
      if (!before) return
      const { active, results } = before
      before = undefined
      await mark(active, results, [])
      active.underWay--
    }
    for (;;) {
      const active = nextTurn()
      if (before && before.active !== active) await tell()
      if (!active) {
        if (loops.isStopping()) return
        await loops.rest(lookMs)
        continue
      }
      dropExpired(active, clock())
      if (active.claimed.length === 0) {
        await tell()
        await refill(active)
        continue
      }
      const ahead = relay.isSlow() ? sendingLimits.batch : sendingLimits.claimAhead
      if (active.claimed.length < ahead && !active.isDry) void refill(active)
      const most = relay.isDoubtful(active.id) ? 1 : sendingLimits.batch
      const { granted, waitMs } = await relay
        .take(Math.min(most, active.claimed.length))
        .catch(() => ({ granted: 0, waitMs: lookMs }))
      isPaced = granted === 0
      if (granted === 0) {
        await tell()
        await loops.rest(Math.min(Math.max(waitMs, 1), lookMs))
        continue
      }
      const batch = active.claimed.splice(0, granted)
      const leaving = batch.map((copy) => ({
        subscriber: copy.subscriber_id,
        messageId: active.copies.messageIdFor(copy),
      }))
      active.underWay++
      const marked = await mark(active, before?.results ?? [], leaving)
      if (before) active.underWay--
      before = { active, results: await deliverBatch(active, batch, marked) }
    }
  }

  /** Hands over those that the mark put on the wire. */
  const deliverBatch = async (
    active: Active,
    batch: readonly Claimed[],
    marked: readonly Leaving[],
  ): Promise<readonly Result[]> => {
    const copies = new Map(batch.map((copy) => [copy.subscriber_id, copy]))
    const results: Result[] = []
    onTheWire += marked.length
    const all = marked.map(async ({ subscriber, messageId }) => {
      const copy = copies.get(subscriber)
      if (copy) results.push(await deliverCopy(parts, active, copy, messageId))
      onTheWire--
    })
    // A promise for each batch: one that lives as long as the process would remember every batch that waited for it.
    const wait = Promise.withResolvers<unknown>()
    waits.add(wait)
    Promise.all(all).then(wait.resolve, wait.reject)
    if (isAbandoned) wait.resolve(undefined)
    await wait.promise.finally(() => waits.delete(wait))
    return results
  }

  return {
    run: () => Promise.all(Array.from({ length: sendingLimits.groups }, group)),
    abandon: () => {
      isAbandoned = true
      for (const wait of waits) wait.resolve(undefined)
    },
    onTheWire: () => onTheWire,
    isPaced: () => isPaced,
  }
}

/** Others may have those whose lease expired; they would only use up what the relay allows. */
const dropExpired = ({ claimed }: Active, now: Temporal.Instant): void => {
  while ((claimed[0]?.leaseUntilMs ?? Infinity) <= now.epochMilliseconds) claimed.shift()
}
