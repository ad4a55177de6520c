import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type SendingScene, startSendingScene } from '../../../marketing/campaigns/test/sending-scene.ts'
import { guestAt, hiddenFieldsOn, hiddenOn, setGuestPages } from '../../../test/guest.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'

const origin = 'https://data.example.com'

describe('a guest who books by the link of a campaign’s mail', () => {
  let scene: SendingScene
  before(async () => {
    scene = await startSendingScene({ PUBLIC_URL: origin, TRUST_PROXY: '1' })
  })
  after(() => scene.stop())

  it('counts for that campaign at every step, as the mail went out, and the reservation has nothing of it', async () => {
    const { service } = scene
    const venue = await service.venue({ name: 'The Blue Door' })
    await setRules(service, venue, everyEvening())
    await setGuestPages(service, venue, {})
    const home = `${origin}/v/${venue.slug}/book`
    const campaign = await scene.campaign(venue, {
      ...{ emails: ['maya@example.com'], names: ['Maya'] },
      bodyHtml: `<p>Oysters. <a href="${home}?size=2">Book a table</a></p>`,
    })
    scene.process()
    await scene.until(campaign, 'sent')
    const [mail] = await scene.relay.mails()
    assert.ok(mail?.html)
    const [, link = ''] = /href="([^"]*\/book[^"]*)"/.exec(mail.html) ?? []
    const at = link.replaceAll('&amp;', '&')
    assert.equal(at, `${home}?size=2&utm_campaign=c${campaign.id}`)
    assert.ok(mail.text?.includes(at), mail.text ?? '')

    const first = await guestAt(service, at.slice(origin.length))
    const came = hiddenOn(first.text, 'came')
    const door = `/v/${venue.slug}/book`
    const held = await guestAt(service, door, { form: { size: '2', slot: '2026-10-09 19:00', came } })
    const { text } = await guestAt(service, held.headers.get('location') ?? '')
    const names = ['token', 'size', 'day', 'time', 'hold', 'came']
    const hidden = hiddenFieldsOn(text, names)
    const done = await guestAt(service, door, {
      form: { ...hidden, name: 'Maya', email: 'maya@example.com' },
    })
    assert.equal(done.status, 303)
    await service.context.demand.flush()
    const steps = await rowsOf(
      service,
      `select step, value from visit_day where venue_id = $1 and dimension = 'campaign' order by step`,
      [venue.id],
    )
    assert.deepEqual(
      steps.map(({ step, value }) => `${String(step)} ${String(value)}`),
      ['booked', 'chosen', 'details', 'opened', 'times'].map((step) => `${step} c${campaign.id}`),
    )
    const [row] = await rowsOf(service, 'select r::text as row from reservation r where venue_id = $1', [
      venue.id,
    ])
    assert.ok(row)
    assert.doesNotMatch(String(row['row']), new RegExp(`\\bc${campaign.id}\\b|utm_`))
  })
})
