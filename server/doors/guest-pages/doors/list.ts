import { limits } from '@venue-data/contract/limits.ts'
import type { Work } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { makeOnce } from '../../../platform/http/form-token.ts'
import { isEmailAddress } from '../../../platform/kernel/email.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { type LocalDate, readDate } from '../../../platform/kernel/time/written-time.ts'
import { type DayTimes, timesOfDays } from '../../../book/reservations/availability/availability.ts'
import type { Slot } from '../../../book/reservations/rules/open-times.ts'
import type { When } from '../../../book/day/when.ts'
import { joinListByGuest } from '../../../book/waitlist/join-by-guest.ts'
import { waitlistEntry } from '../../../book/waitlist/reads.ts'
import { type Mistakes, card, choiceField, lineField, mistakeSummary, statePill } from '../frame/parts.ts'
import { formToken, orAskedOften, trapMistake, trapPart } from '../frame/trap.ts'
import { type GuestAnswer, type ShownPage, type Visit, doorPath, typed } from '../frame/visit.ts'
import { here, sizesNow } from './book-asked.ts'
import { askSize, readSlot } from './booking-parts.ts'
import type { TakingVisit } from './taking.ts'
import { isFull, stateOfDay } from './weeks-part.ts'

/*
 * Waiting for a full time: offered below the times of its day (`book-times.ts`), whether the whole of it is full or not, and
 * sent to the door of the line. It promises nothing and holds nothing. What is open is booked, not waited for.
 */

/** The form to wait for a day; nothing where the door of the line is off or no time of the day is full. */
export const listPart = (
  visit: Visit,
  size: number,
  { serviceDate, slots }: DayTimes,
  mistakes: Mistakes = {},
): Html | undefined => {
  const { words, formats, venue, settings, link } = visit
  const { list, form } = words
  const full = slots.filter(isFull)
  if (!settings.doors.includes('waitlist') || full.length === 0) return undefined
  const choices = full.map(({ date, time }) => [`${date} ${time}`, formats.time(time)] as const)
  const ends = [choices[0]?.[0] ?? '', choices[timesTogether(slots) - 1]?.[0] ?? ''] as const
  const weekday = formats.weekday(serviceDate)
  const line = (name: string, label: string, more: object): Html =>
    lineField({ name, label, value: typed(visit, name), mistake: mistakes[name], ...more })
  return html`<form class="fields" method="post" action="${link(doorPath(venue, 'waitlist'))}" novalidate>
    <input type="hidden" name="do" value="list" />
    <input type="hidden" name="size" value="${size}" />
    <input type="hidden" name="date" value="${serviceDate}" />
    ${trapPart(visit, mistakes)}
    <div class="stack tight">
      <h2>${list.title(weekday)}</h2>
      <p>${list.intro(formats.number(settings.offerMinutes))}</p>
    </div>
    <div class="two">
      ${choiceField({ name: 'from', label: list.earliest, value: typed(visit, 'from') || ends[0], choices })}
      ${choiceField({ name: 'to', label: list.latest, value: typed(visit, 'to') || ends[1], choices, mistake: mistakes['to'] })}
    </div>
    <div class="two">
      ${line('name', form.name, { autocomplete: 'name', required: true })}
      ${line('email', form.email, { type: 'email', inputmode: 'email', autocomplete: 'email', required: true, most: 254 })}
    </div>
    <button class="btn">${list.submit(weekday)}</button>
  </form>`
}

/** How many of the full times come before an open one that lies between them: on a day that is full, all. */
const timesTogether = (slots: readonly Slot[]): number => {
  const later = slots.slice(slots.findIndex(isFull))
  const open = later.findIndex(({ evaluation }) => evaluation.ok)
  return later.slice(0, open < 0 ? undefined : open).filter(isFull).length
}

/** Puts a guest on the list of a day. */
export const joinList = async (work: Work, visit: TakingVisit): Promise<GuestAnswer> => {
  const { size, mistake } = askSize(visit, sizesNow(visit), typed(visit, 'size'))
  const date = readDate(typed(visit, 'date'))
  const token = formToken(visit)
  if (date === undefined) throw badRequest(visit.words.gone.text)
  // The page of booking asks for it.
  if (mistake !== undefined) return { to: here(visit, { size: typed(visit, 'size'), date }) }
  const slot = (name: string) => {
    const [day = '', time = ''] = typed(visit, name).split(' ')
    return readSlot(visit, day, time)
  }
  const [from, to] = [slot('from'), slot('to')]
  const [day] = (await timesOfDays(work, { from: date, days: 1, partySize: size })).days
  const found = { ...mistakesIn(visit), ...windowMistake(visit, day?.slots ?? [], from, to) }
  const again = (mistakes: Mistakes): ShownPage => ({
    ...listPage(visit, size, date, day, mistakes),
    status: 400,
  })
  if (token === undefined) return again(found)
  const joined = await makeOnce(work, { form: 'list', token, body: '' }, async () => {
    const mistakes = await orAskedOften(work, visit, found)
    if (!from || !to || Object.keys(mistakes).length > 0) return again(mistakes)
    return joinListByGuest(work, visit.settings, {
      guestName: typed(visit, 'name'),
      partySize: size,
      email: typed(visit, 'email'),
      phone: null,
      language: visit.language,
      formToken: token,
      from,
      to,
    })
  })
  return typeof joined === 'number' ? onList(work, visit, joined) : joined
}

/** What a guest on the list gets: their place, by its link. */
export const onList = async (work: Work, visit: Visit, id: number): Promise<GuestAnswer> => {
  const place = visit.link(visit.linkTo('place', id, 0))
  const date = readDate(typed(visit, 'date'))
  if (!visit.framed || date === undefined) return { to: place }
  const entry = await waitlistEntry(work.db, work.venue.id, id)
  return joinedInFrame(visit, entry?.party_size ?? 0, date, place)
}

/** Not a time, or one that is open: it is booked, not waited for. */
const windowMistake = (
  { words: { list }, formats }: Visit,
  slots: readonly Slot[],
  from: When | undefined,
  to: When | undefined,
): Mistakes => {
  if (!from || !to) return { to: list.enterWindow }
  const within = slots.filter(
    ({ startsAt }) =>
      Temporal.Instant.compare(from.startsAt, startsAt) <= 0 &&
      Temporal.Instant.compare(startsAt, to.startsAt) <= 0,
  )
  // Nothing to wait for: the wrong way round, or the day has closed meanwhile.
  if (!within.some(({ evaluation }) => evaluation.ok) && !within.some(isFull)) return { to: list.enterWindow }
  const open = within.find(({ evaluation }) => evaluation.ok)
  return open ? { to: list.enterFull(formats.time(open.time)) } : {}
}

const mistakesIn = (visit: Visit): Mistakes => {
  const { form } = visit.words
  const name = typed(visit, 'name')
  return {
    ...trapMistake(visit),
    ...(name === '' && { name: form.enterName }),
    ...(Array.from(name).length > limits.nameCharacters && {
      name: form.tooLong(visit.formats.number(limits.nameCharacters)),
    }),
    ...(!isEmailAddress(typed(visit, 'email')) && { email: form.enterEmail }),
  }
}

/** The form by itself, when something in it needs fixing. */
const listPage = (
  visit: Visit,
  size: number,
  date: LocalDate,
  day: DayTimes | undefined,
  mistakes: Mistakes,
): ShownPage => {
  const { words, formats, venue, link } = visit
  const title =
    day && stateOfDay(day) === 'full'
      ? words.book.fullTitle(formats.day(date))
      : words.list.submit(formats.weekday(date))
  return {
    title: `${title} · ${venue.name}`,
    look: 'narrow',
    body: card(html`${mistakeSummary(words, mistakes)}
        <h1>${title}</h1>
        ${day && listPart(visit, size, day, mistakes)}
        <p>
          <a class="tap" href="${link(`${doorPath(venue, 'book')}?size=${size}&date=${date}`)}">${words.book.anotherDay}</a>
        </p>`),
  }
}

/** In a frame no private link is shown: it leaves the frame. */
const joinedInFrame = (visit: Visit, partySize: number, date: LocalDate, place: string): ShownPage => {
  const { words, formats, venue } = visit
  const title = words.list.joinedTitle(formats.day(date))
  return {
    title: `${title} · ${venue.name}`,
    look: 'narrow',
    booked: { door: 'waitlist', partySize },
    body: card(html`<div class="stack">
          ${statePill('wait', 'waiting', words.list.state)}
          <h1>${title}</h1>
        </div>
        <div class="acts"><a class="btn" href="${place}" target="_top">${words.mail.list.see}</a></div>`),
  }
}
