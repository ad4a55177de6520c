import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { offerByHand } from '../../book/waitlist/offers.ts'
import { staff } from '../../book/reservations/test/book.ts'
import { checkoutById, endCheckout } from '../../core/money/checkout-store.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { venueOfId } from '../../core/venue/venues.ts'
import { makePrivateToken } from '../../mail/link-token.ts'
import { actAt } from '../../test/act.ts'
import { eventually } from '../../test/eventually.ts'
import { guestAt, hiddenOn, sendByPage, setGuestPages } from '../../test/guest.ts'
import { visitOffice } from '../../test/office.ts'
import { deposit, securingTables } from '../../test/securing-tables.ts'
import { rowsOf, waitingForLock } from '../../test/rows.ts'
import { sellingOnline } from '../../test/selling-online.ts'
import { lookingAtTickets } from './looking.ts'

describe('a checkout that ends at the moment at which it turns out to be paid', () => {
  const scene = securingTables()

  /** One process ends it while another gives what was paid for; both have to come through. */
  const endWhileGiven = async () => {
    const { context } = scene.service
    const looking = lookingAtTickets(context)
    const [row] = await scene.rows('select id from checkout where venue_id = $1')
    const id = Number(row?.['id'])
    const venue = (await venueOfId(context.db, scene.venue.id)) as Venue
    let given: Promise<unknown> = Promise.resolve()
    const tries = { ending: 0, giving: 0 }
    await context.db.transaction(async (queries) => {
      tries.ending++
      const db = queries.within(venue.id)
      const ended = await endCheckout(db, venue.id, id, 'late', null)
      assert.ok(ended)
      given = context.db.transaction((other) => {
        tries.giving++
        return looking.give({ db: other.within(venue.id), venue, now: context.clock }, id, {
          how: 'paid',
          paymentRef: `pi_${id}`,
          card: null,
        })
      })
      await eventually(async () => (await waitingForLock(scene.service)) > 0)
      await looking.placeOf(db, venue, ended)
    })
    await given
    assert.deepEqual(tries, { ending: 1, giving: 1 }, 'neither stopped the other')
    return (await checkoutById(context.db, venue.id, id))?.state
  }

  it('is settled once where it is for a table', async () => {
    await scene.ask(deposit)
    await scene.goToPay()
    assert.equal(await endWhileGiven(), 'completed')
  })

  it('is settled once where it is for a table that was offered to a party of the list', async () => {
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
    const link = { venue: venue.id, record: id, issue: 0 }
    const page = `/w/${makePrivateToken(service.context.secrets, 'place', link)}`
    const { text } = await guestAt(service, page)
    await guestAt(service, page, { form: { do: 'accept', agreed: hiddenOn(text, 'agreed') } })
    assert.equal(await endWhileGiven(), 'completed')
  })
})

describe('a checkout of an account whose key the processor no longer takes', () => {
  const scene = sellingOnline()
  const { later, opened, orders, row, sessionOf, sweep } = scene
  const day = 24 * 60
  /** Days later a session of the office is over. */
  const signIn = async () => {
    scene.office = visitOffice(scene.service)
    await scene.office.signIn(`owner@${scene.venue.slug}.example.com`)
  }
  const paymentsPage = async () => (await scene.office.get('/office/payments')).words
  const lookAt = async (id: number): Promise<unknown> =>
    (
      await rowsOf(scene.service, `select look_at from checkout where venue_id = $1 and id = ${id}`, [
        scene.venue.id,
      ])
    )[0]?.['look_at']
  const matters = () =>
    rowsOf(
      scene.service,
      `select kind, amount_cents, done_at is not null as done from money_matter where venue_id = $1`,
      [scene.venue.id],
    )
  const withDeadKey = async (act: (id: number) => Promise<void>) => {
    const { key } = scene.stripe
    const id = await opened()
    try {
      scene.stripe.callsOut = false
      await act(id)
    } finally {
      scene.stripe.key = key
    }
  }

  it('is looked at for a week; then somebody of the venue has to look, and Stripe is asked no more', async () => {
    await withDeadKey(async (id) => {
      await scene.stripe.pay(await sessionOf(id))
      const { key } = scene.stripe
      scene.stripe.key = `${key}0`
      for (const minutes of [40, 5 * day]) {
        later(minutes)
        await sweep()
      }
      assert.deepEqual([(await row(id)).state, (await lookAt(id)) === null], ['ended', false])
      assert.deepEqual(await matters(), [])
      later(2 * day)
      await sweep()
      assert.equal(await lookAt(id), null)
      assert.deepEqual(await matters(), [{ kind: 'not-seen', amount_cents: 9_000, done: false }])
      await signIn()
      assert.match(await paymentsPage(), /\$90\.00 may have been paid, and Stripe does not let your key look/)
      scene.stripe.calls.length = 0
      later(3 * day)
      await sweep()
      assert.equal(scene.stripe.calls.length, 0)
      // The owner pastes a key that is taken.
      scene.stripe.key = key
      await signIn()
      assert.equal((await scene.office.post('/office/settings/payments', { key })).status, 303)
      await sweep()
      assert.equal((await row(id)).state, 'completed')
      assert.equal((await orders()).length, 1)
      assert.deepEqual(await matters(), [{ kind: 'not-seen', amount_cents: 9_000, done: true }])
    })
  })

  it('of which the processor never made a page is given up without a word', async () => {
    await withDeadKey(async (id) => {
      await rowsOf(
        scene.service,
        `update checkout set state = 'ended', session_ref = null, look_at = made_at where venue_id = $1`,
        [scene.venue.id],
      )
      scene.stripe.key = `${scene.stripe.key}0`
      later(8 * day)
      await sweep()
      await sweep()
      assert.equal(await lookAt(id), null)
      assert.deepEqual(await matters(), [])
    })
  })
})
