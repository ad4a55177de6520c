import { floorStages } from '@venue-data/contract/reservation.ts'
import { type Html, html } from '../../html/html.ts'
import type { LocalDate } from '../../kernel/written-time.ts'
import type { BookRow } from '../../reservations/book-row.ts'
import { type ReservationMoveName, reservationMoves } from '../../reservations/states.ts'

/*
 * The buttons of a booking. One form for all of them: what is pressed says the move, the rest says what the page
 * showed. Without script it posts and comes back to the row; with htmx the book renews itself in place.
 */

/** A form around buttons that move a booking. `back` is the page to return to. */
export const moveForm = (
  { id, version, status }: Pick<BookRow, 'id' | 'version' | 'status'>,
  back: string,
  buttons: Html,
  { live = true }: { live?: boolean } = {},
): Html => {
  const to = `/office/bookings/${id}/moves`
  return html`<form
    class="moves"
    method="post"
    action="${to}"
    ${live && html`hx-post="${to}" hx-target="#book" hx-swap="outerMorph" hx-sync="#book:replace"`}
  >
    <input type="hidden" name="version" value="${version}" /><input
      type="hidden"
      name="status"
      value="${status}"
    /><input type="hidden" name="back" value="${back}" />${buttons}
  </form>`
}

/** Buttons in the order a party's evening goes; each appears when the table of moves would take it. */
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

/** Pressed seldom, or not to be pressed by accident. */
const asides = ['undoArrive', 'undoSeat'] as const satisfies readonly ReservationMoveName[]

/** That a party is here: on another day than theirs a look further away, for it asks (reservations/moves.ts). */
const comings: readonly ReservationMoveName[] = ['arrive', 'seat']

/** The next steps of a booking, to be pressed at once. */
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

/** What is a look further away: taking back, cancelling, the stage of the meal. */
export const asideButtons = (
  row: BookRow,
  offered: ReadonlySet<ReservationMoveName>,
  today: LocalDate,
  prefix = 'b',
): Html[] => [
  ...[...(row.service_date === today ? [] : comings), ...asides]
    .filter((name) => offered.has(name))
    .map((name) => moveButton(row, name, { prefix })),
  ...(offered.has('cancel') ? cancelButtons(row, prefix) : []),
]

/** Cancelling asks who decided: only the guest's own cancellations count for the guest. */
export const cancelButtons = ({ id, status }: Pick<BookRow, 'id' | 'status'>, prefix = 'b'): Html[] =>
  status === 'Requested'
    ? [
        html`<button id="${prefix}${id}-decline" name="move" value="cancel:staff" class="danger">Decline</button>`,
        html`<button id="${prefix}${id}-withdrawn" name="move" value="cancel:guest">Guest withdrew</button>`,
      ]
    : [
        html`<button id="${prefix}${id}-cancel-guest" name="move" value="cancel:guest" class="danger">
          Cancel: guest asked
        </button>`,
        html`<button id="${prefix}${id}-cancel-staff" name="move" value="cancel:staff" class="danger">
          Cancel: our decision
        </button>`,
      ]

/** The nine stages of a meal; the one it is at is pressed. */
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
        ${stage}
      </button>`,
  ),
]

/** The stage after the one it is at: what is pressed most on the floor. Before the table there is none. */
export const nextStageButton = ({ id, status, floor_stage }: BookRow): Html | undefined => {
  const next = floorStages[floorStages.findIndex((stage) => stage === floor_stage) + 1]
  if (status !== 'Seated' || next === undefined) return undefined
  return html`<button id="f${id}-next" name="move" value="setFloorStage:${next}">→ ${next}</button>`
}

export const moveButton = (
  { id }: Pick<BookRow, 'id'>,
  name: ReservationMoveName,
  { prefix = 'b', primary = false, label }: { prefix?: string; primary?: boolean; label?: string } = {},
): Html =>
  html`<button id="${prefix}${id}-${name}" name="move" value="${name}" ${primary && html`class="primary"`}>
    ${label ?? reservationMoves[name].label}
  </button>`

/** The one step that is most likely next. */
const primaryOf = (shown: readonly ReservationMoveName[]): ReservationMoveName | undefined =>
  (['confirm', 'seat', 'seatLate'] as const).find((name) => shown.includes(name))
