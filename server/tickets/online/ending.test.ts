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
import { deposit, securingTables } from '../../test/securing-tables.ts'
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
          paymentRef: `pi_${id}`,
          card: null,
        })
      })
      await eventually(async () => {
        const waits = await scene.rows(
          `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and $1::bigint > 0`,
        )
        return waits.length > 0 || undefined
      })
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
