import { searchGuests } from '../../../crm/guests/search-guests.ts'
import type { StaffGuestRow } from '../../../crm/guests/guest.ts'
import { housesOfGuests } from '../../../crm/house/reads.ts'
import type { GuestProfile } from '../../../crm/house/rules.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { dayNear, shortDayNear, timeInWords, timeOf } from '../../../platform/kernel/time/in-words.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { DayRow } from '../../../book/reservations/day-book.ts'
import { serviceDateAt } from '../../../book/rules/service-now.ts'
import { searchBookings, searchedDays } from '../../../book/reservations/search-bookings.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import type { EntryRow } from '../../../book/day/entry-row.ts'
import { isInLine } from '../../../book/waitlist/guest-place.ts'
import { searchLine } from '../../../book/waitlist/search-line.ts'
import { waitlistMoves } from '../../../book/waitlist/states.ts'
import { actorOf } from '../frame/actor.ts'
import { page, part } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { counted } from '../parts/pager.ts'
import { type PlateState, plate } from '../parts/plate.ts'
import { guestsInWords, minutesSince } from '../parts/time-words.ts'
import { nameOf } from '../guests/list.ts'
import { chips } from '../service/chips.ts'
import { type LinePlace, entryForm, goneWords, offeredEntryMoves } from '../waitlist/entry.ts'
import { phoneInWords } from '../../../platform/kernel/phone/shown-phone.ts'

/** Guests shown beneath the bookings; their own page shows more. */
const guestsShown = 8

/** One box that finds whom a host means: tonight first, then other days, then guests. As one types, or as a page. */
export const searchPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: '/office/search',
    role: 'host',
    answer: async (work, { query, partOnly }) => {
      const typed = (query.get('q') ?? '').trim()
      const found = typed === '' ? undefined : await findsOf(work, typed)
      if (partOnly) return part(html`${found}`)
      return page(
        'Search',
        html`<div class="page-head"><h1>Search</h1></div>
          ${searchForm(typed)}
          <section class="card finds" aria-label="Found">
            ${found ?? html`<p class="empty">Type part of a name, three digits of a phone number, or a booking number.</p>`}
          </section>`,
      )
    },
  },
]

const searchForm = (typed: string): Html =>
  html`<form class="search" method="get" action="/office/search">
    <input
      name="q"
      type="search"
      value="${typed}"
      autocomplete="off"
      maxlength="254"
      aria-label="Name, phone digits, or booking number"
    /><button class="primary">Search</button>
  </form>`

const findsOf = async (work: OfficeWork, typed: string): Promise<Html> => {
  const { db, venue } = work
  const now = work.now()
  const today = serviceDateAt(await bookingRulesAround(db, venue, wallTimeOf(now, venue.timezone).date), now)
  const [bookings, parties, guests] = await Promise.all([
    searchBookings(db, venue.id, searchedDays(today), typed, { byNumber: true }),
    searchLine(db, venue.id, today, typed),
    searchGuests(db, venue.id, typed),
  ])
  const place = { actor: actorOf(work.me), now, serviceDateNow: today, timezone: venue.timezone }
  const shown = guests.slice(0, guestsShown)
  const houses = await housesOfGuests(
    db,
    venue.id,
    shown.map(({ id }) => id),
  )
  const tonight = bookings.filter((row) => row.service_date === today)
  const isDone = ({ status }: DayRow): boolean => !['Requested', 'Confirmed', 'Seated'].includes(status)
  const others = bookings.filter((row) => row.service_date !== today)
  if (bookings.length + parties.length + guests.length === 0)
    return html`<p class="empty">
      Nobody by “${typed}”. <a class="button" href="/office/bookings/new">New booking</a>
    </p>`
  return html`${group('Tonight', [
    ...tonight.filter((row) => !isDone(row)).map((row) => bookingFind(row, today)),
    ...parties.filter(isInLine).map((row) => partyFind(row, place)),
    ...tonight.filter(isDone).map((row) => bookingFind(row, today)),
    ...parties.filter((row) => !isInLine(row)).map((row) => partyFind(row, place)),
  ])}
  ${group(
    'Other days',
    others.map((row) => bookingFind(row, today)),
  )}
  ${group(
    'Guests',
    shown.map((guest) => guestFind(guest, houses.get(guest.id))),
  )}
  ${
    guests.length > guestsShown &&
    html`<p class="find-more">
      <a class="button quiet" href="/office/guests?q=${encodeURIComponent(typed)}"
        >All ${counted(guests.length, 'guest')} that match</a
      >
    </p>`
  }`
}

export const group = (name: string, rows: readonly Html[]): Html | undefined =>
  rows.length === 0
    ? undefined
    : html`<p class="find-group" id="find-${name.toLowerCase().replace(' ', '-')}">${name}</p>
        <ul aria-labelledby="find-${name.toLowerCase().replace(' ', '-')}">
          ${rows}
        </ul>`

const bookingFind = (row: DayRow, today: LocalDate): Html =>
  html`<li class="row">
    <span class="row-when"
      >${row.time === null ? '–' : timeInWords(row.time)}<span
        >${row.service_date === today || row.service_date === null ? row.status : shortDayNear(row.service_date, today)}</span
      ></span
    >
    ${plate(row.party_size, stateOf(row))}
    <a class="row-who" href="/office/bookings/${row.id}"
      ><span class="row-name"
        >${row.guest_name ?? 'No name'}<span class="hidden-text"
          >, ${guestsInWords(row.party_size)}, ${row.status}${row.service_date !== null && `, ${dayNear(row.service_date, today)}`}</span
        ></span
      ><span class="chips"><span class="row-fact">${row.status}</span>${chips(row)}</span></a
    >
  </li>`

/**
 * A party in line: the press leads to its row, where it is paged and seated. One that left, or did not come when it was
 * paged, says so and goes back in line from here, because they are at the door.
 */
export const partyFind = (row: EntryRow, place: LinePlace): Html => {
  const { now, timezone, serviceDateNow } = place
  const isPaged = row.status === 'offered'
  const inLine = isInLine(row)
  const day = row.service_date ?? row.date ?? serviceDateNow
  const [when, state] = !inLine
    ? [row.left_at === null ? '–' : timeOf(row.left_at, timezone), goneWords(row)]
    : [
        day > serviceDateNow
          ? shortDayNear(day, serviceDateNow)
          : `${Math.max(0, minutesSince(row.created_at, now))} min`,
        isPaged ? 'Paged' : 'Waiting',
      ]
  return html`<li class="row">
    <span class="row-when">${when}<span>${inLine ? state : 'gone'}</span></span>
    ${plate(row.party_size, isPaged ? 'here' : inLine ? 'waiting' : 'asked')}
    <a class="row-who" href="/office/waitlist#w${row.id}"
      ><span class="row-name"
        >${row.guest_name ?? 'No name'}<span class="hidden-text">, ${guestsInWords(row.party_size)}, ${inLine ? 'on the waitlist' : state.toLowerCase()}</span></span
      ><span class="chips"
        ><span class="row-fact">${inLine ? 'Waitlist' : state}</span>${row.notes !== null && html`<span class="row-words">${row.notes}</span>`}${
          row.phone !== null && html`<span class="row-words">${phoneInWords(row.phone)}</span>`
        }</span
      ></a
    >
    ${
      offeredEntryMoves(row, place).has('rejoin') &&
      entryForm(row, html`<button name="move" value="rejoin">${waitlistMoves.rejoin.label}</button>`, {
        back: '/office/service',
        live: false,
      })
    }
  </li>`
}

const stateOf = ({ status, checked_in_at }: DayRow): PlateState =>
  status === 'Seated'
    ? 'seated'
    : status === 'Completed'
      ? 'paid'
      : status === 'Requested'
        ? 'asked'
        : checked_in_at !== null && status === 'Confirmed'
          ? 'here'
          : 'expected'

export const guestFind = (guest: StaffGuestRow, house: GuestProfile | undefined): Html =>
  html`<li class="row">
    <span class="row-when small">Guest<span>${counted(guest.visit_count, 'visit')}</span></span>
    <span></span>
    <a class="row-who" href="/office/guests/${guest.id}"
      ><span class="row-name">${nameOf(guest)}</span
      ><span class="chips"
        >${chips({ allergies: guest.allergies, visit_count: guest.visit_count, notes: null, seating_preference: null, ...house })}<span
          class="row-words"
          >${phoneInWords(guest.phone) ?? guest.email}</span
        ></span
      ></a
    >
    <a class="button" href="/office/bookings/new?guest=${guest.id}" aria-label="Book for ${nameOf(guest)}">Book</a>
  </li>`
