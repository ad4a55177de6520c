import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow'
import { request } from './request'

/* What can be chosen in a form, asked of the venue. */

/** The dates of events that are on sale. */
export async function getOccurrences(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const { body } = await request.call(this, { method: 'GET', path: '/api/v1/occurrences' })
  return (body as IDataObject[]).map(({ id, eventName, occurrenceTitle, date, startTime }) => ({
    name: [eventName, occurrenceTitle, date, startTime].filter(Boolean).join(', '),
    value: id as number,
  }))
}

/** Venues name the stages of their pipeline themselves: those that their newest leads are at. */
export async function getStages(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const { body } = await request.call(this, { method: 'GET', path: '/api/v1/leads', query: { limit: 100 } })
  const stages = (body as IDataObject[]).map(({ stage }) => stage as string).filter(Boolean)
  return [...new Set(stages)].sort().map((name) => ({ name, value: name }))
}
