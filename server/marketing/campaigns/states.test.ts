import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campaignStatuses } from '@venue-data/contract/records/campaign.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, startService } from '../../test/service.ts'
import { campaignMoves, copyStates, failures, skips } from './states.ts'

describe('states of campaigns and copies', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('are those the database keeps', async () => {
    const wordsOf = async (table: string, column: string): Promise<string[]> => {
      const [row] = await rowsOf<{ text: string }>(
        service,
        `select pg_get_constraintdef(oid) as text from pg_constraint
          where conrelid = $1::regclass and contype = 'c' and pg_get_constraintdef(oid) like 'CHECK ((' || $2 || ' = ANY%'`,
        [table, column],
      )
      return [...(row?.text ?? '').matchAll(/'([\w-]+)'/g)].map(([, word]) => word as string)
    }
    assert.deepEqual(await wordsOf('campaign', 'status'), [...campaignStatuses])
    assert.deepEqual(await wordsOf('recipient', 'state'), [...copyStates])
    assert.deepEqual(new Set([...failures, ...skips]).size, failures.length + skips.length)
  })

  it('a closed campaign moves only where copies may be sent again; the service alone starts and ends', () => {
    for (const [name, { from, to, who }] of Object.entries(campaignMoves)) {
      assert.ok(!from.some((status) => status === to), name)
      assert.ok(!(from as readonly string[]).includes('cancelled'), name)
      if ((from as readonly string[]).includes('sent')) assert.equal(name, 'sendAgain')
      if (to === 'sending' || to === 'sent') assert.deepEqual(who, ['service'])
      assert.ok(!(who as readonly string[]).includes('host'), name)
    }
  })
})
