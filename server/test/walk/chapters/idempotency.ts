import { limits } from '@venue-data/contract/limits.ts'
import { setRules } from '../../open-rules.ts'
import { rowsOf } from '../../rows.ts'
import type { Chapter } from '../walk.ts'

const bodies = {
  reservations: {
    guestName: 'Maya',
    partySize: 2,
    date: '2026-10-09',
    time: '19:00',
    email: 'maya@example.com',
  },
  guests: { name: 'Ada', email: 'ada@example.com' },
  subscribers: { email: 'maya@example.com', consent: { source: 'Checkout' } },
  leads: { name: 'Maya', eventName: 'Birthday' },
  tasks: { title: 'Call Maya', priority: 'High' },
} as const
type Path = keyof typeof bodies

/** One key, one doing: replays, clashes, and what is said of a try that never finished. */
export const idempotency: Chapter = {
  name: 'idempotency',
  take: async ({ service, ask, venue: makeVenue }) => {
    const venue = await makeVenue()
    await setRules(service, venue)
    const post = (title: string, path: Path, idempotencyKey: string, body: object = bodies[path]) =>
      ask(title, `POST /api/v1/${path}`, {
        key: venue.key,
        body,
        headers: { 'idempotency-key': idempotencyKey },
      })
    for (const path of Object.keys(bodies) as Path[]) {
      service.setClock('2026-10-06T19:00:00Z')
      await post(`${path}: the first try`, path, 'one')
      service.setClock('2026-10-06T19:00:30Z')
      await post(`${path}: the same again`, path, 'one')
      await post(`${path}: the same key with another body`, path, 'one', { ...bodies[path], notes: 'More.' })
      // What a crash leaves: a claim without an answer.
      await rowsOf(
        service,
        `update idempotency set answered_at = null, status = null, body = null, record_id = null where endpoint = $1`,
        [`POST /api/v1/${path}`],
      )
      await post(`${path}: while the first try is under way`, path, 'one')
      await post(`${path}: another body, while the first try is under way`, path, 'one', {
        ...bodies[path],
        notes: 'More.',
      })
      service.setClock('2026-10-06T19:01:00Z')
      await post(`${path}: after the first try never finished`, path, 'one')
      service.setClock('2026-10-07T19:01:01Z')
      await post(`${path}: a day later`, path, 'one')
    }
    service.setClock('2026-10-06T20:00:00Z')
    await post('a refusal', 'reservations', 'refused', { ...bodies.reservations, time: '16:00' })
    await post('after a refusal, with another body', 'reservations', 'refused')
    await post('a reservation that will be cancelled', 'reservations', 'cancelled')
    await rowsOf(
      service,
      `update reservation set status = 'Cancelled', cancelled_at = created_at, cancelled_by = 'guest'`,
    )
    await post('after the reservation was cancelled', 'reservations', 'cancelled')
    await post('somebody on the list already', 'subscribers', 'two')
    await post('somebody on the list already, again', 'subscribers', 'two')
    await post('a key of 200 characters', 'tasks', 'x'.repeat(limits.idempotencyKeyCharacters))
    await post('a key of 201 characters', 'tasks', 'x'.repeat(limits.idempotencyKeyCharacters + 1))
    await post('a key with a blank', 'tasks', 'a b')
    await post('an empty key', 'tasks', '')
    await ask('a key where none is taken', 'POST /api/v1/webhooks', {
      key: venue.key,
      body: { url: 'https://hooks.bluedoor.com/', events: ['lead.created'] },
      headers: { 'idempotency-key': 'a b' },
    })
  },
}
