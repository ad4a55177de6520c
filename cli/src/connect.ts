import { VenueData, type VenueDataOptions } from '@venue-data/sdk'
import { type Line, textOf } from './command.ts'
import { NoKeyError, UsageError } from './failures.ts'
import { loadCredentials } from './keep/credentials.ts'
import { paint } from './print/paint.ts'
import type { World } from './world.ts'

/** The address and key a command uses, and where they came from. */
export type Access = {
  readonly url: string
  readonly key: string
  readonly from: 'flags' | 'environment' | 'file' | 'keychain'
}

/**
 * The address and the key: from the flags, else from the environment, else from `login`.
 *
 * @throws NoKeyError when either is missing
 */
export const accessOf = async ({ settings }: Pick<World, 'settings'>, line: Line): Promise<Access> => {
  const flag = textOf(line, 'key')
  const key = flag ?? settings.key
  const named = textOf(line, 'url') ?? settings.url
  const url = named === undefined ? undefined : readUrl(named)
  if (key !== undefined && url !== undefined) return { url, key, from: flag ? 'flags' : 'environment' }
  const saved = await loadCredentials(settings)
  if (key !== undefined) {
    if (saved) return { url: saved.url, key, from: flag ? 'flags' : 'environment' }
    throw new NoKeyError('Where is the service? Set VENUE_DATA_URL, or give --url.')
  }
  if (!saved)
    throw new NoKeyError('There is no key. Run `venue-data login`, or set VENUE_DATA_KEY and VENUE_DATA_URL.')
  // A saved key is sent only to the service it is for.
  if (url !== undefined && url !== saved.url)
    throw new NoKeyError(
      `The saved key is for ${saved.url}. Give the key for ${url} with VENUE_DATA_KEY or --key.`,
    )
  return saved.where === 'file' ? { ...saved, from: 'file' } : { ...saved, from: 'keychain' }
}

/**
 * A service's address as it is saved: without query or fragment.
 *
 * @throws UsageError when it is not valid
 */
export const readUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError('The address must be like https://venue.example.com.')
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
}

/** The client for a service. */
export const clientFor = (
  { err, runtime }: World,
  { url, key }: Pick<Access, 'url' | 'key'>,
  more: Pick<VenueDataOptions, 'retries'> = {},
): VenueData =>
  new VenueData({
    key,
    baseUrl: url,
    ...(runtime && { runtime }),
    ...more,
    onRetry: ({ waitMs, error }) => {
      const seconds = Math.ceil(waitMs / 1000)
      const why = error.message.split('\n')[0]?.replace(/\.?$/, '.')
      err.write(paint(err, 'dim', `${why} Trying again in ${seconds} s.\n`))
    },
  })

export const connect = async (world: World, line: Line): Promise<VenueData> =>
  clientFor(world, await accessOf(world, line), retriesOf(line))

/**
 * How often a call is tried again, where the command line says so.
 *
 * @throws UsageError when it is no number
 */
export const retriesOf = (line: Line): Pick<VenueDataOptions, 'retries'> => {
  const text = textOf(line, 'retries')
  if (text === undefined) return {}
  if (!/^\d{1,3}$/.test(text)) throw new UsageError('--retries must be a whole number, such as 0.')
  return { retries: Number(text) }
}
