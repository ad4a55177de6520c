import type { Account } from '@venue-data/sdk'
import { scopesText } from '../print/scopes.ts'
import type { Finding } from './finding.ts'

const soonDays = 14

/** How long the key works, and what it may do. */
export const keyFindings = ({ venue, plan, key }: Account, now: number): Finding[] => [
  ending(key, now),
  {
    is: 'fine',
    about: 'access',
    sentence: `${venue.name} (${venue.slug}), plan ${plan}: ${scopesText(key.scopes) || 'nothing'}.`,
    ...(key.scope === 'read' && { advice: 'The key may only read. To write, ask the owner for another.' }),
  },
]

const ending = ({ name, expiresAt, mayRotate }: Account['key'], now: number): Finding => {
  const known = `The key "${name}" is valid`
  if (expiresAt === null) return { is: 'fine', about: 'key', sentence: `${known} and does not expire.` }
  const days = Math.floor((Date.parse(expiresAt) - now) / 86_400_000)
  const sentence = `${known} until ${expiresAt.slice(0, 10)}.`
  if (days > soonDays) return { is: 'fine', about: 'key', sentence }
  const advice = mayRotate
    ? 'Run `venue-data rotate key overlapHours=24`, and save the new key with `venue-data login`.'
    : 'Ask the owner for a new one before then.'
  return { is: 'warning', about: 'key', sentence, advice }
}
