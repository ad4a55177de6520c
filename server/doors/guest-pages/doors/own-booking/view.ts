import { type Html, html } from '../../../../platform/html/html.ts'
import {
  type TimedBooking,
  calendarEntryOf,
  momentInWords,
  whenInWords,
} from '../../../../messages/guest-mail/booking-facts.ts'
import { type CalendarEntry, takesOffCalendar } from '../../../../messages/guest-mail/calendar-file.ts'
import { calendarLinks } from '../../../../messages/guest-mail/calendar-links.ts'
import { choiceInWords } from '../../../../messages/guest-words/choices.ts'
import type { ChangeRow } from '../../../../book/reservations/change/pending-change.ts'
import { type Behind, guaranteeFact, ifCancelled } from '../../../../messages/guest-mail/guarantee-facts.ts'
import { guestText } from '../../../../core/venue/guest-settings-rules.ts'
import { areaField, callLink, card, statePill } from '../../frame/parts.ts'
import { type ShownPage, type Visit, doorPath } from '../../frame/visit.ts'
import { addressLine } from '../../frame/whole-page.ts'
import { askedPart } from '../asked/own-booking.ts'
import { type Mine, slipOf } from './mine.ts'

/* A booking as its guest sees it, and the two pages that ask one thing about it: is it canceled, do they come. */

export const viewPage = (mine: Mine): ShownPage => {
  const { visit, row, said, change, isOpen, isToCancel, limit, end } = mine
  const { words, formats, venue, query, link, path } = visit
  const { book } = words
  const { title, text } = titleOf(mine)
  const entry = entryOf(mine)
  const isAhead = row.status === 'Requested' || row.status === 'Confirmed'
  const notes: Readonly<Record<string, string>> = {
    note: book.noteSaved,
    coming: book.comingSaved,
    resend: book.resent,
    secured: words.asked.doneText,
    ...(isAhead && !change && { change: words.mail.booking.bookingChanged.title }),
    ...(isAhead && !change && { withdraw: words.mail.booking.bookingChangeDeclined.title }),
  }
  const notice = notes[query.get('done') ?? '']
  const policy = guestText(visit.settings, 'policy', visit.language)
  const address = addressLine(venue.postal_address)
  const fact = (label: string, value: Html | string): Html =>
    html`<dt>${label}</dt>
      <dd>${value}</dd>`
  return {
    title: `${title} · ${venue.name}`,
    leadsOut: mine.asked !== undefined,
    body: html`<div class="page wide">
      <div class="card">
        ${notice !== undefined && html`<p class="note good" role="status">${notice}</p>`}
        <div class="stack">
          ${stateOf(mine)}
          <h1>${title}</h1>
          ${text}
        </div>
        ${slipOf(mine)} ${mine.asked && askedPart(visit, mine.asked, query.get('done') === 'changed')}
        ${
          change &&
          html`<div class="note wait" role="status">
              <h2>${book.pendingTitle(changeInWords(visit, row, change))}</h2>
              <p>${book.pending(venue.name, formats.time(row.time))}</p>
            </div>
            <form class="acts" method="post" action="${link(path)}">
              <button class="btn line" name="do" value="withdraw">${book.withdraw}</button>
            </form>`
        }
        <dl class="facts">
          ${fact(book.number, html`<span class="num">${mine.reference}</span>`)}
          ${row.guest_name !== null && fact(book.name, row.guest_name)}
          ${fact(book.when, whenInWords(row, formats))}
          ${end && row.status !== 'Cancelled' && fact(book.until, formats.timeAt(end))}
          ${fact(
            book.where,
            html`${venue.name}${address !== '' && html`<br />${address}`}${venue.phone !== null && html`<br />${callLink(venue)}`}`,
          )}
          ${said.occasion !== null && fact(book.occasion, choiceInWords(words, 'occasions', said.occasion))}
          ${said.seating !== null && fact(book.seat, book.seatWish(choiceInWords(words, 'seatings', said.seating)))}
          ${said.note !== null && fact(book.yourNote, said.note)}
          ${mine.experience !== undefined && fact(words.experience.label, mine.experience)}
          ${mine.guarantee && guaranteePart(mine.guarantee, mine, fact)}
          ${policy !== null && isAhead && fact(book.goodToKnow, html`<span class="soft">${policy}</span>`)}
        </dl>
        <div class="acts">
          ${isOpen && !change && html`<a class="btn" href="${link(`${path}?do=change`)}">${book.change}</a>`}
          ${isToCancel && html`<a class="btn line" href="${link(`${path}?do=cancel`)}">${book.cancel}</a>`}
          ${isAhead && !isOpen && callLink(venue, 'btn', words.page.call)}
          ${!isAhead && html`<a class="btn line" href="${link(doorPath(venue, 'book'))}">${book.again}</a>`}
        </div>
        ${
          isAhead &&
          html`<details class="stack no-print">
            <summary class="tap">${book.noteAdd}</summary>
            <form class="fields" method="post" action="${link(path)}">
              ${areaField({ name: 'note', label: book.yourNote, hint: book.noteAddHint, value: '' })}
              <button class="btn line" name="do" value="note">${book.noteSave}</button>
            </form>
          </details>`
        }
      </div>
      <aside class="aside" aria-label="${book.plans}">
        ${
          isAhead &&
          limit !== null &&
          html`<div class="stack">
            <h2>${book.plans}</h2>
            <p>${(isOpen ? book.plansUntil : book.plansOver)(momentInWords(limit, visit))}</p>
          </div>`
        }
        <div class="stack no-print">
          <h2>${book.keep}</h2>
          ${isForCalendar(entry) && calendarPart(visit, entry)}
          ${
            isAhead &&
            html`<form method="post" action="${link(path)}">
              <button class="btn line" name="do" value="resend">${book.resend}</button>
            </form>`
          }
        </div>
      </aside>
    </div>`,
  }
}

const titleOf = ({ visit, row }: Mine): { readonly title: string; readonly text: Html | undefined } => {
  const { words, formats, venue, query } = visit
  const { book } = words
  const isNew = query.has('new')
  const first = (row.guest_name ?? '').split(' ')[0] ?? ''
  const sentence = ([before, strong, after]: readonly [string, string, string]): Html =>
    html`<p role="status">${before}<b>${strong}</b>${after}</p>`
  if (row.status === 'Cancelled')
    return {
      title: book.cancelledTitle,
      text: html`<p role="status">${row.cancelled_by === 'guest' ? book.cancelledText : book.declinedText}</p>`,
    }
  if (row.status === 'Requested')
    return { title: book.requestedTitle, text: sentence(book.requestedText(venue.name, row.email ?? '')) }
  if (isNew && row.status === 'Confirmed')
    return {
      title: book.confirmedTitle(formats.weekday(row.date), first),
      text: sentence(book.confirmedText(formats.number(row.party_size ?? 0), row.email ?? '')),
    }
  return { title: book.tableOn(formats.day(row.date)), text: undefined }
}

const guaranteePart = (
  row: Behind,
  { visit, asked, row: booking }: Mine,
  fact: (label: string, value: Html | string) => Html,
): Html | undefined => {
  const [label, all] = guaranteeFact(row, visit, booking, visit.now)
  // What stands at the button is not said twice.
  const sentences = all.filter((one) => !(asked?.sentence.split('\n') ?? []).includes(one))
  if (sentences.length === 0) return undefined
  return fact(label, html`${sentences.map((sentence, at) => html`${at > 0 && html`<br />`}${sentence}`)}`)
}

/** The file for every calendar, and two that people have on the web; they get no private link. */
const calendarPart = ({ words, link, path }: Visit, entry: CalendarEntry): Html => {
  const { google, outlook } = calendarLinks(entry)
  const outside = (to: string, name: string): Html =>
    html` <a class="tap" href="${to}" target="_blank" rel="noreferrer">${name}</a>`
  return html`<p class="links">
    <a class="tap" href="${link(`${path}/table.ics`)}">${words.book.calendar}</a>
    ${entry.state !== 'CANCELLED' && html`${outside(google, 'Google Calendar')}${outside(outlook, 'Outlook')}`}
  </p>`
}

const changeInWords = ({ words, formats }: Visit, row: TimedBooking, change: ChangeRow): string => {
  const time = `${formats.time(change.time)}${change.date === row.date ? '' : `, ${formats.shortDay(change.date)}`}`
  return change.party_size === row.party_size
    ? time
    : words.book.guestsAt(formats.number(change.party_size), time)
}

export const cancelPage = (mine: Mine): ShownPage => {
  const { visit, row } = mine
  const { book } = visit.words
  const title = book.cancelTitle(visit.formats.day(row.date))
  const after = ifCancelled(mine.guarantee, visit, { now: visit.now, status: row.status })
  return asking(
    mine,
    title,
    html`<h1>${title}</h1><p>${book.cancelText}</p>${after !== undefined && html`<p>${after}</p>`}`,
    html`<button class="btn stop" name="do" value="cancel">${book.cancelYes}</button>
      <a class="btn line" href="${visit.link(visit.path)}">${book.cancelNo}</a>`,
  )
}

/** The reminder's button leads here: a mail scanner that follows it says nothing. */
export const comingPage = (mine: Mine): ShownPage => {
  const { visit, row } = mine
  const { book } = visit.words
  const title = book.tableOn(visit.formats.day(row.date))
  return asking(
    mine,
    title,
    html`${stateOf(mine)}<h1>${title}</h1>`,
    html`<button class="btn" name="do" value="coming">${book.coming}</button>
      <a class="btn line" href="${visit.link(`${visit.path}?do=cancel`)}">${book.cancel}</a>`,
  )
}

/** A page that asks one thing about the booking before it is done. */
const asking = (mine: Mine, title: string, head: Html, acts: Html): ShownPage => ({
  title,
  look: 'narrow',
  body: card(html`<div class="stack">${head}</div>
      ${slipOf(mine)}
      <form class="acts" method="post" action="${mine.visit.link(mine.visit.path)}">${acts}</form>`),
})

const stateOf = ({ visit: { words }, row }: Mine): Html => {
  switch (row.status) {
    case 'Requested':
      return statePill('wait', 'waiting', words.book.requested)
    case 'Confirmed':
      return statePill('good', 'check', words.book.confirmed)
    case 'Cancelled':
      return statePill('off', 'cross', words.book.cancelled)
    case 'Seated':
      return statePill('good', 'check', words.book.arrived)
    default:
      return statePill('off', 'clock', words.book.over)
  }
}

export const entryOf = ({ visit, row, reference }: Mine) =>
  calendarEntryOf(row, visit.venue, {
    words: visit.words,
    formats: visit.formats,
    url: `${visit.publicUrl}${visit.path.replace(/\/table\.ics$/, '')}`,
    host: new URL(visit.publicUrl).hostname,
    reference,
    settings: visit.settings,
    now: visit.now,
  })

/** A cancellation that takes nothing off a calendar is no file to offer. */
export const isForCalendar = (entry: CalendarEntry): boolean =>
  entry.state !== 'CANCELLED' || takesOffCalendar(entry)
