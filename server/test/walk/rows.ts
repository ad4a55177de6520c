import type { Endpoint } from '@venue-data/contract/endpoint.ts'
import { type EndpointId, endpoints } from '@venue-data/contract/endpoints.ts'
import { eventNames } from '@venue-data/contract/events.ts'

/** Endpoints that came after the recording began; tests of their own speak of them. */
const later: ReadonlySet<string> = new Set<EndpointId>([
  'rotateKey',
  'getUsage',
  'getAvailability',
  'checkAvailability',
  'listChanges',
  'getReservation',
  'updateReservation',
  'cancelReservation',
  'withdrawReservationChange',
  'getGuest',
  'getSubscriber',
  'getTicketOrder',
  'getWaitlistEntry',
  'getLead',
  'listTasks',
  'updateSubscriber',
  'unsubscribe',
  'unsubscribeAddress',
  'joinWaitlist',
  'updateWaitlistEntry',
  'leaveWaitlist',
  'updateLead',
  'addLeadNote',
  'updateGuest',
  'getTask',
  'updateTask',
  'completeTask',
  'reopenTask',
  'listCampaigns',
  'getCampaign',
])

/** The events that the walk is told of: those of version 1. */
export const toldEvents = eventNames.filter((name) => name !== 'access.key_expiring')

/** The endpoints that the walk goes through. */
export const rows: readonly Endpoint[] = Object.values<Endpoint>(endpoints).filter(({ id }) => !later.has(id))
