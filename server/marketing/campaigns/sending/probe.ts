import type { Context } from '../../../context.ts'
import type { RelayState } from './pace.ts'
import { changeRelay, readRelay, relayName } from './relay.ts'

/* The relay is tried once a minute, by whichever process comes first, so that nobody schedules a mail to a dead one. */

/** Milliseconds: how often it is tried, how long another process's try counts as ours, how long a try says something. */
export const probeLimits = { everyMs: 60_000, sharedMs: 45_000, goodMs: 300_000 } as const

/** Tries the relay of SMTP_URL, unless somebody just did, and keeps what came of it. */
export const probeRelay = async ({
  db,
  config,
  clock,
}: Pick<Context, 'db' | 'config' | 'clock'>): Promise<void> => {
  if (config.smtpUrl === undefined || config.practice) return
  const name = relayName(config)
  const { probe } = await readRelay(db, name)
  const ago = clock().epochMilliseconds - (probe?.at ?? Number.NEGATIVE_INFINITY)
  if (ago >= 0 && ago < probeLimits.sharedMs) return
  const { answers } = await import('../../../mail/try-relay.ts')
  const isUp = await answers(config.smtpUrl)
  const at = clock().epochMilliseconds
  await changeRelay(db, name, (state) => ({ state: { ...state, probe: { at, isUp } } }))
}

/** Whether the relay is usable, as far as was heard lately; null: nothing was. One left alone after trouble is not. */
export const isRelayUp = ({ hold, probe }: RelayState, nowMs: number): boolean | null => {
  if (hold !== undefined && hold.until > nowMs) return false
  return probe !== undefined && nowMs - probe.at < probeLimits.goodMs ? probe.isUp : null
}
