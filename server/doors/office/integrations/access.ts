import type { AccessRow } from '../../../integrations/access/reads.ts'
import { includesApi } from '../../../core/venue/venue.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { type FormSeen, mistakePart } from '../parts/forms/fields.ts'
import { endSentence } from '../../../platform/kernel/sentence.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'

/** The venue's API access, and what the owner can do about it. */
export const accessPart = (access: AccessRow, zone: string, { typed, mistake }: FormSeen): Html =>
  html`<section class="card">
    <header>
      <h2>API access</h2>
      ${tagOf(access.access)}
    </header>
    ${wordsOf(access, zone)} ${typed.description !== undefined && mistakePart({ mistake })}
    ${
      mayAsk(access) &&
      html`<form class="form" method="post" action="/office/integrations/access">
        <label class="field"
          ><span>What you will build</span
          ><textarea name="description" required minlength="10" maxlength="2000">
${typed.description ?? ''}</textarea
          ><small>A sentence or two. The service's reviewers read it and reply here.</small></label
        >
        <div><button class="primary">Request access</button></div>
      </form>`
    }
  </section>`

const mayAsk = ({ plan, access }: AccessRow): boolean =>
  includesApi(plan) && (access === 'none' || access === 'declined' || access === 'withdrawn')

const tagOf = (access: string): Html => {
  switch (access) {
    case 'approved':
      return html`<span class="tag good">Approved</span>`
    case 'requested':
      return html`<span class="tag warn">Pending review</span>`
    case 'declined':
      return html`<span class="tag bad">Declined</span>`
    case 'withdrawn':
      return html`<span class="tag bad">Turned off</span>`
    default:
      return html`<span class="tag">Not requested</span>`
  }
}

const wordsOf = (
  { plan, access, access_description, access_answer, access_changed_at }: AccessRow,
  zone: string,
): Html => {
  const when = access_changed_at === null ? 'some time ago' : momentInWords(access_changed_at, zone)
  const answer = access_answer ?? 'no reason was given'
  if (!includesApi(plan)) return html`<p class="hint">The ${plan} plan does not include the API.</p>`
  switch (access) {
    case 'approved':
      return html`<p>Approved ${when}. Software with one of your keys can read and write this venue's data.</p>`
    case 'requested':
      return html`<p>Requested ${when}. A person reviews each request; the answer will appear here.</p>
        <p class="soft">“${access_description}”</p>`
    case 'declined':
      return html`<p class="mistake">
        ${endSentence(`Declined ${when}: ${answer}`)} You can request access again.
      </p>`
    case 'withdrawn':
      return html`<p class="mistake">
        ${endSentence(`Access was turned off ${when}: ${answer}`)} All keys were permanently revoked. You can request access again.
      </p>`
    default:
      return html`<p>
        The API lets your own software, or your contractor's, work with this venue's data. Request access with a short description of what you will build.
      </p>`
  }
}
