import { type ActivityRow, newestOfRecord } from '../../../core/activity/reads.ts'
import type { RecordKind } from '../../../core/activity/record.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

/**
 * What a press wrote that is now sent again, because its answer was lost or by a double tap: the only change since the
 * version that the page showed is the same press, by the same person, who could not have pressed it on that page if it had
 * been done before. It gets the answer of the first. Undefined where anything else has changed the record.
 */
export const ownPress = async (
  { db, venue, me }: OfficeWork,
  { kind, id }: { readonly kind: RecordKind; readonly id: number },
  now: { readonly version: number },
  { action, seenVersion }: { readonly action: string; readonly seenVersion: number },
): Promise<ActivityRow | undefined> => {
  if (now.version !== seenVersion + 1) return undefined
  const last = await newestOfRecord(db, venue.id, kind, id)
  const isSame = last?.actor_kind === 'staff' && last.actor_id === me.staff.id && last.action === action
  return isSame ? last : undefined
}
