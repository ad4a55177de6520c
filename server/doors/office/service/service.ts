import { type Content, type Html, html } from '../../../platform/html/html.ts'
import { bookPart, rowPlaceOf } from '../today/book.ts'
import type { DayBook } from '../today/read-day.ts'
import { leftSaid } from '../parts/press-message.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import type { ShiftNotes } from '../../../core/venue/shift-notes.ts'
import { shiftNotesLink } from './sheet.ts'
import { clock, evening } from './evening-clock.ts'
import { dayInWords } from '../../../platform/kernel/time/in-words.ts'

/** The whole screen: the lists, and below them the last line with what was just done and its undo. */
export const serviceBody = (work: OfficeWork, day: DayBook, notes: ShiftNotes, first: Content): Html =>
  html`<div class="service-page">
    <h1 class="hidden-text">Service, ${dayInWords(day.date)}</h1>
    ${first} ${bookPart(work, day)}
    <div class="last"><p id="heard" class="heard" role="status"></p>${leftSaid(work.me.notices, rowPlaceOf(work, day).back, true)}${shiftNotesLink(notes)}${day.evening && html`<a class="button quiet" href="/office/line-up">Line-up</a>`}</div>
    ${day.evening && html`<div id="pick" class="row-menu choosing" popover></div>`}
    <dialog id="keys" aria-labelledby="keys-head">
      <h2 id="keys-head">Keys</h2>
      <dl class="facts">
        <dt><kbd>/</kbd></dt>
        <dd>Search</dd>
        <dt><kbd>n</kbd></dt>
        <dd>New booking</dd>
        <dt><kbd>w</kbd></dt>
        <dd>Walk-in, then the number of guests</dd>
        <dt><kbd>↑</kbd> <kbd>↓</kbd></dt>
        <dd>From row to row</dd>
        <dt><kbd>←</kbd> <kbd>→</kbd></dt>
        <dd>From list to list</dd>
        <dt><kbd>u</kbd></dt>
        <dd>Undo</dd>
        <dt><kbd>Esc</kbd></dt>
        <dd>Close</dd>
      </dl>
      <button type="button" data-closes>Close</button>
    </dialog>
  </div>`

export const serviceHead = (work: OfficeWork, day: DayBook): Html =>
  html`${evening(day)}${clock(day, work.venue.timezone)}`
