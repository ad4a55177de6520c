import { refuse } from '../../../platform/kernel/refusal.ts'
import { type EditRequest, editReservation } from '../../../book/reservations/edits/edits.ts'
import type { ReservationOutcome } from '../../../book/day/outcome.ts'
import { unconfirmed } from '../../../book/reservations/staff-reasons.ts'
import { chooseTables } from '../../../book/tables/choose-tables.ts'
import { tablesHeld } from '../../../book/day/tables-of-booking-reads.ts'
import type { Held } from '../../../core/activity/table-change.ts'
import { undoTableChoice } from '../../../book/reservations/undo-choice.ts'
import { actorOf } from '../frame/actor.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

/** A booking's new time, size or length together with its tables: both or nothing. */
export const editAndSeat = async (
  work: OfficeWork,
  { tables, pinned, ...edit }: EditRequest & Held,
): Promise<ReservationOutcome> => {
  const actor = actorOf(work.me)
  const edited = await editReservation(work, actor, { ...edit, tables })
  if (edited.kind !== 'done' && edited.kind !== 'unchanged') return edited
  const held = await tablesHeld(work.db, work.venue.id, edit.id)
  const isThere = tables.join() === held.tables.join() && (tables.length === 0 || held.pinned === pinned)
  if (isThere) return edited
  const { besides = [], confirmed } = edit
  if (edited.kind === 'unchanged' && unconfirmed(besides, confirmed).length > 0)
    return { kind: 'needs override', reasons: besides }
  const chosen = await chooseTables(work, actor, { id: edit.id, tables, pinned })
  if (chosen.kind === 'refused' && edited.kind === 'done') throw refuse('not-in-state', chosen.sentence)
  if (chosen.kind === 'unchanged') return edited
  return chosen.kind === 'done' && edited.kind === 'done'
    ? { ...chosen, press: [...(edited.press ?? []), ...(chosen.press ?? [])] }
    : chosen
}

/** The undo of such a press: the time, the size and the length as they were, and everybody back at their tables. */
export const undoEditAndSeat = async (
  work: OfficeWork,
  { press, ...edit }: EditRequest & { readonly press: readonly number[] },
): Promise<ReservationOutcome> => {
  const actor = actorOf(work.me)
  const edited = await editReservation(work, actor, { ...edit, press })
  const { id, confirmed } = edit
  return edited.kind === 'unchanged'
    ? undoTableChoice(work, actor, { id, press, ...(confirmed && { confirmed }) })
    : edited
}
