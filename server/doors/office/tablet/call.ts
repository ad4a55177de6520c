import type { Context } from '../../../context.ts'
import { guestsOfPhone } from '../../../crm/guests/search-guests.ts'
import type { StaffGuestRow } from '../../../crm/guests/guest.ts'
import { housesOfGuests } from '../../../crm/house/reads.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { type PhoneKey, phoneKey } from '../../../platform/kernel/phone/phone.ts'
import { open, seal } from '../../../platform/kernel/secrets.ts'
import type { EntryRow } from '../../../book/day/entry-row.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { serviceDateAt } from '../../../book/rules/service-now.ts'
import { isInLine } from '../../../book/waitlist/guest-place.ts'
import { lineOfPhone } from '../../../book/waitlist/search-line.ts'
import { actorOf } from '../frame/actor.ts'
import { newPage } from '../bookings/booking-routes.ts'
import { go, page } from '../frame/page.ts'
import type { OfficePage, OfficeWork } from '../frame/serve-page.ts'
import { group, guestFind, partyFind } from '../search/routes.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'

/*
 * Who is calling: the page that a phone system opens with the caller's number. The number leaves the address at once, so
 * that it is in no history and no log of a proxy; what takes its place is sealed, and good for ten minutes.
 */

const goodForMinutes = 10

/** More than any number that is written with its extension. */
const mostCharacters = 64

export const callPages = ({ secrets, random, clock }: Context): readonly OfficePage[] => [
  {
    method: 'GET',
    path: '/office/call',
    role: 'anyone',
    notForServers: true,
    answer: async (_context, { query }) => {
      // Systems that do not escape a plus send what is read as a blank.
      const number = (query.get('number') ?? '').replace(/^ (?=\d)/, '+').trim()
      if (number === '' || number.length > mostCharacters)
        throw badRequest('Add the caller’s number to the address: /office/call?number=%2B12125550123')
      const call = seal(secrets, `${clock().epochMilliseconds} ${number}`, sealedFor, random(12))
      return go(`/office/caller?call=${call}`)
    },
  },
  {
    method: 'GET',
    path: '/office/caller',
    role: 'host',
    answer: async (work, { query }) => {
      const call = query.get('call') ?? ''
      const number = numberOf({ secrets }, call, work.now())
      if (number === undefined) return go('/office/bookings/new')
      const { date } = wallTimeOf(work.now(), work.venue.timezone)
      const phone = query.has('new') ? undefined : phoneKey(number)
      const known = phone && (await knownBy(work, phone))
      if (known) {
        const { guests, parties } = known
        const [guest, party] = [guests[0], parties[0]]
        const isOne = guests.length + parties.length === 1
        if (isOne && guest) return go(`/office/guests/${guest.id}`)
        if (isOne && party && isInLine(party)) return go(`/office/waitlist#w${party.id}`)
        if (guest || party)
          return page('Who is calling?', await whoPart(work, known, `/office/caller?call=${call}&new=yes`))
      }
      return newPage(work, { seen: { typed: { date, partySize: '2', time: '', phone: number } } })
    },
  },
]

const sealedFor = 'phone call'

/** The number of a call of the last ten minutes; undefined for any other, and for what was not sealed here. */
const numberOf = (
  { secrets }: Pick<Context, 'secrets'>,
  call: string,
  now: Temporal.Instant,
): string | undefined => {
  try {
    const [, at, number] = /^(\d+) (.+)$/s.exec(open(secrets, call, sealedFor)) ?? []
    return now.epochMilliseconds - Number(at) < goodForMinutes * 60_000 ? number : undefined
  } catch {
    return undefined
  }
}

type Known = {
  readonly guests: readonly StaffGuestRow[]
  readonly parties: readonly EntryRow[]
  readonly today: LocalDate
}

/** Whose number it is: guests, and parties of the waitlist, who are no guests before they sit down. */
const knownBy = async ({ db, venue, now }: OfficeWork, phone: PhoneKey): Promise<Known> => {
  const at = now()
  const { date } = wallTimeOf(at, venue.timezone)
  const today = serviceDateAt(await bookingRulesAround(db, venue, date), at)
  const [guests, parties] = await Promise.all([
    guestsOfPhone(db, venue.id, phone),
    lineOfPhone(db, venue.id, today, phone),
  ])
  return { guests, parties, today }
}

/** Several with one number, such as a family or a guest who waits, and a booking for somebody else. */
const whoPart = async (work: OfficeWork, { guests, parties, today }: Known, toNew: string): Promise<Html> => {
  const { db, venue } = work
  const houses = await housesOfGuests(
    db,
    venue.id,
    guests.map(({ id }) => id),
  )
  const place = { actor: actorOf(work.me), now: work.now(), serviceDateNow: today, timezone: venue.timezone }
  return html`<div class="page-head">
      <h1>Who is calling?</h1>
      <a class="button" href="${toNew}">Someone else</a>
    </div>
    <section class="card finds">
      ${group(
        'Waitlist',
        parties.map((row) => partyFind(row, place)),
      )}
      ${group(
        'Guests',
        guests.map((guest) => guestFind(guest, houses.get(guest.id))),
      )}
    </section>`
}
