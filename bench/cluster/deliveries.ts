import assert from 'node:assert/strict'
import { eventually } from '../../server/test/eventually.ts'
import { startReceiver } from '../../server/test/receiver.ts'
import { verify } from '../../server/integrations/webhooks/sending/signature.ts'
import { makeVenue } from '../ground.ts'
import type { Book } from './book.ts'
import { bookingAt, daysAhead } from './bookings.ts'
import { type Scene, ask } from './scene.ts'

const venues = 8
/** Two events each; together they stay below a venue's limit per minute. */
const bookings = 20

/** Bookings at several venues at once, and the events their receivers got: each once, signed, from no other venue. */
export const tryDeliveries = async (book: Book, { context, url }: Scene): Promise<void> => {
  const receiver = await startReceiver()
  try {
    await book.step('deliveries of webhooks', async () => {
      const expected = new Set<string>()
      const secrets = new Map<string, string>()
      const one = async (n: number): Promise<void> => {
        const slug = `try-${n}`
        const { keys } = await makeVenue(context, slug, 1)
        const key = keys[0] as string
        const { body: endpoint } = await ask(url, 'POST', '/webhooks', 201, {
          key,
          body: { url: `${receiver.url}/${slug}`, events: ['reservation.created', 'guest.created'] },
        })
        secrets.set(slug, endpoint.secret)
        for (let i = 0; i < bookings; i++) {
          const { body } = await ask(url, 'POST', '/reservations', 201, {
            key,
            body: bookingAt(daysAhead(context, 1 + (i % 20)), `${slug}-${i}`),
          })
          expected.add(`${slug} reservation.created ${body.reservation.id}`)
        }
        const { body: guests } = await ask(url, 'GET', '/guests?limit=100', 200, { key })
        assert.equal(guests.length, bookings)
        for (const { id } of guests) expected.add(`${slug} guest.created ${id}`)
      }
      await Promise.all(Array.from({ length: venues }, (_, n) => one(n)))
      const booked = performance.now()
      await eventually(() => receiver.received.length >= expected.size)
      const behind = ((performance.now() - booked) / 1000).toFixed(1)
      const got = receiver.received.map(({ path, headers, body, atMs }) => {
        const slug = path.slice(1)
        const now = Math.round((performance.timeOrigin + atMs) / 1000)
        const verdict = verify(secrets.get(slug) ?? '', headers['x-service-signature'] as string, body, now)
        assert.equal(verdict, 'ok')
        const { event, venue, data } = JSON.parse(body.toString())
        assert.equal(venue.slug, slug)
        return `${slug} ${event} ${data.id}`
      })
      assert.deepEqual(got.toSorted(), [...expected].toSorted())
      return `${got.length} events of ${venues} venues, each once and signed, the last ${behind} s after the last booking`
    })
  } finally {
    await receiver.stop()
  }
}
