import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../context.ts'
import { openGate } from '../../platform/db/gate.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { FeedName } from './cursor.ts'

/*
 * Calls that wait for changes or events use no connection and no lock. All of a process's waiting calls share one check
 * of their feeds, twice a second and soon after each of this process's commits.
 */

/** A place in a feed of a venue. */
type FeedPlace = { readonly feed: FeedName; readonly venue: VenueId; readonly position: number }

/** One of the calls that may wait. */
export type Place = {
  /**
   * Resolves when the feed may have something after a position, when `ms` have passed, when the caller hangs up, or
   * when waiting ends because the process stops.
   */
  readonly until: (place: FeedPlace, ms: number, left: AbortSignal) => Promise<void>
  /** Looks at the feed when it is this call's turn. */
  readonly inTurn: <T>(look: () => Promise<T>) => Promise<T>
  readonly leave: () => void
}

export type Waiting = {
  /** Undefined: the key or the process already has the maximum number of waiting calls, or the process is stopping. */
  readonly enter: (keyId: number) => Place | undefined
  /** Permanently ends all waiting. */
  readonly end: () => void
  readonly isOver: () => boolean
}

const lookMs = 500
/** After a commit; commits in the meantime are covered by the same check. */
const soonMs = 20
/**
 * One change can wake hundreds of calls. All at once they would fill every queue, so that none is answered before
 * nearly all are done, and everybody else's requests wait behind them.
 */
const awakeAtOnce = 4

type Waiter = FeedPlace & { readonly wake: () => void }

export const openWaiting = ({ db, bell }: Pick<Context, 'db' | 'bell'>): Waiting => {
  const callsOfKey = new Map<number, number>()
  const waiters = new Set<Waiter>()
  const turns = openGate({ places: awakeAtOnce, waitMs: limits.changesWaitSeconds * 1_000 })
  let calls = 0
  let over = false
  let isLooking = false
  let isSoon = false
  let timer: NodeJS.Timeout | undefined

  const look = async (): Promise<void> => {
    const feeds = await db.many(feedsOf([...new Set([...waiters].map(({ venue }) => venue))]))
    const byVenue = new Map(feeds.map((feed) => [feed.venue_id, feed]))
    for (const { feed, venue, position, wake } of waiters) {
      const found = byVenue.get(venue)
      if (found && (found[`${feed}_behind`] || found[`${feed}_seq`] > position)) wake()
    }
  }
  const run = async (): Promise<void> => {
    isSoon = false
    isLooking = true
    // While the database is down nothing can have been written; the next check finds it again.
    await look().catch(() => undefined)
    isLooking = false
    plan()
  }
  const plan = (): void => {
    clearTimeout(timer)
    timer =
      waiters.size > 0 && !isLooking ? setTimeout(() => void run(), isSoon ? soonMs : lookMs) : undefined
  }
  bell.onRing(() => {
    if (waiters.size === 0 || isSoon) return
    isSoon = true
    plan()
  })

  return {
    enter: (keyId) => {
      const ofKey = callsOfKey.get(keyId) ?? 0
      if (over || ofKey >= limits.waitersOfKey || calls >= limits.waitersOfProcess) return undefined
      callsOfKey.set(keyId, ofKey + 1)
      calls++
      return {
        until: async (place, ms, left) => {
          if (over || left.aborted) return
          const { promise, resolve } = Promise.withResolvers<void>()
          const waiter = { ...place, wake: () => resolve() }
          const limit = setTimeout(resolve, ms)
          left.addEventListener('abort', waiter.wake)
          waiters.add(waiter)
          if (timer === undefined) plan()
          await promise
          waiters.delete(waiter)
          left.removeEventListener('abort', waiter.wake)
          clearTimeout(limit)
        },
        inTurn: (look) => turns(0, look),
        leave: () => {
          calls--
          const others = (callsOfKey.get(keyId) ?? 1) - 1
          if (others === 0) callsOfKey.delete(keyId)
          else callsOfKey.set(keyId, others)
        },
      }
    },
    end: () => {
      over = true
      for (const { wake } of waiters) wake()
    },
    isOver: () => over,
  }
}

/** As in reads.ts and events/reads.ts, without `exists`. Each select names the venues, for which alone Citus then asks its nodes. */
const feedsOf = (venues: readonly VenueId[]) =>
  sql({
    venue_id: 'int8',
    changes_seq: 'int8',
    changes_behind: 'bool',
    events_seq: 'int8',
    events_behind: 'bool',
  })`
    select h.venue_id, h.seq as changes_seq, h.event_seq as events_seq,
           (select c.record_id from record_change c
             where c.venue_id = h.venue_id and c.venue_id = any(${venues}::bigint[]) and c.seq is null
             order by c.changed_at limit 1) is not null as changes_behind,
           (select v.id from event v
             where v.venue_id = h.venue_id and v.venue_id = any(${venues}::bigint[]) and v.seq is null
             order by v.id limit 1) is not null as events_behind
      from change_head h
     where h.venue_id = any(${venues}::bigint[])`
