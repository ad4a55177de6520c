import type { ActivityRow } from '../../../core/activity/reads.ts'
import { nameAmongStaff } from '../../../core/staff/staff-names.ts'

/** What staff are called, by account. */
export type Called = ReadonlyMap<number, string>

/** Who did something, by name; an account's address is nobody's business here. */
export const whoDid = (
  { actor_kind, actor_id, actor_name }: Pick<ActivityRow, 'actor_kind' | 'actor_id' | 'actor_name'>,
  called: Called,
): string =>
  (actor_kind === 'staff' && actor_id !== null ? called.get(actor_id) : undefined) ??
  (actor_name === null ? undefined : nameAmongStaff({ name: null, email: actor_name })) ??
  actors[actor_kind] ??
  actor_kind

const actors: Record<string, string> = { guest: 'the guest', key: 'an integration', service: 'the service' }
