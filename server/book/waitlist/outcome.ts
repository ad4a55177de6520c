import type { WaitlistEntry } from '@venue-data/contract/records/waitlist-entry.ts'
import type { Outcome } from '../day/outcome.ts'
import type { StaffReason } from '../reservations/staff-reasons.ts'
import { type EntryRow, presentWaitlistEntry } from '../day/entry-row.ts'

export type WaitlistOutcome = Outcome<WaitlistEntry>

export const entryDone = (entry: EntryRow, overridden: readonly StaffReason[] = []): WaitlistOutcome => ({
  kind: 'done',
  record: presentWaitlistEntry(entry),
  version: entry.version,
  overridden,
})

export const entryKept = (
  entry: EntryRow,
  { kind, sentence }: { readonly kind: 'unchanged' | 'refused'; readonly sentence: string },
): WaitlistOutcome => ({
  kind,
  record: presentWaitlistEntry(entry),
  version: entry.version,
  sentence,
})
