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
        <span class="strong">${actionWords(row)}</span>
        ${to !== undefined && isThere && row.record_id !== 0 ? html`<a href="${to}">${name}</a>` : html`<span>${name}</span>`}
        <span class="soft small breaks">by ${row.actor_name ?? actors[row.actor_kind] ?? row.actor_kind}</span>
      </p>
      ${changesPart(row, zone)}
    </div>
  </li>`
}

const actors: Record<string, string> = { guest: 'the guest', key: 'an integration', service: 'the service' }

/** "markNoShow" as people say it: "Mark no show". */
const actionWords = ({ action, record_kind }: Pick<ActivityRow, 'action' | 'record_kind'>): string => {
  const words =
    said[`${record_kind} ${action}`] ??
    said[action] ??
    (/^change the hours of \w+$/.test(action)
      ? `${action.replace('change', 'changed')} at`
      : action.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const said: Record<string, string> = {
  'change the venue': 'changed',
  'change the limits': 'changed the limits of',
  'add a special day': 'added a special day of',
  'remove a special day': 'removed a special day of',
  'add a closure': 'added a closure of',
  'remove a closure': 'removed a closure of',
  'add a block': 'added a block of',
  'remove a block': 'removed a block of',
  'erase a person': 'erased',
  'ask for API access': 'asked for API access for',
  approveAccess: 'gave API access to',
  declineAccess: 'declined API access for',
  withdrawAccess: 'withdrew API access from',
  'make a key': 'made',
  'revoke a key': 'revoked',
  'shut an account': 'shut an account of',
  'open an account': 'opened an account of',
  changePassword: 'changed the password of',
  makePasswordLink: 'made a link for a new password of',
  choosePassword: 'chose, by a link, a new password of',
  switchCodesOn: 'switched codes on for',
  switchCodesOff: 'switched codes off for',
  resetCodes: 'reset the codes of',
  changeRole: 'changed the role of',
  shutAccount: 'shut',
  openAccount: 'opened',
  acceptInvitation: 'accepted the invitation and made',
  invite: 'made',
  revokeInvitation: 'revoked',
  enableEndpoint: 'switched deliveries on again for',
  sendAgain: 'sent deliveries again to',
  startImport: 'started',
  cancelImport: 'stopped',
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
  book: 'booked',
  walkIn: 'seated, as a walk-in,',
  seatFromWaitlist: 'seated, from the waitlist,',
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
  endSignUp: 'ended the sign-up of',
  decline: 'declined',
  suppress: 'put on the do-not-email list',
  unsuppress: 'took off the do-not-email list',
  sell: 'sold',
  confirmPayment: 'noted the payment of',
  cancel: 'cancelled',
  refund: 'refunded',
  beginRefund: 'began a refund of',
  failRefund: 'noted a failed refund of',
  send: 'sent or scheduled',
  'campaign sendAgain': 'sent, to those who missed it,',
  choose_mail: 'chose the mail of',
  showTopic: 'let guests choose',
  hideTopic: 'no longer lets guests choose',
  'change the settings of mail': 'changed the settings of mail of',
  mailSenderLink: 'mailed the link that confirms the sender of',
  verifySender: 'was told by the mailed link to confirm the sender of',
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
  // No links: only owners may open what these lead to.
  staff: { name: 'an account', numbered: false },
  invitation: { name: 'an invitation', numbered: false },
  webhook_endpoint: { name: 'an endpoint', numbered: false },
  data_import: { name: 'import' },
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
  campaign: { name: 'campaign', to: (id) => `/office/campaigns/${id}` },
  tag: { name: 'a tag', numbered: false, to: () => '/office/subscribers/topics' },
  ticket_order: { name: 'ticket order', to: (id) => `/office/tickets/orders/${id}` },
}
