import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { crowdedFolders, editsForAKind, filesThatKnow, mostFiles, proseOf, roomsOf } from './figures.ts'
import { readTree } from './references.ts'

/* Numbers that may only fall. A change that lowers one writes the lower one here; none is raised. */

const rooms = 14
const filesThatKnowAField = 9
const filesThatKnowASetting = 16
const filesEditedForAKind = 25
/** Stiff words per 1,000; a slice of a few hundred words may have three. */
const stiffPerThousand = 1.5
const stiffAnyway = 3

describe('what growth costs', () => {
  const tree = readTree()

  it(`no folder holds more than ${mostFiles} files of the product, and none of tests that cross slices does`, () => {
    assert.deepEqual(crowdedFolders(tree), {})
  })

  it('the server has no more folders on its first level than it had', () => {
    assert.equal(roomsOf(tree).length, rooms)
  })

  it('no more files know a field of a booking than did', () => {
    const known = filesThatKnow(tree, 'bookingType', 'booking_type')
    assert.equal(known.length, filesThatKnowAField, known.join('\n'))
  })

  it('no more files know a setting that refuses bookings than did', () => {
    const known = filesThatKnow(tree, 'sameDayCutoff\\w*', 'same[-_]day[-_]cutoff\\w*')
    assert.equal(known.length, filesThatKnowASetting, known.join('\n'))
  })

  it('CONTRIBUTING names no more files to edit for a new kind than it did', () => {
    const edited = editsForAKind(tree)
    assert.equal(edited.length, filesEditedForAKind, edited.join('\n'))
  })

  it('comments, test names and sentences are in plain words', () => {
    const over = [...proseOf(tree)].filter(
      ([, { words, stiff }]) => stiff.length > Math.max(stiffAnyway, (words * stiffPerThousand) / 1_000),
    )
    assert.deepEqual(
      over.map(([slice, { words, stiff }]) => `${slice}: ${stiff.length} of ${words} words`),
      [],
    )
  })

  it('the checks fire on a crowded folder, on one more file that knows a field, and on stiff prose', () => {
    const files = Array.from({ length: mostFiles + 1 }, (_, n) => `server/a/${n}.ts`)
    const planted = new Map(files.map((path) => [path, `// Whoever is told: ${path}\nrow.booking_type`]))
    assert.deepEqual(crowdedFolders(planted), { 'server/a': mostFiles + 1 })
    const tests = files.map((path) => [path.replace('/a/', '/test/').replace('.ts', '.test.ts'), ''] as const)
    assert.deepEqual(crowdedFolders(new Map(tests)), { 'server/test': mostFiles + 1 })
    assert.deepEqual(roomsOf(planted), ['a'])
    assert.equal(filesThatKnow(planted, 'bookingType', 'booking_type').length, mostFiles + 1)
    assert.equal(proseOf(planted).get('server/a/')?.stiff.length, 2 * (mostFiles + 1))
  })
})
