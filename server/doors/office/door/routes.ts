import { type Html, html } from '../../../platform/html/html.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { typedLine } from '../../../platform/kernel/typed-fields.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { namesOfStaff } from '../../../core/staff/staff-names.ts'
import { admit, codeIn, takeBack } from '../../../tickets/admission/admit.ts'
import { countsOfDate, ordersAtDoor } from '../../../tickets/admission/door-reads.ts'
import { ticketsGoingBack } from '../../../tickets/admission/going-back.ts'
import { ticketsOf } from '../../../tickets/admission/tickets.ts'
import { dateById, datesBetween } from '../../../tickets/date-reads.ts'
import type { SoldOccurrence } from '../../../tickets/event-reads.ts'
import { soldOrder } from '../../../tickets/order-reads.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, nothing, page, part } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { idOf, wholeNumberIn } from '../parts/forms/fields.ts'
import { live } from '../parts/live.ts'
import { whenOf } from '../tickets/date-words.ts'
import { ticketsHead } from '../tickets/head.ts'
import { type DoorPlace, answerPart, backPart, foundPart } from './answer.ts'
import { codeReader } from './reader.ts'

/*
 * At the door: a date's tickets are scanned or looked up, and their holders let in. Any host may. It works as a plain
 * form; the script adds the camera and keeps presses while there is no network (assets/door.js).
 */

const home = '/office/tickets/door'

export const doorPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'host',
    answer: async (work) => page('At the door', await choosePart(work)),
  },
  {
    method: 'GET',
    path: `${home}/:id`,
    role: 'host',
    answer: async (work, { params, query, partOnly }) => {
      const date = await dateOf(work, params.id)
      if (partOnly) return countsAnswer(work, date, query.get('seen'))
      return doorPage(work, date, query.get('door') ?? '')
    },
  },
  {
    method: 'POST',
    path: `${home}/:id`,
    role: 'host',
    answer: async (work, asked) => {
      const occurrence = idOf(asked.params.id, 'date')
      // The script shows the answer alone, and asks for nothing more: a full door waits for it.
      if (asked.partOnly) return part(await saidTo(work, occurrence, asked.form))
      const date = await dateOf(work, asked.params.id)
      const said = await saidTo(work, occurrence, asked.form)
      return doorPage(work, date, asked.form.text('door'), said)
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/back`,
    role: 'host',
    answer: async (work, asked) => {
      const { form } = asked
      const date = await dateOf(work, asked.params.id)
      const back = { id: idOf(form.text('ticket'), 'ticket'), inAt: form.text('at') }
      const ticket = await takeBack(work, actorOf(work.me), back)
      const order = ticket && (await soldOrder(work.db, work.venue.id, ticket.order_id))
      const said = backPart(order, ticket)
      return asked.partOnly ? part(said) : doorPage(work, date, form.text('door'), said)
    },
  },
]

const dateOf = async ({ db, venue, now }: OfficeWork, id: string | undefined): Promise<SoldOccurrence> => {
  const date = await dateById(db, venue.id, idOf(id, 'date'), now())
  if (!date) throw notFound('date')
  return date
}

const doorCharacters = 40

const saidTo = async (work: OfficeWork, occurrence: number, form: Form): Promise<Html> => {
  const { db, venue } = work
  const door = typedLine('The door', form.text('door'), doorCharacters)
  const typed = form.text('typed')
  const ticket = form.text('ticket')
  const code = codeIn(typed)
  if (ticket !== '' || code !== undefined) {
    const shown = code === undefined ? { id: idOf(ticket, 'ticket') } : { code }
    const secondsAgo = wholeNumberIn(form.text('ago')) ?? 0
    const answer = await admit(work, actorOf(work.me), { occurrence, shown, door, secondsAgo })
    const isNamed = answer.outcome === 'already-in'
    return answerPart(answer, await placeOf(work, occurrence, form.text('door'), isNamed))
  }
  const orders = typed.trim() === '' ? [] : await ordersAtDoor(db, venue, occurrence, typed)
  const place = await placeOf(work, occurrence, form.text('door'), orders.length > 0)
  if (orders.length === 0) return answerPart({ outcome: 'unknown' }, place)
  const tickets = await ticketsOf(work, orders)
  return foundPart(
    await Promise.all(
      orders.map(async (order) => ({
        order,
        tickets: tickets.get(order.id) ?? [],
        going: await ticketsGoingBack(work, order),
      })),
    ),
    place,
  )
}

const placeOf = async (
  work: OfficeWork,
  occurrence: number,
  door: string,
  isNamed: boolean,
): Promise<DoorPlace> => ({
  here: `${home}/${occurrence}`,
  door,
  zone: work.venue.timezone,
  now: work.now(),
  names: isNamed ? await namesOfStaff(work.db, work.venue.id) : new Map(),
})

/** The dates of tonight, and of last night: a late one may run past midnight. */
const choosePart = async (work: OfficeWork): Promise<Html> => {
  const { db, venue, now } = work
  const { date: today } = wallTimeOf(now(), venue.timezone)
  const dates = await datesBetween(db, venue.id, addDays(today, -1), today, now())
  const shown = [...dates.filter(({ date }) => date === today), ...dates.filter(({ date }) => date !== today)]
  return html`${ticketsHead(work, home)}
    <section class="card list-card">
      ${
        shown.length === 0
          ? html`<p class="empty">Nothing is on today.</p>`
          : html`<ul class="rows dates">
              ${shown.map(
                (date) =>
                  html`<li>
                    <div class="grow">
                      <a class="row-link breaks" href="${home}/${date.id}">${date.event_name}</a>
                      <span class="small soft breaks">${date.date === today ? 'Today' : 'Yesterday'} · ${whenOf(date)}</span>
                    </div>
                    <a class="button ${date.date === today && 'primary'}" href="${home}/${date.id}">Open the door</a>
                  </li>`,
              )}
            </ul>`
      }
    </section>`
}

const doorPage = async (
  work: OfficeWork,
  date: SoldOccurrence,
  door: string,
  said?: Html,
): Promise<PageAnswer> => {
  const here = `${home}/${date.id}`
  return {
    ...page(
      `At the door: ${date.event_name}`,
      html`<div class="page-head">
          <div>
            <p class="small"><a class="crumb" href="${home}">‹ At the door</a></p>
            <h1 class="breaks">${date.event_name}</h1>
            <p class="soft breaks">${whenOf(date)}</p>
          </div>
          ${await countsPart(work, date)}
        </div>
        <div class="door-page" data-reader="${codeReader.address}">
          <form class="door-form card" method="post" action="${here}" id="door-form">
            <label class="field door-typed"
              ><span>Code, name or order number</span
              ><input name="typed" type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="100" autofocus
            /></label>
            <label class="field door-name"
              ><span>This door</span
              ><input name="door" type="text" value="${door}" autocomplete="off" maxlength="${doorCharacters}" placeholder="Door 1"
            /></label>
            <div class="actions">
              <button class="primary">Check</button>
              <button type="button" id="door-camera" hidden>Scan with the camera</button>
            </div>
            <video id="door-video" playsinline muted hidden aria-label="What the camera sees"></video>
            <p class="small soft" id="door-trouble" role="status"></p>
          </form>
          <div id="door-waiting" role="status"></div>
          <div id="door-answer" role="status" aria-live="assertive">${said}</div>
        </div>`,
    ),
    sheet: 'door',
  }
}

const markOf = ({ in: came, expected }: { readonly in: number; readonly expected: number }): string =>
  `${came}-${expected}`

const countsAnswer = async (
  work: OfficeWork,
  date: SoldOccurrence,
  seen: string | null,
): Promise<PageAnswer> => {
  const counts = await countsOfDate(work.db, work.venue.id, date.id)
  return markOf(counts) === seen ? nothing : part(countsOf(date, counts))
}

/** How many are in, of how many: other doors count along. */
const countsPart = async (work: OfficeWork, date: SoldOccurrence): Promise<Html> =>
  countsOf(date, await countsOfDate(work.db, work.venue.id, date.id))

const countsOf = ({ id }: SoldOccurrence, counts: { readonly in: number; readonly expected: number }): Html =>
  html`<p class="door-counts" ${live({ id: 'door-counts', address: `${home}/${id}`, mark: markOf(counts), every: '3s' })}>
    <span class="big">${counts.in}</span> of ${counts.expected} in
  </p>`
