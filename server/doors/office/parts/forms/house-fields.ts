import { type Html, html } from '../../../../platform/html/html.ts'
import {
  type BookingProfile,
  type GuestProfile,
  birthdayForStaff,
  houseLimits,
  readBirthday,
  readTags,
} from '../../../../crm/house/rules.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { typedLine, typedText } from '../../../../platform/kernel/typed-fields.ts'
import type { Form } from '../../frame/page.ts'
import { type FormSeen, type Typed, areaField, lineField, tickField } from './fields.ts'

/* What the house keeps for itself, in the forms of guests and of bookings. */

/** What is offered while typing; anything else may be typed. */
const occasions = ['Birthday', 'Anniversary', 'Date night', 'Business', 'Engagement', 'Graduation'] as const

export const typedBookingHouse = ({ occasion, seating, note, tags }: BookingProfile): Typed => ({
  occasion: occasion ?? '',
  seating: seating ?? '',
  ...(note && { privateNote: note }),
  tags: tags.join(', '),
})

/** The occasion and the tags of a booking. `inUse`: the venue's tags there are. */
export const bookingProfilePart = (seen: FormSeen, inUse: readonly string[]): Html =>
  html`<div class="fields">
    ${lineField(seen, {
      name: 'occasion',
      label: 'Occasion',
      most: houseLimits.occasionCharacters,
      list: occasions,
    })}
    ${tagsField(seen, inUse)}
  </div>
  ${
    seen.typed['privateNote'] !== undefined &&
    areaField(seen, {
      name: 'privateNote',
      label: 'Private note',
      rows: 3,
      most: limits.notesCharacters,
      hint: 'Brought from your old system. Only staff see it.',
    })
  }`

/** Where the party would like to sit. `features`: those the venue's tables have. */
export const seatingField = (seen: FormSeen, features: readonly string[]): Html =>
  lineField(seen, {
    name: 'seating',
    label: 'Would like to sit',
    most: houseLimits.seatingCharacters,
    list: features.length > 0 ? features : usualSeatings,
    placeholder: 'Anywhere',
  })
const usualSeatings = ['Inside', 'Outside', 'At the bar', 'Window', 'Booth'] as const

export const seatingIn = (form: Form): string | null =>
  typedLine('Where they would like to sit', form.text('seating'), houseLimits.seatingCharacters)

/** What was typed; undefined where a form has no such fields. */
export const bookingProfileIn = (form: Form): BookingProfile | undefined =>
  form.has('tags') || form.has('occasion') || form.has('seating')
    ? {
        occasion: typedLine('The occasion', form.text('occasion'), houseLimits.occasionCharacters),
        seating: seatingIn(form),
        note: form.has('privateNote')
          ? typedText('The private note', form.text('privateNote'), limits.notesCharacters)
          : undefined,
        tags: readTags(form.text('tags')),
      }
    : undefined

export const typedGuestHouse = ({ vip, birthday, tags }: GuestProfile): Typed => ({
  vip: vip ? 'yes' : '',
  birthday: birthday === null ? '' : birthdayForStaff(birthday),
  tags: tags.join(', '),
})

/** VIP, birthday and tags of a guest. */
export const guestProfilePart = (seen: FormSeen, inUse: readonly string[]): Html =>
  html`${tickField(seen, { name: 'vip', label: 'VIP' })}
    <div class="fields">
      ${lineField(seen, { name: 'birthday', label: 'Birthday', most: 30, placeholder: birthdayForStaff({ month: 4, day: 12 }) })}
      ${tagsField(seen, inUse)}
    </div>
    <p class="small soft">VIP, birthday and tags are seen by staff only, never by the guest or connected software.</p>`

/** What was typed; undefined where a form has no such fields. A box that is not ticked is not sent. */
export const guestProfileIn = (form: Form): GuestProfile | undefined =>
  form.has('tags')
    ? {
        vip: form.text('vip') === 'yes',
        birthday: readBirthday(form.text('birthday')),
        tags: readTags(form.text('tags')),
      }
    : undefined

const shownInUse = 12

const tagsField = (seen: FormSeen, inUse: readonly string[]): Html =>
  lineField(seen, {
    name: 'tags',
    label: 'Tags',
    most: (houseLimits.tagCharacters + 2) * houseLimits.tags,
    placeholder: 'Wine list, Neighbor',
    hint:
      inUse.length === 0
        ? 'Your own words, separated by commas.'
        : `In use: ${inUse.slice(0, shownInUse).join(', ')}${inUse.length > shownInUse ? ' …' : ''}`,
  })
