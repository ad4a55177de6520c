import { createRequire } from 'node:module'

/*
 * What n8n gives a node while it works, as far as ours uses it: parameters, expressions' defaults and static data by
 * n8n-workflow itself, requests by fetch. n8n's own engine is not among what can be installed for a test.
 */

const require = createRequire(new URL('../n8n/package.json', import.meta.url))

type Parameters = Readonly<Record<string, unknown>>
type Items = { readonly json: Record<string, unknown> }[][]

export type NodeType = {
  readonly description: { readonly properties: readonly Record<string, unknown>[] }
  readonly methods?: { readonly loadOptions: Readonly<Record<string, (this: unknown) => Promise<unknown>>> }
  readonly webhookMethods?: {
    readonly default: Readonly<
      Record<'checkExists' | 'create' | 'delete', (this: unknown) => Promise<boolean>>
    >
  }
  readonly execute?: (this: unknown) => Promise<Items>
  readonly webhook?: (this: unknown) => Promise<Record<string, unknown>>
}

type Authenticate = { readonly properties: { readonly headers: Readonly<Record<string, string>> } }

/** The built files of the package. */
const { VenueData } = require('./dist/nodes/VenueData/VenueData.node.js') as { VenueData: new () => NodeType }
const { VenueDataTrigger } = require('./dist/nodes/VenueDataTrigger/VenueDataTrigger.node.js') as {
  VenueDataTrigger: new () => NodeType
}
const { VenueDataApi } = require('./dist/credentials/VenueDataApi.credentials.js') as {
  VenueDataApi: new () => { readonly authenticate: Authenticate }
}
export const { calls } = require('./dist/nodes/VenueData/generated/calls.js') as {
  calls: Record<string, Record<string, { readonly method: string; readonly path: string }>>
}

const types: Readonly<Record<string, new () => NodeType>> = {
  venueData: VenueData,
  venueDataTrigger: VenueDataTrigger,
}

const { Workflow } = require('n8n-workflow')

export type Runtime = {
  readonly credentials: { readonly baseUrl: string; readonly apiKey: string }
  /** What makes an execution another one. */
  readonly execution?: string
  readonly run?: number
  readonly items?: number
  readonly continueOnFail?: boolean
  /** Where n8n takes deliveries. */
  readonly webhookUrl?: string
  /** Answers in place of the service, one after the other, before it does. */
  readonly instead?: { statusCode: number; headers: Record<string, string>; body: unknown }[]
}

/** A node in a workflow, with its form filled in. */
export const placed = (type: 'venueData' | 'venueDataTrigger', parameters: Parameters) => {
  const workflow = new Workflow({
    id: 'workflow-1',
    name: 'Evening list',
    nodes: [{ id: 'node-1', name: 'Venue', type, typeVersion: 1, position: [0, 0], parameters }],
    connections: {},
    active: true,
    nodeTypes: { getByNameAndVersion: (name: string) => new (types[name] as new () => NodeType)() },
  })
  return { workflow, node: workflow.getNode('Venue'), type: new (types[type] as new () => NodeType)() }
}
export type Placed = ReturnType<typeof placed>

/** What a node finds as `this`. */
export const contextOf = ({ workflow, node }: Placed, runtime: Runtime, more: object = {}) => {
  const { credentials, execution = '1', run = 0, items = 1, continueOnFail = false, instead = [] } = runtime
  return {
    getInputData: () => Array.from({ length: items }, () => ({ json: {} })),
    getNodeParameter: (name: string, ...[, fallback]: [item?: number, fallback?: unknown]) => {
      const value = node.parameters[name]
      if (value !== undefined) return value
      if (fallback === undefined) throw new Error(`Could not get parameter: ${name}`)
      return fallback
    },
    getNode: () => node,
    getWorkflow: () => ({ id: workflow.id, name: workflow.name, active: true }),
    getInstanceId: () => 'instance-1',
    getExecutionId: () => execution,
    getWorkflowDataProxy: () => ({ $runIndex: run }),
    getWorkflowStaticData: (of: string) => workflow.getStaticData(of, node),
    getNodeWebhookUrl: () => runtime.webhookUrl,
    getCredentials: async () => credentials,
    continueOnFail: () => continueOnFail,
    helpers: {
      returnJsonArray: (json: Record<string, unknown>) => [{ json }],
      httpRequestWithAuthentication: async (_name: string, options: Requested) =>
        instead.shift() ?? (await requested(options, credentials.apiKey)),
    },
    ...more,
  }
}

type Requested = {
  readonly method: string
  readonly url: string
  readonly qs: Readonly<Record<string, string | number>>
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

const requested = async ({ method, url, qs, headers, body }: Requested, apiKey: string) => {
  const address = new URL(url)
  for (const [name, value] of Object.entries(qs)) address.searchParams.set(name, String(value))
  const own = Object.entries(new VenueDataApi().authenticate.properties.headers).map(
    ([name, value]) => [name, value.replace('={{$credentials.apiKey}}', apiKey)] as const,
  )
  const response = await fetch(address, {
    method,
    headers: {
      ...headers,
      ...Object.fromEntries(own),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: text === '' ? undefined : JSON.parse(text),
  }
}

/** Executes a node once; answers with the records of its output. */
export const execute = async (
  parameters: Parameters,
  runtime: Runtime,
): Promise<Record<string, unknown>[]> => {
  const there = placed('venueData', parameters)
  const [output = []] = (await there.type.execute?.call(contextOf(there, runtime))) ?? []
  return output.map(({ json }) => json)
}
