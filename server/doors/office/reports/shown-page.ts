import { type Html, html } from '../../../platform/html/html.ts'
import { definitions } from '../../../data/reports/definitions.ts'
import { comparisons } from '@venue-data/contract/records/figures.ts'
import { plainWords } from './plain-words.ts'
import type { CountedFigure } from '../../../data/reports/figure-names.ts'
import { csvRow } from '../../../platform/kernel/csv/csv-text.ts'
import {
  dateInWords,
  momentInWords,
  numberInWords,
  shortDayInWords,
} from '../../../platform/kernel/time/in-words.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { addressOf } from '../parts/pager.ts'
import { type Asked, type PeriodName, periods, queryOf } from './period.ts'
import { counted } from '../../../data/reports/in-words.ts'
import { glance } from './glance.ts'
import type { Cell, Column, Picture, Shown } from './picture.ts'

export const home = '/office/reports'

/** The report of a period: what somebody wants to know first is what they read first. */
export const reportBody = (shown: Shown, asked: Asked, pictures: readonly Picture[], zone: string): Html =>
  html`<div class="page-head report-head">
      <div>
        <h1>Reports</h1>
        <p class="soft">${spanInWords(shown, asked)}${shown.figures.compared !== null && `, against ${spanInWords(shown, shown.figures.compared)}`}${shown.noPastBefore != null && `. Nothing to compare with: there are no bookings before ${dateInWords(shown.noPastBefore)}`}</p>
        ${shown.letterWeek && html`<p class="soft small">Your weekly letter is about <a href="${addressOf(home, shown.letterWeek)}">${spanInWords(shown, shown.letterWeek)}</a>.</p>`}
      </div>
    </div>
    ${choices(asked)} ${glance(shown, pictures)} ${jumpsTo(pictures)}
    <div class="report-pictures">${pictures.map((picture) => pictureCard(picture, asked))}</div>
    <p class="soft small">
      Counted ${momentInWords(Temporal.Instant.from(shown.figures.asOf), zone)} from the bookings as they are now: a change of the past changes its figures.
      ${shown.figures.leftOut > 0 && html`${counted(shown.figures.leftOut, 'booking')} at no time of a service ${shown.figures.leftOut === 1 ? 'is' : 'are'} left out. `}What
      was turned away and page views are approximate.
    </p>
    ${countedOnPaper(pictures)}`

/** Days that are none: what is wrong, with the form as it was typed. */
export const faultBody = (
  { sentence, typed: [from, to] }: { readonly sentence: string; readonly typed: readonly [string, string] },
  query: URLSearchParams,
): Html =>
  html`<h1>Reports</h1>
    <p class="hint" role="alert">${sentence}</p>
    ${choices({ name: undefined, from, to, compare: comparisons.find((one) => one === (query.get('compare') ?? 'before')) })}`

/** On paper nobody opens what is counted: each figure once, at the end, in an owner's words. */
const countedOnPaper = (pictures: readonly Picture[]): Html =>
  html`<section class="paper-only small">
    <h2>What is counted</h2>
    ${pictures.map(({ title, counted: words }) => words !== undefined && html`<p><b>${title}.</b> ${words}</p>`)}
    ${[...new Set(pictures.flatMap(({ of }) => of))].map((name) => html`<p><b>${titlesOf(pictures, name)}.</b> ${plainWords[name] ?? definitions[name].definition}</p>`)}
  </section>`

const titlesOf = (pictures: readonly Picture[], name: CountedFigure): string =>
  pictures.flatMap(({ of, title }) => (of.includes(name) ? [title] : [])).join(', ')

/** Dates of this year without it. */
const spanInWords = ({ today }: Shown, { from, to }: Pick<Asked, 'from' | 'to'>): string => {
  const isOfThisYear = [from, to].every((date) => date.slice(0, 4) === today.slice(0, 4))
  const words = isOfThisYear ? shortDayInWords : dateInWords
  return from === to
    ? words(from)
    : `${words(from)} – ${words(to)}${to === addDays(today, -1) ? ' (yesterday)' : ''}`
}

/** Which period, and against what. */
const choices = (asked: Asked): Html => {
  const link = (name: PeriodName): Html =>
    html`<a href="${addressOf(home, queryOf({ ...asked, name }))}" ${asked.name === name && html`aria-current="page"`}>${periods[name].name}</a>`
  return html`<div class="report-choices">
    <nav class="tabs" aria-label="Period">${(Object.keys(periods) as PeriodName[]).map(link)}</nav>
    <details class="own" ${asked.name === undefined && html`open`}>
      <summary>Other days, or another comparison</summary>
      <form class="list-choices" method="get" action="${home}">
        <label class="field"><span>First day</span><input name="from" type="date" value="${asked.from}" required /></label>
        <label class="field"><span>Last day</span><input name="to" type="date" value="${asked.to}" required /></label>
        <label class="field"
          ><span>Against</span
          ><select name="compare">
            ${(
              [
                [
                  'before',
                  asked.from === asked.to ? 'the same weekday a week before' : 'as many days before',
                ],
                ['year', 'the same weekdays a year before'],
                ['none', 'nothing'],
              ] as const
            ).map(
              ([value, words]) =>
                html`<option value="${value}" ${(asked.compare ?? 'none') === value && html`selected`}>${words}</option>`,
            )}
          </select></label
        >
        <button>Show</button>
      </form>
    </details>
  </div>`
}

/** To each picture, as there are some twenty one below the other. */
const jumpsTo = (pictures: readonly Picture[]): Html =>
  html`<details class="report-jumps">
    <summary>On this page</summary>
    <nav aria-label="On this page">${pictures.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav>
  </details>`

const pictureCard = (picture: Picture, asked: Asked): Html =>
  html`<section class="card report-card ${picture.isWide && 'whole'}" id="${picture.id}" aria-labelledby="${picture.id}-title">
    <header>
      <h2 id="${picture.id}-title">${picture.title}</h2>
      <span class="small soft">${picture.cases}</span>
    </header>
    <p class="said-of">${picture.sentence}</p>
    ${picture.drawn && html`<figure>${picture.drawn}${keyOf(picture)}</figure>`} ${picture.onPaper && html`<div class="paper-only small">${picture.onPaper}</div>`}${picture.action}
    <div class="report-more">
      ${picture.rows.length > 0 && tableOf(picture, asked)}
      <details>
        <summary>What is counted</summary>
        ${picture.counted !== undefined && html`<p class="small soft">${picture.counted}</p>`}${picture.of.map(countedInWords)}
      </details>
    </div>
  </section>`

/** In an owner's words where the exact definition is one for programs, which is below a fold then. */
const countedInWords = (name: CountedFigure): Html => {
  const { definition } = definitions[name]
  const plain = plainWords[name]
  return plain === undefined
    ? html`<p class="small soft">${definition}</p>`
    : html`<p class="small soft">${plain}</p>
          <details class="small soft"><summary>Exactly</summary><p>${definition}</p></details>`
}

/** What is not said in the drawing itself. */
const keyOf = ({ key = [] }: Picture): Html | undefined =>
  key.length === 0
    ? undefined
    : html`<figcaption class="report-key">
        ${key.map(([mark, words]) => html`<span><i class="of-${mark}" aria-hidden="true"></i>${words}</span>`)}
      </figcaption>`

/** On paper a longer table is left out where its picture shows the same: what goes to a meeting is a few sheets. */
export const mostRowsOnPaper = 12

/** Columns that no phone has room for: there each row is a list of them. */
const mostColumnsOnPhone = 8

const tableOf = ({ id, title, columns, rows, drawn }: Picture, asked: Asked): Html => {
  const nameAt = Math.max(
    0,
    columns.findIndex(({ isName }) => isName === true),
  )
  const isText = columns.map((_, at) => at > 0 && rows.some((row) => typeof row[at] === 'string'))
  const isLong = drawn !== undefined && rows.length > mostRowsOnPaper
  const isStacked = columns.length > mostColumnsOnPhone
  return html`<details class="report-table ${isLong && 'screen-only'}">
    <summary>Table</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="${title}, as a table">
      <table class="table figures-table ${isStacked && 'stacked'}">
        <thead><tr>${columns.map(({ name }, at) => html`<th scope="col" ${isText[at] && html`class="words"`}>${name}</th>`)}</tr></thead>
        <tbody>${rows.map((row) => html`<tr>${row.map((value, at) => cell(value, columns[at], { row, isName: at === nameAt, isWords: at !== nameAt && isText[at] === true, isStacked }))}</tr>`)}</tbody>
      </table>
    </div>
    <p><a class="button" href="${addressOf(`${home}/${id}.csv`, queryOf(asked))}" download>Download as CSV</a></p>
  </details>`
}

const cell = (
  value: Cell,
  column: Column | undefined,
  {
    row,
    isName,
    isWords,
    isStacked,
  }: {
    readonly row: readonly Cell[]
    readonly isName: boolean
    readonly isWords: boolean
    readonly isStacked: boolean
  },
): Html => {
  const words =
    value === null
      ? '–'
      : (column?.shown?.(value, row) ?? (typeof value === 'number' ? numberInWords(value) : value))
  return isName
    ? html`<th scope="row">${words}</th>`
    : html`<td ${isWords && html`class="words"`} ${isStacked && html`data-name="${column?.name ?? ''}"`}>${words}</td>`
}

/** The table of a picture as a file, with raw numbers; the mark at its start tells spreadsheets that it is UTF-8. */
export const csvOf = ({ columns, rows }: Picture): string =>
  `\uFEFF${csvRow(columns.map(({ key }) => key))}${rows.map(csvRow).join('')}`
