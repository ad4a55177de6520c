import type { TicketOrder } from '@venue-data/contract/records/ticket-order.ts'
import { dollars } from '../platform/kernel/money.ts'
import type { TicketOrderRow } from './reads.ts'

export const presentTicketOrder = (row: TicketOrderRow): TicketOrder => ({
  id: row.id,
  orderNumber: row.order_number,
  status: row.status,
  channel: row.channel,
  paymentMethod: row.payment_method,
  buyerFirstName: row.buyer_first_name,
  buyerLastName: row.buyer_last_name,
  buyerEmail: row.buyer_email,
  buyerPhone: row.buyer_phone,
  eventName: row.event_name,
  occurrenceTitle: row.occurrence_title,
  eventDate: row.event_date,
  eventStartTime: row.event_start_time,
  subtotalCents: row.subtotal_cents,
  discountCents: row.discount_cents,
  feeCents: row.fee_cents,
  taxCents: row.tax_cents,
  totalCents: row.total_cents,
  refundedCents: row.refunded_cents,
  total: dollars(row.total_cents),
  refunded: dollars(row.refunded_cents),
  promoCode: row.promo_code,
  marketingOptIn: row.marketing_opt_in,
  paidAt: row.paid_at,
  externalReference: row.external_reference,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  revision: row.revision,
})
