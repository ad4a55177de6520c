import type { Context } from '../../../context.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { chargesPages } from './charges.ts'
import { codePages } from './codes.ts'
import { datePages } from './dates.ts'
import { eventPicturePages } from './event-picture.ts'
import { eventPages } from './events.ts'
import { orderPages } from './order-routes.ts'
import { orderLinkPages } from './order-tickets.ts'
import { refundPages } from './refund.ts'
import { refundRequestPages } from './refund-requests.ts'
import { salePages } from './sale.ts'

/** Events with their dates, the box office, orders and refunds, codes, fee and tax. Hosts sell; the rest is for managers. */
export const ticketPages = (context: Context): readonly VenuePage[] => [
  ...salePages,
  ...orderPages,
  ...orderLinkPages(context),
  ...refundPages,
  ...refundRequestPages,
  ...eventPages,
  ...eventPicturePages(context),
  ...datePages,
  ...codePages,
  ...chargesPages,
]
