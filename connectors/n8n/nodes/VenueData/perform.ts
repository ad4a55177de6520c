import { createHash } from 'crypto'
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow'
import { NodeOperationError } from 'n8n-workflow'
import type { Call, CallField } from './call'
import { calls } from './generated/calls'
import { type Asked, request } from './request'

/** The most records per page. */
const pageSize = 100

/** Runs an item's operation; a list returns its records, anything else the API's answer. */
export async function perform(this: IExecuteFunctions, item: number): Promise<IDataObject[]> {
  const resource = this.getNodeParameter('resource', item) as string
  const operation = this.getNodeParameter('operation', item) as string
  const call = calls[resource]?.[operation]
  if (!call) {
    throw new NodeOperationError(this.getNode(), `There is no operation “${operation}” of “${resource}”.`, {
      itemIndex: item,
    })
  }
  const asked = askedFor.call(this, call, item)
  if (call.pages) return pageByPage.call(this, asked, item)
  const { body } = await request.call(this, asked, item)
  return Array.isArray(body) ? (body as IDataObject[]) : [body as IDataObject]
}

function askedFor(this: IExecuteFunctions, call: Call, item: number): Asked {
  const { method, fields, keyed, ifMatch, clears } = call
  let { path } = call
  const query: IDataObject = {}
  const body: IDataObject = {}
  for (const field of fields) {
    const value = valueOf.call(this, field, item)
    if (value === undefined) continue
    if (field.in === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(String(value)))
    else if (field.in === 'query') query[field.name] = Array.isArray(value) ? value.join(',') : value
    else put(body, field.to, value)
  }
  if (clears) {
    for (const name of this.getNodeParameter('clear', item, []) as string[]) body[name] = null
  }
  const options = this.getNodeParameter('options', item, {}) as IDataObject
  const headers: IDataObject = {
    ...(keyed && { 'Idempotency-Key': options.idempotencyKey || keyOf.call(this, item) }),
    ...((options.ifMatch || ifMatch) && { 'If-Match': options.ifMatch || ifMatch }),
  }
  const sendsBody = call.body === 'always' || Object.keys(body).length > 0
  return { method, path, query, headers, ...(sendsBody && { body }) }
}

/** The value entered; undefined: none. */
function valueOf(this: IExecuteFunctions, { name, of, as }: CallField, item: number): IDataObject[string] {
  const filled =
    of === undefined
      ? this.getNodeParameter(name, item)
      : (this.getNodeParameter(of, item, {}) as IDataObject)[name]
  if (filled === undefined || filled === null || filled === '') return undefined
  if (Array.isArray(filled)) {
    const some = filled.filter((one) => one !== '')
    return some.length > 0 ? (some as string[]) : undefined
  }
  if (as !== 'json' || typeof filled !== 'string') return filled as IDataObject[string]
  try {
    return JSON.parse(filled) as IDataObject
  } catch (error) {
    throw new NodeOperationError(this.getNode(), error as Error, {
      message: `${name} is not valid JSON.`,
      itemIndex: item,
    })
  }
}

const put = (body: IDataObject, [name, ...rest]: string[], value: IDataObject[string]): void => {
  if (rest.length === 0) body[name] = value
  else put((body[name] ??= {}) as IDataObject, rest, value)
}

/**
 * Identifies an item's write when n8n retries it: “Retry On Fail” runs the node again for every item, within the same
 * run of the same execution. A loop's next pass is another run, and a different write.
 */
function keyOf(this: IExecuteFunctions, item: number): string {
  const { $runIndex } = this.getWorkflowDataProxy(item)
  const parts = [
    this.getInstanceId(),
    this.getWorkflow().id,
    this.getExecutionId(),
    this.getNode().id,
    $runIndex,
    item,
  ]
  return `n8n-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`
}

async function pageByPage(this: IExecuteFunctions, asked: Asked, item: number): Promise<IDataObject[]> {
  const isAll = this.getNodeParameter('returnAll', item) as boolean
  const limit = isAll ? Infinity : (this.getNodeParameter('limit', item) as number)
  const records: IDataObject[] = []
  let after: IDataObject = {}
  do {
    const query = { ...asked.query, ...after, limit: Math.min(pageSize, limit - records.length) }
    const { headers, body } = await request.call(this, { ...asked, query }, item)
    records.push(...(body as IDataObject[]))
    // A short or even empty page is not necessarily the last.
    after = { after: headers['x-next-cursor'] }
  } while (after.after !== undefined && records.length < limit)
  return records
}
