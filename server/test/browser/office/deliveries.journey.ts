import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Engine, startEngine } from '../../../integrations/webhooks/engine/engine.ts'
import { staffOf } from '../../office.ts'
import { type Receiver, startReceiver } from '../../receiver.ts'
import { type TestService, startService } from '../../service.ts'
import { type TestBrowser, openBrowser } from '../browser.ts'

describe('an owner watches deliveries', () => {
  let service: TestService
  let browser: TestBrowser
  let receiver: Receiver
  let engine: Engine
  before(async () => {
    ;[service, browser, receiver] = await Promise.all([
      startService({ PRACTICE: 'on' }),
      openBrowser(),
      startReceiver(),
    ])
    engine = startEngine(service.context)
  })
  after(async () => {
    try {
      await browser.stop()
    } finally {
      await engine.stop()
      await receiver.stop()
      await service.stop()
    }
  })

  it('each try shows by itself, and what was being typed stays', async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'owner')
    const owner = await browser.visitor(service)
    await owner.signIn(email)
    const { status, text } = await service.call('POST', '/api/v1/webhooks', {
      key: venue.key,
      body: { url: `${receiver.url}/a`, events: ['guest.created'] },
    })
    assert.equal(status, 201, text)
    const happen = (name: string) =>
      service.call('POST', '/api/v1/guests', { key: venue.key, body: { email: `${name}@example.com` } })

    await owner.open('/office/integrations')
    await owner.reads('Nothing sent yet')
    await owner.page.getByText('Create a key').first().click()
    await owner.fill('Name', 'Booking widget')
    await happen('maya')
    await owner.reads(/ok 204/)
    await owner.reads('Delivery attempts in the last 24 hours')
    assert.equal(
      await owner.page.getByLabel('Name', { exact: true }).first().inputValue(),
      'Booking widget',
      'the form is not part of what renews itself',
    )

    await owner.page.locator('#deliveries a').first().click()
    await owner.page.getByRole('heading', { name: 'Delivery attempts', exact: true }).waitFor()
    await owner.page.locator('select[name=hours]').selectOption('48')
    receiver.answer(500)
    await happen('nia')
    await owner.reads('HTTP 500')
    await owner.reads(/due /)
    assert.equal(await owner.page.locator('select[name=hours]').inputValue(), '48', 'what was chosen stays')
    receiver.answer(204)
  })
})
