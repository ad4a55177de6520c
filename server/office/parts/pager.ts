import { type Html, html } from '../../html/html.ts'

/** How many rows a page of a list shows. */
export const pageRows = 50

/** An address with those of its questions that say something. */
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
  /** What the list is narrowed by. */
  readonly query?: Readonly<Record<string, string | null | undefined>>
  /** The place of this page; null = the first. */
  readonly after: string | null
  readonly next: string | null
}

/** The way to the next page and back to the first; nothing under a list that is all there. */
export const listFoot = ({ path, query = {}, after, next }: ListPlace): Html | undefined =>
  after === null && next === null
    ? undefined
    : html`<nav class="list-foot" aria-label="Pages">
        ${after !== null && html`<a class="button" href="${addressOf(path, query)}">‹ First page</a>`}
        ${
          next === null
            ? html`<span class="soft small">This is the end of the list.</span>`
            : html`<a class="button" rel="next" href="${addressOf(path, { ...query, after: next })}">Next page ›</a>`
        }
      </nav>`

/** Tabs within a place. */
export const tabs = (
  label: string,
  current: string,
  all: readonly (readonly [to: string, name: string, count?: number])[],
): Html =>
  html`<nav class="tabs" aria-label="${label}">
    ${all.map(
      ([to, name, count]) =>
        html`<a href="${to}" ${to === current && html`aria-current="page"`}
          >${name}${count !== undefined && html` <span class="count">${grouped(count)}</span>`}</a
        >`,
    )}
  </nav>`

/** "12,400". */
export const grouped = (number: number): string => String(number).replaceAll(/\B(?=(\d{3})+$)/g, ',')

/** "1 seat", "12 seats". */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${grouped(number)} ${number === 1 ? one : many}`
