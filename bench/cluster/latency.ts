import { makeVenue } from '../ground.ts'
import { median } from '../report.ts'
import type { Book } from './book.ts'
import { bookingAt, daysAhead } from './bookings.ts'
import { type Scene, ask } from './scene.ts'

const rounds = 300
const builds = 3

/** Medians for a single caller that waits for each answer, so this measures latency. */
export const measureLatency = async (book: Book, { context, url }: Scene, people: number): Promise<void> => {
  const { id, keys } = await makeVenue(context, 'latency', 1)
  const call = { key: keys[0] as string }
  const medianOf = async (times: number, run: (n: number) => Promise<unknown>): Promise<number> => {
    const took: number[] = []
    for (let n = 0; n < times; n++) {
      const began = performance.now()
      await run(n)
      took.push(performance.now() - began)
    }
    // The first ones only warm up.
    return median(took.slice(Math.floor(times / 10)))
  }
  const tell = (name: string, times: number, run: (n: number) => Promise<unknown>) =>
    book.step(name, async () => `median ${(await medianOf(times, run)).toFixed(1)} ms of ${times}`)

  await tell('latency of GET /me', rounds, () => ask(url, 'GET', '/me', 200, call))
  await tell('latency of POST /guests', rounds, (n) =>
    ask(url, 'POST', '/guests', 201, { ...call, body: { name: 'Maya', email: `guest.${n}@example.com` } }),
  )
  await tell('latency of POST /reservations', rounds, (n) =>
    ask(url, 'POST', '/reservations', 201, {
      ...call,
      body: bookingAt(daysAhead(context, 1 + (n % 20)), `latency-${n}`),
    }),
  )
  await tell('latency of GET /reservations, 25 of them', rounds, () =>
    ask(url, 'GET', '/reservations', 200, call),
  )
  await book.step(`${people} subscribers are made`, () =>
    context.db
      .session((client) =>
        client.query(
          `insert into subscriber (venue_id, email, email_key, first_name, status, source, consent_at, created_at, updated_at)
         select $1, 'p' || n || '@example.com', 'p' || n || '@example.com', 'Maya', 'subscribed', 'import', now(), now(), now()
           from generate_series(1, $2::int) as n`,
          [id, people],
        ),
      )
      .then(() => undefined),
  )
  const body = { name: 'Oyster week', subject: 'Oysters', bodyHtml: '<p>Six kinds.</p>' }
  await tell(`latency of POST /campaigns/compose, ${people} people`, builds, async () => {
    const made = await ask(url, 'POST', '/campaigns', 200, { ...call, body })
    await ask(url, 'POST', '/campaigns/compose', 200, { ...call, body: { id: made.body.campaign.id } })
  })
}
