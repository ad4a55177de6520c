import type { BatchOutcome, BatchResult } from '@venue-data/contract/batch.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import type { BatchRow, Besides, DoneItem } from './reads.ts'

/** After a check nothing was created: a new record has no id, and the outcomes say what would be. */
export const presentResult = (
  { mode }: Pick<BatchRow, 'mode'>,
  { ref, status, record_id: id, reason, error, besides }: DoneItem,
  scopes: readonly Scope[],
): BatchResult => ({
  ref,
  status: mode === 'check' ? wouldBe[status] : status,
  id,
  reason,
  error,
  ...seenBeside(besides, scopes),
})

/** What differs from a matched guest says something about the guest. */
const seenBeside = (besides: Besides | null, scopes: readonly Scope[]): Besides | null =>
  besides?.conflicting && !scopes.includes('guests:read') ? null : besides

const wouldBe = { made: 'would-make', matched: 'would-match', refused: 'refused' } as const satisfies Record<
  DoneItem['status'],
  BatchOutcome
>
