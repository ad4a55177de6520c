/*
 * Pages are written as templates that escape everything put into them: html`<p>${name}</p>`. A template put into
 * another stays as it is, arrays are joined, and nothing comes of null, undefined and false (so that
 * `condition && html`…`` reads well). Attribute values are quoted in the template: <a href="${address}">.
 * An address from outside needs its own check first: escaping does not make `javascript:` harmless.
 */

const markup = Symbol('markup')

/** Markup that may be put into a page as it is. Only the tag below makes it: no text and no parsed JSON can pass for it. */
export type Html = { readonly [markup]: string }

export type Content = Html | string | number | null | undefined | false | readonly Content[]

export const html = (strings: TemplateStringsArray, ...values: readonly Content[]): Html => ({
  [markup]: String.raw({ raw: strings }, ...values.map(written)),
})

/** Facts for search engines and mail programs (schema.org), which no browser runs. */
export const factsForMachines = (facts: object): Html => ({
  [markup]: `<script type="application/ld+json">${JSON.stringify(facts).replaceAll('<', String.raw`\u003c`)}</script>`,
})

/** The text of a page, to be sent. */
export const textOf = (page: Html): string => page[markup]

const written = (value: Content): string => {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'number') return String(value)
  return isHtml(value) ? value[markup] : value.map(written).join('')
}

const isHtml = (value: Html | readonly Content[]): value is Html => markup in value

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] as string)

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
