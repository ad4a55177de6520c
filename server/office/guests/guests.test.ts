import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { atWork, followed, hiddenIn, idAt, make, versionOn, wordsOf } from '../../test/office-forms.ts'
import { type TestService, startService } from '../../test/service.ts'

describe('the guests of the office', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const add = (visitor: Parameters<typeof make>[0], fields: Record<string, string>) =>
    make(visitor, '/office/guests', fields)

  it('are added once, filled in if they exist, and found by name, email and number', async () => {
    const { visitor } = await atWork(service, 'host')
    const form = {
      name: 'Maya Okafor',
      email: 'maya@example.com',
      phone: '(212) 555-0147',
      token: 'a7d7a6a0-6a3e-4f0c-8a59-5d0c6f6f0001',
    }
    const id = idAt(await visitor.post('/office/guests', form))
    const again = await followed(visitor, await visitor.post('/office/guests', form))
    assert.ok(wordsOf(again).includes('This guest was already added.'))
    const known = await add(visitor, { email: 'MAYA@example.com', phone: '646-555-0100' })
    assert.equal(idAt(known), id)
    const page = await followed(visitor, known)
    assert.ok(wordsOf(page).includes('already existed'))
    assert.ok(wordsOf(page).includes('Another phone 646-555-0100'), 'what differs stands out in the notes')
    for (const q of ['okafor', 'maya ok', 'maya@example.com', '555 0147', '2125550147']) {
      const found = await visitor.get(`/office/guests?q=${encodeURIComponent(q)}`)
      assert.ok(found.html.includes(`/office/guests/${id}"`), q)
    }
    assert.ok(wordsOf(await visitor.get('/office/guests?q=nobody')).includes('No guests match “nobody”.'))
  })

  it('come back with what was typed and a sentence where it cannot be kept', async () => {
    const { visitor } = await atWork(service, 'host')
    const refused = await add(visitor, { name: 'No way', phone: '12' })
    assert.equal(refused.status, 400)
    assert.ok(refused.html.includes('value="No way"'))
    assert.ok(wordsOf(refused).includes('A guest needs an email or a phone number with at least 7 digits.'))
    const corrected = await visitor.post('/office/guests', {
      token: hiddenIn(refused, 'token'),
      name: 'No way',
      phone: '212 555 0199',
    })
    idAt(corrected)
  })

  it('are edited by one of two who opened the form; the other gets a message and loses nothing they typed', async () => {
    const { visitor } = await atWork(service, 'host')
    const id = idAt(await add(visitor, { name: 'Maya', email: 'maya@example.com' }))
    const path = `/office/guests/${id}/edit`
    const version = await versionOn(visitor, path)
    await followed(visitor, await visitor.post(path, { version, allergies: 'Peanuts' }))
    const stale = await visitor.post(path, { version, allergies: 'Shellfish' })
    assert.equal(stale.status, 409)
    assert.ok(wordsOf(stale).includes('just changed by someone else'))
    assert.ok(stale.html.includes('Shellfish'))
    assert.ok(wordsOf(stale).includes('It now says: Peanuts'))
    const put = await visitor.post(path, {
      version: hiddenIn(stale, 'version'),
      allergies: 'Peanuts, shellfish',
    })
    assert.ok(wordsOf(await followed(visitor, put)).includes('Peanuts, shellfish'))
    assert.equal((await visitor.post(path, { allergies: 'Nuts' })).status, 400, 'a form without its version')
  })

  it('refuse an address another guest has, with the form as it was', async () => {
    const { visitor } = await atWork(service, 'host')
    await add(visitor, { name: 'Ana', email: 'ana@example.com' })
    const id = idAt(await add(visitor, { name: 'Bea', email: 'bea@example.com' }))
    const refused = await visitor.post(`/office/guests/${id}/edit`, {
      version: '1',
      email: 'ana@example.com',
    })
    assert.equal(refused.status, 409)
    assert.ok(wordsOf(refused).includes('Another guest has this email'))
    assert.ok(refused.html.includes('value="ana@example.com"'))
  })

  it('take a line for the notes, once', async () => {
    const { visitor } = await atWork(service, 'host')
    const id = idAt(await add(visitor, { email: 'maya@example.com' }))
    const path = `/office/guests/${id}/notes`
    const noted = await followed(visitor, await visitor.post(path, { note: 'Likes the corner' }))
    assert.ok(wordsOf(noted).includes('2026-10-06 Likes the corner'))
    const twice = await followed(visitor, await visitor.post(path, { note: 'Likes the corner' }))
    assert.ok(wordsOf(twice).includes('This note is already there.'))
    const long = await visitor.post(path, { note: 'x'.repeat(501) })
    assert.equal(long.status, 400)
    assert.ok(long.html.includes('x'.repeat(501)))
  })

  it('show their history and counters', async () => {
    const { venue, visitor } = await atWork(service, 'host')
    await service.call('POST', '/api/v1/leads', {
      key: venue.key,
      body: { name: 'Maya', email: 'maya@example.com', eventName: 'Okafor 40th' },
    })
    const list = await visitor.get('/office/guests')
    const id = /guests\/(\d+)"/.exec(list.html)?.[1]
    const page = wordsOf(await visitor.get(`/office/guests/${id}`))
    assert.ok(page.includes('0 visits'))
    assert.ok(page.includes('Okafor 40th'))
    assert.ok(page.includes('No bookings yet.'))
  })

  it('are merged by a manager after a preview, and separated again', async () => {
    const { visitor } = await atWork(service)
    const one = idAt(await add(visitor, { name: 'Maya Okafor', phone: '212 555 0147' }))
    const two = idAt(await add(visitor, { name: 'Maya Okafor', email: 'maya@example.com' }))
    const offered = await visitor.get(`/office/guests/${two}/merge`)
    assert.ok(offered.html.includes(`merge?with=${one}"`), 'who has the same name is offered')
    const asked = await visitor.get(`/office/guests/${two}/merge?with=${one}`)
    assert.ok(wordsOf(asked).includes(`Kept (guest ${one})`))
    const fields = {
      version: hiddenIn(asked, 'version'),
      other: hiddenIn(asked, 'other'),
      otherVersion: hiddenIn(asked, 'otherVersion'),
    }
    const merged = await visitor.post(`/office/guests/${two}/merge`, fields)
    assert.equal(idAt(merged), one)
    const page = await followed(visitor, merged)
    assert.ok(page.html.includes('maya@example.com'))
    assert.equal((await visitor.get(`/office/guests/${two}`)).status, 404)
    for (const [at, other] of [
      [two, one],
      [one, two],
    ] as const) {
      const again = await visitor.post(`/office/guests/${at}/merge`, { ...fields, other })
      assert.equal(idAt(again), one, 'sent once more')
      assert.ok(
        wordsOf(await followed(visitor, again)).includes(
          `Guest ${two} was already merged into guest ${one}.`,
        ),
      )
    }
    const unknown = await visitor.post('/office/guests/999998/merge', { ...fields, other: '999999' })
    assert.equal(unknown.status, 404, 'who never was')
    const undo = /action="([^"]+\/undo)"/.exec(page.html)?.[1] ?? ''
    const undone = await visitor.post(undo)
    assert.equal(idAt(undone), two)
    const twice = await followed(visitor, await visitor.post(undo))
    assert.ok(wordsOf(twice).includes('This merge was already undone.'))
  })

  it('stay as they are where an undo is refused half way', async () => {
    const { visitor } = await atWork(service)
    const one = idAt(await add(visitor, { name: 'Maya', phone: '212 555 0147' }))
    const two = idAt(await add(visitor, { name: 'May', email: 'maya@example.com' }))
    const fields = { version: '1', other: two, otherVersion: '1' }
    const merged = await followed(visitor, await visitor.post(`/office/guests/${one}/merge`, fields))
    await visitor.post(`/office/guests/${one}/edit`, { version: '2', email: 'maya@example.org' })
    idAt(await add(visitor, { name: 'Somebody', email: 'maya@example.com' }))
    const undo = /action="([^"]+\/undo)"/.exec(merged.html)?.[1] ?? ''
    const refused = await followed(visitor, await visitor.post(undo))
    assert.ok(wordsOf(refused).includes('Another guest now has the email of the guest to be restored'))
    assert.ok(
      wordsOf(refused).includes(`guest ${two} (May) became part of this guest`),
      'nothing half done is kept',
    )
  })

  it('are not merged from an outdated page', async () => {
    const { visitor } = await atWork(service)
    const one = idAt(await add(visitor, { name: 'A', email: 'a@example.com' }))
    const two = idAt(await add(visitor, { name: 'B', email: 'b@example.com' }))
    await visitor.post(`/office/guests/${two}/notes`, { note: 'changed' })
    const stale = await visitor.post(`/office/guests/${one}/merge`, {
      version: '1',
      other: two,
      otherVersion: '1',
    })
    assert.equal(stale.status, 409)
    assert.ok(wordsOf(stale).includes('just changed by someone else'))
    assert.equal((await visitor.get(`/office/guests/${two}`)).status, 200, 'nothing was done')
  })
})
