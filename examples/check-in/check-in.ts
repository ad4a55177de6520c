/*
 * Connects a point of sale with the book: when a check is opened at the POS, it finds the party's reservation, tells
 * the POS what the server should know, and writes the check's number to the reservation, so that spending can be traced
 * to the booking.
 *
 *   KEY=service_sk_… BASE_URL=http://127.0.0.1:8080 node check-in.ts
 *
 * Listens on PORT (default 3002), only on this machine. The POS sends POST /checks
 * `{"check": "A-1042", "phone": "+12125550123"}`, or `"name"` in the place of `"phone"`, and gets
 * `{"reservation": {…} | null, "guest": {…} | null, "card": "…"}`. Sent again, it gets the same.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { BadRequestError, PreconditionError, type Reservation, VenueData } from '@venue-data/sdk'

const { KEY, BASE_URL, PORT = '3002' } = process.env
if (!KEY || !BASE_URL) throw new Error('Set KEY and BASE_URL.')
const venue = new VenueData({ key: KEY, baseUrl: BASE_URL, timeoutMs: 10_000 })
const { timezone } = (await venue.me()).venue

type Check = { check: string; phone?: string; name?: string }

/** The service date: after midnight it is still yesterday's. */
const serviceDate = (): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(Date.now() - 5 * 3_600_000)

/** Lowercase, without accents, so "jose" finds "José". */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Tonight's parties that may be sitting here now, the one due closest to now first. */
const candidates = async ({ check, phone, name }: Check): Promise<Reservation[]> => {
  const date = serviceDate()
  const tonight = venue.reservations.list({
    dateFrom: date,
    dateTo: date,
    ...(phone && { phone }),
    limit: 100,
  })
  const now = minutes(new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeStyle: 'short' }).format())
  const found: Reservation[] = []
  for await (const one of tonight) {
    if (one.externalId === check) return [one]
    const isHere = one.status === 'Confirmed' || one.status === 'Seated'
    const isTaken = one.externalId !== null
    const isNamed = !name || plain(one.guestName ?? '').includes(plain(name))
    if (isHere && !isTaken && isNamed) found.push(one)
  }
  const away = ({ time }: Reservation): number => Math.abs(minutes(time ?? '00:00') - now)
  return found.toSorted((a, b) => away(a) - away(b))
}

/** Writes the check's number to the reservation, unless another check got there first. */
const join = async (reservation: Reservation, check: string): Promise<Reservation | undefined> => {
  if (reservation.externalId === check) return reservation
  try {
    const { revision: ifMatch } = reservation
    const written = await venue.reservations.update(reservation.id, { externalId: check }, { ifMatch })
    return 'reservation' in written ? (written.reservation ?? undefined) : undefined
  } catch (error) {
    if (!(error instanceof PreconditionError)) throw error
    // Somebody changed it in between: it is still theirs, if no other check has it.
    const current = await venue.reservations.get(reservation.id)
    return current.externalId === null ? join(current, check) : undefined
  }
}

const open = async (check: Check): Promise<object> => {
  for (const candidate of await candidates(check)) {
    const reservation = await join(candidate, check.check)
    if (!reservation) continue
    const { id, guestName, partySize, time, notes } = reservation
    const [guest = null] = await venue.guests.list({ reservation: id, limit: 1 }).all()
    const visits = guest?.visitCount ?? 0
    const seen = visits > 0 ? `visit ${visits + 1}, last here ${guest?.lastVisitDate}` : 'first visit'
    const card = [`${guestName}, party of ${partySize} at ${time}: ${seen}`, notes].filter(Boolean).join('. ')
    return { reservation, guest, card }
  }
  return { reservation: null, guest: null, card: 'No reservation: a walk-in.' }
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

const answer = async (request: IncomingMessage): Promise<[status: number, body: object]> => {
  if (request.method !== 'POST' || request.url !== '/checks')
    return [404, { error: 'There is only POST /checks.' }]
  try {
    const check = JSON.parse(await bodyOf(request)) as Check
    if (!check.check || !(check.phone || check.name))
      return [400, { error: 'Send the check and a phone or a name.' }]
    return [200, await open(check)]
  } catch (error) {
    if (error instanceof SyntaxError) return [400, { error: 'Send JSON.' }]
    if (error instanceof BadRequestError) return [400, { error: error.sentence }]
    // The POS continues without the book; the check can be sent again later.
    console.error(error)
    return [503, { error: 'The book cannot be reached.' }]
  }
}

createServer((request, response) => {
  answer(request).then(
    ([status, body]) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    () => response.destroy(),
  )
}).listen(Number(PORT), '127.0.0.1', () => console.log('The till may open checks.'))
