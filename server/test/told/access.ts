import { followExpiry } from '../../integrations/access/follow-expiry.ts'
import type { Scene } from './stage.ts'

/** The doing of the table with a key, played for real. */

export const accessScenes = {
  'a key ends soon': [
    async ({ service, venue }) => {
      const expiresAt = service.context.clock().add({ hours: 24 * 13 })
      await venue.makeKey('read', 'api', { expiresAt })
      return () => followExpiry(service.context)
    },
  ],
} as const satisfies Record<string, readonly Scene[]>
