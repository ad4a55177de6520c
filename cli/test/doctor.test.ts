import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { WebhookEndpoint } from '@venue-data/sdk'
import { clockFinding } from '../src/doctor/clock.ts'
import { endpointFindings } from '../src/doctor/endpoints.ts'

const now = Date.parse('2026-10-06T19:00:00Z')

describe('doctor', () => {
  it('leaves the clock alone while the answer was under way, and says how far it is off otherwise', () => {
    const date = 'Tue, 06 Oct 2026 19:00:00 GMT'
    const cases: [askedAt: number, answeredAt: number, is: string, sentence: RegExp][] = [
      [now - 5000, now + 5000, 'fine', /^In step/],
      [now + 800, now + 900, 'fine', /^In step/],
      [now - 60_000, now - 59_000, 'warning', /^This machine is 59 seconds behind/],
      [now + 601_000, now + 602_000, 'problem', /^This machine is 10 minutes ahead of/],
      [now - 86_400_000 * 3, now - 86_400_000 * 3, 'problem', /^This machine is 3 days behind/],
    ]
    for (const [askedAt, answeredAt, is, sentence] of cases) {
      const found = clockFinding(date, askedAt, answeredAt)
      assert.equal(found.is, is, found.sentence)
      assert.match(found.sentence, sentence)
    }
    assert.equal(clockFinding(null, now, now).is, 'warning')
  })

  it('has advice for every way in which an endpoint is not healthy', () => {
    const healthy = {
      ...{
        id: 'e1',
        url: 'https://hooks.example.com/x',
        status: 'active',
        disabledReason: null,
        pausedAt: null,
      },
      ...{
        failureCount: 0,
        lastDeliveryStatus: 'ok 204',
        successRate24h: 1,
        waitingCount: 0,
        oldestWaitingAt: null,
      },
    }
    const cases: [of: object, is: string, said: RegExp][] = [
      [{}, 'fine', /is healthy \(last: ok 204\)/],
      [{ lastDeliveryStatus: null }, 'fine', /nothing was delivered yet/],
      [
        { status: 'disabled', disabledReason: 'too-many-failures' },
        'problem',
        /Fix the receiver.*status=active/,
      ],
      [{ status: 'disabled', disabledReason: 'gone' }, 'problem', /answered 410/],
      [{ status: 'disabled', disabledReason: 'key-expired' }, 'problem', /Ask the owner to let the key/],
      [{ status: 'disabled', disabledReason: 'key-revoked' }, 'problem', /venue-data delete webhooks e1/],
      [
        { status: 'disabled', disabledReason: 'something-new' },
        'problem',
        /is off: something-new.*Ask the owner/,
      ],
      [{ status: 'paused', pausedAt: '2026-10-01T00:00:00Z' }, 'warning', /paused since 2026-10-01/],
      [{ failureCount: 1, lastDeliveryStatus: 'timeout' }, 'problem', /failed once.*answer at once/],
      [
        { failureCount: 3, lastDeliveryStatus: 'HTTP 500' },
        'problem',
        /3 times in a row.*isn’t returning 2xx/,
      ],
      [{ successRate24h: 0.5 }, 'warning', /took 50 %/],
      [{ waitingCount: 2, oldestWaitingAt: '2026-10-06T18:00:00Z' }, 'warning', /2 deliveries wait/],
    ]
    for (const [of, is, said] of cases) {
      const [found] = endpointFindings([{ ...healthy, ...of } as WebhookEndpoint], now)
      assert.equal(found?.is, is, JSON.stringify(of))
      assert.match(`${found?.sentence} ${found?.advice}`, said)
    }
    assert.equal(endpointFindings([], now)[0]?.is, 'fine')
  })
})
