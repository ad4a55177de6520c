import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { keepPaymentsPlace, keptPaymentsPlace } from './payments-place.ts'

describe('where the stand-in of a practice instance runs', () => {
  it('is known to commands beside it without a setting, until it starts without one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'payments-place-'))
    try {
      const place = { dataDir: join(folder, 'data'), databaseUrl: undefined, paymentsUrl: undefined }
      const known = () => keptPaymentsPlace(place)
      assert.equal(await known(), undefined)
      await keepPaymentsPlace({ ...place, paymentsUrl: 'http://127.0.0.1:9200' })
      assert.equal(await known(), 'http://127.0.0.1:9200')
      assert.equal(
        await keptPaymentsPlace({ ...place, paymentsUrl: 'http://127.0.0.1:9300' }),
        'http://127.0.0.1:9300',
        'its own setting comes first',
      )
      await keepPaymentsPlace(place)
      assert.equal(await known(), undefined)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
