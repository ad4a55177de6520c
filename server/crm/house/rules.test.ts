import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hasLapsed, mergedProfile, readBirthday, readTags, unmergedProfile } from './rules.ts'

describe('what the house knows', () => {
  it('tags are read between commas, each once, short and few', () => {
    assert.deepEqual(readTags(' Wine  list, neighbor,, Neighbor ,'), ['Wine list', 'neighbor'])
    assert.deepEqual(readTags(''), [])
    assert.throws(() => readTags('x'.repeat(41)), /at most 40 characters/)
    assert.throws(() => readTags(Array.from({ length: 21 }, (_, i) => `t${i}`).join(',')), /at most 20 tags/)
  })

  it('a birthday is read as people write it, and refused when there is no such day', () => {
    for (const typed of ['April 12', '12 April', 'apr 12, 1980', '4/12', '1980-04-12', '4-12'])
      assert.deepEqual(readBirthday(typed), { month: 4, day: 12 }, typed)
    assert.deepEqual(readBirthday('Feb 29'), { month: 2, day: 29 })
    assert.equal(readBirthday('  '), null)
    for (const typed of ['April 31', '13/12', 'soon', 'April'])
      assert.throws(() => readBirthday(typed), /such as April 12/, typed)
  })

  it('a regular who stays away has lapsed', () => {
    const guest = { visit_count: 5, last_visit_date: '2026-06-01' }
    assert.equal(hasLapsed(guest, '2026-09-29'), false)
    assert.equal(hasLapsed(guest, '2026-09-30'), true)
    assert.equal(hasLapsed({ ...guest, visit_count: 4 }, '2026-12-01'), false)
    assert.equal(hasLapsed({ ...guest, last_visit_date: null }, '2026-12-01'), false)
  })

  it('a merge keeps what is set and the tags of both, and its undo leaves what came since', () => {
    const kept = { vip: false, birthday: null, tags: ['Wine list'] }
    const gone = { vip: true, birthday: { month: 4, day: 12 }, tags: ['wine list', 'Neighbor'] }
    const merged = mergedProfile(kept, gone)
    assert.deepEqual(merged, { vip: true, birthday: { month: 4, day: 12 }, tags: ['Wine list', 'Neighbor'] })
    assert.deepEqual(unmergedProfile(merged, merged, kept), kept)
    const since = { ...merged, birthday: { month: 5, day: 1 }, tags: [...merged.tags, 'Press'] }
    assert.deepEqual(unmergedProfile(since, merged, kept), {
      vip: false,
      birthday: { month: 5, day: 1 },
      tags: ['Wine list', 'Press'],
    })
  })
})
