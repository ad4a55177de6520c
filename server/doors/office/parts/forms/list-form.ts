import { type Content, type Html, html } from '../../../../platform/html/html.ts'
import { type Hidden, hiddenFields } from './fields.ts'

type ListForm = {
  /** The list that the answer replaces. */
  readonly list?: '#book' | '#line'
  /** False on a page that shows no such list: the form comes back to a whole page. */
  readonly live?: boolean
  readonly look?: string
}

/**
 * A form that is pressed in a live list: the book, or the waitlist. With htmx the list renews itself in place, and a
 * press overtakes the poll of the list; without JavaScript the form posts and comes back to the page.
 */
export const listForm = (
  to: string,
  /** What the page showed and the press sends back. */
  hidden: Hidden,
  shown: Content,
  { list = '#book', live = true, look = 'moves' }: ListForm = {},
): Html =>
  html`<form
    ${look !== '' && html`class="${look}"`}
    method="post"
    action="${to}"
    ${live && html`hx-post="${to}" hx-target="${list}" hx-swap="outerMorph" hx-sync="${list}:replace"`}
  >
    ${hiddenFields(hidden)}${shown}
  </form>`
