import { type Moment, toMoment } from '../../platform/kernel/time/moment.ts'
import type { Signing } from './sending/message.ts'

/** An endpoint's stored secrets: the current one, and the previous one while both are valid. */
export type SealedSecrets = {
  /** Null: a hook has none. */
  readonly secret_sealed: string | null
  readonly previous_secret_sealed: string | null
  readonly previous_until: Moment | null
}

/** Whether the previous secret is still valid. */
export const isRotating = (
  { previous_until }: Pick<SealedSecrets, 'previous_until'>,
  now: Temporal.Instant,
): boolean => previous_until !== null && previous_until > toMoment(now)

/** What an endpoint's deliveries are signed with at a moment, newest first. */
export const secretsAt = (
  sealed: SealedSecrets,
  now: Temporal.Instant,
  open: (sealed: string) => string,
): Signing['secrets'] => {
  const newest = open(sealed.secret_sealed ?? '')
  const before = isRotating(sealed, now) ? sealed.previous_secret_sealed : null
  return before === null ? [newest] : [newest, open(before)]
}
