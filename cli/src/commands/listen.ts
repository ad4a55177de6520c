import { type Run, has, textOf } from '../command.ts'
import { connect } from '../connect.ts'
import { type Delivery, deliveryOf } from '../deliver/delivery.ts'
import { forward, readForwardAddress } from '../deliver/forward.ts'
import { exitCodes } from '../exit-codes.ts'
import { UsageError } from '../failures.ts'
import { listenSecret } from '../keep/listen-secret.ts'
import { forgetListening, noteListening } from '../keep/listening.ts'
import { exchangeLine } from '../print/exchange.ts'
import { paint } from '../print/paint.ts'
import { printable } from '../print/printable.ts'

/** Reads events and sends them to a program on this machine, as a webhook endpoint would get them. */
export const listen: Run = async (world, line) => {
  const address = textOf(line, 'forward-to')
  if (address === undefined)
    throw new UsageError('Where to? Give --forward-to, such as http://localhost:3000/hook.')
  const to = readForwardAddress(address)
  const asked = textOf(line, 'events')?.split(',') ?? ['*']
  const venue = await connect(world, line)
  const secret = await listenSecret(world, line)
  const { venue: place } = await venue.me()
  const names = asked.includes('*') ? undefined : asked
  const feed = venue.events({ after: 'latest', ...(names && { names }), signal: world.signal })
  const send = async (delivery: Delivery): Promise<void> => {
    const exchange = await forward(delivery, to, secret, world)
    world.out.write(
      has(line, 'json') ? `${JSON.stringify(exchange)}\n` : exchangeLine(exchange, world.now(), world.out),
    )
  }
  const begin = async (): Promise<void> => {
    await noteListening(world.settings, { to, secret })
    world.err.write(
      `Forwarding events of ${printable(place.name)} to ${to}\nSigning secret: ${paint(world.err, 'bold', secret)}\nPress Ctrl-C to stop.\n`,
    )
  }
  let isReady = false
  try {
    for await (const { items } of feed.pages()) {
      if (!isReady) await begin()
      isReady = true
      for (const item of items) {
        const delivery = deliveryOf(item, place.slug, asked)
        if (delivery) await send(delivery)
      }
    }
  } catch (error) {
    // It runs until it is interrupted, so that is not a failure.
    if (!world.signal.aborted) throw error
  } finally {
    if (isReady) await forgetListening(world.settings)
  }
  return exitCodes.ok
}
