import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { moveReservation } from '../../book/reservations/moves.ts'
import { staff } from '../../book/reservations/test/book.ts'
import { actAt } from '../../test/act.ts'
import { bookByPage, guestAt, setGuestPages } from '../../test/guest.ts'
import { startMailing } from '../../test/mailing.ts'
import { tablesOf, turnTablesOn } from '../../book/tables/test/floor.ts'
import { everyEvening, setRules } from '../../test/open-rules.ts'
import { staffOf, visitOffice } from '../../test/office.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestVenue, aTuesdayAfternoon } from '../../test/service.ts'

describe('a booking in the guest’s calendar', () => {
  const { service, relay, mails, begin } = startMailing()
  let venue: TestVenue
  beforeEach(async () => {
    await begin(aTuesdayAfternoon)
    venue = await service.venue()
    await setRules(service, venue, everyEvening())
    await setGuestPages(service, venue, { staffMail: 'tables@blue.example.com' })
  })

  const book = (slot = '2026-10-08 19:00') =>
    bookByPage(service, venue, { slot, name: 'Maya Okafor', email: 'maya@example.com' })
  const cancelByGuest = (at: string) => guestAt(service, at, { form: { do: 'cancel' } })
  const act = async (move: 'confirm' | 'cancel') => {
    const [row] = await rowsOf(service, `select max(id) as id from reservation where venue_id = ${venue.id}`)
    await actAt(service, venue, (work) =>
      moveReservation(work, staff('manager'), {
        ...{ id: Number(row?.['id']), move },
        ...(move === 'cancel' && { decidedBy: 'staff' as const }),
      }),
    )
    // A cancellation of staff is mailed when it can no longer be undone.
    if (move === 'cancel') service.setClock(service.context.clock().add({ seconds: 30 }).toString())
  }
  /** The last mail to the guest. */
  const last = async () => {
    const mail = (await mails()).findLast(({ to }) => to?.[0]?.address === 'maya@example.com')
    const file = mail?.attachments[0]
    return {
      text: mail?.text ?? '',
      type: file?.mimeType,
      method: file?.method,
      file:
        file &&
        (typeof file.content === 'string'
          ? file.content
          : Buffer.from(file.content as ArrayBuffer).toString()),
    }
  }
  const claim = /takes it off your calendar/

  it('comes off it when the guest or the venue cancels what was confirmed', async () => {
    for (const cancel of [cancelByGuest, () => act('cancel')]) {
      // An address gets three mails within the hour.
      service.setClock(service.context.clock().add({ hours: 2 }).toString())
      const at = await book()
      await act('confirm')
      const confirmed = await last()
      assert.match(confirmed.file ?? '', /METHOD:PUBLISH/)
      assert.match(confirmed.file ?? '', /ORGANIZER;CN="The Blue Door":mailto:tables@blue\.example\.com/)
      await cancel(at)
      const cancelled = await last()
      assert.match(cancelled.text, claim)
      assert.match(cancelled.file ?? '', /METHOD:CANCEL[\s\S]*ORGANIZER;CN="The Blue Door"/)
      assert.match((await guestAt(service, `${at}/table.ics`)).text, /METHOD:CANCEL/)
      relay.received.length = 0
    }
  })

  it('is not said to come off it where no file was ever sent: a request that was cancelled or declined', async () => {
    for (const cancel of [cancelByGuest, () => act('cancel')]) {
      // An address gets three mails within the hour.
      service.setClock(service.context.clock().add({ hours: 2 }).toString())
      const at = await book()
      await last()
      await cancel(at)
      const { text, file } = await last()
      assert.match(text, /is cancelled|did not work out/)
      assert.doesNotMatch(text, claim)
      assert.equal(file, undefined)
    }
  })

  it('is not said to come off it where the venue has no address to say so', async () => {
    await setGuestPages(service, venue, { staffMail: null })
    const at = await book()
    await act('confirm')
    assert.doesNotMatch((await last()).file ?? '', /ORGANIZER|METHOD/)
    await cancelByGuest(at)
    const { text, file } = await last()
    assert.match(text, /is cancelled/)
    assert.doesNotMatch(text, claim)
    assert.equal(file, undefined)
    assert.doesNotMatch((await guestAt(service, at)).text, /table\.ics/)
    assert.equal((await guestAt(service, `${at}/table.ics`)).status, 404)
  })

  it('is one press away at Google and Outlook, which never see the private link', async () => {
    await setGuestPages(service, venue, { confirmUpTo: 4 })
    const at = await book()
    const { text } = await guestAt(service, at)
    const links = [...text.matchAll(/href="(https:\/\/(?:calendar\.google|outlook\.live)\.com[^"]*)"/g)].map(
      ([, link = '']) => link,
    )
    assert.equal(links.length, 2)
    for (const link of links) {
      assert.match(link, /20261008T230000Z|2026-10-08T23%3A00%3A00Z/)
      assert.ok(!link.includes(at.slice('/r/'.length)))
    }
    assert.match(text, /target="_blank" rel="noreferrer">Google Calendar/)
  })

  it('ends where a short stay does, which the mail and the private page say, too', async () => {
    await setRules(service, venue, everyEvening(tablesOf([{ label: '6', most: 4 }])))
    await turnTablesOn(service, venue)
    const at = await book()
    await act('confirm')
    assert.doesNotMatch((await last()).text, /Your table until/)
    await rowsOf(
      service,
      `update reservation set duration_minutes = 60, status = 'Requested' where venue_id = ${venue.id}`,
    )
    await act('confirm')
    const { text, file } = await last()
    assert.match(text, /Your table until:?\s+8:00\sPM/)
    assert.match(file ?? '', /DTEND;TZID=America\/New_York:20261008T200000/)
    assert.match((await guestAt(service, at)).text, /Your table until[^]*?8:00\sPM/)
    // At the table the staff know: a stay that is cut as they sit down is no news by a link.
    await rowsOf(
      service,
      `update reservation set status = 'Seated', seated_at = starts_at + interval '10 minutes' where venue_id = ${venue.id}`,
    )
    assert.doesNotMatch((await guestAt(service, at)).text, /Your table until/)
  })

  it('ends at 8 where somebody books by phone for a while, until the next party comes', async () => {
    await setRules(service, venue, everyEvening(tablesOf([{ label: '6', most: 4 }])))
    await turnTablesOn(service, venue)
    const host = visitOffice(service)
    await host.signIn((await staffOf(service, venue, 'host')).email)
    const [six] = await rowsOf(service, `select id from dining_table where venue_id = ${venue.id}`)
    const table = String(six?.['id'])
    const phones = async (guestName: string, more: Record<string, string>) => {
      const party = { date: '2026-10-08', partySize: '2', guestName }
      const token = crypto.randomUUID()
      assert.equal((await host.post('/office/bookings', { token, ...party, ...more })).status, 303)
    }
    await phones('Howard', { time: '20:00', table })
    const sheet = await host.get('/office/bookings/reasons?date=2026-10-08&partySize=2&time=19:00&table=', {
      'hx-request': 'true',
    })
    const offered = /name="table"\s+value="(\d+@[^"]+)"/.exec(sheet.html)?.[1]
    assert.equal(offered, `${table}@2026-10-09T00:00:00Z`)
    await phones('Maya Okafor', {
      ...{ time: '19:00', table: offered, phone: '+1 212 555 0143', email: 'maya@example.com' },
    })
    const [made] = await rowsOf(service, `select max(id) as id from reservation where venue_id = ${venue.id}`)
    await host.post(`/office/bookings/${String(made?.['id'])}/link`, { do: 'mail' })
    const { text } = await last()
    assert.match(text, /Your table until:?\s+8:00\sPM/)
    const [, link = ''] = /https:\/\/data\.example\.com(\/r\/[\w-]+)/.exec(text) ?? []
    const calendar = (await guestAt(service, `${link}/table.ics`)).text
    assert.match(calendar, /DTSTART;TZID=America\/New_York:20261008T190000/)
    assert.match(calendar, /DTEND;TZID=America\/New_York:20261008T200000/)
  })
})
