import { type Html, html } from '../../../../platform/html/html.ts'

/** A button that is pressed only after a look at what it does to others: the line over it, without script too, unfolds it. */
export const oneMorePress = (line: string, button: Html): Html =>
  html`<details class="ask-once">
    <summary>${line}…</summary>
    ${button}
  </details>`
