import { createOperatorsKey } from '../integrations/access/actions.ts'
import { checksumFor, hasKeyForm } from '../integrations/access/key-text.ts'
import { keyIsKnown } from '../integrations/access/keys.ts'
import type { Context } from '../context.ts'
import { venueBySlug, venueForUpdate } from '../core/venue/venues.ts'
import { demoSlug } from './make-demo.ts'

/** What is wrong with the keys of PRACTICE_KEYS, in a sentence that helps to fix them: they are not secrets. */
export const mistakeInFixedKeys = ({ practiceKeys }: Context['config']): string | undefined => {
  const wrong = practiceKeys.find(({ text }) => !hasKeyForm(text))
  return (
    wrong &&
    `The settings are wrong: the key ${wrong.text} of PRACTICE_KEYS must end in ${checksumFor(wrong.text)}, the checksum of what is before.`
  )
}

/**
 * Makes the missing keys of PRACTICE_KEYS for the demo venue: people who test against a practice instance then know
 * them beforehand. A fixed key that was revoked stays revoked. Returns how many the venue has by this setting;
 * undefined if there is no demo venue.
 */
export const makeFixedKeys = (
  context: Pick<Context, 'db' | 'clock' | 'random' | 'secrets' | 'config'>,
): Promise<number | undefined> =>
  context.db.transaction(async (db) => {
    const { practiceKeys } = context.config
    const found = await venueBySlug(db, demoSlug)
    if (!found) return undefined
    // Held: several processes may start at once.
    const venue = await venueForUpdate(db, found.id)
    for (const { text, kind, scope } of practiceKeys) {
      if (await keyIsKnown(context, db, text)) continue
      const name = `Fixed, ${kind === 'automation' ? 'automation platform' : scope.replace('_', ' and ')}`
      await createOperatorsKey(context, db, venue.id, { kind, scope, name, createdBy: 'PRACTICE_KEYS', text })
    }
    return practiceKeys.length
  })
