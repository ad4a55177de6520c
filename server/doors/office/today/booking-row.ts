import type { LikelyTable } from '../../../book/tables/likely-table.ts'
import type { MoneyAside } from '../../../book/reservations/guarantee/paid-otherwise.ts'
import { sourceWords } from '../../../book/reservations/staff-sentences.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { minutesPerDay } from '../../../platform/kernel/time/written-time.ts'
import { dayNear, timeInWords, timeOf } from '../../../platform/kernel/time/in-words.ts'
import type { BookRow } from '../../../book/day/book-row.ts'
import type { DayRow } from '../../../book/reservations/day-book.ts'
import type { LastText } from '../../../book/texts/texts-store.ts'
import { changeLink } from '../parts/change-link.ts'
import { eachMinute } from '../parts/each-minute.ts'
import { counted } from '../parts/pager.ts'
import type { BookingRules } from '../../../book/rules/booking-rules.ts'
import type { Asks } from '../service/instead.ts'
import type { LineOffers } from '../service/line-offers.ts'
import type { AtDoor } from '../../../book/tables/offered/at-door.ts'
import type { ServersSeen } from '../../../book/servers/seen.ts'
import type { TablesShown } from '../parts/table-cell.ts'
import { reservationTag, tag } from '../parts/tags.ts'
import { guestsInWords, minutesInWords, minutesSince } from '../parts/time-words.ts'
import { lastTextPart } from '../texts/last-text.ts'
import { textLink } from '../texts/text-link.ts'
import { asideButtons, moveForm, stepButtons } from '../bookings/move-form.ts'
import { type Host, isLate, minutesLate, offeredMoves } from '../bookings/offered-moves.ts'

/** Where the row is shown: on what page, at which venue. */
export type RowPlace = Host & {
  /** The page to return to. */
  readonly back: string
  readonly timezone: string
  /** The results of the last texts to parties in line, and their replies. */
  readonly texts?: ReadonlyMap<number, LastText> | undefined
  /** The same for bookings. */
  readonly bookingTexts?: ReadonlyMap<number, LastText> | undefined
  /** What of the money behind bookings a refund would not send back. */
  readonly moneyAside?: ReadonlyMap<number, MoneyAside> | undefined
  /** Whether staff can text anybody. */
  readonly mayText?: boolean | undefined
  /** The parties whom the last mail did not reach. */
  readonly unreached?: ReadonlySet<number> | undefined
  /** The tables that paged parties at the door hold, where tables decide. */
  readonly paged?: ReadonlyMap<number, string> | undefined
  /** The tables of tonight's parties, where tables decide and the page shows them. */
  readonly tables?: ReadonlyMap<number, TablesShown> | undefined
  /** Of parties that are here or due while others sit at their table: where else they could sit, in words. */
  readonly instead?: ReadonlyMap<number, Asks> | undefined
  /** How long parties stay as usual, and until when those who sit could. */
  readonly stays?:
    | { readonly rules: Pick<BookingRules, 'turnTimes'>; readonly to: AtDoor['stayTo'] }
    | undefined
  /** Who serves whom and where, where the service has a line-up. */
  readonly servers?: ServersSeen | undefined
  /** Whose tables alone the floor shows, by the id of the server. */
  readonly onlyServer?: number | undefined
  /** Where parties in line could sit down now. */
  readonly offers?: LineOffers | undefined
  /** What they are likely to get, by their ids. */
  readonly likely?: ReadonlyMap<number, LikelyTable> | undefined
}

/** A booking in the list: what to see at a glance, and the buttons for what comes next. */
export const bookingRow = (row: DayRow, place: RowPlace): Html => {
  const offered = offeredMoves(row, place)
  const asides = asideButtons(row, offered, place)
  return html`<li id="b${row.id}" class="booking ${statusClass(row)}">
    ${timeAndSize(row)}
    <div class="who">
      <a class="name" href="/office/bookings/${row.id}">${row.guest_name ?? 'No name'}</a>
      ${stateTags(row, place)} ${lastTextPart(row.phone, place.bookingTexts?.get(row.id), place.timezone)}
      <span class="small soft"
        >${[sourceWords(row.source), ...stageWords(row), ...guestWords(row)].join(' · ')}</span
      >
      ${careOf(row)}
    </div>
    ${moveForm(
      row,
      place.back,
      html`<div class="steps">${stepButtons(row, offered, place.today)}</div>
        ${
          asides.length > 0 &&
          html`<details id="m${row.id}" class="more">
            <summary aria-label="More for ${row.guest_name ?? 'this booking'}">More</summary>
            <div class="asides">${asides}${textLink({ kind: 'reservation', ...row }, place, place.back)}${changeLink(row.id)}</div>
          </details>`
        }`,
    )}
  </li>`
}

/** What nobody may overlook: allergies first, as staff wrote them, never truncated; then this booking's notes. */
export const careOf = ({
  allergies,
  notes,
  private_note: note,
}: Pick<DayRow, 'allergies' | 'notes' | 'private_note'>): Html =>
  html`${allergies !== null && html`<p class="allergy"><strong>Allergies:</strong> ${allergies}</p>`}${
    notes !== null && html`<p class="booking-notes">${notes}</p>`
  }${note !== null && html`<p class="booking-notes">${note}</p>`}`

/** How well we know the guest, and where they like to sit. */
export const guestWords = ({
  visit_count: visits,
  seating_preference: seat,
}: Pick<DayRow, 'visit_count' | 'seating_preference'>): string[] => [
  ...(visits === null ? [] : [visits === 0 ? 'first visit' : counted(visits, 'visit')]),
  ...(seat === null ? [] : [`seat: ${seat}`]),
]

/** The stage of the meal, once it says more than "Seated". */
const stageWords = ({ status, floor_stage: stage }: BookRow): string[] =>
  status !== 'Seated' || stage === null || stage === status ? [] : [stage]

/** The time, large, with the party size next to it: the two things a host looks for. */
export const timeAndSize = ({ time, service_minute, party_size }: BookRow): Html =>
  html`<span class="at"
      >${time === null ? '–' : timeInWords(time)}${
        (service_minute ?? 0) >= minutesPerDay && html`<sup title="after midnight">+1</sup>`
      }</span
    ><span class="size"
      ><span aria-hidden="true">${party_size ?? '?'}</span
      ><span class="hidden-text">${guestsInWords(party_size)}</span></span
    >`

/** Its status, and what matters about it now. */
export const stateTags = (row: BookRow, place: Pick<RowPlace, 'now' | 'timezone'>): Html =>
  html`${reservationTag(row.status)} ${presence(row, place)}`

/** Late, here since, at the table since, cancelled by whom. */
export const presence = (row: BookRow, { now, timezone }: Pick<RowPlace, 'now' | 'timezone'>): Html => {
  const { status, checked_in_at, seated_at } = row
  return html`${
    isLate(row, now) &&
    tag(
      eachMinute(now, (at) => `Late ${minutesInWords(minutesLate(row, at))}`),
      'bad',
    )
  }
  ${
    checked_in_at !== null &&
    (status === 'Confirmed' || status === 'Requested') &&
    tag(`Here since ${timeOf(checked_in_at, timezone)}`, 'good')
  }
  ${
    status === 'Seated' &&
    seated_at !== null &&
    html`<span class="small soft nowrap"
      >${eachMinute(now, (at) => `at table ${minutesInWords(Math.max(0, minutesSince(seated_at, at)))}`)}</span
    >`
  }
  ${status === 'Cancelled' && html`<span class="small soft">by the ${row.cancelled_by === 'guest' ? 'guest' : 'venue'}</span>`}`
}

/** "Friday 9 October, 19:30", for a booking shown outside its day. */
export const whenInWords = ({ date, time }: Pick<BookRow, 'date' | 'time'>, today: LocalDate): string =>
  date === null ? 'no date' : `${dayNear(date, today)}${time === null ? '' : `, ${timeInWords(time)}`}`

const statusClass = ({ status }: BookRow): string => `is-${status.toLowerCase()}`
