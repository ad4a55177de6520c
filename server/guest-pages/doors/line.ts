import { limits } from '@venue-data/contract/limits.ts'
import type { Work } from '../../context.ts'
import { type Html, html } from '../../html/html.ts'
import { isEmailAddress } from '../../kernel/email.ts'
import { phoneKey } from '../../kernel/phone.ts'
import { badRequest } from '../../kernel/refusal.ts'
import { isUuid } from '../../kernel/uuid.ts'
import { wallTimeOf } from '../../kernel/venue-clock.ts'
import { bookingRulesBetween } from '../../venue/rules-store.ts'
import { addDays } from '../../kernel/calendar.ts'
import { joinLineByGuest } from '../../waitlist/join-by-guest.ts'
import { type LineHours, lineHours } from '../../waitlist/line-rules.ts'
import { quoteFor } from '../../waitlist/quote.ts'
import { partiesAhead } from '../../waitlist/reads.ts'
import { type Mistakes, card, formTokenField, lineField, mistakeSummary, statePill } from '../frame/parts.ts'
import { orAskedOften, trapMistake, trapPart } from '../frame/trap.ts'
import type { DoorPage } from '../frame/serve-visits.ts'
import { type GuestAnswer, type ShownPage, type Visit, doorPath, typed } from '../frame/visit.ts'
import { readSize, sizePart, sizesOf } from './booking-parts.ts'
import { joinList } from './list.ts'
import { takingOr } from './taking.ts'

/**
 * `/v/{slug}/waitlist`: joining today's line. The wait is said before the button is pressed. Who waits for a day that is full
 * comes here from the page of booking.
 */
export const linePages: readonly DoorPage[] = [
  {
    method: 'GET',
    path: '/v/:slug/waitlist',
    door: 'waitlist',
    answer: takingOr(async (work, visit) => {
      const { hours, sizes } = await lineNow(work, visit)
      return hours.kind === 'open' ? joinPage(work, visit, hours, sizes) : shutPage(visit, hours)
    }),
  },
  {
    method: 'POST',
    path: '/v/:slug/waitlist',
    door: 'waitlist',
    answer: takingOr((work, visit) =>
      typed(visit, 'do') === 'list' ? joinList(work, visit) : join(work, visit),
    ),
  },
]

type Open = Extract<LineHours, { kind: 'open' }>

const lineNow = async ({ db, venue }: Work, { settings, now }: Visit) => {
  const today = wallTimeOf(now, venue.timezone).date
  const rules = await bookingRulesBetween(db, venue, addDays(today, -1), addDays(today, 8))
  return { hours: lineHours(rules, now, settings.lineOpensMinutes), sizes: sizesOf(rules) }
}

/** Most parties are two. */
const sizeIn = (visit: Visit, sizes: readonly number[]): number => {
  const size = readSize(typed(visit, 'size') || visit.query.get('size'), 2)
  return sizes.includes(size) ? size : (sizes[0] ?? 2)
}

const join = async (work: Work, visit: Visit): Promise<GuestAnswer> => {
  const { hours, sizes } = await lineNow(work, visit)
  if (hours.kind !== 'open') return { ...shutPage(visit, hours), status: 409 }
  const other = typed(visit, 'resize')
  if (other !== '') {
    const form = new Map(visit.form).set('size', [other])
    return joinPage(work, { ...visit, form }, hours, sizes)
  }
  const token = typed(visit, 'token')
  if (!isUuid(token)) throw badRequest(visit.words.gone.text)
  const mistakes = await orAskedOften(work, visit, mistakesIn(visit))
  if (Object.keys(mistakes).length > 0)
    return { ...(await joinPage(work, visit, hours, sizes, { mistakes })), status: 400 }
  const joined = await joinLineByGuest(work, hours, {
    guestName: typed(visit, 'name'),
    partySize: sizeIn(visit, sizes),
    email: typed(visit, 'email') || null,
    phone: typed(visit, 'tel') || null,
    language: visit.language,
    formToken: token,
    quoteSeen: readSize(typed(visit, 'quote'), 0),
  })
  if (joined.kind === 'longer')
    return { ...(await joinPage(work, visit, hours, sizes, { isLonger: true })), status: 409 }
  const place = visit.link(visit.linkTo('place', joined.id, 0))
  return visit.framed ? joinedInFrame(visit, place) : { to: place }
}

/** In a frame no private link is shown: it leaves the frame. */
const joinedInFrame = ({ words, venue }: Visit, place: string): ShownPage => ({
  title: `${words.mail.line.joinedTitle} · ${venue.name}`,
  look: 'narrow',
  body: card(html`<div class="stack">
        ${statePill('wait', 'waiting', words.line.state)}
        <h1>${words.mail.line.joinedTitle}</h1>
      </div>
      <div class="acts"><a class="btn" href="${place}" target="_top">${words.mail.line.see}</a></div>`),
})

const mistakesIn = (visit: Visit): Mistakes => {
  const { form } = visit.words
  const [name, email, phone] = [typed(visit, 'name'), typed(visit, 'email'), typed(visit, 'tel')]
  return {
    ...trapMistake(visit),
    ...(name === '' && { name: form.enterName }),
    ...(Array.from(name).length > limits.nameCharacters && {
      name: form.tooLong(visit.formats.number(limits.nameCharacters)),
    }),
    ...(email === '' && phone === '' && { tel: form.enterContact }),
    ...(phone !== '' && !phoneKey(phone) && { tel: form.enterPhone }),
    ...(email !== '' && !isEmailAddress(email) && { email: form.enterEmail }),
  }
}

const joinPage = async (
  work: Work,
  visit: Visit,
  { serviceDate, lastArrival }: Open,
  sizes: readonly number[],
  { mistakes = {}, isLonger = false }: { readonly mistakes?: Mistakes; readonly isLonger?: boolean } = {},
): Promise<ShownPage> => {
  const { words, formats, venue, settings, link } = visit
  const { line, form } = words
  const size = sizeIn(visit, sizes)
  const path = doorPath(venue, 'waitlist')
  const [{ minutes: quote }, ahead] = await Promise.all([
    quoteFor(work, { serviceDate, partySize: size }),
    partiesAhead(work.db, venue.id, serviceDate, null),
  ])
  const field = (name: string, label: string, more: object = {}): Html =>
    lineField({ name, label, value: typed(visit, name), mistake: mistakes[name], ...more })
  return {
    title: `${line.title} · ${venue.name}`,
    description: line.intro,
    body: html`<div class="page wide">
      <div class="card">
        ${mistakeSummary(words, mistakes)}
        ${
          isLonger &&
          html`<div class="note wait" role="alert" tabindex="-1" autofocus>
            <h2>${line.longerTitle}</h2>
            <p>${line.longer(formats.number(quote))}</p>
          </div>`
        }
        <div class="stack">
          <h1>${line.title}</h1>
          <p>${line.intro}</p>
        </div>
        <form class="fields" method="post" action="${link(path)}" novalidate>
          <button class="vh" tabindex="-1" aria-hidden="true">${/* What Enter presses in a field: the first button. */ line.submit}</button>
          <div class="stack">
            <h2>${words.book.howMany}</h2>
            ${sizePart(visit, sizes, size, 'buttons')}
          </div>
          <div class="note">
            <p>${line.wait(formats.number(size))}</p>
            <p class="big">${line.about(formats.number(quote))}</p>
            <p class="soft">${line.ahead(ahead, formats.number(ahead))} ${line.guess}</p>
          </div>
          ${formTokenField(typed(visit, 'token'))} ${trapPart(visit, mistakes)}
          <input type="hidden" name="size" value="${size}" />
          <input type="hidden" name="quote" value="${quote}" />
          ${field('name', form.name, { autocomplete: 'name', required: true })}
          <div class="two">
            ${field('tel', form.phone, { type: 'tel', autocomplete: 'tel', optional: line.orEmail })}
            ${field('email', form.email, { type: 'email', inputmode: 'email', autocomplete: 'email', optional: line.orPhone, most: 254 })}
          </div>
          <div class="stack">
            <p class="hint">${line.contactHint}</p>
            <button class="btn">${line.submit}</button>
          </div>
        </form>
      </div>
      <aside class="aside" aria-label="${line.how}">
        <div class="stack">
          <h2>${line.how}</h2>
          <p>${line.howText(formats.timeAt(lastArrival))}</p>
          ${
            settings.doors.includes('book') &&
            html`<p>${line.sure} <a href="${link(doorPath(venue, 'book'))}">${line.sureLink}</a>.</p>`
          }
        </div>
      </aside>
    </div>`,
  }
}

const shutPage = (visit: Visit, hours: Exclude<LineHours, Open>): ShownPage => {
  const { words, venue, settings, link } = visit
  const { line } = words
  const title = hours.kind === 'not yet' ? line.notYetTitle : line.closedTitle
  const mayBook = settings.doors.includes('book')
  return {
    title: `${title} · ${venue.name}`,
    look: 'narrow',
    body: card(html`<div class="stack">
          <h1>${title}</h1>
          <p>${hours.kind === 'not yet' && opensInWords(visit, hours)} ${mayBook && line.bookAnyTime}</p>
        </div>
        <div class="acts">
          ${
            mayBook
              ? html`<a class="btn" href="${link(doorPath(venue, 'book'))}">${words.book.title}</a>`
              : html`<a class="btn line" href="${link(doorPath(venue))}">${words.page.home(venue.name)}</a>`
          }
        </div>`),
  }
}

const opensInWords = (
  { words, formats, venue, now }: Visit,
  { opensAt }: Extract<LineHours, { kind: 'not yet' }>,
): string => {
  const { date } = wallTimeOf(opensAt, venue.timezone)
  const time = formats.timeAt(opensAt)
  return date === wallTimeOf(now, venue.timezone).date
    ? words.line.notYetToday(time)
    : words.line.notYet(formats.day(date), time)
}
