import type { RecordKind } from '@venue-data/contract/kinds.ts'
import { presentCampaign } from '../campaigns/present.ts'
import { campaignStates, campaignsByIds } from '../campaigns/reads.ts'
import type { Queries } from '../db/pool.ts'
import type { RecordState } from '../events/record-states.ts'
import { presentGuest } from '../guests/present.ts'
import { guestStates, guestsByIds } from '../guests/reads.ts'
import { presentLead } from '../leads/present.ts'
import { leadStates, leadsByIds } from '../leads/reads.ts'
import { presentReservation } from '../reservations/present.ts'
import { reservationStates, reservationsByIds } from '../reservations/reads.ts'
import { presentSubscriber } from '../subscribers/present.ts'
import { subscriberStates, subscribersByIds } from '../subscribers/reads.ts'
import { presentTask } from '../tasks/present.ts'
import { taskStates, tasksByIds } from '../tasks/reads.ts'
import { presentTicketOrder } from '../ticket-orders/present.ts'
import { ticketOrderStates, ticketOrdersByIds } from '../ticket-orders/reads.ts'
import type { Venue, VenueId } from '../venue/venue.ts'
import { presentWaitlistEntry } from '../waitlist/present.ts'
import { waitlistEntriesByIds, waitlistEntryStates } from '../waitlist/reads.ts'

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
}
