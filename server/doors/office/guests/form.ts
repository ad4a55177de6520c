import { limits } from '@venue-data/contract/limits.ts'
import type { StaffGuestRow } from '../../../crm/guests/guest.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { GuestProfile } from '../../../crm/house/rules.ts'
import { guestProfilePart, typedGuestHouse } from '../parts/forms/house-fields.ts'
import {
  type FormSeen,
  type Typed,
  areaField,
  lineField,
  mistakePart,
  tokenField,
  versionField,
} from '../parts/forms/fields.ts'

const home = '/office/guests'

/** A guest as form fields. */
export const typedOf = (guest: StaffGuestRow, house: GuestProfile): Typed => ({
  ...typedGuestHouse(house),
  name: guest.name ?? '',
  email: guest.email ?? '',
  phone: guest.phone ?? '',
  seatingPreference: guest.seating_preference ?? '',
  referralSource: guest.referral_source ?? '',
  allergies: guest.allergies ?? '',
  staffNotes: guest.staff_notes,
})

/** Everything staff may change about a guest. */
export const guestForm = (guest: StaffGuestRow, seen: FormSeen, tags: readonly string[]): Html =>
  html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}/${guest.id}">‹ ${guest.name ?? 'Guest'}</a></p>
        <h1>Edit</h1>
      </div>
    </div>
    <section class="card narrow">
      <form class="form" method="post" action="${home}/${guest.id}/edit">
        ${versionField(guest.version)} ${mistakePart(seen)} ${who(seen)}
        ${areaField(seen, {
          name: 'allergies',
          label: 'Allergies and dietary needs',
          most: limits.notesCharacters,
          rows: 2,
          hint: 'Shown to all staff who open the guest. Never shared outside this office.',
        })}
        <div class="fields">
          ${lineField(seen, {
            name: 'seatingPreference',
            label: 'Seating preference',
            most: limits.shortTextCharacters,
            placeholder: 'Booth, by the window',
          })}
          ${lineField(seen, {
            name: 'referralSource',
            label: 'Heard about us',
            most: limits.shortTextCharacters,
          })}
        </div>
        ${guestProfilePart(seen, tags)}
        ${areaField(seen, {
          name: 'staffNotes',
          label: 'Staff notes',
          most: 20_000,
          rows: 8,
          hint: 'Never shown to the guest or to connected software.',
        })}
        <div class="inline">
          <button class="primary">Save</button><a class="button quiet" href="${home}/${guest.id}">Cancel</a>
        </div>
      </form>
    </section>`

/** A guest to be added. */
export const newGuestForm = (seen: FormSeen, tags: readonly string[]): Html =>
  html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}">‹ Guests</a></p>
        <h1>New guest</h1>
      </div>
    </div>
    <section class="card narrow">
      <form class="form" method="post" action="${home}">
        ${tokenField(seen.typed.token)} ${mistakePart(seen)} ${who(seen)}
        ${guestProfilePart(seen, tags)}
        ${areaField(seen, { name: 'notes', label: 'Staff notes', most: limits.notesCharacters, rows: 3 })}
        <p class="small soft">
          A guest who has this email or phone is not added twice: what they lack is filled in. Under another name, you are
          asked first.
        </p>
        <div class="inline">
          <button class="primary">Add guest</button><a class="button quiet" href="${home}">Cancel</a>
        </div>
      </form>
    </section>`

const who = (seen: FormSeen): Html =>
  html`<div class="fields">
    ${lineField(seen, { name: 'name', label: 'Name', most: limits.nameCharacters })}
    ${lineField(seen, { name: 'email', label: 'Email', type: 'email', most: limits.emailCharacters })}
    ${lineField(seen, { name: 'phone', label: 'Phone', type: 'tel', most: limits.phoneCharacters })}
  </div>`
