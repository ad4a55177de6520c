import { startSending } from '../../../marketing/campaigns/sending/engine.ts'
import {
  addTicketedEvent,
  oysters,
  saveTestAddresses,
  subscribe,
} from '../../../marketing/campaigns/test/list.ts'
import { eventually } from '../../eventually.ts'
import { rowsOf } from '../../rows.ts'
import type { Asking, Chapter, Walk } from '../walk.ts'

const scheduledAt = '2026-10-09T12:00:00+02:00'

/** A venue with test addresses, and its calls. */
const mailing = async ({ service, ask, venue: makeVenue }: Walk) => {
  const venue = await makeVenue()
  await saveTestAddresses(service, venue, ['first@example.com', 'second@example.com'])
  const call =
    (name: string, path = `/${name}`) =>
    (title: string, body: object, asking: Asking = {}) =>
      ask(`${name}, ${title}`, `POST /api/v1/campaigns${path}`, { key: venue.key, body, ...asking })
  return {
    venue,
    create: call('create', ''),
    compose: call('compose'),
    test: call('test'),
    send: call('send'),
    cancel: call('cancel'),
    set: (text: string) => rowsOf(service, `update venue set ${text} where id = $1`, [venue.id]),
    people: (count: number, prefix: string, status = 'subscribed') =>
      subscribe(service, venue, count, { prefix, status }),
  }
}

/** A campaign from its first word to the last mail, and what gets in its way. */
export const campaigns: Chapter = {
  name: 'campaigns',
  take: async (walk) => {
    const { service } = walk
    const { venue, create, compose, test, send, cancel, set, people } = await mailing(walk)
    const first = (await create('a draft', oysters)).body.campaign.id as number
    await people(3, 'p')
    await people(1, 'left', 'unsubscribed')
    await people(1, 'waits', 'pending')

    await send('without a test', { id: first })
    await set(`test_addresses = '{}'`)
    await test('where no address is saved', { id: first })
    await set(`test_addresses = '{first@example.com,second@example.com,größe@example.com}'`)
    await test('with an address that cannot be reached', { id: first })
    await send('before the list is built', { id: first })
    await compose('the list', { id: first })
    await compose('the list again', { id: first })
    await compose('the list of somebody else', { id: first, segment: { type: 'tag', anyOf: ['Wine'] } })
    await send('to nobody', { id: first })
    await compose('the list as it was', { id: first, segment: { type: 'all' } })
    await send('another count than the list has', { id: first, confirmCount: 4 })
    await set('monthly_emails = 2')
    await send('more than the plan includes', { id: first })
    await set('monthly_emails = 10, postal_address = null')
    await send('what the checklist stops', { id: first })
    await set(`postal_address = '12 Harbor St, Portland, ME'`)
    await send('a time that has passed', { id: first, scheduledAt: '2026-10-06T18:59:59Z' })
    await send('a time without a zone', { id: first, scheduledAt: '2026-10-09T12:00:00' })
    await send('a count that is none', { id: first, confirmCount: '3' })
    await send('a time', { id: first, scheduledAt, confirmCount: 3 })
    await send('what is scheduled already', { id: first })
    await rowsOf(service, `update subscriber set status = 'unsubscribed' where email_key = 'p1@example.com'`)
    await compose('a scheduled list, which only shrinks', { id: first })
    await compose('a scheduled list that cannot be relied on', {
      id: first,
      segment: { type: 'all', exclude: { ticketHoldersOf: 999 } },
    })
    await test('what is scheduled', { id: first })
    await cancel('what is scheduled', { id: first })
    await cancel('what is cancelled', { id: first })
    await send('what is cancelled', { id: first })
    await compose('what is cancelled', { id: first })
    await test('what is cancelled', { id: first })

    const second = (await create('another draft', { ...oysters, name: 'Once more' })).body.campaign
      .id as number
    await cancel('a draft', { id: second })
    await compose('the draft', { id: second })
    await test('the draft', { id: second })
    await send('now, which waits ten minutes', { id: second })
    const sending = startSending(
      { ...service.context, db: service.context.workerDb },
      { lookMs: 20, beatMs: 50 },
    )
    service.setClock('2026-10-06T19:10:00Z')
    const isSent = async () =>
      (
        await rowsOf(service, `select from campaign where venue_id = $1 and id = $2 and status = 'sent'`, [
          venue.id,
          second,
        ])
      ).length === 1
    try {
      await eventually(isSent)
    } finally {
      await sending.stop()
    }
    await cancel('what is sent', { id: second })
    await send('what is sent', { id: second })
    await compose('what is sent', { id: second })
    await test('what is sent', { id: second })

    for (const call of [compose, test, send, cancel]) {
      await call('without an id', {})
      await call('a campaign that is not there', { id: 999 })
      await call('an id that is none', { id: 'first' })
    }
    const { key } = await walk.venue()
    await compose('the campaign of another venue', { id: first }, { key })
  },
}

/** What a draft must be, and whom it may go to. */
export const drafts: Chapter = {
  name: 'drafts',
  take: async (walk) => {
    const { service } = walk
    const { venue, create, compose, send, test, people } = await mailing(walk)
    await create('with everything', {
      ...oysters,
      preheader: 'Six kinds.',
      bodyText: 'Oyster week.',
      bodyFormat: 'HTML',
      segment: { type: 'tag', anyOf: ['Wine'], exclude: { mailedWithinDays: 7 } },
    })
    await create('what is taken out of a body', {
      ...oysters,
      bodyHtml: '<p onclick="x()">Hi<script>x()</script></p>',
    })
    await create('no name', { subject: 'Oysters' })
    await create('no subject', { name: 'Oysters' })
    await create('a subject of 200 characters', { ...oysters, subject: 'x'.repeat(200) })
    await create('a subject of 201 characters', { ...oysters, subject: 'x'.repeat(201) })
    await create('a format that is none', { ...oysters, bodyFormat: 'markdown' })

    const { event } = await addTicketedEvent(service, venue)
    await people(4, 'p')
    const segments: readonly unknown[] = [
      { type: 'all' },
      { type: 'tag', anyOf: ['Wine'], allOf: ['Regulars'], noneOf: ['Press'] },
      { type: 'birthday' },
      { type: 'birthday', month: 10 },
      { type: 'visited', withinDays: 90, minVisits: 2 },
      { type: 'lapsed', notSinceDays: 180 },
      { type: 'ticketBuyers', eventId: event },
      { type: 'ticketBuyers', eventId: 999 },
      { type: 'and', of: [{ type: 'all' }, { type: 'and', of: [{ type: 'birthday' }] }] },
      {
        type: 'all',
        exclude: { ticketHoldersOf: event, tags: ['Wine'], mailedWithinDays: 7, campaigns: [1] },
      },
      { type: 'all', unknown: true },
      'all',
      [],
      {},
      { type: 'everyone' },
      { type: 'tag' },
      { type: 'tag', anyOf: [''] },
      { type: 'tag', anyOf: 'Wine' },
      { type: 'birthday', month: 13 },
      { type: 'visited', minVisits: 0 },
      { type: 'lapsed' },
      { type: 'ticketBuyers' },
      { type: 'and', of: [] },
      { type: 'and', of: Array.from({ length: 9 }, () => ({ type: 'all' })) },
      { type: 'and', of: [{ type: 'all', exclude: { tags: ['Wine'] } }] },
      { type: 'all', exclude: { tag: ['Wine'] } },
      { type: 'all', exclude: { ticketHoldersOf: 'yes' } },
    ]
    for (const segment of segments) {
      const made = await create(`to ${JSON.stringify(segment)}`, { ...oysters, segment })
      if (made.status === 200) {
        await compose(`of ${JSON.stringify(segment)}`, { id: made.body.campaign.id })
      }
    }
    const gone = await create('without holders of a ticket that is not there', {
      ...oysters,
      segment: { type: 'all', exclude: { ticketHoldersOf: 999 } },
    })
    const { id } = gone.body.campaign
    await compose('a list that cannot be relied on', { id })
    await test('the draft', { id })
    await send('by a list that cannot be relied on', { id })
  },
}

/** Nothing listens where the mail is to go. */
export const mailOff: Chapter = {
  name: 'no relay',
  settings: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'hello@bluedoor.example' },
  take: async (walk) => {
    const { create, test, set } = await mailing(walk)
    const { id } = (await create('a draft', oysters)).body.campaign
    await test('not handed over', { id })
    await set(`test_addresses = '{größe@example.com}'`)
    await test('to an address that cannot be reached', { id })
  },
}
