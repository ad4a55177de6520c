import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { atWork, idAt, make, wordsOf } from '../../test/office-forms.ts'
import { type TestService, startService } from '../../test/service.ts'

describe('the activity of a venue', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('shows a manager who changed what, when, from what to what, newest first', async () => {
    const { venue, visitor } = await atWork(service)
    assert.ok(wordsOf(await visitor.get('/office/activity')).includes('No activity yet.'))
    const { visitor: host } = await atWork(service, 'host', venue)
    const guest = idAt(await make(host, '/office/guests', { name: 'Maya', email: 'maya@example.com' }))
    await host.post(`/office/guests/${guest}/edit`, { version: '1', seatingPreference: 'Booth' })
    service.setClock('2026-10-07T02:30:00Z')
    await visitor.post(`/office/guests/${guest}/edit`, { version: '2', seatingPreference: 'Window' })
    const seen = await visitor.get('/office/activity')
    const words = wordsOf(seen)
    assert.ok(words.includes('Tuesday, October 6, 2026 10:30 PM Changed'), 'by the wall of the venue')
    const order = [
      `by manager seating preference: Booth → Window`,
      `by host seating preference: nothing → Booth`,
      'Added',
    ].map((text) => words.indexOf(text))
    assert.ok(!order.includes(-1) && order.toSorted((a, b) => a - b).join() === order.join(), words)
    assert.ok(seen.html.includes(`/office/guests/${guest}"`))
    assert.equal((await host.get('/office/activity')).status, 403)
  })

  it('names the rules that were overridden', async () => {
    const { venue, visitor } = await atWork(service)
    const overridden = [
      { reason: 'too-short-notice', figure: null },
      { reason: 'pacing-covers-full', figure: '12 of 10' },
    ]
    await service.db.session((client) =>
      client.query(
        `insert into activity (venue_id, at, actor_kind, action, record_kind, record_id, after)
         values ($1, now(), 'service', 'walkIn', 'reservation', 7, $2)`,
        [venue.id, JSON.stringify({ overridden })],
      ),
    )
    const words = wordsOf(await visitor.get('/office/activity'))
    assert.ok(words.includes('Seated as a walk-in: booking 7'), words)
    assert.ok(words.includes('overridden: too short notice, pacing covers full (12 of 10)'), words)
  })

  it('is read page by page to its beginning', async () => {
    const { venue, visitor } = await atWork(service)
    await service.db.session((client) =>
      client.query(
        `insert into activity (venue_id, at, actor_kind, action, record_kind, record_id, after)
         select $1, now(), 'service', 'make', 'task', n, jsonb_build_object('title', 'T' || n) from generate_series(1, 120) n`,
        [venue.id],
      ),
    )
    const titles: string[] = []
    let path: string | undefined = '/office/activity'
    let pages = 0
    while (path !== undefined) {
      const { html } = await visitor.get(path)
      titles.push(...[...html.matchAll(/>(T\d+)</g)].map(([, title]) => title as string))
      path = /rel="next" href="([^"]+)"/.exec(html)?.[1]
      pages++
    }
    assert.equal(pages, 3)
    assert.deepEqual(
      titles,
      Array.from({ length: 120 }, (_, i) => `T${120 - i}`),
    )
  })

  it('is filtered by person, kind and day', async () => {
    service.setClock('2026-10-07T03:30:00Z') // Still the 6th at the venue.
    const { venue, visitor } = await atWork(service)
    const { visitor: host } = await atWork(service, 'host', venue)
    const guest = idAt(await make(host, '/office/guests', { name: 'Maya', email: 'maya@example.com' }))
    service.setClock('2026-10-07T04:30:00Z')
    await visitor.post(`/office/guests/${guest}/edit`, { version: '1', name: 'Maya O' })
    await make(visitor, '/office/tasks', { title: 'Call the florist' })
    const words = async (query: string) => {
      const seen = await visitor.get(`/office/activity?${query}`)
      assert.equal(seen.status, 200, `${query}: ${seen.html}`)
      return wordsOf(seen)
    }
    const id = async (name: string) =>
      new RegExp(`<option value="(\\d+)"\\s*>${name}<`).exec(
        (await visitor.get('/office/activity')).html,
      )?.[1] ?? ''
    const byHost = await words(`staff=${await id('host')}`)
    assert.ok(byHost.includes('Added guest') && !byHost.includes('Changed guest'), byHost)
    const tasks = await words('kind=task')
    assert.ok(tasks.includes('Call the florist') && !tasks.includes('Changed guest'), tasks)
    const ofDay = await words('day=2026-10-07')
    assert.ok(ofDay.includes('Changed guest') && !ofDay.includes('Added guest'), ofDay)
    assert.ok((await words('day=2026-10-01')).includes('Nothing of this kind.'))
    assert.ok((await words('day=soon&staff=x&kind=odd')).includes('Call the florist'))
  })
})
