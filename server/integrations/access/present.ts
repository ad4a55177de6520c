import type { Account } from '@venue-data/contract/records/account.ts'
import {
  type Usage,
  type UsageOfDay,
  usageClasses,
  usageEndpointsMost,
} from '@venue-data/contract/records/usage.ts'
import type { KnownCaller } from './key-check.ts'
import type { UsageRow } from './usage-reads.ts'

/** What a key can see about itself; its allowed addresses are only for its owner. */
export const presentKey = ({
  kind,
  scope,
  name,
  scopes,
  createdAt,
  lastUsedAt,
  expiresAt,
  allowedAddresses,
  mayRotate,
}: KnownCaller['key']): Account['key'] => ({
  kind,
  scope,
  name,
  scopes,
  createdAt,
  lastUsedAt,
  expiresAt,
  allowedAddresses: allowedAddresses.length,
  mayRotate,
})

/** One key's usage. */
export const presentUsage = (
  { id, name }: Pick<KnownCaller['key'], 'id' | 'name'>,
  limit: number,
  rows: readonly UsageRow[],
): Usage => ({
  key: { id, name },
  days: [...Map.groupBy(rows, ({ day }) => day)].map(([date, own]) => ({ date, ...presentUse(own) })),
  rate: {
    limit,
    peakPerMinute: Math.max(0, ...rows.filter((row) => row.class === 'peak').map(({ count }) => count)),
  },
})

/** The totals of the counts. */
export const presentUse = (rows: readonly UsageRow[]): Omit<UsageOfDay, 'date'> => {
  const answers = rows.filter(({ endpoint }) => endpoint !== '')
  const countOf = (of: string): number => sumOf(rows.filter((row) => row.class === of))
  const byEndpoint = [...Map.groupBy(answers, ({ endpoint }) => endpoint)]
    .map(([endpoint, own]) => [endpoint, sumOf(own)] as const)
    .toSorted(([, one], [, other]) => other - one)
  return {
    requests: sumOf(answers),
    byStatus: Object.fromEntries(usageClasses.map((of) => [of, countOf(of)])),
    byEndpoint: Object.fromEntries(byEndpoint.slice(0, usageEndpointsMost)),
    deliveries: { delivered: countOf('delivered'), failed: countOf('failed') },
    waitedPolls: countOf('waited'),
  }
}

const sumOf = (rows: readonly UsageRow[]): number => rows.reduce((sum, { count }) => sum + count, 0)
