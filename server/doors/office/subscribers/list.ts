import { subscriberStatuses } from '@venue-data/contract/records/subscriber.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { emailKey } from '../../../platform/kernel/email.ts'
import { dateInWords } from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { growthByMonth, subscriberOfAddress } from '../../../marketing/subscribers/growth.ts'
import {
  type ListedSubscriber,
  subscriberCounts,
  subscribersPage,
  tagsOfVenue,
} from '../../../marketing/subscribers/staff-reads.ts'
import { type PageAnswer, go, page } from '../frame/page.ts'
import { addressOf, listFoot, pageRows, tabs } from '../parts/pager.ts'
import { wordTag } from '../parts/tags.ts'
import { idIn } from '../parts/time-words.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { growthChart, monthsUntil } from './growth-chart.ts'
import { reasonTag, sourceWords, statusWords, subscriberTag } from './words.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'

const home = '/office/subscribers'

/** The list by state and tag, below the growth chart. Searching for an address opens its page. */
export const subscriberList = async (work: OfficeWork, query: URLSearchParams): Promise<PageAnswer> => {
  const { db, venue, now } = work
  const address = (query.get('q') ?? '').replaceAll('\0', '').trim().slice(0, 254)
  const sought = address === '' ? undefined : await subscriberOfAddress(db, venue.id, emailKey(address))
  if (sought !== undefined) return go(`${home}/${sought}`)

  const status = subscriberStatuses.find((one) => one === query.get('state')) ?? null
  const tag = idIn(query.get('tag') ?? undefined) ?? null
  const after = query.get('after')
  const narrowed = { state: status, tag: tag === null ? null : String(tag) }
  const { date: today } = wallTimeOf(now(), venue.timezone)
  const months = monthsUntil(today, 12)
  const isFirst = after === null && status === null && tag === null && address === ''
  const [list, tags, growth] = await Promise.all([
    subscribersPage(db, venue.id, { status, tag }, { limit: pageRows, after }),
    tagsOfVenue(db, venue.id),
    isFirst ? growthByMonth(db, venue.id, venue.timezone, months[0] ?? today) : undefined,
  ])
  return page(
    'Subscribers',
    html`<div class="page-head">
        <h1>Subscribers</h1>
        <a class="button primary" href="${home}/new">Add a subscriber</a>
      </div>
      ${await subscriberTabs(work, addressOf(home, { state: status }))}
      <div class="stack">
        ${
          growth &&
          html`<section class="card">
            <h2>List growth</h2>
            ${growthChart(growth.before, growth.months, months)}
          </section>`
        }
        <div class="filters">
          <form class="search" method="get" action="${home}" role="search">
            <input name="q" type="search" value="${address}" placeholder="Full email address" aria-label="Find by email address" autocomplete="off" maxlength="254" /><button>Find</button>
          </form>
          ${
            tags.length > 0 &&
            html`<form class="search" method="get" action="${home}">
              ${status !== null && html`<input type="hidden" name="state" value="${status}" />`}
              <select name="tag" aria-label="Tag">
                <option value="">Any tag</option>
                ${tags.map(({ id, name }) => html`<option value="${id}" ${id === tag && html`selected`}>${name}</option>`)}
              </select>
              <button>Show</button>
            </form>`
          }
        </div>
        ${address !== '' && html`<p class="hint" role="status">${address} is not on the list.</p>`}
        <section class="card list-card">
          ${list.rows.length === 0 ? html`<p class="empty">${emptyWords(isFirst, after)}</p>` : table(list.rows, venue.timezone)}
          ${listFoot({ path: home, query: narrowed, after, next: list.next })}
        </section>
      </div>`,
  )
}

/** The states with their counts, and the do-not-email list. */
export const subscriberTabs = async (
  { db, venue }: Pick<OfficeWork, 'db' | 'venue'>,
  current: string,
): Promise<Html> => {
  const counts = await subscriberCounts(db, venue.id)
  return tabs('Subscribers', current, [
    [home, 'All', [...counts.values()].reduce((sum, count) => sum + count, 0)],
    ...subscriberStatuses.map(
      (status) => [addressOf(home, { state: status }), statusWords[status], counts.get(status) ?? 0] as const,
    ),
    [`${home}/do-not-email`, 'Do not email'],
    [`${home}/topics`, 'Tags'],
  ])
}

const emptyWords = (isFirst: boolean, after: string | null): string => {
  if (after !== null) return 'Nothing more.'
  return isFirst
    ? 'Nobody is on the list yet. People sign up on your website, or you add them here.'
    : 'No matches.'
}

const table = (rows: readonly ListedSubscriber[], zone: string): Html =>
  html`<table class="table as-cards">
    <thead>
      <tr>
        <th scope="col">Email</th>
        <th scope="col">First name</th>
        <th scope="col">State</th>
        <th scope="col">Tags</th>
        <th scope="col">Since</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            <td class="row-head"><a class="row-link breaks" href="${home}/${row.id}">${row.email}</a></td>
            <td class="breaks ${row.first_name === null && 'none'}" data-label="First name">${row.first_name ?? html`<span class="soft">–</span>`}</td>
            <td data-label="State"><span class="inline">${subscriberTag(row.status)}${row.suppression !== null && reasonTag(row.suppression)}</span></td>
            <td class="${row.tags.length === 0 && 'none'}" data-label="Tags"><span class="inline">${row.tags.length === 0 ? html`<span class="soft">–</span>` : row.tags.map((name) => wordTag(name))}</span></td>
            <td data-label="Since">
              <span
                ><span class="nowrap">${dateInWords(wallTimeOf(toInstant(row.created_at), zone).date)}</span
                ><br /><span class="small soft">by ${sourceWords[row.source] ?? row.source}</span></span
              >
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`
