import type { Reservation } from '@venue-data/contract/records/reservation.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Work } from '../../../context.ts'
import { html } from '../../../platform/html/html.ts'
import { madeByForm, makeOnce } from '../../../platform/http/form-token.ts'
import { isEmailAddress } from '../../../platform/kernel/email.ts'
import { phoneKey } from '../../../platform/kernel/phone/phone.ts'
import { type Refusal, badRequest, notFound } from '../../../platform/kernel/refusal.ts'
import { alternativesTo, judgedAt } from '../../../book/reservations/availability/availability.ts'
import { bookingOfForm } from '../../../book/reservations/guest/guest-booking.ts'
import { reservationById } from '../../../book/reservations/reads.ts'
import { presentReservation } from '../../../book/day/book-row.ts'
import { readRules } from '../../../book/rules/rules-store.ts'
import type { When } from '../../../book/day/when.ts'
import { isHoldId } from '../../../book/reservations/holds/hold-reads.ts'
import { type Mistakes, card, ofNoField, statePill } from '../frame/parts.ts'
import { originWord } from '../frame/origin.ts'
import { formToken, orAskedOften, trapMistake } from '../frame/trap.ts'
import type { DoorPage } from '../frame/serve-visits.ts'
import {
  type GuestAnswer,
  type GuestAnswerLater,
  type ShownPage,
  type Visit,
  counted,
  typed,
} from '../frame/visit.ts'
import { askSize, slip } from './booking-parts.ts'
import { type TakingVisit, takingOr } from './taking.ts'
import { askedByForm, askedIn, here, sizesNow, whenIn } from './book-asked.ts'
import { againForm, timesPage } from './book-times.ts'
import { choose, extend, hold, holdInstead } from './book-hold.ts'
import { detailsPage } from './book-details.ts'
import { isFull } from './weeks-part.ts'
import { newsChosen } from './news.ts'
import { bookOrAsk } from './book-proof.ts'
import { agreedText, askSecured, askedOf } from './book-secured.ts'
import { choiceOf, choicePage, isTick, typedDetails } from './book-experience.ts'
import { leadToPayment } from './pay.ts'

/*
 * `/v/{slug}/book`: the time, which is held as it is chosen, then the details, each an address of its own, so that going
 * back works. The form carries the hold, so nothing else need know the browser. Even so, the last press is
 * judged again under the day's lock.
 */

export const bookPages: readonly DoorPage[] = [
  {
    method: 'GET',
    path: '/v/:slug/book',
    door: 'book',
    answer: takingOr(async (work, visit) => {
      const asked = askedIn(visit)
      const when = whenIn(visit, (name) => visit.query.get(name) ?? '')
      const { size, mistake } = askSize(visit, sizesNow(visit), asked.size)
      if (when && mistake === undefined)
        return (
          (await toTimes(work, visit, { size, when })) ??
          counted(await detailsPage(work, visit, { size, when }), 'book', 'details')
        )
      return timesPage(work, visit, { ...asked, date: asked.date ?? when?.date })
    }),
  },
  {
    method: 'POST',
    path: '/v/:slug/book',
    door: 'book',
    answer: takingOr(async (work, visit) => {
      const { size, mistake } = askSize(visit, sizesNow(visit), typed(visit, 'size'))
      if (mistake !== undefined) return { ...(await timesPage(work, visit, askedByForm(visit))), status: 400 }
      switch (typed(visit, 'do')) {
        case 'again':
          return holdInstead(work, visit, size)
        case 'choose':
          return choose(work, visit, size)
        case 'extend':
          return extend(work, visit, size)
        default:
          return typed(visit, 'slot') === '' ? book(work, visit, size) : hold(work, visit, size)
      }
    }),
    sentBefore: async (work, visit) => {
      const token = formToken(visit)
      if (token === undefined || typed(visit, 'do') !== '') return undefined
      const { db, venue } = work
      const made =
        (await bookingOfForm(db, venue.id, token)) ??
        (await madeByForm(db, venue.id, { form: 'book', token }))
      return made === undefined ? undefined : answerOf(work, visit, made)
    },
    again: async (work, visit, refusal) =>
      takenPage(work, { ...visit, rules: await readRules(work.db, work.venue) }, refusal),
  },
]

/**
 * Where an address with a time leads that nobody can have, such as one of a closed day: to the times, which say why. One that
 * is only full stays: whoever came from there may hold it, and their details are typed.
 */
const toTimes = async (
  work: Work,
  visit: Visit,
  { size, when }: { readonly size: number; readonly when: When },
): Promise<GuestAnswer | undefined> => {
  const { evaluation, serviceDate } = await judgedAt(work, { ...when, partySize: size })
  if (evaluation.ok || isFull({ evaluation })) return undefined
  const hold = visit.query.get('hold') ?? ''
  return { to: here(visit, { size, date: serviceDate, hold, taken: when.time }) }
}

/** The last press. The form makes one booking, however often it is sent. */
const book = async (
  work: Work,
  visit: TakingVisit,
  size: number,
): Promise<GuestAnswer | GuestAnswerLater> => {
  const when = whenIn(visit, (name) => typed(visit, name))
  const token = formToken(visit)
  if (!when) throw badRequest(visit.words.gone.text)
  if (token === undefined)
    return { ...(await detailsPage(work, visit, { size, when }, mistakesIn(visit))), status: 400 }
  // A time chosen in place of one that was taken comes with the form, and is held like any other.
  const made = await makeOnce(work, { form: 'book', token, body: '' }, async () => {
    const mistakes = await orAskedOften(work, visit, mistakesIn(visit))
    return Object.keys(mistakes).length > 0
      ? { ...(await detailsPage(work, visit, { size, when }, mistakes)), status: 400 }
      : bookOrSecure(work, visit, { size, when }, token)
  })
  if (typeof made !== 'number') return made
  const stage = checkoutOf(made) === undefined ? 'booked' : 'paying'
  return counted(await answerOf(work, visit, made), 'book', stage)
}

/** What a form made is kept as one number: a booking's id, or below zero that of the checkout which makes it. */
const asCheckout = (id: number): number => -id
const checkoutOf = (made: number): number | undefined => (made < 0 ? -made : undefined)

/** The booking, by its link; or, where it is secured first, the processor's page. */
const answerOf = async (work: Work, visit: Visit, made: number): Promise<GuestAnswer | GuestAnswerLater> => {
  const checkout = checkoutOf(made)
  if (checkout !== undefined) return { after: (context) => leadToPayment(context, visit, checkout) }
  const mine = visit.link(`${visit.linkTo('booking', made, 0)}?new=1`)
  if (!visit.framed) return { to: mine }
  const row = await reservationById(work.db, work.venue.id, made)
  if (!row) throw notFound('booking')
  return doneInFrame(visit, presentReservation(row), mine)
}

/** Makes the booking, or the checkout that makes it once it is secured. */
const bookOrSecure = async (
  work: Work,
  visit: TakingVisit,
  { size, when }: { readonly size: number; readonly when: When },
  formToken: string,
): Promise<number | ShownPage> => {
  const { settings, language } = visit
  const choice = await choiceOf(work, visit, { size, when })
  // What they chose is gone, or there is something to choose by now.
  if (choice.kind === 'ask') {
    const { enter, gone } = visit.words.experience
    const why = typed(visit, 'experience') === '' ? enter : gone
    return { ...choicePage(visit, { size, when }, choice.offers, why), status: 409 }
  }
  const id = typed(visit, 'hold')
  const email = typed(visit, 'email')
  const request = {
    ...when,
    ...(choice.kind === 'chosen' && {
      experience: { key: choice.offer.experience.key, name: choice.offer.experience.name },
    }),
    guestName: typed(visit, 'name'),
    partySize: size,
    email,
    phone: typed(visit, 'tel') || null,
    notes: typed(visit, 'note') || null,
    ...(isHoldId(id) && { hold: id }),
    said: {
      formToken,
      language,
      occasion: settings.askOccasion ? typed(visit, 'occasion').slice(0, 100) || null : null,
      seating: settings.askSeating ? typed(visit, 'seat').slice(0, 100) || null : null,
      answers: settings.questions.filter((_, at) => visit.form.has(`q${at}`)),
      note: typed(visit, 'note') || null,
    },
  }
  const news = newsChosen(visit) ?? null
  const terms = await askedOf(work, visit, choice, { size, when })
  const { secure, sale } = visit.words
  if (typed(visit, 'agreed') !== agreedText(terms, visit))
    return {
      ...(await detailsPage(work, visit, { size, when }, { [ofNoField]: secure.changed })),
      status: 409,
    }
  if (!terms) return bookOrAsk(work, visit, request, news)
  const checkout = await askSecured(work, visit, { request, terms, news })
  if (checkout === undefined)
    return { ...(await detailsPage(work, visit, { size, when }, { [ofNoField]: sale.many })), status: 409 }
  return asCheckout(checkout)
}

const mostNote = 2_000

const mistakesIn = (visit: Visit): Mistakes => {
  const { form } = visit.words
  const phone = typed(visit, 'tel')
  const { askPhone } = visit.settings
  const name = typed(visit, 'name')
  const isTooLong = (text: string, most: number): boolean => Array.from(text).length > most
  return {
    ...trapMistake(visit),
    ...(name === '' && { name: form.enterName }),
    ...(isTooLong(name, limits.nameCharacters) && {
      name: form.tooLong(visit.formats.number(limits.nameCharacters)),
    }),
    ...(!isEmailAddress(typed(visit, 'email')) && { email: form.enterEmail }),
    ...(((phone === '' && askPhone === 'required') || (phone !== '' && !phoneKey(phone))) && {
      tel: form.enterPhone,
    }),
    ...(isTooLong(typed(visit, 'note'), mostNote) && { note: form.tooLong(visit.formats.number(mostNote)) }),
  }
}

/** What was booked, where a private link may not be shown: in a frame, which the link leaves. */
const doneInFrame = (
  { words, formats, venue }: Visit,
  { status, email, guestName, partySize, date, time }: Reservation,
  mine: string,
): ShownPage => {
  const { book, mail } = words
  const guests = formats.number(partySize ?? 0)
  const isDone = status === 'Confirmed'
  const day = date ?? ''
  const [before, strong, after] = isDone
    ? book.confirmedText(guests, email ?? '')
    : book.requestedText(venue.name, email ?? '')
  const [first = ''] = (guestName ?? '').split(' ')
  const title = isDone ? book.confirmedTitle(formats.weekday(day), first) : book.requestedTitle
  return {
    title: `${title} · ${venue.name}`,
    look: 'narrow',
    booked: { door: 'book', partySize },
    body: card(html`<div class="stack">
          ${isDone ? statePill('good', 'check', book.confirmed) : statePill('wait', 'waiting', book.requested)}
          <h1>${title}</h1>
          <p role="status">${before}<b>${strong}</b>${after}</p>
        </div>
        ${slip(book.slipDone, [
          { label: book.guests, value: guests },
          { label: book.date, value: formats.shortDay(day) },
          { label: book.time, value: formats.time(time ?? '') },
        ])}
        <div class="acts"><a class="btn" href="${mine}" target="_top">${mail.seeBooking}</a></div>`),
  }
}

/** Nothing was booked: the form stays filled, and the nearest open times are offered. */
const takenPage = async (work: Work, visit: TakingVisit, refusal: Refusal): Promise<GuestAnswer> => {
  const { words, formats } = visit
  const { size } = askSize(visit, sizesNow(visit), typed(visit, 'size'))
  const when = whenIn(visit, (name) => typed(visit, name))
  if (!when || refusal.status !== 409) throw refusal
  if (refusal.reason === 'too-many-holds')
    return {
      ...(await detailsPage(work, visit, { size, when }, { [ofNoField]: words.secure.busy })),
      status: 409,
    }
  const near = await alternativesTo(
    work,
    { ...when, partySize: size },
    { reason: refusal.reason as never },
    limits.alternativesDefault,
    undefined,
    visit.venue.country,
  )
  const kept = ['experience', ...typedDetails, originWord] as const
  const taken = html`<div class="note wait" role="alert" tabindex="-1" autofocus>
      <h2>${words.book.takenTitle(formats.time(when.time))}</h2>
      <p>${near.length > 0 ? words.book.taken : words.book.takenNone}</p>
    </div>
    ${
      near.length > 0 &&
      againForm(visit, near, {
        size,
        kept: Object.fromEntries([
          ...kept.map((name) => [name, typed(visit, name)]),
          ...[...visit.form.keys()].filter(isTick).map((name) => [name, 'yes']),
        ]) as Record<string, string>,
      })
    }`
  return { ...(await detailsPage(work, visit, { size, when }, {}, taken)), status: 409 }
}
