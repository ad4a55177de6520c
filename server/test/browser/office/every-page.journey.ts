import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { invite } from '../../../core/staff/invitations.ts'
import { turnTablesOn } from '../../../book/tables/test/floor.ts'
import { rowsOf } from '../../rows.ts'
import { resetByOperator } from '../../../core/staff/password-links.ts'
import type { TestBrowser } from '../browser.ts'
import { faultsOf, phone, wide } from '../look-at-pages.ts'
import { type FullHouse, addByHand, openFullHouse, reviewerEmail } from '../evening/full-house.ts'
import { pageSamples } from './page-samples.ts'
import { withBrowser } from '../with-browser.ts'

/** One page of each kind. */
const documentation = [
  '/docs',
  '/docs/guides/webhooks',
  '/docs/guides/go-live',
  '/docs/reference/account',
  '/docs/errors',
  '/docs/changelog',
]

describe('every page of the office', () => {
  let house: FullHouse
  let browser: TestBrowser
  withBrowser(openFullHouse, (opened) => {
    ;[house, browser] = opened
  })

  it('is accessible in light and dark, holds still on a phone and is light, for the owner', async () => {
    const owner = await browser.visitor(house.service, { viewport: wide })
    const { email, password } = house.signIn('owner')
    await owner.signIn(email, password)
    // With tables on there are more pages; the stages of the meal are then nowhere linked.
    await turnTablesOn(house.service, house.demo.venue)
    // Rows offer a text where a venue has an account.
    await rowsOf(
      house.service,
      `insert into text_sender (venue_id, account, token_sealed, from_number)
       values (${house.demo.venue.id}, 'AC', 'sealed', '+12125550100')`,
    )
    // A dispute, whose evidence is on paper.
    await rowsOf(
      house.service,
      `insert into money_matter (venue_id, kind, subject, order_id, amount_cents, currency, state, made_at)
       select venue_id, 'dispute', 'dispute', min(id), 9000, 'USD', 'open', now() from ticket_order
        where venue_id = ${house.demo.venue.id} group by venue_id`,
    )
    const stages = '/office/today?view=floor'
    // What a form asks for, and a report of rows that nothing here has.
    const [row] = await rowsOf<{ booking: string; imported: string; date: string }>(
      house.service,
      `select (select min(id) from reservation where venue_id = ${house.demo.venue.id}) as booking,
              (select min(id) from data_import where venue_id = ${house.demo.venue.id}) as imported,
              (select min(id) from occurrence where venue_id = ${house.demo.venue.id}) as date`,
    )
    const asked = [
      `/office/bookings/${row?.booking}/guest?q=ma`,
      `/office/data/imports/${row?.imported}/to-check.csv`,
      '/office/payments/payments.csv?from=2026-10-04&to=2026-10-10',
      // Linked on its evening only.
      `/office/tickets/door/${row?.date}`,
    ]
    const call = await owner.page.request.get('/office/call?number=4711', { maxRedirects: 0 })
    const caller = call.headers()['location'] ?? ''
    const known = [
      ...(await addByHand(owner.page, house.service)),
      ...house.campaigns,
      stages,
      ...asked,
      caller,
    ]
    const { paths, unreached } = await pageSamples(owner.page.request, house.service, 'venue', known)
    assert.deepEqual(unreached, [], 'a link leads to every page')
    assert.ok(paths.length > 40, `${paths.length} pages`)
    assert.deepEqual(await faultsOf(owner, paths), [])
  })

  it('and so are the reviewers’ pages', async () => {
    const reviewer = await browser.visitor(house.service, { viewport: wide })
    await reviewer.signIn(reviewerEmail)
    const { paths, unreached } = await pageSamples(reviewer.page.request, house.service, 'reviewer')
    assert.deepEqual(unreached, [])
    assert.deepEqual(await faultsOf(reviewer, paths), [])
  })

  it('keeps the place one is at in sight on a phone', async () => {
    const owner = await browser.visitor(house.service, { viewport: phone })
    const { email, password } = house.signIn('owner')
    await owner.signIn(email, password)
    for (const path of ['/office/activity', '/office/settings/venue']) {
      await owner.open(path)
      const marked = await owner.page.locator('nav [aria-current]').filter({ visible: true }).all()
      assert.ok(marked.length > 0, path)
      for (const here of marked) {
        const box = await here.boundingBox()
        assert.ok(box && box.x >= 0 && box.x + box.width <= phone.width, `${path} ${JSON.stringify(box)}`)
      }
    }
  })

  it('the doors, the pages of guests and the documentation', async () => {
    const stranger = await browser.visitor(house.service, { viewport: wide })
    const doors = [
      '/office/sign-in',
      `/office/invitations/${await invitation(house)}`,
      `/office/new-password/${await passwordLink(house)}`,
      // What somebody sees whose link is old.
      '/office/nowhere',
    ]
    assert.deepEqual(await faultsOf(stranger, doors), [])
    assert.deepEqual(await faultsOf(stranger, house.guestPages), [])
    assert.deepEqual(await faultsOf(stranger, documentation, { forReading: true }), [])
  })
})

/** The path of an invitation that the owner has just made. */
const invitation = ({ service: { context }, demo: { venue }, signIn }: FullHouse): Promise<string> =>
  invite(context, context.db, venue.id, {
    email: 'new@example.com',
    role: 'host',
    invitedBy: signIn('owner').email,
  })

/** The path of a link for a new password that the operator has just made for the host. */
const passwordLink = async ({ service: { context, db }, signIn }: FullHouse): Promise<string> => {
  const { email } = signIn('host')
  const { link } = await db.transaction((queries) =>
    resetByOperator(context, queries, { email, venue: undefined, codes: false }),
  )
  assert.ok(link)
  return link.token
}
