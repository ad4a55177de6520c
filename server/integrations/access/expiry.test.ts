import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { unknownKey } from '../../platform/http/refusals.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { staffOf } from '../../test/office.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, aTuesdayAfternoon, startService } from '../../test/service.ts'
import { type Scene, startScene } from '../webhooks/test/scene.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { changeKey } from './change-key.ts'
import { followExpiry } from './follow-expiry.ts'

const start = Temporal.Instant.from(aTuesdayAfternoon)
const inDays = (days: number, hours = 0) => start.add({ hours: 24 * days + hours })

/** Changes a key's expiry, as its owner does. */
const prolong = (
  { context, db }: TestService,
  venue: TestVenue,
  id: number,
  expiresAt: Temporal.Instant | null,
) =>
  db.transaction((queries) =>
    changeKey(
      context,
      { db: queries.within(venue.id), venue: venue as unknown as Venue, now: context.clock },
      { kind: 'service' },
      id,
      { expiresAt },
    ),
  )

describe("a key's expiry", () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const me = (key: string) => service.call('GET', '/api/v1/me', { key })
  const expiresOf = async (key: string) => (await me(key)).headers.get('x-key-expires')

  it('an expired key gets 401 with the usual sentence; every answer announces it for fourteen days before', async () => {
    service.setClock(aTuesdayAfternoon)
    const venue = await service.venue()
    const { key } = await venue.makeKey('read', 'api', { expiresAt: inDays(20) })
    assert.equal(await expiresOf(key), null)
    assert.equal((await me(key)).body.key.expiresAt, toMoment(inDays(20)))
    service.setClock(inDays(5, 23).toString())
    assert.equal(await expiresOf(key), null)
    service.setClock(inDays(7).toString())
    assert.equal(await expiresOf(key), toMoment(inDays(20)))
    const refused = await service.call('POST', '/api/v1/tasks', { key, body: { title: 'x' } })
    assert.deepEqual([refused.status, refused.headers.get('x-key-expires')], [403, toMoment(inDays(20))])
    assert.equal(await expiresOf(venue.key), null, 'a key without an end')
    service.setClock(inDays(20).subtract({ milliseconds: 1 }).toString())
    assert.equal((await me(key)).status, 200)
    service.setClock(inDays(20).toString())
    const over = await me(key)
    assert.deepEqual([over.status, over.body], [401, { error: unknownKey().message }])
  })

  it('the owner is notified 14, 3 and 1 days before, once each, by mail and by an event', async () => {
    service.setClock(aTuesdayAfternoon)
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'owner')
    await staffOf(service, venue, 'host')
    const { id } = await venue.makeKey('read', 'api', { name: 'Widget', expiresAt: inDays(20) })
    const mailFolder = join(service.context.config.dataDir, 'mail')
    const told = async () => {
      await followExpiry(service.context)
      await followExpiry(service.context)
      const events = await rowsOf<{ data: string }>(
        service,
        `select data from event where venue_id = $1 and name = 'access.key_expiring' order by id`,
        [venue.id],
      )
      const files: string[] = await readdir(mailFolder).catch(() => [])
      return {
        events: events.map(({ data }) => JSON.parse(data)),
        mails: files.toSorted((one, other) => one.localeCompare(other)),
      }
    }
    const counts = async (days: number, hours = 0) => {
      service.setClock(inDays(days, hours).toString())
      const { events, mails } = await told()
      return [events.length, mails.length]
    }
    assert.deepEqual(await counts(5, 23), [0, 0])
    assert.deepEqual(await counts(6), [1, 1])
    assert.deepEqual(await counts(16, 23), [1, 1])
    assert.deepEqual(await counts(17), [2, 2])
    assert.deepEqual(await counts(19), [3, 3])
    assert.deepEqual(await counts(20), [3, 3])
    const { events, mails } = await told()
    assert.deepEqual(events[0], { id, name: 'Widget', expiresAt: toMoment(inDays(20)) })
    const mail = await readFile(join(mailFolder, mails[0] as string), 'utf8')
    assert.match(mail, new RegExp(`Delivered-To: ${email}`))
    assert.match(mail.replaceAll('=\r\n', ''), /Widget/)
  })

  it('a key whose expiry was moved meanwhile is announced again', async () => {
    service.setClock(aTuesdayAfternoon)
    const venue = await service.venue()
    const { id } = await venue.makeKey('read', 'api', { expiresAt: inDays(2) })
    const count = async () =>
      (await rowsOf(service, 'select from event where venue_id = $1', [venue.id])).length
    await followExpiry(service.context)
    assert.equal(await count(), 1)
    await prolong(service, venue, id, inDays(100))
    service.setClock(inDays(90).toString())
    await followExpiry(service.context)
    assert.equal(await count(), 2)
    await assert.rejects(prolong(service, venue, id, inDays(1)), { name: 'Refusal', status: 400 })
  })
})

describe('webhook endpoints of a key that expires', () => {
  let scene: Scene
  before(async () => {
    scene = await startScene()
    scene.worker()
  })
  after(() => scene.stop())

  it('are paused when it expires, and go on with the held deliveries when it is extended', async () => {
    const { service } = scene
    const venue = await service.venue()
    const receiver = await scene.receiver()
    const day = service.context.clock().add({ hours: 24 })
    const { key, id } = await venue.makeKey('read_write', 'api', { expiresAt: day })
    const endpoint = await scene.endpoint({ ...venue, key }, receiver)
    await followExpiry(service.context)
    await scene.happen(venue)
    await scene.quiet()
    assert.equal(receiver.received.length, 1)

    scene.pass(24 * 3_600_000)
    await followExpiry(service.context)
    const off = await scene.shown(venue, endpoint.id)
    assert.deepEqual([off['status'], off['disabledReason']], ['disabled', 'key-expired'])
    await scene.sweep()
    await scene.happen(venue, 2)
    await scene.quiet()
    assert.equal(receiver.received.length, 1, 'held')

    await prolong(service, venue, id, service.context.clock().add({ hours: 24 }))
    await scene.quiet()
    const on = await scene.shown(venue, endpoint.id)
    assert.deepEqual([on['status'], on['disabledReason']], ['active', null])
    assert.equal(receiver.received.length, 3, 'what was held is sent')

    await scene.query('update webhook_endpoint set off_mail_due = false where id = $1', [endpoint.id])
    receiver.answer(410)
    await scene.happen(venue)
    await scene.quiet()
    await scene.sweep()
    const [again] = await scene.query('select off_mail_due from webhook_endpoint where id = $1', [
      endpoint.id,
    ])
    assert.deepEqual(again, { off_mail_due: true }, 'that it is off again is told again')
  })

  it('one that failed too often stays off', async () => {
    const { service } = scene
    const venue = await service.venue()
    const { key, id } = await venue.makeKey('read_write', 'api', {
      expiresAt: service.context.clock().add({ hours: 1 }),
    })
    const endpoint = await scene.endpoint({ ...venue, key }, await scene.receiver())
    await scene.query(
      `update webhook_endpoint set status = 'disabled', disabled_reason = 'too-many-failures' where id = $1`,
      [endpoint.id],
    )
    scene.pass(3_600_000)
    await followExpiry(service.context)
    await prolong(service, venue, id, null)
    assert.equal((await scene.shown(venue, endpoint.id))['disabledReason'], 'too-many-failures')
  })
})
