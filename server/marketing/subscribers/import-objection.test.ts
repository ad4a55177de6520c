import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openDesk, settled, staffOf } from '../../test/desk.ts'
import { type TestService, startService } from '../../test/service.ts'
import { type ObjectionKind, importObjection, objectionOfRow } from './import-objection.ts'

describe('an objection that is imported while they sign up', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('applies whichever comes first: nobody is left subscribed, and each added event is followed by an unsubscribed one', async () => {
    const { act, venue, told } = await openDesk(service)
    const bring = (email: string, kind: ObjectionKind) =>
      act((work) =>
        importObjection(work, staffOf('owner'), objectionOfRow({ email, firstName: null, kind, at: null })),
      )
    const signUp = (email: string) =>
      service.call('POST', '/api/v1/subscribers', {
        key: venue.key,
        body: { email, consent: { source: 'Form' } },
      })
    const addresses = Array.from({ length: 12 }, (_, i) => `g${i}@example.com`)
    await settled(
      addresses.flatMap((email, i) =>
        (i % 2 === 0
          ? [bring(email, 'unsubscribed'), signUp(email)]
          : [signUp(email), bring(email, 'unsubscribed')]
        ).map(async (one) => void (await one)),
      ),
    )
    const { body } = await service.call('GET', '/api/v1/subscribers?limit=100', { key: venue.key })
    assert.deepEqual(
      body.map(({ status }: { status: string }) => status),
      addresses.map(() => 'unsubscribed'),
    )
    const names = (await told()).map(({ name }) => name)
    const of = (event: string) => names.filter((name) => name === event).length
    assert.equal(of('subscriber.added'), of('subscriber.unsubscribed'))
  })
})
