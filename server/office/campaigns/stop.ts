import { type CampaignRow, pendingOf } from '../../campaigns/reads.ts'
import { type Html, html } from '../../html/html.ts'
import { toInstant } from '../../kernel/moment.ts'
import { cityOf } from '../parts/time-words.ts'
import { momentInWords } from '../parts/words.ts'
import { peopleWords } from './counters.ts'
import { home, laterOf } from './words.ts'

/** A campaign that has not ended, and the one button that matters. */
export const stopPart = (row: CampaignRow, zone: string, now: Temporal.Instant): Html => {
  const pending = pendingOf(row)
  const due = laterOf(row.scheduled_at, row.send_hold_until)
  const at = due === null ? '' : `${momentInWords(due, zone)}, on the clock of ${cityOf(zone)}`
  const isAhead = due !== null && Temporal.Instant.compare(toInstant(due), now) > 0
  return html`<section class="card stop">
    ${
      row.status === 'scheduled'
        ? html`<h2>${isAhead ? `It goes out ${at}` : row.last_error === '' ? 'It goes out now' : 'It waits'}</h2>
            <p>To ${peopleWords(pending)}. ${isAhead && 'Until then you can stop it, and nobody is mailed.'}</p>`
        : html`<h2>${isAhead ? 'It waits' : 'It is being sent'}</h2>
            ${isAhead && html`<p>It goes on ${at}.</p>`}
            <p>
              ${peopleWords(pending)} still to go. Stopping it spares them; what was sent already cannot be called back.
            </p>`
    }
    ${row.last_error !== '' && html`<p class="hint" role="status">${row.last_error}</p>`}
    <form method="post" action="${home}/${row.id}/cancel" data-asks="Stop this campaign for good?">
      <button class="danger big">Stop it</button>
    </form>
  </section>`
}
