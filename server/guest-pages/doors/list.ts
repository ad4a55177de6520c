import { limits } from '@venue-data/contract/limits.ts'
import type { Work } from '../../context.ts'
import { type Html, html } from '../../html/html.ts'
import { isEmailAddress } from '../../kernel/email.ts'
import { badRequest } from '../../kernel/refusal.ts'
import { isUuid } from '../../kernel/uuid.ts'
import { type LocalDate, readDate } from '../../kernel/written-time.ts'
import { timesOfDays } from '../../reservations/availability.ts'
import type { Slot } from '../../reservations/rules/open-times.ts'
import { joinListByGuest } from '../../waitlist/join-by-guest.ts'
import {
  type Mistakes,
  card,
  choiceField,
  formTokenField,
  lineField,
  mistakeSummary,
  statePill,
} from '../frame/parts.ts'
import { orAskedOften, trapMistake, trapPart } from '../frame/trap.ts'
import { type GuestAnswer, type ShownPage, type Visit, doorPath, typed } from '../frame/visit.ts'
import { readSize, readSlot } from './booking-parts.ts'

/*
 * Waiting for a full day: offered below the times of that day (`book.ts`), and sent to the door of the line. It promises
 * nothing and holds nothing.
 */

type Day = { readonly serviceDate: LocalDate; readonly slots: readonly Slot[] }

/** The form to wait for a day; nothing where the door of the line is off or no time of the day is worth waiting for. */
export const listPart = (
  visit: Visit,
  size: number,
  { serviceDate, slots }: Day,
  mistakes: Mistakes = {},
): Html | undefined => {
  const { words, formats, venue, settings, link } = visit
  const { list, form } = words
  const full = slots.filter(isFull)
  if (!settings.doors.includes('waitlist') || full.length === 0) return undefined
  const choices = full.map(({ date, time }) => [`${date} ${time}`, formats.time(time)] as const)
  const ends = [choices[0]?.[0] ?? '', choices.at(-1)?.[0] ?? ''] as const
  const weekday = formats.weekday(serviceDate)
  const line = (name: string, label: string, more: object): Html =>
    lineField({ name, label, value: typed(visit, name), mistake: mistakes[name], ...more })
  return html`<form class="fields" method="post" action="${link(doorPath(venue, 'waitlist'))}" novalidate>
    <input type="hidden" name="do" value="list" />
    <input type="hidden" name="size" value="${size}" />
    <input type="hidden" name="date" value="${serviceDate}" />
    ${formTokenField(typed(visit, 'token'))} ${trapPart(visit, mistakes)}
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

/** A time that could be had if somebody gave up theirs: what a list is for. */
const isFull = ({ evaluation }: Slot): boolean =>
  evaluation.ok || /^pacing-|^tables-full$/.test(evaluation.refusal.reason)

/** Puts a guest on the list of a day. */
export const joinList = async (work: Work, visit: Visit): Promise<GuestAnswer> => {
  const size = readSize(typed(visit, 'size'), 2)
  const date = readDate(typed(visit, 'date'))
  const token = typed(visit, 'token')
  if (date === undefined || !isUuid(token)) throw badRequest(visit.words.gone.text)
  const slot = (name: string) => {
    const [day = '', time = ''] = typed(visit, name).split(' ')
    return readSlot(visit, day, time)
  }
  const [from, to] = [slot('from'), slot('to')]
  const isNoWindow = !from || !to || Temporal.Instant.compare(from.startsAt, to.startsAt) > 0
  const mistakes = await orAskedOften(work, visit, mistakesIn(visit, isNoWindow))
  if (!from || !to || Object.keys(mistakes).length > 0)
    return { ...(await listPage(work, visit, size, date, mistakes)), status: 400 }
  const id = await joinListByGuest(work, {
    guestName: typed(visit, 'name'),
    partySize: size,
    email: typed(visit, 'email'),
    phone: null,
    language: visit.language,
    formToken: token,
    from,
    to,
  })
  const place = visit.link(visit.linkTo('place', id, 0))
  return visit.framed ? joinedInFrame(visit, date, place) : { to: place }
}

const mistakesIn = (visit: Visit, isNoWindow: boolean): Mistakes => {
  const { form, list } = visit.words
  const name = typed(visit, 'name')
  return {
    ...trapMistake(visit),
    ...(isNoWindow && { to: list.enterWindow }),
    ...(name === '' && { name: form.enterName }),
    ...(Array.from(name).length > limits.nameCharacters && {
      name: form.tooLong(visit.formats.number(limits.nameCharacters)),
    }),
    ...(!isEmailAddress(typed(visit, 'email')) && { email: form.enterEmail }),
  }
}

/** The form by itself, when something in it needs fixing. */
const listPage = async (
  work: Work,
  visit: Visit,
  size: number,
  date: LocalDate,
  mistakes: Mistakes,
): Promise<ShownPage> => {
  const { words, formats, venue, link } = visit
  const [day] = (await timesOfDays(work, { from: date, days: 1, partySize: size })).days
  const title = words.book.fullTitle(formats.day(date))
  return {
    title: `${title} · ${venue.name}`,
    look: 'narrow',
    body: card(html`${mistakeSummary(words, mistakes)}
        <h1>${title}</h1>
        ${day && listPart(visit, size, day, mistakes)}
        <p>
          <a class="tap" href="${link(`${doorPath(venue, 'book')}?size=${size}&month=${date}`)}">${words.book.anotherDay}</a>
        </p>`),
  }
}

/** In a frame no private link is shown: it leaves the frame. */
const joinedInFrame = (visit: Visit, date: LocalDate, place: string): ShownPage => {
  const { words, formats, venue } = visit
  const title = words.list.joinedTitle(formats.day(date))
  return {
    title: `${title} · ${venue.name}`,
    look: 'narrow',
    body: card(html`<div class="stack">
          ${statePill('wait', 'waiting', words.list.state)}
          <h1>${title}</h1>
        </div>
        <div class="acts"><a class="btn" href="${place}" target="_top">${words.mail.list.see}</a></div>`),
  }
}
