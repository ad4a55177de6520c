import { type Html, html } from '../../html/html.ts'
import { dayInWords } from '../../kernel/calendar.ts'
import { bookPart } from '../today/book.ts'
import type { DayBook } from '../today/read-day.ts'
import { saidPlace } from '../parts/said.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { clock, evening } from './lintel.ts'

/** The whole screen: the lists, and below them the last line with what was just done and its undo. */
export const serviceBody = (work: OfficeWork, day: DayBook): Html =>
  html`<div class="service-page">
    <h1 class="hidden-text">Service, ${dayInWords(day.date)}</h1>
    ${bookPart(work, day)}
    <div class="last">${saidPlace()}</div>
  </div>`

export const serviceHead = (work: OfficeWork, day: DayBook): Html =>
  html`${evening(day)}${clock(day, work.venue.timezone)}`
