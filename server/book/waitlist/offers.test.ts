import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { Work } from '../../context.ts'
import { moveReservation } from '../reservations/moves.ts'
import { staff } from '../reservations/test/book.ts'
import { readWhen } from '../day/when.ts'
import { actAt } from '../../test/act.ts'
import { eventually } from '../../test/eventually.ts'
import { guestAt, hiddenOn, setGuestPages } from '../../test/guest.ts'
import { startMailing } from '../../test/mailing.ts'
import { everyEvening, setRules } from '../../test/open-rules.ts'
import { tablesOf, turnTablesOn as letTablesDecide } from '../tables/test/floor.ts'
import { turnTablesOff } from '../tables/turn-on.ts'
import { startProcess } from '../../test/process.ts'
import { rowsOf } from '../../test/rows.ts'
import type { TestVenue } from '../../test/service.ts'
import { sweepHolds } from '../reservations/holds/holds.ts'
import { moveEntry } from './actions.ts'
import { expireWaitlist } from './jobs.ts'
import { lookAtFreed } from './freed-job.ts'
import { offerByHand } from './offers.ts'
import { bookFromWaitlist, recallParty } from './seat-party.ts'

const host = staff('host')
/** Tuesday 6 October 2026, 15:00 in New York; the day that is full is the Friday after. */
const afternoon = '2026-10-06T19:00:00Z'
const friday = '2026-10-09'
const fridayAtSeven = { date: friday, time: '19:00', startsAt: undefined }

describe('the list for another day', () => {
  const { service, mails, begin } = startMailing()
  let venue: TestVenue
  beforeEach(async () => {
    await begin(afternoon)
    venue = await service.venue({ phone: '+1 212 555 0100' })
    await rules()
  })

  /** One quarter of an hour takes two parties of two. */
  const rules = (more: object = {}) =>
    setRules(
      service,
      venue,
      everyEvening({
        maxParty: 8,
        periods: everyEvening().periods.map((period) => ({ ...period, seatings: ['19:00', '20:00'] })),
        pacing: { intervalMinutes: 15, maxCovers: 4 },
        ...more,
      }),
    )
  const act = <T>(work: (one: Work) => Promise<T>): Promise<T> => actAt(service, venue, work)
  const job = { context: () => ({ ...service.context, db: service.context.workerDb }) }
  const offer = async () => (await lookAtFreed(job.context())).offers
  const expire = () => expireWaitlist(job.context())
  const book = async (time: string, partySize = 2): Promise<number> => {
    const body = { guestName: 'Grace', date: friday, time, partySize, email: 'grace@example.com' }
    const answer = await service.call('POST', '/api/v1/reservations', { key: venue.key, body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.reservation.id
  }
  const fill = async () => [
    await book('19:00'),
    await book('19:00'),
    await book('20:00'),
    await book('20:00'),
  ]
  const cancel = (id: number) =>
    act((work) => moveReservation(work, { kind: 'guest' }, { id, move: 'cancel' }))
  const dayPage = () => guestAt(service, `/v/${venue.slug}/book?size=2&date=${friday}`)
  const listForm = async (name: string, more: Record<string, string> = {}) => {
    const { text } = await dayPage()
    const [form = ''] =
      /<form[^>]*>\s*<input type="hidden" name="do" value="list"[\s\S]*?<\/form>/.exec(text) ?? []
    const hidden = Object.fromEntries(['token', 'size', 'date'].map((one) => [one, hiddenOn(form, one)]))
    const window = { from: `${friday} 19:00`, to: `${friday} 20:00` }
    return { do: 'list', ...hidden, ...window, name, email: `${name.toLowerCase()}@example.com`, ...more }
  }
  const join = async (name: string, more: Record<string, string> = {}, language = 'en'): Promise<string> => {
    const answer = await guestAt(service, `/v/${venue.slug}/waitlist`, {
      form: await listForm(name, more),
      // Each has a network of its own.
      headers: { 'x-forwarded-for': `203.0.113.${name.charCodeAt(0)}`, 'accept-language': language },
    })
    assert.equal(answer.status, 303, answer.text)
    return answer.headers.get('location') ?? ''
  }
  type Entry = {
    id: number
    guestName: string
    status: string
    pagedAt: string | null
    leftAt: string | null
    source: string
    windowStart: string
  }
  const entries = async (): Promise<Entry[]> =>
    (await service.call('GET', '/api/v1/waitlist?limit=100&sort=createdAt', { key: venue.key })).body
  const states = async () =>
    Object.fromEntries((await entries()).map(({ guestName, status }) => [guestName, status]))
  const holds = () =>
    rowsOf(
      service,
      `select service_minute, party_size, waitlist_entry_id from booking_hold where venue_id = ${venue.id}`,
    )
  const told = async () =>
    (await rowsOf(service, `select name from event where venue_id = ${venue.id} order by id`)).map(
      ({ name }) => String(name),
    )
  /** Guests arriving at a time of that Friday, with what is held: never more than it takes. */
  const arrivingAt = async (minute: number): Promise<number> => {
    const [row] = await rowsOf(
      service,
      `select coalesce(sum(party_size), 0)::int as covers from (
         select party_size from reservation where venue_id = ${venue.id} and service_minute = ${minute} and status in ('Requested', 'Confirmed')
         union all select party_size from booking_hold where venue_id = ${venue.id} and service_minute = ${minute}) arriving`,
    )
    return Number(row?.['covers'])
  }

  it('an offer is mailed at once, however many mails its party got before: it would lapse unread', async () => {
    const [first = 0] = await fill()
    await join('Maya')
    for (let n = 0; n < 3; n++)
      await guestAt(service, `/v/${venue.slug}/enquire`, {
        form: { name: 'Maya', email: 'maya@example.com', occasion: 'Birthday', size: '20' },
      })
    const got = async () =>
      (await mails())
        .filter(({ to }) => to?.[0]?.address === 'maya@example.com')
        .map(({ subject }) => subject)
    assert.equal((await got()).length, 3, 'of four mails one waits')
    await cancel(first)
    assert.equal(await offer(), 1)
    assert.match((await got()).at(-1) ?? '', /^A table/)
    assert.equal((await got()).length, 4)
  })

  it('a full day offers the list; joining it makes a waiting entry of that date, and nothing is booked', async () => {
    assert.doesNotMatch((await dayPage()).text, /Or wait for Friday/)
    await fill()
    const { text } = await dayPage()
    assert.match(text, /Friday, October 9 is full/)
    assert.match(text, /Or wait for Friday/)
    assert.match(text, /An offer is yours for 30 minutes/)
    const place = await join('Maya')
    const [made] = await entries()
    assert.deepEqual([made?.status, made?.source, made?.windowStart], ['waiting', 'public', '19:00'])
    assert.equal(await offer(), 0)
    assert.match((await guestAt(service, place)).text, /You’re on the list for Friday, October 9/)
    const [mail] = await mails()
    assert.match(mail?.subject ?? '', /^On the list: The Blue Door, Fri, Oct 9$/)
    assert.ok((await told()).every((name) => name !== 'waitlist.offered'))
  })

  it('waits for a full time of a day that has open ones, too; what is open is booked, not waited for', async () => {
    const one = await book('19:00')
    await book('19:00')
    const { text } = await dayPage()
    assert.match(text, /<details\s*>\s*<summary class="tap">Tell me if a full time opens up/)
    assert.match(
      text,
      /name="from"[^>]*>\s*<option value="2026-10-09 19:00" selected>7:00\sPM<\/option>\s*<\/select>/,
    )
    const form = await listForm('Maya')
    const open = await guestAt(service, `/v/${venue.slug}/waitlist`, { form })
    assert.equal(open.status, 400)
    assert.match(
      open.text,
      /href="#f-to">A table is open at 8:00\sPM: book it, or choose only times that are full/,
    )
    assert.match(open.text, /<h1>Join the list for Friday<\/h1>[\s\S]*value="Maya"/)
    assert.deepEqual(await entries(), [])
    await join('Maya', { to: `${friday} 19:00` })
    assert.equal(await offer(), 0, 'the open time is not what they wait for')
    const pressed = await guestAt(service, `/v/${venue.slug}/book`, {
      form: { size: '2', slot: `${friday} 19:00` },
    })
    const taken = await guestAt(service, pressed.headers.get('location') ?? '')
    assert.match(taken.text, /<details open>\s*<summary class="tap">Tell me if a full time/)
    await cancel(one)
    assert.equal(await offer(), 1)
    assert.deepEqual(await holds(), [
      { service_minute: 1140, party_size: 2, waitlist_entry_id: (await entries())[0]?.id },
    ])
  })

  it('a day that was closed meanwhile is asked again in the guest’s language', async () => {
    await fill()
    const form = await listForm('Maya')
    await rules({ closures: [{ from: friday, to: friday, name: 'Party' }] })
    const { status, text } = await guestAt(service, `/v/${venue.slug}/waitlist`, {
      form,
      headers: { 'accept-language': 'de' },
    })
    assert.equal(status, 400)
    assert.match(text, /Wählen Sie eine späteste Zeit/)
    assert.deepEqual(await entries(), [])
  })

  it('is not offered where the door of the line is off, and keeps what was typed when something needs fixing', async () => {
    await fill()
    const form = await listForm('Maya', { email: 'nobody', from: `${friday} 20:00`, to: `${friday} 19:00` })
    const answer = await guestAt(service, `/v/${venue.slug}/waitlist`, { form })
    assert.equal(answer.status, 400)
    for (const said of [/href="#f-to"/, /href="#f-email"/, /value="Maya"/]) assert.match(answer.text, said)
    assert.deepEqual(await entries(), [])
    await setGuestPages(service, venue, { doors: ['book'] })
    assert.doesNotMatch((await dayPage()).text, /Or wait for/)
  })

  it('two cancellations, three entries at once: two offers, never one place twice', async () => {
    const [one = 0, two = 0] = await fill()
    for (const name of ['Ada', 'Ben', 'Cleo']) await join(name)
    assert.equal(await offer(), 0)
    // All at once: the cancellations, and several processes that look.
    await Promise.all([cancel(one), offer(), cancel(two), offer(), offer()])
    await Promise.all([offer(), offer(), offer()])
    assert.deepEqual(await states(), { Ada: 'offered', Ben: 'offered', Cleo: 'waiting' })
    assert.equal((await holds()).length, 2)
    assert.deepEqual([await arrivingAt(1140), await arrivingAt(1200)], [4, 4])
    const body = { guestName: 'Late', date: friday, time: '19:00', partySize: 2 }
    const late = await service.call('POST', '/api/v1/reservations', { key: venue.key, body })
    assert.equal(late.body.reason, 'pacing-covers-full')
    assert.equal((await told()).filter((name) => name === 'waitlist.offered').length, 2)
    const offered = (await mails()).filter(({ subject }) => subject?.startsWith('A table opened up'))
    assert.deepEqual(offered.map(({ to }) => String(to?.[0]?.address)).toSorted(), [
      'ada@example.com',
      'ben@example.com',
    ])
  })

  it('goes by joining order among those whose time fits, and until then the place is anybody’s', async () => {
    const [, , three = 0] = await fill()
    await join('Ada', { to: `${friday} 19:00` })
    await join('Ben', { from: `${friday} 20:00` })
    await join('Cleo')
    await cancel(three)
    assert.equal(await offer(), 1)
    assert.deepEqual(await states(), { Ada: 'waiting', Ben: 'offered', Cleo: 'waiting' })
    const [, , , four] = await rowsOf(
      service,
      `select id from reservation where venue_id = ${venue.id} order by id`,
    )
    await cancel(Number(four?.['id']))
    await book('20:00')
    assert.equal(await offer(), 0)
    assert.deepEqual(await states(), { Ada: 'waiting', Ben: 'offered', Cleo: 'waiting' })
  })

  it('an offer nobody answers expires with leftAt, and the next is offered the place', async () => {
    const [one = 0] = await fill()
    const place = await join('Ada')
    await join('Ben')
    await cancel(one)
    await offer()
    const [ada] = await entries()
    assert.equal(ada?.pagedAt, '2026-10-06T19:00:00.000Z')
    assert.match((await guestAt(service, place)).text, /held for you until 3:30\sPM/)
    service.setClock('2026-10-06T19:29:59Z')
    await expire()
    await offer()
    assert.deepEqual(await states(), { Ada: 'offered', Ben: 'waiting' })
    service.setClock('2026-10-06T19:30:00Z')
    assert.match((await guestAt(service, place)).text, /This offer has ended/)
    await expire()
    await offer()
    const [gone, next] = await entries()
    assert.deepEqual(
      [gone?.status, gone?.leftAt, next?.status],
      ['expired', '2026-10-06T19:30:00.000Z', 'offered'],
    )
    assert.equal((await holds()).length, 1)
    assert.equal((await guestAt(service, place, { form: { do: 'accept' } })).status, 303)
    assert.equal(await arrivingAt(1140), 4, 'too late to take it')
  })

  it('an offer nobody answered is followed by one mail, in the language of who missed it: they are off the list', async () => {
    const [one = 0] = await fill()
    await join('Ada', {}, 'es')
    await join('Ben')
    await cancel(one)
    await offer()
    service.setClock('2026-10-06T19:30:00Z')
    // Two processes at once, and one that runs again.
    await Promise.all([expire(), expire()])
    await expire()
    await offer()
    const ended = (await mails()).filter(({ subject }) => subject?.startsWith('Oferta terminada'))
    assert.equal(ended.length, 1)
    const [mail] = ended
    assert.equal(mail?.to?.[0]?.address, 'ada@example.com')
    assert.match(mail?.text ?? '', /Hola, Ada: .* ya no está en la lista\./)
    const [again = ''] =
      /https:\/\/data\.example\.com(\/v\/\S+)/.exec((mail?.text ?? '').replaceAll('&amp;', '&'))?.slice(1) ??
      []
    assert.match((await guestAt(service, again)).text, /<html[^>]*lang="es"[\s\S]*9 de octubre está completo/)
  })

  it('a missed offer is not written of to whom staff put back on the list, nor without a page to book on', async () => {
    const [one = 0, two = 0] = await fill()
    for (const name of ['Lea', 'Max']) await join(name)
    await cancel(one)
    await cancel(two)
    await offer()
    await offer()
    service.setClock('2026-10-06T19:30:00Z')
    await expire()
    const [lea] = await entries()
    await act((work) => moveEntry(work, host, { id: lea?.id ?? 0, move: 'rejoin' }))
    await setGuestPages(service, venue, { doors: ['waitlist'] })
    const ended = (await mails())
      .filter(({ subject }) => subject?.startsWith('Offer ended'))
      // Offers of the venues of other tests have ended, too.
      .filter(({ to }) => /^(lea|max)@/.test(to?.[0]?.address ?? ''))
    assert.deepEqual(
      ended.map(({ to }) => to?.[0]?.address),
      ['max@example.com'],
    )
    assert.match(ended[0]?.subject ?? '', /^Offer ended: The Blue Door, Fri, Oct 9$/)
    assert.match(ended[0]?.text ?? '', /Hi Max, [^.]* did not hear from you\. [^.]* no longer on the list\./)
    assert.doesNotMatch(ended[0]?.text ?? '', /\/v\/|join the list again/)
  })

  it('an accepted offer is a Confirmed reservation of source waitlist; waitlist.seated comes with the seating', async () => {
    const [one = 0] = await fill()
    const place = await join('Ada')
    await cancel(one)
    await offer()
    const before = (await told()).length
    const answers = await Promise.all(
      [1, 2, 3].map(() => guestAt(service, place, { form: { do: 'accept' } })),
    )
    assert.equal(new Set(answers.map(({ headers }) => headers.get('location'))).size, 1)
    const mine = answers[0]?.headers.get('location') ?? ''
    assert.match(mine, /^\/r\//)
    assert.match((await guestAt(service, mine)).text, /Confirmed/)
    const [row] = await rowsOf(
      service,
      `select r.id, r.status, r.source, r.time::text, e.status as entry from reservation r
         join waitlist_entry e on e.venue_id = r.venue_id and e.reservation_id = r.id where r.venue_id = ${venue.id}`,
    )
    assert.deepEqual(
      [row?.['status'], row?.['source'], row?.['time'], row?.['entry']],
      ['Confirmed', 'waitlist', '19:00:00', 'booked'],
    )
    assert.deepEqual((await told()).slice(before), [
      'guest.created',
      'reservation.created',
      'waitlist.booked',
    ])
    assert.deepEqual([await holds(), await arrivingAt(1140)], [[], 4])
    assert.equal((await mails()).filter(({ subject }) => subject?.startsWith('Confirmed: ')).length, 1)
    const booked = await guestAt(service, place)
    assert.match(booked.text, /You have a table/)
    assert.ok(booked.text.includes(`href="${mine.replace(/\?.*/, '')}"`), 'its link')
    service.setClock('2026-10-09T23:00:00Z')
    await act((work) => moveReservation(work, host, { id: Number(row?.['id']), move: 'seat' }))
    assert.ok((await told()).includes('waitlist.seated'))
  })

  it('staff who book the place for the party it is held for do not hear that it is taken', async () => {
    const [one = 0] = await fill()
    await join('Ada')
    await cancel(one)
    await offer()
    const [ada] = await entries()
    assert.equal(ada?.status, 'offered')
    const booked = await act((work) =>
      bookFromWaitlist(work, host, {
        id: ada.id,
        when: readWhen(fridayAtSeven, venue.timezone, work.now()),
      }),
    )
    assert.equal(booked.kind, 'done', JSON.stringify(booked))
    assert.deepEqual(await holds(), [])
  })

  it('who says no leaves, and the place goes on', async () => {
    const [one = 0] = await fill()
    const place = await join('Ada')
    await join('Ben')
    await cancel(one)
    await offer()
    assert.match((await guestAt(service, `${place}?do=leave`)).text, /Give this table up\?/)
    await guestAt(service, place, { form: { do: 'leave' } })
    assert.equal(await offer(), 1)
    assert.deepEqual(await states(), { Ada: 'cancelled', Ben: 'offered' })
  })

  it('everything that frees places is followed by an offer', async () => {
    const ids = await fill()
    for (const name of ['Ada', 'Ben', 'Cleo', 'Dora']) await join(name)
    const offered = async () => Object.values(await states()).filter((state) => state === 'offered').length
    await offer()
    // A smaller party makes no room for two; a declined request does.
    const patch = (id: number, body: object) =>
      service.call('PATCH', `/api/v1/reservations/${id}`, {
        key: venue.key,
        body,
        headers: { 'if-match': '*' },
      })
    assert.equal((await patch(ids[0] ?? 0, { partySize: 1 })).status, 200)
    assert.equal((await patch(ids[1] ?? 0, { partySize: 1 })).status, 200)
    await offer()
    assert.equal(await offered(), 1, 'two smaller parties')
    await act((work) => moveReservation(work, host, { id: ids[2] ?? 0, move: 'cancel', decidedBy: 'staff' }))
    await offer()
    assert.equal(await offered(), 1, 'staff may still undo it')
    service.setClock('2026-10-06T19:00:31Z')
    await offer()
    assert.equal(await offered(), 2, 'a request declined')
    await rules({ pacing: { intervalMinutes: 15, maxCovers: 6 } })
    await offer()
    assert.equal(await offered(), 4, 'a changed rule')
  })

  it('turning tables off looks at the list again; while they decide, nobody is offered what no table has', async () => {
    await rules(tablesOf([{ label: '1', most: 2 }]))
    await letTablesDecide(service, venue)
    await book('19:00')
    await join('Ada')
    assert.equal(await offer(), 0, 'the one table is taken until after 20:00')
    await act((work) => turnTablesOff(work, staff('owner')))
    assert.equal(await offer(), 1)
    assert.deepEqual(await states(), { Ada: 'offered' })
  })

  it('a hold that lapsed is offered once the sweep has seen it', async () => {
    const ids = await fill()
    await join('Ada')
    await cancel(ids[0] ?? 0)
    const held = await guestAt(service, `/v/${venue.slug}/book`, {
      form: { size: '2', slot: `${friday} 19:00` },
    })
    assert.match(held.headers.get('location') ?? '', /hold=/)
    assert.equal(await offer(), 0)
    service.setClock('2026-10-06T19:20:00Z')
    await sweepHolds(job.context())
    assert.equal(await offer(), 1)
  })

  it('offers leave between 9:00 and 21:00 only; what came free at night is offered in the morning', async () => {
    const [one = 0] = await fill()
    await join('Ada')
    await offer()
    service.setClock('2026-10-07T01:00:00Z')
    await cancel(one)
    assert.equal(await offer(), 0)
    service.setClock('2026-10-07T12:59:00Z')
    assert.equal(await offer(), 0)
    service.setClock('2026-10-07T13:00:00Z')
    assert.equal(await offer(), 1)
  })

  it('a venue that offers by hand makes none by itself; staff offer at any hour, for the venue’s minutes', async () => {
    await setGuestPages(service, venue, { offersBySelf: false, offerMinutes: 90 })
    const [one = 0] = await fill()
    await join('Ada')
    await cancel(one)
    assert.equal(await offer(), 0)
    service.setClock('2026-10-07T02:00:00Z')
    const [ada] = await entries()
    const outcome = await act((work) => offerByHand(work, host, { id: ada?.id ?? 0 }))
    assert.equal(outcome.kind, 'done')
    const [row] = await rowsOf(
      service,
      `select offered_until::text from waitlist_entry where venue_id = ${venue.id}`,
    )
    assert.match(String(row?.['offered_until']), /03:30:00/)
    await act((work) => moveEntry(work, host, { id: ada?.id ?? 0, move: 'notYet' }))
    assert.deepEqual(await holds(), [])
    await setGuestPages(service, venue, { offersBySelf: true })
    service.setClock('2026-10-07T14:00:00Z')
    assert.equal(await offer(), 1, 'turned on, it catches up')
  })

  it('a party whose accepted table staff recall reads that it is cancelled, and that it is on the list again', async () => {
    const [one = 0] = await fill()
    const place = await join('Rita')
    await mails()
    await cancel(one)
    await offer()
    await mails()
    const mine = (await guestAt(service, place, { form: { do: 'accept' } })).headers.get('location') ?? ''
    const hers = async () => (await mails()).filter(({ to }) => to?.[0]?.address === 'rita@example.com')
    const before = (await hers()).length
    const [rita] = await entries()
    service.setClock('2026-10-06T20:30:00Z')
    await act((work) => recallParty(work, host, { id: rita?.id ?? 0 }))
    const since = (await hers()).slice(before).map(({ subject }) => subject ?? '')
    assert.deepEqual(since.toSorted(), [
      'Cancelled by the restaurant: The Blue Door, Fri, Oct 9, 7:00 PM',
      'On the list: The Blue Door, Fri, Oct 9',
    ])
    assert.match((await guestAt(service, place)).text, /You’re on the list for Friday, October 9/)
    assert.match((await guestAt(service, mine)).text, /Cancelled/)
  })

  it('the place of a party that took a table and cancelled it says so, and does not lead to a link that staff ended', async () => {
    const [one = 0] = await fill()
    const place = await join('Ada')
    await cancel(one)
    await offer()
    const mine = (await guestAt(service, place, { form: { do: 'accept' } })).headers.get('location') ?? ''
    await rowsOf(service, `update guest_booking set link_issue = 1 where venue_id = ${venue.id}`)
    assert.doesNotMatch((await guestAt(service, place)).text, /href="\/r\//)
    await rowsOf(service, `update guest_booking set link_issue = 0 where venue_id = ${venue.id}`)
    await guestAt(service, mine.replace(/\?.*/, ''), { form: { do: 'cancel' } })
    const { text } = await guestAt(service, place)
    assert.match(text, /Your booking is cancelled/)
    assert.doesNotMatch(text, /You have a table|We expect you/)
  })

  it('an offer survives a cap lowered since then, but not a closed day', async () => {
    const [one = 0, two = 0] = await fill()
    const [ada, ben] = [await join('Ada'), await join('Ben')]
    await cancel(one)
    await cancel(two)
    await offer()
    await rules({ pacing: { intervalMinutes: 15, maxCovers: 1 } })
    assert.match(
      (await guestAt(service, ada, { form: { do: 'accept' } })).headers.get('location') ?? '',
      /^\/r\//,
    )
    await rules({ closures: [{ from: friday, to: friday, name: 'Party' }] })
    const refused = await guestAt(service, `${ben}?lang=de`, { form: { do: 'accept' } })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /19:00 .*nicht mehr/)
    assert.match(refused.text, /Bitte rufen Sie an/)
    assert.doesNotMatch(refused.text, /closed on|Party/)
    assert.equal((await states())['Ben'], 'offered')
  })

  it('processes that die by kill -9 while they offer never offer a place twice, and none is lost', async () => {
    // Processes go by the real clock, so the venue is one where it is day now.
    const now = Temporal.Now.instant()
    const zones = [
      'America/New_York',
      'Europe/Paris',
      'Asia/Tokyo',
      'Pacific/Auckland',
      'America/Los_Angeles',
    ]
    const timezone = zones.find((zone) => {
      const { hour } = now.toZonedDateTimeISO(zone)
      return hour >= 10 && hour < 20
    })
    assert.ok(timezone)
    venue = await service.venue({ timezone })
    await rules({ pacing: { intervalMinutes: 15, maxCovers: 40 } })
    service.setClock(now.toString())
    const date = now.toZonedDateTimeISO(timezone).toPlainDate().add({ days: 3 }).toString()
    const made: number[] = []
    for (let n = 0; n < 20; n++) {
      const body = { guestName: `G${n}`, date, time: '19:00', partySize: 2 }
      made.push(
        (await service.call('POST', '/api/v1/reservations', { key: venue.key, body })).body.reservation.id,
      )
    }
    for (let n = 0; n < 14; n++) {
      const body = {
        guestName: `W${n}`,
        partySize: 2,
        email: `w${n}@example.com`,
        date,
        requestedTime: '19:00',
      }
      assert.equal((await service.call('POST', '/api/v1/waitlist', { key: venue.key, body })).status, 201)
    }
    await lookAtFreed(job.context())
    assert.ok(Object.values(await states()).every((state) => state === 'waiting'))
    const settings = {
      DATABASE_URL: service.databaseUrl,
      SECRETS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      ROLE: 'worker',
    }
    const left = made.slice(0, 10)
    for (let round = 0; round < 3; round++) {
      const processes = await Promise.all([startProcess(settings), startProcess(settings)])
      await Promise.all(processes.map((one) => one.ready()))
      await Promise.all(left.splice(0, 3).map(cancel))
      await eventually(async () => (await holds()).length > round * 2)
      for (const one of processes) one.signal('SIGKILL')
      await Promise.all(processes.map((one) => one.ended))
    }
    // What a dead process had begun holds its rows until the database notices, and those who wait there are passed over.
    await eventually(async () => {
      const begun = await rowsOf(
        service,
        `select from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
      )
      return begun.length === 0
    })
    await Promise.all(left.map(cancel))
    await Promise.all([lookAtFreed(job.context()), lookAtFreed(job.context())])
    const all = Object.entries(await states())
    assert.equal(all.filter(([, state]) => state === 'offered').length, 10)
    assert.equal((await holds()).length, 10)
    assert.equal(await arrivingAt(1140), 40)
    assert.ok(
      all.filter(([, state]) => state === 'waiting').every(([name]) => Number(name.slice(1)) >= 10),
      'by joining order',
    )
  })
})
