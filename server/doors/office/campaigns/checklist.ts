import { type Html, html } from '../../../platform/html/html.ts'

/** Something about an email that blocks it, or that could be better. */
export type Point = { readonly code: string; readonly message: string }

export type Checked = {
  readonly blockers: readonly Point[]
  readonly advice: readonly Point[]
}

/** The subject line as an inbox shows it. */
export const inboxPart = (inbox: {
  readonly from: string
  readonly subject: string
  readonly preheader: string
}): Html =>
  html`<section class="card inbox" aria-label="In the inbox">
    <strong class="inbox-from">${inbox.from}</strong>
    <p class="inbox-line">
      <span class="inbox-subject">${inbox.subject === '' ? 'No subject' : inbox.subject}</span>
      ${inbox.preheader !== '' && html`<span class="soft"> – ${inbox.preheader}</span>`}
    </p>
  </section>`

/** What blocks the email, and what could be better. */
export const checklistPart = ({ blockers, advice }: Checked): Html =>
  html`<section class="card checklist" aria-label="Checklist">
    <header>
      <h2>${blockers.length === 0 ? 'Ready to send' : `${blockers.length === 1 ? 'One thing blocks' : `${blockers.length} things block`} it`}</h2>
    </header>
    ${
      blockers.length + advice.length > 0 &&
      html`<ul class="points">
        ${blockers.map(({ message }) => html`<li class="point bad"><span class="point-kind">Blocks it</span> <span class="breaks">${message}</span></li>`)}
        ${advice.map(({ message }) => html`<li class="point warn"><span class="point-kind">Advice</span> <span class="breaks">${message}</span></li>`)}
      </ul>`
    }
  </section>`
