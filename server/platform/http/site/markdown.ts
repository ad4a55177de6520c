import { type MarkedToken, type Token, type Tokens, lexer } from 'marked'
import { type Content, type Html, html } from '../../html/html.ts'
import { panel, program } from '../reference/samples.ts'

/*
 * Renders a guide of docs/ as part of a page. The library only parses the Markdown; the markup is written here, with
 * the tag that escapes. A guide therefore brings no markup of its own: HTML in it is shown as text, and comments are
 * left out.
 */

/** A heading and the text below it, up to the next heading. */
export type Passage = {
  readonly id: string
  readonly title: string
  readonly level: number
  /** For the search: all text of the section, without markup. */
  readonly words: string
}

export type Guide = { readonly body: Html; readonly passages: readonly Passage[] }

/** Where a link leads on the site; undefined if nowhere, because it is only for readers of the repository. */
type Lead = (href: string) => string | undefined

export const readGuide = (markdown: string, lead: Lead): Guide => {
  const tokens = lexer(markdown)
  const ids = anchors()
  const passages: Passage[] = []
  const body = tokens.map((token) => {
    if (token.type !== 'heading') {
      const last = passages.at(-1)
      if (last) passages[passages.length - 1] = { ...last, words: `${last.words} ${textOfTokens([token])}` }
      return block(token as MarkedToken, lead)
    }
    const { depth, tokens } = token as Tokens.Heading
    const title = textOfTokens(tokens)
    const id = ids(title)
    passages.push({ id, title, level: depth, words: '' })
    return heading(depth, id, inline(tokens, lead))
  })
  return { body: html`${body}`, passages }
}

const heading = (depth: number, id: string, words: Content): Html => {
  if (depth === 1) return html`<h1 id="${id}">${words}</h1>`
  const link = html`<a href="#${id}">${words}</a>`
  return depth === 2 ? html`<h2 id="${id}">${link}</h2>` : html`<h3 id="${id}">${link}</h3>`
}

/** Gives headings the anchors that Git hosts use, so that a link works in both places. */
const anchors = (): ((title: string) => string) => {
  const taken = new Set<string>()
  return (title) => {
    const slug = title
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-')
    let id = slug
    for (let n = 1; taken.has(id); n++) id = `${slug}-${n}`
    taken.add(id)
    return id
  }
}

const block = (token: MarkedToken, lead: Lead): Content => {
  switch (token.type) {
    case 'paragraph':
      return html`<p>${inline(token.tokens, lead)}</p>`
    // A list item's line, in a list without empty lines between items.
    case 'text':
      return inline(token.tokens ?? [token], lead)
    case 'checkbox':
      return checkbox
    case 'list':
      return list(token, lead)
    case 'code':
      return code(token)
    case 'table':
      return table(token, lead)
    case 'blockquote':
      return html`<blockquote>${blocks(token.tokens, lead)}</blockquote>`
    case 'hr':
      return html`<hr />`
    case 'html':
      return token.text.startsWith('<!--') ? undefined : html`<p>${token.text}</p>`
    case 'space':
    case 'def':
      return undefined
    default:
      return token.raw
  }
}

const blocks = (tokens: readonly Token[], lead: Lead): Content =>
  tokens.map((token) => block(token as MarkedToken, lead))

const inline = (tokens: readonly Token[], lead: Lead): Content =>
  tokens.map((one) => {
    const token = one as MarkedToken
    switch (token.type) {
      case 'codespan':
        return html`<code>${token.text}</code>`
      case 'strong':
        return html`<strong>${inline(token.tokens, lead)}</strong>`
      case 'em':
        return html`<em>${inline(token.tokens, lead)}</em>`
      case 'link':
        return link(token, lead)
      case 'br':
        return html`<br />`
      case 'checkbox':
        return checkbox
      case 'text':
        return token.tokens ? inline(token.tokens, lead) : token.text
      case 'escape':
        return token.text
      default:
        return token.raw
    }
  })

const link = ({ href, tokens }: Tokens.Link, lead: Lead): Content => {
  const to = lead(href)
  return to === undefined ? inline(tokens, lead) : html`<a href="${to}">${inline(tokens, lead)}</a>`
}

const list = ({ ordered, items }: Tokens.List, lead: Lead): Html => {
  const lines = items.map(({ tokens }) => html`<li>${blocks(tokens, lead)}</li>`)
  return ordered
    ? html`<ol>
        ${lines}
      </ol>`
    : html`<ul>
        ${lines}
      </ul>`
}

/** In a checklist. */
const checkbox = html`<input type="checkbox" aria-label="Done" /> `

/** A table wider than the page scrolls on its own. */
const table = ({ header, rows }: Tokens.Table, lead: Lead): Html => {
  const cells = (row: readonly Tokens.TableCell[]) =>
    row.map(({ tokens }) => html`<td>${inline(tokens, lead)}</td>`)
  const isHeaded = header.some(({ text }) => text !== '')
  return html`<div class="scroll" role="group" aria-label="Table" tabindex="0">
    <table>
      ${
        isHeaded &&
        html`<thead>
          <tr>
            ${header.map(({ text, tokens }) =>
              text === '' ? html`<td></td>` : html`<th scope="col">${inline(tokens, lead)}</th>`,
            )}
          </tr>
        </thead>`
      }
      <tbody>
        ${rows.map((row) => html`<tr>${cells(row)}</tr> `)}
      </tbody>
    </table>
  </div>`
}

const code = ({ lang = '', text }: Tokens.Code): Content => {
  // A diagram that Git hosts draw; the table next to it says the same.
  if (lang === 'mermaid') return undefined
  if (lang === 'console') return panel('Shell', shell(text))
  const title = languageNames[lang]
  return title === undefined ? panel('', text) : program(title, text)
}

const languageNames: Readonly<Record<string, string>> = {
  js: 'JavaScript',
  php: 'PHP',
  python: 'Python',
  sh: 'Shell',
  ts: 'TypeScript',
}

/** Commands, each after a prompt that is not copied with it, and their output. */
const shell = (text: string): Content =>
  text
    .split(/^(\$ (?:.*\\\n)*.*)$/m)
    .map((piece) =>
      piece.startsWith('$ ') ? [html`<span class="prompt">$ </span>`, html`<b>${piece.slice(2)}</b>`] : piece,
    )

/** The tokens' text, without markup. */
const textOfTokens = (tokens: readonly Token[]): string =>
  tokens
    .map((one) => {
      const token = one as MarkedToken
      switch (token.type) {
        case 'list':
          return token.items.map(({ tokens }) => textOfTokens(tokens)).join(' ')
        case 'table':
          return [token.header, ...token.rows]
            .flatMap((row) => row.map(({ tokens }) => textOfTokens(tokens)))
            .join(' ')
        case 'html':
          return ''
        default:
          if ('tokens' in token && token.tokens) return textOfTokens(token.tokens)
          return 'text' in token ? token.text : ' '
      }
    })
    .join('')
