import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makePrivateToken } from '../../mail/link-token.ts'
import { actAt } from '../../test/act.ts'
import { guestAt, hiddenOn, sendByPage, setGuestPages } from '../../test/guest.ts'
import { deposit, securingTables } from '../../test/securing-tables.ts'
import { staff } from '../reservations/test/book.ts'
import { expireOffers } from './jobs.ts'
import { offerByHand } from './offers.ts'

describe('a table that is offered to a party of the list, where the venue asks for a deposit', () => {
  const scene = securingTables()
  /** Leads to the page of a party that was offered a table. */
  const offered = async () => {
    const { service, venue } = scene
    await setGuestPages(service, venue, { doors: ['book', 'waitlist'], confirmUpTo: 8 })
    await scene.ask(deposit)
    await scene.rules([deposit], { pacing: { intervalMinutes: 15, maxCovers: 1 } })
    await sendByPage(service, `/v/${venue.slug}/waitlist`, {
      ...{ do: 'list', size: '2', date: '2026-10-09', from: '2026-10-09 19:00', to: '2026-10-09 20:00' },
      ...{ name: 'Maya Okafor', email: 'maya@example.com' },
    })
    await scene.rules([deposit])
    const [entry] = await scene.rows('select id from waitlist_entry where venue_id = $1')
    const id = Number(entry?.['id'])
    await actAt(service, venue, (work) => offerByHand(work, staff('manager'), { id }))
    const token = makePrivateToken(service.context.secrets, 'place', {
      venue: venue.id,
      record: id,
      issue: 0,
    })
    return `/w/${token}`
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
    assert.match((await guestAt(scene.service, page)).text, /You pay \$40\.00 now\. Cancel by/)
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
})
