import { Resolver } from 'node:dns/promises'

/** Longest wait for name servers before an attempt, in milliseconds, both queries together. */
export const RESOLVE_LIMIT_MS = 3_000

/** First wait for one name server's reply, in milliseconds; the second query waits twice as long. */
const FIRST_REPLY_MS = 1_000

/**
 * Returns every IPv4 and IPv6 address that a name has now, as text; an empty list for a name without any. Rejects when
 * the name does not exist or no name server answered in time.
 */
export type ResolveName = (name: string) => Promise<string[]>

/**
 * Asks the machine's name servers (not its hosts file, and not the thread pool, which a few slow names would fill) for
 * A and AAAA. Nothing is cached: the contract has every delivery checked again. Only callers that ask while the same
 * query is in progress share its reply, which is then newer than their call.
 * @param options.servers name servers instead of the machine's own, `address:port`
 * @param options.limitMs budget in milliseconds
 */
export const createResolver = (
  options: { readonly servers?: readonly string[]; readonly limitMs?: number } = {},
): ResolveName => {
  const limitMs = options.limitMs ?? RESOLVE_LIMIT_MS
  const resolver = new Resolver({ timeout: Math.min(FIRST_REPLY_MS, limitMs), tries: 2 })
  if (options.servers) resolver.setServers(options.servers)
  const open = new Map<string, Promise<string[]>>()

  const ask = (name: string): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const found: string[] = []
      let missing = 2
      let trouble: unknown
      // One family's reply is enough if the other's does not come: whatever is connected to has been vetted.
      const end = () => {
        clearTimeout(budget)
        // A copy: a late reply must not get into a list that has been vetted.
        if (found.length > 0 || trouble === undefined) resolve([...found])
        else reject(trouble instanceof Error ? trouble : new Error(`${name} could not be resolved.`))
      }
      const budget = setTimeout(() => {
        trouble ??= new Error(`${name} was not resolved within ${limitMs} ms.`)
        end()
      }, limitMs)
      const replied = (addresses: string[]) => {
        found.push(...addresses)
        if (--missing === 0) end()
      }
      const failed = (error: unknown) => {
        trouble = error
        if (--missing === 0) end()
      }
      resolver.resolve4(name).then(replied, failed)
      resolver.resolve6(name).then(replied, failed)
    })

  return (name) => {
    const already = open.get(name)
    if (already) return already
    const reply = ask(name)
    open.set(name, reply)
    const forget = () => open.delete(name)
    reply.then(forget, forget)
    return reply
  }
}
