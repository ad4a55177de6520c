import {
  type GuestFilter,
  type GuestListAsked,
  type GuestSort,
  birthdayDays,
  guestFilters,
  guestListPage,
  sortsOf,
} from '../../../crm/guests/list-reads.ts'
import { mostFound, searchGuests } from '../../../crm/guests/search-guests.ts'
import type { StaffGuestRow } from '../../../crm/guests/guest.ts'
import { housesOfGuests, tagsInUse } from '../../../crm/house/reads.ts'
import {
  type GuestProfile,
  birthdayForStaff,
  hasLapsed,
  lapsedDays,
  regularVisits,
} from '../../../crm/house/rules.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { endSentence } from '../../../platform/kernel/sentence.ts'
import { dateInWords } from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { addressOf, counted, listFoot, pageRows, tabs } from '../parts/pager.ts'
import { tag } from '../parts/tags.ts'
import { occasionChip, tagChip, vipChip } from '../service/chips.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { phoneInWords } from '../../../platform/kernel/phone/shown-phone.ts'

const home = '/office/guests'

/** The guests a search finds, or one of the lists of them. */
export const guestList = async (work: OfficeWork, query: URLSearchParams): Promise<Html> => {
  const { db, venue, now } = work
  const typed = (query.get('q') ?? '').trim()
  const today = wallTimeOf(now(), venue.timezone).date
  const tags = await tagsInUse(db, venue.id)
  const asked = listAsked(query, tags)
  const list =
    typed === ''
      ? await guestListPage(db, venue.id, { ...asked, today, limit: pageRows })
      : { rows: await searchGuests(db, venue.id, typed), next: null }
  const houses = await housesOfGuests(
    db,
    venue.id,
    list.rows.map(({ id }) => id),
  )
  return html`<div class="page-head">
      <h1>Guests</h1>
      <a class="button primary" href="${home}/new">Add a guest</a>
    </div>
    <div class="stack">
      ${searchBox(home, typed)} ${typed === '' && filters(asked, tags)}
      <section class="card list-card">
        ${typed !== '' && html`<p class="soft small" role="status">${foundInWords(list.rows.length, typed)}</p>`}
        ${
          list.rows.length === 0
            ? typed === '' && html`<p class="empty">${nobodyWords[asked.filter]}</p>`
            : guestTable(list.rows, houses, { today, filter: typed === '' ? asked.filter : undefined })
        }
        ${
          typed === '' && listFoot({ path: home, query: queryOf(asked), after: asked.after, next: list.next })
        }
      </section>
    </div>`
}

type Tag = { readonly id: number; readonly name: string }
type Asked = Omit<GuestListAsked, 'today' | 'limit'>

const listAsked = (query: URLSearchParams, tags: readonly Tag[]): Asked => {
  const tag = tags.find(({ id }) => String(id) === query.get('tag'))?.id
  const filter: GuestFilter =
    tag === undefined
      ? (guestFilters.find((one) => one !== 'tag' && one === query.get('filter')) ?? 'all')
      : 'tag'
  const sorts = sortsOf[filter]
  const sort = sorts.find((one) => one === query.get('sort')) ?? sorts[0] ?? 'newest'
  return { filter, sort, tag: tag ?? 0, after: query.get('after') }
}

/** Which of it goes into an address; defaults do not. */
const queryOf = ({ filter, sort, tag }: Asked) => ({
  filter: filter === 'all' || filter === 'tag' ? null : filter,
  tag: filter === 'tag' ? String(tag) : null,
  sort: sort === sortsOf[filter][0] ? null : sort,
})

const filterNames = {
  all: 'All',
  regulars: 'Regulars',
  lapsed: 'Lapsed',
  allergies: 'Allergies',
  vip: 'VIP',
  birthday: 'Birthdays',
} as const satisfies Record<Exclude<GuestFilter, 'tag'>, string>

const sortNames: Record<GuestSort, string> = {
  newest: 'Newest first',
  name: 'By name',
  visits: 'Most visits',
  seen: 'Seen last',
  away: 'Away longest',
}

const nobodyWords: Record<GuestFilter, string> = {
  all: 'No guests yet. They are added by bookings, or you can add them here.',
  regulars: `Nobody has come ${regularVisits} times yet.`,
  lapsed: `No regular has stayed away for more than ${lapsedDays} days.`,
  allergies: 'No guest has allergies or dietary needs. They are entered on a guest’s page, under Edit.',
  vip: 'No guest is a VIP. Check VIP on a guest’s page, under Edit.',
  birthday: `No guest has a birthday in the next ${birthdayDays} days.`,
  tag: 'No guest has this tag.',
}

/** Which guests, and in what order. */
const filters = (asked: Asked, tags: readonly Tag[]): Html => {
  const sorts = sortsOf[asked.filter]
  const names = Object.entries(filterNames).map(
    ([filter, name]) => [addressOf(home, { filter: filter === 'all' ? null : filter }), name] as const,
  )
  const current = asked.filter === 'tag' ? '' : addressOf(home, { filter: queryOf(asked).filter })
  return html`${tabs('Which guests', current, names)}
    ${
      (tags.length > 0 || sorts.length > 1) &&
      html`<form class="list-choices" method="get" action="${home}">
        ${asked.filter !== 'all' && asked.filter !== 'tag' && html`<input type="hidden" name="filter" value="${asked.filter}" />`}
        ${
          tags.length > 0 &&
          html`<label class="field"
            ><span>Tag</span
            ><select name="tag">
              <option value="">Any</option>
              ${tags.map(
                ({ id, name }) =>
                  html`<option value="${id}" ${asked.filter === 'tag' && id === asked.tag && html`selected`}>
                    ${name}
                  </option>`,
              )}
            </select></label
          >`
        }
        ${
          sorts.length > 1 &&
          html`<label class="field"
            ><span>Order</span
            ><select name="sort">
              ${sorts.map(
                (sort) =>
                  html`<option value="${sort}" ${sort === asked.sort && html`selected`}>${sortNames[sort]}</option>`,
              )}
            </select></label
          >`
        }
        <button>Show</button>
      </form>`
    }`
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
  guest.name ?? guest.email ?? phoneInWords(guest.phone) ?? 'No name'

const guestTable = (
  rows: readonly StaffGuestRow[],
  houses: ReadonlyMap<number, GuestProfile>,
  { today, filter }: { readonly today: LocalDate; readonly filter: GuestFilter | undefined },
): Html =>
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
              ${guest.allergies !== null && tag('Allergies', 'warn')} ${houseMarks(guest, houses.get(guest.id), { today, filter })}
            </td>
            <td class="breaks ${guest.email === null && 'none'}" data-label="Email">${guest.email ?? html`<span class="soft">–</span>`}</td>
            <td class="nowrap ${guest.phone === null && 'none'}" data-label="Phone">${phoneInWords(guest.phone) ?? html`<span class="soft">–</span>`}</td>
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

/** What the list says about a guest besides the figures. */
const houseMarks = (
  guest: StaffGuestRow,
  house: GuestProfile | undefined,
  { today, filter }: { readonly today: LocalDate; readonly filter: GuestFilter | undefined },
): Html | undefined => {
  const shown = [
    ...(house?.vip ? [vipChip] : []),
    ...(hasLapsed(guest, today) ? [tagChip('Lapsed')] : []),
    ...(filter === 'birthday' && house?.birthday
      ? [occasionChip(`Birthday ${birthdayForStaff(house.birthday)}`)]
      : []),
    ...(house?.tags ?? []).map(tagChip),
  ]
  return shown.length === 0 ? undefined : html`<span class="chips wrap">${shown}</span>`
}
