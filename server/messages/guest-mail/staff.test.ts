import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import PostalMime from 'postal-mime'
import type { Work } from '../../context.ts'
import { erasePerson } from '../../data/erasure/erase.ts'
import { moveReservation } from '../../book/reservations/moves.ts'
import { staff } from '../../book/reservations/test/book.ts'
import { actAt } from '../../test/act.ts'
import { bookByPage, guestAt, sendByPage, setGuestPages } from '../../test/guest.ts'
import { startMailing } from '../../test/mailing.ts'
import { everyEvening, setRules } from '../../test/open-rules.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../test/office.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestVenue, aTuesdayAfternoon } from '../../test/service.ts'
import { sendGuestMails } from './send-due-mails.ts'

const host = 'host@bluedoor.example.com'

describe('mail to staff per request', () => {
  const { service, relay, send, begin } = startMailing()
  let venue: TestVenue
  beforeEach(async () => {
    await begin(aTuesdayAfternoon)
    venue = await service.venue()
    await setRules(
      service,
      venue,
      everyEvening({ maxParty: 10, pacing: { intervalMinutes: 15, maxCovers: 7 } }),
    )
    await setGuestPages(service, venue, { staffMail: host })
  })

  const maya = { name: 'Maya Okafor', email: 'maya@example.com', tel: '(646) 555-0148' }
  const mailsToStaff = async () => {
    await send()
    return Promise.all(
      relay.received.filter(({ to }) => to === host).map(({ bytes }) => PostalMime.parse(bytes)),
    )
  }
  const book = (slot = '2026-10-06 19:00') => bookByPage(service, venue, { slot, ...maya, note: 'Walnuts' })
  const act = <T>(work: (one: Work) => Promise<T>): Promise<T> => actAt(service, venue, work)
  const bookings = async () =>
    (await service.call('GET', '/api/v1/reservations?limit=100', { key: venue.key })).body
  const confirm = async () => {
    const [{ id }] = await bookings()
    await act((work) => moveReservation(work, staff('manager'), { id, move: 'confirm' }))
    return id as number
  }
  const friday = {
    do: 'list',
    // Too many for any quarter of an hour.
    size: '8',
    date: '2026-10-09',
    from: '2026-10-09 19:00',
    to: '2026-10-09 20:00',
  }
  const joinList = () => sendByPage(service, `/v/${venue.slug}/waitlist`, { ...friday, ...maya })
  const inquiry = (more: Record<string, string> = {}) => ({
    ...{ token: randomUUID(), occasion: 'Birthday', size: 'about 30', date: 'a Friday in May' },
    ...{ budget: '', style: '', diet: '', words: 'He likes oysters.', ...maya, ...more },
  })

  it('a request: one mail with who and when, a link to the office, and an answer that goes to the guest', async () => {
    await book()
    const [mail, second] = await mailsToStaff()
    assert.equal(second, undefined)
    const [{ id }] = await bookings()
    assert.match(mail?.subject ?? '', /^New request: party of 2, Tue, Oct 6, 7:00\sPM$/)
    assert.deepEqual(
      mail?.replyTo?.map(({ address }) => address),
      ['maya@example.com'],
    )
    for (const said of [
      'Maya Okafor',
      '(646) 555-0148',
      'Walnuts',
      `https://data.example.com/office/bookings/${id}`,
    ]) {
      assert.ok(mail?.text?.includes(said), said)
      assert.ok(mail?.html?.includes(said), said)
    }
    assert.doesNotMatch(mail?.text ?? '', /this address was given with|\/r\//)
    assert.match(mail?.text ?? '', /A reply goes to the guest\./)
    const bytes = String(relay.received.find(({ to }) => to === host)?.bytes)
    assert.doesNotMatch(bytes, /^(List-|Precedence)/m)
    assert.match(bytes, /^Auto-Submitted: auto-generated/m)
    const toGuest = relay.received.find(({ to }) => to === maya.email)
    assert.ok(toGuest, 'the guest has their own')
    assert.notEqual(toGuest.messageId, relay.received.find(({ to }) => to === host)?.messageId)
  })

  it('mail to staff follows the clock they chose, mail to the guest stays as the country writes it', async () => {
    await rowsOf(service, 'update venue set clock_hours = 24 where id = $1', [venue.id])
    await book()
    const [mail] = await mailsToStaff()
    assert.equal(mail?.subject, 'New request: party of 2, Tue, Oct 6, 19:00')
    const toGuest = relay.received.find(({ to }) => to === maya.email)
    assert.match((await PostalMime.parse(toGuest?.bytes ?? '')).text ?? '', /7:00\sPM/)
  })

  it('a change that is asked for: one mail, with what it was and what it would be', async () => {
    const link = await book()
    const id = await confirm()
    assert.deepEqual(await mailsToStaff(), [], 'no mail about a request that was already answered')
    await guestAt(service, link, { form: { do: 'change', size: '4', slot: '2026-10-06 20:00' } })
    const [mail, second] = await mailsToStaff()
    assert.equal(second, undefined)
    assert.match(mail?.subject ?? '', new RegExp(`^Change asked for: booking ${id}, Tue, Oct 6, 8:00\\sPM$`))
    assert.match(mail?.text ?? '', /Guests: 4[^]*Booked now: Party of 2, Tuesday, October 6, 2026, 7:00\sPM/)
    assert.equal(mail?.replyTo?.[0]?.address, maya.email)
    assert.ok(mail?.text?.includes(`/office/bookings/${id}`))
  })

  it('when a requested change is withdrawn and another is requested, staff hear only of the last', async () => {
    const link = await book()
    await confirm()
    const ask = (slot: string) => guestAt(service, link, { form: { do: 'change', size: '2', slot } })
    await ask('2026-10-06 20:00')
    await guestAt(service, link, { form: { do: 'withdraw' } })
    await ask('2026-10-06 21:00')
    assert.deepEqual(
      (await mailsToStaff()).map(({ subject }) => /\d+:\d+/.exec(subject ?? '')?.[0]),
      ['9:00'],
    )
  })

  it('a party on the list for another day: one mail, with the times it can come', async () => {
    await joinList()
    const [mail, second] = await mailsToStaff()
    assert.equal(second, undefined)
    assert.match(mail?.subject ?? '', /^On the list: party of 8, Fri, Oct 9$/)
    assert.match(mail?.text ?? '', /Time: 7:00\s–\s8:00\sPM/)
    assert.match(mail?.text ?? '', /https:\/\/data\.example\.com\/office\/waitlist#w\d+/)
    assert.equal(mail?.replyTo?.[0]?.address, maya.email)
  })

  it('an inquiry: one mail with everything in it; a form sent twice gets one mail', async () => {
    const form = inquiry()
    await guestAt(service, `/v/${venue.slug}/enquire`, { form })
    await guestAt(service, `/v/${venue.slug}/enquire`, { form })
    const [mail, second] = await mailsToStaff()
    assert.equal(second, undefined)
    assert.equal(mail?.subject, 'Private event inquiry: Birthday')
    assert.match(mail?.text ?? '', /Guests: about 30[^]*Their words: He likes oysters\./)
    assert.match(mail?.text ?? '', /https:\/\/data\.example\.com\/office\/leads\/\d+/)
  })

  it('an address that is not valid in a header is written in the body, and the mail still comes', async () => {
    await guestAt(service, `/v/${venue.slug}/enquire`, { form: inquiry({ email: 'zoë@example.com' }) })
    const [mail] = await mailsToStaff()
    assert.deepEqual([mail?.subject, mail?.replyTo], ['Private event inquiry: Birthday', undefined])
    assert.match(mail?.text ?? '', /Email: zoë@example\.com/)
  })

  it('without an address nobody is mailed, nor of what is confirmed at once, nor to an address that was taken out', async () => {
    await book()
    await setGuestPages(service, venue, { staffMail: null })
    await joinList()
    const [kept] = await rowsOf(
      service,
      `select count(*)::int as n from guest_mail where venue_id = ${venue.id} and kind = 'staffList'`,
    )
    assert.equal(kept?.['n'], 0)
    await setGuestPages(service, venue, { staffMail: host, confirmUpTo: 4 })
    await bookByPage(service, venue, { slot: '2026-10-06 20:00', ...maya })
    await setGuestPages(service, venue, { staffMail: null })
    assert.deepEqual(await mailsToStaff(), [])
  })

  it('a relay that fails and an answer that is lost: it comes, with one Message-ID', async () => {
    await book()
    const later = () => service.setClock(service.context.clock().add({ minutes: 40 }).toString())
    relay.judge = { to: () => '451 4.3.0 Not now' }
    await send()
    later()
    relay.judge = { end: () => 'drop' }
    await send()
    later()
    relay.judge = {}
    await send()
    const copies = relay.received.filter(({ to }) => to === host)
    assert.ok(copies.length > 0)
    assert.equal(new Set(copies.map(({ messageId }) => messageId)).size, 1)
    const [row] = await rowsOf(
      service,
      `select state from guest_mail where venue_id = ${venue.id} and kind = 'staffBooking'`,
    )
    assert.equal(row?.['state'], 'sent')
  })

  it('one that does not arrive is named on the first screen and in the settings until the next arrives', async () => {
    const visit = async (role: 'host' | 'owner') => {
      const visitor = visitOffice(service)
      await visitor.signIn((await staffOf(service, venue, role)).email)
      return visitor
    }
    const [atDesk, owner] = [await visit('host'), await visit('owner')]
    const failures = async (visitor: OfficeVisitor, path = '/office/service') =>
      /<details class="card warn">[^]*?<\/details>/.exec((await visitor.get(path)).html)?.[0]
    await book()
    await guestAt(service, `/v/${venue.slug}/enquire`, { form: inquiry() })
    assert.equal(await failures(owner), undefined, 'not sent yet')
    relay.judge = { to: (address) => (address === host ? '550 5.1.1 No such mailbox' : 'take') }
    await send()
    const [{ id }] = await bookings()
    for (const path of ['/office/service', '/office/settings/guest-pages']) {
      const shown = (await failures(owner, path)) ?? ''
      assert.match(shown, /2 emails to staff did not arrive/, path)
      assert.match(shown, new RegExp(`href="/office/bookings/${id}"`), path)
      assert.match(shown, /href="\/office\/leads\/\d+">A private event inquiry<[^]*No such mailbox/, path)
    }
    const seen = (await failures(atDesk)) ?? ''
    assert.match(seen, /2 emails to staff did not arrive[^]*Tell a manager/)
    assert.doesNotMatch(seen, /\/office\/(leads|settings)/, 'a host may open neither')
    await setGuestPages(service, venue, { staffMail: null })
    assert.equal(await failures(owner), undefined, 'nobody is mailed now')
    await setGuestPages(service, venue, { staffMail: host })
    relay.judge = {}
    service.setClock(service.context.clock().add({ minutes: 1 }).toString())
    await joinList()
    await send()
    assert.equal(await failures(owner), undefined, 'the next arrived')
  })

  it('on hold after a restore nothing is sent; of somebody erased in between it says nothing', async () => {
    await book()
    const hold = { ...service.context.hold, isOn: () => true }
    await sendGuestMails({ ...service.context, db: service.context.workerDb, hold })
    assert.equal(relay.received.length, 0)
    await act((work) =>
      erasePerson(work, staff('owner'), {
        guestId: null,
        email: maya.email,
        phone: maya.tel,
        name: maya.name,
      }),
    )
    const [mail] = await mailsToStaff()
    assert.match(mail?.subject ?? '', /^New request/, 'the table is still asked for')
    assert.equal(mail?.replyTo, undefined)
    for (const gone of [maya.name, maya.email, '555', 'Walnuts'])
      assert.ok(!`${mail?.text}${mail?.html}`.includes(gone), gone)
  })

  it('no answer of the API, no event and no delivery knows the address', async () => {
    await book()
    await mailsToStaff()
    for (const at of ['reservations', 'guests', 'events', 'changes']) {
      const { status, text } = await service.call('GET', `/api/v1/${at}`, { key: venue.key })
      assert.equal(status, 200, at)
      assert.ok(!text.includes(host), at)
    }
    const told = await rowsOf(
      service,
      `select e::text as text from event e where venue_id = ${venue.id} and e::text like '%${host}%'`,
    )
    assert.deepEqual(told, [])
  })
})
