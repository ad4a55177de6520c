import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { installPacked } from './install.ts'
import { packPackage } from './pack.ts'

const run = promisify(execFile)

/** Two packages in a repository, one of which needs the other and a third-party package. */
const repository = {
  LICENSE: 'Do what you like.',
  'menu/package.json': JSON.stringify({
    name: '@venue-data/menu',
    version: '1.2.3',
    type: 'module',
    private: true,
    exports: { '.': './src/menu.ts' },
    scripts: { test: 'none' },
  }),
  'menu/README.md':
    '# Menu\n\nAsk the [waiter](../waiter/README.md#today) or [the cook](https://cook.example).',
  'menu/CHANGELOG.md': '# Changes',
  'menu/src/menu.ts': `import { dishes } from './dishes.ts'\nexport type { Dish } from './dishes.ts'\nexport const first = dishes[0]\n`,
  'menu/src/dishes.ts': `export type Dish = 'soup' | 'pie'\nexport const dishes: readonly Dish[] = ['soup', 'pie']\n`,
  'menu/src/dishes.test.ts': `throw new Error('not to be shipped')\n`,
  'waiter/package.json': JSON.stringify({
    name: '@venue-data/waiter',
    version: '1.2.3',
    type: 'module',
    bin: { waiter: './src/main.ts' },
    dependencies: { '@venue-data/menu': '1.2.3', typebox: '1.4.3' },
  }),
  'waiter/README.md': '# Waiter',
  'waiter/CHANGELOG.md': '# Changes',
  'waiter/src/words.json': '{"offer":"Today we have"}',
  'waiter/src/main.ts': `#!/usr/bin/env node\nimport { type Dish, first } from '@venue-data/menu'\nimport { Type } from 'typebox'\nimport words from './words.json' with { type: 'json' }\nconst dish: Dish | undefined = first\nconsole.log(words.offer, dish, Type.String().type)\n`,
}

describe('packing', () => {
  let root: string
  let folder: string
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'venue-data-packing-'))
    folder = await mkdtemp(join(tmpdir(), 'venue-data-packed-'))
    await symlink(join(import.meta.dirname, '../node_modules'), join(root, 'node_modules'))
    for (const [path, text] of Object.entries(repository)) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
    await installPacked(root, ['waiter'], folder)
  })
  after(async () => {
    await rm(root, { recursive: true })
    await rm(folder, { recursive: true })
  })

  /** The first comes inside of the second, which needs it. */
  const inModules = (path: string): string =>
    join(folder, 'node_modules/@venue-data/waiter/node_modules/@venue-data', path)

  it('ships compiled files with their types, README, CHANGELOG and LICENSE, and no test', async () => {
    const files = (await readdir(inModules('menu'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
    assert.deepEqual(files.toSorted(), [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dishes.d.ts',
      'dishes.js',
      'menu.d.ts',
      'menu.js',
      'package.json',
    ])
    const { files: _, ...manifest } = JSON.parse(await readFile(inModules('menu/package.json'), 'utf8'))
    assert.deepEqual(manifest, {
      name: '@venue-data/menu',
      version: '1.2.3',
      type: 'module',
      exports: { '.': { types: './dist/menu.d.ts', default: './dist/menu.js' } },
    })
  })

  it('leaves no link that leads out of the package', async () => {
    const text = await readFile(inModules('menu/README.md'), 'utf8')
    assert.equal(text, '# Menu\n\nAsk the waiter or [the cook](https://cook.example).')
  })

  it('names compiled files in imports, those of types included', async () => {
    for (const file of ['menu.js', 'menu.d.ts']) {
      const text = await readFile(inModules(`menu/dist/${file}`), 'utf8')
      assert.match(text, /from '\.\/dishes\.js'|from "\.\/dishes\.js"/, file)
      assert.doesNotMatch(text, /\.ts['"]/, file)
    }
  })

  it('makes packages that find each other where they are installed', async () => {
    const { stdout } = await run(process.execPath, [join(folder, 'node_modules/.bin/waiter')])
    assert.equal(stdout, 'Today we have soup string\n')
  })

  it('says what does not compile', async () => {
    await writeFile(join(root, 'menu/src/dishes.ts'), `export const dishes: readonly string[] = 'soup'\n`)
    await assert.rejects(packPackage({ root, name: 'menu', to: folder }), /does not compile:.*dishes\.ts/s)
  })
})
