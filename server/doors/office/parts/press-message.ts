import { type Html, html } from '../../../platform/html/html.ts'
import type { LeftForm, Notice } from '../../../core/staff/sessions.ts'
import { type Undo, leftUndoForm, undoForm } from './undo.ts'

/**
 * The message after a button press, at the bottom of the window, where it shifts nothing on the page. With htmx it
 * comes with the refreshed list; without JavaScript the next page shows it at the top.
 */
export const saidPlace = (what?: Html): Html =>
  html`<div id="said" class="said" role="status" aria-live="polite" ${what && html`hx-swap-oob="true"`}>${what}</div>`

/**
 * The same with what a form left for this page, on a page whose last line says what was done. `here`: the address of a page of
 * the evening, to which an undo of something done on another one comes back. `showsList`: it shows tonight's lists.
 */
export const leftSaid = (notices: readonly Notice[], here?: string, showsList = false): Html =>
  html`<div id="said" class="said" role="status" aria-live="polite">${notices.map(
    ({ sentence, undo }) =>
      html`<div class="said-box ${isWarning(sentence) ? 'warn' : 'good'}"><p>${sentence}</p>${undo && leftUndoForm(here === undefined ? undo : backTo(undo, here), showsList)}</div>`,
  )}</div>`

const backTo = ({ to, fields }: LeftForm, here: string): LeftForm => ({
  to,
  fields: 'back' in fields ? { ...fields, back: here } : fields,
})

export const said = (
  sentence: string,
  { tone = 'good', undo }: { readonly tone?: 'good' | 'warn'; readonly undo?: Undo | undefined } = {},
): Html => html`<div class="said-box ${tone}"><p>${sentence}</p>${undo && undoForm(undo)}</div>`

/** A warning as a notice on the next page. */
export const warning = (sentence: string): string => `⚠ ${sentence}`

export const isWarning = (sentence: string): boolean => sentence.startsWith('⚠')

/** A question at the bottom of the window, with a way to cancel. */
export const questionBox = (question: Html): Html =>
  html`<div class="said-box warn asks">${question}<button type="button" class="quiet" data-leaves>Never mind</button></div>`
