import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { turnTablesOn } from '../../../book/tables/test/floor.ts'
import { bookByPage, guestAt, setGuestPages } from '../../../test/guest.ts'
import { startMailing } from '../../../test/mailing.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestVenue, aTuesdayAfternoon } from '../../../test/service.ts'

describe('where a guest would like to sit', () => {
  const { service, mails, begin } = startMailing()
  let venue: TestVenue
  beforeEach(async () => {
    await begin(aTuesdayAfternoon)
    venue = await service.venue()
    await setRules(service, venue, everyEvening())
  })

  /** What the form of a time offers, as it is kept and as it is shown; undefined where it does not ask. */
  const offered = async (size = '2', date = '2026-10-06', language = 'en') => {
    const { text } = await guestAt(
      service,
      `/v/${venue.slug}/book?size=${size}&day=${date}&time=19:00&lang=${language}`,
    )
    const [select] = /<select id="f-seat"[\s\S]*?<\/select>/.exec(text) ?? []
    return select === undefined
      ? undefined
      : [...select.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)</g)].map(([, kept, shown]) => [kept, shown])
  }
  const table = (label: string, room: string, more: object = {}) => ({ label, room, most: 4, ...more })
  const floor = (rooms: readonly object[] = [{ name: 'Terrace' }, { name: 'Salon' }, { name: 'Bar' }]) =>
    setRules(service, venue, {
      ...everyEvening(),
      tables: {
        rooms,
        tables: [
          table('1', 'Salon'),
          table('2', 'Salon'),
          table('T1', 'Terrace', { priority: 5 }),
          table('B1', 'Bar', { online: false }),
        ],
        combinations: [{ tables: ['1', '2'], least: 5, most: 8 }],
        plans: [{ room: 'Terrace', weekdays: [3] }],
      },
    })
  const held = async () =>
    (
      await rowsOf(
        service,
        `select d.label from reservation_table t join dining_table d on d.venue_id = t.venue_id and d.id = t.table_id
          where t.venue_id = ${venue.id} order by t.reservation_id`,
      )
    ).map(({ label }) => label)

  it('is one of the venue’s rooms that take such a party then, where tables decide; else inside, outside or at the bar', async () => {
    await floor()
    const usual = [
      ['', 'Egal'],
      ['Inside', 'Drinnen'],
      ['Outside', 'Draußen'],
      ['At the bar', 'An der Bar'],
    ]
    assert.deepEqual(await offered('2', '2026-10-06', 'de'), usual, 'tables do not decide yet')
    await turnTablesOn(service, venue)
    const rooms = [
      ['Terrace', 'Terrace'],
      ['Salon', 'Salon'],
    ]
    assert.deepEqual(await offered(), [['', 'No preference'], ...rooms], 'the bar is for staff')
    assert.deepEqual(await offered('2', '2026-10-06', 'de'), [['', 'Egal'], ...rooms])
    assert.equal(await offered('6'), undefined, 'six have only the salon')
    assert.equal(await offered('2', '2026-10-07'), undefined, 'no terrace on Wednesdays')
    await floor([{ name: 'Terrace', on: false }, { name: 'Salon' }, { name: 'Bar' }])
    await turnTablesOn(service, venue)
    assert.equal(await offered(), undefined)
  })

  it('a room that is wished for decides about the table; guest and staff read it as it was chosen', async () => {
    await floor()
    await turnTablesOn(service, venue)
    await setGuestPages(service, venue, { confirmUpTo: 8 })
    const book = (seat: string, more: Record<string, string> = {}) =>
      bookByPage(service, venue, {
        slot: '2026-10-06 19:00',
        name: 'Maya',
        email: 'maya@example.com',
        seat,
        ...more,
      })
    await book('', { email: 'ada@example.com' })
    const link = await book('Terrace', { occasion: 'Birthday' })
    assert.deepEqual(await held(), ['1', 'T1'])
    const page = await guestAt(service, `${link}?lang=de`)
    assert.match(page.text, /Am liebsten: Terrace/)
    assert.match(page.text, /<dd>Geburtstag<\/dd>/)
    const said = await rowsOf(
      service,
      `select occasion, seating from guest_booking where venue_id = ${venue.id} and seating is not null`,
    )
    assert.deepEqual(said, [{ occasion: 'Birthday', seating: 'Terrace' }])
  })

  it('speaks the guest’s language on their page and in their mail, and that of staff in the office', async () => {
    const typed = { slot: '2026-10-06 19:00', name: 'Maya', email: 'maya@example.com' }
    const link = await bookByPage(
      service,
      venue,
      { ...typed, seat: 'Outside', occasion: 'Anniversary' },
      { 'accept-language': 'fr' },
    )
    const { text } = await guestAt(service, `${link}?lang=fr`)
    const mail = (await mails()).find(({ to }) => to?.[0]?.address === typed.email)
    for (const words of [text, mail?.text ?? '']) {
      assert.match(words, /En terrasse, si possible/)
      assert.doesNotMatch(words, /Outside|Anniversary/)
    }
  })
})
