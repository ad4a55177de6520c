import { html } from '../../../platform/html/html.ts'
import { badRequest, notFound } from '../../../platform/kernel/refusal.ts'
import { serversSeen } from '../../../book/servers/seen.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { eveningFloor } from '../../../book/tables/reads.ts'
import { tablesForEntry } from '../../../book/tables/offered/for-party.ts'
import { eveningOf } from '../../../book/waitlist/actions.ts'
import { waitlistEntry } from '../../../book/waitlist/reads.ts'
import { type PageAnswer, page, part } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { listForm } from '../parts/forms/list-form.ts'
import { guestsInWords, idIn } from '../parts/time-words.ts'
import { eveningBack } from '../today/read-day.ts'
import { turnsNow } from '../service/instead.ts'
import { isInTurn } from '../service/line-offers.ts'
import { offeredEntryMoves } from '../waitlist/entry.ts'
import { actorOf } from '../frame/actor.ts'
import { type Offered, offerLists, offersOf, otherTables } from './pick-offers.ts'

/** Where a party of the line is to sit: any table, as for a booking. A press seats them there, or pages them for a while. */
export const pickForLine = async (
  work: OfficeWork,
  { params, query, partOnly }: OfficeRequest,
): Promise<PageAnswer> => {
  const { db, venue } = work
  const id = idIn(params.id)
  const row = id === undefined ? undefined : await waitlistEntry(db, venue.id, id)
  if (!row) throw notFound('party on the waitlist')
  const [now, back] = [work.now(), eveningBack(query.get('back') ?? '')]
  const { serviceDateNow } = await eveningOf(work, now)
  const rules = await bookingRulesAround(db, venue, serviceDateNow)
  const [found, turns, evening, servers] = await Promise.all([
    tablesForEntry(work, row),
    turnsNow(work, rules, serviceDateNow, { entry: row.id }),
    eveningFloor(work, serviceDateNow),
    serversSeen(work, rules, serviceDateNow),
  ])
  if (!found) throw badRequest('Tables are off at this venue; a manager can turn them on.')
  const name = row.guest_name ?? 'No name'
  const moves = offeredEntryMoves(row, {
    ...{ actor: actorOf(work.me), now, serviceDateNow, timezone: venue.timezone },
  })
  const buttons = ({ kind, value, at, isBest }: Offered) =>
    html`${kind === 'short' && moves.has('page') && html`<button name="move" value="page ${value}" aria-label="Page for ${at.replace('at ', '')}">Page</button>`}<button name="move" value="seatNow ${value}" class="${isBest && 'primary'}" aria-label="Seat ${at}">Seat</button>`
  // Where a whole stay is open that nobody before them waits for, nobody who is late loses a table.
  const isOpen = found.open.some((one) => !one.neededBy && !isInTurn(turns, one))
  const offers = {
    ...(await offersOf(work, { ...found, ...(isOpen && { late: [] }) }, turns)),
    ...{ partySize: row.party_size ?? 1, from: now, time: null },
    ...{ evening, servers, now, timezone: venue.timezone },
  }
  const body = listForm(
    `/office/waitlist/${row.id}/moves`,
    { version: row.version, status: row.status, back },
    html`<h2>${name}, ${guestsInWords(row.party_size)}</h2>
    ${
      moves.has('seatNow')
        ? html`<p class="soft">on the waitlist</p>
            ${offerLists(offers, buttons, 'Pick one anyway.')} ${otherTables(offers, buttons)}`
        : html`<p>They are no longer in line and need no table.</p>`
    }`,
    { look: 'pick-form', live: partOnly },
  )
  if (partOnly) return part(body)
  return page(
    `Table for ${name}`,
    html`<div class="page-head"><h1>Table for ${name}</h1></div>
      <section class="card pick-page">${body}<a class="button" href="${back}">Never mind</a></section>`,
  )
}
