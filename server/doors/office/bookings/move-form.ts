import type { MoneyAside } from '../../../book/reservations/guarantee/paid-otherwise.ts'
import { floorStages } from '@venue-data/contract/records/reservation.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { BookRow } from '../../../book/day/book-row.ts'
import { type ReservationMoveName, reservationMoves } from '../../../book/reservations/states.ts'
import { listForm } from '../parts/forms/list-form.ts'
import { ifCancelled } from './guarantee/if-cancelled.ts'
import { stageNames } from '../parts/stages.ts'

/*
 * A booking's buttons. One form for all of them: the button pressed names the move, the other fields what the page
 * showed. Without JavaScript it posts and comes back to the row; with htmx the book refreshes in place.
 */

/** A form around buttons that move a booking. `back` is the page to return to. */
export const moveForm = (
  { id, version, status }: Pick<BookRow, 'id' | 'version' | 'status'>,
  back: string,
  buttons: Html,
  { live = true }: { live?: boolean } = {},
): Html => listForm(`/office/bookings/${id}/moves`, { version, status, back }, buttons, { live })

/** Buttons in the order of a party's evening; each appears when the table of moves allows it. */
const steps = [
  'confirm',
  'arrive',
  'seat',
  'complete',
  'markNoShow',
  'undoNoShow',
  'seatLate',
  'undoComplete',
  'undoCancel',
] as const satisfies readonly ReservationMoveName[]

/** Rarely pressed, or not to be pressed by accident. */
const asides = ['undoArrive', 'undoSeat'] as const satisfies readonly ReservationMoveName[]

/**
 * Marks a party as here: on a day other than theirs it is under "More", because it asks first
 * (book/reservations/moves.ts).
 */
const comings: readonly ReservationMoveName[] = ['arrive', 'seat']

/** A booking's next steps, one press away. */
export const stepButtons = (
  row: BookRow,
  offered: ReadonlySet<ReservationMoveName>,
  today: LocalDate,
  prefix = 'b',
): Html[] => {
  const isToday = row.service_date === today
  const shown = steps.filter((name) => offered.has(name) && (isToday || !comings.includes(name)))
  const main = primaryOf(shown)
  return shown.map((name) => moveButton(row, name, { prefix, primary: name === main }))
}

/** What is under "More": undoing, cancelling, the stage of the meal. */
export const asideButtons = (
  row: BookRow,
  offered: ReadonlySet<ReservationMoveName>,
  place: Cancelling & { readonly today: LocalDate },
  prefix = 'b',
): Html[] => [
  ...[...(row.service_date === place.today ? [] : comings), ...asides]
    .filter((name) => offered.has(name))
    .map((name) => moveButton(row, name, { prefix })),
  ...(offered.has('cancel') ? cancelButtons(row, place, prefix) : []),
]

type Cancelling = {
  readonly now: Temporal.Instant
  /** What of the money behind bookings a refund would not send back. */
  readonly moneyAside?: ReadonlyMap<number, MoneyAside> | undefined
}

/**
 * Cancelling asks who decided: only guests' own cancellations count toward their record, and it may decide what happens to the
 * card or the money behind a booking, which is said before the press.
 */
export const cancelButtons = (
  row: Pick<BookRow, 'id' | 'status' | 'guarantee'>,
  { now, moneyAside }: Cancelling,
  prefix = 'b',
): Html[] => {
  const { id, status } = row
  const after = ifCancelled(row, now, moneyAside?.get(id))
  return [
    ...(after === undefined ? [] : [html`<p class="small">${after}</p>`]),
    ...(status === 'Requested'
      ? [
          html`<button id="${prefix}${id}-decline" name="move" value="cancel:staff" class="danger">Decline</button>`,
          html`<button id="${prefix}${id}-withdrawn" name="move" value="cancel:guest">Guest withdrew</button>`,
        ]
      : [
          html`<button id="${prefix}${id}-cancel-guest" name="move" value="cancel:guest" class="danger">
            Not coming: guest called
          </button>`,
          html`<button id="${prefix}${id}-cancel-staff" name="move" value="cancel:staff" class="danger">
            Cancel (our call)
          </button>`,
        ]),
  ]
}

/** The nine stages of a meal; the current one is pressed. */
export const stageButtons = ({ id, floor_stage }: BookRow): Html[] => [
  ...floorStages.map(
    (stage) =>
      html`<button
        id="f${id}-${stage.replace(' ', '-')}"
        class="stage"
        name="move"
        value="setFloorStage:${stage}"
        ${stage === floor_stage && html`aria-pressed="true"`}
      >
        ${stageNames[stage]}
      </button>`,
  ),
]

/** The next stage: the most pressed button on the floor. None before they are seated. */
export const nextStageButton = ({ id, status, floor_stage }: BookRow): Html | undefined => {
  const next = floorStages[floorStages.findIndex((stage) => stage === floor_stage) + 1]
  if (status !== 'Seated' || next === undefined) return undefined
  return html`<button id="f${id}-next" name="move" value="setFloorStage:${next}">→ ${stageNames[next]}</button>`
}

export const moveButton = (
  { id }: Pick<BookRow, 'id'>,
  name: ReservationMoveName,
  { prefix = 'b', primary = false, label }: { prefix?: string; primary?: boolean; label?: string } = {},
): Html =>
  html`<button id="${prefix}${id}-${name}" name="move" value="${name}" ${primary && html`class="primary"`}>
    ${label ?? reservationMoves[name].label}
  </button>`

/** The most likely next step. */
const primaryOf = (shown: readonly ReservationMoveName[]): ReservationMoveName | undefined =>
  (['confirm', 'seat', 'seatLate'] as const).find((name) => shown.includes(name))
