import type { BatchKind } from '@venue-data/contract/batch.ts'
import { kinds } from '@venue-data/contract/kinds.ts'
import type { Caller } from '../access/key-check.ts'
import type { Work } from '../../context.ts'
import { isDatabaseDown, isWorthAnotherTry } from '../../platform/db/faults.ts'
import { ourFault } from '../../platform/http/refusals.ts'
import { type Route, nobodyWaits, readerOf } from '../../platform/http/serve.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import type { Besides, WaitingItem } from './reads.ts'
import type { Outcome } from './writes.ts'

/** The route of a single POST, and how it reads requests. */
type SinglePost = Route & { readonly reads: ReturnType<typeof readerOf> }

export type SinglePosts = Readonly<Record<BatchKind, SinglePost>>

export const singlePost = (route: Route): SinglePost => ({ ...route, reads: readerOf(route) })

/** An item that fails in the middle of its work: everything its transaction did is rolled back. */
export class ItemFailed extends Error {
  readonly outcome: Outcome

  constructor(item: number, cause: unknown) {
    super('an item of a batch failed', { cause })
    this.name = 'ItemFailed'
    this.outcome = refused(item, cause instanceof Refusal ? cause : ourFault())
  }
}

export type Writing = {
  readonly kind: BatchKind
  readonly post: SinglePost
  readonly caller: Caller
  /** Items whose result is already known, by id; they are skipped. */
  readonly known: ReadonlyMap<number, Outcome>
}

/** Writes items one after the other, each as its single POST would. @throws ItemFailed */
export const writeItems = async (
  work: Work,
  writing: Writing,
  items: readonly WaitingItem[],
): Promise<Outcome[]> => {
  const outcomes: Outcome[] = []
  for (const item of items)
    outcomes.push(writing.known.get(item.id) ?? (await writeItem(work, writing, item)))
  return outcomes
}

const writeItem = async (
  work: Work,
  { kind, post, caller }: Writing,
  { id, body: sent }: WaitingItem,
): Promise<Outcome> => {
  const { venue, now } = work
  let input: unknown
  try {
    const request = { query: {}, params: {}, body: sent, venue, caller, now: now(), left: nobodyWaits }
    ;({ input } = post.reads(request))
  } catch (error) {
    // Nothing was touched yet.
    if (error instanceof Refusal) return refused(id, error)
    throw error
  }
  try {
    const { status, body } = await post.answer(work, input)
    return outcomeOf(kind, id, status, body as Reply)
  } catch (error) {
    throw isDatabaseDown(error) || isWorthAnotherTry(error) ? error : new ItemFailed(id, error)
  }
}

type Reply = Readonly<Record<string, unknown>> & { readonly conflicting?: object; readonly status?: string }

const outcomeOf = (kind: BatchKind, item: number, status: number, body: Reply): Outcome => {
  const record = body[kinds[kind].field] as { readonly id: number } | null
  return {
    item,
    status: status === 201 ? 'made' : 'matched',
    recordId: record?.id ?? null,
    reason: null,
    error: null,
    besides: besidesIn(kind, body),
  }
}

/** What an answer says in addition to the record, without personal details. */
const besidesIn = (kind: BatchKind, { conflicting, status }: Reply): Besides | null => {
  if (kind === 'subscriber' && status !== undefined) return { outcome: status }
  return conflicting ? { conflicting: Object.keys(conflicting) } : null
}

const refused = (item: number, { message, reason, problem }: Refusal): Outcome => ({
  item,
  status: 'refused',
  recordId: null,
  reason: reason ?? problem?.reason ?? null,
  error: message,
  besides: null,
})
