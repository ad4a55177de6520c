import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { reviewAccess } from '../../integrations/access/actions.ts'
import { whyYouGetThis } from '../../marketing/campaigns/content/guided-layout.ts'
import { holdSentence } from '../../marketing/campaigns/sending/holds.ts'
import { segmentWords } from '../../doors/office/campaigns/segment-words.ts'
import { atWork } from '../office-forms.ts'
import { everyEvening, setRules } from '../open-rules.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'

/** Names and words of others can end in a period of their own, and ours must not follow it. */
describe('no sentence ends in two periods, even if the quoted words end in one', () => {
  const name = "Joe's Inc."
  let service: TestService
  let receiver: Receiver
  let venue: TestVenue
  before(async () => {
    service = await startService({ PRACTICE: 'on' })
    receiver = await startReceiver()
    venue = await service.venue({ name, phone: '+1 212 555 0100 ext.' })
  })
  after(async () => {
    await service.stop()
    await receiver.stop()
  })

  it('a refusal that names the phone number', async () => {
    await setRules(service, venue, everyEvening({ maxParty: 8 }))
    const body = { guestName: 'Maya', partySize: 9, date: '2026-10-09', time: '19:00' }
    const { body: refused } = await service.call('POST', '/api/v1/reservations', { key: venue.key, body })
    assert.equal(refused.error, 'The venue takes parties of up to 8 here; please call +1 212 555 0100 ext.')
  })

  it('a ping that names the venue', async () => {
    const { body: made } = await service.call('POST', '/api/v1/webhooks', {
      key: venue.key,
      body: { url: receiver.url, events: ['lead.created'] },
    })
    await service.call('POST', `/api/v1/webhooks/${made.id}/test`, { key: venue.key })
    const { data } = JSON.parse(String(receiver.received.at(-1)?.body)) as { data: { message: string } }
    assert.equal(data.message, "A test delivery for Joe's Inc.")
  })

  it('the foot of a mail, and what a mail relay said', () => {
    assert.equal(whyYouGetThis(name), "You get this email because you signed up for news from Joe's Inc.")
    const answer = '550 5.7.1 Not here.'
    for (const outcome of [
      { kind: 'refused', phase: 'sender', status: 550, code: '5.7.1', answer },
      { kind: 'refused', phase: 'recipient', status: 550, code: '5.1.1', answer },
      { kind: 'unknown', answer },
    ] as const) {
      assert.match(
        holdSentence(outcome),
        /^The mail relay [^:]+: 550 5\.7\.1 Not here\. (?:It is asked|Sending resumes)/,
      )
    }
  })

  it('the answer to a request for access, where the owner reads it', async () => {
    const { venue: at, visitor: owner } = await atWork(service, 'owner')
    const review = (what: 'withdraw' | 'decline', why: string) =>
      service.db.transaction((db) => reviewAccess({ db, now: service.context.clock }, at.id, what, why))
    const read = async () => (await owner.get('/office/integrations')).words
    await review('withdraw', 'Guest data was sold.')
    assert.match(await read(), /: Guest data was sold\. All keys were permanently revoked\./)
    await owner.post('/office/integrations/access', { description: 'Bookings from our site.' })
    await review('decline', 'Which site')
    assert.match(await read(), /: Which site\. You can request access again\./)
  })

  it('what was searched for', async () => {
    const { visitor: owner } = await atWork(service, 'owner')
    for (const path of ['/office/guests', '/office/tickets/orders', '/office/data/person']) {
      assert.match((await owner.get(`${path}?q=St.`)).words, /“St\.”(?!\.)/, path)
      assert.match((await owner.get(`${path}?q=Zoe`)).words, /“Zoe”\./, path)
    }
  })

  it('a segment that names an event', () => {
    assert.deepEqual(
      segmentWords(
        { type: 'ticketBuyers', eventId: 7, exclude: { tags: ['Friends of St.'] } },
        () => 'Jazz at Joe’s!',
      ),
      ['Subscribers who bought a ticket for Jazz at Joe’s!', 'Excluding those with Friends of St.'],
    )
  })
})
