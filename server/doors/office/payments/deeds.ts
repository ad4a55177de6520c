import type { ActivityRow } from '../../../core/activity/reads.ts'

/* What was done with a booking or an order, as whole sentences for somebody who does not know the office: a bank. */

/** "The guest agreed to what was asked for". */
export const deedOf = ({ action, actor_kind }: Pick<ActivityRow, 'action' | 'actor_kind'>): string => {
  const doer = doers[actor_kind] ?? doers['service']
  const deed = (actor_kind === 'guest' ? byGuests[action] : undefined) ?? deeds[action]
  return deed === undefined
    ? `${doer} noted: ${action.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`
    : `${doer} ${deed}`
}

const doers: Readonly<Record<string, string>> = {
  staff: 'The venue',
  guest: 'The guest',
  key: 'Software of the venue',
  service: 'The booking system',
}

/** What is called otherwise when a guest does it. */
const byGuests: Readonly<Record<string, string>> = {
  sell: 'bought the tickets',
  mailLink: 'asked for the link to their booking',
  refund: 'returned seats, and the money went back',
  beginRefund: 'returned seats, and a refund was started',
}

const deeds: Readonly<Record<string, string>> = {
  book: 'made the booking',
  walkIn: 'seated the party, who came without a booking',
  seatFromWaitlist: 'seated the party from the waitlist',
  bookForLater: 'made the booking',
  acceptOffer: 'took the table that was offered',
  edit: 'changed the booking',
  changeGuest: 'changed whose booking it is',
  merge: 'merged two entries for the same guest',
  confirm: 'confirmed the booking',
  cancel: 'cancelled it',
  arrive: 'noted that the party had arrived',
  seat: 'seated the party',
  seatLate: 'seated the party late',
  complete: 'noted that the party had left',
  markNoShow: 'noted that nobody came',
  undoArrive: 'took back that the party had arrived',
  undoSeat: 'took back that the party was seated',
  undoComplete: 'took back that the party had left',
  undoNoShow: 'took back that nobody came',
  undoCancel: 'restored the booking',
  setFloorStage: 'noted how far the meal was',
  askChange: 'asked for a change of the booking',
  acceptChange: 'accepted the change',
  declineChange: 'declined the change',
  withdrawChange: 'withdrew the change',
  lapseChange: 'ended a change that nobody had answered in time',
  archive: 'put the booking away',
  unarchive: 'put the booking back in the queue',
  chooseTables: 'chose the table',
  giveTable: 'found a table',
  swapTables: 'changed the table',
  changeTables: 'changed the table',
  makeRoom: 'moved other parties to make room',
  pinTable: 'kept the party at this table',
  unpinTable: 'let the table be changed',
  giveToServer: 'chose who serves the party',
  mailLink: 'emailed the guest the link to their booking',
  renewLink: 'ended the guest’s link',
  writeStranded: 'wrote to the guest about a change of opening hours',
  tickSpoken: 'spoke to the guest',
  untickSpoken: 'took back having spoken to the guest',
  text: 'texted the guest',
  sendText: 'texted the guest',
  secure: 'agreed to what was asked for',
  'ask for a card': 'asked the guest for a card',
  'ask for a deposit': 'asked the guest for a deposit',
  'do without the card or deposit': 'waived the card or the deposit',
  'charge the card': 'started a charge of the card',
  'let the charge go': 'let the charge go',
  'give back what was paid': 'started a refund',
  refundAgain: 'sent a refund once more',
  gaveBackOtherwise: 'gave money back another way',
  'note that it was paid otherwise': 'noted that it was paid another way',
  'take the deposit off the bill': 'took the deposit off the bill',
  'ask to give back by hand': 'asked staff to give back by hand what was paid',
  dispute: 'noted what the bank says of the dispute',
  sell: 'sold the tickets',
  confirmPayment: 'noted that the payment was received',
  sendTickets: 'emailed the tickets',
  refund: 'noted that money went back',
  beginRefund: 'started a refund',
  failRefund: 'noted that a refund failed',
  dismissFailure: 'closed a refund that had failed',
  askRefund: 'asked for a refund',
  grantRefund: 'granted the refund',
  declineRefund: 'declined the refund',
  loseToDispute: 'noted that the dispute was lost',
  winDispute: 'noted that the dispute was won in the end',
  lookedAtPayment: 'looked at the payment',
}
