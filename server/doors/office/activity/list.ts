import type { ActivityRow } from '../../../core/activity/reads.ts'
import type { RecordKind } from '../../../core/activity/record.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { dayAndYearInWords, timeOf } from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type Called, whoDid } from './who.ts'
import { changesPart } from './changes.ts'

/** What a record is called now; undefined without a name, such as an erased guest's. */
export type NameOf = (record: { readonly kind: string; readonly id: number }) => string | undefined

/** Changes, grouped by the day they were made. */
export const activityList = (
  rows: readonly ActivityRow[],
  zone: string,
  called: Called,
  nameOf: NameOf,
): Html => {
  const days = Map.groupBy(rows, ({ at }) => wallTimeOf(toInstant(at), zone).date)
  return html`${[...days].map(
    ([date, changes]) =>
      html`<h2 class="trail-day">${dayAndYearInWords(date)}</h2>
        <ol class="rows activity">
          ${changes.map((row) => activityRow(row, zone, called, nameOf))}
        </ol>`,
  )}`
}

const activityRow = (row: ActivityRow, zone: string, called: Called, nameOf: NameOf): Html => {
  const kind = kinds[row.record_kind as RecordKind]
  const known =
    row.record_kind === 'staff'
      ? called.get(row.record_id)
      : nameOf({ kind: row.record_kind, id: row.record_id })
  const number = `${kind?.name ?? row.record_kind.replaceAll('_', ' ')}${kind?.numbered === false ? '' : ` ${row.record_id}`}`
  const to = kind?.to?.(row.record_id)
  const isThere = row.action !== 'delete' && row.after !== null
  const name = known ?? number
  return html`<li>
    <span class="small soft nowrap">${timeOf(row.at, zone)}</span>
    <div class="grow">
      <p>
        <span class="strong">${actionWords(row)}</span>
        ${to !== undefined && isThere && row.record_id !== 0 ? html`<a class="breaks" href="${to}">${name}</a>` : html`<span class="breaks">${name}</span>`}
        ${known !== undefined && kind?.numbered !== false && html`<span class="soft small nowrap">${number}</span>`}
        <span class="soft small breaks">by ${whoDid(row, called)}</span>
      </p>
      ${changesPart(row, zone)}
    </div>
  </li>`
}

/** "markNoShow" as people would say it: "Mark no show". */
export const actionWords = ({ action, record_kind }: Pick<ActivityRow, 'action' | 'record_kind'>): string => {
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
  'import the rules': 'replaced the rules of',
  'change the limits': 'changed the limits of',
  'change the tables': 'changed the tables of',
  'turn tables on': 'turned tables on at',
  'turn tables off': 'turned tables off at',
  chooseTables: 'chose the table of',
  giveTable: 'found a table for',
  changeGuest: 'changed whose booking it is:',
  swapTables: 'swapped the table of',
  changeTables: 'changed the table of',
  makeRoom: 'moved others to other tables for',
  pinTable: 'kept at its table:',
  unpinTable: 'let the system move:',
  'change the guest pages': 'changed the guest pages of',
  'add a special day': 'added a special day at',
  'remove a special day': 'removed a special day from',
  'add a closure': 'added a closure at',
  'remove a closure': 'removed a closure from',
  'add a block': 'added a block at',
  'remove a block': 'removed a block from',
  'change what a slot takes': 'changed what a slot takes at',
  'close online bookings': 'closed online bookings at',
  'open online bookings again': 'opened online bookings again at',
  'changes by API': 'chose what happens to changes by API at',
  'change the shift notes': 'changed the shift notes of',
  'add a server': 'added a server at',
  'change a server': 'changed a server at',
  'delete a server': 'deleted a server at',
  'change the sections': 'changed the sections of',
  'change the line-up': 'changed the line-up of',
  'skip a server': 'skipped a server at',
  'undo a skip': 'undid the skip of a server at',
  'hand over a section': 'handed a section over at',
  giveToServer: 'changed the server of',
  'cut a server': 'sent a server home at',
  'undo a cut': 'took back that a server was sent home at',
  'change the sender of texts': 'changed the sender of texts of',
  'send a test text': 'sent a test text for',
  'remove the sender of texts': 'removed the sender of texts of',
  text: 'texted',
  sendText: 'sent a text to',
  textBack: 'texted back:',
  signUp: 'signed up:',
  confirmSignUp: 'confirmed the sign-up of',
  endSignUpAgain: 'ended the unconfirmed sign-up of',
  'erase a person': 'erased',
  'ask for API access': 'requested API access for',
  approveAccess: 'approved API access for',
  declineAccess: 'declined API access for',
  withdrawAccess: 'withdrew API access for',
  'make a key': 'created',
  'revoke a key': 'revoked',
  'change a key': 'changed',
  'connect an app': 'connected an app, with',
  'remove an app': 'removed an app, with',
  'replace a key': 'replaced by itself:',
  'shut an account': 'deactivated an account at',
  'open an account': 'reactivated an account at',
  changePassword: 'changed the password of',
  makePasswordLink: 'created a password reset link for',
  choosePassword: 'used a link to choose a new password for',
  switchCodesOn: 'turned sign-in codes on for',
  switchCodesOff: 'turned sign-in codes off for',
  resetCodes: 'reset sign-in codes for',
  changeRole: 'changed the role of',
  shutAccount: 'deactivated',
  openAccount: 'reactivated',
  acceptInvitation: 'accepted the invitation and opened the account of',
  changeName: 'changed the name of',
  invite: 'created',
  revokeInvitation: 'revoked',
  enableEndpoint: 'turned deliveries back on for',
  sendAgain: 'resent deliveries to',
  changeEndpoint: 'changed the settings of',
  rotateSecret: 'made a new signing secret for',
  startImport: 'started',
  cancelImport: 'stopped',
  undoImport: 'undid',
  confirm: 'confirmed',
  arrive: 'marked as arrived:',
  takeBackEntry: 'took back that somebody came in with',
  mailLink: 'emailed the guest the link to',
  writeStranded: 'wrote to the guest of a booking left without a service:',
  tickSpoken: 'spoke to the guest of',
  untickSpoken: 'took back having spoken to the guest of',
  renewLink: 'ended the guest’s link to',
  seat: 'seated',
  complete: 'completed',
  markNoShow: 'marked as a no-show:',
  undoArrive: 'undid the arrival of',
  undoSeat: 'undid the seating of',
  undoComplete: 'undid the completion of',
  undoNoShow: 'undid the no-show of',
  seatLate: 'seated late',
  undoCancel: 'undid the cancellation of',
  refundAgain: 'sent a refund once more for',
  gaveBackOtherwise: 'gave money back another way for',
  secure: 'agreed to what was asked for',
  'ask for a card': 'asked for a card for',
  'ask for a deposit': 'asked for a deposit for',
  'do without the card or deposit': 'waived the card or deposit of',
  'let the charge go': 'let the charge go of',
  'charge the card': 'charged the card of',
  'give back what was paid': 'started the refund of',
  'note that it was paid otherwise': 'noted as paid another way:',
  'note that it was given back': 'noted as given back by hand what was paid for',
  'take the deposit off the bill': 'took the deposit off the bill of',
  'connect payments': 'connected payments for',
  'renew the key for payments': 'renewed the key for payments of',
  'enter the signing secret for payments': 'entered the signing secret for payments of',
  'disconnect payments': 'disconnected payments of',
  'remove a former account for payments': 'began to remove a former Stripe account of',
  'keep a former account for payments': 'kept a former Stripe account of',
  'forget the key of a former account for payments': 'removed a former Stripe account of',
  'ask to give back by hand': 'asked staff to give back by hand what was paid for',
  setFloorStage: 'set the stage of',
  quote: 'quoted',
  page: 'paged',
  offer: 'offered a table that came free to',
  acceptOffer: 'took the offered table:',
  notYet: 'marked as “not yet”:',
  book: 'booked',
  walkIn: 'seated as a walk-in:',
  seatFromWaitlist: 'seated from the waitlist:',
  seatNow: 'seated',
  bookForLater: 'booked for later',
  leave: 'marked as left:',
  expire: 'expired',
  recall: 'recalled',
  rejoin: 'put back on the waitlist:',
  join: 'added',
  onTheirWay: 'said they are on their way:',
  make: 'added',
  edit: 'changed',
  delete: 'deleted',
  fillIn: 'filled in',
  merge: 'merged',
  undoMerge: 'undid the merge of',
  done: 'completed',
  undone: 'reopened',
  move: 'moved',
  setPriority: 'set the priority of',
  add: 'added',
  addEvidence: 'added proof of consent for',
  unsubscribe: 'unsubscribed',
  endSignUp: 'ended the sign-up for',
  decline: 'declined',
  suppress: 'added to the do-not-email list:',
  unsuppress: 'removed from the do-not-email list:',
  sell: 'sold',
  confirmPayment: 'recorded the payment for',
  cancel: 'cancelled',
  refund: 'refunded',
  beginRefund: 'started a refund for',
  askRefund: 'asked for a refund of',
  grantRefund: 'granted the refund request for',
  declineRefund: 'declined the refund request for',
  failRefund: 'recorded a failed refund for',
  loseToDispute: 'lost to a dispute what was paid for',
  winDispute: 'won back in a dispute what was paid for',
  lookedAtPayment: 'looked at a payment of',
  dispute: 'noted a dispute of',
  send: 'sent or scheduled',
  'campaign sendAgain': 'resent to those who missed it:',
  choose_mail: 'changed email preferences for',
  showTopic: 'let guests choose',
  hideTopic: 'no longer lets guests choose',
  'change the settings of mail': 'changed the email settings of',
  mailSenderLink: 'emailed a sender confirmation link for',
  verifySender: 'confirmed, from the emailed link, the sender for',
  dismissFailure: 'dismissed a failed refund for',
}

/** What a record is called, and where it is in the office; in the order in which the page offers them. */
export const kinds: Readonly<
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
  data_import: { name: 'import', to: (id) => `/office/data/imports/${id}` },
  guest: { name: 'guest', to: (id) => `/office/guests/${id}` },
  subscriber: { name: 'subscriber', to: (id) => `/office/subscribers/${id}` },
  suppression: { name: 'an address', numbered: false },
  lead: { name: 'lead', to: (id) => `/office/leads/${id}` },
  lead_note: { name: 'a lead note', numbered: false },
  lead_pipeline: { name: 'the lead stages', numbered: false, to: () => '/office/leads/pipeline' },
  task: { name: 'task', to: (id) => `/office/tasks/${id}` },
  ticketed_event: { name: 'event', to: (id) => `/office/tickets/events/${id}` },
  occurrence: { name: 'date', to: (id) => `/office/tickets/dates/${id}` },
  promo_code: { name: 'promo code', to: (id) => `/office/tickets/codes/${id}` },
  ticket_settings: { name: 'fee and tax', numbered: false, to: () => '/office/tickets/charges' },
  ticket_order: { name: 'ticket order', to: (id) => `/office/tickets/orders/${id}` },
  campaign: { name: 'campaign', to: (id) => `/office/campaigns/${id}` },
  tag: { name: 'a tag', numbered: false, to: () => '/office/subscribers/topics' },
}

export const recordKinds = Object.keys(kinds) as readonly RecordKind[]
