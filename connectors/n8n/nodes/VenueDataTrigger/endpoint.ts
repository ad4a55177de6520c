import type { IDataObject, IHookFunctions } from 'n8n-workflow'
import { NodeApiError } from 'n8n-workflow'
import { endpointsOfVenue } from '../VenueData/generated/limits'
import { request } from '../VenueData/request'

/** What n8n keeps for a trigger while its workflow is active. */
export type Kept = {
  webhookId?: string
  /** Signs the deliveries; the service shows it once. */
  secret?: string
  /** Ids of received deliveries, the newest last. */
  seen?: string[]
}

type Endpoint = { id: string; url: string; events: string[]; status: string }

const place = '/api/v1/webhooks'

export const keptOf = (functions: { getWorkflowStaticData: (of: string) => IDataObject }): Kept =>
  functions.getWorkflowStaticData('node') as Kept

const listed = async (hook: IHookFunctions): Promise<Endpoint[]> => {
  const { body } = await request.call(hook, { method: 'GET', path: place, query: { limit: 100 } })
  return body as Endpoint[]
}

const isSame = (some: string[], others: string[]): boolean =>
  JSON.stringify([...some].sort()) === JSON.stringify([...others].sort())

/**
 * Whether the endpoint exists and sends the chosen events here; one that was switched off or has other events is
 * corrected.
 */
export const isThere = async (hook: IHookFunctions): Promise<boolean> => {
  const { webhookId, secret } = keptOf(hook)
  const url = hook.getNodeWebhookUrl('default')
  const found = webhookId && secret && (await listed(hook)).find((one) => one.id === webhookId)
  if (!found || found.url !== url) return false
  const events = hook.getNodeParameter('events') as string[]
  if (found.status === 'active' && isSame(found.events, events)) return true
  const body = { events, status: 'active' }
  const path = `${place}/${found.id}`
  const { statusCode } = await request.call(hook, { method: 'PATCH', path, body, unless: 409 })
  if (statusCode !== 409) return true
  // Permanently off, for example because its key was revoked: deleted to make room for a new one.
  await remove(hook)
  return false
}

export const add = async (hook: IHookFunctions): Promise<void> => {
  const url = hook.getNodeWebhookUrl('default') as string
  const events = hook.getNodeParameter('events') as string[]
  const description = `n8n: ${hook.getWorkflow().name ?? 'workflow'}`.slice(0, 200)
  // An endpoint with this address whose secret was lost, for example after a crash, would be in the way.
  const there = await listed(hook)
  const old = there.find((one) => one.url === url)
  if (old) await request.call(hook, { method: 'DELETE', path: `${place}/${old.id}` })
  else if (there.length >= endpointsOfVenue) {
    throw new NodeApiError(
      hook.getNode(),
      {},
      {
        message: `This venue already has ${endpointsOfVenue} webhook endpoints, the most it may have.`,
        description:
          'Delete one that is no longer used, with the Venue Data node (Webhook Endpoint, Delete) or in the office of the venue under Integrations. Then activate this workflow again.',
        httpCode: '409',
      },
    )
  }
  const { body } = await request.call(hook, {
    method: 'POST',
    path: place,
    body: { url, events, description },
  })
  const made = body as { id: string; secret: string }
  Object.assign(keptOf(hook), { webhookId: made.id, secret: made.secret, seen: [] })
}

/** Deletes the endpoint; it is fine if it is already gone. */
export const remove = async (hook: IHookFunctions): Promise<void> => {
  const kept = keptOf(hook)
  if (kept.webhookId) {
    await request.call(hook, { method: 'DELETE', path: `${place}/${kept.webhookId}`, unless: 404 })
  }
  delete kept.webhookId
  delete kept.secret
  delete kept.seen
}
