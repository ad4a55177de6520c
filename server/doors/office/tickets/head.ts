import { type Html, html } from '../../../platform/html/html.ts'
import { mayAct } from '../../../core/staff/roles.ts'
import { searchFor } from './order-search.ts'
import { tabs } from '../parts/pager.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

const all = [
  ['/office/tickets', 'Dates', 'host'],
  ['/office/tickets/door', 'At the door', 'host'],
  ['/office/tickets/orders', 'Orders', 'host'],
  ['/office/tickets/events', 'Events', 'manager'],
  ['/office/tickets/codes', 'Promo codes', 'manager'],
  ['/office/tickets/charges', 'Fee and tax', 'manager'],
] as const

export type TicketPlace = (typeof all)[number][0]

/** The head of every tickets page: search for an order from anywhere. */
export const ticketsHead = ({ me }: Pick<OfficeWork, 'me'>, current: TicketPlace, typed = ''): Html =>
  html`<div class="page-head">
      <h1>Tickets</h1>
      ${searchFor(typed)}
    </div>
    ${tabs(
      'Tickets',
      current,
      all.filter(([, , role]) => mayAct(me.staff.role, role)).map(([to, name]) => [to, name] as const),
    )}`
