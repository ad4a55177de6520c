import { type Html, html } from '../../../platform/html/html.ts'
import type { Work } from '../../../context.ts'
import {
  type TimedBooking,
  calendarEntryOf,
  isTimed,
  momentInWords,
  whenInWords,
} from '../../../messages/guest-mail/booking-facts.ts'
import {
  type CalendarEntry,
  calendarFile,
  calendarType,
  takesOffCalendar,
} from '../../../messages/guest-mail/calendar-file.ts'
import { calendarLinks } from '../../../messages/guest-mail/calendar-links.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { isGuestLanguage } from '../../../platform/kernel/guest-language.ts'
import { toInstant, toMoment } from '../../../platform/kernel/time/moment.ts'
import { type Refusal, badRequest } from '../../../platform/kernel/refusal.ts'
import { type LocalDate, readDate } from '../../../platform/kernel/time/written-time.ts'
import { choiceInWords } from '../../../messages/guest-words/choices.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { callAddress } from '../../../platform/kernel/phone.ts'
import { timesOfDays } from '../../../book/reservations/availability/availability.ts'
import { bookedReservation } from '../../../book/day/book-row.ts'
import {
  type GuestBookingRow,
  guestBookingOf,
  markComing,
} from '../../../book/reservations/guest/guest-booking.ts'
import {
  addNoteByGuest,
  cancelByGuest,
  changeByGuest,
  isGuestsToCancel,
  isInGuestsHands,
  isTakenAtOnce,
  mailAgain,
  withdrawByGuest,
} from '../../../book/reservations/change/change-by-guest.ts'
import { experienceInWords } from '../../../book/reservations/guest/experience-words.ts'
import { cancelLimitOf, guestEndOf, guestLimitOf } from '../../../book/reservations/guest/guest-limit.ts'
import { type ChangeRow, pendingChange } from '../../../book/reservations/change/pending-change.ts'
import { freeAfter } from '../../../book/reservations/guarantee/follow-edit.ts'
import {
  type Behind,
  behindOf,
  guaranteeFact,
  ifCancelled,
} from '../../../messages/guest-mail/guarantee-facts.ts'
import { type AskedOfGuest, askedOfGuest } from '../../../messages/guest-mail/tables/asked-facts.ts'
import { referenceOf } from '../../../book/reservations/reference.ts'
import { serviceDateAt } from '../../../book/rules/service-now.ts'
import type { When } from '../../../book/day/when.ts'
import { referenceKeyOf } from '../../../core/venue/reference-key.ts'
import { guestText } from '../../../core/venue/guest-settings-rules.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { areaField, card, mistakeSummary, statePill } from '../frame/parts.ts'
import type { LinkPage } from '../frame/serve-visits.ts'
import {
  type GuestAnswer,
  type GuestAnswerLater,
  type ShownPage,
  type Visit,
  doorPath,
  typed,
} from '../frame/visit.ts'
import { addressLine } from '../frame/whole-page.ts'
import { namedNetworks } from '../frame/who.ts'
import { sizesNow } from './book-asked.ts'
import { type SizeAsked, askSize, readSlot, sizePart, sizesOf, slip, timesPart } from './booking-parts.ts'
import { askedPart, secureMine } from './asked/own-booking.ts'
import { lostPage } from './news.ts'

/* `/r/{token}`: a guest's own booking. It works until the service day is over, even with the venue's doors off. */

type Mine = {
  readonly work: Work
  readonly visit: Visit
  readonly row: TimedBooking
  readonly said: GuestBookingRow
  /** What it is called between the guest and the restaurant. */
  readonly reference: string
  readonly change: ChangeRow | undefined
  /** Whether it may still be changed here. */
  readonly isOpen: boolean
  /** Whether it may still be canceled here. */
  readonly isToCancel: boolean
  /** Until when both; null: it has no time, or its guest was promised more of one than of the other. */
  readonly limit: Temporal.Instant | null
  /** When its stay ends, if that is shorter than usual. */
  readonly end: Temporal.Instant | undefined
  /** The service date that it is now. */
  readonly today: LocalDate
  /** The card or the deposit behind it. */
  readonly guarantee: Behind | undefined
  /** What was booked with the table, in words. */
  readonly experience: string | undefined
  /** What is asked of its guest at this moment. */
  readonly asked: AskedOfGuest | undefined
}

type Link = { readonly record: number; readonly issue: number }

const languageOf: LinkPage['languageOf'] = async ({ db, venue }, { record }) => {
  const kept = (await guestBookingOf(db, venue.id, record))?.language ?? ''
  return isGuestLanguage(kept) ? kept : null
}

/** The booking behind a link; undefined once the link ended: by staff, with its day, or because nothing is left. */
const mineOf = async (work: Work, visit: Visit, { record, issue }: Link): Promise<Mine | undefined> => {
  const { db, venue } = work
  const row = await bookedReservation(db, venue.id, record)
  const said = await guestBookingOf(db, venue.id, record)
  if (!row || !said || said.link_issue !== issue || !isTimed(row)) return undefined
  const today = serviceDateAt(
    await bookingRulesAround(db, venue, wallTimeOf(visit.now, venue.timezone).date),
    visit.now,
  )
  const guarantee = await behindOf(work, record)
  const asked = guarantee && askedOfGuest(guarantee, row, visit, visit.now)
  const [limit, cancelLimit] = [await guestLimitOf(work, row), await cancelLimitOf(work, row)]
  // While a card is kept, its guest sees until when.
  const isKept = guarantee?.customer_ref != null
  if (row.service_date < today && !isKept) return undefined
  return {
    work,
    visit,
    row,
    said,
    reference: referenceOf(await referenceKeyOf(db, venue.id), row.id),
    change: await pendingChange(db, venue.id, record, visit.now),
    experience: await experienceInWords(work, row, [visit.language, visit.settings.language]),
    isOpen: await isInGuestsHands(work, row),
    isToCancel: await isGuestsToCancel(work, row),
    limit: limit && cancelLimit?.equals(limit) ? limit : null,
    end: await guestEndOf(work, row),
    today,
    guarantee,
    asked,
  }
}

const onMine =
  (answer: (mine: Mine) => Promise<GuestAnswer | GuestAnswerLater> | GuestAnswer): LinkPage['answer'] =>
  async (work, visit, link) => {
    const mine = await mineOf(work, visit, link)
    return mine ? answer(mine) : lostPage(visit)
  }

export const ownBookingPages: readonly LinkPage[] = [
  {
    method: 'GET',
    path: '/r/:token',
    purpose: 'booking',
    languageOf,
    answer: onMine((mine) => {
      switch (mine.visit.query.get('do')) {
        case 'cancel':
          return mine.isToCancel ? cancelPage(mine) : viewPage(mine)
        case 'coming':
          return mine.isOpen || mine.row.status === 'Confirmed' ? comingPage(mine) : viewPage(mine)
        case 'change':
          return mine.isOpen && !mine.change ? changePage(mine) : viewPage(mine)
        default:
          return viewPage(mine)
      }
    }),
  },
  {
    method: 'GET',
    path: '/r/:token/table.ics',
    purpose: 'booking',
    languageOf,
    answer: onMine((mine) => {
      const { visit } = mine
      const entry = entryOf(mine)
      if (!isForCalendar(entry)) return lostPage(visit)
      return { file: calendarFile(entry), type: calendarType(entry), name: 'table.ics' }
    }),
  },
  {
    method: 'POST',
    path: '/r/:token',
    purpose: 'booking',
    languageOf,
    answer: onMine(async (mine): Promise<GuestAnswer | GuestAnswerLater> => {
      const { work, visit, row } = mine
      const back = (done: string): GuestAnswer => ({ to: visit.link(`${visit.path}?done=${done}`) })
      switch (typed(visit, 'do')) {
        case 'cancel':
          await cancelByGuest(work, row.id)
          return back('cancel')
        case 'coming':
          if (row.status !== 'Requested' && row.status !== 'Confirmed') return viewPage(mine)
          await markComing(work.db, work.venue.id, row.id, visit.now)
          return back('coming')
        case 'note': {
          const note = typed(visit, 'note').slice(0, 2_000)
          // An empty one, or one for a booking that is no more, adds nothing and is not said to.
          if (note === '' || row.status === 'Cancelled') return viewPage(mine)
          await addNoteByGuest(work, row.id, note)
          return back('note')
        }
        case 'secure':
          return secureMine(mine)
        case 'resend':
          await mailAgain(work, row.id)
          return back('resend')
        case 'withdraw':
          await withdrawByGuest(work, row.id)
          return back('withdraw')
        case 'ask':
        case 'change': {
          const { size, mistake } = await sizeIn(mine)
          if (mistake !== undefined && mine.isOpen && !mine.change)
            return { ...(await changePage(mine)), status: 400 }
          const when = whenIn(visit, row)
          if (typed(visit, 'do') === 'ask') return askPage(mine, { when, size })
          const networks = namedNetworks(visit)
          const changed = await changeByGuest(work, visit.settings, {
            ...{ id: row.id, when, partySize: size },
            ...{ country: visit.venue.country, networks },
          })
          return changed === 'call' ? callPage(mine) : back('change')
        }
        default:
          return viewPage(mine)
      }
    }),
    again: async (work, visit, refusal, link) => {
      const mine = await mineOf(work, visit, link)
      if (!mine) return lostPage(visit)
      return {
        ...(await (mine.isOpen && !mine.change ? changePage(mine, refusal) : viewPage(mine))),
        status: 409,
      }
    },
  },
]

const entryOf = ({ visit, row, reference }: Mine) =>
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
const isForCalendar = (entry: CalendarEntry): boolean =>
  entry.state !== 'CANCELLED' || takesOffCalendar(entry)

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

const slipOf = ({ visit: { words, formats }, row }: Mine): Html =>
  slip(words.book.slipDone, [
    { label: words.book.guests, value: formats.number(row.party_size ?? 0) },
    { label: words.book.date, value: formats.shortDay(row.date) },
    { label: words.book.time, value: formats.time(row.time) },
  ])

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

const viewPage = (mine: Mine): ShownPage => {
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
            html`${venue.name}${address !== '' && html`<br />${address}`}${venue.phone !== null && html`<br /><a href="${callAddress(venue.phone)}">${venue.phone}</a>`}`,
          )}
          ${said.occasion !== null && fact(book.occasion, choiceInWords(words, 'occasions', said.occasion))}
          ${said.seating !== null && fact(book.seat, book.seatWish(choiceInWords(words, 'seatings', said.seating)))}
          ${said.note !== null && fact(book.yourNote, said.note)}
          ${mine.experience !== undefined && fact(words.experience.label, mine.experience)}
          ${mine.guarantee && guaranteePart(mine.guarantee, visit, fact)}
          ${policy !== null && isAhead && fact(book.goodToKnow, html`<span class="soft">${policy}</span>`)}
        </dl>
        <div class="acts">
          ${isOpen && !change && html`<a class="btn" href="${link(`${path}?do=change`)}">${book.change}</a>`}
          ${isToCancel && html`<a class="btn line" href="${link(`${path}?do=cancel`)}">${book.cancel}</a>`}
          ${
            isAhead &&
            !isOpen &&
            venue.phone !== null &&
            html`<a class="btn" href="${callAddress(venue.phone)}">${words.page.call(venue.phone)}</a>`
          }
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

const guaranteePart = (
  row: Behind,
  visit: Visit,
  fact: (label: string, value: Html | string) => Html,
): Html | undefined => {
  const [label, sentences] = guaranteeFact(row, visit)
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

const cancelPage = (mine: Mine): ShownPage => {
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
const comingPage = (mine: Mine): ShownPage => {
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

/** What was asked for and cannot be had. */
const refusedTitle = ({ visit, row }: Mine): string =>
  visit.words.book.takenTitle(visit.formats.time(whenIn(visit, row).time))

/** The size that is asked for: one that is taken now, or the one the booking has. */
const sizeIn = async ({ work, visit, row }: Mine): Promise<SizeAsked> =>
  askSize(
    visit,
    await sizesNow(work),
    typed(visit, 'size') || (visit.query.get('size')?.trim() ?? ''),
    row.party_size,
  )

/** Size and time in place of those the booking has; other days by the arrows. */
const changePage = async (mine: Mine, refusal?: Refusal): Promise<ShownPage> => {
  const { work, visit, row, today } = mine
  const { words, formats, query, link, path } = visit
  const { book } = words
  const { size, mistake } = await sizeIn(mine)
  const date = readDate(query.get('date') ?? '') ?? row.service_date
  const rules = await bookingRulesAround(work.db, work.venue, date)
  const { days } = await timesOfDays(work, {
    from: date,
    days: 1,
    partySize: size,
    own: { reservation: row.id },
  })
  const [day] = days
  const to = (more: Readonly<Record<string, string | number>>): string =>
    link(
      `${path}?${new URLSearchParams({ do: 'change', size: String(size), date, ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)])) }).toString()}`,
    )
  return {
    title: book.changeTitle,
    body: html`<div class="page wide">
      <div class="card">
        ${
          refusal &&
          html`<div class="note wait" role="alert" tabindex="-1" autofocus>
            <h2>${refusedTitle(mine)}</h2>
            <p>${book.changeKept}</p>
          </div>`
        }
        ${mistake !== undefined && mistakeSummary(words, { size: mistake })} ${slipOf(mine)}
        <div class="stack">
          <h1>${book.changeTitle}</h1>
          <p class="soft">${book.changeText}</p>
        </div>
        <div class="stack">
          <h2>${book.guests}</h2>
          ${sizePart(visit, sizesOf(rules), size, (one) => to({ size: one }), mistake)}
        </div>
        <form class="fields" method="get" action="${path}">
          <input type="hidden" name="do" value="change" />
          <input type="hidden" name="size" value="${size}" />
          ${visit.query.has('lang') && html`<input type="hidden" name="lang" value="${visit.language}" />`}
          <div class="field">
            <label for="f-date">${book.date}</label>
            <input
              id="f-date"
              type="date"
              name="date"
              value="${date}"
              min="${today}"
              ${rules.maxDaysAhead !== null && html`max="${addDays(today, rules.maxDaysAhead)}"`}
            />
          </div>
          <button class="btn line">${book.anotherDay}</button>
        </form>
        <form class="fields" method="post" action="${link(path)}">
          <input type="hidden" name="do" value="ask" />
          <input type="hidden" name="size" value="${size}" />
          <h2>${book.timesOn(formats.day(date))}</h2>
          ${
            day && day.slots.length > 0
              ? timesPart(
                  visit,
                  day,
                  (slot) =>
                    html`<button
                      name="slot"
                      value="${slot.date} ${slot.time}"
                      ${slot.date === row.date && slot.time === row.time && html`aria-current="true"`}
                    >
                      ${formats.time(slot.time)}
                    </button>`,
                )
              : html`<p>${book.noTimes}</p>`
          }
        </form>
        <p><a class="tap" href="${link(path)}">${book.keepAsIs}</a></p>
      </div>
    </div>`,
  }
}

/** Their network took much of that day, and nobody has answered for this booking yet: it grows by phone. */
const callPage = (mine: Mine): ShownPage => {
  const { venue, words, link, path } = mine.visit
  const { book, page } = words
  return {
    title: book.callTitle,
    look: 'narrow',
    status: 409,
    body: card(html`<div class="stack">
          <h1 tabindex="-1" autofocus>${book.callTitle}</h1>
          <p role="alert">${book.callText}</p>
        </div>
        ${slipOf(mine)}
        <div class="acts">
          ${venue.phone !== null && html`<a class="btn" href="${callAddress(venue.phone)}">${page.call(venue.phone)}</a>`}
          <a class="btn line" href="${link(path)}">${book.keepAsIs}</a>
        </div>`),
  }
}

const whenIn = (visit: Visit, row: TimedBooking): When => {
  const [date = '', time = ''] = typed(visit, 'slot').split(' ')
  // The time it has keeps its own moment, even on a night on which it happens twice.
  if (date === row.date && time === row.time) return { date, time, startsAt: toInstant(row.starts_at) }
  const when = readSlot(visit, date, time)
  if (!when) throw badRequest(visit.words.gone.text)
  return when
}

/** As a guest moves it by the press. */
const movedTo = ({ row, visit }: Mine, { startsAt }: When) => ({
  ...{ from: toMoment(toInstant(row.starts_at)), to: toMoment(startsAt) },
  ...{ askedAt: visit.now, by: 'guest' as const },
})

/** What stays is said before what changes. */
const askPage = async (
  mine: Mine,
  { when, size }: { readonly when: When; readonly size: number },
): Promise<ShownPage> => {
  const { work, visit, row } = mine
  const { words, formats, venue, settings, link, path } = visit
  const { book } = words
  const sameTime = when.date === row.date && when.time === row.time
  const isApplied =
    row.status === 'Requested' ||
    (sameTime && size <= (row.party_size ?? 0)) ||
    (await isTakenAtOnce(work, settings, row, { when, partySize: size, country: venue.country }))
  const free = mine.guarantee && freeAfter(mine.guarantee, movedTo(mine, when))
  const title = isApplied ? book.askNow : book.askTitle
  const time = formats.time(when.time)
  const old = (before: string, after: string): Html =>
    before === after ? html`${after}` : html`<del>${before}</del> ${after}`
  return {
    title,
    look: 'narrow',
    body: card(html`<div class="stack"><h1>${title}</h1></div>
        ${slip(book.slipDone, [
          { label: book.guests, value: old(formats.number(row.party_size ?? 0), formats.number(size)) },
          { label: book.date, value: old(formats.shortDay(row.date), formats.shortDay(when.date)) },
          { label: book.time, value: old(formats.time(row.time), time) },
        ])}
        <div class="note ${isApplied ? '' : 'wait'}">
          <h2>${isApplied ? book.appliesTitle : book.staysTitle(formats.time(row.time))}</h2>
          <p>${isApplied ? book.applies : book.stays(venue.name)}</p>
          ${free && Temporal.Instant.compare(visit.now, free) < 0 && html`<p>${words.secure.freeUntil(momentInWords(free, visit))}</p>`}
        </div>
        <form class="acts" method="post" action="${link(path)}">
          <input type="hidden" name="size" value="${size}" />
          <input type="hidden" name="slot" value="${when.date} ${when.time}" />
          <button class="btn" name="do" value="change">${isApplied ? book.apply : book.ask}</button>
          <a class="btn line" href="${link(path)}">${book.keepAsIs}</a>
        </form>`),
  }
}
