import { type Html, html } from '../../html/html.ts'
import type { LocalDate } from '../../kernel/written-time.ts'
import { dayInWords, timeInWords } from '../../kernel/in-words.ts'
import type { UnreachedRow } from '../../reservations/sent-mails.ts'

/** Guests whom the last mail about their booking did not reach: somebody should call them. Nothing where all went well. */
export const unreachedPart = (rows: readonly UnreachedRow[], today: LocalDate): Html | undefined =>
  rows.length === 0
    ? undefined
    : html`<details class="card warn">
        <summary>
          ${rows.length === 1 ? 'An email did not reach its guest' : `Emails did not reach ${rows.length} guests`}
        </summary>
        <ul class="rows">
          ${rows.map(
            ({ id, guest_name, date, time, status }) =>
              html`<li>
                <div class="grow">
                  <a href="/office/bookings/${id}#guest-said">${guest_name ?? 'No name'}</a>
                  <span class="soft"
                    >${date === today ? 'today' : date === null ? '' : dayInWords(date)} ${time && timeInWords(time)} · ${status}</span
                  >
                </div>
              </li>`,
          )}
        </ul>
        <p class="small soft">Call them, or correct the address on their booking and email the link again.</p>
      </details>`
