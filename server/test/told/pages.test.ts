import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { eventNames } from '@venue-data/contract/webhooks/events.ts'

describe('the pages about webhooks', () => {
  for (const page of ['docs/webhooks.md', 'docs/practice.md'])
    it(`name every event: ${page}`, async () => {
      const lines = (await readFile(new URL(`../../../${page}`, import.meta.url), 'utf8')).split('\n')
      const missing = eventNames.filter((name) => {
        const [kind, what] = name.split('.')
        // The rows of a table write a kind once: `task.created` `.updated`.
        return !lines.some(
          (line) =>
            line.includes(`\`${name}\``) || (line.includes(`\`${kind}.`) && line.includes(`\`.${what}\``)),
        )
      })
      assert.deepEqual(missing, [])
    })
})
