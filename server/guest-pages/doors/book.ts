import type { Reservation } from '@venue-data/contract/reservation.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { randomBytes } from 'node:crypto'
import type { Work } from '../../context.ts'
import { momentInWords } from '../../guest-mail/booking-facts.ts'
import { type Html, html } from '../../html/html.ts'
import { useFormToken } from '../../http/form-token.ts'
import { addDays } from '../../kernel/calendar.ts'
import { isEmailAddress } from '../../kernel/email.ts'
import { toInstant } from '../../kernel/moment.ts'
import { callAddress, phoneKey } from '../../kernel/phone.ts'
import { type Refusal, badRequest } from '../../kernel/refusal.ts'
import { isUuid } from '../../kernel/uuid.ts'
import { wallTimeOf } from '../../kernel/venue-clock.ts'
import { type LocalDate, readDate, readTime } from '../../kernel/written-time.ts'
import { type DayTimes, alternativesTo, timesOfDays } from '../../reservations/availability.ts'
import { bookByGuest, isConfirmedAtOnce } from '../../reservations/book-by-guest.ts'
import { holdById, isHoldId } from '../../reservations/hold-reads.ts'
import { extendHold, newHoldId, placeHold, whenHeld } from '../../reservations/holds.ts'
import { resolveService } from '../../reservations/rules/resolve-service.ts'
import { serviceDateAt } from '../../reservations/rules/service-now.ts'
import type { When } from '../../reservations/when.ts'
import { refusalSentences } from '../../guest-words/refusal-words.ts'
import { signUpByGuest } from '../../subscribers/sign-up.ts'
import type { BookingRules } from '../../venue/booking-rules.ts'
import { guestText } from '../../venue/guest-settings-rules.ts'
import { bookingRulesAround } from '../../venue/rules-store.ts'
import {
  type Mistakes,
  areaField,
  card,
  choiceField,
  formTokenField,
  lineField,
  mistakeSummary,
  statePill,
  tickField,
} from '../frame/parts.ts'
import { orAskedOften, trapMistake, trapPart } from '../frame/trap.ts'
import type { DoorPage } from '../frame/serve-visits.ts'
import { wordsIn } from '../../guest-words/words.ts'
import { type GuestAnswer, type ShownPage, type Visit, doorPath, typed } from '../frame/visit.ts'
import { networkHash } from '../frame/who.ts'
import {
  asideOf,
  monthPart,
  readSize,
  readSlot,
  sizePart,
  sizesOf,
  slip,
  stateOfDay,
  timesPart,
} from './booking-parts.ts'
import { listPart } from './list.ts'
import { takingOr } from './taking.ts'

/*
 * `/v/{slug}/book`: one page in three steps, each an address of its own, so that going back works: how many and which
 * day; the time, which is held as it is chosen; the details. The form carries the hold, so nothing else need know the
 * browser. Whatever the pages show, the last press is judged again under the day's lock.
 */

export const bookPages: readonly DoorPage[] = [
  {
    method: 'GET',
    path: '/v/:slug/book',
    door: 'book',
    answer: takingOr(async (work, visit) => {
      const asked = askedIn(visit)
      const when = whenIn(visit, (name) => visit.query.get(name) ?? '')
      if (when) return detailsPage(work, visit, { ...asked, when })
      return asked.date === undefined
        ? firstPage(work, visit, asked)
        : timesPage(work, visit, asked, asked.date)
    }),
  },
  {
    method: 'POST',
    path: '/v/:slug/book',
    door: 'book',
    answer: takingOr((work, visit) => {
      switch (typed(visit, 'do')) {
        case 'hold':
          return hold(work, visit)
        case 'again':
          return holdInstead(work, visit)
        case 'extend':
          return extend(work, visit)
        default:
          return book(work, visit)
      }
    }),
    again: async (work, visit, refusal) => takenPage(work, visit, refusal),
  },
]

type Asked = {
  readonly size: number
  /** The service date looked at. */
  readonly date: LocalDate | undefined
  /** The first of the month looked at. */
  readonly month: LocalDate | undefined
}

/** Most parties are two. */
const defaultSize = 2

const askedIn = ({ query }: Visit): Asked => {
  const month = readDate(query.get('month') ?? '')
  return {
    size: readSize(query.get('size'), defaultSize),
    date: readDate(query.get('date') ?? ''),
    month: month && `${month.slice(0, 8)}01`,
  }
}

/** The arrival that a form or an address names. */
const whenIn = (visit: Visit, text: (name: string) => string): When | undefined =>
  readSlot(visit, text('day'), text('time'))

const here = (visit: Visit, asked: Readonly<Record<string, string | number | undefined>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) query.set(name, String(value))
  return visit.link(`${doorPath(visit.venue, 'book')}?${query.toString()}`)
}

/** Size and date. */
const firstPage = async (work: Work, visit: Visit, { size, month }: Asked): Promise<ShownPage> => {
  const { words, formats, venue } = visit
  const rules = await bookingRulesAround(work.db, work.venue, wallTimeOf(visit.now, venue.timezone).date)
  const today = serviceDateAt(rules, visit.now)
  const first = month !== undefined && month > today ? month : `${today.slice(0, 8)}01`
  const from = first > today ? first : today
  const count = Temporal.PlainDate.from(first).daysInMonth
  const last = addDays(first, count - 1)
  const days = Temporal.PlainDate.from(from).until(last).days + 1
  const found = await timesOfDays(work, { from, days, partySize: size })
  const { book } = words
  return {
    title: `${book.title} · ${venue.name}`,
    description: book.title,
    body: html`<div class="page wide">
      <div class="card">
        ${slip(
          book.slip,
          [
            { label: book.guests, value: formats.number(size), to: here(visit, { size }) },
            { label: book.date, value: '–' },
            { label: book.time, value: '–' },
          ],
          1,
        )}
        <div class="stack tight">
          <p class="soft small">${book.step(formats.number(1), formats.number(3))}</p>
          <h1>${book.title}</h1>
        </div>
        <div class="stack">
          <h2>${book.howMany}</h2>
          ${sizePart(visit, sizesOf(rules), size, (one) => here(visit, { size: one, month }))} ${morePart(visit, rules)}
        </div>
        <div class="stack">
          <h2>${book.whatDay}</h2>
          ${monthPart(visit, {
            first,
            today,
            days: found.days,
            chosen: undefined,
            size,
            to: (date) => here(visit, { size, date }),
            monthTo: (one) => here(visit, { size, month: one }),
            last: rules.maxDaysAhead === null ? undefined : addDays(today, rules.maxDaysAhead),
          })}
        </div>
      </div>
      ${asideOf(visit, guestText(visit.settings, 'policy', visit.language))}
    </div>`,
  }
}

const morePart = ({ words, formats, venue }: Visit, { maxParty }: BookingRules): Html | undefined => {
  const most = formats.number(Math.min(maxParty ?? 12, 20))
  return venue.phone === null
    ? html`<p class="hint">${words.book.moreSilent(most)}</p>`
    : html`<p class="hint">
        ${words.book.more(most)} <a class="nb" href="${callAddress(venue.phone)}">${venue.phone}</a>.
      </p>`
}

/** The times of a day; a full one offers the nearest that are open. */
const timesPage = async (work: Work, visit: Visit, { size }: Asked, date: LocalDate): Promise<ShownPage> => {
  const { words, formats, venue } = visit
  const { book } = words
  const { days } = await timesOfDays(work, { from: date, days: 1, partySize: size })
  const [day] = days
  const cells = [
    { label: book.guests, value: formats.number(size), to: here(visit, { size }) },
    { label: book.date, value: formats.shortDay(date), to: here(visit, { size, month: date }) },
    { label: book.time, value: '–' },
  ]
  const isOpen = day !== undefined && stateOfDay(day) === 'open'
  return {
    title: `${book.title} · ${venue.name}`,
    body: html`<div class="page wide">
      <div class="card">
        ${slip(book.slip, cells, 2)} ${takenNote(visit)}
        ${
          isOpen
            ? html`<div class="stack tight">
                  <p class="soft small">${book.step(formats.number(2), formats.number(3))}</p>
                  <h1>${book.whatTime(formats.weekday(date))}</h1>
                  <p class="soft">${book.zoned(formats.zone)}</p>
                </div>
                ${holdForm(visit, size, timesPart(visit, day, slotButton(visit)))}`
            : day !== undefined && stateOfDay(day) === 'full'
              ? html`${await fullPart(work, visit, size, date)}${listPart(visit, size, day)}`
              : await shutPart(work, visit, size, { date, day })
        }
        <p><a class="tap" href="${here(visit, { size, month: date })}">${book.anotherDay}</a></p>
      </div>
      ${asideOf(visit, guestText(visit.settings, 'policy', visit.language))}
    </div>`,
  }
}

/** The time that was pressed went to somebody else in between. */
const takenNote = ({ words, formats, query }: Visit): Html | undefined => {
  const time = readTime(query.get('taken') ?? '')
  return time !== undefined
    ? html`<div class="note wait" role="alert">
        <h2>${words.book.takenTitle(formats.time(time))}</h2>
      </div>`
    : undefined
}

/** A form of buttons: a time pressed is held. `instead` is the hold that it gives up. */
const holdForm = (visit: Visit, size: number, inside: Html, more: Html = html``): Html =>
  html`<form class="fields" method="post" action="${visit.link(doorPath(visit.venue, 'book'))}">
    <input type="hidden" name="do" value="hold" />
    <input type="hidden" name="size" value="${size}" />
    ${more} ${inside}
  </form>`

const slotButton =
  ({ formats }: Visit) =>
  ({ date, time }: Pick<When, 'date' | 'time'>): Html =>
    html`<button name="slot" value="${date} ${time}">${formats.time(time)}</button>`

const nearPart = (visit: Visit, near: readonly When[]): Html =>
  html`<div class="near">
    ${near.map(
      ({ date, time }) =>
        html`<button name="slot" value="${date} ${time}">
          <span>${visit.formats.shortDay(date)}</span> ${visit.formats.time(time)}
        </button>`,
    )}
  </div>`

/** The open times nearest to the evening of a day. */
const nearestTo = (work: Work, visit: Visit, size: number, date: LocalDate): Promise<readonly When[]> =>
  alternativesTo(
    work,
    { date, time: '19:00', startsAt: visit.now, partySize: size },
    { reason: 'pacing-covers-full' },
    limits.alternativesDefault,
  )

const fullPart = async (work: Work, visit: Visit, size: number, date: LocalDate): Promise<Html> => {
  const { words, formats } = visit
  const near = await nearestTo(work, visit, size, date)
  const guests = formats.number(size)
  return html`<div class="stack">
      <h1>${words.book.fullTitle(formats.day(date))}</h1>
      <p>${near.length > 0 ? words.book.fullText(guests) : words.book.fullNone(guests)}</p>
    </div>
    ${near.length > 0 && holdForm(visit, size, nearPart(visit, near))}`
}

/** A day that nobody can book, by an old link or a typed address: why, and what is nearest. */
const shutPart = async (
  work: Work,
  visit: Visit,
  size: number,
  { date, day }: { readonly date: LocalDate; readonly day: DayTimes | undefined },
): Promise<Html> => {
  const { words, formats } = visit
  const near = await nearestTo(work, visit, size, date)
  const slots = day?.closed ? [] : (day?.slots ?? [])
  return html`<div class="stack">
      <h1>${formats.day(date)}</h1>
      <p>${words.book.noTimes}</p>
      ${[...new Set(refusalSentences(slots, words, formats))].map((sentence) => html`<p>${sentence}</p>`)}
      ${near.length > 0 && html`<p>${words.book.nearest}</p>`}
    </div>
    ${near.length > 0 && holdForm(visit, size, nearPart(visit, near))}`
}

/** A time was chosen: it is held, if a rule does not say no and the guest does not hold too many. */
const hold = async (work: Work, visit: Visit): Promise<GuestAnswer> => {
  const size = readSize(typed(visit, 'size'), defaultSize)
  const [day = '', time = ''] = typed(visit, 'slot').split(' ')
  const when = whenIn(visit, (name) => (name === 'day' ? day : time))
  if (!when) throw badRequest(visit.words.gone.text)
  const before = typed(visit, 'instead')
  const outcome = await placeHold(work, {
    ...when,
    id: newHoldId(randomBytes),
    partySize: size,
    by: { holder: networkHash(visit.from) },
    ...(isHoldId(before) && { instead: before }),
  })
  // Refused at this very moment: the times say so, and show what is left.
  const rules = await bookingRulesAround(work.db, work.venue, day)
  if (outcome.kind === 'refused')
    return { to: here(visit, { size, date: resolveService(rules, when).serviceDate, taken: time }) }
  return {
    to: here(visit, { size, day, time, hold: outcome.kind === 'held' ? outcome.hold.id : undefined }),
  }
}

/** Another time in place of one that was taken: held as well, and the form comes back filled. */
const holdInstead = async (work: Work, visit: Visit): Promise<GuestAnswer> => {
  const size = readSize(typed(visit, 'size'), defaultSize)
  const [day = '', time = ''] = typed(visit, 'slot').split(' ')
  const when = whenIn(visit, (name) => (name === 'day' ? day : time))
  if (!when) throw badRequest(visit.words.gone.text)
  const outcome = await placeHold(work, {
    ...when,
    id: newHoldId(randomBytes),
    partySize: size,
    by: { holder: networkHash(visit.from) },
  })
  const form = new Map(visit.form)
  form.set('hold', [outcome.kind === 'held' ? outcome.hold.id : ''])
  return detailsPage(work, { ...visit, form }, { size, when })
}

/** Five minutes more, once; the form comes back filled. */
const extend = async (work: Work, visit: Visit): Promise<GuestAnswer> => {
  const when = whenIn(visit, (name) => typed(visit, name))
  if (!when) throw badRequest(visit.words.gone.text)
  const id = typed(visit, 'hold')
  if (isHoldId(id)) await extendHold(work, id)
  return detailsPage(work, visit, { size: readSize(typed(visit, 'size'), defaultSize), when })
}

type Chosen = { readonly size: number; readonly when: When }

const detailsPage = async (
  work: Work,
  visit: Visit,
  { size, when }: Chosen,
  mistakes: Mistakes = {},
  taken?: Html,
): Promise<ShownPage> => {
  const { words, formats, venue, settings } = visit
  const { book, form, page } = words
  const rules = await bookingRulesAround(work.db, work.venue, when.date)
  const place = resolveService(rules, when)
  const id = typed(visit, 'hold') || (visit.query.get('hold') ?? '')
  const held = isHoldId(id) ? await holdById(work.db, venue.id, id) : undefined
  const until = held && toInstant(held.expires_at)
  const isHeld =
    until !== undefined &&
    Temporal.Instant.compare(until, visit.now) > 0 &&
    Temporal.Instant.compare(whenHeld(held as NonNullable<typeof held>).startsAt, when.startsAt) === 0
  const atOnce = isConfirmedAtOnce(settings, size, place.period?.name ?? null)
  const policy = guestText(settings, 'policy', visit.language)
  const limit = when.startsAt.subtract({ minutes: settings.cancelMinutes })
  const line = (name: string, label: string, more: object = {}): Html =>
    lineField({ name, label, value: typed(visit, name), mistake: mistakes[name], ...more })
  const date = place.serviceDate
  const some = (choices: readonly string[]) => choices.map((one, at) => [at === 0 ? '' : one, one] as const)
  const isTicked = (name: string): boolean => visit.form.has(name)
  return {
    title: `${book.details} · ${venue.name}`,
    body: html`<div class="page wide">
      <div class="card">
        ${mistakeSummary(words, mistakes)} ${taken}
        <div class="stack">
          ${slip(book.slip, [
            { label: book.guests, value: formats.number(size), to: here(visit, { size }) },
            { label: book.date, value: formats.shortDay(when.date), to: here(visit, { size, month: date }) },
            {
              label: book.time,
              value: taken ? html`<del>${formats.time(when.time)}</del>` : formats.time(when.time),
              to: here(visit, { size, date }),
            },
          ])}
          ${isHeld && !taken && html`<p class="held"><span>${book.held(formats.timeAt(until))}</span></p>`}
        </div>
        ${
          held !== undefined &&
          !isHeld &&
          !taken &&
          html`<div class="note wait" role="status">
            <h2>${book.endedTitle}</h2>
            <p>${book.ended}</p>
          </div>`
        }
        <div class="stack tight">
          <p class="soft small">${book.step(formats.number(3), formats.number(3))}</p>
          <h1>${book.details}</h1>
        </div>
        <form class="fields" id="details" method="post" action="${visit.link(doorPath(venue, 'book'))}" novalidate>
          ${formTokenField(typed(visit, 'token'))} ${trapPart(visit, mistakes)}
          <input type="hidden" name="size" value="${size}" />
          <input type="hidden" name="day" value="${when.date}" />
          <input type="hidden" name="time" value="${when.time}" />
          <input type="hidden" name="hold" value="${id}" />
          ${line('name', form.name, { autocomplete: 'name', required: true })}
          <div class="two">
            ${line('email', form.email, {
              type: 'email',
              inputmode: 'email',
              autocomplete: 'email',
              required: true,
              hint: book.emailHint,
              most: 254,
            })}
            ${
              settings.askPhone !== 'no' &&
              line('tel', form.phone, {
                type: 'tel',
                autocomplete: 'tel',
                hint: book.phoneHint,
                ...(settings.askPhone === 'optional' && { optional: page.optional }),
              })
            }
          </div>
          ${
            (settings.askOccasion || settings.askSeating) &&
            html`<div class="two">
              ${
                settings.askOccasion &&
                choiceField({
                  name: 'occasion',
                  label: book.occasion,
                  optional: page.optional,
                  value: typed(visit, 'occasion'),
                  choices: some(book.occasions),
                })
              }
              ${
                settings.askSeating &&
                choiceField({
                  name: 'seat',
                  label: book.seating,
                  value: typed(visit, 'seat'),
                  choices: some(book.seatings),
                })
              }
            </div>`
          }
          ${areaField({
            name: 'note',
            label: book.note,
            optional: page.optional,
            hint: book.noteHint,
            value: typed(visit, 'note'),
            mistake: mistakes['note'],
          })}
          <div>
            ${settings.questions.map((question, at) => tickField(`q${at}`, 'yes', question, isTicked(`q${at}`)))}
            ${settings.doors.includes('news') && tickField('news', 'yes', book.news(venue.name), isTicked('news'))}
          </div>
          <hr />
          <div class="stack tight">
            <h2>${book.before}</h2>
            ${policy !== null && html`<p>${policy}</p>`}
            <p>${book.limit(momentInWords(limit, visit))}</p>
          </div>
          ${
            taken === undefined &&
            html`<div class="stack">
              <button class="btn">${atOnce ? book.book : book.request}</button>
              ${!atOnce && html`<p class="hint">${book.requestHint(venue.name)}</p>`}
              ${
                isHeld &&
                held?.extended === false &&
                html`<button class="btn line" name="do" value="extend">${book.extend}</button>`
              }
            </div>`
          }
        </form>
      </div>
      ${asideOf(visit, null)}
    </div>`,
  }
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

/** The last press. The form makes one booking, however often it is sent. */
const book = async (work: Work, visit: Visit): Promise<GuestAnswer> => {
  const size = readSize(typed(visit, 'size'), defaultSize)
  const when = whenIn(visit, (name) => typed(visit, name))
  const token = typed(visit, 'token')
  if (!when || !isUuid(token)) throw badRequest(visit.words.gone.text)
  // A time chosen in place of one that was taken comes with the form, and is held like any other.
  const mistakes = await orAskedOften(work, visit, mistakesIn(visit))
  if (Object.keys(mistakes).length > 0)
    return { ...(await detailsPage(work, visit, { size, when }, mistakes)), status: 400 }
  const { settings, language } = visit
  const id = typed(visit, 'hold')
  const email = typed(visit, 'email')
  const made = await bookByGuest(work, settings, {
    ...when,
    guestName: typed(visit, 'name'),
    partySize: size,
    email,
    phone: typed(visit, 'tel') || null,
    notes: typed(visit, 'note') || null,
    ...(isHoldId(id) && { hold: id }),
    said: {
      formToken: token,
      language,
      occasion: settings.askOccasion ? typed(visit, 'occasion').slice(0, 100) || null : null,
      seating: settings.askSeating ? seatingSaid(visit) : null,
      answers: settings.questions.filter((_, at) => visit.form.has(`q${at}`)),
      note: typed(visit, 'note') || null,
    },
  })
  if (visit.form.has('news') && settings.doors.includes('news') && (await isFirstTick(work, visit, token))) {
    await signUpByGuest(
      work,
      {
        email,
        firstName: typed(visit, 'name').split(' ')[0] ?? null,
        birthday: null,
        topics: [],
        statement: visit.words.book.news(visit.venue.name),
        pageUrl: `${visit.publicUrl}${visit.path}`,
        language,
      },
      'booking',
    )
  }
  const mine = visit.link(`${visit.linkTo('booking', made.id, 0)}?new=1`)
  return visit.framed ? doneInFrame(visit, made, mine) : { to: mine }
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

const isFirstTick = (work: Work, visit: Visit, token: string): Promise<boolean> =>
  useFormToken(work.db, work.venue.id, 'book news', token, visit.now)

/** Nothing was booked: the form stays filled, and the nearest open times are offered. */
const takenPage = async (work: Work, visit: Visit, refusal: Refusal): Promise<GuestAnswer> => {
  const { words, formats } = visit
  const size = readSize(typed(visit, 'size'), defaultSize)
  const when = whenIn(visit, (name) => typed(visit, name))
  if (!when || refusal.status !== 409) throw refusal
  const near = await alternativesTo(
    work,
    { ...when, partySize: size },
    { reason: refusal.reason as never },
    limits.alternativesDefault,
  )
  const kept = ['name', 'email', 'tel', 'occasion', 'seat', 'note', 'token', 'at'] as const
  const taken = html`<div class="note wait" role="alert" tabindex="-1" autofocus>
      <h2>${words.book.takenTitle(formats.time(when.time))}</h2>
      <p>${near.length > 0 ? words.book.taken : words.book.takenNone}</p>
    </div>
    ${
      near.length > 0 &&
      html`<form class="fields" method="post" action="${visit.link(doorPath(visit.venue, 'book'))}">
        <input type="hidden" name="do" value="again" />
        <input type="hidden" name="size" value="${size}" />
        ${kept.map((name) => html`<input type="hidden" name="${name}" value="${typed(visit, name)}" />`)}
        ${[...visit.form.keys()]
          .filter((name) => /^q\d$/.test(name) || name === 'news')
          .map((name) => html`<input type="hidden" name="${name}" value="yes" />`)}
        ${nearPart(visit, near)}
      </form>`
    }`
  return { ...(await detailsPage(work, visit, { size, when }, {}, taken)), status: 409 }
}

/** Where they would like to sit, in the words of staff, who look for a table that has it. */
const seatingSaid = (visit: Visit): string | null => {
  const said = typed(visit, 'seat').slice(0, 100)
  const at = wordsIn(visit.language).book.seatings.indexOf(said)
  return (wordsIn('en').book.seatings[at] ?? said) || null
}
