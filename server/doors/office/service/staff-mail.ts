import { type Html, html } from '../../../platform/html/html.ts'
import { mayAct } from '../../../core/staff/roles.ts'
import type { FailedStaffMail, StaffMail } from '../../../mail/mail-staff.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'

/** What an email to staff was about, and where that is answered. */
const about: Readonly<Record<StaffMail, readonly [words: string, path: (record: number) => string]>> = {
  staffBooking: ['A request', (id) => `/office/bookings/${id}`],
  staffChange: ['A change asked for', (id) => `/office/bookings/${id}`],
  staffList: ['A party on the list', (id) => `/office/waitlist#w${id}`],
  staffInquiry: ['A private event inquiry', (id) => `/office/leads/${id}`],
}

/** The emails to staff that did not arrive since one last did; nothing where all went well. */
export const failedStaffMailPart = (
  { venue, me }: Pick<OfficeWork, 'venue' | 'me'>,
  failed: readonly FailedStaffMail[],
): Html | undefined => {
  if (failed.length === 0) return undefined
  const isManager = mayAct(me.staff.role, 'manager')
  return html`<details class="card warn">
    <summary>
      ${failed.length === 1 ? 'An email to staff did not arrive' : `${failed.length} emails to staff did not arrive`}
    </summary>
    <ul class="rows">
      ${failed.map(({ kind, record_id, ended_at, answer }) => {
        const [words, path] = about[kind]
        // A host sees no leads.
        const isOpen = kind !== 'staffInquiry' || isManager
        return html`<li>
          <div class="grow">
            ${isOpen ? html`<a href="${path(record_id)}">${words}</a>` : words}
            <span class="soft">${momentInWords(ended_at, venue.timezone)}: ${answer ?? ''}</span>
          </div>
        </li>`
      })}
    </ul>
    <p class="small soft">
      ${
        isManager
          ? html`Check the address for staff under <a href="/office/settings/guest-pages">Settings, Guest pages</a>.`
          : 'Tell a manager: the address for staff in the settings may be wrong.'
      }
      This note goes away when the next one arrives.
    </p>
  </details>`
}
