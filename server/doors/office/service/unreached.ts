import { type Html, html } from '../../../platform/html/html.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { dayNear, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import type { UnreachedRow } from '../../../book/reservations/guest/sent-mails.ts'
import type { UnreachedParty } from '../../../book/waitlist/messages/failed-party-mails.ts'
import { phoneLink } from '../texts/phone-link.ts'

/**
 * Guests whom the last mail about their booking or their place on the waitlist did not reach: somebody should call them.
 * Nothing where all went well.
 */
export const unreachedPart = (
  bookings: readonly UnreachedRow[],
  parties: readonly UnreachedParty[],
  today: LocalDate,
): Html | undefined => {
  const dayOf = (date: LocalDate | null): string =>
    date === today ? 'today' : date === null ? '' : dayNear(date, today)
  const rows = [
    ...parties.map(({ date, status, ...row }) => ({
      ...row,
      to: `/office/waitlist#w${row.id}`,
      what: [dayOf(date), status === 'expired' ? '· off the waitlist' : '· on the waitlist'],
    })),
    ...bookings.map(({ date, time, status, ...row }) => ({
      ...row,
      to: `/office/bookings/${row.id}#guest-said`,
      what: [dayOf(date), time && timeInWords(time), `· ${status}`],
    })),
  ]
  if (rows.length === 0) return undefined
  return html`<details class="card warn">
    <summary>
      ${rows.length === 1 ? 'An email did not reach its guest' : `Emails did not reach ${rows.length} guests`}
    </summary>
    <ul class="rows">
      ${rows.map(
        ({ to, guest_name, phone, what }) =>
          html`<li>
            <div class="grow">
              <a href="${to}">${guest_name ?? 'No name'}</a>
              <span class="soft">${what.filter(Boolean).join(' ')}</span>
              ${phone !== null && phoneLink(phone)}
            </div>
          </li>`,
      )}
    </ul>
    <p class="small soft">Call them, or correct the address on the booking’s page and email the link again.</p>
  </details>`
}
