import { changeKey } from '../../../integrations/access/change-key.ts'
import { settleEnd } from '../../../integrations/access/follow-expiry.ts'
import { createKey, keyOfVenue } from '../../../integrations/access/keys.ts'
import { type Stage, type Trigger, there } from './trigger.ts'

/** The key of `--id`, or a new one. */
export const keyOf = async ({ work, actor, parts }: Stage, asked: number | undefined) => {
  const { db, venue } = work
  if (asked !== undefined) return there(await keyOfVenue(db, venue.id, asked), 'key', asked)
  const made = { kind: 'api', scope: 'read', name: 'Practice key', createdBy: actor.email } as const
  return (await createKey(parts, db, venue.id, made)).row
}

export const accessTriggers = {
  'access.key_expiring': {
    about: 'the key gets an end in a day, of which its owner is told',
    emits: 'access.key_expiring',
    on: 'key',
    run: async (stage, asked) => {
      const { work, actor, parts } = stage
      const now = work.now()
      const key = await keyOf(stage, asked)
      const { id, name, expires_at } = await changeKey(parts, work, actor, key.id, {
        expiresAt: now.add({ hours: 24 }),
      })
      await settleEnd(work, id, now)
      return { id, name, expiresAt: expires_at }
    },
  },
} as const satisfies Record<string, Trigger>
