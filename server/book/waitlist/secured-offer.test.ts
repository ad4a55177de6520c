import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makePrivateToken } from '../../mail/link-token.ts'
import { actAt } from '../../test/act.ts'
import { guestAt, hiddenOn, sendByPage, setGuestPages } from '../../test/guest.ts'
import { letterOf } from '../../test/letter-of.ts'
import { deposit, securingTables } from '../../test/securing-tables.ts'
import { staff } from '../reservations/test/book.ts'
import { moveEntry } from './actions.ts'
import { expireOffers } from './jobs.ts'
import { offerByHand } from './offers.ts'

describe('a table that is offered to a party of the list, where the venue asks for a deposit', () => {
  const scene = securingTables()
  /** Leads to the page of a party that was offered a table. */
  const offered = async ({
    pages = {},
    clock = '2026-10-06T14:00:00Z',
  }: { pages?: object; clock?: string } = {}) => {
    await waiting(pages)
    await scene.rules([deposit])
    scene.service.setClock(clock)
    await offer()
    const { service, venue } = scene
    const link = { venue: venue.id, record: id, issue: 0 }
    return `/w/${makePrivateToken(service.context.secrets, 'place', link)}`
  }
  let id = 0
  /** A party waits for a day that is full. */
  const waiting = async (pages: object = {}) => {
    const { service, venue } = scene
    await setGuestPages(service, venue, { doors: ['book', 'waitlist'], confirmUpTo: 8, ...pages })
    await scene.ask(deposit)
    await scene.rules([deposit], { pacing: { intervalMinutes: 15, maxCovers: 1 } })
    await sendByPage(service, `/v/${venue.slug}/waitlist`, {
      ...{ do: 'list', size: '2', date: '2026-10-09', from: '2026-10-09 19:00', to: '2026-10-09 20:00' },
      ...{ name: 'Maya Okafor', email: 'maya@example.com' },
    })
    const [row] = await scene.rows('select id from waitlist_entry where venue_id = $1')
    id = Number(row?.['id'])
  }
  const offer = () => actAt(scene.service, scene.venue, (work) => offerByHand(work, staff('manager'), { id }))
  /** Staff take the offer back, its time is booked by somebody else, and the party is offered the next one. */
  const offerAnother = async () => {
    const { service, venue } = scene
    await actAt(service, venue, (work) => moveEntry(work, staff('manager'), { id, move: 'notYet' }))
    await scene.rules([{ ...deposit, amountCents: 9_000 }], { pacing: { intervalMinutes: 15, maxCovers: 2 } })
    const { status, text } = await service.call('POST', '/api/v1/reservations', {
      key: venue.key,
      body: { guestName: 'Kai Lindqvist', date: '2026-10-09', time: '19:00', partySize: 2 },
    })
    assert.equal(status, 201, text)
    await offer()
  }
  const offeredUntil = async () => {
    const [row] = await scene.rows('select offered_until from waitlist_entry where venue_id = $1')
    return new Date(String(row?.['offered_until'])).toISOString()
  }
  const press = async (page: string) => {
    const { text } = await guestAt(scene.service, page)
    const form = { do: 'accept', agreed: hiddenOn(text, 'agreed') }
    const { headers } = await guestAt(scene.service, page, { form })
    return (headers.get('location') ?? '').replace(/^.*\/pay\//, '')
  }
  const bookings = () => scene.rows('select status, source from reservation where venue_id = $1')
  const held = async () =>
    (await scene.rows('select expires_at from booking_hold where venue_id = $1')).map(({ expires_at: at }) =>
      new Date(String(at)).toISOString(),
    )
  const entry = async () =>
    (await scene.rows('select status from waitlist_entry where venue_id = $1'))[0]?.['status']

  it('is taken once it is paid for: one booking, with the deposit behind it as it is first heard of', async () => {
    const page = await offered()
    assert.match((await guestAt(scene.service, page)).text, /You pay \$40\.00 in advance\. Cancel by/)
    const session = await press(page)
    assert.deepEqual(await bookings(), [])
    assert.equal(await press(page), session, 'pressed twice is one page')
    scene.service.setClock('2026-10-06T14:00:05Z')
    const back = await scene.payOn(session)
    assert.match(back, /^\/r\//)
    assert.deepEqual(await bookings(), [{ status: 'Confirmed', source: 'waitlist' }])
    assert.deepEqual([await entry(), await held()], ['booked', []])
    const events = await scene.rows(
      `select name, data::jsonb->'guarantee'->>'status' as status from event
        where venue_id = $1 and name like 'reservation.%'`,
    )
    assert.deepEqual(events, [{ name: 'reservation.created', status: 'paid' }])
    assert.equal((await scene.guarantee())['paid_cents'], 4_000)
  })

  it('is mailed with the sentence that its guest agrees to, and without one where nothing is asked', async () => {
    await offered()
    const { facts = [] } = await letterOf(scene, 'listOffered')
    const [[label, sentence] = []] = facts
    assert.equal(label, 'Deposit')
    assert.match(String(sentence), /^You pay \$40\.00 in advance\. Cancel by 7:00 PM on Thursday, October 8/)
    await scene.rules([])
    assert.deepEqual((await letterOf(scene, 'listOffered')).facts ?? [], [])
  })

  it('cannot be taken without it, and holds its table as long as it can be paid', async () => {
    const page = await offered()
    const [before] = await held()
    await guestAt(scene.service, page, { form: { do: 'accept' } })
    assert.deepEqual([await bookings(), await entry()], [[], 'offered'])
    await press(page)
    const [during] = await held()
    assert.ok(String(during) > '2026-10-06T14:30', `${String(before)} ${String(during)}`)
    scene.service.setClock('2026-10-06T14:29:00Z')
    await expireOffers(scene.service.context)
    assert.equal(await entry(), 'offered', 'while it can be paid')
  })

  it('that is never paid for ends, and the next party may have it', async () => {
    const page = await offered()
    const session = await press(page)
    scene.service.setClock('2026-10-06T14:40:00Z')
    await scene.stripe.expire(session)
    await scene.sweep()
    await expireOffers(scene.service.context)
    assert.deepEqual([await entry(), await bookings()], ['expired', []])
  })

  it('that its party gave up while it was being paid is not booked, and the money goes back', async () => {
    const page = await offered()
    const session = await press(page)
    await guestAt(scene.service, page, { form: { do: 'leave' } })
    await scene.pay(session)
    scene.service.setClock('2026-10-06T14:02:00Z')
    await scene.sweep()
    await scene.refund()
    assert.deepEqual(await bookings(), [])
    assert.deepEqual(
      [...scene.stripe.refunds.values()].map(({ amount }) => amount),
      [4_000],
    )
  })

  it('is the one that was paid for: money that comes for an offer before goes back', async () => {
    const page = await offered()
    const session = await press(page)
    await offerAnother()
    await scene.pay(session)
    const booked = await scene.rows(`select id from reservation where venue_id = $1 and source = 'waitlist'`)
    assert.deepEqual([booked, await entry()], [[], 'offered'])
    scene.service.setClock('2026-10-06T14:02:00Z')
    await scene.refund()
    assert.deepEqual(
      [...scene.stripe.refunds.values()].map(({ amount }) => amount),
      [4_000],
    )
  })

  it('lasts as long as the venue says, however the payment page of an offer before ends', async () => {
    const page = await offered()
    const session = await press(page)
    scene.service.setClock('2026-10-06T14:20:00Z')
    await offerAnother()
    const until = await offeredUntil()
    assert.equal(until, '2026-10-06T14:50:00.000Z')
    await scene.stripe.expire(session)
    scene.service.setClock('2026-10-06T14:21:30Z')
    await scene.sweep()
    assert.deepEqual([await offeredUntil(), await held()], [until, [until]])
  })

  it('is offered no shorter because its party went to pay', async () => {
    const page = await offered({ pages: { offerMinutes: 120 } })
    await press(page)
    assert.deepEqual(
      [await offeredUntil(), await held()],
      ['2026-10-06T16:00:00.000Z', ['2026-10-06T16:00:00.000Z']],
    )
  })

  it('is theirs where they pressed in time and paid some minutes after it began', async () => {
    const page = await offered({ clock: '2026-10-09T22:50:00Z' })
    const session = await press(page)
    scene.service.setClock('2026-10-09T23:02:00Z')
    await scene.payOn(session)
    assert.deepEqual(await bookings(), [{ status: 'Confirmed', source: 'waitlist' }])
  })

  it('that is refused to a party without an address is for staff to tell', async () => {
    const page = await offered()
    await scene.rows('update waitlist_entry set email = null where venue_id = $1 returning id')
    const session = await press(page)
    await guestAt(scene.service, page, { form: { do: 'leave' } })
    await scene.pay(session)
    assert.deepEqual(
      await scene.rows(`select id from guest_mail where venue_id = $1 and kind = 'tableRefused'`),
      [],
    )
    assert.match(
      (await scene.office.get('/office/payments')).words,
      /\$40\.00 for a table was refused, and no address is known to tell the guest/,
    )
  })

  it('is not offered where all that can be chosen with it has to be paid', async () => {
    const tasting = { key: 'tasting', name: 'Tasting menu', asks: 'prepaid', amountCents: 9_500 }
    await waiting()
    await scene.rules([], { experiences: [tasting] })
    assert.equal((await offer()).kind, 'refused')
    assert.equal(await entry(), 'waiting')
    const free = { key: 'bar', name: 'At the bar', asks: 'nothing' }
    await scene.rules([], { experiences: [tasting, free] })
    assert.equal((await offer()).kind, 'done')
  })
})
