import { type StaffGuestRow, guestsPage, mostFound, searchGuests } from '../../guests/staff-reads.ts'
import { type Html, html } from '../../html/html.ts'
import { dateInWords } from '../../kernel/calendar.ts'
import { endSentence } from '../../kernel/sentence.ts'
import { counted, listFoot, pageRows } from '../parts/pager.ts'
import { tag } from '../parts/tags.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

const home = '/office/guests'

/** The guests a search finds, or all of them, newest first. */
export const guestList = async ({ db, venue }: OfficeWork, query: URLSearchParams): Promise<Html> => {
  const typed = (query.get('q') ?? '').trim()
  const after = query.get('after')
  const list =
    typed === ''
      ? await guestsPage(db, venue.id, { limit: pageRows, after })
      : { rows: await searchGuests(db, venue.id, typed), next: null }
  return html`<div class="page-head">
      <h1>Guests</h1>
      <a class="button primary" href="${home}/new">Add a guest</a>
    </div>
    <div class="stack">
      ${searchBox(home, typed)}
      <section class="card list-card">
        ${typed !== '' && html`<p class="soft small" role="status">${foundInWords(list.rows.length, typed)}</p>`}
        ${
          list.rows.length === 0
            ? typed === '' &&
              html`<p class="empty">No guests yet. They are added by bookings, or you can add them here.</p>`
            : guestTable(list.rows)
        }
        ${typed === '' && listFoot({ path: home, after, next: list.next })}
      </section>
    </div>`
}

export const searchBox = (action: string, typed: string): Html =>
  html`<form class="search" method="get" action="${action}" role="search">
    <input
      name="q"
      type="search"
      value="${typed}"
      placeholder="Name, email or phone"
      aria-label="Search guests by name, email or phone"
      autocomplete="off"
      maxlength="254"
    /><button class="primary">Search</button>${typed !== '' && html`<a class="button" href="${action}">Clear</a>`}
  </form>`

const foundInWords = (found: number, typed: string): string => {
  if (found === 0) return endSentence(`No guests match “${typed}”`)
  if (found === mostFound)
    return `First ${mostFound} guests matching “${typed}”; type more to narrow it down.`
  return endSentence(`${counted(found, 'guest matches', 'guests match')} “${typed}”`)
}

export const nameOf = (guest: Pick<StaffGuestRow, 'name' | 'email' | 'phone'>): string =>
  guest.name ?? guest.email ?? guest.phone ?? 'No name'

const guestTable = (rows: readonly StaffGuestRow[]): Html =>
  html`<table class="table as-cards">
    <thead>
      <tr>
        <th scope="col">Guest</th>
        <th scope="col">Email</th>
        <th scope="col">Phone</th>
        <th scope="col" class="right">Visits</th>
        <th scope="col" class="right">No-shows</th>
        <th scope="col">Last visit</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (guest) =>
          html`<tr>
            <td class="row-head">
              <a class="row-link" href="${home}/${guest.id}">${nameOf(guest)}</a>
              ${guest.allergies !== null && tag('Allergies', 'warn')}
            </td>
            <td class="breaks ${guest.email === null && 'none'}" data-label="Email">${guest.email ?? html`<span class="soft">–</span>`}</td>
            <td class="nowrap ${guest.phone === null && 'none'}" data-label="Phone">${guest.phone ?? html`<span class="soft">–</span>`}</td>
            <td class="right ${guest.visit_count === 0 && 'none'}" data-label="Visits">${guest.visit_count}</td>
            <td class="right ${guest.no_show_count === 0 && 'none'}" data-label="No-shows">
              ${guest.no_show_count === 0 ? html`<span class="soft">0</span>` : tag(String(guest.no_show_count), 'bad')}
            </td>
            <td class="nowrap ${guest.last_visit_date === null && 'none'}" data-label="Last visit">
              ${guest.last_visit_date === null ? html`<span class="soft">never</span>` : dateInWords(guest.last_visit_date)}
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`
