import type { Happened } from '@venue-data/contract/delivery.ts'
import { events } from '@venue-data/contract/events.ts'
import type { Context } from '../../context.ts'
import { maskedData } from '../../http/contacts-hidden.ts'
import { mayBeTold } from '../../events/may-be-told.ts'
import { type Signing, hookHeaders, messageBody, signedHeaders } from '../message.ts'
import { MAX_TRIES, describeOutcome, isGone, isSuccess, nextTry, MAX_JITTER_MS } from '../schedule.ts'
import type { GoAhead, Outcome, Request } from '../sender.ts'
import { toldOf } from '../told-data.ts'
import type { Leased } from './lease.ts'
import type { Result } from './settle.ts'
import { toInstant } from '../../kernel/moment.ts'

/** What a try is made with. */
export type DispatchParts = Pick<Context, 'clock' | 'random' | 'sender'> & {
  readonly slugOf: (leased: Leased) => string
  /** The secrets that count at a moment, the newest first. */
  readonly secretsOf: (leased: Leased, now: Temporal.Instant) => Signing['secrets']
}

/**
 * Makes one try and tells what came of it; undefined: it may not start, and nothing was sent. Throws when the request
 * could not be made at all: our own fault.
 * @param goAhead asked for last, when the name was looked up, and again where connecting took long
 */
export const dispatch = async (
  parts: DispatchParts,
  leased: Leased,
  goAhead: GoAhead,
): Promise<Result | undefined> => {
  // Crashes used up the last tries: it ends here, since nobody knows what another one would do.
  if (leased.tries >= MAX_TRIES) return { kind: 'ended', leased, outcome: 'failed' }
  // Its key may have been able to read this when it happened, and not any more.
  if (!mayBeTold(events[leased.name].scope, leased)) return { kind: 'ended', leased, outcome: 'dropped' }
  const startedAt = parts.clock()
  const vetted = await parts.sender.vet(leased.address)
  // Asked also where no request can be made: what may not start uses up no try, and counts for no failure.
  if (!(await goAhead.ask())) return undefined
  if (vetted.kind !== 'vetted') return resultOf(parts, leased, vetted, startedAt)
  const outcome = await parts.sender.post(vetted, requestOf(parts, leased, parts.clock()), goAhead)
  return outcome && resultOf(parts, leased, outcome, startedAt)
}

/** The request of this second: every try has the same bytes, each its own signature. */
export const requestOf = (
  { slugOf, secretsOf }: Pick<DispatchParts, 'slugOf' | 'secretsOf'>,
  leased: Leased,
  now: Temporal.Instant,
): Request => {
  const { id, name, kind, occurred_at, data: whole, signatures, payload, include } = leased
  // The bytes go seven days after the end at the earliest, and nothing starts after two days.
  if (whole === null) throw new Error('The bytes of the event are gone.')
  const scopes = leased.key_scopes ?? []
  if (kind === 'hook')
    return { body: Buffer.from(maskedData(scopes, name, whole)), headers: hookHeaders(name) }
  const body = messageBody({
    ...{ id, event: name, occurredAt: occurred_at, venueSlug: slugOf(leased) },
    ...toldOf(name, whole, leased.previous, { payload, include, scopes }),
    ...happenedOf(leased),
  })
  const signing = { secrets: secretsOf(leased, now), signatures }
  return { body, headers: signedHeaders({ id, event: name }, signing, body, now) }
}

/** Nothing of an event that the release before recorded. */
const happenedOf = ({
  public_id,
  names,
  record_kind,
  record_id,
  revision,
}: Leased): { readonly happened?: Happened } => {
  if (public_id === null || names === null) return {}
  const record =
    record_kind !== null && record_id !== null && revision !== null
      ? { kind: record_kind, id: record_id, revision }
      : null
  return { happened: { eventId: public_id, record, names } }
}

/** What one try that ends now means for its delivery. */
export const resultOf = (
  { clock, random }: Pick<DispatchParts, 'clock' | 'random'>,
  leased: Leased,
  outcome: Outcome,
  startedAt: Temporal.Instant,
): Result => {
  const endedAt = clock()
  const tries = leased.tries + 1
  const next = isSuccess(outcome)
    ? 'delivered'
    : isGone(outcome)
      ? 'failed'
      : nextTry(tries, toInstant(leased.occurred_at), endedAt, jitterFrom(random))
  return {
    kind: 'tried',
    leased,
    startedAt,
    endedAt,
    durationMs: outcome.durationMs,
    statusCode: outcome.kind === 'answered' ? outcome.statusCode : 0,
    words: describeOutcome(outcome),
    answer: outcome.kind === 'answered' ? outcome.body : NOTHING,
    next: next === 'dropped' && tries >= MAX_TRIES ? 'failed' : next,
  }
}

const NOTHING = Buffer.alloc(0)

const jitterFrom = (random: Context['random']): number => (random(2).readUInt16LE() / 0xffff) * MAX_JITTER_MS
