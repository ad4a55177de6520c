import type { ActivityRow } from '../../activity/reads.ts'
import type { RecordKind } from '../../activity/record.ts'
import { type Html, html } from '../../html/html.ts'
import { dayAndYearInWords } from '../../kernel/calendar.ts'
import { toInstant } from '../../kernel/moment.ts'
import { wallTimeOf } from '../../kernel/venue-clock.ts'
import { changesPart } from './changes.ts'

/** Changes under the day they were made on. */
export const activityList = (rows: readonly ActivityRow[], zone: string): Html => {
  const days = Map.groupBy(rows, ({ at }) => wallTimeOf(toInstant(at), zone).date)
  return html`${[...days].map(
    ([date, changes]) =>
      html`<h2 class="trail-day">${dayAndYearInWords(date)}</h2>
        <ol class="rows activity">
          ${changes.map((row) => activityRow(row, zone))}
        </ol>`,
  )}`
}

const activityRow = (row: ActivityRow, zone: string): Html => {
  const kind = kinds[row.record_kind as RecordKind]
  const name = `${kind?.name ?? row.record_kind.replaceAll('_', ' ')}${kind?.numbered === false ? '' : ` ${row.record_id}`}`
  const to = kind?.to?.(row.record_id)
  const isThere = row.action !== 'delete' && row.after !== null
  return html`<li>
    <span class="small soft nowrap time">${wallTimeOf(toInstant(row.at), zone).time}</span>
    <div class="grow">
      <p>
        <span class="strong">${actionWords(row.action)}</span>
        ${to !== undefined && isThere && row.record_id !== 0 ? html`<a href="${to}">${name}</a>` : html`<span>${name}</span>`}
        <span class="soft small breaks">by ${row.actor_name ?? actors[row.actor_kind] ?? row.actor_kind}</span>
      </p>
      ${changesPart(row, zone)}
    </div>
  </li>`
}

const actors: Record<string, string> = { guest: 'the guest', key: 'an integration', service: 'the service' }

/** "markNoShow" as people say it: "Mark no show". */
const actionWords = (action: string): string => {
  const words = said[action] ?? action.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const said: Record<string, string> = {
  confirm: 'confirmed',
  arrive: 'noted the arrival of',
  seat: 'seated',
  complete: 'completed',
  markNoShow: 'marked as no-show',
  undoArrive: 'undid the arrival of',
  undoSeat: 'undid the seating of',
  undoComplete: 'undid the completion of',
  undoNoShow: 'undid the no-show of',
  seatLate: 'seated late',
  undoCancel: 'undid the cancellation of',
  setFloorStage: 'set the stage of',
  quote: 'quoted',
  page: 'paged',
  notYet: 'noted “not yet” of',
  seatNow: 'seated',
  bookForLater: 'booked for later',
  leave: 'noted the leaving of',
  expire: 'expired',
  recall: 'recalled',
  rejoin: 'put back in line',
  join: 'added',
  make: 'added',
  edit: 'changed',
  delete: 'deleted',
  fillIn: 'filled in',
  merge: 'merged',
  undoMerge: 'undid the merge of',
  done: 'ticked off',
  undone: 'opened again',
  move: 'moved',
  setPriority: 'set the priority of',
  add: 'added',
  addEvidence: 'added evidence for',
  unsubscribe: 'unsubscribed',
  decline: 'declined',
  suppress: 'put on the do-not-email list',
  unsuppress: 'took off the do-not-email list',
  sell: 'sold',
  confirmPayment: 'noted the payment of',
  cancel: 'cancelled',
  refund: 'refunded',
  beginRefund: 'began a refund of',
  failRefund: 'noted a failed refund of',
  dismissFailure: 'let a failed refund be of',
}

/** What is said for a record, and where it is found in the office. */
const kinds: Partial<
  Record<
    RecordKind,
    { readonly name: string; readonly to?: (id: number) => string; readonly numbered?: false }
  >
> = {
  reservation: { name: 'booking', to: (id) => `/office/bookings/${id}` },
  waitlist_entry: { name: 'waiting party' },
  venue: { name: 'the venue', numbered: false },
  api_key: { name: 'API key' },
  guest: { name: 'guest', to: (id) => `/office/guests/${id}` },
  subscriber: { name: 'subscriber', to: (id) => `/office/subscribers/${id}` },
  suppression: { name: 'an address', numbered: false },
  lead: { name: 'lead', to: (id) => `/office/leads/${id}` },
  lead_note: { name: 'note of a lead', numbered: false },
  lead_pipeline: { name: 'the stages of leads', numbered: false, to: () => '/office/leads/pipeline' },
  task: { name: 'task', to: (id) => `/office/tasks/${id}` },
  ticketed_event: { name: 'event', to: (id) => `/office/tickets/events/${id}` },
  occurrence: { name: 'date', to: (id) => `/office/tickets/dates/${id}` },
  promo_code: { name: 'promo code', to: (id) => `/office/tickets/codes/${id}` },
  ticket_settings: { name: 'fee and tax', numbered: false, to: () => '/office/tickets/charges' },
  ticket_order: { name: 'ticket order', to: (id) => `/office/tickets/orders/${id}` },
}
