import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wings } from './architecture.ts'
import { readTree } from './references.ts'

/* Each wing of the server has a page of one screen that says where to start, whose tables are whose, and what must never be. */

const sections = ['Tables', 'Doors', 'Never']
const oneScreen = 45

describe('the page of each wing', () => {
  const tree = readTree()
  const pages = new Map(
    ['platform', ...Object.keys(wings), 'messages', 'doors'].map((wing) => [
      wing,
      tree.get(`server/${wing}/README.md`) ?? '',
    ]),
  )
  const part = (page: string, title: string): string =>
    page.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? ''
  const codes = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

  it('has its parts and fits one screen', () => {
    for (const [wing, page] of pages) {
      for (const title of sections) assert.notEqual(part(page, title), '', `${wing}: ${title}`)
      assert.ok(page.split('\n').length <= oneScreen, wing)
    }
  })

  it('names files and folders that are there', () => {
    const paths = [...tree.keys()]
    for (const [wing, page] of pages) {
      const named = codes(page).filter((code) => /^[\w-]+(?:\/[\w./-]*|\.ts)$/.test(code))
      for (const path of named) {
        const places = [`server/${wing}/${path}`, `server/${path}`, path]
        assert.ok(
          places.some((place) => paths.some((known) => known.startsWith(place))),
          `${wing}: ${path}`,
        )
      }
    }
  })

  it('and CONTRIBUTING and ARCHITECTURE name no file that has gone', () => {
    const paths = [...tree.keys()].map((path) => `/${path}`)
    for (const page of ['CONTRIBUTING.md', 'docs/ARCHITECTURE.md']) {
      const named = codes(tree.get(page) ?? '').filter((code) =>
        /^[\w.-]+\/[\w./-]+\.(?:ts|svg|sql)$/.test(code),
      )
      const outside = /^(?:mcp|cli|sdk|sdk-python|packing|release|connectors)\//
      for (const path of named)
        assert.ok(outside.test(path) || paths.some((known) => known.endsWith(`/${path}`)), `${page}: ${path}`)
    }
  })

  it('names every table of the database, once in all', () => {
    const schema = tree.get('server/platform/db/schema.sql') ?? ''
    const tables = [...schema.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, name = '']) => name)
    assert.ok(tables.length > 80)
    const named = [...pages.values()].flatMap((page) =>
      codes(part(page, 'Tables')).filter((code) => /^[a-z_]+$/.test(code)),
    )
    assert.deepEqual(named.toSorted(), tables.toSorted())
  })
})
