import { html } from '../../../platform/html/html.ts'
import type { StaffReason } from '../../../book/reservations/staff-reasons.ts'
import { type PageAnswer, page } from '../frame/page.ts'
import { hiddenFields, tokenField } from '../parts/forms/fields.ts'
import { overrideButton, reasonsList } from '../parts/reasons.ts'
import { guestsInWords } from '../parts/time-words.ts'

/** A walk-in the slot has no room for: the host at the door decides. */
export const walkInQuestion = (
  { guestName, partySize }: { readonly guestName: string | null; readonly partySize: number },
  reasons: readonly StaffReason[],
  { back, token }: { readonly back: string; readonly token: string },
): PageAnswer =>
  page(
    'Seat anyway?',
    html`<div class="page-head"><h1>Seat ${guestsInWords(partySize)} anyway?</h1></div>
      <section class="card">
        ${reasonsList(reasons)}
        <form class="inline" method="post" action="/office/walk-ins">
          ${tokenField(token)}${hiddenFields({ back, partySize, guestName })}
          ${overrideButton(reasons, 'Seat anyway')}
          <a class="button" href="${back}">Never mind</a>
          <a class="button quiet" href="/office/waitlist">Go to waitlist</a>
        </form>
      </section>`,
    409,
  )
