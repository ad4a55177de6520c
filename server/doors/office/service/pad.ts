import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { whenNow } from '../../../book/day/when.ts'
import { readDay as readSlot } from '../../../book/day/open-day.ts'
import { resolveService } from '../../../book/rules/resolve-service.ts'
import {
  type StaffReason,
  confirmationOf,
  lastArrivalOver,
  seatingAgainst,
} from '../../../book/reservations/staff-reasons.ts'
import { lateTables } from '../../../book/tables/offered/late-tables.ts'
import {
  type OpenTable,
  neededLast,
  notAmong,
  openForAWhile,
  openTables,
} from '../../../book/tables/offered/open-tables.ts'
import { byMoving, movesMany } from '../../../book/tables/arrange.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { eveningOf } from '../../../book/waitlist/actions.ts'
import { quoteFor } from '../../../book/waitlist/quote.ts'
import { tokenField } from '../parts/forms/fields.ts'
import { listForm } from '../parts/forms/list-form.ts'
import { oneMorePress } from '../parts/forms/one-more-press.ts'
import { namesOf } from '../parts/open-words.ts'
import { overrideButton, reasonsList } from '../parts/reasons.ts'
import { serversSeen } from '../../../book/servers/seen.ts'
import { guestsInWords, waitInWords } from '../parts/time-words.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { likelyNext, promisesBy, tooLongWords } from './likely-next.ts'
import { turnsNow } from './instead.ts'
import { isInTurn, leftFirst } from './line-offers.ts'
import { type Offer, atDoor, mostOffered } from './pad-offers.ts'

/*
 * A party at the door: a press on its size, then the answer under the pad, which stays where it is: seat them now, or
 * the wait. Nothing is made by the first press.
 */

const sizes = [1, 2, 3, 4, 5, 6, 7, 8]

/** Its buttons and what they lead to are left alone when the lists renew themselves: somebody may be typing a name. */
export const padForm = ({ pad }: { readonly pad?: Html | undefined }, back: string): Html =>
  html`<section class="pad" id="walk-in" aria-labelledby="pad-head" hx-morph-skip>
    <form method="get" action="${back}" hx-get="/office/service/pad" hx-target="#pad-answer" hx-swap="innerHTML"
      hx-trigger="submit, input delay:300ms" hx-sync="this:replace">
      <input type="hidden" name="back" value="${back}" /><button
        class="hidden-text"
        tabindex="-1"
        aria-hidden="true"
      >${/* Enter in the field presses a form's first button, which must not be a size. */ ''}
        Show
      </button>
      <h2 id="pad-head">Walk-in <span class="soft note">how many?</span></h2>
      <div class="pad-sizes" data-one-stop role="group" aria-labelledby="pad-head">
        ${sizes.map(
          (size) =>
            html`<button class="pad-size" name="size" value="${size}" aria-label="Party of ${size}">${size}</button>`,
        )}
        <input
          class="pad-other"
          name="other"
          type="number"
          inputmode="numeric"
          min="1"
          max="${limits.partyGuests}"
          placeholder="9+"
          aria-label="Guests of a larger party"
        /><noscript><button>Show</button></noscript>
      </div>
    </form>
    <div id="pad-answer" class="pad-answer" role="status">${pad}</div>
  </section>`

/** What can be done for a party of this size now. */
export const padAnswer = async (
  work: OfficeWork,
  partySize: number,
  back: string,
  typed: Typed = {},
): Promise<Html> => {
  const { db, venue } = work
  const when = whenNow(work)
  const [rules, now] = [await bookingRulesAround(db, venue, when.date), work.now()]
  const place = resolveService(rules, when)
  const [slot, evening, servers] = await Promise.all([
    readSlot(work, rules, place),
    eveningOf(work, now),
    serversSeen(work, rules, place.serviceDate),
  ])
  const wanted = { ...when, partySize, door: 'staff' } as const
  const reasons = seatingAgainst(slot, now, wanted)
  const quote = await quoteFor(work, { serviceDate: evening.serviceDateNow, partySize, rules })
  const line = { serviceDate: evening.serviceDateNow, rules, before: quote.before.line }
  const tooLong = tooLongWords(quote, { partySize, ...line })
  const { minutes, largest } = quote
  const told = lastArrivalOver(slot, now, wanted).map(({ sentence }) => sentence)
  const asked = { size: partySize, reasons, told, quote: minutes, largest, tooLong, back, typed }
  if (!slot.floor) return answerPart(asked)
  const turns = await turnsNow(work, rules, evening.serviceDateNow)
  const isLeft = (one: Pick<OpenTable, 'tables'>): boolean => !isInTurn(turns, one)
  // What nobody in line waits for comes before what one of them could have.
  const open = leftFirst(turns, openTables(slot.floor, wanted)).toSorted(neededLast).slice(0, mostOffered)
  const isFree = ({ neededBy }: Pick<OpenTable, 'neededBy'>): boolean => !neededBy
  // A table that others can move away from comes before one that somebody without a table needs.
  const found = open.some(isFree) ? undefined : byMoving(slot.floor, wanted)
  const moving = found && found.moves.size > 0 ? found : undefined
  const short = leftFirst(turns, notAmong(open.filter(isFree), openForAWhile(slot.floor, wanted)))
    .toSorted(neededLast)
    .slice(0, mostOffered)
  // Where a whole stay is open that nobody in line waits for, nobody who is late loses a table.
  const isWholeLeft =
    open.some((one) => isFree(one) && isLeft(one)) || (found && !movesMany(found) && isLeft(found))
  const late = isWholeLeft ? [] : leftFirst(turns, lateTables(slot.floor, wanted)).slice(0, mostOffered)
  const needing = [...open, ...short].map(({ neededBy }) => neededBy?.reservation)
  const names = await namesOf(work, [
    ...needing,
    ...(moving?.moves.keys() ?? []),
    ...late.flatMap((one) => one.late.map(({ reservation }) => reservation)),
  ])
  const { timezone } = venue
  const offered = atDoor(wanted, {
    ...{ open, short, moving, late, names, turns, servers, timezone },
    ...{ next: await likelyNext(work, quote, { partySize, rules, now }), tooLong },
  })
  return tablesPart(asked, { ...offered, offers: await promisesBy(work, partySize, offered.offers, line) })
}

type Asked = {
  readonly size: number
  readonly reasons: readonly StaffReason[]
  /** What is said beside them and needs no answer. */
  readonly told: readonly string[]
  readonly quote: number
  /** The largest party that tables take, where this one is larger. */
  readonly largest: number | undefined
  /** Said in place of so long a quote. */
  readonly tooLong: string | undefined
  /** The page it is on. */
  readonly back: string
  readonly typed: Typed
}

/** Of a party whose press was refused. */
type Typed = { readonly guestName?: string; readonly phone?: string }

/** "14, free until 20:45" and two more, each a press away; or the wait, and why. */
const tablesPart = (
  asked: Asked,
  { offers: [best, ...others], soonest }: ReturnType<typeof atDoor>,
): Html => {
  const { size, tooLong } = asked
  // Whether there is a table is no question for who presses one.
  const reasons = best ? asked.reasons.filter(({ reason }) => reason !== 'tables-full') : asked.reasons
  // That none is open is said already, before when the next is likely.
  const said = best ? reasons : reasons.filter(({ reason }) => reason !== 'tables-full')
  const anyway = reasons.length > 0 ? ' anyway' : ''
  const mayWait = !best || anyway !== '' || best.needed !== undefined || best.isMany === true
  return padAnswerForm(
    asked,
    html`<p>
        <strong>${guestsInWords(size)}.</strong>
        ${best ? html`Table <b>${best.label}</b>${!best.isShort && ','} ${best.words}.${best.server}${best.needed && ` ${best.needed}.`}` : noneOpen(asked)}
        ${best?.isShort && tooLong === undefined && `${waitInWords(asked.quote)} for the whole evening.`} ${soonest} ${asked.told}
      </p>
      ${said.length > 0 && reasonsList(said)}`,
    html`${
      best &&
      anyway !== '' &&
      html`<input type="hidden" name="confirmed" value="${reasons.map(confirmationOf).join(' ')}" />`
    }
      <div class="pad-go">
        ${best && askedFirst(best, size, html`<button name="tables" value="${best.ids}" class="${!mayWait && 'primary'}"><span>Seat ${size} at ${best.label}${best.isShort && html` <span class="nowrap">${best.words}</span>`}${anyway}</span></button>`)}
        ${waitButton(asked, mayWait)}
        ${!best && overrideButton(reasons, 'Seat anyway')}
      </div>
      ${
        others.length > 0 &&
        html`<div class="pad-go ${others.some(({ needed }) => needed !== undefined) && 'needed'}">
          ${others.map((other) => {
            const { label, ids, words, needed, server } = other
            return askedFirst(
              other,
              size,
              html`<button name="tables" value="${ids}" aria-label="Seat ${size} at ${label}, ${words}${needed && `; ${needed}`}"><b>${label}</b> <span class="soft small">${words}${needed && `; ${needed}`}</span>${server}</button>`,
            )
          })}
        </div>`
      }`,
  )
}

/** `seat`: seat them now; where a rule objects it says so, and the press confirms just that. `wait`: on the waitlist. */
const answerPart = (asked: Asked): Html => {
  const { size, reasons } = asked
  return padAnswerForm(
    asked,
    html`<p>
        <strong>${guestsInWords(size)}.</strong>
        ${reasons.length === 0 ? `There is room to seat them now. ${asked.told.join(' ')}` : `${asked.told.join(' ')} Tonight’s limits say to wait:`}
      </p>
      ${reasons.length > 0 && reasonsList(reasons)}`,
    html`<div class="pad-go">
      ${
        reasons.length === 0
          ? html`<button class="primary">Seat ${size} now</button>${waitButton(asked, false)}`
          : html`${waitButton(asked, true)}${overrideButton(reasons, 'Seat anyway')}`
      }
    </div>`,
  )
}

/** What breaks a promise, or moves many others, takes one press more. */
const askedFirst = ({ isBroken, isMany, label }: Offer, size: number, button: Html): Html =>
  isBroken || isMany ? oneMorePress(`Seat ${size} at ${label}`, button) : button

const noneOpen = ({ size, largest }: Asked): string =>
  largest === undefined
    ? `No table for ${size} is open now.`
    : `No table takes ${size}, not even joined ones: ${largest} is the most.`

/**
 * No number where that is so long that nobody would wait for it: the row of who does wait says until when. To a party that no
 * table takes no wait is promised.
 */
const waitButton = ({ quote, largest, tooLong }: Asked, isPrimary: boolean): Html =>
  html`<button name="wait" value="${largest === undefined ? quote : ''}" class="${isPrimary && 'primary'}">${tooLong || largest !== undefined ? 'Wait anyway' : `Wait, quote ${waitInWords(quote)}`}</button>`

const padAnswerForm = ({ size, back, typed }: Asked, words: Html, buttons: Html): Html =>
  listForm(
    '/office/service/walk-ins',
    { partySize: size, back },
    html`${tokenField()}${words}
      <div class="pad-go">
        <input name="guestName" maxlength="200" autocomplete="off" placeholder="Name" value="${typed.guestName}" aria-label="Name of the walk-in" />
        <input name="phone" type="tel" maxlength="40" autocomplete="off" placeholder="Phone" value="${typed.phone}" aria-label="Phone of the walk-in" />
      </div>
      ${buttons}`,
    { look: '' },
  )
