import type { Batch, BatchOutcome, BatchResult } from '@venue-data/contract/batch.ts'
import type { BatchRow, DoneItem } from './reads.ts'

export const presentBatch = ({
  id,
  kind,
  mode,
  status,
  total,
  done,
  made,
  matched,
  refused,
}: BatchRow): Batch => ({
  id,
  kind,
  mode,
  status,
  total,
  done,
  made,
  matched,
  refused,
})

/** After a check nothing was created: a new record has no id, and the outcomes say what would be. */
export const presentResult = (
  { mode }: Pick<BatchRow, 'mode'>,
  { ref, status, record_id: id, reason, error, besides }: DoneItem,
): BatchResult => ({
  ref,
  status: mode === 'check' ? wouldBe[status] : status,
  id,
  reason,
  error,
  ...besides,
})

const wouldBe = { made: 'would-make', matched: 'would-match', refused: 'refused' } as const satisfies Record<
  DoneItem['status'],
  BatchOutcome
>
