import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { type RecordKind, kinds } from '@venue-data/contract/kinds.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import type { Actor } from '../../../core/activity/actor.ts'
import type { Work } from '../../../context.ts'
import { isErasable, refuseErased } from './erased-records.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import type { SeenVersion } from '../../kernel/running/seen-version.ts'
import type { Venue } from '../../../core/venue/venue.ts'
import { type Expected, isExpected } from './if-match.ts'
import { recordTag } from './record-tag.ts'
import { type Asked, type Route, route } from '../serve.ts'
import { orGone } from './single-record.ts'

/*
 * A write to one record by id, through the same action as the office's. The action locks the row and then checks
 * whether it is the revision the caller has seen, so of two writes with one tag exactly one succeeds.
 */

type WriteRow = Endpoint & { readonly kind: RecordKind; readonly precondition: 'required' | 'optional' }

/** The action's input from the request: which record, who is asking, and the check of the revision they saw. */
export type RecordWrite<Input> = {
  readonly id: number
  readonly actor: Actor & { readonly kind: 'key' }
  readonly seenVersion: SeenVersion
  readonly input: Input
}

/** The record after the write, and the reply's other fields. */
type Done<Row> = {
  readonly row: Row
  readonly extra?: Readonly<Record<string, unknown>>
  /** 202: the request waits for a person's decision. */
  readonly status?: 202
}

/** The revision the caller has seen, and the fields it may see. */
type Seen = { readonly expected: Expected | undefined; readonly scopes: readonly Scope[] }

/** Serves a row that changes one record of a kind; replies with the record and whether anything changed. */
export const recordWrite = <E extends WriteRow, Row extends { readonly revision: number }, Input = undefined>(
  endpoint: E,
  {
    read,
    write,
    present,
    refusalDetails,
  }: {
    readonly read?: (asked: Asked<E>) => Input
    readonly write: (work: Work, asked: RecordWrite<Input>) => Promise<Row | Done<Row>>
    readonly present: (row: Row, venue: Venue) => unknown
    /** The refusal's extra details, as on any route. */
    readonly refusalDetails?: (
      work: Work,
      asked: Pick<RecordWrite<Input>, 'id' | 'input'>,
      refusal: Refusal,
    ) => Promise<Record<string, unknown> | undefined>
  },
): Route => {
  const tag = recordTag(endpoint.kind)
  const refuseOutdated = ({ expected, scopes }: Seen, row: Row, venue: Venue): void => {
    if (expected === undefined && endpoint.precondition === 'required') throw preconditionRequired()
    if (isExpected(expected, row.revision)) return
    throw changedMeanwhile(endpoint.kind.replace('_', ' '), present(row, venue), tag(row, scopes))
  }
  return route<Endpoint, Omit<RecordWrite<Input>, 'seenVersion'> & { seen: Seen }>(endpoint, {
    read: (asked) => ({
      id: Number(asked.params['id']),
      actor: { kind: 'key', id: asked.caller.key.id },
      seen: { expected: asked.expected, scopes: asked.caller.key.scopes },
      input: read?.(asked) as Input,
    }),
    answer: async (work, { seen, ...asked }) => {
      const { venue } = work
      let before: Row | undefined
      const seenVersion = (row: Row): void => {
        before = row
        refuseOutdated(seen, row, venue)
      }
      const about = { kind: endpoint.kind, id: asked.id }
      // Once the record was seen, a 404 is about something inside it.
      const isMissing = (): boolean => before === undefined
      if (endpoint.precondition === 'required' && isErasable(endpoint.kind))
        await refuseErased(work.db, venue.id, endpoint.kind, asked.id)
      const done = await orGone(work, about, write(work, { ...asked, seenVersion }), isMissing)
      const { row, ...reply } = 'row' in done ? done : { row: done }
      const changed = row.revision !== before?.revision
      return {
        status: reply.status ?? 200,
        body: { [kinds[endpoint.kind].field]: present(row, venue), changed, ...reply.extra },
      }
    },
    ...(refusalDetails && { refusalDetails }),
  })
}

const preconditionRequired = (): Refusal =>
  refuse(
    'precondition-required',
    'Send If-Match with the ETag you read, or * to write over whatever is there.',
  )

/** 412 with the current record, so the caller need not fetch it. */
export const changedMeanwhile = (what: string, current: unknown, etag: string): Refusal =>
  refuse('changed-meanwhile', `This ${what} was changed meanwhile.`, { current }, { etag })
