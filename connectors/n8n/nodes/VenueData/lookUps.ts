import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow'
import { request } from './request'

/* Choices in a form, read from the venue. */

/** The event dates on sale. */
export async function getOccurrences(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const { body } = await request.call(this, { method: 'GET', path: '/api/v1/occurrences' })
  return (body as IDataObject[]).map(({ id, eventName, occurrenceTitle, date, startTime }) => ({
    name: [eventName, occurrenceTitle, date, startTime].filter(Boolean).join(', '),
    value: id as number,
  }))
}

/** Venues name their own pipeline stages, so these are the stages of the newest leads. */
export async function getStages(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const { body } = await request.call(this, { method: 'GET', path: '/api/v1/leads', query: { limit: 100 } })
  const stages = (body as IDataObject[]).map(({ stage }) => stage as string).filter(Boolean)
  return [...new Set(stages)].sort().map((name) => ({ name, value: name }))
}
