import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { mailLink } from '../../book/reservations/guest/staff-link.ts'
import { moveReservation } from '../../book/reservations/moves.ts'
import { staff } from '../../book/reservations/test/book.ts'
import { actAt } from '../../test/act.ts'
import { bookByPage, guestAt, sendByPage, setGuestPages } from '../../test/guest.ts'
import { startMailing } from '../../test/mailing.ts'
import { everyEvening, setRules } from '../../test/open-rules.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestVenue, aTuesdayAfternoon } from '../../test/service.ts'

describe('how many mails an address gets', () => {
  const { service, relay, mails, send, begin } = startMailing()
  let venue: TestVenue
  beforeEach(async () => {
    await begin(aTuesdayAfternoon)
    venue = await openVenue()
  })

  const openVenue = async (): Promise<TestVenue> => {
    const made = await service.venue({ phone: '+1 212 555 0100' })
    await setRules(service, made, everyEvening())
    await setGuestPages(service, made, { staffMail: 'staff@blue.example.com' })
    return made
  }
  const inquire = (email: string, { slug } = venue) =>
    sendByPage(service, `/v/${slug}/enquire`, {
      name: 'Maya',
      email,
      occasion: 'Birthday',
      size: '20',
    }).catch(() => undefined)
  const got = async (address: string) =>
    (await mails()).filter(({ to }) => to?.[0]?.address?.toLowerCase() === address).length
  const later = (minutes: number): void =>
    service.setClock(service.context.clock().add({ minutes }).toString())

  it('an address gets three of a venue within an hour; the others wait their turn, and none is lost', async () => {
    for (let n = 0; n < 8; n++) await inquire(n % 2 ? 'Victim@example.com' : 'victim@example.com')
    const other = await openVenue()
    await inquire('victim@example.com', other)
    await inquire('other@example.com')
    assert.equal(await got('victim@example.com'), 3 + 1, 'three of the one venue, one of the other')
    assert.equal(await got('other@example.com'), 1)
    assert.equal(await got('staff@blue.example.com'), 10, 'staff hear of each')
    later(59)
    assert.equal(await got('victim@example.com'), 4)
    later(2)
    assert.equal(await got('victim@example.com'), 7)
    later(61)
    assert.equal(await got('victim@example.com'), 9)
    const kept = await rowsOf(service, `select state, tries from guest_mail where venue_id = ${venue.id}`)
    assert.deepEqual(new Set(kept.map(({ state }) => state)), new Set(['sent']))
    assert.deepEqual(new Set(kept.map(({ tries }) => tries)), new Set([1]), 'to wait is no try')
    const places = await rowsOf(service, `select string_agg(recipient, ' ') as all from recipient_place`)
    assert.doesNotMatch(String(places[0]?.['all']), /victim|@/, 'no address is stored')
  })

  it('what staff just did is mailed at once, however many mails there were', async () => {
    for (const slot of ['2026-10-08 19:00', '2026-10-09 19:00'])
      await bookByPage(service, venue, { slot, name: 'Maya Okafor', email: 'maya@example.com' })
    for (let n = 0; n < 3; n++) await inquire('maya@example.com')
    assert.equal(await got('maya@example.com'), 3)
    const rows = await rowsOf(service, `select id from reservation where venue_id = ${venue.id} order by id`)
    const [first, second] = rows.map(({ id }) => Number(id)) as [number, number]
    const act = (id: number, move: 'confirm' | 'cancel') =>
      actAt(service, venue, (work) =>
        moveReservation(work, staff('host'), { id, move, ...(move === 'cancel' && { decidedBy: 'staff' }) }),
      )
    await act(first, 'confirm')
    assert.match((await mails()).at(-1)?.subject ?? '', /^Confirmed/)
    await actAt(service, venue, (work) => mailLink(work, staff('host'), first))
    assert.match((await mails()).at(-1)?.subject ?? '', /^Your booking/)
    for (const [id, subject] of [
      [first, /^Cancelled by the restaurant/],
      [second, /^Not possible/],
    ] as const) {
      await act(id, 'cancel')
      // A cancellation of staff is mailed when it can no longer be undone.
      service.setClock(service.context.clock().add({ seconds: 30 }).toString())
      assert.match((await mails()).at(-1)?.subject ?? '', subject)
    }
    assert.equal(await got('maya@example.com'), 7)
  })

  it('a mail that is worthless when its turn comes does not wait for it: three more go within the hour, and the next fails for all to see', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.70' }
    const send = (email: string, size: string) =>
      guestAt(service, `/v/${venue.slug}/book`, {
        form: { size, day: '2026-10-08', time: '19:00', name: 'Ada Lindqvist', email },
        headers,
      })
    for (let n = 0; n < 6; n++) assert.equal((await send(`guest${n}@example.com`, '4')).status, 303)
    for (let n = 0; n < 4; n++) await inquire('ada@example.com')
    assert.equal(await got('ada@example.com'), 3)
    for (let n = 0; n < 4; n++) {
      const { text } = await send('ada@example.com', '2')
      assert.match(text, /Check your email/)
      assert.match(text, /If no email is there within a few minutes, nothing is booked yet: please call/)
    }
    assert.equal(await got('ada@example.com'), 3 + 3)
    assert.match((await mails()).at(-1)?.subject ?? '', /^One more press/)
    const last = await rowsOf(
      service,
      `select kind, state, answer from guest_mail where venue_id = ${venue.id} and state <> 'sent' order by id`,
    )
    assert.deepEqual(last, [
      { kind: 'inquiryReceived', state: 'waiting', answer: null },
      { kind: 'proofAsked', state: 'failed', answer: 'too many mails to the address within the hour' },
    ])
    later(61)
    assert.equal(await got('ada@example.com'), 7, 'what can wait has waited')
  })

  it('several workers at once send no more than that', async () => {
    for (let n = 0; n < 8; n++) await inquire('victim@example.com')
    await Promise.all([send(), send(), send(), send()])
    assert.equal(await got('victim@example.com'), 3)
  })

  it('a mail the relay did not take uses up nothing', async () => {
    relay.judge = { to: () => '451 4.3.0 Try later' }
    for (let n = 0; n < 4; n++) await inquire('victim@example.com')
    await send()
    relay.judge = {}
    later(5)
    assert.equal(await got('victim@example.com'), 3)
  })
})
