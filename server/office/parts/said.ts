import { type Html, html } from '../../html/html.ts'

/**
 * What came of a press, at the foot of the window: it moves nothing on the page. With htmx it comes beside the
 * renewed list; without script the next page says the same at its top.
 */
export const saidPlace = (what?: Html): Html =>
  html`<div id="said" class="said" role="status" aria-live="polite" ${what && html`hx-swap-oob="true"`}>${what}</div>`

export const said = (
  sentence: string,
  { tone = 'good', more }: { tone?: 'good' | 'warn'; more?: Html } = {},
): Html => html`<div class="said-box ${tone}"><p>${sentence}</p>${more}</div>`

/** A warning as a notice of the next page. */
export const warning = (sentence: string): string => `⚠ ${sentence}`

/** A question at the foot of the window, with the way to leave it be. */
export const questionBox = (question: Html): Html =>
  html`<div class="said-box warn">${question}<button type="button" class="quiet" data-leaves>Leave it</button></div>`
