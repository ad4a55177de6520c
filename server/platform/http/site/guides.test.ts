import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Change, ChangesDigest } from '@venue-data/contract/change.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { exampleOf, nodeOf } from '../openapi/openapi-schema.ts'
import { guideFiles, readText } from './guides.ts'

const rows: readonly Endpoint[] = Object.values(endpoints)

describe('what the guides say of the contract', () => {
  it('names the scope of every endpoint that needs one, and says “any key” only of those that need none', () => {
    let found = 0
    for (const { file } of Object.values(guideFiles).flat()) {
      // The endpoints of a line, up to where its description begins: **`GET /guests`**, **`GET /guests/find`** — …
      for (const [line, keys = ''] of readText(file).matchAll(/^\*\*`[A-Z]+ \/.*? — ([^.:]*)/gm)) {
        for (const [, method, path] of line.matchAll(/\*\*`([A-Z]+) (\/[^`?]*)/g)) {
          const row = rows.find((one) => one.method === method && one.path === `/api/v1${path}`)
          if (!row?.scope || row.method !== 'GET') continue
          found++
          assert.doesNotMatch(
            keys,
            /^any key(?:$|,(?! that))/,
            `${file}: ${method} ${path} needs ${row.scope}`,
          )
        }
      }
    }
    assert.ok(found >= 6, String(found))
  })

  it('shows samples of the feed that do not contradict themselves', () => {
    const change = exampleOf(nodeOf(Change)) as {
      revision: number
      data: { revision: number; id: number }
      id: number
    }
    assert.deepEqual([change.revision, change.id], [change.data.revision, change.data.id])
    const digest = exampleOf(nodeOf(ChangesDigest)) as object
    assert.deepEqual(Object.keys(digest), ['kind', 'blocks', 'changedSince', 'next'])
  })
})
