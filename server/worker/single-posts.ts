import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { type SinglePosts, singlePost } from '../integrations/batches/write-items.ts'
import { guestRoutes } from '../crm/guests/routes.ts'
import { leadRoutes } from '../crm/leads/routes.ts'
import { subscriberRoutes } from '../marketing/subscribers/routes.ts'
import { taskRoutes } from '../crm/tasks/routes.ts'

const routes = [...guestRoutes, ...subscriberRoutes, ...leadRoutes, ...taskRoutes]

const postOf = (endpoint: Endpoint) => {
  const route = routes.find((one) => one.endpoint === endpoint)
  if (!route) throw new Error(`${endpoint.id} has no route.`)
  return singlePost(route)
}

/** The routes that write a batch's items, by kind: those of the single POSTs. */
export const singlePosts: SinglePosts = {
  guest: postOf(endpoints.createGuest),
  subscriber: postOf(endpoints.createSubscriber),
  lead: postOf(endpoints.createLead),
  task: postOf(endpoints.createTask),
}
