/*
 * A booking page for your own site: plain forms without script. The guest picks a size and a day, then a time, and leaves a
 * name and a phone number or an email.
 *
 *   KEY=service_sk_… BASE_URL=http://127.0.0.1:8080 node booking-page.ts
 *
 * Listens on PORT, 3003 without it, at this machine only: put your web server in front. The key stays here and is never in
 * the page.
 */
import { hash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import {
  BadRequestError,
  ConflictError,
  OutcomeUnknownError,
  type Reservation,
  VenueData,
  VenueDataError,
} from '@venue-data/sdk'

const { KEY, BASE_URL, PORT = '3003' } = process.env
if (!KEY || !BASE_URL) throw new Error('Set KEY and BASE_URL.')
// The guest is waiting for the page.
const venue = new VenueData({ key: KEY, baseUrl: BASE_URL, timeoutMs: 15_000 })
const { timezone, name: venueName } = (await venue.me()).venue
type Time = { date: string; time: string; startsAt: string }
type Page = { status: number; main: string }
type Form = Record<string, string | undefined>
type Value = string | number | null | undefined | string[]
/** Text as markup; the items of an array are already markup. */
const marked = (one: Value): string =>
  Array.isArray(one)
    ? one.join('')
    : String(one ?? '').replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`)
const html = (parts: TemplateStringsArray, ...values: Value[]): string =>
  String.raw({ raw: parts }, ...values.map(marked))

// Dates and times are by the venue's clock, wherever the guest or this server may be.
const spokenIn = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })
const spoken = ({ date, time }: { date: string | null; time: string | null }): string =>
  spokenIn.format(new Date(`${date}T${time}Z`))
const today = (): string => new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format()

const field = (label: string, name: string, form: Form, more = ''): string =>
  html`<p><label>${label} <input name="${name}" value="${form[name]}" ${[more]}></label></p>`

/** The times to choose from, and who is coming. `once` makes the form one request, however often it is sent. */
const details = (form: Form, times: readonly Time[]): string => html`
  <form method="post" action="/book">
    <input type="hidden" name="once" value="${form.once ?? crypto.randomUUID()}">
    <input type="hidden" name="partySize" value="${form.partySize}">
    <fieldset><legend>Time</legend>${times.map(
      (one) =>
        html`<label><input type="radio" name="startsAt" required value="${one.startsAt}"
          ${one.startsAt === form.startsAt ? ['checked'] : []}> ${spoken(one)}</label> `,
    )}</fieldset>
    ${[
      field('Name', 'guestName', form, 'required autocomplete="name"'),
      field('Phone', 'phone', form, 'type="tel" autocomplete="tel"'),
      field('Email', 'email', form, 'type="email" autocomplete="email"'),
      field('Notes', 'notes', form),
    ]}
    <button>Request this table</button>
  </form>`

const choose = (form: Form): string => html`
  <form action="/">${[
    field('Guests', 'partySize', form, 'type="number" min="1" required'),
    field('Date', 'date', form, `type="date" min="${today()}" required`),
  ]}<button>Show times</button></form>`

const problem = (sentence: string): string => html`<p role="alert">${sentence}</p>`

const receipt = (booked: Reservation): string => {
  const state = booked.status === 'Confirmed' ? 'is booked' : 'is requested; we will write to confirm it'
  return html`<p>Your table for ${booked.partySize} on ${spoken(booked)} ${state}. Its number is ${booked.id}.</p>`
}

const shown = async (form: Form): Promise<Page> => {
  const asked = { partySize: '2', date: today(), ...form }
  const { days } = await venue.availability.get({ date: asked.date, partySize: Number(asked.partySize) })
  const times = days.flatMap(({ slots }) => slots)
  const none = problem(days[0]?.closed?.sentence ?? 'No table is open that day. Try another.')
  return { status: 200, main: choose(asked) + (times.length > 0 ? details(asked, times) : none) }
}

const booked = async (form: Form): Promise<Page> => {
  const { once, ...typed } = form
  const { partySize, startsAt, guestName = '', ...rest } = typed
  // The same form sent twice is one booking; another time or a corrected name is another request.
  const key = hash('sha256', JSON.stringify([once, typed]))
  try {
    const { reservation } = await venue.reservations.create(
      { guestName, partySize: Number(partySize), startsAt, ...rest },
      { alternatives: 3, idempotencyKey: key },
    )
    return { status: 200, main: receipt(reservation) }
  } catch (error) {
    if (error instanceof OutcomeUnknownError) {
      const [made] = ((await error.resolve()) ?? []) as Reservation[]
      if (made) return { status: 200, main: receipt(made) }
    }
    if (error instanceof ConflictError) {
      const times = error.alternatives ?? []
      const next = times.length > 0 ? details(form, times) : choose(form)
      return { status: 409, main: problem(`Nothing was booked. ${error.sentence}`) + next }
    }
    if (!(error instanceof BadRequestError) || !startsAt) throw error
    const time = { startsAt, date: startsAt.slice(0, 10), time: startsAt.slice(11, 16) }
    return { status: 400, main: problem(error.sentence) + details(form, [time]) }
  }
}

/** What was typed; what was left empty was not typed. */
const formOf = (text: URLSearchParams): Form => Object.fromEntries([...text].filter(([, value]) => value))

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) if (text.length < 10_000) text += String(chunk)
  return text
}

const answer = async (request: IncomingMessage): Promise<Page> => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here')
  try {
    if (request.method === 'GET' && pathname === '/') return await shown(formOf(searchParams))
    if (request.method === 'POST' && pathname === '/book')
      return await booked(formOf(new URLSearchParams(await bodyOf(request))))
    return { status: 404, main: 'There is no such page.' }
  } catch (error) {
    if (error instanceof BadRequestError) return { status: 400, main: problem(error.sentence) + choose({}) }
    if (!(error instanceof VenueDataError)) throw error
    console.error(error.message)
    const sentence = 'We cannot reach our book right now. Reload in a minute: you will not be booked twice.'
    return { status: 503, main: problem(sentence) }
  }
}

createServer((request, response) => {
  answer(request).then(
    ({ status, main }) =>
      response
        .writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
        .end(
          html`<!doctype html><html lang="en"><title>${venueName}</title><h1>${venueName}</h1>${[main]}</html>`,
        ),
    () => response.destroy(),
  )
}).listen(Number(PORT), '127.0.0.1', () => console.log('The page is open.'))
