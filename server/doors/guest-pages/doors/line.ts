import { limits } from '@venue-data/contract/limits.ts'
import type { Work } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { makeOnce } from '../../../platform/http/form-token.ts'
import { isEmailAddress } from '../../../platform/kernel/email.ts'
import { phoneKey } from '../../../platform/kernel/phone/phone.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { joinLineByGuest } from '../../../book/waitlist/join-by-guest.ts'
import { entryOfForm } from '../../../book/waitlist/guest-place.ts'
import { type LineHours, lineHours } from '../../../book/waitlist/line-rules.ts'
import { quoteFor } from '../../../book/waitlist/quote.ts'
import { partiesAhead, waitlistEntry } from '../../../book/waitlist/reads.ts'
import { whyNotWait } from '../../../book/waitlist/rules.ts'
import { type Mistakes, card, lineField, mistakeSummary, statePill } from '../frame/parts.ts'
import { originPart } from '../frame/origin.ts'
import { formToken, orAskedOften, trapMistake, trapPart } from '../frame/trap.ts'
import type { DoorPage } from '../frame/serve-visits.ts'
import { type GuestAnswer, type ShownPage, type Visit, counted, doorPath, typed } from '../frame/visit.ts'
import { type SizeAsked, askSize, sizePart, sizesOf } from './booking-parts.ts'
import { joinList, onList } from './list.ts'
import { type TakingVisit, takingOr } from './taking.ts'

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
      const { hours, sizes } = lineNow(visit)
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
    sentBefore: async (work, visit) => {
      const token = formToken(visit)
      const id = token !== undefined ? await entryOfForm(work.db, work.venue.id, token) : undefined
      if (id === undefined) return undefined
      return typed(visit, 'do') === 'list' ? onList(work, visit, id) : inLine(work, visit, id)
    },
  },
]

type Open = Extract<LineHours, { kind: 'open' }>

const lineNow = ({ rules: read, venue, settings, now }: TakingVisit) => {
  const today = wallTimeOf(now, venue.timezone).date
  const rules = read.between(addDays(today, -1), addDays(today, 8))
  const hours = lineHours(rules, now, settings.lineOpensMinutes)
  // A service may take fewer guests, or more, than the house does as a rule.
  const taken =
    hours.kind === 'open'
      ? sizesOf(rules).filter((partySize) => !whyNotWait(rules, now, { ...hours, partySize }))
      : []
  return { hours, sizes: taken.length > 0 ? taken : sizesOf(rules) }
}

const sizeIn = (visit: Visit, sizes: readonly number[]): SizeAsked =>
  askSize(visit, sizes, typed(visit, 'size') || (visit.query.get('size')?.trim() ?? ''))

const join = async (work: Work, visit: TakingVisit): Promise<GuestAnswer> => {
  const { hours, sizes } = lineNow(visit)
  if (hours.kind !== 'open') return { ...shutPage(visit, hours, { wasSent: true }), status: 409 }
  const other = typed(visit, 'resize')
  if (other !== '') {
    const form = new Map(visit.form).set('size', [other])
    return joinPage(work, { ...visit, form }, hours, sizes)
  }
  const token = formToken(visit)
  if (token === undefined)
    return {
      ...(await joinPage(work, visit, hours, sizes, { mistakes: mistakesIn(visit, sizes) })),
      status: 400,
    }
  const joined = await makeOnce(work, { form: 'line', token, body: '' }, async () => {
    const mistakes = await orAskedOften(work, visit, mistakesIn(visit, sizes))
    if (Object.keys(mistakes).length > 0)
      return { ...(await joinPage(work, visit, hours, sizes, { mistakes })), status: 400 }
    const outcome = await joinLineByGuest(work, hours, {
      guestName: typed(visit, 'name'),
      partySize: sizeIn(visit, sizes).size,
      email: typed(visit, 'email') || null,
      phone: typed(visit, 'tel') || null,
      language: visit.language,
      formToken: token,
      quoteSeen: /^\d{1,4}$/.test(typed(visit, 'quote')) ? Number(typed(visit, 'quote')) : 0,
    })
    return outcome.kind === 'joined'
      ? outcome.id
      : { ...(await joinPage(work, visit, hours, sizes, { isLonger: true })), status: 409 }
  })
  return typeof joined === 'number' ? counted(await inLine(work, visit, joined), 'waitlist', 'done') : joined
}

/** What a guest in line gets: their place, by its link. */
const inLine = async (work: Work, visit: Visit, id: number): Promise<GuestAnswer> => {
  const place = visit.link(visit.linkTo('place', id, 0))
  if (!visit.framed) return { to: place }
  const entry = await waitlistEntry(work.db, work.venue.id, id)
  return joinedInFrame(visit, entry?.party_size ?? 0, place)
}

/** In a frame no private link is shown: it leaves the frame. */
const joinedInFrame = ({ words, venue }: Visit, partySize: number, place: string): ShownPage => ({
  title: `${words.mail.line.joinedTitle} · ${venue.name}`,
  look: 'narrow',
  booked: { door: 'waitlist', partySize },
  body: card(html`<div class="stack">
        ${statePill('wait', 'waiting', words.line.state)}
        <h1>${words.mail.line.joinedTitle}</h1>
      </div>
      <div class="acts"><a class="btn" href="${place}" target="_top">${words.mail.line.see}</a></div>`),
})

const mistakesIn = (visit: Visit, sizes: readonly number[]): Mistakes => {
  const { form } = visit.words
  const [name, email, phone] = [typed(visit, 'name'), typed(visit, 'email'), typed(visit, 'tel')]
  return {
    ...trapMistake(visit),
    ...sizeMistake(visit, sizes),
    ...(name === '' && { name: form.enterName }),
    ...(Array.from(name).length > limits.nameCharacters && {
      name: form.tooLong(visit.formats.number(limits.nameCharacters)),
    }),
    ...(email === '' && phone === '' && { tel: form.enterContact }),
    ...(phone !== '' && !phoneKey(phone) && { tel: form.enterPhone }),
    ...(email !== '' && !isEmailAddress(email) && { email: form.enterEmail }),
  }
}

const sizeMistake = (visit: Visit, sizes: readonly number[]): Mistakes => {
  const { mistake } = sizeIn(visit, sizes)
  return mistake === undefined ? {} : { size: mistake }
}

const joinPage = async (
  work: Work,
  visit: Visit,
  { serviceDate, lastArrival }: Open,
  sizes: readonly number[],
  {
    mistakes = sizeMistake(visit, sizes),
    isLonger = false,
  }: { readonly mistakes?: Mistakes; readonly isLonger?: boolean } = {},
): Promise<ShownPage> => {
  const { words, formats, venue, settings, link } = visit
  const { line, form } = words
  const { size } = sizeIn(visit, sizes)
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
            ${sizePart(visit, sizes, size, 'buttons', mistakes['size'])}
          </div>
          <div class="note">
            <p>${line.wait(formats.number(size))}</p>
            <p class="big">${line.about(formats.number(quote))}</p>
            <p class="soft">${line.ahead(ahead, formats.number(ahead))} ${line.guess}</p>
          </div>
          ${trapPart(visit, mistakes)} ${originPart(visit, 'waitlist')}
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
          <p>${line.howText(formats.timeAt(lastArrival), formats.number(limits.doorOfferMinutes))}</p>
          ${
            settings.doors.includes('book') &&
            html`<p>${line.sure} <a href="${link(doorPath(venue, 'book'))}">${line.sureLink}</a>.</p>`
          }
        </div>
      </aside>
    </div>`,
  }
}

const shutPage = (
  visit: Visit,
  hours: Exclude<LineHours, Open>,
  { wasSent = false }: { readonly wasSent?: boolean } = {},
): ShownPage => {
  const { words, venue, settings, link } = visit
  const { line } = words
  const title = hours.kind === 'not yet' ? line.notYetTitle : line.closedTitle
  const mayBook = settings.doors.includes('book')
  return {
    title: `${title} · ${venue.name}`,
    look: 'narrow',
    body: card(html`<div class="stack">
          <h1 ${wasSent && html`tabindex="-1" autofocus`}>${title}</h1>
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
