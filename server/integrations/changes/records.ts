import type { RecordKind } from '@venue-data/contract/kinds.ts'
import { presentCampaign } from '../../marketing/campaigns/present.ts'
import { campaignStates, campaignsByIds } from '../../marketing/campaigns/reads.ts'
import type { Queries } from '../../platform/db/pool.ts'
import type { RecordState } from '../../core/events/record-states.ts'
import { presentGuest } from '../../crm/guests/guest.ts'
import { guestStates, guestsByIds } from '../../crm/guests/reads.ts'
import { presentLead } from '../../crm/leads/lead.ts'
import { leadStates, leadsByIds } from '../../crm/leads/reads.ts'
import { presentReservation } from '../../book/day/book-row.ts'
import { reservationStates, reservationsByIds } from '../../book/reservations/reads.ts'
import { presentSubscriber } from '../../marketing/subscribers/subscriber.ts'
import { subscriberStates, subscribersByIds } from '../../marketing/subscribers/reads.ts'
import { presentTask } from '../../crm/tasks/task.ts'
import { taskStates, tasksByIds } from '../../crm/tasks/reads.ts'
import { presentTicketOrder } from '../../tickets/order.ts'
import { ticketOrderStates, ticketOrdersByIds } from '../../tickets/reads.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'
import { presentWaitlistEntry } from '../../book/day/entry-row.ts'
import { presentVisit } from '../../book/visits/visit.ts'
import { visitStates, visitsByIds } from '../../book/visits/reads.ts'
import { waitlistEntriesByIds, waitlistEntryStates } from '../../book/waitlist/reads.ts'

/** How the feed reads records: through their slice, in the form the slice presents. */
type Records = {
  readonly shown: (db: Queries, venue: Venue, ids: readonly number[]) => Promise<{ readonly id: number }[]>
  /** Of records from an id on, by id. */
  readonly states: (db: Queries, venue: VenueId, after: number, most: number) => Promise<RecordState[]>
}

const shownBy =
  <Row>(
    byIds: (db: Queries, venue: VenueId, ids: readonly number[]) => Promise<Row[]>,
    present: (row: Row) => { readonly id: number },
  ): Records['shown'] =>
  async (db, venue, ids) =>
    (await byIds(db, venue.id, ids)).map(present)

export const recordsOf: Readonly<Record<RecordKind, Records>> = {
  guest: { shown: shownBy(guestsByIds, presentGuest), states: guestStates },
  reservation: { shown: shownBy(reservationsByIds, presentReservation), states: reservationStates },
  subscriber: { shown: shownBy(subscribersByIds, presentSubscriber), states: subscriberStates },
  ticket_order: { shown: shownBy(ticketOrdersByIds, presentTicketOrder), states: ticketOrderStates },
  waitlist_entry: { shown: shownBy(waitlistEntriesByIds, presentWaitlistEntry), states: waitlistEntryStates },
  lead: { shown: shownBy(leadsByIds, presentLead), states: leadStates },
  task: { shown: shownBy(tasksByIds, presentTask), states: taskStates },
  campaign: {
    shown: async (db, venue, ids) =>
      (await campaignsByIds(db, venue.id, ids)).map((row) => presentCampaign(venue, row)),
    states: campaignStates,
  },
  visit: { shown: shownBy(visitsByIds, presentVisit), states: visitStates },
}
