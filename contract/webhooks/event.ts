import type { Static, TObject } from 'typebox'
import { type RecordKind, kinds } from '../kinds.ts'
import type { Scope } from '../scopes.ts'

/** An event, as the table of events has it. */
export type Told<T extends TObject = TObject> = {
  readonly when: string
  /** The kind of record it is about; null: none. */
  readonly kind: RecordKind | null
  /** The scope a key needs to receive it; null: none. */
  readonly scope: Scope | null
  /** The shape of its `data`. */
  readonly data: T
  /** An example of `data` after such an event. */
  readonly example: Static<T>
  /** More general names that always apply together with this one. */
  readonly also: readonly string[]
  /**
   * The day it was added; absent: part of version 1 from the beginning. Events added later leave room in the pace for
   * the others.
   */
  readonly since?: string
}

/** The day of most additions. */
const growth = '2026-11-23'

type More<T extends TObject> = {
  readonly after?: Partial<Static<T>>
  readonly also?: readonly string[]
  /** The day it was added, where that is another. */
  readonly since?: string
}

const exampleOf = <T extends TObject>(data: T): Static<T> =>
  (data as unknown as { examples: [Static<T>] }).examples[0]

/** The events of a kind of record: the original ones, and those added later. */
export const eventsOf = <K extends RecordKind>(kind: K) => {
  const data = kinds[kind].record as (typeof kinds)[K]['record']
  const told =
    (usual: string | undefined) =>
    (when: string, { after = {}, also = [], since = usual }: More<typeof data> = {}): Told<typeof data> => ({
      when,
      kind,
      scope: `${kinds[kind].scope}:read` as Scope,
      data,
      example: { ...exampleOf(data), ...after },
      also,
      ...(since !== undefined && { since }),
    })
  return { first: told(undefined), late: told(growth) }
}

/** An event added later, with its own shape of `data`. */
export const lateEvent = <T extends TObject>(
  when: string,
  data: T,
  { kind = null, scope = null }: Partial<Pick<Told, 'kind' | 'scope'>> = {},
): Told<T> => ({ when, kind, scope, data, example: exampleOf(data), also: [], since: growth })
