import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { after, before, beforeEach, describe, it } from 'node:test'
import {
  giveBackGuestMail,
  guestMailLimits,
  guestMailsDue,
  queueGuestMail,
  settleGuestMail,
} from '../../mail/guest-mail-queue.ts'
import { asksDue } from '../../book/reservations/guarantee/asked/asked-store.ts'
import { chargesDue } from '../../book/reservations/guarantee/charging/charge-store.ts'
import { cardsDue } from '../../book/reservations/guarantee/guarantee-store.ts'
import { importsDue } from '../../data/imports/store.ts'
import { batchesDue } from '../../integrations/batches/writes.ts'
import { refundsDue } from '../../tickets/online/money-back/refund-online.ts'
import { accountsToRemove } from '../money/former-accounts.ts'
import { accountsToLookAt } from '../money/account-store.ts'
import { checkoutsDue } from '../money/checkout-store.ts'
import { answerMs, mostCalls } from '../money/processor.ts'
import { type TestService, type TestVenue, aTuesdayAfternoon, startService } from '../../test/service.ts'
import { fragment, part } from '../../platform/db/sql.ts'
import { type LeasedRows, leasedRows } from './leased-rows.ts'
import type { VenueId } from './venue.ts'

const callSeconds = (mostCalls * answerMs.job) / 1_000

/** The longest that one row may take, in seconds, by the limits of what it calls; or why a second worker does no harm. */
const longest: Readonly<Record<string, readonly [LeasedRows<unknown>, number | 'overtaken']>> = {
  // Renewed for as long as a relay takes; one or two renewals may fail.
  guestMailsDue: [guestMailsDue, 3 * guestMailLimits.renewSeconds],
  checkoutsDue: [checkoutsDue, callSeconds],
  chargesDue: [chargesDue, callSeconds],
  refundsDue: [refundsDue, callSeconds],
  cardsDue: [cardsDue, callSeconds],
  asksDue: [asksDue, 0],
  // Its steps may be done twice, and the last is done with the row locked.
  accountsToRemove: [accountsToRemove, 'overtaken'],
  // Each row is locked where it is written, and what is known by then is not written twice.
  accountsToLookAt: [accountsToLookAt, 'overtaken'],
  // Renewed with each piece, under the lock of the row: who lost it sees that and stops.
  batchesDue: [batchesDue, 'overtaken'],
  importsDue: [importsDue, 'overtaken'],
}

describe('how long a lease is', () => {
  it('is longer than the longest that one row takes, in every queue', () => {
    const now = Temporal.Instant.from(aTuesdayAfternoon)
    for (const [name, [queue, seconds]] of Object.entries(longest)) {
      if (seconds === 'overtaken') continue
      const lease = queue.until(now).since(now).total('seconds')
      assert.ok(lease > seconds, `${name}: a lease of ${lease} seconds for what takes up to ${seconds}`)
    }
  })

  it('is known of every queue', async () => {
    const found: string[] = []
    for await (const path of glob('server/**/*.ts', { exclude: (name) => name.endsWith('.test.ts') }))
      for (const [, name] of (await readFile(path, 'utf8')).matchAll(/(\w+) = leasedRows\(/g))
        found.push(name as string)
    assert.deepEqual(found.toSorted(), Object.keys(longest).toSorted())
  })
})

describe('a queue in the rows of a table', () => {
  let service: TestService
  let [first, second]: TestVenue[] = []
  const now = Temporal.Instant.from(aTuesdayAfternoon)
  const ids = (): [VenueId, VenueId] => [first?.id as VenueId, second?.id as VenueId]

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  beforeEach(async () => {
    await service.db.session((client) => client.query('delete from guest_mail'))
    first = await service.venue()
    second = await service.venue()
  })

  const queued = async (venue: VenueId, at: Temporal.Instant): Promise<void> =>
    queueGuestMail(service.db.within(venue), venue, { kind: 'bookingLink', record: 1, at }, now)
  const take = (venue: VenueId, at: Temporal.Instant) =>
    guestMailsDue.take(service.db.within(venue), venue, at)

  it('gives a row to one of those who ask at the same time, and to nobody else until the lease ends', async () => {
    const [venue] = ids()
    await queued(venue, now)
    const taken = await Promise.all([take(venue, now), take(venue, now), take(venue, now)])
    assert.equal(taken.filter((row) => row !== undefined).length, 1)
    const ends = guestMailsDue.until(now)
    assert.equal(await take(venue, ends.subtract({ seconds: 1 })), undefined)
    assert.equal((await take(venue, ends))?.tries, 2)
  })

  it('has nobody wait for a row that somebody is taking', async () => {
    const [venue] = ids()
    await queued(venue, now.subtract({ minutes: 5 }))
    await queued(venue, now)
    await service.db.transaction(async (queries) => {
      const oldest = await guestMailsDue.take(queries.within(venue), venue, now)
      const next = await take(venue, now)
      assert.ok(oldest && next && oldest.id !== next.id)
      assert.equal(await take(venue, now), undefined)
    })
  })

  it('gives what has waited longest first, and nothing that is not due', async () => {
    const [venue] = ids()
    await queued(venue, now.add({ hours: 1 }))
    await queued(venue, now)
    await queued(venue, now.subtract({ minutes: 5 }))
    const due = [await take(venue, now), await take(venue, now), await take(venue, now)]
    assert.ok((due[0]?.id ?? 0) > (due[1]?.id ?? 0))
    assert.equal(due[2], undefined)
  })

  it('names the venues that have something due, and whose has waited longest', async () => {
    const [venue, other] = ids()
    await queued(venue, now.add({ seconds: 1 }))
    assert.equal(await guestMailsDue.first(service.db, now), undefined)
    await queued(venue, now)
    await queued(other, now.subtract({ minutes: 1 }))
    assert.deepEqual(new Set(await guestMailsDue.venues(service.db, now)), new Set([venue, other]))
    assert.equal(await guestMailsDue.first(service.db, now), other)
    await take(other, now)
    assert.deepEqual(await guestMailsDue.venues(service.db, now), [venue])
  })

  it('has only the rows that it says, of several queues in one table, and takes only those that are free', async () => {
    const [venue] = ids()
    const db = service.db.within(venue)
    const queueOf = (kind: 'bookingLink' | 'newsConfirm') =>
      leasedRows(
        'guest_mail',
        { id: 'int8', kind: 'text' },
        {
          ...{ due: 'due_at', leaseSeconds: 60, waits: fragment(`and kind = '${kind}'`) },
          isFree: () => part`and record_id <> 2`,
        },
      )
    const [links, others] = [queueOf('bookingLink'), queueOf('newsConfirm')]
    await queued(venue, now)
    assert.deepEqual(
      [await others.venues(service.db, now), await links.venues(service.db, now)],
      [[], [venue]],
    )
    assert.deepEqual(
      [await others.first(service.db, now), await links.first(service.db, now)],
      [undefined, venue],
    )
    assert.equal(await others.take(db, venue, now), undefined)
    const row = await links.take(db, venue, now)
    assert.ok(row)
    assert.equal(await others.giveBack(db, venue, row.id, now), 0)
    await service.db.session((client) => client.query('update guest_mail set record_id = 2'))
    assert.equal(await links.giveBack(db, venue, row.id, now), 1)
    assert.equal(await links.take(db, venue, now), undefined, 'not free')
  })

  it('takes back what was not done, and nothing that has ended', async () => {
    const [venue] = ids()
    const db = service.db.within(venue)
    await queued(venue, now)
    const row = await take(venue, now)
    assert.ok(row)
    assert.equal(await guestMailsDue.giveBack(db, venue, row.id, now), 1)
    const again = await take(venue, now)
    assert.equal(again?.id, row.id)
    assert.equal(await settleGuestMail(db, venue, again, { state: 'sent', answer: '250' }, now), 1)
    assert.equal(await guestMailsDue.giveBack(db, venue, row.id, now), 0)
    assert.equal(await giveBackGuestMail(db, venue, again, now), 0)
  })
})
