import { type CampaignRow, pendingOf } from '../../../marketing/campaigns/reads.ts'
import { errorSentence } from '../../../marketing/campaigns/reasons-to-wait.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { cityOf } from '../parts/time-words.ts'
import { peopleWords } from './counters.ts'
import { home, laterOf } from './words.ts'

/** A campaign that is not finished, and the one button that matters. */
export const stopPart = (row: CampaignRow, zone: string, now: Temporal.Instant): Html => {
  const pending = pendingOf(row)
  const due = laterOf(row.scheduled_at, row.send_hold_until)
  const at = due === null ? '' : `${momentInWords(due, zone)} (${cityOf(zone)} time)`
  const isAhead = due !== null && Temporal.Instant.compare(toInstant(due), now) > 0
  return html`<section class="card stop">
    ${
      row.status === 'scheduled'
        ? html`<h2>${isAhead ? `Goes out ${at}` : row.last_error === '' ? 'Going out now' : 'Waiting'}</h2>
            <p>To ${peopleWords(pending)}. ${isAhead && 'Stop it before then and nobody is emailed.'}</p>`
        : html`<h2>${isAhead ? 'Waiting' : 'Sending'}</h2>
            ${isAhead && html`<p>Sending resumes ${at}.</p>`}
            <p>
              ${peopleWords(pending)} still to go. Stopping it means they do not get it; what has been sent cannot be recalled.
            </p>`
    }
    ${row.last_error !== '' && html`<p class="hint" role="status">${errorSentence(row)}</p>`}
    <form method="post" action="${home}/${row.id}/cancel" data-asks="Stop this campaign for good?">
      <button class="danger big">Stop</button>
    </form>
  </section>`
}
