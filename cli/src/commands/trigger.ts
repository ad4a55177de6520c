import type { SampleRequest, VenueData } from '@venue-data/sdk'
import { type Line, type Run, has, textOf } from '../command.ts'
import { connect } from '../connect.ts'
import { sampleOf } from '../deliver/delivery.ts'
import { type Exchange, forward, readForwardAddress, wasTaken } from '../deliver/forward.ts'
import { didYouMean } from '../did-you-mean.ts'
import { exitCodes } from '../exit-codes.ts'
import { UsageError } from '../failures.ts'
import { events } from '../generated/actions.ts'
import { listenSecret } from '../keep/listen-secret.ts'
import { type Listening, readListening } from '../keep/listening.ts'
import { exchangeLine } from '../print/exchange.ts'
import type { World } from '../world.ts'

/** Sends a sample of an event; it fails unless the receiver answers 2xx. */
export const trigger: Run = async (world, line) => {
  const [event] = line.operands
  if (event === undefined)
    throw new UsageError(
      'Which event? Name one, such as reservation.created; `venue-data list-types events` lists them.',
    )
  const endpoint = textOf(line, 'endpoint')
  const address = textOf(line, 'forward-to')
  if (endpoint !== undefined && address !== undefined)
    throw new UsageError('--endpoint and --forward-to do not go together.')
  const target = endpoint === undefined ? await targetOf(address, world, line) : undefined
  const venue = await connect(world, line)
  const exchange =
    target === undefined
      ? await byTheService(venue, endpoint as string, event)
      : await byOurselves(venue, target, event, world)
  world.out.write(
    has(line, 'json') ? `${JSON.stringify(exchange)}\n` : exchangeLine(exchange, world.now(), world.out),
  )
  return wasTaken(exchange) ? exitCodes.ok : exitCodes.refused
}

const byTheService = async (venue: VenueData, endpoint: string, event: string): Promise<Exchange> => {
  const { id, statusCode, error, durationMs } = await venue.webhooks.sample(endpoint, {
    // The service may know events added after this program's release.
    event: event as SampleRequest['event'],
  })
  return {
    event,
    id,
    about: 'sample',
    status: statusCode,
    durationMs,
    ...(error !== null && statusCode === 0 && { error }),
  }
}

/** The given address, or else the one a running `listen` forwards to. */
const targetOf = async (address: string | undefined, world: World, line: Line): Promise<Listening> => {
  const given = textOf(line, 'secret')
  if (address !== undefined)
    return { to: readForwardAddress(address), secret: await listenSecret(world, line) }
  const listening = await readListening(world.settings)
  if (!listening)
    throw new UsageError(
      'Where to? Start `venue-data listen --forward-to URL` first, or give --forward-to URL, or --endpoint ID (see `venue-data list webhooks`).',
    )
  return given === undefined ? listening : { ...listening, secret: await listenSecret(world, line) }
}

const byOurselves = async (
  venue: VenueData,
  { to, secret }: Listening,
  event: string,
  world: World,
): Promise<Exchange> => {
  const [types, { venue: place }] = await Promise.all([venue.events.listTypes(), venue.me()])
  const type = types.find(({ name }) => name === event)
  if (!type) throw new UsageError(`There is no event "${event}".${didYouMean(event, Object.keys(events))}`)
  const delivery = sampleOf(type, events[event] ?? [event], place.slug, crypto.randomUUID())
  return forward(delivery, to, secret, world, { 'x-service-sample': 'true' })
}
