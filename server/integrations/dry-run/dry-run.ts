import type { DryRun } from '@venue-data/contract/dry-run.ts'
import { events as allEvents, kindOfEvent } from '@venue-data/contract/webhooks/events.ts'
import { type RecordKind, kinds } from '@venue-data/contract/kinds.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { changesToCome } from '../../core/events/changes-to-come.ts'
import { watchEvents } from '../../core/events/watch-events.ts'
import { maskedRefusal, refusalText } from '../../platform/http/answer-error.ts'
import { hidesContacts, kindAt, maskedAnswer } from '../../platform/http/records/contacts-hidden.ts'
import {
  type Route,
  type Sent,
  type ServeParts,
  type readerOf,
  refuseCaller,
  withRefusalDetails,
} from '../../platform/http/serve.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { answerWithoutIds, eventWithoutId, isMade } from './without-ids.ts'

/*
 * A write that is done and rolled back. It takes the same path as every write (platform/http/serve.ts), with the same steps, and
 * ends in a rollback. Anything outside a write's transaction does not happen: no Idempotency-Key is claimed, and
 * workers are not notified.
 */

export type DryRunParts = Pick<ServeParts, 'context' | 'gate' | 'detailsMs'>

/** A route, and how it reads requests. */
export type Tried = Route & { readonly reads: ReturnType<typeof readerOf> }

/** What a request would answer, emit and change. */
export const dryRun = async (parts: DryRunParts, tried: Tried, sent: Sent): Promise<DryRun> => {
  const { caller, query } = sent
  try {
    refuseCaller(tried.endpoint, caller, query)
    return await rehearsed(parts, tried, sent)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const refusal = maskedRefusal(error, tried.endpoint, caller.key.scopes)
    const body = JSON.parse(refusalText(refusal)) as Record<string, unknown>
    return { wouldAnswer: { status: refusal.status, body }, events: [], changes: [] }
  }
}

const rehearsed = async (
  { context, gate, detailsMs }: DryRunParts,
  tried: Tried,
  sent: Sent,
): Promise<DryRun> => {
  const { venue, caller } = sent
  const { input } = tried.reads(sent)
  const unit = (db: Queries): Work => ({ db: db.within(venue.id), venue, now: context.clock })
  try {
    return await gate(venue.id, () =>
      context.db.rehearse(async (queries) => {
        const work = unit(queries)
        const events = watchEvents(work.db)
        const { status, body } = await tried.answer(work, input)
        const changes = await changesToCome(work.db, venue.id)
        const { scopes } = caller.key
        const seen = maskedAnswer(scopes, tried.endpoint, { status, body })
        const shows = shownTo(scopes, kindAt(tried.endpoint))
        return {
          wouldAnswer: { status, body: answerWithoutIds(seen as Record<string, unknown>, changes) },
          events: events
            .filter(({ event }) => mayRead(scopes, allEvents[event].scope) && shows(kindOfEvent(event)))
            .map((one) => ({ event: one.event, data: eventWithoutId(one, changes) })),
          changes: changes
            .filter(({ kind }) => scopes.includes(`${kinds[kind].scope}:read`) && shows(kind))
            .map((one) => ({ kind: one.kind, id: isMade(one) ? null : one.id, change: one.change })),
        }
      }),
    )
  } catch (error) {
    throw error instanceof Refusal
      ? await withRefusalDetails(tried, { work: unit(context.db), input, refusal: error, ms: detailsMs })
      : error
  }
}

const mayRead = (scopes: readonly Scope[], scope: Scope | null): boolean =>
  scope === null || scopes.includes(scope)

/**
 * Whether events and changes of a kind are shown. To a key that sees no contact details only those of what it writes
 * itself: a guest made along with a booking, or not, would tell it whom the venue knows, and nothing would be left of
 * the question.
 */
const shownTo =
  (scopes: readonly Scope[], own: RecordKind | undefined) =>
  (kind: RecordKind | undefined): boolean =>
    !hidesContacts(scopes) || kind === own
