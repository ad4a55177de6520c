import { type Content, type Html, html } from '../../html/html.ts'

/** A panel of code with a caption. */
export const panel = (caption: Content, code: Content): Html =>
  html`<figure class="panel">
    <figcaption><span>${caption}</span></figcaption>
    <pre><code>${code}</code></pre>
  </figure>`

/** A code panel whose lines do not wrap; long ones scroll. */
export const program = (caption: string, code: string): Html =>
  html`<figure class="panel program">
    <figcaption><span>${caption}</span></figcaption>
    <pre tabindex="0"><code>${code}</code></pre>
  </figure>`

/** A value as indented JSON, with its tokens marked for the stylesheet. */
export const json = (value: unknown): Html => {
  const text = JSON.stringify(value, null, 2)
  return html`${text.split('\n').map((line, i) => [i > 0 && '\n', jsonLine(line)])}`
}

/** One line of indented JSON: a name and its value, a value alone, or brackets. */
const jsonLine = (line: string): Content => {
  const found = /^( *)("(?:[^"\\]|\\.)*"(?=: ))?(: )?(.*?)(,?)$/.exec(line)
  const [, indent, name, colon, value = '', comma] = found ?? []
  return [indent, name && html`<span class="j-name">${name}</span>`, colon, jsonValue(value), comma]
}

const jsonValue = (value: string): Content => {
  if (value.startsWith('"')) return html`<span class="j-text">${value}</span>`
  if (/^[-0-9tfn]/.test(value)) return html`<span class="j-plain">${value}</span>`
  return value
}
