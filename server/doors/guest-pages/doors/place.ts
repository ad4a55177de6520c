import type { Work } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { momentInWords } from '../../../messages/guest-mail/booking-facts.ts'
import { windowInWords } from '../../../messages/guest-mail/list.ts'
import { isGuestLanguage } from '../../../platform/kernel/guest-language.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { bookedReservation } from '../../../book/day/book-row.ts'
import { guestBookingOf } from '../../../book/reservations/guest/guest-booking.ts'
import { type HoldRow, holdOfEntry } from '../../../book/reservations/holds/hold-reads.ts'
import { whenHeld } from '../../../book/reservations/holds/holds.ts'
import { guestText } from '../../../core/venue/guest-settings-rules.ts'
import { acceptOffer } from '../../../book/waitlist/accept-offer.ts'
import { eveningOf, moveEntry } from '../../../book/waitlist/actions.ts'
import { eveningIsOver, offerEnds } from '../../../book/waitlist/expiry.ts'
import { endOfPagedStay } from '../../../book/waitlist/messages/paged-stay.ts'
import { type PlaceRow, guestPlaceOf, isInLine, markOnTheirWay } from '../../../book/waitlist/guest-place.ts'
import { partiesAhead } from '../../../book/waitlist/reads.ts'
import { callLink, card, statePill } from '../frame/parts.ts'
import { assetOf } from '../frame/asset.ts'
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
import { securedButton, securedPart } from './book-secured.ts'
import { slip } from './booking-parts.ts'
import { secureOffer, termsOfOffer } from './asked/offer.ts'
import { lostPage } from './news.ts'

/*
 * `/w/{token}`: a party's own place in line, until its evening is over. The page renews itself: by script part by part,
 * without one as a whole.
 */

/** What keeps the page up to date. */
export const placeScript = assetOf('place.js', 'text/javascript')

type Place = { readonly work: Work; readonly visit: Visit; readonly row: PlaceRow }
type Link = { readonly record: number; readonly issue: number }

const languageOf: LinkPage['languageOf'] = async ({ db, venue }, { record }) => {
  const kept = (await guestPlaceOf(db, venue.id, record))?.language ?? ''
  return isGuestLanguage(kept) ? kept : null
}

const onPlace =
  <Answer extends GuestAnswer | GuestAnswerLater>(answer: (place: Place) => Promise<Answer> | Answer) =>
  async (work: Work, visit: Visit, { record, issue }: Link): Promise<Answer | ShownPage> => {
    const row = await guestPlaceOf(work.db, work.venue.id, record)
    if (!row || row.link_issue !== issue || eveningIsOver(row, await eveningOf(work, visit.now)))
      return lostPage(visit)
    return answer({ work, visit, row })
  }

export const placePages: readonly LinkPage[] = [
  {
    method: 'GET',
    path: '/w/:token',
    purpose: 'place',
    languageOf,
    answer: onPlace<GuestAnswer>((place) =>
      place.visit.query.get('do') === 'leave' && isInLine(place.row) ? leavePage(place) : viewPage(place),
    ),
  },
  {
    method: 'POST',
    path: '/w/:token',
    purpose: 'place',
    languageOf,
    answer: onPlace<GuestAnswer | GuestAnswerLater>(async ({ work, visit, row }) => {
      switch (typed(visit, 'do')) {
        case 'coming':
          await markOnTheirWay(work, row.id)
          return { to: visit.link(visit.path) }
        case 'accept': {
          const secured = await secureOffer(work, visit, row)
          if (secured) return secured
          const booking = await acceptOffer(work, row.id)
          // Over: the page says so.
          return {
            to: visit.link(
              booking === undefined ? visit.path : `${visit.linkTo('booking', booking, 0)}?new=1`,
            ),
          }
        }
        case 'leave':
          // One that has a table, or left before, stays as it is.
          await moveEntry(work, { kind: 'guest' }, { id: row.id, move: 'leave' })
          return { to: visit.link(visit.path) }
        default:
          return { to: visit.link(visit.path) }
      }
    }),
    // The restaurant has closed at the time that was promised.
    again: async (work, visit, { status }, link) => {
      const hold = await holdOfEntry(work.db, work.venue.id, link.record)
      const page = onPlace<ShownPage>((place) => (hold ? shutPage(visit, hold) : viewPage(place)))
      return { ...(await page(work, visit, link)), status }
    },
  },
]

const firstName = ({ guest_name }: PlaceRow): string => (guest_name ?? '').split(' ')[0] ?? ''

const viewPage = async (place: Place): Promise<ShownPage> => {
  switch (place.row.status) {
    case 'waiting':
      return place.row.for_later ? listedPage(place) : waitingPage(place)
    case 'offered': {
      const hold = await holdOfEntry(place.work.db, place.work.venue.id, place.row.id)
      return hold ? offerPage(place, hold) : readyPage(place)
    }
    case 'booked':
      return bookedPage(place)
    case 'expired': {
      const { line, list } = place.visit.words
      // A guest who was never called does not read that a table went to somebody else.
      if (place.row.paged_at === null)
        return place.row.for_later
          ? endedPage(place, list.noneTitle, list.noneText)
          : endedPage(place, line.noTableTitle, line.noTableText)
      return place.row.for_later
        ? endedPage(place, list.overTitle, list.overText)
        : endedPage(place, line.expiredTitle, line.expiredText)
    }
    default: {
      const { line, list } = place.visit.words
      return endedPage(place, place.row.for_later ? list.leftTitle : line.leftTitle, line.leftText)
    }
  }
}

/** A page that keeps itself up to date; by `state` the script knows when the page has changed. */
const livePage = ({ visit }: Place, state: string, title: string, card: Html): ShownPage => ({
  title: `${title} · ${visit.venue.name}`,
  look: 'narrow',
  scripts: [placeScript.path],
  renewsAfter: 30,
  body: html`<div class="page" data-place="${state}"><div class="card">${card}</div></div>`,
})

const waitingPage = async (place: Place): Promise<ShownPage> => {
  const { work, visit, row } = place
  const { words, formats } = visit
  const { line, book } = words
  const number = (await partiesAhead(work.db, work.venue.id, row.service_date ?? row.date ?? '', row.id)) + 1
  const title =
    number === 1 ? line.nextTitle(firstName(row)) : line.placeTitle(formats.number(number), firstName(row))
  return livePage(
    place,
    `waiting ${row.coming_at === null ? '' : 'coming'}`,
    line.state,
    html`<div class="stack">
        ${statePill('wait', 'waiting', line.state)}
        <h1 data-live="title">${title}</h1>
      </div>
      <div data-live="slip">
        ${slip(line.slip, [
          { label: book.guests, value: formats.number(row.party_size ?? 0) },
          { label: line.place, value: formats.number(number) },
          { label: line.joined, value: formats.timeAt(toInstant(row.created_at)) },
        ])}
      </div>
      ${quotePart(place)}
      ${actsPart(place, line.leave)}`,
  )
}

const quotePart = ({ visit, row }: Place): Html => {
  const { words, formats, now } = visit
  const { line } = words
  const { quoted_at, quoted_minutes } = row
  const updated = html`<p class="hint" data-live="updated">${line.updated(formats.timeAt(now))}</p>`
  if (quoted_at === null || quoted_minutes === null) return updated
  const at = toInstant(quoted_at)
  const left = quoted_minutes - Math.floor((now.epochMilliseconds - at.epochMilliseconds) / 60_000)
  const waited = Math.floor((now.epochMilliseconds - at.epochMilliseconds) / 60_000)
  const minutes = formats.number(quoted_minutes)
  return html`<div class="note ${left < 0 && 'wait'}" role="status" data-live="quote">
      ${
        left < 0
          ? html`<h2>${line.lateTitle}</h2>
              <p>${line.late(minutes, formats.number(waited))}</p>`
          : html`<p>${line.left}</p>
              <p class="big num">${line.about(formats.number(Math.max(5, Math.ceil(left / 5) * 5)))}</p>
              <p class="soft">${line.said(minutes, formats.timeAt(at))}</p>`
      }
    </div>
    ${updated}`
}

const actsPart = ({ visit, row }: Place, leave: string): Html => {
  const { words, link, path } = visit
  const { line } = words
  const leaving = html`<a class="btn line" href="${link(`${path}?do=leave`)}">${leave}</a>`
  return row.coming_at === null
    ? html`<form class="acts" method="post" action="${link(path)}">
          <button class="btn" name="do" value="coming">${line.coming}</button>
          ${leaving}
        </form>
        <p class="hint">${line.comingHint}</p>`
    : html`<p class="note good" role="status">${line.comingSaved}</p>
        <div class="acts">${leaving}</div>`
}

const readyPage = async (place: Place): Promise<ShownPage> => {
  const { work, visit, row } = place
  const { words, formats, venue } = visit
  const { line, book, page } = words
  const until = offerEnds(row)
  const end = await endOfPagedStay(work, row)
  const address = addressLine(venue.postal_address)
  return livePage(
    place,
    `ready ${row.offered_until ?? ''} ${row.coming_at === null ? '' : 'coming'}`,
    line.readyTitle,
    html`<div class="note good" role="alert">
        <h1>${line.readyTitle}</h1>
        ${until && html`<p class="big num">${line.until(formats.timeAt(until))}</p>`}
        <p>${line.readyText}</p>
      </div>
      ${slip(line.slip, [
        { label: book.guests, value: formats.number(row.party_size ?? 0) },
        { label: book.name, value: firstName(row) },
        ...(row.paged_at === null
          ? []
          : [{ label: line.ready, value: formats.timeAt(toInstant(row.paged_at)) }]),
        // Of a table that somebody else needs afterward: who comes knows how long they have.
        ...(end ? [{ label: book.until, value: formats.timeAt(end) }] : []),
      ])}
      ${actsPart(place, line.cannot)}
      <p class="row">
        ${callLink(venue, '', page.call)}
        ${
          address !== '' &&
          html`<a
            href="https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(`${venue.name}, ${address}`)}"
            rel="noopener noreferrer"
            >${page.directions}</a
          >`
        }
      </p>`,
  )
}

/** Waiting for a day that is full: nothing to do but to leave. */
const listedPage = (place: Place): ShownPage => {
  const { visit, row } = place
  const { words, formats, link, path } = visit
  const { list, book } = words
  const day = row.service_date ?? row.date ?? ''
  const title = list.joinedTitle(formats.day(day))
  const [before, address, after] = list.joinedText(row.email ?? '')
  return livePage(
    place,
    'listed',
    title,
    html`<div class="stack">
        ${statePill('wait', 'waiting', list.state)}
        <h1>${title}</h1>
        <p>${before}<b>${address}</b>${after}</p>
      </div>
      ${slip(list.state, [
        { label: book.guests, value: formats.number(row.party_size ?? 0) },
        { label: book.date, value: formats.shortDay(row.date ?? day) },
        { label: book.time, value: windowInWords(row, formats) },
      ])}
      <div class="acts"><a class="btn line" href="${link(`${path}?do=leave`)}">${list.leave}</a></div>`,
  )
}

/** A table that came free, held for them: one press takes it. */
const offerPage = async (place: Place, hold: HoldRow): Promise<ShownPage> => {
  const { visit, row } = place
  const { words, formats, now, link, path } = visit
  const { list, book } = words
  const { date, time } = whenHeld(hold)
  const end = toInstant(hold.expires_at)
  if (Temporal.Instant.compare(end, now) <= 0) return endedPage(place, list.overTitle, list.overText)
  // With its day: the table itself is on another.
  const until = momentInWords(end, visit)
  const policy = guestText(visit.settings, 'policy', visit.language)
  const terms = await termsOfOffer(place.work, visit, hold)
  const page = livePage(
    place,
    `offered ${hold.id.slice(0, 4)}`,
    list.offeredTitle,
    html`<div class="stack">
        ${statePill('wait', 'clock', list.offeredState)}
        <h1>${list.offeredTitle}</h1>
        <p role="status">${list.offered(until)}</p>
      </div>
      ${slip(list.state, [
        { label: book.guests, value: formats.number(row.party_size ?? 0) },
        { label: book.date, value: formats.shortDay(date) },
        { label: book.time, value: formats.time(time) },
      ])}
      ${policy !== null && html`<p class="soft small">${policy}</p>`}
      <form class="stack" method="post" action="${link(path)}">
        ${terms && securedPart(visit, terms, row.party_size)}
        <input type="hidden" name="do" value="accept" />
        <div class="acts">
          ${terms ? securedButton(visit, terms) : html`<button class="btn">${list.take}</button>`}
          <a class="btn line" href="${link(`${path}?do=leave`)}">${list.no}</a>
        </div>
      </form>`,
  )
  return terms ? { ...page, leadsOut: true } : page
}

const bookedPage = async (place: Place): Promise<ShownPage> => {
  const { work, visit, row } = place
  const { words, formats } = visit
  const booking =
    row.booked_as === 'later' && row.reservation_id !== null && row.seated_at === null
      ? await bookedReservation(work.db, work.venue.id, row.reservation_id)
      : undefined
  if (!booking?.date || !booking.time) return endedPage(place, words.line.seatedTitle, words.line.seatedText)
  const { book, line, mail } = words
  if (booking.status === 'Cancelled')
    return endedPage(
      place,
      book.cancelledTitle,
      booking.cancelled_by === 'guest' ? book.cancelledText : book.declinedText,
    )
  const said = await guestBookingOf(work.db, work.venue.id, booking.id)
  // Once staff ended the booking's link, this page leads to no newer one.
  const mine = said?.link_issue === 0 ? visit.link(visit.linkTo('booking', booking.id, 0)) : undefined
  return endedPage(
    place,
    line.bookedTitle,
    line.bookedText(formats.day(booking.date), formats.time(booking.time)),
    mine === undefined
      ? undefined
      : html`<div class="acts"><a class="btn" href="${mine}">${mail.seeBooking}</a></div>`,
  )
}

const endedPage = (place: Place, title: string, text: string, acts?: Html): ShownPage => {
  const { visit, row } = place
  const { words, venue, settings, link } = visit
  const isGone = row.status === 'cancelled' || row.status === 'expired'
  return livePage(
    place,
    row.status,
    title,
    html`<div class="stack">
        <h1>${title}</h1>
        <p role="status">${text}</p>
      </div>
      ${acts}
      ${
        isGone &&
        settings.doors.includes('book') &&
        html`<div class="acts"><a class="btn line" href="${link(doorPath(venue, 'book'))}">${words.book.title}</a></div>`
      }`,
  )
}

const shutPage = ({ words, formats, venue }: Visit, hold: HoldRow): ShownPage => {
  const title = words.book.takenTitle(formats.time(whenHeld(hold).time))
  return {
    title: `${title} · ${venue.name}`,
    look: 'narrow',
    body: card(html`<div class="stack">
          <h1 role="alert" tabindex="-1" autofocus>${title}</h1>
          <p>${venue.phone === null ? words.venue.pausedSilent : words.venue.pausedCall}</p>
        </div>
        ${venue.phone !== null && html`<div class="acts">${callLink(venue, 'btn', words.page.call)}</div>`}`),
  }
}

const leavePage = ({ visit, row }: Place): ShownPage => {
  const { words, link, path } = visit
  const { line, list } = words
  const [title, text, yes, no] = !row.for_later
    ? [line.leaveTitle, line.leaveText, line.leaveYes, line.leaveNo]
    : row.status === 'offered'
      ? [list.noTitle, list.noText, list.noYes, list.noNo]
      : [list.leaveTitle, list.leaveText, line.leaveYes, list.leaveNo]
  return {
    title,
    look: 'narrow',
    body: card(html`<div class="stack">
          <h1>${title}</h1>
          <p>${text}</p>
        </div>
        <form class="acts" method="post" action="${link(path)}">
          <button class="btn stop" name="do" value="leave">${yes}</button>
          <a class="btn line" href="${link(path)}">${no}</a>
        </form>`),
  }
}
