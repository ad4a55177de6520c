import { type Plan, plans } from '@venue-data/contract/records/account.ts'
import { type Review, requestSeen, reviewAccess } from '../../../integrations/access/actions.ts'
import {
  type AccessRow,
  accessPage,
  countOfWithdrawable,
  openRequests,
  withdrawablePage,
} from '../../../integrations/access/reads.ts'
import type { AccessState } from '../../../integrations/access/states.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { badRequest, notFound } from '../../../platform/kernel/refusal.ts'
import { momentInWords, numberInWords } from '../../../platform/kernel/time/in-words.ts'
import { changedMeanwhile } from '../../../platform/kernel/running/seen-version.ts'
import { endSentence } from '../../../platform/kernel/sentence.ts'
import { changeVenueByService } from '../../../core/venue/change-by-service.ts'
import { type VenueRow, venueBySlug, venuesPage } from '../../../core/venue/venues.ts'
import { go, page } from '../frame/page.ts'
import { addressOf, listFoot, pageRows } from '../parts/pager.ts'
import type { ReviewerPage } from '../frame/serve-page.ts'

/**
 * The service's own reviewers: they answer requests, withdraw access, set plans and pauses. They never see any
 * venue's guests.
 */
export const reviewPages: readonly ReviewerPage[] = [
  {
    method: 'GET',
    path: '/operator/requests',
    role: 'reviewer',
    answer: async ({ db }, { query }) => page('Requests', await requestsBody(db, query)),
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
      if (!review) throw badRequest('Choose a decision.')
      const why = form.text('why').trim()
      if (why === '' && review !== 'approve') throw badRequest('Give a reason; the owner will read it.')
      const seen = form.has('seen') ? form.text('seen') : undefined
      await reviewAccess(work, venue.id, review, why === '' ? undefined : why, work.me.staff.id, seen)
      return go(
        '/operator/requests',
        `${venue.name}: ${review === 'withdraw' ? 'access withdrawn, every key revoked' : `${review}d`}.`,
      )
    },
    again: async ({ db }, { params, form }, { message }) => {
      const sent = { slug: params.slug ?? '', why: form.text('why').trim(), mistake: message }
      return page('Requests', await requestsBody(db, new URLSearchParams(), sent))
    },
  },
  {
    method: 'GET',
    path: '/operator/venues',
    role: 'reviewer',
    answer: async ({ db }, { query }) => page('Venues', await venuesBody(db, query)),
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
      page(
        'Venues',
        await venuesBody(db, new URLSearchParams({ q: params.slug ?? '' }), `${params.slug}: ${message}`),
      ),
  },
]

/** A decision that was refused. */
type Sent = { readonly slug: string; readonly why: string; readonly mistake: string }

const answered = ['declined', 'withdrawn']

const requestsBody = async (db: Queries, query: URLSearchParams, sent?: Sent): Promise<Html> => {
  const [givenAfter, pastAfter] = [query.get('given'), query.get('past')]
  const [open, given, past, givenCount] = await Promise.all([
    openRequests(db, pageRows),
    withdrawablePage(db, { limit: pageRows, after: givenAfter }),
    accessPage(db, answered, { limit: pageRows, after: pastAfter }),
    countOfWithdrawable(db),
  ])
  return html`<div class="page-head"><h1>Access requests</h1></div>
          ${sent && notTaken(sent)}
          <div class="stack">
            <section class="card">
              <header>
                <h2>Pending</h2>
                <span class="tag ${open.count > 0 && 'warn'}">${numberInWords(open.count)}</span>
              </header>
              ${
                open.rows.length === 0
                  ? html`<p class="empty">No requests waiting.</p>`
                  : html`<ul class="rows">
                      ${open.rows.map((row) => requestRow(row, typedFor(row, sent)))}
                    </ul>`
              }
              ${open.count > open.rows.length && html`<p class="soft small">The ${open.rows.length} waiting longest. Answer them to see the next.</p>`}
            </section>
            <section class="card">
              <header>
                <h2>With access or keys</h2>
                <span class="tag">${numberInWords(givenCount)}</span>
              </header>
              ${
                given.rows.length === 0
                  ? html`<p class="empty">No venues have access or keys yet.</p>`
                  : html`<ul class="rows">
                      ${given.rows.map((row) => givenRow(row, typedFor(row, sent)))}
                    </ul>`
              }
              ${furtherOn('given', givenAfter, given.next)}
            </section>
            ${
              (past.rows.length > 0 || pastAfter !== null) &&
              html`<section class="card">
                <h2>Declined and withdrawn</h2>
                <ul class="rows">
                  ${past.rows.map(pastRow)}
                </ul>
                ${furtherOn('past', pastAfter, past.next)}
              </section>`
            }
          </div>`
}

/** Paging for one of the two lists, each with its own cursor. */
const furtherOn = (list: 'given' | 'past', after: string | null, next: string | null): Html | undefined =>
  after === null && next === null
    ? undefined
    : html`<nav class="list-foot" aria-label="Pages">
        ${after !== null && html`<a class="button" href="/operator/requests">‹ First page</a>`}
        ${next !== null && html`<a class="button" rel="next" href="${addressOf('/operator/requests', { [list]: next })}">Next page ›</a>`}
      </nav>`

/** What was typed is shown here too: the venue may no longer have a form. */
const notTaken = ({ mistake, why }: Sent): Html =>
  html`<p class="mistake" role="alert">${mistake} ${why !== '' && endSentence(`You wrote: “${why}”`)}</p>`

const typedFor = ({ slug }: AccessRow, sent: Sent | undefined): string =>
  sent?.slug === slug ? sent.why : ''

const venuesBody = async (db: Queries, query: URLSearchParams, mistake?: string): Promise<Html> => {
  const [q, after] = [query.get('q') ?? '', query.get('after')]
  const venues = await venuesPage(db, q, { limit: pageRows, after })
  return html`<div class="page-head">
            <h1>Venues</h1>
            <form class="search" method="get" action="/operator/venues" role="search">
              <input name="q" type="search" value="${q}" placeholder="Name" aria-label="Find by start of name" autocomplete="off" maxlength="200" /><button>Find</button>
            </form>
          </div>
          ${mistake !== undefined && html`<p class="mistake" role="alert">${mistake}</p>`}
          <section class="card">
            ${venues.rows.length === 0 && html`<p class="empty">No venues by that name.</p>`}
            <ul class="rows">
              ${venues.rows.map(
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
            ${listFoot({ path: '/operator/venues', query: { q }, after, next: venues.next })}
          </section>`
}

/** What a form showed about a venue. */
const planSeen = ({ plan, paused }: VenueRow): string => `${plan} ${paused ? 'paused' : 'open'}`

const requestRow = (row: AccessRow, why: string): Html =>
  html`<li>
    <div class="grow">
      <strong>${row.name}</strong> <span class="soft">${row.slug}, ${row.plan}</span>
      <p>“${row.access_description}”</p>
    </div>
    <form class="inline" method="post" action="/operator/requests/${row.slug}">
      <input type="hidden" name="seen" value="${requestSeen(row)}" />
      <label class="hidden-text" for="why-${row.slug}">Reply</label
      ><input id="why-${row.slug}" name="why" maxlength="2000" value="${why}" placeholder="Reply to the owner" />
      <button class="primary" name="review" value="approve">Approve</button
      ><button name="review" value="decline">Decline</button>
    </form>
  </li>`

/** Next to the keys of a venue without access: why it has none. */
const withoutAccess: Readonly<Partial<Record<string, string>>> = {
  none: ', access never requested',
  requested: ', access requested',
  declined: ', access declined',
  withdrawn: ', refused since access was withdrawn',
} satisfies Partial<Record<AccessState, string>>

const givenRow = (row: AccessRow, why: string): Html =>
  html`<li>
    <div class="grow">
      <strong>${row.name}</strong> <span class="soft">${row.slug}, ${row.plan}</span><br /><span
        class="small soft"
        >${row.live_keys} ${row.live_keys === 1 ? 'key' : 'keys'} in use${withoutAccess[row.access]}</span
      >
    </div>
    <form
      class="inline"
      method="post"
      action="/operator/requests/${row.slug}"
      data-asks="Withdraw access for ${row.name}? All keys are permanently revoked."
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
