import { revokeOperatorsKey } from '../../../integrations/access/actions.ts'
import { rowsOf } from '../../rows.ts'
import type { Chapter } from '../walk.ts'

const url = 'https://hooks.bluedoor.com/bookings'
const events = ['reservation.created', 'guest.created']
const zapier = 'https://hooks.zapier.com/hooks/standard/1/abc/'

/** Endpoints and hooks: what is taken, what a test says, how they end. */
export const webhooks: Chapter = {
  name: 'webhooks',
  take: async ({ service, ask, told, receivers, venue: makeVenue }) => {
    const venue = await makeVenue()
    const { key } = venue
    // Each a minute after the one before, so that the list has one order.
    const later = () => service.setClock(service.context.clock().add({ minutes: 1 }).toString())
    const add = (title: string, body: object, asked = key) => {
      later()
      return ask(title, 'POST /api/v1/webhooks', { key: asked, body })
    }
    const list = (title: string) => ask(title, 'GET /api/v1/webhooks', { key })
    const test = (title: string, id: string) => ask(title, `POST /api/v1/webhooks/${id}/test`, { key })
    const remove = (title: string, id: string) => ask(title, `DELETE /api/v1/webhooks/${id}`, { key })

    await list('none')
    const first = (await add('an endpoint', { url, events })).body.id as string
    await add('the same address', { url, events })
    await add('the same address in another spelling', {
      url: 'HTTPS://Hooks.BlueDoor.com:443/bookings#x',
      events,
    })
    const second = (
      await add('an event named twice', { url: `${url}/2`, events: ['lead.created', 'lead.created'] })
    ).body.id as string
    await list('the newest first')

    for (const address of [
      'http://hooks.bluedoor.com/',
      'https://203.0.113.7/',
      'https://[2001:db8::1]/',
      'https://2130706433/',
      'https://localhost/',
      'https://printer.local/',
      'https://data.internal/',
      'https://bluedoor/',
      'https://maya:secret@bluedoor.com/',
      'https://bluedoor.com:8443/',
      'https://bluedoor.com/a/../b',
      'https://bluedoor.com/%zz',
      'https://größe.com/',
      'https://-bluedoor.com/',
      'bluedoor.com',
    ]) {
      await add(`the address ${address}`, { url: address, events })
    }
    await add('an address that is too long', { url: `${url}/${'x'.repeat(2_000)}`, events })
    await add('no address', { events })
    await add('no events', { url: `${url}/3` })
    await add('an empty list of events', { url: `${url}/3`, events: [] })
    await add('events as text', { url: `${url}/3`, events: 'lead.created' })
    await add('an unknown event', { url: `${url}/3`, events: ['lead.created', 'lead.moved'] })
    await add('the event ping', { url: `${url}/3`, events: ['ping'] })

    await told('a ping', () => test('a test', first))
    for (const status of [200, 302, 404, 500]) {
      receivers(status)
      await test(`a test that is answered with ${status}`, first)
    }
    receivers(204)
    for (const host of ['unreachable', 'refused']) {
      const { id } = (
        await add(`an endpoint that will be ${host}`, { url: `https://${host}.bluedoor.com/`, events })
      ).body
      await test(`a test of what is ${host}`, id)
      await remove(`what is ${host}`, id)
    }
    await list('tests leave no trace')

    const guest = (name: string) =>
      service.call('POST', '/api/v1/guests', {
        key,
        body: { name, email: `${name.toLowerCase()}@example.com` },
      })
    await told('a guest, delivered', () => guest('Maya'))
    await list('after a delivery')
    receivers(500)
    await told('a guest, not delivered', () => guest('Ada'))
    await list('after a failure')
    receivers(410)
    await told('a guest, and the endpoint is gone', () => guest('Grace'))
    await list('after it was gone')
    receivers(204)
    await test('a test of what was switched off', first)

    const maker = await venue.makeKey('read_write')
    const { body } = await add('an endpoint of another key', { url: `${url}/4`, events }, maker.key)
    await service.db.transaction((db) => revokeOperatorsKey({ db, now: service.context.clock }, maker.id))
    await list('after that key was revoked')
    await test('a test of an endpoint whose key is revoked', body.id)

    const other = await makeVenue()
    await ask('the endpoints of another venue', 'GET /api/v1/webhooks', other)
    await ask('the endpoint of another venue', `DELETE /api/v1/webhooks/${first}`, other)
    await ask('a test of another venue', `POST /api/v1/webhooks/${first}/test`, other)
    await remove('an endpoint is removed', second)
    await remove('an endpoint that is gone', second)
    await test('a test of an endpoint that is gone', second)
    await remove('an id that is none', 'abc')
    await test('a test of an id that is none', 'abc')
    for (let i = 0; i < 8; i++) {
      later()
      await service.call('POST', '/api/v1/webhooks', { key, body: { url: `${url}/more/${i}`, events } })
    }
    await add('an eleventh', { url: `${url}/11`, events })

    const hook = (title: string, body: object, asked = key) =>
      ask(title, 'POST /api/v1/hooks', { key: asked, body })
    const unhook = (title: string, id: string) => ask(title, `DELETE /api/v1/hooks/${id}`, { key })
    const automation = await venue.makeKey('read_write', 'automation')
    const made = await hook('a hook', { event: 'lead.created', targetUrl: zapier }, automation.key)
    await hook('the same hook again', { event: 'lead.created', targetUrl: zapier })
    await hook('a hook on another host', { event: 'lead.created', targetUrl: 'https://hooks.bluedoor.com/' })
    await hook('a hook over http', { event: 'lead.created', targetUrl: 'http://hooks.zapier.com/' })
    await hook('a hook for an unknown event', { event: 'lead.moved', targetUrl: zapier })
    await hook('a hook without an event', { targetUrl: zapier })
    await hook('a hook without an address', { event: 'lead.created' })
    await told('what hooks are sent', () =>
      service.call('POST', '/api/v1/leads', { key, body: { name: 'Maya' } }),
    )
    await list('hooks are not listed')
    await remove('a hook is no endpoint', made.body.id)
    await unhook('a hook that goes', made.body.id)
    await unhook('a hook that is gone', made.body.id)
    await rowsOf(
      service,
      `insert into webhook_endpoint (venue_id, id, kind, url, address, events, status, key_id, created_at)
       select $1, gen_random_uuid(), 'hook', $2, $2, '{lead.created}', 'active', 0, $3 from generate_series(1, 99)`,
      [venue.id, zapier, service.context.clock().toString()],
    )
    await hook('too many hooks', { event: 'lead.created', targetUrl: zapier })
  },
}
