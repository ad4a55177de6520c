import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { OfficeVisitor } from '../../../test/office.ts'
import { atWork, fieldsIn, followed, idAt, make } from '../../../test/office-forms.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, startService } from '../../../test/service.ts'

describe('an erasure, and guests who were merged', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const add = async (visitor: OfficeVisitor, name: string, notes: string) =>
    idAt(
      await make(visitor, '/office/guests', {
        name,
        email: `${name.replaceAll(' ', '.').toLowerCase()}@example.com`,
        notes,
      }),
    )

  const merge = async (visitor: OfficeVisitor, kept: string, gone: string) => {
    const page = await visitor.get(`/office/guests/${kept}/merge?with=${gone}`)
    return followed(visitor, await visitor.post(`/office/guests/${kept}/merge`, fieldsIn(page)))
  }

  const undo = async (visitor: OfficeVisitor, kept: string) => {
    const { html } = await visitor.get(`/office/guests/${kept}`)
    const path = /action="(\/office\/guests\/\d+\/merges\/\d+\/undo)"/.exec(html)?.[1]
    assert.ok(path, 'a merge that can be undone')
    await followed(visitor, await visitor.post(path, {}))
  }

  const erase = async (visitor: OfficeVisitor, guest: string) => {
    const done = await visitor.post('/office/data/person/erase', { guest, sure: 'yes' })
    assert.equal(done.status, 200)
  }

  it('after an undo they are two: what one wrote is gone from the trail of the merge, the other keeps name and notes', async () => {
    const { venue, visitor } = await atWork(service, 'owner')
    const zenobia = await add(visitor, 'Zenobia Quill', 'Likes table 5')
    const zen = await add(visitor, 'Zen Quill', 'Sends wine back')
    await merge(visitor, zenobia, zen)
    await visitor.post(`/office/guests/${zenobia}/notes`, { note: 'Called about Friday' })
    await undo(visitor, zenobia)
    assert.match((await visitor.get('/office/activity')).words, /Sends wine back/)

    await erase(visitor, zen)
    const trail = JSON.stringify(
      await rowsOf(service, 'select before, after from activity where venue_id = $1', [venue.id]),
    )
    assert.doesNotMatch(trail, /Sends wine back|Zen Quill/)
    const left = (await visitor.get(`/office/guests/${zenobia}`)).words
    assert.match(left, /Zenobia Quill[^]*Likes table 5/)
    assert.match(left, /Called about Friday/)
  })

  it('erasing the guest who was kept does not erase the one who was restored', async () => {
    const { visitor } = await atWork(service, 'owner')
    const kept = await add(visitor, 'Ottoline Marsh', 'Likes the bar')
    const restored = await add(visitor, 'Otto Marshall', 'Allergic to noise')
    await merge(visitor, kept, restored)
    await undo(visitor, kept)
    await erase(visitor, kept)
    assert.match(
      (await visitor.get(`/office/guests/${restored}`)).words,
      /Otto Marshall[^]*Allergic to noise/,
    )
  })

  it('a guest merged into another one that was merged in turn is erased with them', async () => {
    const { venue, visitor } = await atWork(service, 'owner')
    const [first, second, third] = [
      await add(visitor, 'Perdita Lowell', 'Likes the window'),
      await add(visitor, 'Perdy Lowell', 'Brings her own wine'),
      await add(visitor, 'Dita Lowellson', 'Never the bar'),
    ]
    await merge(visitor, second, third)
    await merge(visitor, first, second)
    await erase(visitor, first)
    const trail = JSON.stringify(
      await rowsOf(service, 'select before, after from activity where venue_id = $1', [venue.id]),
    )
    assert.doesNotMatch(trail, /Lowell|Never the bar|her own wine|the window/)
  })
})
