import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Work } from '../../context.ts'
import { erasePerson } from '../../data/erasure/erase.ts'
import { moveReservation } from '../../book/reservations/moves.ts'
import { staff } from '../../book/reservations/test/book.ts'
import { queueGuestText } from '../../book/texts/texts-store.ts'
import { actAt } from '../../test/act.ts'
import { bookByPage, guestAt, hiddenOn, sendByPage, setGuestPages } from '../../test/guest.ts'
import { startMailing } from '../../test/mailing.ts'
import { everyEvening, setRules } from '../../test/open-rules.ts'
import { rowsOf } from '../../test/rows.ts'
import type { TestVenue } from '../../test/service.ts'
import { offerByHand } from '../../book/waitlist/offers.ts'

const person = { name: 'Zephyrine Quillfeather', email: 'zephyrine@quill.example.com', tel: '(917) 555-0142' }
/** Each is in rows before, in some spelling, and in none after. */
const traces = ['zephyrine', 'quillfeather', 'quill.example.com', '555-0142', '9175550142', 'pollen']

describe('a guest of the pages who is erased', () => {
  const { service, relay, send } = startMailing()
  let venue: TestVenue
  before(async () => {
    // Tuesday evening in New York: the line is open.
    service.setClock('2026-10-06T22:00:00Z')
    venue = await service.venue({ country: 'US' })
    await setRules(service, venue, everyEvening({ maxParty: 10 }))
    await setGuestPages(service, venue, { staffMail: 'host@bluedoor.example.com' })
  })

  const act = <T>(work: (one: Work) => Promise<T>): Promise<T> => actAt(service, venue, work)
  /** The tables that have a trace of the person in any row, and which. */
  const found = async (): Promise<Map<string, string[]>> => {
    const tables = await rowsOf(
      service,
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    )
    assert.ok(tables.length > 50)
    const all = new Map<string, string[]>()
    for (const { name } of tables) {
      const [row] = await rowsOf<{ text: string | null }>(
        service,
        `select lower(string_agg(t::text, ' ')) as text from "${String(name)}" t`,
      )
      const those = traces.filter((trace) => row?.text?.includes(trace))
      if (those.length > 0) all.set(String(name), those)
    }
    return all
  }
  const one = async (statement: string): Promise<number> =>
    Number((await rowsOf(service, statement))[0]?.['id'])

  it('no trace in holds, mails, bookings, places in line, offers, texts and sign-ups', async () => {
    const { name, email, tel } = person
    const link = await bookByPage(service, venue, {
      ...{ slot: '2026-10-08 19:00', ...person, note: 'Pollen', occasion: `Birthday of ${name}` },
    })
    await guestAt(service, link, { form: { do: 'note', note: `Call ${tel}` } })
    const booking = await one(`select id from reservation where venue_id = ${venue.id}`)
    await act((work) => moveReservation(work, staff('manager'), { id: booking, move: 'confirm' }))
    await guestAt(service, link, { form: { do: 'change', size: '4', slot: '2026-10-08 20:00' } })
    // A hold that is still open while the person is erased.
    await guestAt(service, `/v/${venue.slug}/book`, {
      form: { size: '2', slot: '2026-10-08 21:00' },
    })
    // One that waits for the press behind a link in a mail, as its network has booked much of that evening.
    const byNetwork = (form: Record<string, string>) =>
      guestAt(service, `/v/${venue.slug}/book`, {
        form: { day: '2026-10-10', time: '19:00', ...form },
        headers: { 'x-forwarded-for': '203.0.113.70' },
      })
    for (let n = 0; n < 3; n++)
      await byNetwork({ size: '8', name: `Guest ${n}`, email: `guest${n}@example.com` })
    const asked = await byNetwork({ size: '4', ...person, note: 'Pollen' })
    assert.match(asked.text, /Check your email/)
    await byNetwork({ size: '4', name: 'Sister', email: 'sister@example.com', note: `With ${name}` })
    await setRules(
      service,
      venue,
      everyEvening({ maxParty: 10, pacing: { intervalMinutes: 15, maxCovers: 7 } }),
    )
    await sendByPage(service, `/v/${venue.slug}/waitlist`, {
      ...{
        do: 'list',
        size: '8',
        date: '2026-10-09',
        from: '2026-10-09 19:00',
        to: '2026-10-09 20:00',
        name,
        email,
      },
    })
    await setRules(service, venue, everyEvening({ maxParty: 10 }))
    const listed = await one(`select id from waitlist_entry where venue_id = ${venue.id} and for_later`)
    await act((work) => offerByHand(work, staff('manager'), { id: listed }))
    const line = `/v/${venue.slug}/waitlist`
    const { text } = await guestAt(service, `${line}?size=2`)
    const hidden = Object.fromEntries(['token', 'size', 'quote'].map((one) => [one, hiddenOn(text, one)]))
    assert.equal((await guestAt(service, line, { form: { ...hidden, ...person } })).status, 303)
    const inLine = await one(`select id from waitlist_entry where venue_id = ${venue.id} and not for_later`)
    await act(({ db }) =>
      queueGuestText(
        db,
        venue.id,
        { kind: 'linePaged', record: inLine, until: service.context.clock().add({ hours: 1 }) },
        service.context.clock(),
      ),
    )
    await guestAt(service, `/v/${venue.slug}/enquire`, {
      form: {
        ...{
          token: crypto.randomUUID(),
          occasion: 'Birthday',
          size: '30',
          date: 'May',
          budget: '',
          style: '',
        },
        ...{ diet: 'pollen', words: `For ${name}`, ...person },
      },
    })
    await guestAt(service, `/v/${venue.slug}/news`, { form: { email, given: 'Zephyrine', bday: '4/23' } })
    const before = await found()
    for (const table of [
      'reservation',
      'unmade_booking',
      'guest_booking',
      'waitlist_entry',
      'lead',
      'subscriber',
      'guest',
      'activity',
    ])
      assert.ok(before.has(table), table)
    await act((work) => erasePerson(work, staff('owner'), { guestId: null, email, phone: tel, name }))
    assert.deepEqual(Object.fromEntries(await found()), {})
    relay.received.length = 0
    await send()
    for (const { to, bytes } of relay.received) {
      assert.notEqual(to, email)
      for (const trace of traces) assert.ok(!String(bytes).toLowerCase().includes(trace), trace)
    }
    assert.deepEqual(Object.fromEntries(await found()), {}, 'nor once the mails are over')
    assert.equal((await guestAt(service, link)).status, 404)
  })
})
