import type { Work } from '../../../context.ts'
import { html } from '../../../platform/html/html.ts'
import { isGuestLanguage } from '../../../platform/kernel/guest-language.ts'
import type { Refusal } from '../../../platform/kernel/refusal.ts'
import {
  type GuestRequest,
  bookByGuest,
  isConfirmedAtOnce,
} from '../../../book/reservations/guest/book-by-guest.ts'
import {
  type UnmadeBooking,
  bookOrMailLink,
  proofMinutes,
  requestOf,
  unmadeBooking,
} from '../../../book/reservations/guest/booking-proof.ts'
import { bookingOfForm } from '../../../book/reservations/guest/guest-booking.ts'
import { holdDays } from '../../../book/day/open-day.ts'
import { resolveService } from '../../../book/rules/resolve-service.ts'
import { signUpBeside } from '../../../marketing/subscribers/sign-up.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { callLink, card, statePill } from '../frame/parts.ts'
import type { LinkPage } from '../frame/serve-visits.ts'
import { type GuestAnswer, type ShownPage, type Visit, doorPath } from '../frame/visit.ts'
import { namedNetworks } from '../frame/who.ts'
import { slip } from './booking-parts.ts'
import { lostPage } from './news.ts'

/*
 * `/b/{token}`: a booking that is made here, and not by its form, as its network took much of that evening
 * (book/reservations/guest/booking-proof.ts). GET only shows: scanners open every link in a mail.
 */

/** Books what a form asks for; or, where it takes its network over what it may, mails a link and says so. */
export const bookOrAsk = async (
  work: Work,
  visit: Visit,
  request: GuestRequest & { readonly email: string },
  news: UnmadeBooking['news'],
): Promise<number | ShownPage> => {
  const by = { networks: namedNetworks(visit), language: visit.language }
  const made = await bookOrMailLink(work, visit.settings, { ...request, news }, by)
  if (!made) return askedPage(visit, request.email)
  if (news) await signUp(work, visit, request, news)
  return made.id
}

const signUp = (
  work: Work,
  { language }: Visit,
  { email, guestName }: Pick<GuestRequest, 'guestName'> & { readonly email: string },
  news: NonNullable<UnmadeBooking['news']>,
): Promise<unknown> => signUpBeside(work, { ...news, email, name: guestName, language }, 'booking')

/** Nothing is booked yet; the phone is the other way. */
const askedPage = ({ words, formats, venue }: Visit, email: string): ShownPage => {
  const { proof, page } = words
  const [before, strong, after] = proof.asked(email, formats.number(proofMinutes))
  return {
    title: `${proof.askedTitle} · ${venue.name}`,
    look: 'narrow',
    body: card(html`<div class="stack">
          ${statePill('wait', 'waiting', proof.state)}
          <h1 tabindex="-1" autofocus>${proof.askedTitle}</h1>
          <p role="status">${before}<b>${strong}</b>${after}</p>
          <p class="hint">${proof.why}</p>
          ${venue.phone !== null && html`<p class="hint">${proof.notThere}</p>`}
        </div>
        ${venue.phone !== null && html`<div class="acts">${callLink(venue, 'btn line', page.call)}</div>`}`),
  }
}

export const proofPages: readonly LinkPage[] = [
  {
    method: 'GET',
    path: '/b/:token',
    purpose: 'proof',
    languageOf: async ({ db, venue, now }, { record }) => {
      const kept = (await unmadeBooking(db, venue.id, record, now()))?.language ?? ''
      return isGuestLanguage(kept) ? kept : null
    },
    answer: async (work, visit, { record }) => {
      const kept = await unmadeBooking(work.db, work.venue.id, record, visit.now)
      if (!kept) return overPage(visit)
      const made = await bookingOfForm(work.db, work.venue.id, kept.asked.said.formToken)
      return made !== undefined
        ? { to: visit.link(visit.linkTo('booking', made, 0)) }
        : pressPage(work, visit, kept.asked)
    },
  },
  {
    method: 'POST',
    path: '/b/:token',
    purpose: 'proof',
    answer: async (work, visit, { record }) => {
      const kept = await unmadeBooking(work.db, work.venue.id, record, visit.now)
      if (!kept) return overPage(visit)
      const request = requestOf(kept.asked)
      // Of two presses at once the second waits here, and finds what the first one made.
      await holdDays(work, request)
      const before = await bookingOfForm(work.db, work.venue.id, request.said.formToken)
      const made = before ?? (await bookByGuest(work, visit.settings, request)).id
      if (before === undefined && kept.asked.news)
        await signUp(work, visit, { ...request, email: kept.asked.email }, kept.asked.news)
      return { to: visit.link(`${visit.linkTo('booking', made, 0)}?new=1`) }
    },
    again: async (work, visit, refusal, { record }) => {
      const kept = await unmadeBooking(work.db, work.venue.id, record, visit.now)
      return kept ? takenPage(visit, kept.asked, refusal) : lostPage(visit)
    },
  },
]

const slipOf = ({ words, formats }: Visit, { partySize, date, time }: UnmadeBooking) =>
  slip(words.book.slipDone, [
    { label: words.book.guests, value: formats.number(partySize) },
    { label: words.book.date, value: formats.shortDay(date) },
    { label: words.book.time, value: formats.time(time) },
  ])

const pressPage = async (work: Work, visit: Visit, asked: UnmadeBooking): Promise<ShownPage> => {
  const { words, venue, settings, link, path } = visit
  const rules = await bookingRulesAround(work.db, work.venue, asked.date)
  const service = resolveService(rules, asked).period?.name ?? null
  return {
    title: `${words.proof.pressTitle} · ${venue.name}`,
    look: 'narrow',
    body: card(html`<div class="stack">
          <h1>${words.proof.pressTitle}</h1>
          <p>${words.proof.press}</p>
        </div>
        ${slipOf(visit, asked)}
        <form class="acts" method="post" action="${link(path)}">
          <button class="btn">${isConfirmedAtOnce(settings, asked.partySize, service) ? words.book.book : words.book.request}</button>
        </form>`),
  }
}

const overPage = ({ words, formats, venue, settings, link }: Visit): ShownPage => ({
  title: words.proof.overTitle,
  look: 'narrow',
  status: 404,
  body: card(html`<div class="stack">
        <h1>${words.proof.overTitle}</h1>
        <p>${words.proof.over(formats.number(proofMinutes))}</p>
      </div>
      ${
        settings.doors.includes('book') &&
        html`<div class="acts"><a class="btn" href="${link(doorPath(venue, 'book'))}">${words.book.title}</a></div>`
      }`),
})

/** The time went to somebody else in between. */
const takenPage = (visit: Visit, asked: UnmadeBooking, { status }: Refusal): GuestAnswer => {
  const { words, formats, venue, link } = visit
  const title = words.book.takenTitle(formats.time(asked.time))
  const query = new URLSearchParams({ size: String(asked.partySize), date: asked.date })
  return {
    title: `${title} · ${venue.name}`,
    look: 'narrow',
    status,
    body: card(html`<h1 role="alert" tabindex="-1" autofocus>${title}</h1>
        ${slipOf(visit, asked)}
        <div class="acts"><a class="btn" href="${link(`${doorPath(venue, 'book')}?${query.toString()}`)}">${words.book.again}</a></div>`),
  }
}
