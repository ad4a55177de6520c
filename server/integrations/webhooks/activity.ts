import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'

type EndpointAction = 'enableEndpoint' | 'sendAgain' | 'changeEndpoint' | 'rotateSecret'

/** In the trail; an endpoint's name there is its host, since the path of its address may hold a secret. */
export const record = (
  work: Work,
  actor: Actor,
  action: EndpointAction,
  after: Readonly<Record<string, unknown>>,
): Promise<void> =>
  recordActivity(
    work,
    actor,
    // An endpoint's id is not a number; no page shows its trail.
    { action, record: { kind: 'webhook_endpoint', id: 0 }, before: null, after },
    work.now(),
  )

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
