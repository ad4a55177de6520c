import { sampleAnswerOf, sampleMomentOf, sampleRecordOf } from '@venue-data/contract/webhooks/delivery.ts'
import { type EventName, events, namesWith } from '@venue-data/contract/webhooks/events.ts'
import { kinds } from '@venue-data/contract/kinds.ts'
import type { DeliveryInclude, DeliveryPayload } from '@venue-data/contract/webhooks/webhook-states.ts'
import type { Context, Work } from '../../context.ts'
import { changedFields } from '../../core/events/changed-fields.ts'
import { messageBody } from './sending/message.ts'
import type { Reach } from './reach.ts'
import { sendNow } from './sending/send-now.ts'
import { dataForEndpoint } from './endpoint-data.ts'

/*
 * Samples of events: the contract's own examples, as an endpoint would get them. Nobody can mistake one for a real
 * event: it says that it is a sample, and no record has the id 0.
 */

/** Sends an endpoint a signed sample of an event now and returns the outcome. */
export const sendSample = (
  work: Work,
  context: Pick<Context, 'secrets' | 'random' | 'sender'>,
  endpointId: string,
  event: EventName,
  reach: Reach,
) =>
  sendNow(work, context, endpointId, {
    event,
    reach,
    headers: { 'x-service-sample': 'true' },
    body: (id, target) => {
      const record = sampleRecordOf(event)
      return messageBody({
        ...{ id, event, occurredAt: sampleMomentOf(event), venueSlug: work.venue.slug, isSample: true },
        ...dataForEndpoint(event, JSON.stringify(withoutIds(events[event].example)), previousOf(event), {
          payload: target.payload as DeliveryPayload,
          include: target.include as DeliveryInclude[],
          scopes: [],
        }),
        happened: {
          eventId: nobodys,
          record: record && { ...record, id: 0 },
          names: namesWith([event]),
          answer: sampleAnswerOf(event),
        },
      })
    },
  })

/** A UUID that belongs to nothing. */
const nobodys = '00000000-0000-0000-0000-000000000000'

/** The fields of an example that identify a record, and are 0 in a sample. */
const idFields: ReadonlySet<string> = new Set(['id', 'mergedInto', 'erasure', 'eventId'])

const withoutIds = (example: object): object =>
  Object.fromEntries(
    Object.entries(example).map(([field, value]) => {
      if (Array.isArray(value)) return [field, value.map((one) => (typeof one === 'number' ? 0 : one))]
      if (!idFields.has(field) || value === null) return [field, value]
      return [field, typeof value === 'number' ? 0 : nobodys]
    }),
  )

/** The changes in the example, compared with the record shown in the reference. */
const previousOf = (event: EventName): string | null => {
  const { kind, example } = events[event]
  if (kind === null) return null
  const [usual] = (kinds[kind].record as unknown as { examples: [object] }).examples
  const { changed, previous } = changedFields(usual, example)
  return changed.length === 0 ? null : JSON.stringify(previous)
}
