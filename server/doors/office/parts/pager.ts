import { type Html, html } from '../../../platform/html/html.ts'
import { numberInWords } from '../../../platform/kernel/time/in-words.ts'

/** Rows per page of a list. */
export const pageRows = 50

/** A path with those of its query parameters that have a value. */
export const addressOf = (
  path: string,
  query: Readonly<Record<string, string | null | undefined>>,
): string => {
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) asked.set(name, value)
  return asked.size === 0 ? path : `${path}?${asked.toString()}`
}

export type ListPlace = {
  readonly path: string
  /** The filters on the list. */
  readonly query?: Readonly<Record<string, string | null | undefined>>
  /** This page's cursor; null for the first page. */
  readonly after: string | null
  readonly next: string | null
}

/** Links to the next page and back to the first; nothing if the list fits on one page. */
export const listFoot = ({ path, query = {}, after, next }: ListPlace): Html | undefined =>
  after === null && next === null
    ? undefined
    : html`<nav class="list-foot" aria-label="Pages">
        ${after !== null && html`<a class="button" href="${addressOf(path, query)}">‹ First page</a>`}
        ${
          next === null
            ? html`<span class="soft small">End of list.</span>`
            : html`<a class="button" rel="next" href="${addressOf(path, { ...query, after: next })}">Next page ›</a>`
        }
      </nav>`

/** Tabs within a section. */
export const tabs = (
  label: string,
  current: string,
  all: readonly (readonly [to: string, name: string, count?: number])[],
): Html =>
  html`<nav class="tabs" aria-label="${label}">
    ${all.map(
      ([to, name, count]) =>
        html`<a href="${to}" ${to === current && html`aria-current="page"`}
          >${name}${count !== undefined && html` <span class="count">${numberInWords(count)}</span>`}</a
        >`,
    )}
  </nav>`

/** "1 seat", "12 seats". */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${numberInWords(number)} ${number === 1 ? one : many}`
