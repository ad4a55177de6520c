import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import type { Actor } from '../../../core/activity/actor.ts'
import type { Context, Work } from '../../../context.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import type { Outcome } from '../../../book/day/outcome.ts'
import { type ConfirmedReason, confirmationOf } from '../../../book/reservations/staff-reasons.ts'

/**
 * One thing that `trigger` does, by the action that staff have for it. A new event needs a row in its kind's table; a
 * test requires one that causes each event in the contract.
 */
export type Trigger = {
  /** For --help; begins in lower case. */
  readonly about: string
  /** A name of the event emitted at the end; null: no event. */
  readonly emits: EventName | null
  /** What --id names; null: it always creates its own record. */
  readonly on: string | null
  /** Does it on record `id`, or on one created for it; returns the record as the API shows it, a deleted one as it was. */
  readonly run: (stage: Stage, id: number | undefined) => Promise<object>
}

/** A unit of work, who does it, and a new person's details. */
export type Stage = {
  readonly work: Work
  readonly actor: Actor & { readonly kind: 'staff' }
  readonly somebody: Somebody
  /** What keys are made with. */
  readonly parts: Pick<Context, 'secrets' | 'random' | 'clock' | 'config'>
}

export type Somebody = { readonly name: string; readonly email: string; readonly phone: string }

/** Does what staff would, overriding the rules where they may. Throws remaining refusals. */
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
