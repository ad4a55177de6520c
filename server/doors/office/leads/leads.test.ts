import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { atWork, followed, hiddenIn, idAt, make, versionOn, wordsOf } from '../../../test/office-forms.ts'
import { type TestService, startService } from '../../../test/service.ts'

describe('the leads of the office', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const columnOf = (html: string, stage: string) =>
    html.slice(html.indexOf(`aria-label="${stage}"`)).split('</section>', 1)[0] ?? ''

  it('are on the board by stage, and a press without script moves one', async () => {
    const { visitor } = await atWork(service)
    assert.ok(wordsOf(await visitor.get('/office/leads')).includes('No inquiries yet.'))
    const added = await make(visitor, '/office/leads', {
      contactName: 'Maya Okafor',
      contactEmail: 'maya@example.com',
      eventDate: 'mid December',
      priority: 'High',
    })
    const id = idAt(added)
    const board = await visitor.get('/office/leads')
    assert.ok(columnOf(board.html, 'Inquiry').includes('mid December'))
    const version = hiddenIn(board, 'version')
    const moved = await visitor.post(`/office/leads/${id}/stage`, { version, stage: 'Proposal' })
    assert.equal(moved.to, '/office/leads')
    assert.ok(columnOf((await followed(visitor, moved)).html, 'Proposal').includes('Maya Okafor'))
    const stale = await followed(
      visitor,
      await visitor.post(`/office/leads/${id}/stage`, { version, stage: 'Lost' }),
    )
    assert.ok(wordsOf(stale).includes('This lead was just changed by someone else'))
    assert.ok(columnOf(stale.html, 'Proposal').includes('Maya Okafor'))
    const nowhere = await visitor.post(`/office/leads/${id}/stage`, {
      version: await versionOn(visitor, `/office/leads/${id}`),
      stage: 'Nowhere',
    })
    assert.ok(
      wordsOf(await followed(visitor, nowhere)).includes('The venue has no such stage; its stages are '),
    )
  })

  it('show a figure alone as a budget for each person, and other words as they were written', async () => {
    const { visitor } = await atWork(service)
    for (const budgetPerPerson of ['140', '$95–120'])
      await make(visitor, '/office/leads', { contactName: 'Maya', guestCount: '40', budgetPerPerson })
    const { words } = await visitor.get('/office/leads')
    assert.match(words, /40 guests · budget 140 per person/)
    assert.match(words, /40 guests · \$95–120/)
  })

  it('keep notes and drafts that never leave', async () => {
    const { venue, visitor } = await atWork(service)
    const id = idAt(await make(visitor, '/office/leads', { contactName: 'Maya' }))
    const path = `/office/leads/${id}`
    const token = hiddenIn(await visitor.get(path), 'token')
    await visitor.post(`${path}/notes`, { token, kind: 'draft', text: 'Dear Maya, SECRET-DRAFT' })
    const twice = await followed(
      visitor,
      await visitor.post(`${path}/notes`, { token, kind: 'draft', text: 'Dear Maya, SECRET-DRAFT' }),
    )
    assert.ok(wordsOf(twice).includes('Draft saved, not sent.'))
    assert.equal(twice.html.split('SECRET-DRAFT').length, 3, 'shown once, and once in its form')
    const note = /notes\/(\d+)"/.exec(twice.html)?.[1]
    await visitor.post(`${path}/notes/${note}`, { version: '1', text: 'SECRET-AGAIN' })
    const stale = await visitor.post(`${path}/notes/${note}`, { version: '1', text: 'My other words' })
    assert.equal(stale.status, 409)
    assert.ok(stale.html.includes('My other words'))
    const { text } = await service.call('GET', '/api/v1/leads', { key: venue.key })
    const events = await service.db.session((client) =>
      client.query('select data::text as data from event where venue_id = $1', [venue.id]),
    )
    for (const seen of [text, JSON.stringify(events.rows)]) assert.ok(!seen.includes('SECRET'))
    await visitor.post(`${path}/notes/${note}`, { version: '2', do: 'remove' })
    assert.ok(wordsOf(await visitor.get(path)).includes('Nothing written yet.'))
    const empty = await make(visitor, `${path}/notes`, { kind: 'note', text: '  ' })
    assert.equal(empty.status, 400)
  })

  it('are edited by the one who was first, and deleted', async () => {
    const { visitor } = await atWork(service)
    const id = idAt(await make(visitor, '/office/leads', { contactName: 'Maya' }))
    const path = `/office/leads/${id}/edit`
    const version = await versionOn(visitor, path)
    const [one, other] = await Promise.all([
      visitor.post(path, { version, contactName: 'Maya', guestCount: '35-40' }),
      visitor.post(path, { version, contactName: 'Maya', guestCount: '60' }),
    ])
    assert.deepEqual(
      new Set([one.status, other.status]),
      new Set([303, 409]),
      'one wins, the other gets a conflict',
    )
    const told = one.status === 409 ? one : other
    assert.ok(wordsOf(told).includes('just changed by someone else'))
    const low = await visitor.post(`/office/leads/${id}/priority`, { version: '2', priority: 'Low' })
    assert.ok(
      (await followed(visitor, low)).html.includes('<span class="stage-now" aria-current="true">Low</span>'),
    )
    await visitor.post(`/office/leads/${id}/delete`, { version: '3' })
    assert.equal((await visitor.get(`/office/leads/${id}`)).status, 404)
    const nameless = await make(visitor, '/office/leads', { contactName: ' ', occasion: 'Birthday' })
    assert.equal(nameless.status, 400)
    assert.ok(nameless.html.includes('value="Birthday"'))
    const long = await make(visitor, '/office/leads', { contactName: 'Maya', notes: 'a'.repeat(4_001) })
    assert.ok(wordsOf(long).includes('The message must have at most 4000 characters.'))
  })

  it('have the stages that the venue chose', async () => {
    const { visitor } = await atWork(service)
    const id = idAt(await make(visitor, '/office/leads', { contactName: 'Maya' }))
    await visitor.post(`/office/leads/${id}/stage`, { version: '1', stage: 'Contract' })
    const saved = await visitor.post('/office/leads/pipeline', {
      version: '0',
      stages: 'Inquiry\r\nTasting\r\nDone',
    })
    const board = await followed(visitor, saved)
    assert.ok(columnOf(board.html, 'Tasting') !== '')
    assert.ok(columnOf(board.html, 'Contract').includes('not on the list'), 'nobody is lost')
    const stale = await visitor.post('/office/leads/pipeline', { version: '0', stages: 'Inquiry' })
    assert.equal(stale.status, 409)
    assert.ok(wordsOf(stale).includes('It now says: Inquiry Tasting Done'))
    const refused = await visitor.post('/office/leads/pipeline', { version: '1', stages: 'Tasting' })
    assert.equal(refused.status, 400)
  })
})
