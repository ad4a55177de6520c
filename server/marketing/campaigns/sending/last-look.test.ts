import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { TestVenue } from '../../../test/service.ts'
import { addTicketedEvent, campaignCalls, oysters, subscribe } from '../test/list.ts'
import { type SceneCampaign, type SendingScene, startSendingScene } from '../test/sending-scene.ts'

/* The rules a list was built with are checked again as its people are mailed, even if the campaign's own segment differs. */
describe('the last look at a person', () => {
  let scene: SendingScene
  let venue: TestVenue
  let calls: ReturnType<typeof campaignCalls>
  before(async () => {
    scene = await startSendingScene()
  })
  beforeEach(async () => {
    venue = await scene.service.venue()
    calls = campaignCalls(scene.service, venue)
    await subscribe(scene.service, venue, 3)
  })
  afterEach(async () => {
    await scene.stopProcesses()
    scene.relay.received.length = 0
  })
  after(() => scene.stop())

  const all = ['p1@example.com', 'p2@example.com', 'p3@example.com']

  /** A campaign for an event with a list of that segment, due now. */
  const campaignOf = async (segment: object, event: number | null = null): Promise<SceneCampaign> => {
    const { id } = (await calls.create(oysters)).body.campaign
    await scene.query('update campaign set event_id = $2 where id = $1', [id, event])
    const composed = await calls.compose({ id, segment })
    assert.deepEqual([composed.status, composed.body.campaign.segment], [200, { type: 'all' }], composed.text)
    await scene.query(`update campaign set status = 'scheduled', scheduled_at = $2 where id = $1`, [
      id,
      scene.service.context.clock().toString(),
    ])
    return { venue, id, emails: all }
  }
  const buyTickets = (occurrence: number, emails: readonly string[]) =>
    scene.query(
      `insert into ticket_order (venue_id, occurrence_id, order_number, status, channel, payment_method, buyer_email,
         buyer_email_key, seats, subtotal_cents, total_cents, created_at, updated_at)
       select $1, $2, 'T-' || e, 'paid', 'public', 'cash', e, e, 1, 0, 0, now(), now() from unnest($3::text[]) e`,
      [venue.id, occurrence, emails],
    )
  const whoGotIt = async (campaign: SceneCampaign): Promise<string[]> => {
    scene.process()
    await scene.until(campaign, 'sent')
    return scene.relay.received.map(({ to }) => to).toSorted()
  }
  const whysOf = async (campaign: SceneCampaign) => (await scene.copies(campaign)).map(({ why }) => why)

  it('buyers of the campaign’s own event who were asked for are mailed', async () => {
    const { event, occurrence } = await addTicketedEvent(scene.service, venue)
    await buyTickets(occurrence, all.slice(0, 2))
    const campaign = await campaignOf({ type: 'ticketBuyers', eventId: event }, event)
    assert.deepEqual(await whoGotIt(campaign), all.slice(0, 2))
  })

  it('who bought a ticket for an event that the list leaves out is not mailed', async () => {
    const { event, occurrence } = await addTicketedEvent(scene.service, venue)
    const campaign = await campaignOf({ type: 'all', exclude: { ticketHoldersOf: event } })
    await buyTickets(occurrence, all.slice(0, 1))
    assert.deepEqual(await whoGotIt(campaign), all.slice(1))
    assert.deepEqual(await whysOf(campaign), ['ticket-holder', null, null])
  })

  it('who wants no birthday mail since is not mailed for a birthday', async () => {
    await scene.query('update subscriber set birth_month = 10, birth_day = 7 where venue_id = $1', [venue.id])
    const campaign = await campaignOf({ type: 'birthday', month: 10 })
    const stop = () =>
      scene.query(
        `update subscriber set birthday_mails = false where venue_id = $1 and email_key = 'p2@example.com'`,
        [venue.id],
      )
    await stop()
    assert.deepEqual(await whoGotIt(campaign), [all[0], all[2]])
    assert.deepEqual(await whysOf(campaign), [null, 'no-match', null])
  })

  it('who switched a topic off since is not mailed about it, unless another of the asked tags is theirs', async () => {
    await scene.query(
      `with t as (
         insert into tag (venue_id, name, name_key, topic) values ($1, 'Wine', 'wine', true), ($1, 'Beer', 'beer', true)
         returning id, name_key)
       insert into subscriber_tag (venue_id, subscriber_id, tag_id)
       select $1, s.id, t.id from subscriber s, t
        where s.venue_id = $1 and (t.name_key = 'wine' or s.email_key = 'p2@example.com')`,
      [venue.id],
    )
    const any = await campaignOf({ type: 'tag', anyOf: ['Wine', 'Beer'] })
    const both = await campaignOf({
      type: 'and',
      of: [{ type: 'tag', allOf: ['wine', 'beer'] }, { type: 'all' }],
    })
    await scene.query(
      `insert into topic_off (venue_id, subscriber_id, tag_id)
       select $1, s.id, t.id from subscriber s, tag t
        where s.venue_id = $1 and t.venue_id = $1 and t.name_key = 'wine' and s.email_key < 'p3'`,
      [venue.id],
    )
    assert.deepEqual(await whoGotIt(any), all.slice(1))
    assert.deepEqual(await whysOf(any), ['no-match', null, null])
    await scene.until(both, 'sent')
    assert.deepEqual(await whysOf(both), ['no-match'])
  })
})
