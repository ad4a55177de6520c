import { randomUUID } from 'node:crypto'
import { html } from '../../html/html.ts'
import type { StaffReason } from '../../reservations/staff-reasons.ts'
import { type PageAnswer, page } from '../frame/page.ts'
import { overrideButton, reasonsList } from '../parts/reasons.ts'
import { guestsInWords } from '../parts/time-words.ts'

/** A walk-in the slot has no room for: whoever is at the door decides. */
export const walkInQuestion = (
  { guestName, partySize }: { readonly guestName: string | null; readonly partySize: number },
  reasons: readonly StaffReason[],
  back: string,
): PageAnswer =>
  page(
    'Seat anyway?',
    html`<div class="page-head"><h1>Seat ${guestsInWords(partySize)} anyway?</h1></div>
      <section class="card">
        ${reasonsList(reasons)}
        <form class="inline" method="post" action="/office/walk-ins">
          <input type="hidden" name="token" value="${randomUUID()}" />
          <input type="hidden" name="back" value="${back}" />
          <input type="hidden" name="partySize" value="${partySize}" />
          <input type="hidden" name="guestName" value="${guestName}" />
          ${overrideButton(reasons, 'Seat anyway')}
          <a class="button" href="${back}">Never mind</a>
          <a class="button quiet" href="/office/waitlist">Go to waitlist</a>
        </form>
      </section>`,
    409,
  )
