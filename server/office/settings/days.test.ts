import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { OfficeVisitor, Seen } from '../../test/office.ts'
import { atWork, fieldsIn, followed, hiddenIn } from '../../test/office-forms.ts'
import { type TestService, startService } from '../../test/service.ts'

describe('days, blocks and tables out of order in the settings', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const days = '/office/settings/days'
  const dinner = { 'name-0': 'Dinner', 'opens-0': '17:00', 'closes-0': '23:00' }

  /** Sends a form of the settings as a page just opened would, and shows where it led. */
  const send = async (visitor: OfficeVisitor, page: string, path: string, fields: Record<string, string>) => {
    const answer = await visitor.post(path, { seen: hiddenIn(await visitor.get(page), 'seen'), ...fields })
    return answer.status === 303 ? followed(visitor, answer) : answer
  }

  /** The forms of a page that go to an address, each with what it sends. */
  const formsTo = ({ html }: Seen, path: string): Record<string, string>[] =>
    [...html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([^]*?)<\/form>/g)].flatMap(([, to, inner = '']) =>
      to === path ? [fieldsIn({ html: `<main>${inner}` } as Seen)] : [],
    )

  /** Presses the first Remove of a kind, and then the same once more, as from a page that is still open. */
  const removeTwice = async (visitor: OfficeVisitor, page: string, path: string) => {
    const shown = await visitor.get(page)
    const [form] = formsTo(shown, path)
    assert.ok(form, `a form to ${path}`)
    const done = await followed(visitor, await visitor.post(path, form))
    const again = await visitor.post(path, { ...form, seen: hiddenIn(done, 'seen') })
    return { done, again: again.status === 303 ? await followed(visitor, again) : again }
  }

  const atVenue = async () => {
    const { venue, visitor } = await atWork(service)
    for (const weekday of [1, 2, 3, 4, 5, 6, 7])
      await send(visitor, '/office/settings', `/office/settings/hours/${weekday}`, dinner)
    const reasonOn = async (date: string, time = '19:00') =>
      (
        await service.call('GET', `/api/v1/availability/check?date=${date}&time=${time}&partySize=2`, {
          key: venue.key,
        })
      ).body.reason
    return { venue, visitor, reasonOn }
  }

  it('closed days, a special day and a block are removed as they were added; a removal that finds nothing says so', async () => {
    const { visitor, reasonOn } = await atVenue()
    const add = (what: string, fields: Record<string, string>) =>
      send(visitor, days, `/office/settings/${what}`, fields)
    await add('closures', { from: '2026-11-27', to: '2026-11-28', name: 'Boiler "B" <2>' })
    await add('closures', { from: '2026-12-01', to: '', name: 'Painting' })
    await add('special-days', { date: '2026-12-08', name: 'Staff party' })
    await add('blocks', { serviceDate: '2026-12-10', from: '18:00', to: '20:00', scope: 'all' })
    const dates = ['2026-11-28', '2026-12-01', '2026-12-08', '2026-12-10'] as const
    assert.deepEqual(await Promise.all(dates.map((date) => reasonOn(date))), [
      ...['closed', 'closed', 'closed', 'blocked'],
    ])
    for (const [what, said, left] of [
      ['closures', /Closure removed\./, [null, 'closed', 'closed', 'blocked']],
      ['closures', /Closure removed\./, [null, null, 'closed', 'blocked']],
      ['special-days', /back to its usual hours\./, [null, null, null, 'blocked']],
      ['blocks', /Block removed\./, [null, null, null, null]],
    ] as const) {
      const { done, again } = await removeTwice(visitor, days, `/office/settings/${what}/remove`)
      assert.match(done.words, said)
      assert.deepEqual(await Promise.all(dates.map((date) => reasonOn(date))), left)
      assert.match(again.words, /That is no longer on the list\. Nothing was removed\./)
      assert.doesNotMatch(again.words, said)
    }
  })

  it('a table out of order and a room closed by day are ended as they were added; what is not listed is not', async () => {
    const { visitor } = await atVenue()
    const home = '/office/settings/tables'
    const add = (path: string, fields: Record<string, string>) =>
      send(visitor, home, `${home}${path}`, fields)
    await add('', { tables: 'label,room,most\n11,Patio,4', combinations: 'tables,least,most' })
    const outage = { table: '11', why: 'Leg', from: '2026-10-09', until: '2026-10-12' }
    await add('/out-of-order', outage)
    const twice = await add('/out-of-order', outage)
    assert.equal(twice.status, 400)
    assert.match(twice.words, /That is already on the list\./)
    await add('/by-day', { place: 'room Patio', from: '2026-10-09', to: '2026-10-10' })
    for (const [path, said, gone] of [
      ['out-of-order/end', /The table can be used again\./, /Every table can be used\./],
      ['by-day/end', /Removed\. It is used on these days again\./, /used on every day\./],
    ] as const) {
      const { done, again } = await removeTwice(visitor, home, `${home}/${path}`)
      assert.match(done.words, said)
      assert.match(done.words, gone)
      assert.equal(again.status, 409)
      assert.match(again.words, /That is no longer on the list\. Nothing was removed\./)
    }
  })

  it('the same closed days and the same block are listed once; a note for staff stays with its own block', async () => {
    const { visitor } = await atVenue()
    const closure = { from: '2026-12-24', to: '2026-12-26', name: 'Christmas' }
    const block = { serviceDate: '2026-12-01', from: '19:00', to: '20:00', scope: 'online' }
    for (const [what, fields] of [
      ['closures', closure],
      ['blocks', block],
    ] as const) {
      const path = `/office/settings/${what}`
      assert.equal((await send(visitor, days, path, fields)).status, 200)
      const twice = await send(visitor, days, path, fields)
      assert.equal(twice.status, 400)
      assert.match(twice.words, /That is already on the list\./)
      assert.equal(formsTo(await visitor.get(days), `${path}/remove`).length, 1)
    }
    const longer = { ...block, to: '21:00', staffNote: 'Okafor party' }
    const shown = await send(visitor, days, '/office/settings/blocks', longer)
    assert.match(shown.words, /7:00\s–\s9:00\sPM online only No public note · staff: Okafor party/)
    assert.doesNotMatch(shown.words, /7:00\s–\s8:00\sPM online only No public note · staff/)
  })
})
