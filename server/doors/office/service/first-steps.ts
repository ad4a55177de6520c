import { type Html, html } from '../../../platform/html/html.ts'
import { hasBookedSince, hasReservations } from '../../../book/reservations/reads.ts'
import { staffOfVenue } from '../../../core/staff/people.ts'
import { type StaffRole, mayAct } from '../../../core/staff/roles.ts'
import { venueOfSlug } from '../../../core/venue/actions.ts'
import type { BookingRules } from '../../../book/rules/booking-rules.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { icon } from '../parts/icon.ts'

/** A venue that has taken bookings for this long is not new, even if it skipped steps. */
const daysNew = 30

/**
 * What a new venue does first, with what is done. Everybody sees it until there are hours: without them nobody can book,
 * and nothing else on the screen has anything to show. Managers see it until all is done, below a line once there are
 * bookings; a venue that has taken bookings for a month is no longer asked. Undefined if there is nothing to show.
 */
export const firstSteps = async (work: OfficeWork, rules: BookingRules): Promise<Html | undefined> => {
  const { db, venue, me, now } = work
  const hasHours = rules.periods.length > 0
  if (hasHours && !mayAct(me.staff.role, 'manager')) return undefined
  const [people, booked, { phone, postal_address: address }] = await Promise.all([
    staffOfVenue(db, venue.id),
    hasReservations(db, venue.id),
    venueOfSlug(db, venue.slug),
  ])
  const takes = [rules, ...rules.periods].map(({ pacing }) => pacing)
  const steps = [
    ['Set your hours', 'When guests can come, service by service.', '/office/settings', hasHours],
    [
      'Set how many you can take',
      'Covers for each slot, or your tables.',
      '/office/settings/limits',
      rules.floor !== null ||
        takes.some(({ maxCovers, maxParties }) => maxCovers !== null || maxParties !== null),
    ],
    ['Invite your people', 'Hosts, managers, owners.', '/office/people', people.length > 1],
    [
      'Add your phone and address',
      'Guests see them in emails and when a booking is refused.',
      '/office/settings/venue',
      phone !== null && address !== null,
    ],
    ['Take your first booking', 'By phone, or at the door.', '/office/bookings/new', booked],
  ] as const
  const done = steps.filter(([, , , isDone]) => isDone).length
  if (done === steps.length) return undefined
  if (hasHours && booked && (await hasBookedSince(db, venue.id, now().subtract({ hours: daysNew * 24 }))))
    return undefined
  return html`<details class="card steps-card" ${!booked && html`open`}>
    <summary>
      <h2>Five steps to your first service</h2>
      <span class="soft">${done} of ${steps.length} done</span>
    </summary>
    <ol class="rows">
      ${steps.map(
        ([name, why, to, isDone]) =>
          html`<li>
            ${isDone ? icon('check') : icon('clock')}
            <div class="grow"><span class="strong">${name}</span> <span class="small soft">${why}</span></div>
            ${
              isDone
                ? html`<span class="tag good">Done</span>`
                : mayAct(me.staff.role, whoDoes(to))
                  ? html`<a class="button" href="${to}">Go</a>`
                  : html`<span class="soft small">${whoDoes(to) === 'owner' ? 'An owner' : 'A manager'} does this</span>`
            }
          </li>`,
      )}
    </ol>
  </details>`
}

const whoDoes = (to: string): StaffRole =>
  to.startsWith('/office/settings') ? 'manager' : to === '/office/people' ? 'owner' : 'host'
