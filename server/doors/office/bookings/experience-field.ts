import { type BookRow, type ExperienceChosen, experienceOf } from '../../../book/day/book-row.ts'
import type { BookingRules } from '../../../book/rules/booking-rules.ts'
import { allBookingRules } from '../../../book/rules/rules-store.ts'
import { type Html } from '../../../platform/html/html.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import type { Form } from '../frame/page.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { type FormSeen, choiceField } from '../parts/forms/fields.ts'

/* What goes with a booking, in the booking sheet. Staff choose any; what speaks against it is said like any other reason. */

/** The field; undefined where the venue has no experiences and the booking has none. */
export const experienceField = (
  seen: FormSeen,
  { experiences }: Pick<BookingRules, 'experiences'>,
  booking?: BookRow,
): Html | undefined => {
  const own = booking && experienceOf(booking)
  const known = experiences.map(({ key, name }) => [key, name] as const)
  // The venue may have removed it since.
  const removed = own && !experiences.some(({ key }) => key === own.key) ? [[own.key, own.name] as const] : []
  if (known.length + removed.length === 0) return undefined
  return choiceField(seen, {
    name: 'experience',
    label: 'Experience',
    choices: [['', 'Table only'], ...known, ...removed],
  })
}

/** What was chosen there; undefined: a form without the field, or what the booking has. */
export const experienceIn = async (
  { db, venue }: OfficeWork,
  form: Form,
  booking?: BookRow,
): Promise<ExperienceChosen | null | undefined> => {
  if (!form.has('experience')) return undefined
  const key = form.text('experience')
  if (key === (booking?.experience ?? '')) return booking ? undefined : null
  if (key === '') return null
  const { experiences } = await allBookingRules(db, venue.id)
  const one = experiences.find((known) => known.key === key)
  if (!one) throw badRequest('This experience is no longer among those of the venue; choose another.')
  return { key, name: one.name }
}
