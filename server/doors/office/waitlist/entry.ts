import type { Actor } from '../../../core/activity/actor.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { momentInWords, timeInWords, timeOf } from '../../../platform/kernel/time/in-words.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { offerEnds } from '../../../book/waitlist/expiry.ts'
import type { LastText } from '../../../book/texts/texts-store.ts'
import type { StaySeen } from '../../../book/reservations/chosen-tables.ts'
import type { LineOffer } from '../service/line-offers.ts'
import { stayIn } from '../parts/forms/table-fields.ts'
import type { EntryRow } from '../../../book/day/entry-row.ts'
import { mayHaveLink, mayMailPlace } from '../../../book/waitlist/staff-link.ts'
import { type WaitlistMoveName, waitlistMoves } from '../../../book/waitlist/states.ts'
import { judgeWaitlistMove } from '../../../book/waitlist/transition.ts'
import type { Form } from '../frame/page.ts'
import { eachMinute } from '../parts/each-minute.ts'
import { listForm } from '../parts/forms/list-form.ts'
import { oneMorePress } from '../parts/forms/one-more-press.ts'
import { tag, waitlistTag } from '../parts/tags.ts'
import type { RowPlace } from '../today/booking-row.ts'
import { offerChips } from '../parts/server-chip.ts'
import { phoneLink } from '../texts/phone-link.ts'
import { mayType, textLink } from '../texts/text-link.ts'
import { changeFields } from './change.ts'
import { reachedPart } from './paged-words.ts'
import { guestsInWords, minutesInWords, minutesSince, sinceInWords } from '../parts/time-words.ts'

export type LinePlace = {
  readonly actor: Actor & { kind: 'staff' }
  readonly now: Temporal.Instant
  readonly serviceDateNow: LocalDate
  readonly timezone: string
  /** The results of the last texts to them, and their replies. */
  readonly texts?: ReadonlyMap<number, LastText> | undefined
  /** Whether staff can text anybody. */
  readonly mayText?: boolean | undefined
  /** The parties whom the last mail did not reach. */
  readonly unreached?: ReadonlySet<number> | undefined
  /** The tables that paged parties at the door hold, where tables decide. */
  readonly paged?: ReadonlyMap<number, string> | undefined
  /** What was typed in a party's row, if it was refused. */
  readonly typed?: { readonly id: number; readonly minutes: string }
}

/** A party on the waitlist or off it, with what can be done now. */
export const entryRow = (row: EntryRow, place: LinePlace): Html => {
  const offered = offeredEntryMoves(row, place)
  const inLine = row.status === 'waiting' || row.status === 'offered'
  // A party waiting for another day is not at the door: paging and seating it are under "More".
  const isLater = (row.service_date ?? row.date ?? '') > place.serviceDateNow
  const comings = (['page', 'seatNow'] as const).filter((name) => offered.has(name))
  const aside = [
    ...(isLater ? comings : []),
    ...(
      ['leave', 'notYet', ...(row.for_later ? (['offer'] as const) : []), 'quote', 'bookForLater'] as const
    ).filter((name) => offered.has(name)),
  ]
  return html`<li id="w${row.id}" class="booking party">
    <span class="size"
      ><span aria-hidden="true">${row.party_size ?? '?'}</span
      ><span class="hidden-text">${guestsInWords(row.party_size)}</span></span
    >
    <div class="who">
      <span class="name">${row.guest_name ?? 'No name'}</span>
      ${statusTag(row, place)} ${reachedPart(row, place)} ${inLine && row.coming_at !== null && tag('On their way', 'good')} ${row.phone !== null && phoneLink(row.phone)}
      ${windowOf(row)} ${row.notes !== null && html`<p class="booking-notes">${row.notes}</p>`}
    </div>
    ${inLine ? waiting(row, place) : html`<span class="small soft">${endOf(row, place.timezone)}</span>`}
    ${entryForm(
      row,
      html`${
        offered.has('quote') &&
        html`<button class="hidden-text" name="move" value="typed" tabindex="-1" aria-hidden="true">Send</button>`
      }
        <div class="steps">
          ${!isLater && comings.map((name) => button(row, name, labelOf(row, name), name === 'seatNow'))}
          ${offered.has('recall') && button(row, 'recall')} ${offered.has('rejoin') && button(row, 'rejoin')}
          ${
            row.reservation_id !== null &&
            html`<a class="button quiet" href="/office/bookings/${row.reservation_id}">Booking</a>`
          }
        </div>
        ${
          (aside.length > 0 || mayHaveLink(row) || mayType(row, place)) &&
          html`<details id="wm${row.id}" class="more" ${place.typed?.id === row.id && html`open`}>
            <summary aria-label="More for ${row.guest_name ?? 'this party'}">More</summary>
            <div class="asides">${aside.map((name) => asideOf(row, name, place.typed, '/office/waitlist'))} ${inLine && changeFields(row)} ${textLink({ kind: 'waitlist_entry', ...row }, place, '/office/waitlist')} ${linkButtons(row)}</div>
          </details>`
        }`,
    )}
  </li>`
}

/** For the private link to their own place. */
const linkButtons = (row: EntryRow): Html => {
  const mayMail = mayMailPlace(row)
  return html`${mayMail && html`<button name="move" value="mailLink">Email their link</button>`}
  ${mayHaveLink(row) && html`<button name="move" value="renewLink">End their link${mayMail && ', email a new one'}</button>`}`
}

const moveNames = Object.keys(waitlistMoves) as WaitlistMoveName[]

/** What the table of moves would allow somebody to do now. */
export const offeredEntryMoves = (row: EntryRow, place: LinePlace): ReadonlySet<WaitlistMoveName> =>
  new Set(moveNames.filter((name) => judgeWaitlistMove(name, row, place).kind === 'go'))

/** A form around a party's buttons, as in the book; `back` is the page to return to, if it is not the waitlist. */
export const entryForm = (
  { id, version, status }: Pick<EntryRow, 'id' | 'version' | 'status'>,
  buttons: Html,
  { live = true, list = '#line', back }: { live?: boolean; list?: '#line' | '#book'; back?: string } = {},
): Html => listForm(`/office/waitlist/${id}/moves`, { version, status, back }, buttons, { live, list })

export const button = (
  { id }: Pick<EntryRow, 'id'>,
  name: WaitlistMoveName,
  label: string = waitlistMoves[name].label,
  primary = false,
): Html =>
  html`<button id="w${id}-${name}" name="move" value="${name}" ${primary && html`class="primary"`}>${label}</button>`

/** Why a party is no longer in line. */
export const goneWords = ({ status, paged_at }: EntryRow): string =>
  status === 'cancelled' ? 'Left the waitlist' : paged_at === null ? 'Waited too long' : 'Paged, did not come'

/** Enter in a field presses the form's first button, a hidden one: without minutes for a quote it is one of the party's own. */
export const moveTyped = (form: Form): string => {
  const [move = ''] = form.text('move').split(' ', 1)
  if (move !== 'typed') return move
  return form.text('quotedMinutes') === '' && form.has('partySize') ? 'change' : 'quote'
}

/** The tables that a button names behind its move, `page 31@2026-10-07T00:00:00Z`, or a field of its form. */
export const stayTyped = (form: Form): StaySeen => {
  const named = form.text('move').split(' ').slice(1).join(' ')
  return named === '' ? stayIn(form) : stayIn(form, named)
}

/** The tables that a party of the line could have now: to seat it there, or for a while only, to page it, too. */
export const offerButtons = (
  { id }: Pick<EntryRow, 'id'>,
  offers: readonly LineOffer[],
  offered: ReadonlySet<WaitlistMoveName>,
  { servers, now }: Pick<RowPlace, 'servers' | 'now'>,
): Html[] => {
  const chips = offerChips(
    servers,
    offers.map(({ ids }) => ids),
    now,
  )
  return offers.flatMap(({ label, words, short, value, needed, isKept, isMany, isBroken }, n) =>
    // A page holds the best table by itself, and none that is kept for others.
    (['seatNow', ...(short && !isKept ? (['page'] as const) : [])] as const)
      .filter((name) => offered.has(name))
      .map((name) => {
        const press = html`<button id="w${id}-${name}-${short ? 'short' : 'whole'}-${n}" name="move" value="${name} ${value}">
            ${name === 'page' ? 'Page for' : 'Seat at'} ${label}${short || words.startsWith('when') ? ' ' : ', '}${words}${needed && `; ${needed}`}${chips[n]}
          </button>`
        return isBroken || isMany ? oneMorePress(`Seat at ${label}`, press) : press
      }),
  )
}

/** A new quote needs its minutes; a table for later is booked in the sheet, which comes back to `back`. */
export const asideOf = (
  row: EntryRow,
  name: WaitlistMoveName,
  sent: LinePlace['typed'],
  back: string,
): Html => {
  const typed = sent?.id === row.id ? sent : undefined
  if (name === 'quote') {
    return html`<span class="short"
      ><input
        name="quotedMinutes"
        value="${typed?.minutes}"
        type="number"
        inputmode="numeric"
        min="0"
        max="600"
        placeholder="Minutes"
        aria-label="New quote in minutes"
      />${button(row, name)}</span
    >`
  }
  if (name === 'bookForLater') {
    return html`<a class="button" href="/office/bookings/new?entry=${row.id}&amp;back=${back}">${waitlistMoves[name].label}</a>`
  }
  return button(row, name, labelOf(row, name))
}

const labelOf = ({ paged_at }: EntryRow, name: WaitlistMoveName): string =>
  name === 'page' && paged_at !== null ? 'Page again' : waitlistMoves[name].label

const statusTag = (row: EntryRow, { now, timezone, paged }: LinePlace): Html => {
  const until = offerEnds(row)
  const { paged_at } = row
  if (until === undefined || paged_at === null)
    return row.status === 'waiting' ? html`` : waitlistTag(row.status)
  return html`${tag(
    eachMinute(now, (at) => `${row.for_later ? 'Offered' : 'Paged'} ${sinceInWords(paged_at, at)}`),
    'warn',
  )}
    <span class="small soft nowrap">${heldUntil(row, paged)} until ${timeOf(until, timezone)}</span>`
}

/** At the door a table may not be free yet; a table for later always is. */
const heldUntil = ({ id, for_later }: EntryRow, paged: LinePlace['paged']): string => {
  if (for_later || paged === undefined) return 'table held'
  const label = paged.get(id)
  return label === undefined ? 'no table held; paged' : `table ${label} held`
}

/** The wait so far against the quote: keeps counting past it, in red. */
const waiting = (row: EntryRow, { now, timezone, serviceDateNow }: LinePlace): Html => {
  if ((row.service_date ?? row.date ?? '') > serviceDateNow) {
    return html`<div class="wait"><span class="soft">since ${momentInWords(row.created_at, timezone)}</span></div>`
  }
  const waited = (at: Temporal.Instant) => minutesInWords(Math.max(0, minutesSince(row.created_at, at)))
  const { quoted_minutes, quoted_at } = row
  if (quoted_minutes === null || quoted_at === null) {
    return html`<div class="wait"><span>${eachMinute(now, waited)}</span><span class="soft">not quoted</span></div>`
  }
  const since = Math.max(0, minutesSince(quoted_at, now))
  const past = since - quoted_minutes
  const pastWords = (minutes: number) => (minutes > 0 ? ` · ${minutesInWords(minutes)} over` : '')
  const due = toInstant(quoted_at).add({ minutes: quoted_minutes })
  const share = quoted_minutes === 0 ? 100 : Math.min(100, Math.round((since / quoted_minutes) * 100))
  return html`<div class="wait">
    <span class="${past > 0 ? 'overdue' : 'strong'}">${eachMinute(now, (at) => waited(at) + pastWords(minutesSince(quoted_at, at) - quoted_minutes))}</span>
    <svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="8" rx="4" /><rect
        class="${past > 0 ? 'past' : 'done'}"
        width="${share}"
        height="8"
        rx="4"
      />
    </svg>
    <span class="soft">quoted ${quoted_minutes} min, ${timeOf(due, timezone)}</span>
  </div>`
}

const windowOf = ({ window_start, window_end, requested_time }: EntryRow): Html | undefined => {
  const words =
    window_start !== null && window_end !== null
      ? `between ${timeInWords(window_start)} and ${timeInWords(window_end)}`
      : window_end !== null
        ? `until ${timeInWords(window_end)}`
        : window_start !== null
          ? `from ${timeInWords(window_start)}`
          : requested_time !== null
            ? `asked for ${timeInWords(requested_time)}`
            : undefined
  return words === undefined ? undefined : html`<span class="small soft">${words}</span>`
}

const endOf = ({ status, seated_at, left_at, booked_as }: EntryRow, zone: string): string => {
  if (seated_at !== null) return `seated ${timeOf(seated_at, zone)}`
  if (status === 'booked') return booked_as === 'later' ? 'has a table for later' : 'has a table'
  const word = status === 'expired' ? 'expired' : 'left'
  return left_at === null ? word : `${word} ${timeOf(left_at, zone)}`
}
