import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { officeRoles } from '../../../core/staff/roles.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { becomeCopy } from '../../../test/processes/restored-copy.ts'
import { type TestService, startService } from '../../../test/service.ts'

describe('the office of a restored copy', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('says on every page to everybody at work that sending is on hold, until it is resumed', async () => {
    const venue = await service.venue()
    const visitors = await Promise.all(
      officeRoles.map(async (role) => {
        const visitor = visitOffice(service)
        await visitor.signIn((await staffOf(service, venue, role)).email)
        return visitor
      }),
    )
    const said = async (): Promise<boolean[]> =>
      (
        await Promise.all(
          visitors.flatMap((visitor) =>
            ['/office/today', '/office/guests', '/office/nowhere'].map((at) => visitor.get(at)),
          ),
        )
      ).map(({ words }) =>
        /Sending is on hold:.*Webhooks, campaigns, emails and online payments wait;.*bin\/venue resume sending/.test(
          words,
        ),
      )

    assert.ok((await said()).every((one) => !one))
    await becomeCopy(service)
    assert.ok((await said()).every((one) => one))
    assert.doesNotMatch((await visitOffice(service).get('/office/sign-in')).words, /on hold/)
    await service.context.hold.release()
    assert.ok((await said()).every((one) => !one))
  })
})
