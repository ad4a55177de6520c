import { type Html, html } from '../../../platform/html/html.ts'
import type { LeftForm } from '../../../core/staff/sessions.ts'
import { type Hidden, hiddenFields } from './forms/fields.ts'
import { listForm } from './forms/list-form.ts'

/** The press that takes back what was just done. */
export type Undo = {
  readonly to: string
  /** What was true when it was done, sent back. */
  readonly hidden: Hidden
  /** What its button says to the service. */
  readonly press?: readonly [name: string, value: string]
  readonly id?: string
  /** The list that its answer replaces. */
  readonly list?: '#book' | '#line' | undefined
}

/** In the last line of a page that renews itself. */
export const undoForm = ({ to, hidden, press, id, list }: Undo): Html =>
  listForm(
    to,
    hidden,
    html`<button ${id !== undefined && html`id="${id}"`} ${press && html`name="${press[0]}" value="${press[1]}"`}>Undo</button>`,
    { ...(list && { list }) },
  )

/** Left for the next page, without script. */
export const leftUndo = ({ to, hidden, press }: Undo): LeftForm => ({
  to,
  fields: Object.fromEntries(
    [...Object.entries(hidden), ...(press ? [press] : [])]
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value ?? '')]),
  ),
})

/** The undos of presses in a live list, which answer with the list; those of other pages lead back to them. */
const ofList =
  /^\/office\/(?:bookings\/\d+\/(?:moves|table|undo|edits\/undo)|waitlist\/\d+\/moves|service\/walk-ins\/\d+\/undo)$/

/** Next to the sentence that says what was done, at the top of the next page; or in the last line of one that shows the list. */
export const leftUndoForm = ({ to, fields }: LeftForm, showsList = false): Html =>
  showsList && ofList.test(to)
    ? listForm(to, fields, html`<button>Undo</button>`)
    : html`<form class="inline" method="post" action="${to}">${hiddenFields(fields)}<button>Undo</button></form>`
