import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestMethods,
  ILoadOptionsFunctions,
  JsonObject,
} from 'n8n-workflow'
import { NodeApiError, sleep } from 'n8n-workflow'

export type Asked = {
  method: IHttpRequestMethods
  /** Below the base URL, beginning with /api/v1. */
  path: string
  query?: IDataObject
  body?: IDataObject
  headers?: IDataObject
  /** A refusal with this status is returned like any other answer. */
  unless?: number
}

export type Reply = { statusCode: number; headers: IDataObject; body: unknown }

type Refused = { error?: string; reason?: string }

/** How many times a request that was rejected without being carried out is sent again. */
const resends = 5

/**
 * Sends a request with the credentials of the node. Waits and sends it again when the service says so: over the rate
 * limit, and while the first attempt of a write is still being processed.
 * @throws NodeApiError with the sentence of the refusal
 */
export async function request(
  this: IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions,
  { method, path, query = {}, body, headers = {}, unless }: Asked,
  itemIndex = 0,
): Promise<Reply> {
  const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('venueDataApi')
  for (let sent = 1; ; sent++) {
    const reply = (await this.helpers.httpRequestWithAuthentication.call(this, 'venueDataApi', {
      method,
      url: `${baseUrl.replace(/\/+$/, '')}${path}`,
      qs: query,
      headers,
      ...(body && { body }),
      json: true,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
    })) as Reply
    if (reply.statusCode < 300 || reply.statusCode === unless) return reply
    const refused = (reply.body ?? {}) as Refused
    const pause = pauseBeforeResend(reply, refused)
    if (pause === undefined || sent > resends) {
      throw new NodeApiError(this.getNode(), refused as JsonObject, {
        message: refused.error ?? `The service answered with status ${reply.statusCode}.`,
        description: adviceFor(refused.reason),
        httpCode: String(reply.statusCode),
        itemIndex,
      })
    }
    await sleep(pause * 1000)
  }
}

/** Seconds to wait before sending the same request again; undefined: that would not help. */
const pauseBeforeResend = ({ statusCode, headers }: Reply, { reason }: Refused): number | undefined => {
  if (statusCode === 429) return Math.min(Number(headers['retry-after']) || 1, 60)
  return reason === 'still-processing' ? 2 : undefined
}

const adviceFor = (reason: string | undefined): string | undefined => {
  switch (reason) {
    case 'outcome-unknown':
      return 'The service does not know whether this was done. Look for the record, and run this again with another Idempotency Key only if it is not there.'
    case 'different-body':
      return 'The Idempotency Key was already used with other values. Use one that belongs to exactly one thing.'
    case 'changed-meanwhile':
      return 'Somebody changed the record after you read it. Read it again, or leave If-Match empty.'
    default:
      return reason && `Reason: ${reason}`
  }
}
