import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { reviewAccess } from '../../../integrations/access/actions.ts'
import { makeKeyText } from '../../../integrations/access/key-text.ts'
import { revokeKey } from '../../../integrations/access/keys.ts'
import { askForAccess } from '../../../integrations/access/owner.ts'
import { staff } from '../../../book/reservations/test/book.ts'
import { rowsOf } from '../../rows.ts'
import { startBeside } from '../../wire.ts'
import type { Chapter } from '../walk.ts'
import { rows } from '../rows.ts'

/** What is asked before anything of the request itself is read: who asks, how often, for which venue, with what right. */

const requestOf = ({ method, path }: Endpoint): string => `${method} ${path.replaceAll(/\{\w+\}/g, '1')}`
const everyEndpoint = rows.map(requestOf)
const me = 'GET /api/v1/me'

export const doors: Chapter = {
  name: 'doors',
  take: async (walk) => {
    const { service, ask, askEach } = walk
    const { venue, act } = await walk.book()
    const set = (text: string) => rowsOf(service, `update venue set ${text} where id = $1`, [venue.id])
    const readOnly = await venue.makeKey('read')
    const automation = await venue.makeKey('read_write', 'automation')
    const automationReads = await venue.makeKey('read', 'automation')

    await ask('who a read and write key is', me, venue)
    await ask('who a read-only key is', me, readOnly)
    await ask('who an automation key is', me, automation)

    await askEach('without a key', everyEndpoint)
    await ask('an empty key', me, { key: '' })
    await ask('a key of another form', me, { key: 'nonsense' })
    const mistyped = `${venue.key.slice(0, -1)}${venue.key.endsWith('A') ? 'B' : 'A'}`
    walk.call(mistyped, 'mistyped key')
    await ask('a mistyped key', me, { key: mistyped })
    const unknown = makeKeyText(service.context.random)
    walk.call(unknown, 'unknown key')
    await ask('an unknown key', me, { key: unknown })
    await ask('two keys', me, { key: `${venue.key}, ${venue.key}` })
    const revoked = await venue.makeKey('read_write')
    await revokeKey(service.db, revoked.id, 'test', service.context.clock())
    await ask('a revoked key', me, revoked)
    await ask('a key in Authorization as a bearer', me, { headers: { authorization: `Bearer ${venue.key}` } })
    await ask('a key in Authorization alone', me, { headers: { authorization: venue.key } })
    await ask('a key in Authorization for a write', 'POST /api/v1/tasks', {
      headers: { authorization: `Bearer ${venue.key}` },
      body: { title: 'Call Maya' },
    })
    await ask('something else in Authorization', me, { headers: { authorization: 'Basic bWF5YTpzZWNyZXQ=' } })
    await ask('a key in Authorization beside a good one', me, {
      key: venue.key,
      headers: { authorization: `Bearer ${venue.key}` },
    })
    await ask('a key in the address', `${me}?x-service-key=${venue.key}`)
    await ask('a key in a cookie', me, { headers: { cookie: `x-service-key=${venue.key}` } })

    for (const row of rows.filter(({ access }) => access !== 'any-key')) {
      await ask(`a read-only key on ${requestOf(row)}`, requestOf(row), readOnly)
    }
    for (const row of rows.filter(({ access }) => access === 'own-software')) {
      await ask(`an automation key on ${requestOf(row)}`, requestOf(row), automation)
      await ask(`a read-only automation key on ${requestOf(row)}`, requestOf(row), automationReads)
    }
    await ask('an automation key makes a task', 'POST /api/v1/tasks', {
      ...automation,
      body: { title: 'Call Maya' },
    })

    await set('paused = true')
    await askEach('an account that is paused', everyEndpoint, venue)
    await set('paused = false')
    for (const plan of ['free', 'starter', 'legacy', 'group', 'pro']) {
      await set(`plan = '${plan}'`)
      await ask(`an api key on the plan ${plan}`, me, venue)
      await ask(`an automation key on the plan ${plan}`, me, automation)
    }
    for (const access of ['none', 'requested', 'declined']) {
      await set(`access = '${access}'`)
      await ask(`an api key where access is ${access}`, me, venue)
      await ask(`an automation key where access is ${access}`, me, automation)
    }
    await set(`access = 'approved'`)

    const review = (what: Parameters<typeof reviewAccess>[2]) =>
      service.db.transaction((db) => reviewAccess({ db, now: service.context.clock }, venue.id, what, 'Why'))
    await review('withdraw')
    await ask('an api key after the access was withdrawn', me, venue)
    await ask('an automation key after the access was withdrawn', me, automation)
    const laterApi = await venue.makeKey('read_write')
    const laterAutomation = await venue.makeKey('read_write', 'automation')
    await ask('a new api key after the access was withdrawn', me, laterApi)
    await ask('a new automation key after the access was withdrawn', me, laterAutomation)
    await act((work) => askForAccess(work, staff('owner'), 'A page with our free tables.'))
    await ask('a new api key after access was asked for anew', me, laterApi)
    await ask('a new automation key after access was asked for anew', me, laterAutomation)
    await review('approve')
    await ask('that api key after access was given again', me, laterApi)
    await ask('that automation key after access was given again', me, laterAutomation)

    const away = await walk.venue()
    await rowsOf(service, 'delete from venue where id = $1', [away.id])
    await askEach('the venue of the key is gone', everyEndpoint, away)

    const busy = await walk.venue()
    await ask('the first request of a minute', me, busy)
    await Promise.all(Array.from({ length: 118 }, () => service.call('GET', '/api/v1/me', busy)))
    await ask('the 120th request of a minute', me, { ...busy, sameMinute: true })
    await askEach('more than 120 requests in a minute', everyEndpoint, { ...busy, sameMinute: true })
    service.setClock('2026-10-06T19:00:59.001Z')
    await ask('a second before the minute is over', me, { ...busy, sameMinute: true })
    service.setClock('2026-10-06T19:01:00Z')
    await ask('when the minute is over', me, { ...busy, sameMinute: true })

    // Nothing listens on port 1.
    const nowhere = new URL(service.databaseUrl)
    nowhere.port = '1'
    const cutOff = await startBeside(service, nowhere.href)
    await askEach('a database that is not reached', everyEndpoint, { ...busy, url: cutOff.url })
    await cutOff.stop()
    await rowsOf(service, 'alter table api_key rename to mislaid')
    await askEach('a fault of ours', everyEndpoint, busy)
  },
}
