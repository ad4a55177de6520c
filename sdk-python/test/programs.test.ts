import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { sampleDelivery } from '@venue-data/contract/webhooks/delivery.ts'
import { eventNames } from '@venue-data/contract/webhooks/events.ts'
import { sign, standardSignature } from '../../server/integrations/webhooks/sending/signature.ts'
import { runPython, whyNoPython } from './python.ts'

/* The tests that are written in Python themselves. */

const program = (name: string): string => join(import.meta.dirname, name)

describe('the clients of Python', { skip: whyNoPython() ?? false }, () => {
  it('do what their own tests say', async () => {
    await runPython([program('test_client.py')])
  })
})

describe('webhooks in Python', { skip: whyNoPython('fastapi', 'flask') ?? false }, () => {
  it('are received as their own tests say', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'venue-data-python-'))
    try {
      const file = join(folder, 'deliveries.json')
      await writeFile(file, JSON.stringify(deliveries()))
      await runPython([program('test_webhooks.py')], { DELIVERIES: file })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

const secret = `whsec_${'s3cr3t'.repeat(7)}Ab`
const before = `whsec_${'b3f0r3'.repeat(7)}Cd`
const now = 1_791_226_800

/** Deliveries as the service sends them. */
const deliveries = () => {
  const signed = (body: string, ...old: string[]) => ({
    body,
    headers: { 'x-service-signature': sign(secret, now, Buffer.from(body), old) },
  })
  const created = sampleDelivery('reservation.created')
  const both = JSON.stringify({ ...JSON.parse(created), note: 'café 陳' })
  return {
    ...{ secret, before, now },
    deliveries: [...eventNames, 'ping' as const].map((event) => ({
      event,
      ...signed(sampleDelivery(event)),
    })),
    sample: signed(JSON.stringify({ ...JSON.parse(created), sample: true })),
    both: {
      body: both,
      headers: {
        ...signed(both, before).headers,
        'webhook-id': 'd1',
        'webhook-timestamp': String(now),
        'webhook-signature': standardSignature([secret, before], 'd1', now, Buffer.from(both)),
      },
    },
  }
}
