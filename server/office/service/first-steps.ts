import { type Html, html } from '../../html/html.ts'
import { hasReservations } from '../../reservations/reads.ts'
import { staffOfVenue } from '../../staff/people.ts'
import { type StaffRole, mayAct } from '../../staff/roles.ts'
import type { BookingRules } from '../../venue/booking-rules.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { icon } from '../parts/icon.ts'

/**
 * What a new venue does first, with what is done. Shown on the first screen until there are hours: without them nobody
 * can book, and nothing else on it has anything to show.
 */
export const firstSteps = async ({ db, venue, me }: OfficeWork, rules: BookingRules): Promise<Html> => {
  const [people, booked] = await Promise.all([staffOfVenue(db, venue.id), hasReservations(db, venue.id)])
  const steps = [
    [
      'Set your hours',
      'When guests can come, service by service.',
      '/office/settings',
      rules.periods.length > 0,
    ],
    [
      'Set how many can arrive at once',
      'Covers for each slot, and how long a table is held.',
      '/office/settings/limits',
      rules.pacing.maxCovers !== null,
    ],
    ['Invite your people', 'Hosts, managers, owners.', '/office/people', people.length > 1],
    [
      'Check your name, address and phone',
      'Guests see them in emails and when a booking is refused.',
      '/office/settings/venue',
      venue.phone !== null,
    ],
    ['Take your first booking', 'By phone, or at the door.', '/office/bookings/new', booked],
  ] as const
  return html`<section class="card steps-card" aria-labelledby="steps-head">
    <h2 id="steps-head">Five steps to your first service</h2>
    <ol class="rows">
      ${steps.map(
        ([name, why, to, done]) =>
          html`<li>
            ${done ? icon('check') : icon('clock')}
            <div class="grow"><span class="strong">${name}</span> <span class="small soft">${why}</span></div>
            ${
              done
                ? html`<span class="tag good">Done</span>`
                : mayAct(me.staff.role, whoDoes(to))
                  ? html`<a class="button" href="${to}">Go</a>`
                  : html`<span class="soft small">${whoDoes(to) === 'owner' ? 'An owner' : 'A manager'} does this</span>`
            }
          </li>`,
      )}
    </ol>
  </section>`
}

const whoDoes = (to: string): StaffRole =>
  to.startsWith('/office/settings') ? 'manager' : to === '/office/people' ? 'owner' : 'host'
