import type {
  IDataObject,
  IHookFunctions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow'
import { NodeConnectionTypes } from 'n8n-workflow'
import { events } from '../VenueData/generated/events'
import { add, isThere, keptOf, remove } from './endpoint'
import { isSigned } from './signature'

/** How many delivery ids are remembered, so that a repeated one starts nothing. */
const remembered = 500

export class VenueDataTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Venue Data Trigger',
    name: 'venueDataTrigger',
    icon: { light: 'file:../../icons/venueData.svg', dark: 'file:../../icons/venueData.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow when something happens at a restaurant',
    defaults: { name: 'Venue Data Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'venueDataApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        options: events,
        default: [],
        required: true,
        description:
          'What starts the workflow. One change comes once, under the most telling name chosen here.',
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return isThere(this)
      },
      async create(this: IHookFunctions): Promise<boolean> {
        await add(this)
        return true
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await remove(this)
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const kept = keptOf(this)
    const { rawBody } = this.getRequestObject() as unknown as { rawBody: Buffer }
    const header = String(this.getHeaderData()['x-service-signature'] ?? '')
    const now = Date.now() / 1000
    if (!kept.secret || !isSigned({ secret: kept.secret, header, body: rawBody, now })) {
      this.getResponseObject().status(400).json({ error: 'The signature is missing or wrong.' })
      return { noWebhookResponse: true }
    }
    const delivery = this.getBodyData() as IDataObject & { id: string; event: string }
    const seen = kept.seen ?? []
    if (delivery.event === 'ping' || seen.includes(delivery.id))
      return { webhookResponse: { started: false } }
    kept.seen = [...seen, delivery.id].slice(-remembered)
    return { workflowData: [this.helpers.returnJsonArray(delivery)] }
  }
}
