import type { EventName } from '@venue-data/contract/events.ts'
import type { Actor } from '../../activity/actor.ts'
import type { Work } from '../../context.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Outcome } from '../../reservations/outcome.ts'
import { type ConfirmedReason, confirmationOf } from '../../reservations/staff-reasons.ts'

/**
 * One thing that `trigger` does for real, by the action that staff have for it. A new event needs a row in the table of
 * its kind; a test asks for one that causes each event of the contract.
 */
export type Trigger = {
  /** For --help; begins small. */
  readonly about: string
  /** The event that is told at the end; null: nobody is told. */
  readonly tells: EventName | null
  /** What --id names; null: this always makes a record of its own. */
  readonly on: string | null
  /** Does it on record `id`, or on one made for it; gives the record as the API shows it, of one that is gone as it was. */
  readonly run: (stage: Stage, id: number | undefined) => Promise<object>
}

/** A unit of work, who does it, and somebody whom nobody knows yet. */
export type Stage = {
  readonly work: Work
  readonly actor: Actor & { readonly kind: 'staff' }
  readonly somebody: Somebody
}

export type Somebody = { readonly name: string; readonly email: string; readonly phone: string }

/** Does what staff would: where rules speak against it, confirms them. Throws what is refused all the same. */
export const insist = async <Shown>(
  attempt: (confirmed: readonly ConfirmedReason[]) => Promise<Outcome<Shown>>,
): Promise<Shown> => {
  const first = await attempt([])
  const outcome = first.kind === 'needs override' ? await attempt(first.reasons.map(confirmationOf)) : first
  if (outcome.kind === 'done') return outcome.record
  throw new Refusal(
    409,
    outcome.kind === 'needs override'
      ? outcome.reasons.map(({ sentence }) => sentence).join(' ')
      : outcome.sentence,
  )
}

/** The row of `--id`. */
export const there = <Row>(row: Row | undefined, what: string, id: number): Row => {
  if (row === undefined) throw new Refusal(404, `There is no ${what} with the id ${id} at this venue.`)
  return row
}
