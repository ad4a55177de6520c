import { uuidFrom } from '../../../platform/kernel/uuid.ts'
import type { TestVenue } from '../../../test/service.ts'
import { type Leased, type Lease, leaseDeliveries } from '../engine/lease.ts'
import type { Scene } from './scene.ts'

/** Takes deliveries of a venue for one attempt each, as a worker does that decided so at that turn. */
export const takeAt = async (
  { service }: Pick<Scene, 'service'>,
  venue: TestVenue,
  { turn, deliveries, first = [] }: Pick<Lease, 'turn' | 'deliveries'> & Partial<Pick<Lease, 'first'>>,
): Promise<Leased[]> => {
  const { db, clock, random } = service.context
  const lease = { venue: venue.id, turn, deliveries, first, token: uuidFrom(random) }
  return (await leaseDeliveries(db, [lease], clock())).flat()
}
