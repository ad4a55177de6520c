import { staff } from '../../../book/reservations/test/book.ts'
import { suppress, unsubscribe } from '../../../marketing/subscribers/leaving.ts'
import type { SuppressionReason } from '../../../marketing/subscribers/states.ts'
import { rowsOf } from '../../rows.ts'
import type { Chapter } from '../walk.ts'

const manager = staff('manager')

/** Who a person is, and what is written on a guest that is there. */
export const guests: Chapter = {
  name: 'guests',
  take: async ({ service, ask, venue: makeVenue }) => {
    const { id, key } = await makeVenue()
    const post = (title: string, body: object) => ask(title, 'POST /api/v1/guests', { key, body })
    await post('a new guest', { name: 'Maya Okafor', email: 'Maya@Example.com', notes: 'Likes the garden.' })
    service.setClock('2026-10-06T19:01:00Z')
    await post('the same, by email', { email: 'maya@example.com' })
    await post('the same, with a phone that was missing', {
      email: 'maya@example.com',
      phone: '(212) 555-0147',
    })
    await post('the same, by phone', { phone: '+1 212 555 0147' })
    await post('the same, with other details', {
      name: 'M. Okafor',
      email: 'maya@example.com',
      phone: '(646) 555-0199',
      notes: 'Vegetarian.',
    })
    await post('by phone, with another email', { phone: '2125550147', email: 'maya@work.example.com' })
    await post('a new guest, by phone alone', { phone: '020 7946 0958' })
    await post('somebody else', { name: 'Ada', email: 'ada@example.com', phone: '646 555 0123' })
    await post('the email before the phone', { email: 'ada@example.com', phone: '(212) 555-0147' })
    await post('neither email nor phone', { name: 'Maya' })
    await post('a phone of six digits', { phone: '123456' })
    await post('an email that is none, beside a phone', { email: 'maya', phone: '2125550147' })
    await post('a name that is too long', { email: 'maya@example.com', name: 'x'.repeat(201) })
    const counted = `visit_count = 6, no_show_count = 1, cancellation_count = 2, last_visit_date = '2026-08-21',
      seating_preference = 'Booth', referral_source = 'A friend'`
    await rowsOf(
      service,
      `update guest set ${counted} where venue_id = $1 and email_key = 'maya@example.com'`,
      [id],
    )
    const find = (title: string, query: string) => ask(title, `GET /api/v1/guests/find?${query}`, { key })
    await find('found by email', 'email=MAYA@example.com')
    await find('found by phone', 'phone=2125550147')
    await find('found by email, not by the phone of another', 'email=ada@example.com&phone=2125550147')
    await find('not found', 'email=nobody@example.com')
  },
}

/** What happens to an address that is to be added. */
export const subscribers: Chapter = {
  name: 'subscribers',
  take: async ({ service, ask, book }) => {
    const { venue, act } = await book()
    const consent = { source: 'Checkout' }
    const post = (title: string, body: object) =>
      ask(title, 'POST /api/v1/subscribers', { key: venue.key, body: { consent, ...body } })
    const suppressed = (email: string, reason: SuppressionReason) =>
      act((work) => suppress(work, manager, { email, reason }))

    await post('somebody new', { email: 'Maya@Example.com' })
    await post('with everything', {
      email: 'ada@example.com',
      firstName: 'Ada',
      tag: 'Wine',
      consent: {
        source: 'Card at the door',
        statement: 'Yes, send me the menu.',
        at: '2026-10-01T12:00:00+02:00',
        pageUrl: 'https://example.com/menu',
      },
    })
    service.setClock('2026-10-06T19:01:00Z')
    await post('somebody on the list', { email: 'maya@example.com', firstName: 'Maya' })
    const { body } = await post('somebody who will leave', { email: 'left@example.com' })
    await act((work) => unsubscribe(work, { kind: 'guest' }, body.subscriber.id))
    await post('somebody who unsubscribed', { email: 'left@example.com' })
    const removed = await post('somebody whom staff will remove', { email: 'removed@example.com' })
    await act((work) => unsubscribe(work, manager, removed.body.subscriber.id))
    await post('somebody whom staff unsubscribed', { email: 'removed@example.com' })
    await post('somebody who will wait to confirm', { email: 'waits@example.com' })
    await rowsOf(
      service,
      `update subscriber set status = 'pending', confirmed_at = null where email_key = 'waits@example.com'`,
    )
    await post('somebody who waits to confirm', { email: 'waits@example.com' })
    for (const reason of ['bounced', 'spam_report', 'staff_removal'] as const) {
      await suppressed(`${reason}@example.com`, reason)
      await post(`an address that is suppressed for ${reason}`, { email: `${reason}@example.com` })
      await post(`somebody who will be suppressed for ${reason}`, { email: `on.${reason}@example.com` })
      await suppressed(`on.${reason}@example.com`, reason)
      await post(`somebody who was suppressed for ${reason}`, { email: `on.${reason}@example.com` })
    }
    await ask('everybody', 'GET /api/v1/subscribers?limit=100', venue)

    await post('no email', {})
    await post('an email that is none', { email: 'maya@example' })
    await post('no consent', { email: 'new@example.com', consent: null })
    await post('consent that is no object', { email: 'new@example.com', consent: true })
    await post('no source of the consent', { email: 'new@example.com', consent: { statement: 'Yes' } })
    await post('consent of the future', {
      email: 'new@example.com',
      consent: { source: 'Form', at: '2026-10-07T00:00:00Z' },
    })
    await post('consent at no moment', {
      email: 'new@example.com',
      consent: { source: 'Form', at: '2026-10-01' },
    })
    await post('a tag that is too long', { email: 'new@example.com', tag: 'x'.repeat(61) })
  },
}

export const leadsAndTasks: Chapter = {
  name: 'leads and tasks',
  take: async ({ service, ask, venue: makeVenue }) => {
    const { id, key } = await makeVenue()
    const lead = (title: string, body: object) => ask(title, 'POST /api/v1/leads', { key, body })
    await lead('an enquiry with a name', { name: 'Maya Okafor' })
    await lead('an enquiry with everything', {
      name: 'Maya Okafor',
      email: 'maya@example.com',
      phone: '(212) 555-0147',
      eventName: 'Okafor 40th',
      occasion: 'Birthday',
      eventDate: '2026-12-12',
      guestCount: '35-40',
      budgetPerPerson: '$120',
      concept: 'Garden room',
      priority: 'high',
      notes: 'A cake will be brought along.',
    })
    await lead('no name', { email: 'maya@example.com' })
    await lead('a priority that is none', { name: 'Maya', priority: 'Urgent' })
    await lead('a date that is none', { name: 'Maya', eventDate: 'next summer' })
    await lead('an email that is none', { name: 'Maya', email: 'maya' })
    await lead('a number where text is read', { name: 'Maya', guestCount: 35 })
    await rowsOf(
      service,
      `update lead set stage = 'Booked', dining_style = 'Buffet', dietary_needs = 'No nuts'
      where venue_id = $1 and event_name = 'Okafor 40th'`,
      [id],
    )
    await ask('the leads', 'GET /api/v1/leads', { key })

    const task = (title: string, body: object) => ask(title, 'POST /api/v1/tasks', { key, body })
    await task('a task with a title', { title: 'Call Maya' })
    await task('a task with everything', {
      title: 'Order wine',
      due: '2026-10-09',
      priority: 'LOW',
      category: 'menu',
      client: 'Maya Okafor',
    })
    await task('a category that is none', { title: 'Order wine', category: 'Wine' })
    await task('no title', { due: '2026-10-09' })
    await task('a day that is none', { title: 'Order wine', due: '2026-02-30' })
    await task('a priority of a task that is none', { title: 'Order wine', priority: 'Urgent' })
  },
}
