import type { VenuePage } from '../serve-page.ts'
import { chargesPages } from './charges-pages.ts'
import { codePages } from './code-pages.ts'
import { datePages } from './date-pages.ts'
import { eventPages } from './event-pages.ts'
import { orderPages } from './order-pages.ts'
import { refundPages } from './refund-pages.ts'
import { salePages } from './sale-pages.ts'

/** Events with their dates, the box office, orders and refunds, codes, fee and tax. Hosts sell; the rest is for managers. */
export const ticketPages: readonly VenuePage[] = [
  ...salePages,
  ...orderPages,
  ...refundPages,
  ...eventPages,
  ...datePages,
  ...codePages,
  ...chargesPages,
]
