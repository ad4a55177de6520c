import { searchGuests } from '../../../crm/guests/search-guests.ts'
import type { StaffGuestRow } from '../../../crm/guests/guest.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { housesOfGuests } from '../../../crm/house/reads.ts'
import type { GuestProfile } from '../../../crm/house/rules.ts'
import { type PageAnswer, part } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import type { Typed } from '../parts/forms/fields.ts'
import { counted } from '../parts/pager.ts'
import { chips } from '../service/chips.ts'
import { dateInWords } from '../../../platform/kernel/time/in-words.ts'
import { phoneInWords } from '../../../platform/kernel/phone/shown-phone.ts'

/** Guests offered at once under the name and the phone. */
const mostOffered = 4
/** Characters: of fewer, anybody may be meant. */
export const leastTyped = 2

/** A guest in the fields of the sheet. */
export const typedGuest = (guest: StaffGuestRow): Typed => ({
  guest: String(guest.id),
  guestName: guest.name ?? '',
  phone: guest.phone ?? '',
  email: guest.email ?? '',
})

/** Guests by what is typed as the name or the phone: a press fills in who they are, before anything is saved. */
export const guestFinds = async (work: OfficeWork, { query }: OfficeRequest): Promise<PageAnswer> =>
  part(
    (await foundGuests(
      work,
      query.get('q') ?? '',
      (guest, shown) =>
        html`<button
          type="button"
          data-guest="${guest.id}"
          data-name="${guest.name}"
          data-phone="${guest.phone}"
          data-email="${guest.email}"
        >
          ${shown}
        </button>`,
    )) ?? html``,
  )

/**
 * The guests of the book that a name or a phone may mean, each in the button that takes them; undefined where there are
 * none, or too little is typed.
 */
export const foundGuests = async (
  { db, venue }: OfficeWork,
  text: string,
  button: (guest: StaffGuestRow, shown: Html) => Html,
  { but }: { readonly but?: number | null } = {},
): Promise<Html | undefined> => {
  const typed = text.trim()
  const found = typed.length < leastTyped ? [] : await searchGuests(db, venue.id, typed)
  const others = found.filter(({ id }) => id !== but)
  const guests = others.slice(0, mostOffered)
  if (guests.length === 0) return undefined
  const houses = await housesOfGuests(
    db,
    venue.id,
    guests.map(({ id }) => id),
  )
  return html`<ul class="offered">
    ${guests.map((guest) => {
      const shown = html`<span class="row-name">${guest.name ?? guest.email ?? 'No name'}</span>
        <span class="small soft">${phoneInWords(guest.phone)}</span>
        <span class="chips">${factsOf(guest, houses.get(guest.id))}</span>`
      return html`<li>${button(guest, shown)}</li>`
    })}
    ${others.length > mostOffered && html`<li class="soft small">More match; type more to see them.</li>`}
  </ul>`
}

/** Who the booking is for, shown before anything is saved. */
export const personOf = async ({ db, venue }: OfficeWork, guest: StaffGuestRow): Promise<Html> => {
  const house = (await housesOfGuests(db, venue.id, [guest.id])).get(guest.id)
  return html`<p class="person">
    <strong>${guest.name ?? 'No name'}</strong> <span class="soft">${phoneInWords(guest.phone) ?? guest.email}</span>
    <span class="chips">${factsOf(guest, house)}</span>
  </p>`
}

const factsOf = (guest: StaffGuestRow, house: GuestProfile | undefined): Html[] => [
  ...chips({
    allergies: guest.allergies,
    visit_count: guest.visit_count,
    notes: null,
    seating_preference: guest.seating_preference,
    ...house,
  }),
  html`<span class="row-fact"
    >${counted(guest.visit_count, 'visit')}${guest.last_visit_date !== null && `, last ${dateInWords(guest.last_visit_date)}`}</span
  >`,
]
