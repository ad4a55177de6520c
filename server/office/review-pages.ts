import { type Plan, plans } from '@venue-data/contract/account.ts'
import { type Review, reviewAccess } from '../access/actions.ts'
import { type AccessRow, venuesWithAccess } from '../access/reads.ts'
import type { Queries } from '../db/pool.ts'
import { type Html, html } from '../html/html.ts'
import { badRequest, notFound } from '../kernel/refusal.ts'
import { changedMeanwhile } from '../kernel/seen-version.ts'
import { changeVenueByService } from '../venue/change-by-service.ts'
import { type VenueRow, allVenues, venueBySlug } from '../venue/venues.ts'
import { go, page } from './page.ts'
import { momentInWords } from './parts/words.ts'
import type { ReviewerPage } from './serve-page.ts'

/** The service's own people: they answer requests, withdraw access, set plans and pauses. They see no guest of any venue. */
export const reviewPages: readonly ReviewerPage[] = [
  {
    method: 'GET',
    path: '/operator/requests',
    role: 'reviewer',
    answer: async ({ db }) => page('Requests', await requestsBody(db)),
  },
  {
    method: 'POST',
    path: '/operator/requests/:slug',
    role: 'reviewer',
    answer: async (work, { params, form }) => {
      const venue = await venueBySlug(work.db, params.slug ?? '')
      const review = (['approve', 'decline', 'withdraw'] satisfies Review[]).find(
        (one) => one === form.text('review'),
      )
      if (!venue) throw notFound('venue')
      if (!review) throw badRequest('Choose an answer.')
      const why = form.text('why').trim()
      if (why === '' && review !== 'approve') throw badRequest('Say why; the owner reads it.')
      await reviewAccess(work, venue.id, review, why === '' ? undefined : why, work.me.staff.id)
      return go(
        '/operator/requests',
        `${venue.name}: ${review === 'withdraw' ? 'access withdrawn, every key revoked' : `${review}d`}.`,
      )
    },
    again: async ({ db }, { params, form }, { message }) => {
      const sent = { slug: params.slug ?? '', why: form.text('why').trim(), mistake: message }
      return page('Requests', await requestsBody(db, sent))
    },
  },
  {
    method: 'GET',
    path: '/operator/venues',
    role: 'reviewer',
    answer: async ({ db }) => page('Venues', await venuesBody(db)),
  },
  {
    method: 'POST',
    path: '/operator/venues/:slug',
    role: 'reviewer',
    answer: async (work, { params, form }) => {
      const plan = plans.find((one): one is Plan => one === form.text('plan'))
      if (!plan) throw badRequest('Choose a plan.')
      const changes = { plan, paused: form.text('paused') === 'yes' }
      const { before, after } = await changeVenueByService(work, params.slug ?? '', changes, work.me.staff.id)
      if (form.has('seen') && form.text('seen') !== planSeen(before)) throw changedMeanwhile('venue')
      return go('/operator/venues', `${after.name} was saved.`)
    },
    again: async ({ db }, { params }, { message }) =>
      page('Venues', await venuesBody(db, `${params.slug}: ${message}`)),
  },
]

/** An answer that was not taken. */
type Sent = { readonly slug: string; readonly why: string; readonly mistake: string }

const requestsBody = async (db: Queries, sent?: Sent): Promise<Html> => {
  const venues = await venuesWithAccess(db)
  const open = venues.filter(({ access }) => access === 'requested')
  const given = venues.filter(({ access }) => access === 'approved')
  const past = venues.filter(({ access }) => access === 'declined' || access === 'withdrawn')
  return html`<div class="page-head"><h1>Requests for access</h1></div>
          ${sent && notTaken(sent)}
          <div class="stack">
            <section class="card">
              <header>
                <h2>To answer</h2>
                <span class="tag ${open.length > 0 && 'warn'}">${open.length}</span>
              </header>
              ${
                open.length === 0
                  ? html`<p class="empty">Nobody is waiting.</p>`
                  : html`<ul class="rows">
                      ${open.map((row) => requestRow(row, typedFor(row, sent)))}
                    </ul>`
              }
            </section>
            <section class="card">
              <header>
                <h2>With access</h2>
                <span class="tag">${given.length}</span>
              </header>
              ${
                given.length === 0
                  ? html`<p class="empty">No venue has access yet.</p>`
                  : html`<ul class="rows">
                      ${given.map((row) => givenRow(row, typedFor(row, sent)))}
                    </ul>`
              }
            </section>
            ${
              past.length > 0 &&
              html`<section class="card">
                <h2>Declined and withdrawn</h2>
                <ul class="rows">
                  ${past.map(pastRow)}
                </ul>
              </section>`
            }
          </div>`
}

/** What was typed stands here too: the venue may have no form any more. */
const notTaken = ({ mistake, why }: Sent): Html =>
  html`<p class="mistake" role="alert">${mistake} ${why !== '' && `You wrote: “${why}”.`}</p>`

const typedFor = ({ slug }: AccessRow, sent: Sent | undefined): string =>
  sent?.slug === slug ? sent.why : ''

const venuesBody = async (db: Queries, mistake?: string): Promise<Html> => {
  const venues = await allVenues(db)
  return html`<div class="page-head"><h1>Venues</h1></div>
          ${mistake !== undefined && html`<p class="mistake" role="alert">${mistake}</p>`}
          <section class="card">
            <ul class="rows">
              ${venues.map(
                (venue) =>
                  html`<li>
                    <div class="grow">
                      <strong>${venue.name}</strong> <span class="soft">${venue.slug}</span><br /><span
                        class="small soft"
                        >${venue.timezone}, since ${momentInWords(venue.created_at, venue.timezone)}</span
                      >
                    </div>
                    <form class="inline" method="post" action="/operator/venues/${venue.slug}">
                      <input type="hidden" name="seen" value="${planSeen(venue)}" />
                      <label class="inline"
                        ><span class="small">Plan</span
                        ><select name="plan">
                          ${plans.map((plan) => html`<option value="${plan}" ${plan === venue.plan && html`selected`}>${plan}</option>`)}
                        </select></label
                      >
                      <label class="check"
                        ><input type="checkbox" name="paused" value="yes" ${venue.paused && html`checked`} />
                        Paused</label
                      >
                      <button>Save</button>
                    </form>
                  </li>`,
              )}
            </ul>
          </section>`
}

/** What a form showed of a venue. */
const planSeen = ({ plan, paused }: VenueRow): string => `${plan} ${paused ? 'paused' : 'open'}`

const requestRow = (row: AccessRow, why: string): Html =>
  html`<li>
    <div class="grow">
      <strong>${row.name}</strong> <span class="soft">${row.slug}, ${row.plan}</span>
      <p>“${row.access_description}”</p>
    </div>
    <form class="inline" method="post" action="/operator/requests/${row.slug}">
      <label class="hidden-text" for="why-${row.slug}">Answer</label
      ><input id="why-${row.slug}" name="why" maxlength="2000" value="${why}" placeholder="Answer to the owner" />
      <button class="primary" name="review" value="approve">Approve</button
      ><button name="review" value="decline">Decline</button>
    </form>
  </li>`

const givenRow = (row: AccessRow, why: string): Html =>
  html`<li>
    <div class="grow">
      <strong>${row.name}</strong> <span class="soft">${row.slug}, ${row.plan}</span><br /><span
        class="small soft"
        >${row.live_keys} ${row.live_keys === 1 ? 'key' : 'keys'} in use</span
      >
    </div>
    <form
      class="inline"
      method="post"
      action="/operator/requests/${row.slug}"
      data-asks="Withdraw the access of ${row.name}? Every key is revoked for good."
    >
      <label class="hidden-text" for="why-${row.slug}">Reason</label
      ><input
        id="why-${row.slug}"
        name="why"
        required
        maxlength="2000"
        value="${why}"
        placeholder="Reason, shown to the owner"
      />
      <button class="danger" name="review" value="withdraw">Withdraw</button>
    </form>
  </li>`

const pastRow = (row: AccessRow): Html =>
  html`<li>
    <div class="grow">
      <strong>${row.name}</strong> <span class="soft">${row.slug}</span><br /><span class="small soft"
        >${row.access_answer}</span
      >
    </div>
    <span class="tag bad">${row.access}</span>
  </li>`
