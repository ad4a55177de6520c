import { TicketOrder } from '@venue-data/contract/records/ticket-order.ts'
import { recordOf } from '../platform/db/record-of.ts'
import type { RowOf } from '../platform/db/sql.ts'
import { dollars } from '../platform/kernel/money.ts'

export const ticketOrderRow = {
  id: 'int8',
  order_number: 'text',
  status: 'text',
  channel: 'text',
  payment_method: 'text',
  buyer_first_name: 'text?',
  buyer_last_name: 'text?',
  buyer_email: 'text?',
  buyer_phone: 'text?',
  event_name: 'text',
  occurrence_title: 'text?',
  event_date: 'date',
  event_start_time: 'time?',
  subtotal_cents: 'int4',
  discount_cents: 'int4',
  fee_cents: 'int4',
  tax_cents: 'int4',
  total_cents: 'int4',
  refunded_cents: 'int4',
  promo_code: 'text?',
  marketing_opt_in: 'bool?',
  paid_at: 'timestamptz?',
  external_reference: 'text?',
  currency: 'text?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  revision: 'int4',
} as const
export type TicketOrderRow = RowOf<typeof ticketOrderRow>

export const orderRecord = recordOf(TicketOrder, ticketOrderRow)
export const presentTicketOrder = (row: TicketOrderRow): TicketOrder =>
  orderRecord.present({ ...row, total: dollars(row.total_cents), refunded: dollars(row.refunded_cents) })

/** An erased order has lost its reference; online, only keys sell what is paid elsewhere. */
export const isMadeByKey = ({
  external_reference,
  channel,
  payment_method,
}: Pick<TicketOrderRow, 'external_reference' | 'channel' | 'payment_method'>): boolean =>
  external_reference !== null || (channel === 'public' && payment_method === 'external')
