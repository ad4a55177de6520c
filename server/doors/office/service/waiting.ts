import { type Html, html } from '../../../platform/html/html.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { offerEnds } from '../../../book/waitlist/expiry.ts'
import type { EntryRow } from '../../../book/day/entry-row.ts'
import { eachMinute } from '../parts/each-minute.ts'
import { icon } from '../parts/icon.ts'
import { pickLink } from '../parts/table-cell.ts'
import { plate } from '../parts/plate.ts'
import { guestsInWords, inMinutes, minutesSince, overMinutes, sinceInWords } from '../parts/time-words.ts'
import type { RowPlace } from '../today/booking-row.ts'
import { reachedPart, unreachedBadge } from '../waitlist/paged-words.ts'
import { textLink } from '../texts/text-link.ts'
import { asideOf, button, entryForm, goneWords, offeredEntryMoves, offerButtons } from '../waitlist/entry.ts'
import { changeFields } from '../waitlist/change.ts'
import { peek } from './peek.ts'
import { type LineOffer, promisedAt } from './line-offers.ts'
import { likelyWords } from './instead.ts'
import { rowName } from './row-name.ts'
import { plainTime } from '../parts/plain-time.ts'
import { phoneInWords } from '../../../platform/kernel/phone/shown-phone.ts'

/** What a paged party may count on: its table, and how many minutes more; or that none is held. */
const pagedFact = (row: EntryRow, { paged, now }: RowPlace): Html => {
  const { id, paged_at } = row
  const until = offerEnds(row)
  const held = eachMinute(now, (at) => {
    const leftMs = until ? until.epochMilliseconds - at.epochMilliseconds : 0
    return `held ${Math.max(0, Math.ceil(leftMs / 60_000))} min`
  })
  if (paged === undefined) return html`Paged, <span class="hidden-text">table </span>${held}`
  const label = paged.get(id)
  return label === undefined
    ? eachMinute(now, (at) => `No table held, paged ${sinceInWords(paged_at ?? at, at)}`)
    : html`Paged, <b><span class="hidden-text">table </span>${label}</b> ${held}`
}

/** A party that did not come back in time, or past its time: still to be seen, one press from the line. */
export const lapsedRow = (row: EntryRow, place: RowPlace): Html => {
  const offered = offeredEntryMoves(row, { ...place, serviceDateNow: place.today })
  return html`<li id="w${row.id}" class="row">
    <span class="row-when"
      >${row.left_at === null ? '' : plainTime(wallTimeOf(toInstant(row.left_at), place.timezone).time)}<span>ended</span></span
    >
    ${plate(row.party_size, 'waiting')}
    <span class="row-who"
      >${rowName(row.guest_name ?? 'No name', `${guestsInWords(row.party_size)}, off the waitlist`)}<span class="chips"
        ><span class="row-fact">${goneWords(row)}</span>${unreachedBadge(row, place)}${row.phone !== null && html`<span class="row-words">${phoneInWords(row.phone)}</span>`}</span
      ></span
    >
    ${entryForm(row, html`<span class="row-go">${offered.has('rejoin') && button(row, 'rejoin')}</span>`, {
      list: '#book',
      back: place.back,
    })}
  </li>`
}

/** What breaks a promise, or moves many others, is read in the menu before it is done. */
const isReadFirst = (best: LineOffer | undefined): boolean => best?.isBroken === true || best?.isMany === true

/** Pages them; where their table is free for a while only, for that table until then, as the row says. */
const pagePress = (row: EntryRow, best: LineOffer | undefined): Html =>
  best?.short && !best.isKept
    ? html`<button id="w${row.id}-page" name="move" value="page ${best.value}" title="Page for ${best.label} ${best.words}">Page</button>`
    : button(row, 'page', 'Page')

/** A table that is free so many minutes later than was promised is what was promised. */
const promiseMinutes = 5

/** A party of the waitlist among those who wait. */
export const waitingRow = (row: EntryRow, place: RowPlace, isFirst: boolean): Html => {
  const offered = offeredEntryMoves(row, { ...place, serviceDateNow: place.today })
  const due = promisedAt(row)
  const over = (at: Temporal.Instant) => minutesSince(due, at)
  const isPaged = row.status === 'offered' && row.paged_at !== null
  const name = row.guest_name ?? 'No name'
  const main = isPaged ? 'seatNow' : 'page'
  // Paged before a table was held for them, they are still offered those that there are.
  const isHeld = isPaged && (place.paged === undefined || place.paged.has(row.id))
  const offers = (!isHeld && place.offers?.byParty.get(row.id)) || []
  const [best] = offers
  const needed = best?.needed && `${best.label} ${best.words}; ${best.needed}`
  // What takes two lines leaves no room for how long they wait: the peek has it.
  const isLong = best !== undefined && (needed !== undefined || best.moves.size > 0)
  const next = isPaged || best ? undefined : place.likely?.get(row.id)
  // Only where it is not when they were promised one.
  const later = next && minutesSince(due, next.at) > promiseMinutes ? next : undefined
  const isJoined = (later?.tables.length ?? 0) > 1
  const laterWords = later && likelyWords(later, place.timezone)
  const menu = `wm${row.id}`
  const fact = isPaged
    ? pagedFact(row, place)
    : eachMinute(place.now, (at) => `Waiting ${Math.max(0, minutesSince(row.created_at, at))} min`)
  const reached = reachedPart(row, place)
  const read = peek(
    {
      ...row,
      name,
      isToCall: true,
      // A row has no room for the names of tables that are joined.
      ends: isLong ? (needed ?? `${best.label} ${best.words}`) : isJoined ? laterWords : undefined,
      more: [
        ['Waitlist', html`${fact} ${row.coming_at !== null && 'On their way'} ${reached}`],
        ...(laterWords !== undefined && !isJoined ? [['Table', laterWords] as const] : []),
        ...(best && !isLong ? [['Table', `${best.label} ${best.words}`] as const] : []),
      ],
    },
    `w${row.id}`,
    plate(row.party_size, isPaged ? 'here' : 'waiting'),
  )
  const press = main === 'page' ? pagePress(row, best) : button(row, main, 'Seat', isPaged)
  const go = isReadFirst(best)
    ? html`<button type="button" id="w${row.id}-read" popovertarget="${menu}" title="${needed ?? best?.words}">${isPaged ? 'Seat' : 'Page'}…</button>`
    : press
  return html`<li id="w${row.id}" class="row ${isFirst && 'first'}">
    <span class="row-when"
      >${plainTime(wallTimeOf(due, place.timezone).time)}${
        row.quoted_at === null
          ? html`<span>no quote</span>`
          : html`<span class="${over(place.now) > 0 && 'bad'}"
              >${eachMinute(place.now, (at) => (over(at) > 0 ? overMinutes(over(at)) : inMinutes(-over(at))))}</span
            >`
      }</span
    >
    ${read.plate}
    <span class="row-who"
      >${rowName(name, `${guestsInWords(row.party_size)}, on the waitlist`)}<span class="chips"
        >${
          best &&
          isLong &&
          html`<span class="row-fact two-lines ${needed || best.isMany ? 'warn' : 'good'}" title="${needed ?? best.words}">${best.label} ${best.brief}${!best.isKept && best.needed && html`; ${best.neededBrief ?? best.needed}`}</span>`
        }<span class="row-fact">${fact}</span>${later && html`<span class="row-fact row-facts bad" title="${laterWords}">likely ${isJoined ? '' : `${later.tables[0]?.label}, `}${plainTime(wallTimeOf(later.at, place.timezone).time)}</span>`}${best && !isLong && html`<span class="row-fact row-facts good" title="${best.words}">${best.label} ${best.brief}</span>`}${row.coming_at !== null && html`<span class="row-fact">On their way</span>`}${reached}${
          row.notes !== null && html`<span class="row-words">${row.notes}</span>`
        }${row.phone !== null && html`<span class="row-words">${phoneInWords(row.phone)}</span>`}</span
      ></span
    >
    ${entryForm(
      row,
      html`<button
          class="hidden-text"
          name="move"
          value="typed"
          tabindex="-1"
          aria-hidden="true"
        >
          Send</button
        ><span class="row-go"
          >${offered.has(main) && go}</span
        ><button type="button" class="row-more" popovertarget="${menu}" aria-label="More for ${name}">${icon('ellipsis')}</button>
        <div id="${menu}" class="row-menu" popover>
          <p class="strong">${name}</p>
          ${offerButtons(row, offers, offered, place)}
          ${place.tables && offered.has('seatNow') && html`<a class="button" ${pickLink(row.id, place.back, 'waitlist')}>Choose a table</a>`}
          ${(['page', 'seatNow', 'notYet', 'quote', 'bookForLater', 'leave'] as const)
            .filter((one) => (one !== main || isReadFirst(best)) && offered.has(one))
            .map((one) =>
              asideOf(row, one, undefined, place.back),
            )}${changeFields(row)}${textLink({ kind: 'waitlist_entry', ...row }, place, place.back)}
        </div>`,
      { list: '#book', back: place.back },
    )}
    ${read.words}
  </li>`
}
