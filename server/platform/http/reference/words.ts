import { type Content, type Html, html } from '../../html/html.ts'

/** A contract sentence as markup: text between backticks is code. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`

/** The anchor of a heading: `Ticket orders` is `ticket-orders`. */
export const anchorOf = (words: string): string =>
  words
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')

/** `TicketOrder` in words: `Ticket order`. */
export const spaced = (name: string): string =>
  name.replaceAll(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)

/** A section of the page: text on the left, code on the right where there is room. */
export const part = (
  { id, level = 2 }: { id: string; level?: 2 | 3 },
  title: string,
  words: Content,
  code?: Content,
): Html =>
  html` <section class="part" id="${id}">
    <div class="words">${heading(level, id, title)} ${words}</div>
    ${code !== undefined && html`<div class="code">${code}</div>`}
  </section>`

const heading = (level: 2 | 3, id: string, title: string): Html => {
  const link = html`<a href="#${id}">${title}</a>`
  return level === 2 ? html`<h2>${link}</h2>` : html`<h3>${link}</h3>`
}
