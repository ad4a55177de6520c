import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../integrations/access/keys.ts'
import { makeLinkToken, readLinkToken } from '../../mail/link-token.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'

/*
 * While SECRETS are rotated, processes of two settings run on one database. In each of the two steps that
 * docs/production.md names, either of them must take what the other one has just made.
 */

const entry = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`

describe('a rotation of SECRETS', () => {
  const [before2027, of2027] = [entry('2026'), entry('2027')]
  let home: TestService
  let receiver: Receiver
  let venue: TestVenue
  const running: TestService[] = []

  before(async () => {
    receiver = await startReceiver()
    home = await startService({ PRACTICE: 'on', SECRETS: before2027 })
    venue = await home.venue()
  })
  after(async () => {
    for (const one of running) await one.stop()
    await home.stop()
    await receiver.stop()
  })

  const withSecrets = async (SECRETS: string): Promise<TestService> => {
    const one = await startService({ PRACTICE: 'on', DATABASE_URL: home.databaseUrl, SECRETS })
    running.push(one)
    return one
  }
  const makeKey = async ({ context, db }: TestService): Promise<string> =>
    (await createKey(context, db, venue.id, { kind: 'api', scope: 'read_write', name: 'x', createdBy: 'x' }))
      .key
  let places = 0

  /** What the reader makes of a key, a webhook secret and a link of the writer; a mistake would be 401, 500, undefined. */
  const taken = async (reader: TestService, writer: TestService) => {
    const key = await makeKey(writer)
    const made = await writer.call('POST', '/api/v1/webhooks', {
      key,
      body: { url: `${receiver.url}/${++places}`, events: ['reservation.created'] },
    })
    assert.equal(made.status, 201, made.text)
    const read = await reader.call('GET', '/api/v1/me', { key })
    const tested = await reader.call('POST', `/api/v1/webhooks/${made.body.id}/test`, {
      key: await makeKey(reader),
    })
    const link = makeLinkToken(writer.context.secrets, 'unsubscribe', {
      venue: venue.id,
      subscriber: 7,
      campaign: 8,
    })
    return {
      key: read.status,
      secret: tested.status,
      link: readLinkToken(reader.context.secrets, 'unsubscribe', link)?.subscriber,
    }
  }
  const everything = { key: 200, secret: 200, link: 7 }

  const [onlyOld, newLast, newFirst] = [before2027, `${before2027},${of2027}`, `${of2027},${before2027}`]
  for (const [step, older, newer] of [
    ['first, the new entry goes to the end', onlyOld, newLast],
    ['then it moves to the front', newLast, newFirst],
    ['at last the old entry goes, once nothing needs it', newFirst, of2027],
  ] as const) {
    it(`${step}: a process of before and one of after it take what the other made`, async () => {
      const [old, next] = [await withSecrets(older), await withSecrets(newer)]
      assert.deepEqual(await taken(old, next), everything)
      assert.deepEqual(await taken(next, old), everything)
    })
  }

  it('in one step would not do: a process of before refuses what one of after it made', async () => {
    const [old, next] = [await withSecrets(onlyOld), await withSecrets(newFirst)]
    assert.deepEqual(await taken(old, next), { key: 401, secret: 500, link: undefined })
  })
})
