import type { Work } from '../../../context.ts'
import { openMatters } from '../../../core/money/matter-store.ts'
import { firstStage } from '../../../crm/leads/pipeline.ts'
import { leadsOfStage } from '../../../crm/leads/reads.ts'
import { changesToAnswer, requestsToAnswer } from '../../../book/reservations/day-book.ts'
import { refundsToAnswer } from '../../../tickets/refund-request-store.ts'

/** How many of something wait for an answer of staff; nobody's name is in it. `path`: where in the office. */
export type Waiting = { readonly what: string; readonly count: number; readonly path: string }

/** Above this the letter says "50+". */
export const mostWaiting = 50

/** What needs an answer at a venue now; what nothing waits for is left out. */
export const whatWaits = async ({ db, venue, now }: Work): Promise<readonly Waiting[]> => {
  const requests = await requestsToAnswer(db, venue.id)
  const changes = await changesToAnswer(db, venue.id, now())
  const refunds = await refundsToAnswer(db, venue.id, mostWaiting + 1)
  const leads = await leadsOfStage(db, venue.id, firstStage, { limit: mostWaiting + 1, after: null })
  const matters = await openMatters(db, venue.id)
  return [
    { what: 'Requests for a table', count: requests.length, path: '/office/today' },
    { what: 'Changes of bookings', count: changes.length, path: '/office/today' },
    { what: 'Refunds of tickets', count: refunds.length, path: '/office/today' },
    { what: 'Inquiries about events', count: leads.rows.length, path: '/office/leads' },
    { what: 'Payments that need a look', count: matters.length, path: '/office/payments' },
  ].filter(({ count }) => count > 0)
}
