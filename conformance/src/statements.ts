import type { Section } from './statement.ts'
import { authentication } from './statements/authentication.ts'
import { availability } from './statements/availability.ts'
import { batches } from './statements/batches.ts'
import { campaigns } from './statements/campaigns.ts'
import { changes } from './statements/changes.ts'
import { changing } from './statements/changing.ts'
import { checkouts } from './statements/checkouts.ts'
import { conventions } from './statements/conventions.ts'
import { delivery, signature } from './statements/delivery.ts'
import { dryRun } from './statements/dry-run.ts'
import { endpointSettings } from './statements/endpoint-settings.ts'
import { errors } from './statements/errors.ts'
import { events } from './statements/events.ts'
import { guests } from './statements/guests.ts'
import { hooks } from './statements/hooks.ts'
import { idempotency } from './statements/idempotency.ts'
import { leads } from './statements/leads.ts'
import { limitStatements } from './statements/limits.ts'
import { listConventions } from './statements/lists.ts'
import { orderOfChecks } from './statements/order-of-checks.ts'
import { pages } from './statements/pages.ts'
import { problemForm } from './statements/problem-form.ts'
import { receiverRules } from './statements/receiver-rules.ts'
import { reservations } from './statements/reservations.ts'
import { scopes } from './statements/scopes.ts'
import { service } from './statements/service.ts'
import { singleRecords } from './statements/single-records.ts'
import { subscribers } from './statements/subscribers.ts'
import { tasks } from './statements/tasks.ts'
import { ticketOrders } from './statements/ticket-orders.ts'
import { visits } from './statements/visits.ts'
import { versioning } from './statements/versioning.ts'
import { waitlist } from './statements/waitlist.ts'
import { webhookEndpoints } from './statements/webhook-endpoints.ts'
import { whatHappened } from './statements/what-happened.ts'

/** Version 1 as it began, in the order of the contract, then everything added since. */
export const sections: readonly Section[] = [
  service,
  conventions,
  listConventions,
  idempotency,
  reservations,
  guests,
  subscribers,
  ticketOrders,
  waitlist,
  leads,
  tasks,
  campaigns,
  webhookEndpoints,
  hooks,
  authentication,
  events,
  delivery,
  receiverRules,
  signature,
  errors,
  orderOfChecks,
  versioning,
  pages,
  singleRecords,
  changing,
  changes,
  visits,
  checkouts,
  whatHappened,
  availability,
  scopes,
  problemForm,
  dryRun,
  batches,
  endpointSettings,
  // Last, since it uses up a minute's requests.
  limitStatements,
]
