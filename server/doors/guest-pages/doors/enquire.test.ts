import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import PostalMime from 'postal-mime'
import { sendGuestMails } from '../../../messages/guest-mail/send-due-mails.ts'
import { type TestRelay, startTestRelay } from '../../../mail/test/relay.ts'
import { guestAt, hiddenOn } from '../../../test/guest.ts'
import { setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'

describe('asking about a private event', () => {
  let service: TestService
  let relay: TestRelay
  let venue: TestVenue
  before(async () => {
    relay = await startTestRelay()
    service = await startService({ SMTP_URL: relay.url })
    venue = await service.venue()
    await setRules(service, venue)
  })
  after(async () => {
    await service.stop()
    await relay.stop()
  })

  const path = () => `/v/${venue.slug}/enquire`
  const inquiry = async (more: Record<string, string> = {}) => {
    const { text } = await guestAt(service, path())
    return {
      ...{ token: hiddenOn(text, 'token'), occasion: 'Birthday', size: 'about 30', date: 'a Friday in May' },
      ...{ name: 'Maya Okafor', email: 'maya@example.com', tel: '(212) 555-0147', budget: '$120' },
      ...{ style: 'Seated dinner', diet: 'No nuts', words: 'My father turns 70.\nHe likes oysters.' },
      ...more,
    }
  }
  const leads = async () => (await service.call('GET', '/api/v1/leads', { key: venue.key })).body

  it('makes a lead at Inquiry with everything entered, records its event, matches it to a guest and mails a receipt', async () => {
    const answer = await guestAt(service, path(), { form: await inquiry() })
    assert.equal(answer.status, 200)
    assert.match(answer.text, /Thank you, Maya Okafor/)
    const [lead] = await leads()
    const { id, submittedAt, createdAt, updatedAt, revision, ...rest } = lead
    assert.deepEqual(rest, {
      contactName: 'Maya Okafor',
      contactEmail: 'maya@example.com',
      contactPhone: '(212) 555-0147',
      eventName: 'TBD',
      occasion: 'Birthday',
      date: 'a Friday in May',
      guestCount: 'about 30',
      budgetPerPerson: '$120',
      diningStyle: 'Seated dinner',
      dietaryNeeds: 'No nuts',
      stage: 'Inquiry',
      priority: 'Medium',
      notes: 'My father turns 70.\nHe likes oysters.',
      submittedVia: 'public_form',
      externalId: null,
    })
    const names = (
      await rowsOf(service, `select name from event where venue_id = ${venue.id} order by id`)
    ).map(({ name }) => name)
    assert.deepEqual(names, ['guest.created', 'lead.created'])
    await sendGuestMails({ ...service.context, db: service.context.workerDb })
    const mail = await PostalMime.parse(relay.received[0]?.bytes as Buffer)
    assert.equal(mail.subject, 'Your inquiry to The Blue Door')
    assert.match(mail.text ?? '', /How many guests\? about 30/)
    assert.match(mail.text ?? '', /Nothing is booked yet/)
  })

  it('takes a day that was picked, words, or both; chooses no occasion beforehand, and mails the day as one reads it', async () => {
    const { text } = await guestAt(service, path())
    assert.match(text, /name="day"\s+type="date"[^>]*min="2026-10-06"/)
    assert.match(text, /<option value="" selected>Choose<\/option>/)
    relay.received.length = 0
    let asked = 0
    for (const [said, kept, read] of [
      [{ day: '2027-05-14', date: '' }, '2027-05-14', 'Friday, May 14, 2027'],
      [
        { day: '2027-05-14', date: 'or a week later' },
        '2027-05-14, or a week later',
        'Friday, May 14, 2027, or a week later',
      ],
      [{ day: '', date: 'a Friday in May' }, 'a Friday in May', 'a Friday in May'],
      // A browser without a picker sends what was typed.
      [{ day: '2027-02-30', date: '' }, '2027-02-30', '2027-02-30'],
    ] as const) {
      const answer = await guestAt(service, path(), {
        form: await inquiry({ ...said, occasion: '', email: `maya${++asked}@example.com` }),
      })
      assert.ok(answer.text.includes(`<dd>${read}</dd>`), answer.text)
      const [lead] = await leads()
      assert.deepEqual([lead.date, lead.occasion], [kept, null])
      await sendGuestMails({ ...service.context, db: service.context.workerDb })
      const mail = await PostalMime.parse(relay.received.at(-1)?.bytes as Buffer)
      assert.ok((mail.text ?? '').includes(`When? ${read}\n`), mail.text ?? '')
    }
  })

  it('a form sent twice makes one lead', async () => {
    const before = (await leads()).length
    const form = await inquiry({ name: 'Ben' })
    const answers = await Promise.all([1, 2, 3].map(() => guestAt(service, path(), { form })))
    for (const { status, text } of answers) {
      assert.equal(status, 200)
      assert.match(text, /Thank you, Ben/)
    }
    assert.equal((await leads()).length, before + 1)
  })

  it('keeps what was typed when something needs fixing, and makes nothing', async () => {
    const before = (await leads()).length
    const answer = await guestAt(service, path(), {
      form: await inquiry({ email: 'nobody', size: '', tel: '123', diet: '<script>' }),
    })
    assert.equal(answer.status, 400)
    assert.match(answer.text, /3 things need fixing/)
    for (const said of [/href="#f-size"/, /href="#f-email"/, /href="#f-tel"/, /value="&lt;script&gt;"/])
      assert.match(answer.text, said)
    assert.equal((await leads()).length, before)
  })
})
