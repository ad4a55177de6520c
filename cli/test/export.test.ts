import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { csvRow as officeRow } from '../../server/platform/kernel/csv/csv-text.ts'
import { csvRow } from '../src/export/csv.ts'
import { openFolder } from '../src/export/folder.ts'
import { merge } from '../src/export/merge.ts'

const origin = { url: 'http://127.0.0.1', venue: 'blue-door', scopes: ['guests:read'] }
const guest = (id: number, name: string | null) => ({
  ...{ kind: 'guest', id },
  data: name === null ? null : { id, name },
})

describe('an export', () => {
  let root: string
  let count = 0
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'venue-data-export-'))
  })
  after(() => rm(root, { recursive: true }))
  const newFolder = (): string => join(root, String(++count))
  const names = async (folder: string): Promise<string[]> =>
    (await readFile(join(folder, 'guest.ndjson'), 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text).name)

  it('has each record as it came last, without those that are gone', async () => {
    const path = newFolder()
    const folder = await openFolder(path, origin)
    await folder.add([guest(1, 'Ann'), guest(2, 'Bob'), guest(3, 'Line\u2028break')], 'c1')
    await folder.add([guest(1, 'Anne'), guest(2, null)], 'c2')
    assert.deepEqual(await folder.finish(), { guest: 2 })
    assert.deepEqual(await names(path), ['Line\u2028break', 'Anne'])
    const again = await openFolder(path, origin)
    assert.equal(again.cursor(), 'c2')
    await again.add([guest(3, null), guest(4, 'Dan')], 'c3')
    assert.deepEqual(await again.finish(), { guest: 2 })
    assert.deepEqual(await names(path), ['Anne', 'Dan'])
    assert.deepEqual((await readdir(path)).toSorted(), ['export.json', 'guest.csv', 'guest.ndjson'])
  })

  it('goes on where it was, whenever the program was killed', async () => {
    const path = newFolder()
    await (await openFolder(path, origin)).add([guest(1, 'Ann')], 'c1')
    // Killed while it added the next page.
    await appendFile(join(path, 'guest.part'), '{"id":2,"data":{"na')
    await appendFile(join(path, 'task.part'), '{}\n')
    const second = await openFolder(path, origin)
    assert.equal(second.cursor(), 'c1')
    await second.add([guest(2, 'Bob'), guest(1, 'Anne')], 'c2')
    // Killed after a kind was merged, before that was recorded.
    const at = (name: string): string => join(path, name)
    const files = { part: at('guest.part'), ndjson: at('guest.ndjson'), csv: at('guest.csv') }
    await merge({ ...files, base: undefined })
    assert.deepEqual(await (await openFolder(path, origin)).finish(), { guest: 2 })
    assert.deepEqual(await names(path), ['Bob', 'Anne'])
  })

  it('started over, keeps what was there until the new one is complete', async () => {
    const path = newFolder()
    const folder = await openFolder(path, origin)
    await folder.add([guest(1, 'Ann'), { ...guest(7, 'Task'), kind: 'task' }], 'c1')
    await folder.finish()
    await folder.reset()
    assert.deepEqual([folder.cursor(), await names(path)], [undefined, ['Ann']])
    await folder.add([guest(2, 'Bob')], 'c9')
    assert.deepEqual(await folder.finish(), { guest: 1 })
    assert.deepEqual(await names(path), ['Bob'])
    assert.deepEqual((await readdir(path)).toSorted(), ['export.json', 'guest.csv', 'guest.ndjson'])
  })

  it('makes the folders above its own, and says in a sentence where it can make none', async () => {
    const deep = join(newFolder(), 'of', 'exports')
    assert.equal((await openFolder(deep, origin)).cursor(), undefined)
    const file = newFolder()
    await writeFile(file, '')
    const says = (words: RegExp) => ({ name: 'LocalError', message: words })
    await assert.rejects(openFolder(file, origin), says(/ is a file\. Name a folder\.$/))
    await assert.rejects(openFolder(join(file, 'below'), origin), says(/^The folder .* cannot be made/))
    // A file system that takes no folder, and says of it that the one above is not there.
    if (process.platform === 'linux')
      await assert.rejects(
        openFolder('/proc/nope/export', origin),
        says(/^The folder \/proc\/nope cannot be made/),
      )
  })

  it('has cells that no spreadsheet runs, as the office has them', () => {
    const row = [
      '=1+1',
      '+1 212 555 0100',
      'a;=b',
      ' "=c',
      '\t@d',
      'plain, "quoted"',
      'two\nlines',
      3,
      true,
      null,
    ]
    assert.equal(csvRow(row), officeRow(row))
    assert.equal(csvRow([['a', 'b'], [{ a: 1 }], undefined]), '"a, b","[{""a"":1}]",\r\n')
  })
})
