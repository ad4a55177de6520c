import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { collectionFiles, connectorSources } from './connectors/files.ts'
import { packedFolder } from '../server/platform/http/site/packages.ts'
import { packConnectors } from './pack-connectors.ts'

describe('packing the connectors', () => {
  let root: string
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'venue-data-connectors-'))
  })
  after(() => rm(root, { recursive: true }))

  const pack = () => packConnectors({ root, name: 'connectors', to: join(root, 'packed') })
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

  it('makes the collections, and the sources of the n8n nodes and the Zapier app, without a database', async () => {
    await pack()
    for (const [path, text] of Object.entries(collectionFiles()))
      assert.equal(await read(`packed/${path}`), text)
    for (const [path, text] of Object.entries(connectorSources()))
      assert.equal(await read(`connectors/${path}`), text)
  })

  it('leaves nothing of an earlier contract to build, and keeps what others put next to it', async () => {
    const generated = 'connectors/zapier/generated'
    await mkdir(join(root, 'packed/bruno/environments'), { recursive: true })
    await mkdir(join(root, generated), { recursive: true })
    const own = ['packed/bruno/environments/mine.bru', 'connectors/zapier/index.js']
    for (const path of [...own, `${generated}/gone.json`]) await writeFile(join(root, path), 'mine')
    await pack()
    for (const path of own) assert.equal(await read(path), 'mine')
    assert.deepEqual((await readdir(join(root, generated))).toSorted(), [
      'creates.json',
      'searches.json',
      'triggers.json',
    ])
  })

  it('makes only what git leaves out of the repository', async () => {
    const ignored = (await readFile(join(import.meta.dirname, '../.gitignore'), 'utf8')).split('\n')
    for (const path of Object.keys(connectorSources()))
      assert.ok(ignored.includes(`connectors/${dirname(path)}/`), path)
    assert.ok(ignored.includes(`${packedFolder}/`))
  })
})
