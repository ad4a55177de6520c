import type {
  IExecuteFunctions,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
  JsonObject,
} from 'n8n-workflow'
import { NodeApiError, NodeConnectionTypes } from 'n8n-workflow'
import { properties } from './generated/properties'
import { resources } from './generated/resources'
import { getOccurrences, getStages } from './lookUps'
import { perform } from './perform'

export class VenueData implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Venue Data',
    name: 'venueData',
    icon: { light: 'file:../../icons/venueData.svg', dark: 'file:../../icons/venueData.dark.svg' },
    group: ['input'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Read and write the data of a restaurant: reservations, guests, tickets, leads and more',
    defaults: { name: 'Venue Data' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'venueDataApi', required: true }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: resources,
        default: 'reservation',
      },
      ...properties,
    ],
  }

  methods = { loadOptions: { getOccurrences, getStages } }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData()
    const results: INodeExecutionData[] = []
    for (let item = 0; item < items.length; item++) {
      try {
        const replies = await perform.call(this, item)
        results.push(...replies.map((json) => ({ json, pairedItem: { item } })))
      } catch (error) {
        if (!this.continueOnFail()) {
          throw new NodeApiError(this.getNode(), error as JsonObject, { itemIndex: item })
        }
        results.push({ json: { error: (error as Error).message }, pairedItem: { item } })
      }
    }
    return [results]
  }
}
