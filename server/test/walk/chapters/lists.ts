import type { Chapter } from '../walk.ts'
import { rows } from '../rows.ts'

/** How `limit` and `since` are read, and what a list then holds. */

/** Webhook endpoints have an exchange of their own. */
const lists = rows
  .filter(({ access, query }) => access === 'any-key' && query && 'limit' in query)
  .map(({ path }) => `GET ${path}`)

const limitsAsked = [
  '1',
  '007',
  '100',
  '101',
  '99999999999999999999',
  '',
  '0',
  '-1',
  '+1',
  '1.5',
  '1e1',
  'ten',
  '%201',
]

const momentsAsked = [
  '2026-10-06T19:01:00Z',
  '2026-10-06T19:01:00.000000001Z',
  '2026-10-06T15:01:00-04:00',
  '2026-10-06T15:01:00-0400',
  '2026-10-06T15:01:00-04',
  '2026-10-06T21:01:00%2B02:00',
  '2026-10-06T21:01:00+02:00',
  '2026-10-06T21:01:00+0200',
  '2026-10-06T21:01:00%2B0200',
  '2026-10-06T19:01Z',
  '2026-10-06t19:01:00z',
  '2026-10-06%2019:01:00Z',
  '2026-10-06T15:01:00-04:00[America/New_York]',
  '2026-10-06T19:01:60Z',
  '',
  'yesterday',
  '2026-10-06',
  '2026-10-06T19:01:00',
  '1791313260',
  '2026-02-30T19:01:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '%202026-10-06T19:01:00Z',
]

export const reading: Chapter = {
  name: 'lists',
  take: async ({ service, ask, askEach, venue: makeVenue }) => {
    const venue = await makeVenue()
    await askEach('nothing there', lists, venue)
    for (let minute = 0; minute < 26; minute++) {
      service.setClock(`2026-10-06T19:${String(minute).padStart(2, '0')}:00Z`)
      await service.call('POST', '/api/v1/guests', {
        key: venue.key,
        body: { email: `g${minute}@example.com` },
      })
    }
    await ask('the newest 25, newest first', 'GET /api/v1/guests', venue)
    const windowOf = (query: string) => ask(`guests by ${query}`, `GET /api/v1/guests?${query}`, venue)
    await windowOf('limit=26')
    await windowOf('limit=2')
    await windowOf('limit=2&since=2026-10-06T19:01:00Z')
    await windowOf('since=2026-10-06T19:24:00Z')
    await windowOf('since=2026-10-06T19:24:00.001Z')
    await windowOf('color=red')

    for (const list of lists) {
      const at = (query: string) => `${list}?${query}`
      // Only guests are there; the other lists show whether it can be read.
      await askEach(
        `forms of limit, ${list}`,
        limitsAsked.map((limit) => at(`limit=${limit}&since=2026-10-07T00:00:00Z`)),
        venue,
      )
      await askEach(
        `forms of since, ${list}`,
        momentsAsked.map((since) => at(`limit=1&since=${since}`)),
        venue,
      )
      await askEach(
        `one of them twice, ${list}`,
        [at('limit=1&limit=1'), at('since=2026-10-06T19:01:00Z&since=2026-10-06T19:01:00Z')],
        venue,
      )
    }
    const webhooks = 'GET /api/v1/webhooks'
    await askEach(
      'limit and since of webhook endpoints',
      [
        webhooks,
        ...['limit=1', 'limit=0', 'limit=ten', 'since=2026-10-06T19:01:00Z', 'since=yesterday'].map(
          (query) => `${webhooks}?${query}`,
        ),
      ],
      venue,
    )
  },
}
