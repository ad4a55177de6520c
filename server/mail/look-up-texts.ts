import { Resolver } from 'node:dns/promises'
import { codeOf } from '../platform/kernel/code-of.ts'

/**
 * The texts (TXT) at a name of the DNS, those of one record joined; empty if it has none. Rejects when the answer is
 * unknown: no name server answered in time, or none knew.
 */
export type LookUpTexts = (name: string) => Promise<readonly string[]>

/** Longest wait for name servers, first wait for one reply, and how long answers and faults are kept; milliseconds. */
export const textLimits = {
  budgetMs: 3_000,
  firstReplyMs: 1_000,
  keepMs: 300_000,
  keepFaultMs: 30_000,
} as const

/** Names kept at once; the oldest give way. */
const mostKept = 1_000

/**
 * Asks the name servers of the machine, not its thread pool. Nothing is logged: the names are the customers'.
 * @param options.servers name servers instead of the machine's own, `address:port`
 */
export const createTextLookUp = (
  options: { readonly servers?: readonly string[]; readonly budgetMs?: number } = {},
): LookUpTexts => {
  const budgetMs = options.budgetMs ?? textLimits.budgetMs
  const resolver = new Resolver({ timeout: Math.min(textLimits.firstReplyMs, budgetMs), tries: 2 })
  if (options.servers) resolver.setServers(options.servers)
  return async (name) => {
    const { promise, reject } = Promise.withResolvers<never>()
    const budget = setTimeout(() => reject(new Error('No name server answered in time.')), budgetMs)
    try {
      const records = await Promise.race([resolver.resolveTxt(name), promise])
      return records.map((strings) => strings.join(''))
    } catch (error) {
      if (['ENODATA', 'ENOTFOUND'].includes(codeOf(error) ?? '')) return []
      throw error
    } finally {
      clearTimeout(budget)
    }
  }
}

/** Keeps answers for some minutes, and a fault for half a minute; who asks meanwhile shares the question under way. */
export const keepTexts = (
  lookUp: LookUpTexts,
  nowMs: () => number = () => performance.now(),
): LookUpTexts => {
  const kept = new Map<string, { readonly texts: Promise<readonly string[]>; untilMs: number }>()
  return (name) => {
    const known = kept.get(name)
    if (known && known.untilMs > nowMs()) return known.texts
    kept.delete(name)
    const texts = lookUp(name)
    const one = { texts, untilMs: nowMs() + textLimits.keepMs }
    kept.set(name, one)
    texts.catch(() => {
      one.untilMs = nowMs() + textLimits.keepFaultMs
    })
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
    }
    return texts
  }
}
