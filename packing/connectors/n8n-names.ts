import type { Group } from '@venue-data/contract/webhooks/endpoint.ts'
import type { EndpointId } from '@venue-data/contract/endpoints.ts'

/* What n8n calls things: a resource for each group, and short names of operations where a summary is too long for a list. */

/** The resource of a group; undefined: the node has none of its endpoints. */
export const resources: Readonly<Record<Group, string | undefined>> = {
  Account: 'Account',
  Availability: 'Availability',
  Changes: 'Change',
  Events: 'Event',
  Reservations: 'Reservation',
  Guests: 'Guest',
  Search: 'Search',
  Figures: 'Figure',
  Subscribers: 'Subscriber',
  'Ticket orders': 'Ticket Order',
  Checkouts: 'Checkout',
  Waitlist: 'Waitlist Entry',
  Visits: 'Visit',
  Leads: 'Lead',
  Tasks: 'Task',
  Campaigns: 'Campaign',
  Batches: 'Batch',
  'Dry run': 'Dry Run',
  Erasures: 'Erasure',
  'Webhook endpoints': 'Webhook Endpoint',
  // They take the addresses of another automation platform only.
  'Automation-platform hooks': undefined,
}

/** A node cannot change the key it was given. */
export const leftOut: readonly EndpointId[] = ['rotateKey']

/** Names of operations besides those that follow from the id: what lists, gets, creates and updates. */
export const operationNames: Readonly<Partial<Record<EndpointId, string>>> = {
  me: 'Get',
  getUsage: 'Get Usage',
  getAvailability: 'Get Open Times',
  checkAvailability: 'Check a Time',
  createHold: 'Hold a Time',
  listChanges: 'Get Changes',
  digestChanges: 'Compare a Copy',
  search: 'Find',
  listRooms: 'Get Rooms',
  listEvents: 'Get Events',
  listEventTypes: 'Get Types',
  findReservations: 'Find',
  findGuest: 'Find',
  cancelReservation: 'Cancel',
  getReservationChange: 'Get a Change',
  withdrawReservationChange: 'Withdraw a Change',
  changeTags: 'Change Tags',
  unsubscribe: 'Unsubscribe',
  unsubscribeAddress: 'Unsubscribe an Address',
  listOccurrences: 'Get What Is on Sale',
  cancelTicketOrder: 'Cancel',
  requestRefund: 'Ask for a Refund',
  expireCheckout: 'End',
  joinWaitlist: 'Create',
  leaveWaitlist: 'Leave',
  addLeadNote: 'Add a Note',
  completeTask: 'Complete',
  reopenTask: 'Reopen',
  composeCampaign: 'Build the List',
  testCampaign: 'Test',
  sendCampaign: 'Send',
  cancelCampaign: 'Cancel',
  listBatchResults: 'Get Results',
  dryRun: 'Try a Write',
  confirmErasure: 'Confirm',
  testWebhook: 'Test',
  rotateWebhookSecret: 'Rotate the Secret',
  sampleWebhook: 'Send a Sample',
  listDeliveries: 'Get Deliveries',
  getDelivery: 'Get a Delivery',
  resendDelivery: 'Send a Delivery Again',
  replayDeliveries: 'Replay',
}

/** What an operation is called among all that can be done, where its summary has more than letters: n8n takes no other. */
export const actionNames: Readonly<Partial<Record<EndpointId, string>>> = {
  createLead: 'Send an inquiry about a private event',
  createTask: 'Add a task for staff',
  composeCampaign: 'Build the list of a campaign',
}

/** Fields whose choices are looked up at the venue, by name, with the method of the node that does. */
export const lookUps: Readonly<Record<string, string>> = {
  'ticketOrder.occurrenceId': 'getOccurrences',
  'ticketOrder.occurrence': 'getOccurrences',
  'lead.stage': 'getStages',
}
