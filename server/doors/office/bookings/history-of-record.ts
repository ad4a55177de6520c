import type { ActivityRow } from '../../../core/activity/reads.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { type Called, whoDid } from '../activity/who.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { columnInWords, inWords } from '../activity/changes.ts'

/** Who did what to a record, newest first. Private: for managers only, never in the API. */
export const trail = (rows: readonly ActivityRow[], zone: string, called: Called): Html =>
  html`<section class="card" id="trail">
    <h2>History</h2>
    ${
      rows.length === 0
        ? html`<p class="soft">No staff changes yet.</p>`
        : html`<ol class="rows">
            ${rows.map(
              (row) =>
                html`<li>
                  <span class="small soft nowrap">${momentInWords(row.at, zone)}</span>
                  <div class="grow">
                    <span class="strong">${actionWords(row.action)}</span>
                    <span class="soft">by ${whoDid(row, called)}</span>
                    ${changes(row, zone)}
                  </div>
                </li>`,
            )}
          </ol>`
    }
  </section>`

/** What was done, as people say it; a name not in the list is split: "putBack", "Put back". */
const actionWords = (action: string): string => {
  const known = done[action]
  if (known !== undefined) return known
  const words = action.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const done: Record<string, string> = {
  book: 'Booked',
  walkIn: 'Seated as a walk-in',
  seatFromWaitlist: 'Seated from the waitlist',
  edit: 'Changed',
  confirm: 'Confirmed',
  cancel: 'Cancelled',
  arrive: 'Arrived',
  seat: 'Seated',
  complete: 'Left',
  markNoShow: 'No-show',
  undoArrive: 'Arrival undone',
  undoSeat: 'Seating undone',
  undoComplete: 'Back at the table',
  undoNoShow: 'No-show undone',
  seatLate: 'Seated late',
  undoCancel: 'Restored',
  setFloorStage: 'Stage',
  askChange: 'Change requested',
  acceptChange: 'Change accepted',
  declineChange: 'Change declined',
  withdrawChange: 'Change withdrawn',
  lapseChange: 'Change not answered in time',
  archive: 'Archived',
  unarchive: 'Back in the queue',
  chooseTables: 'Table chosen',
  giveTable: 'Table found',
  swapTables: 'Tables swapped',
  changeTables: 'Table changed',
  makeRoom: 'Others moved to other tables for it',
  pinTable: 'Kept at this table',
  unpinTable: 'May move again',
  secure: 'Secured',
  'ask for a card': 'Asked for a card',
  'ask for a deposit': 'Asked for a deposit',
  'charge the card': 'Charge started',
  'give back what was paid': 'Refund started',
  refundAgain: 'Refund sent again',
  'do without the card or deposit': 'Waived the card or deposit',
  'let the charge go': 'Let the charge go',
  'note that it was paid otherwise': 'Paid another way',
  'note that it was given back': 'Given back by hand',
  dispute: 'Disputed by the guest’s bank',
}

/** Columns that are derived from others, or mean nothing to a person. */
const hiddenColumns = new Set([
  'starts_at',
  'service_minute',
  'arrived_by_seating',
  'stage_before_seating',
  'minutes_before_seating',
  'kept_open',
  'cancelled_from',
  'agreed',
  'guest_id',
])

/** Changes nothing that was there before, but says how much. */
const saysAll = new Set(['dispute'])

const changes = ({ action, before, after }: ActivityRow, zone: string): Html | undefined => {
  const [was, is] = [columnsIn(before) ?? (saysAll.has(action) ? {} : undefined), columnsIn(after)]
  if (!was || !is) return undefined
  const names = Object.keys(is).filter((name) => !hiddenColumns.has(name) && name !== 'overridden')
  const overridden = Array.isArray(is.overridden) ? is.overridden.length : 0
  if (names.length === 0 && overridden === 0) return undefined
  return html`<ul class="small soft changes">
    ${names.map(
      (name) =>
        html`<li>${columnInWords(name)}: ${name in was && html`${shown(name, was[name], zone)} → `}<span class="strong">${shown(name, is[name], zone)}</span></li>`,
    )}
    ${overridden > 0 && html`<li>overriding ${overridden === 1 ? 'a rule' : `${overridden} rules`}</li>`}
  </ul>`
}

const columnsIn = (value: unknown): Record<string, unknown> | undefined => {
  const read: unknown = typeof value === 'string' ? JSON.parse(value) : value
  return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : undefined
}

const shown = (name: string, value: unknown, zone: string): string =>
  value === null || value === undefined ? 'none' : inWords(name, value, zone)
