/* What banks and the processor answer, in words; what somebody typed stays as it is. */

const lost = 'the card was reported lost or stolen'
const noReason = 'the bank gave no reason'

const ofRefunds: Readonly<Record<string, string>> = {
  charge_for_pending_refund_disputed: 'the guest’s bank disputes the payment',
  declined: 'the guest’s bank declined it',
  expired_or_canceled_card: 'the card has expired or was canceled',
  insufficient_funds: 'there is not enough money in your Stripe account',
  lost_or_stolen_card: lost,
  merchant_request: 'it was canceled in Stripe',
  unknown: noReason,
}

const ofCharges: Readonly<Record<string, string>> = {
  card_not_supported: 'the card does not allow such a payment',
  card_velocity_exceeded: 'the card is at its limit',
  currency_not_supported: 'the card does not pay in this currency',
  expired_card: 'the card has expired',
  fraudulent: 'Stripe takes it for fraud',
  insufficient_funds: 'there is not enough money on the card',
  invalid_account: 'the card’s account is closed or wrong',
  lost_card: lost,
  pickup_card: lost,
  processing_error: 'the bank could not process it just then',
  stolen_card: lost,
  transaction_not_allowed: 'the card does not allow such a payment',
  withdrawal_count_limit_exceeded: 'the card is at its limit',
}

/** Why a refund did not arrive. */
export const refundAnswer = (answer: string): string =>
  ofRefunds[answer] ?? (isCode.test(answer) ? noReason : answer)

/** Why a card was not charged; undefined: the bank gave no reason that says anything. */
export const chargeAnswer = (code: string | null): string | undefined => ofCharges[code ?? '']

const isCode = /^[a-z]+(?:_[a-z]+)+$/
