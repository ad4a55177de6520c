import { type Reservation, VenueData } from '@venue-data/sdk'
import { sync } from '@venue-data/sdk/sync'
import { toDate } from '@venue-data/sdk/dates'
import { nodeHandler, verifyWebhook } from '@venue-data/sdk/webhooks'

/* Compiles with TypeScript 5, and knows what it should. */

declare const venue: VenueData

export const names = async (): Promise<(string | null)[]> => {
  const found: Reservation[] = await venue.reservations
    .list({ status: ['Confirmed'], since: new Date() })
    .all()
  // @ts-expect-error: a change says which state of the record it means
  await venue.reservations.update(7, { notes: 'A booth.' })
  // @ts-expect-error: a party has a size
  await venue.reservations.create({ guestName: 'Maya' })
  const { task } = await venue.tasks.create({ title: 'Call' }, { idempotencyKey: '1' })
  const when: Date = toDate({ date: '2026-11-27', time: '19:30' }, 'America/New_York')
  const delivery = await verifyWebhook({ body: '', header: '', secret: '' })
  if (delivery.event === 'lead.created')
    return [delivery.data.contactName, String(task.id), when.toISOString()]
  return found.map(({ guestName }) => guestName)
}

export const handler = nodeHandler({
  secret: '',
  on: { 'guest.merged': ({ data }) => data.mergedInto.toFixed() },
})

export const copy = sync(venue, {
  into: {
    upsert: ({ kind, data }) => void (kind === 'task' && data.title?.trim()),
    delete: () => undefined,
    records: () => [],
  },
})
