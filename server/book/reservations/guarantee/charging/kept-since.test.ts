import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lookingAtPaid } from '../../../../marketing/subscribers/looking-at-paid.ts'
import { guestAt } from '../../../../test/guest.ts'
import { rowsOf } from '../../../../test/rows.ts'
import { card, lookAsRestored, securingTables } from '../../../../test/securing-tables.ts'
import { backUp } from '../../../../test/venue-backup.ts'
import { lookAfterwards } from '../../../../tickets/online/restored/look-first.ts'

describe('a card that a page kept after the backup that a copy was restored from', () => {
  const scene = securingTables()
  const signal = new AbortController().signal
  const resumed = () => lookAsRestored(scene.service)
  const kept = async () => {
    const backup = await backUp(scene.service, scene.venue)
    return {
      putBack: async () => {
        await backup.putBack()
        await scene.later(scene.service.context.clock().toString())
      },
    }
  }
  /** What other tests left at the stand-in is of another account. */
  const begun = async (...asked: readonly object[]) => {
    await rowsOf(scene.service, 'truncate processor_account cascade')
    scene.stripe.sessions.clear()
    await scene.ask(...asked)
  }
  const ask = (id: number) =>
    scene.pressCard(id, {
      ...{ do: 'ask', asks: 'card', amount: '50', per: 'party', hours: '24' },
      ...{ untilDate: '2026-10-07', untilTime: '19:00', note: '' },
    })
  const secure = async (page: string) => scene.payOn(await scene.agree(page))
  const behind = async () => {
    const { kind, status, amount_cents, asked_cents } = await scene.guarantee()
    return [kind, status, amount_cents, asked_cents]
  }
  const matters = () =>
    scene.rows(
      `select kind, state, reason, amount_cents as cents from money_matter where venue_id = $1 and done_at is null`,
    )
  const mails = async () =>
    (await scene.rows(`select kind from guest_mail where venue_id = $1 and kind like 'table%'`)).length
  const customers = () => scene.stripe.customers.size

  it('is behind its booking with the sentence agreed to; its guest is neither asked nor mailed again, and it goes on its day', async () => {
    await begun()
    const id = await scene.bookedByKey()
    await ask(id)
    const page = await scene.mine(id)
    const backup = await kept()
    await secure(page)
    const { sentence } = await scene.guarantee()
    await backup.putBack()
    assert.deepEqual(await behind(), ['card', 'asked', 0, 5_000])
    const before = await mails()
    assert.deepEqual(await resumed(), { checkouts: 0, notHere: 0, denied: [] })
    assert.deepEqual(await behind(), ['card', 'held', 5_000, 0])
    assert.equal((await scene.guarantee())['sentence'], sentence)
    assert.deepEqual([await matters(), await mails()], [[], before])
    assert.doesNotMatch((await guestAt(scene.service, page)).text, /name="asked"/)
    await resumed()
    assert.deepEqual(await behind(), ['card', 'held', 5_000, 0])
    await scene.later('2026-10-20T12:00:00Z')
    await scene.cards()
    assert.equal(customers(), 0)
  })

  it('can be charged, also where it was charged by then', async () => {
    await begun()
    const id = await scene.bookedByKey()
    await ask(id)
    await scene.move('confirm', id)
    const backup = await backUp(scene.service, scene.venue)
    await secure(await scene.mine(id))
    await scene.later('2026-10-10T01:00:00Z')
    await scene.move('markNoShow', id)
    await scene.pressCard(id, { do: 'charge', amount: '30' })
    await scene.charges()
    assert.deepEqual(scene.charged(), [3_000])
    await backup.putBack()
    await resumed()
    const { status, paid_cents, amount_cents } = await scene.guarantee()
    assert.deepEqual([status, paid_cents, amount_cents], ['charged', 3_000, 5_000])
  })

  it('is at its booking with a matter, where it was asked for after the backup too', async () => {
    await begun()
    const id = await scene.bookedByKey()
    const backup = await kept()
    await ask(id)
    await secure(await scene.mine(id))
    await backup.putBack()
    assert.deepEqual(await scene.guarantee(), {})
    await resumed()
    assert.deepEqual(await behind(), ['card', 'held', 5_000, 0])
    assert.deepEqual(await matters(), [
      { kind: 'payment-differs', state: 'card-since', reason: null, cents: 5_000 },
    ])
    const { words } = await scene.office.get(`/office/bookings/${id}`)
    assert.match(words, /A card was kept for a booking after the backup .* at most \$50\.00/)
  })

  it('takes the place of one that was deleted meanwhile', async () => {
    await begun(card)
    await scene.secure()
    const id = await scene.bookingId()
    const backup = await kept()
    await scene.pressCard(id, { do: 'waive' })
    await scene.cards()
    await ask(id)
    await secure(await scene.mine(id))
    const [own] = [...scene.stripe.customers.keys()]
    await backup.putBack()
    await resumed()
    const { status, customer_ref } = await scene.guarantee()
    assert.deepEqual([status, customer_ref, customers()], ['held', own, 1])
  })

  it('goes at once where the copy has cancelled the booking in time before it looked', async () => {
    await begun()
    const id = await scene.bookedByKey()
    await ask(id)
    const backup = await kept()
    await secure(await scene.mine(id))
    await backup.putBack()
    await scene.move('cancel', id, 'staff')
    await resumed()
    await scene.cards()
    assert.equal(customers(), 0)
  })

  it('of a booking that the copy does not have is deleted, and somebody is to look', async () => {
    await begun(card)
    const backup = await kept()
    await scene.secure()
    assert.equal(customers(), 1)
    await backup.putBack()
    assert.equal((await resumed()).notHere, 1)
    assert.equal(customers(), 0)
    assert.deepEqual(await matters(), [{ kind: 'not-here', state: null, reason: 'card', cents: 5_000 }])
    const { words } = await scene.office.get('/office/payments')
    assert.match(
      words,
      /A card that Stripe kept for a booking which is not written here, to be charged at most \$50\.00 It was kept on October 6, 2026, 10:00 AM, after the backup/,
    )
    assert.equal((await resumed()).notHere, 0)
  })

  it('is left alone where it is of other software, or of another venue', async () => {
    await begun(card)
    const backup = await kept()
    await scene.secure()
    await backup.putBack()
    const session = [...scene.stripe.sessions.values()].find(({ mode }) => mode === 'setup')
    assert.ok(session)
    session.metadata = { ref: 'theirs' }
    await resumed()
    session.metadata = { ref: crypto.randomUUID(), venue: '987654' }
    await resumed()
    assert.deepEqual([customers(), await matters()], [1, []])
  })

  it('is found once the key is taken again, where it was not when the copy looked; so is what was paid', async () => {
    await begun()
    const [held, paid] = [await scene.bookedByKey(), await scene.bookedByKey()]
    await ask(held)
    await scene.pressCard(paid, {
      ...{ do: 'ask', asks: 'deposit', amount: '20', per: 'party', hours: '24' },
      ...{ untilDate: '2026-10-07', untilTime: '19:00', note: '' },
    })
    const backup = await kept()
    for (const id of [held, paid]) await secure(await scene.mine(id))
    await backup.putBack()
    const { key } = scene.stripe
    scene.stripe.key = `${key}0`
    assert.deepEqual((await resumed()).denied, [scene.venue.slug])
    const look = () => lookAfterwards(scene.service.context, lookingAtPaid, signal)
    const states = async () =>
      (await scene.rows('select status from guarantee where venue_id = $1 order by id')).map(
        ({ status }) => status,
      )
    await look()
    assert.deepEqual(await states(), ['asked', 'asked'])
    scene.stripe.key = key
    await look()
    assert.deepEqual(await states(), ['asked', 'asked'], 'it is not asked again and again')
    scene.service.setClock(scene.service.context.clock().add({ minutes: 16 }).toString())
    await look()
    assert.deepEqual(await states(), ['held', 'paid'])
  })

  it('is found at once where the owner pastes another key of the account', async () => {
    await begun()
    const id = await scene.bookedByKey()
    await ask(id)
    const backup = await kept()
    await secure(await scene.mine(id))
    await backup.putBack()
    const { key } = scene.stripe
    scene.stripe.key = `${key}0`
    await resumed()
    await scene.office.post('/office/settings/payments', { key: scene.stripe.key })
    await lookAfterwards(scene.service.context, lookingAtPaid, signal)
    scene.stripe.key = key
    assert.deepEqual(await behind(), ['card', 'held', 5_000, 0])
  })

  it('is found where its page was open while the copy looked, once that page is over; then nobody looks any more', async () => {
    await begun()
    const id = await scene.bookedByKey()
    await ask(id)
    const backup = await kept()
    const session = await scene.agree(await scene.mine(id))
    await backup.putBack()
    await resumed()
    await scene.stripe.pay(session)
    assert.deepEqual(await behind(), ['card', 'asked', 0, 5_000])
    scene.service.setClock(scene.service.context.clock().add({ minutes: 34 }).toString())
    await lookAfterwards(scene.service.context, lookingAtPaid, signal)
    assert.deepEqual(await behind(), ['card', 'held', 5_000, 0])
    assert.deepEqual(
      await scene.rows('select look_from, look_until, look_at from processor_account where venue_id = $1'),
      [{ look_from: null, look_until: null, look_at: null }],
    )
  })
})
