import type { Happened } from '@venue-data/contract/webhooks/delivery.ts'
import { events } from '@venue-data/contract/webhooks/events.ts'
import type { ChangeAnswer } from '@venue-data/contract/records/reservation.ts'
import type { Context } from '../../../context.ts'
import { maskedData } from '../../../platform/http/records/contacts-hidden.ts'
import { mayReceive, scopesOfEndpoint } from '../../../core/events/may-receive.ts'
import { type Signing, hookHeaders, messageBody, signedHeaders } from '../sending/message.ts'
import { MAX_TRIES, describeOutcome, isGone, isSuccess, nextTry, MAX_JITTER_MS } from '../schedule.ts'
import type { GoAhead, Outcome, Request } from '../sending/sender.ts'
import { dataForEndpoint } from '../endpoint-data.ts'
import type { Leased } from './lease.ts'
import type { Result } from './settle.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'

/** What an attempt needs. */
export type DispatchParts = Pick<Context, 'clock' | 'random' | 'sender'> & {
  readonly slugOf: (leased: Leased) => string
  /** The secrets valid at a moment, newest first. */
  readonly secretsOf: (leased: Leased, now: Temporal.Instant) => Signing['secrets']
}

/**
 * Makes one attempt and returns its result; undefined: it may not start, and nothing was sent. Throws when the request
 * could not be built at all, which is our own fault.
 * @param goAhead called last, after the name lookup, and again if connecting took long
 */
export const dispatch = async (
  parts: DispatchParts,
  leased: Leased,
  goAhead: GoAhead,
): Promise<Result | undefined> => {
  // Crashes used up the last attempts. End it here, since another attempt might crash, too.
  if (leased.tries >= MAX_TRIES) return { kind: 'ended', leased, outcome: 'failed' }
  // Its keys could read this when it happened, but may not now.
  if (!mayReceive(events[leased.name].scope, leased)) return { kind: 'ended', leased, outcome: 'dropped' }
  const startedAt = parts.clock()
  const vetted = await parts.sender.vet(leased.address)
  // Checked even when no request can be made: an attempt that may not start is not used up and does not count as a
  // failure.
  if (!(await goAhead.ask())) return undefined
  if (vetted.kind !== 'vetted') return resultOf(parts, leased, vetted, startedAt)
  const outcome = await parts.sender.post(vetted, requestOf(parts, leased, parts.clock()), goAhead)
  return outcome && resultOf(parts, leased, outcome, startedAt)
}

/** This second's request: every attempt has the same bytes but its own signature. */
export const requestOf = (
  { slugOf, secretsOf }: Pick<DispatchParts, 'slugOf' | 'secretsOf'>,
  leased: Leased,
  now: Temporal.Instant,
): Request => {
  const { id, name, kind, occurred_at, data: whole, signatures, payload, include } = leased
  // The bytes are deleted seven days after the end at the earliest, and nothing starts after two days.
  if (whole === null) throw new Error('The bytes of the event are gone.')
  const scopes = scopesOfEndpoint(leased)
  if (kind === 'hook')
    return { body: Buffer.from(maskedData(scopes, name, whole)), headers: hookHeaders(name) }
  const body = messageBody({
    ...{ id, event: name, occurredAt: occurred_at, venueSlug: slugOf(leased) },
    ...dataForEndpoint(name, whole, leased.previous, { payload, include, scopes }),
    ...happenedOf(leased),
  })
  const signing = { secrets: secretsOf(leased, now), signatures }
  return { body, headers: signedHeaders({ id, event: name }, signing, body, now) }
}

/** Absent for an event recorded by the previous release. */
const happenedOf = ({
  public_id,
  names,
  record_kind,
  record_id,
  revision,
  answer,
}: Leased): { readonly happened?: Happened } => {
  if (public_id === null || names === null) return {}
  const record =
    record_kind !== null && record_id !== null && revision !== null
      ? { kind: record_kind, id: record_id, revision }
      : null
  return {
    happened: { eventId: public_id, record, names, answer: (answer as ChangeAnswer | null) ?? undefined },
  }
}

/** The effect on its delivery of an attempt that ends now. */
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
